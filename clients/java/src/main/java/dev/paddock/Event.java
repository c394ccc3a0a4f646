package dev.paddock;

import dev.paddock.game.GameChoice;
import dev.paddock.game.Unreadable;
import dev.paddock.v1.Fault;
import dev.paddock.v1.Happened;
import java.util.List;

/** What everybody chose in one step of a match. */
public record Event(int step, List<Revealed> revealed) {
  /**
   * The choice of one seat.
   *
   * @param choice a {@code draftosaurus.Choice} or a {@code dinotwist.Choice}
   * @param fault why the referee made it, such as TIMEOUT; empty: the bot chose
   */
  public record Revealed(int seat, GameChoice choice, String fault) {}

  static Event read(Happened sent) {
    return new Event(sent.getStep(), sent.getRevealedList().stream().map(Event::revealed).toList());
  }

  private static Revealed revealed(dev.paddock.v1.Revealed sent) {
    dev.paddock.v1.GameChoice choice = sent.getChoice();
    GameChoice read =
        switch (choice.getGameCase()) {
          case DRAFTOSAURUS ->
              dev.paddock.draftosaurus.Reading.choice(choice.getDraftosaurus(), -1);
          case DINO_TWIST -> dev.paddock.dinotwist.Reading.choice(choice.getDinoTwist(), -1);
          case GAME_NOT_SET -> throw new Unreadable("a choice of an unknown game");
        };
    return new Revealed(sent.getSeat(), read, faultName(sent.getFault()));
  }

  /** Returns the name of a fault, such as TIMEOUT; empty: there was none. */
  static String faultName(Fault fault) {
    return switch (fault) {
      case FAULT_UNSPECIFIED -> "";
      case UNRECOGNIZED -> "OTHER"; // a fault that a newer server knows is still a fault
      default -> fault.name().substring("FAULT_".length());
    };
  }
}
