package dev.paddock.draftosaurus;

import dev.paddock.game.Unreadable;
import dev.paddock.v1.Ask;
import dev.paddock.v1.DraftosaurusChoice;
import dev.paddock.v1.DraftosaurusRules;
import dev.paddock.v1.DraftosaurusTable;
import dev.paddock.v1.PenContents;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Messages read into values; each method throws Unreadable for values that are unknown here. */
public final class Reading {
  private static final Species[] SPECIES = Species.values();
  private static final Pen[] PENS = Pen.values();
  private static final Face[] FACES = Face.values();
  private static final Phase[] PHASES = Phase.values();
  private static final Board[] BOARDS = Board.values();

  private Reading() {}

  /** Returns the rule options in a message. */
  public static Rules rules(DraftosaurusRules sent) {
    return new Rules(
        sent.getQuarantineMayStay(),
        sent.getFivePlayerDieHold(),
        sent.getPrairieCapacity(),
        sent.getPlaceAfterReveal());
  }

  /** Returns the choice in a message. */
  public static Choice choice(DraftosaurusChoice sent, int number) {
    Phase kind = Unreadable.unless("kind of choice", PHASES, sent.getKindValue(), 1);
    Species species = Unreadable.unless("species", SPECIES, sent.getSpeciesValue(), 1);
    Pen pen = Unreadable.unless("pen", PENS, sent.getPenValue(), 0);
    int slot = Unreadable.unlessBelow("slot", sent.getSlot(), Zoo.PYRAMID_SLOTS);
    return new Choice(number, kind, new Placement(species, pen, slot));
  }

  /** Returns what the seat of an ask knows. */
  public static DraftosaurusView view(Ask ask, int seats, Rules rules, String format) {
    DraftosaurusTable table = ask.getView().getDraftosaurus().getTable();
    List<Choice> legal = new ArrayList<>();
    for (int number = 0; number < ask.getChoicesCount(); number++) {
      legal.add(choice(ask.getChoices(number).getDraftosaurus(), number));
    }
    List<Zoo> zoos = zoos(table.getZoosList());
    if (zoos.size() != seats) {
      throw new Unreadable("there are " + zoos.size() + " zoos for " + seats + " seats");
    }
    return new DraftosaurusView(
        Unreadable.unlessBelow("seat", ask.getSeat(), seats),
        species(ask.getView().getDraftosaurus().getHandValueList(), 1),
        List.copyOf(legal),
        zoos,
        Unreadable.unless("phase", PHASES, table.getPhaseValue(), 1),
        Unreadable.unless("board", BOARDS, table.getBoardValue(), 1),
        Unreadable.unless("face", FACES, table.getDieValue(), 0),
        table.getRoller(),
        table.getGame(),
        table.getRound(),
        table.getTurn(),
        table.getTurnsDone(),
        species(table.getPicksValueList(), 1),
        species(table.getRemovedValueList(), 1),
        table.getFinishedList().stream().map(game -> zoos(game.getZoosList())).toList(),
        rules,
        format);
  }

  private static List<Species> species(List<Integer> sent, int least) {
    return sent.stream()
        .map(number -> Unreadable.unless("species", SPECIES, number, least))
        .toList();
  }

  private static List<Zoo> zoos(List<dev.paddock.v1.Zoo> sent) {
    return sent.stream().map(Reading::zoo).toList();
  }

  private static Zoo zoo(dev.paddock.v1.Zoo sent) {
    Map<Pen, List<Species>> contents = new EnumMap<>(Pen.class);
    for (PenContents each : sent.getPensList()) {
      Pen pen = Unreadable.unless("pen", PENS, each.getPenValue(), 1);
      int least = pen == Pen.PYRAMID ? Species.NONE.ordinal() : Species.T_REX.ordinal();
      List<Species> inside = species(each.getDinosaursValueList(), least);
      boolean fits =
          pen == Pen.PYRAMID ? inside.size() == pen.holds() : inside.size() <= pen.holds();
      if (!fits) {
        throw new Unreadable("there are " + inside.size() + " places in " + pen);
      }
      contents.put(pen, inside);
    }
    return Zoo.of(contents);
  }
}
