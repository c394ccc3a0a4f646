package dev.paddock.dinotwist;

import dev.paddock.game.GameChoice;
import java.util.List;
import java.util.StringJoiner;

/**
 * One decision. Which fields it has depends on its kind.
 *
 * @param number in the list of legal choices; what {@code choose} returns
 * @param kind what it is
 * @param cards that are played, buried or discarded
 * @param species that a PLAY attacks
 * @param territory that an ATTACK attacks; a PLAY names one only with attackWithPlay
 * @param settle where the beaten Dino settles; NOWHERE: it is discarded
 * @param faceDown how many cards another seat discarded
 */
public record Choice(
    int number,
    Kind kind,
    List<Card> cards,
    Species species,
    Territory territory,
    Territory settle,
    int faceDown)
    implements GameChoice {

  @Override
  public String toString() {
    return kind == Kind.ATTACK ? attack() : withCards();
  }

  private String attack() {
    if (territory == Territory.NOWHERE) {
      return "ATTACK nothing";
    }
    boolean settles = settle != Territory.NOWHERE;
    return "ATTACK "
        + territory
        + (settles ? " and settle in " + settle : " and discard what is beaten");
  }

  private String withCards() {
    StringJoiner words = new StringJoiner(" ").setEmptyValue("nothing");
    cards.forEach(card -> words.add(card.toString()));
    boolean mixed = cards.size() == 2 && cards.get(0).species() != cards.get(1).species();
    if (kind == Kind.PLAY && mixed) {
      words.add("as " + species);
    }
    if (territory != Territory.NOWHERE) {
      words.add("at " + territory);
    }
    if (faceDown > 0) {
      words.add(faceDown + " face down");
    }
    return kind + " " + words;
  }
}
