package dev.paddock.dinotwist;

import java.util.EnumMap;
import java.util.Map;

/** Who lives where on an island. An island never changes. */
public final class Island {
  private final Map<Territory, Card> residents = new EnumMap<>(Territory.class);

  /** Makes an island with these residents; a territory that is left out is empty. */
  public Island(Map<Territory, Card> residents) {
    this.residents.putAll(residents);
  }

  /** Returns who lives on the territory; Card.NONE where nobody does. */
  public Card on(Territory territory) {
    return residents.getOrDefault(territory, Card.NONE);
  }

  /** Returns the strengths on the island together. */
  public int strength() {
    return residents.values().stream().mapToInt(Card::strength).sum();
  }

  /** Returns how many cards with a claw are on the island. */
  public int claws() {
    return (int) residents.values().stream().filter(Card::claw).count();
  }

  /** Returns how many territories are empty. */
  public int gaps() {
    return Territory.ALL.size() - residents.size();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Island island && residents.equals(island.residents);
  }

  @Override
  public int hashCode() {
    return residents.hashCode();
  }

  @Override
  public String toString() {
    return residents.toString();
  }
}
