package dev.paddock.draftosaurus;

import static dev.paddock.draftosaurus.Species.DIPLODOCUS;
import static dev.paddock.draftosaurus.Species.NONE;
import static dev.paddock.draftosaurus.Species.PARASAUROLOPHUS;
import static dev.paddock.draftosaurus.Species.SPINOSAURUS;
import static dev.paddock.draftosaurus.Species.STEGOSAURUS;
import static dev.paddock.draftosaurus.Species.TRICERATOPS;
import static dev.paddock.draftosaurus.Species.T_REX;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DraftosaurusViewTest {
  private static final Rules STANDARD = new Rules(false, false, 0, false);
  private static final Rules MAY_STAY = new Rules(true, false, 0, false);

  private static DraftosaurusView view(Board board, Rules rules, List<Choice> legal, Zoo... zoos) {
    List<Species> none = List.of();
    return new DraftosaurusView(
        0,
        none,
        legal,
        List.of(zoos),
        Phase.PLACE,
        board,
        Face.NONE,
        0,
        0,
        0,
        0,
        0,
        none,
        none,
        List.of(),
        rules,
        "");
  }

  @Test
  void scoresOfASummerZoo() {
    Zoo zoo =
        Zoo.of(
            Map.of(
                Pen.FOREST_OF_SAMENESS, List.of(STEGOSAURUS, STEGOSAURUS, STEGOSAURUS),
                Pen.WOODY_TRIO, List.of(T_REX, DIPLODOCUS, DIPLODOCUS),
                Pen.KING_OF_THE_JUNGLE, List.of(STEGOSAURUS),
                Pen.PRAIRIE_OF_LOVE, List.of(DIPLODOCUS, DIPLODOCUS, SPINOSAURUS),
                Pen.MEADOW_OF_DIFFERENCES, List.of(T_REX, TRICERATOPS),
                Pen.SOLITARY_ISLAND, List.of(PARASAUROLOPHUS),
                Pen.RIVER, List.of(T_REX)));
    Map<String, Integer> parts =
        Map.of(
            "FOREST_OF_SAMENESS",
            8,
            "WOODY_TRIO",
            7,
            "KING_OF_THE_JUNGLE",
            7,
            "PRAIRIE_OF_LOVE",
            5,
            "MEADOW_OF_DIFFERENCES",
            3,
            "SOLITARY_ISLAND",
            7,
            "RIVER",
            1,
            "T_REX_BONUS",
            2);
    DraftosaurusView view = view(Board.SUMMER, STANDARD, List.of(), zoo, Zoo.of(Map.of()));
    assertEquals(new Score(40, parts, 3), view.scores().get(0));
  }

  @Test
  void scoresOfAWinterZoo() {
    Zoo zoo =
        Zoo.of(
            Map.of(
                Pen.WELL_ORDERED_WOOD, List.of(T_REX, DIPLODOCUS, T_REX),
                Pen.LOOKOUT, List.of(DIPLODOCUS),
                Pen.LOVERS_BRIDGE_LEFT, List.of(TRICERATOPS, TRICERATOPS),
                Pen.LOVERS_BRIDGE_RIGHT, List.of(TRICERATOPS),
                Pen.PYRAMID, List.of(STEGOSAURUS, T_REX, NONE, NONE, NONE, NONE),
                Pen.QUARANTINE, List.of(T_REX)));
    Zoo right = Zoo.of(Map.of(Pen.RIVER, List.of(DIPLODOCUS, DIPLODOCUS)));
    Map<String, Integer> parts =
        Map.of(
            "WELL_ORDERED_WOOD",
            8,
            "LOOKOUT",
            4,
            "LOVERS_BRIDGE",
            6,
            "PYRAMID",
            4,
            "RIVER",
            0,
            "T_REX_BONUS",
            2);
    DraftosaurusView view = view(Board.WINTER, STANDARD, List.of(), zoo, right);
    assertEquals(new Score(24, parts, 4), view.scores().get(0));
    DraftosaurusView staying = view(Board.WINTER, MAY_STAY, List.of(), zoo, right);
    assertEquals(25, staying.scores().get(0).total());
  }

  @Test
  void thePyramidIsBuiltRowByRow() {
    Zoo zoo = Zoo.of(Map.of(Pen.PYRAMID, List.of(T_REX, DIPLODOCUS, NONE, NONE, NONE, NONE)));
    assertTrue(takes(zoo, T_REX, 2));
    assertFalse(takes(zoo, DIPLODOCUS, 2) || takes(zoo, T_REX, 3) || takes(zoo, T_REX, 0));
    Zoo full = zoo.plus(new Placement(T_REX, Pen.PYRAMID, 2));
    assertTrue(takes(full, STEGOSAURUS, 4));
    assertFalse(takes(full, T_REX, 3) || takes(full, DIPLODOCUS, 4));
  }

  private static boolean takes(Zoo zoo, Species species, int slot) {
    return zoo.takes(new Placement(species, Pen.PYRAMID, slot), STANDARD);
  }

  @Test
  void legalChoicesByPen() {
    List<Choice> legal =
        List.of(
            new Choice(0, Phase.PLACE, new Placement(T_REX, Pen.WOODY_TRIO, 0)),
            new Choice(1, Phase.PLACE, new Placement(DIPLODOCUS, Pen.WOODY_TRIO, 0)),
            new Choice(2, Phase.PLACE, new Placement(T_REX, Pen.RIVER, 0)));
    DraftosaurusView view = view(Board.SUMMER, STANDARD, legal, Zoo.of(Map.of()));
    assertEquals(
        Map.of(Pen.WOODY_TRIO, legal.subList(0, 2), Pen.RIVER, legal.subList(2, 3)),
        view.legalByPen());
    assertEquals(2, view.defaultChoice());
    assertEquals("PLACE DIPLODOCUS in WOODY_TRIO", legal.get(1).toString());
  }
}
