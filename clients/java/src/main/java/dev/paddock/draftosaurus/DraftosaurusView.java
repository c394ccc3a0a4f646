package dev.paddock.draftosaurus;

import dev.paddock.game.View;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What one seat knows of Draftosaurus: the open table and its own hand. The rules are told in
 * docs/rules/draftosaurus.md; comments cite their numbers (D22, A3).
 *
 * @param seat this bot's
 * @param hand this seat's own, in the order of the species
 * @param legal what this seat may choose, in a fixed order; never empty
 * @param zoos everybody's, by seat
 * @param phase what is being decided
 * @param board the side of the board that is played on
 * @param die what the die shows
 * @param roller the seat that holds the die
 * @param game which game of the match this is, from 0: a series has two
 * @param round which round of the game this is, from 0
 * @param turn which turn of the round this is, from 0
 * @param turnsDone turns of the match that are over; a game has 12
 * @param picks what everybody picked, by seat, between reveal and placing (A4)
 * @param removed what was removed from this game; two players only (D14)
 * @param finished the zoos of the games that are over, by game and by seat
 * @param rules the rule options of the match
 * @param format that is played
 */
public record DraftosaurusView(
    int seat,
    List<Species> hand,
    List<Choice> legal,
    List<Zoo> zoos,
    Phase phase,
    Board board,
    Face die,
    int roller,
    int game,
    int round,
    int turn,
    int turnsDone,
    List<Species> picks,
    List<Species> removed,
    List<List<Zoo>> finished,
    Rules rules,
    String format)
    implements View {

  /** Returns this seat's own zoo. */
  public Zoo zoo() {
    return zoos.get(seat);
  }

  @Override
  public int seats() {
    return zoos.size();
  }

  /** The first choice into the river, or the first of all where no pen is chosen. */
  @Override
  public int defaultChoice() {
    return legal.stream()
        .filter(choice -> choice.pen() == Pen.RIVER)
        .mapToInt(Choice::number)
        .findFirst()
        .orElse(0);
  }

  /** Returns the legal choices that name a pen, sorted by that pen. */
  public Map<Pen, List<Choice>> legalByPen() {
    Map<Pen, List<Choice>> byPen = new EnumMap<>(Pen.class);
    for (Choice choice : legal) {
      if (choice.pen() != Pen.NONE) {
        byPen.computeIfAbsent(choice.pen(), pen -> new ArrayList<>()).add(choice);
      }
    }
    return byPen;
  }

  /** Returns the face that binds a seat; NONE for the roller (D8), unless the die was held (A2). */
  public Face binding(int seat) {
    boolean held = rules.fivePlayerDieHold() && seats() == 5 && turn == 5;
    return seat == roller && !held ? Face.NONE : die;
  }

  /** Returns everybody's points as the table stands, by seat. */
  public List<Score> scores() {
    List<Score> scores = new ArrayList<>();
    for (int seat = 0; seat < seats(); seat++) {
      scores.add(new Scoring(this).score(seat, zoos.get(seat)));
    }
    return scores;
  }

  /** Returns the points of a seat if its zoo were this one and the others as they are. */
  public int points(int seat, Zoo zoo) {
    return new Scoring(this).total(seat, zoo);
  }

  /** Returns the most of a species that another seat has. */
  int mostOfOthers(int seat, Species species) {
    int most = 0;
    for (int other = 0; other < seats(); other++) {
      if (other != seat) {
        most = Math.max(most, zoos.get(other).count(species));
      }
    }
    return most;
  }

  /** Returns the seat that gets this seat's hand. */
  int nextSeat() {
    return (seat + 1) % seats();
  }
}
