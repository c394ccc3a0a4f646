package dev.paddock.dinotwist;

import dev.paddock.game.View;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one seat knows of Dino Twist: the open table and its own cards. The rules are told in
 * docs/rules/dino-twist.md; comments cite their numbers (T10, B8).
 *
 * @param seat this bot's
 * @param hand this seat's own, by species, then strength, claws first
 * @param legal what this seat may choose, in a fixed order; never empty
 * @param phase what is being decided
 * @param round which round of the game this is, from 0
 * @param event the one that applies
 * @param events all that have shown, the one that shows included
 * @param asked the seats that decide now
 * @param twist Twist Island
 * @param islands everybody's, by seat
 * @param graveyards everybody's, by seat: entries of one card or more
 * @param islandBonuses the bonuses for filled islands, by seat (T15)
 * @param discards what lies face up on the discard pile
 * @param discarded what this seat laid face down on the discard pile
 * @param faceDown how many cards each seat laid face down, by seat
 * @param handSizes how many cards everybody holds, by seat
 * @param pileSize how many cards are left to draw before the discards are shuffled
 * @param plays what was revealed this round, by seat; empty before
 * @param waiting the seats still to act, those of equal strength together
 * @param rules the rule options of the match
 * @param format that is played
 */
public record DinoTwistView(
    int seat,
    List<Card> hand,
    List<Choice> legal,
    Phase phase,
    int round,
    Event event,
    List<Event> events,
    List<Integer> asked,
    Island twist,
    List<Island> islands,
    List<List<List<Card>>> graveyards,
    List<Integer> islandBonuses,
    List<Card> discards,
    List<Card> discarded,
    List<Integer> faceDown,
    List<Integer> handSizes,
    int pileSize,
    Map<Integer, Choice> plays,
    List<List<Integer>> waiting,
    Rules rules,
    String format)
    implements View {
  /** The format in which every island is small (T17). */
  public static final String SMALL = "dino-twist-small";

  /** Returns this seat's own island. */
  public Island island() {
    return islands.get(seat);
  }

  /** Returns this seat's own graveyard: entries of one card or more. */
  public List<List<Card>> graveyard() {
    return graveyards.get(seat);
  }

  /** Returns what this seat revealed this round. */
  public Optional<Choice> play() {
    return Optional.ofNullable(plays.get(seat));
  }

  @Override
  public int seats() {
    return islands.size();
  }

  @Override
  public int defaultChoice() {
    return 0;
  }

  /** Returns the legal choices, sorted by what they are. */
  public Map<Kind, List<Choice>> legalByKind() {
    Map<Kind, List<Choice>> byKind = new EnumMap<>(Kind.class);
    for (Choice choice : legal) {
      byKind.computeIfAbsent(choice.kind(), kind -> new ArrayList<>()).add(choice);
    }
    return byKind;
  }

  /** Tells whether a seat has a Small T-Rex island (T17). */
  public boolean hasSmallIsland(int seat) {
    return format.equals(SMALL) || rules.smallSeats().contains(Integer.toString(seat));
  }

  /** Returns everybody's points as the table stands, by seat (T14-T16). */
  public List<Score> scores() {
    int most = 1; // nobody gets the bonus without a claw
    for (Island island : islands) {
      most = Math.max(most, island.claws());
    }
    List<Score> scores = new ArrayList<>();
    for (int seat = 0; seat < seats(); seat++) {
      List<List<Card>> graveyard = graveyards.get(seat);
      int cards = graveyard.stream().mapToInt(List::size).sum();
      int claws = islands.get(seat).claws();
      Map<String, Integer> parts = new LinkedHashMap<>();
      parts.put("ISLAND", islands.get(seat).strength());
      parts.put("GRAVEYARD", 2 * (rules.graveyardPerCard() ? cards : graveyard.size())); // B4
      parts.put("ISLAND_BONUS", islandBonuses.get(seat));
      parts.put("CLAW_BONUS", claws == most ? 7 : 0);
      int total = parts.values().stream().mapToInt(Integer::intValue).sum();
      scores.add(new Score(total, parts, claws));
    }
    return scores;
  }

  /** Returns the ways of this seat to attack with a play, as the table stands (T10, T11). */
  public List<Way> ways(Choice play) {
    int strength = play.cards().stream().mapToInt(Card::strength).sum();
    int total = strength + event.bonus(play.species());
    List<Way> ways = new ArrayList<>();
    for (Territory territory : Territory.ALL) {
      boolean struck = event.kind() == EventKind.METEOR && event.territory() == territory;
      boolean named = !rules.attackWithPlay() || play.territory() == territory; // B6
      boolean beaten = twist.on(territory).strength() < total;
      if (territory.species() == play.species() && !struck && named && beaten) {
        List<Territory> homes = homes(territory);
        homes.forEach(home -> ways.add(new Way(territory, home)));
        boolean full = homes.stream().allMatch(home -> island().on(home).strength() > 0);
        if (!rules.mustSettle() && (full || rules.version() == 1)) { // B8
          ways.add(new Way(territory, Territory.NOWHERE));
        }
      }
    }
    return ways;
  }

  /** Returns where a Dino beaten on the territory may settle on this seat's island. */
  private List<Territory> homes(Territory territory) {
    if (hasSmallIsland(seat)) {
      return Territory.ALL;
    }
    if (event.kind() != EventKind.EARTHQUAKE) {
      return List.of(territory);
    }
    return Territory.ALL.stream().filter(home -> home.species() == territory.species()).toList();
  }
}
