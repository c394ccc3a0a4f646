package dev.paddock.dinotwist;

import dev.paddock.game.Unreadable;
import dev.paddock.v1.Ask;
import dev.paddock.v1.DinoTwistCard;
import dev.paddock.v1.DinoTwistChoice;
import dev.paddock.v1.DinoTwistEvent;
import dev.paddock.v1.DinoTwistGroup;
import dev.paddock.v1.DinoTwistIsland;
import dev.paddock.v1.DinoTwistResident;
import dev.paddock.v1.DinoTwistRevealed;
import dev.paddock.v1.DinoTwistRules;
import dev.paddock.v1.DinoTwistTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Messages read into values; each method throws Unreadable for values that are unknown here. */
public final class Reading {
  private static final Species[] SPECIES = Species.values();
  private static final Territory[] TERRITORIES = Territory.values();
  private static final EventKind[] EVENTS = EventKind.values();
  private static final Phase[] PHASES = Phase.values();
  private static final Kind[] KINDS = Kind.values();

  private Reading() {}

  /** Returns the rule options in a message. */
  public static Rules rules(DinoTwistRules sent) {
    int version = Math.max(1, sent.getVersion());
    if (version > Rules.NEWEST) {
      throw new Unreadable("version " + version + " of the rules is unknown here");
    }
    return new Rules(
        sent.hasClawCopies() ? sent.getClawCopies() : 1,
        sent.getClawStrengths(),
        sent.getQuietFirstRound(),
        sent.getGraveyardPerCard(),
        sent.getEqualsInSeatOrder(),
        sent.getAttackWithPlay(),
        sent.getFizzledReturns(),
        sent.getAttackMayBeWaived(),
        sent.getMustSettle(),
        sent.getBuryBySpecies(),
        sent.getBuryByTerritory(),
        sent.getBabiesReshuffled(),
        sent.getOthersDrawLast(),
        sent.getDiscardInTurn(),
        sent.hasIslandBonusTies() ? sent.getIslandBonusTies() : "share",
        sent.getSmallSeats(),
        version);
  }

  /** Returns the choice in a message. */
  public static Choice choice(DinoTwistChoice sent, int number) {
    return new Choice(
        number,
        Unreadable.unless("kind of choice", KINDS, sent.getKindValue(), 1),
        cards(sent.getCardsList()),
        Unreadable.unless("species", SPECIES, sent.getSpeciesValue(), 0),
        Unreadable.unless("territory", TERRITORIES, sent.getTerritoryValue(), 0),
        Unreadable.unless("territory", TERRITORIES, sent.getSettleValue(), 0),
        sent.getFaceDown());
  }

  /** Returns what the seat of an ask knows. */
  public static DinoTwistView view(Ask ask, int seats, Rules rules, String format) {
    dev.paddock.v1.DinoTwistView sent = ask.getView().getDinoTwist();
    DinoTwistTable table = sent.getTable();
    boolean complete =
        table.getIslandsCount() == seats
            && table.getGraveyardsCount() == seats
            && table.getIslandBonusesCount() == seats;
    if (!complete) {
      String counted = "there are " + table.getIslandsCount() + " islands for ";
      throw new Unreadable(counted + seats + " seats, or as few graveyards or bonuses");
    }
    List<Choice> legal = new ArrayList<>();
    for (int number = 0; number < ask.getChoicesCount(); number++) {
      legal.add(choice(ask.getChoices(number).getDinoTwist(), number));
    }
    return new DinoTwistView(
        Unreadable.unlessBelow("seat", ask.getSeat(), seats),
        cards(sent.getHandList()),
        List.copyOf(legal),
        Unreadable.unless("phase", PHASES, table.getPhaseValue(), 1),
        table.getRound(),
        event(table.getEvent()),
        table.getShownList().stream().map(Reading::event).toList(),
        List.copyOf(table.getAskedList()),
        island(table.getTwist()),
        table.getIslandsList().stream().map(Reading::island).toList(),
        graveyards(table),
        List.copyOf(table.getIslandBonusesList()),
        cards(table.getDiscardsList()),
        cards(sent.getDiscardedList()),
        List.copyOf(table.getFaceDownList()),
        List.copyOf(table.getHandSizesList()),
        table.getPileSize(),
        plays(table.getPlaysList(), seats),
        table.getWaitingList().stream().map(DinoTwistGroup::getSeatsList).toList(),
        rules,
        format);
  }

  private static List<Card> cards(List<DinoTwistCard> sent) {
    return sent.stream().map(Reading::card).toList();
  }

  private static Card card(DinoTwistCard sent) {
    int strength = Unreadable.unlessBelow("strength", sent.getStrength(), 11);
    if (strength == 0) {
      throw new Unreadable("a card without strength is unknown here");
    }
    Species species = Unreadable.unless("species", SPECIES, sent.getSpeciesValue(), 1);
    return new Card(species, strength, sent.getClaw());
  }

  private static Event event(DinoTwistEvent sent) {
    return new Event(
        Unreadable.unless("event", EVENTS, sent.getKindValue(), 0),
        Unreadable.unless("territory", TERRITORIES, sent.getTerritoryValue(), 0),
        Unreadable.unless("species", SPECIES, sent.getSpeciesValue(), 0));
  }

  private static Island island(DinoTwistIsland sent) {
    Map<Territory, Card> residents = new EnumMap<>(Territory.class);
    for (DinoTwistResident each : sent.getResidentsList()) {
      int where = each.getTerritoryValue();
      residents.put(Unreadable.unless("territory", TERRITORIES, where, 1), card(each.getCard()));
    }
    return new Island(residents);
  }

  private static List<List<List<Card>>> graveyards(DinoTwistTable table) {
    return table.getGraveyardsList().stream()
        .map(each -> each.getEntriesList().stream().map(e -> cards(e.getCardsList())).toList())
        .toList();
  }

  private static Map<Integer, Choice> plays(List<DinoTwistRevealed> sent, int seats) {
    Map<Integer, Choice> plays = new TreeMap<>();
    for (DinoTwistRevealed each : sent) {
      int seat = Unreadable.unlessBelow("seat", each.getSeat(), seats);
      plays.put(seat, choice(each.getChoice(), -1));
    }
    return plays;
  }
}
