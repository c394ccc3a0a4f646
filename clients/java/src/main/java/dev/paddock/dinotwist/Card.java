package dev.paddock.dinotwist;

/**
 * A Dino card.
 *
 * @param species its species
 * @param strength 2 to 10; a baby has 1
 * @param claw whether it carries a claw
 */
public record Card(Species species, int strength, boolean claw) {
  /** No card: an empty territory, of strength 0. */
  public static final Card NONE = new Card(Species.NONE, 0, false);

  @Override
  public String toString() {
    return species + "-" + strength + (claw ? "-CLAW" : "");
  }
}
