package dev.paddock.dinotwist;

import static dev.paddock.dinotwist.Species.AQUA;
import static dev.paddock.dinotwist.Species.HERBI;
import static dev.paddock.dinotwist.Species.KARNI;
import static dev.paddock.dinotwist.Species.VOLI;
import static dev.paddock.dinotwist.Territory.BEACH;
import static dev.paddock.dinotwist.Territory.CLIFF;
import static dev.paddock.dinotwist.Territory.DESERT;
import static dev.paddock.dinotwist.Territory.HILL;
import static dev.paddock.dinotwist.Territory.JUNGLE;
import static dev.paddock.dinotwist.Territory.MOUNTAINS;
import static dev.paddock.dinotwist.Territory.NOWHERE;
import static dev.paddock.dinotwist.Territory.RIVERSIDE;
import static dev.paddock.dinotwist.Territory.SEA;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.paddock.v1.DinoTwistRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DinoTwistViewTest {
  private static final Island FULL =
      new Island(
          Map.of(
              MOUNTAINS, card(VOLI, 10),
              CLIFF, card(VOLI, 7),
              JUNGLE, new Card(KARNI, 5, true),
              DESERT, card(KARNI, 4),
              RIVERSIDE, card(HERBI, 3),
              HILL, card(HERBI, 2),
              BEACH, card(AQUA, 1),
              SEA, card(AQUA, 1)));
  private static final Island LONELY = new Island(Map.of(SEA, new Card(AQUA, 9, true)));
  private static final Island TWIST = new Island(Map.of(BEACH, card(AQUA, 4), SEA, card(AQUA, 6)));
  private static final Choice PLAY =
      new Choice(0, Kind.PLAY, List.of(card(AQUA, 5)), AQUA, NOWHERE, NOWHERE, 0);

  private static Card card(Species species, int strength) {
    return new Card(species, strength, false);
  }

  private static Rules rules(int version, boolean perCard) {
    DinoTwistRules.Builder sent = DinoTwistRules.newBuilder().setVersion(version);
    return Reading.rules(sent.setGraveyardPerCard(perCard).build());
  }

  /** The position of the page of the rules, of which it says 54 and 16 points. */
  private static DinoTwistView view(int seat, EventKind kind, Rules rules, String format) {
    Event event = new Event(kind, NOWHERE, Species.NONE);
    List<List<Card>> graveyard =
        List.of(List.of(card(KARNI, 2)), List.of(card(AQUA, 2), card(AQUA, 3)));
    List<Card> none = List.of();
    return new DinoTwistView(
        seat,
        none,
        List.of(),
        Phase.PLAY,
        0,
        event,
        List.of(event),
        List.of(),
        TWIST,
        List.of(FULL, LONELY),
        List.of(graveyard, List.of()),
        List.of(10, 0),
        none,
        none,
        List.of(),
        List.of(),
        0,
        Map.of(),
        List.of(),
        rules,
        format);
  }

  @Test
  void scores() {
    List<Score> scores = view(0, EventKind.NONE, rules(2, false), "dino-twist").scores();
    Map<String, Integer> parts =
        Map.of("ISLAND", 33, "GRAVEYARD", 4, "ISLAND_BONUS", 10, "CLAW_BONUS", 7);
    assertEquals(new Score(54, parts, 1), scores.get(0));
    assertEquals(16, scores.get(1).total());
    List<Score> byCard = view(0, EventKind.NONE, rules(2, true), "dino-twist").scores();
    assertEquals(56, byCard.get(0).total());
  }

  @Test
  void aBeatenDinoIsDiscardedOnlyWhereNoTerritoryIsEmpty() {
    Way stay = new Way(BEACH, BEACH);
    Way gone = new Way(BEACH, NOWHERE);
    assertEquals(List.of(stay, gone), ways(0, EventKind.NONE, 2));
    assertEquals(List.of(stay), ways(1, EventKind.NONE, 2));
    assertEquals(List.of(stay, gone), ways(1, EventKind.NONE, 1));
    assertEquals(List.of(stay, new Way(BEACH, SEA), gone), ways(0, EventKind.EARTHQUAKE, 2));
    assertEquals(
        List.of(stay, gone, new Way(SEA, SEA), new Way(SEA, NOWHERE)),
        ways(0, EventKind.CARNAGE, 2));
    DinoTwistView small = view(0, EventKind.CARNAGE, rules(2, false), DinoTwistView.SMALL);
    assertEquals(2 * 9, small.ways(PLAY).size());
  }

  private static List<Way> ways(int seat, EventKind kind, int version) {
    return view(seat, kind, rules(version, false), "dino-twist").ways(PLAY);
  }

  @Test
  void choicesInWords() {
    List<Card> duo = List.of(card(AQUA, 5), new Card(VOLI, 2, true));
    Map<String, Choice> words =
        Map.of(
            "PLAY AQUA-5", PLAY,
            "PLAY AQUA-5 VOLI-2-CLAW as VOLI",
                new Choice(0, Kind.PLAY, duo, VOLI, NOWHERE, NOWHERE, 0),
            "ATTACK SEA and settle in BEACH",
                new Choice(0, Kind.ATTACK, List.of(), Species.NONE, SEA, BEACH, 0),
            "ATTACK nothing",
                new Choice(0, Kind.ATTACK, List.of(), Species.NONE, NOWHERE, NOWHERE, 0),
            "DISCARD nothing",
                new Choice(0, Kind.DISCARD, List.of(), Species.NONE, NOWHERE, NOWHERE, 0));
    words.forEach((want, choice) -> assertEquals(want, choice.toString()));
  }
}
