"""What greedy and careful make of a choice of Dino Twist, from docs/sample-bots.md alone."""

from collections.abc import Callable
from typing import Any

from .dino_twist import HOMES, species_of, strength_of

Choice = dict[str, Any]


def claw(card: str | None) -> int:
    return int(card is not None and card.endswith("CLAW"))


def strength(card: str | None) -> int:
    return 0 if card is None else strength_of(card)


def worth(bot: str, ask: dict[str, Any], rules: dict[str, Any]) -> Callable[[Choice], int]:
    """How a bot judges the choices of an ask."""
    view, seat = ask["view"], ask["seat"]
    twist, island = view["twist"], view["islands"][seat]
    small = ask["format"] == "dino-twist-small" or str(seat) in rules["small_seats"]
    rounds = 10 - len(view["events"])

    def ways(play: Choice) -> list[tuple[str, str | None]]:
        """T10, T11, B6, B8, T17."""
        total = sum(map(strength_of, play["cards"]))
        total += 3 * (view["event"] == f"FURY-{play['species']}") + 2 * (view["event"] == "CARNAGE")
        pairs: list[tuple[str, str | None]] = []
        for territory, home in HOMES.items():
            if home != play["species"] or view["event"] == f"METEOR-{territory}":
                continue
            if rules["attack_with_play"] and territory != play["territory"]:
                continue
            if strength_of(twist[territory]) >= total:
                continue
            homes = [territory]
            if view["event"] == "EARTHQUAKE":
                homes = [other for other in HOMES if HOMES[other] == home]
            if small:
                homes = list(HOMES)
            pairs += [(territory, settle) for settle in homes]
            if not rules["must_settle"] and all(settle in island for settle in homes):
                pairs.append((territory, None))
        return pairs

    def won(territory: str, settle: str | None) -> int:
        if settle is None:
            return 0
        return strength(twist[territory]) - strength(island.get(settle))

    def greedy(choice: Choice) -> int:
        if choice["kind"] == "PLAY":
            return max([won(*way) for way in ways(choice)], default=0)
        if choice["kind"] == "BURY":
            return 2 * (len(choice["cards"]) if rules["graveyard_per_card"] else 1)
        if choice["kind"] == "ATTACK" and choice["territory"]:
            return won(choice["territory"], choice["settle"])
        return 0

    gaps = 8 - len(island)
    bonuses = [bonus for bonus in (10, 5, 3) if bonus not in view["island_bonuses"]]
    fill = 2520 * max(bonuses, default=0) // (gaps + 1) if gaps <= rounds + 1 else 0

    def way_worth(play: Choice, territory: str, settle: str | None) -> int:
        mine = [card for card in play["cards"] if species_of(card) == play["species"]]
        stays = min(strength_of(card) for card in mine)
        beaten = twist[territory]
        points = -84 * rounds * (stays - strength_of(beaten))
        if settle is not None:
            there = island.get(settle)
            points += 2520 * won(territory, settle) + 5040 * (claw(beaten) - claw(there))
            points += fill if there is None else 0
        return points

    def careful(choice: Choice) -> int:
        cards = choice["cards"]
        spent = 252 * min(2, rounds) * sum(strength_of(card) - 6 for card in cards)
        if choice["kind"] == "PLAY":
            return max([way_worth(choice, *way) for way in ways(choice)], default=0) - spent
        if choice["kind"] == "BURY":
            return 5040 * (len(cards) if rules["graveyard_per_card"] else 1) - spent
        if choice["kind"] == "DISCARD":
            return sum(4 - strength_of(card) for card in cards)
        if not choice["territory"]:
            return 0
        return way_worth(view["plays"][seat], choice["territory"], choice["settle"])

    return greedy if bot == "greedy" else careful
