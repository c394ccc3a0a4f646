package dev.paddock;

import com.google.protobuf.ByteString;
import dev.paddock.game.GameRules;
import dev.paddock.game.Unreadable;
import dev.paddock.v1.MatchStarted;
import java.time.Duration;
import java.util.List;

/**
 * A match that this bot plays in.
 *
 * @param id names the match
 * @param format such as "winter"
 * @param seats who plays
 * @param seat which of them is this bot's
 * @param rules a {@code draftosaurus.Rules} or a {@code dinotwist.Rules}
 * @param clock how time is counted
 * @param commitment SHA-256 of the seed that the deal comes from
 * @param tournament empty where there is none
 * @param dice what the dice are made from, with a secret of this client
 */
public record Match(
    String id,
    String format,
    List<Seat> seats,
    int seat,
    GameRules rules,
    Clock clock,
    ByteString commitment,
    String tournament,
    ByteString dice) {

  /** Returns the match in a message; throws Unreadable where its game or rules are unknown here. */
  public static Match read(MatchStarted sent) {
    return new Match(
        sent.getMatchId(),
        sent.getFormat(),
        sent.getSeatsList().stream()
            .map(
                seat ->
                    new Seat(seat.getBot(), seat.getVersion(), seat.getOwner(), seat.getCpuShare()))
            .toList(),
        Unreadable.unlessBelow("seat", sent.getSeat(), sent.getSeatsCount()),
        rules(sent),
        clock(sent.getClock()),
        sent.getCommitment(),
        sent.getTournament(),
        sent.getDice());
  }

  private static GameRules rules(MatchStarted sent) {
    return switch (sent.getRulesCase()) {
      case DRAFTOSAURUS -> dev.paddock.draftosaurus.Reading.rules(sent.getDraftosaurus());
      case DINO_TWIST -> dev.paddock.dinotwist.Reading.rules(sent.getDinoTwist());
      case RULES_NOT_SET ->
          throw new Unreadable("the game of the format " + sent.getFormat() + " is unknown here");
    };
  }

  private static Clock clock(dev.paddock.v1.Clock sent) {
    return new Clock(
        Duration.ofMillis(Integer.toUnsignedLong(sent.getBaseMs())),
        Duration.ofMillis(Integer.toUnsignedLong(sent.getBankMs())),
        Duration.ofMillis(Integer.toUnsignedLong(sent.getLagAllowanceMs())),
        sent.getMaxFaults());
  }
}
