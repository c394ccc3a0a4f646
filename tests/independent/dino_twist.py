"""Dino Twist a second time, naive and from the rules alone: plain dicts and lists, nothing shared.

`check(record)` plays a record again, from its seed, and raises Wrong at whatever does not fit.
"""

from collections.abc import Iterator
from typing import Any

from .draftosaurus import Wrong, rank, shuffle, words

SPECIES = ["AQUA", "KARNI", "HERBI", "VOLI"]
HOMES = {
    "MOUNTAINS": "VOLI", "CLIFF": "VOLI", "JUNGLE": "KARNI", "DESERT": "KARNI",
    "RIVERSIDE": "HERBI", "HILL": "HERBI", "BEACH": "AQUA", "SEA": "AQUA",
}  # fmt: skip
FORMATS = ["dino-twist", "dino-twist-small"]
Record = dict[str, Any]


def events() -> list[str]:
    """B1: the 25 event cards in order."""
    cards = [f"METEOR-{territory}" for territory in HOMES]
    cards += [f"FURY-{species}" for species in SPECIES]
    cards += ["VOLCANO"]
    for kind in ("NEVER_TWO_WITHOUT_THREE", "ALONE", "EARTHQUAKE", "TORNADO", "NEW_GENERATIONS"):
        cards += [kind, kind]
    return [*cards, "CARNAGE", "HELP"]


def deck(rules: Record) -> list[str]:
    """T1, B2: the 108 cards in order."""
    named = rules["claw_strengths"].split()

    def clawed(strength: int, copy: int) -> bool:
        return str(strength) in named if named else copy <= rules["claw_copies"]

    return [
        f"{species}-{strength}" + ("-CLAW" if clawed(strength, copy) else "")
        for species in SPECIES
        for strength in range(2, 11)
        for copy in (1, 2, 3)
    ]


def species_of(card: str) -> str:
    return card.split("-", maxsplit=1)[0]


def strength_of(card: str) -> int:
    return int(card.split("-")[1])


def in_order(card: str) -> tuple[int, int, bool]:
    """How cards are sorted: by species, strength, the claw first."""
    return SPECIES.index(species_of(card)), strength_of(card), not card.endswith("CLAW")


def want(truth: object, said: object, where: str) -> None:
    if truth != said or type(truth) is not type(said):
        raise Wrong(f"{where}: {said!r} should be {truth!r}")


class Game:
    """A game being played again."""

    def __init__(self, form: str, seats: int, rules: Record, stream: Iterator[int]) -> None:
        self.rules, self.seats, self.stream = rules, seats, stream
        self.small = [form == "dino-twist-small" or str(s) in rules["small_seats"]
                      for s in range(seats)]  # fmt: skip
        cards = events()
        shuffle(stream, cards)
        self.events = cards[:10]
        self.pile = deck(rules)
        shuffle(stream, self.pile)
        self.hands = [[self.pile.pop(0) for _ in range(7)] for _ in range(seats)]
        for seat in range(seats):
            while any([species_of(c) for c in self.hands[seat]].count(s) >= 5 for s in SPECIES):
                self.pile += self.hands[seat]
                shuffle(stream, self.pile)
                self.hands[seat] = [self.pile.pop(0) for _ in range(7)]
        self.twist = {territory: f"{species}-1" for territory, species in HOMES.items()}
        self.islands: list[dict[str, str]] = [{} for _ in range(seats)]
        self.graveyards: list[list[list[str]]] = [[] for _ in range(seats)]
        self.bonuses = [0] * seats
        self.filled: list[int] = []  # seats with a full island
        self.prizes = [10, 5, 3]
        self.discards: list[str] = []
        self.shuffled: list[list[str]] = []
        self.event = ""

    def throw(self, card: str) -> None:
        """B11: a baby that leaves play is gone."""
        if strength_of(card) > 1 or self.rules["babies_reshuffled"]:
            self.discards.append(card)

    def draw(self, seat: int) -> None:
        while len(self.hands[seat]) < 7:
            if not self.pile:
                if not self.discards:
                    return
                self.pile, self.discards = sorted(self.discards, key=in_order), []
                shuffle(self.stream, self.pile)
                self.shuffled.append(list(self.pile))
            self.hands[seat].append(self.pile.pop(0))

    def take(self, seat: int, cards: list[str], where: str) -> None:
        want(sorted(cards, key=in_order), cards, where)
        for card in cards:
            if card not in self.hands[seat]:
                raise Wrong(f"{where}: {card} is not in the hand")
            self.hands[seat].remove(card)

    # --- what may be played -----------------------------------------------------------------

    def total(self, play: Record) -> int:
        count = sum(map(strength_of, play["cards"]))
        if self.event == f"FURY-{play['species']}":
            count += 3
        return count + (2 if self.event == "CARNAGE" else 0)

    def targets(self, play: Record) -> list[str]:
        return [
            territory
            for territory, home in HOMES.items()
            if home == play["species"]
            and self.event != f"METEOR-{territory}"
            and strength_of(self.twist[territory]) < self.total(play)
        ]

    def may_bury(self, seat: int) -> bool:
        """B10: by species; with the option by territory, but not on a small island."""
        for territory, card in self.islands[seat].items():
            against = [t for t, home in HOMES.items() if home == species_of(card)]
            if self.rules["bury_by_territory"] and not self.small[seat]:
                against = [territory]
            if min(strength_of(self.twist[t]) for t in against) < strength_of(card):
                return True
        return False

    def check_play(self, seat: int, play: Record, where: str) -> None:
        cards = play["cards"]
        if play["kind"] == "BURY":
            want([None, None], [play["species"], play["territory"]], where)
            if len(cards) != 2 or not self.may_bury(seat):
                raise Wrong(f"{where}: may not bury")
            return
        kinds = {species_of(card) for card in cards}
        most = {"ALONE": 1, "NEVER_TWO_WITHOUT_THREE": 3}.get(self.event, 2)
        if not 1 <= len(cards) <= most or play["species"] not in kinds:
            raise Wrong(f"{where}: no play")
        if len(kinds) > (2 if self.event == "HELP" else 1):
            raise Wrong(f"{where}: too many species")
        if not self.rules["attack_with_play"]:
            want(None, play["territory"], f"{where}.territory")
            return
        possible: list[str | None] = list(self.targets(play))
        if not possible or self.rules["attack_may_be_waived"]:
            possible.append(None)
        if play["territory"] not in possible:
            raise Wrong(f"{where}: not a target")

    # --- a round ----------------------------------------------------------------------------

    def new_generations(self, told: list[Any], where: str) -> None:
        for seat in range(self.seats):
            if not self.hands[seat]:
                want(None, told[seat], where)
            else:
                cards = told[seat]["cards"]
                if len(cards) > 3:
                    raise Wrong(f"{where}: too many")
                self.take(seat, cards, where)
                self.discards += cards
            if self.rules["discard_in_turn"]:
                self.draw(seat)
        for seat in range(self.seats):
            self.draw(seat)

    def round(self, told: Record, where: str) -> None:
        if self.event == "TORNADO":
            for one, other in (("MOUNTAINS", "CLIFF"), ("JUNGLE", "DESERT"),
                               ("RIVERSIDE", "HILL"), ("BEACH", "SEA")):  # fmt: skip
                self.twist[one], self.twist[other] = self.twist[other], self.twist[one]
        if self.event == "NEW_GENERATIONS":
            self.new_generations(told["discards"], f"{where}.discards")
        else:
            want([None] * self.seats, told["discards"], f"{where}.discards")
        plays = told["plays"]
        for seat, play in enumerate(plays):
            if not self.hands[seat]:
                want(None, play, f"{where}.plays")
                continue
            if play is None:
                raise Wrong(f"{where}: a play is missing")
            self.check_play(seat, play, f"{where}.plays[{seat}]")
            self.take(seat, play["cards"], f"{where}.plays[{seat}]")
        out = []
        for seat, play in enumerate(plays):
            if play is None:
                out.append(seat)
                continue
            same = [
                other
                for other in plays
                if other is not None
                and other["kind"] == play["kind"] == "PLAY"
                and other["species"] == play["species"]
                and self.total(other) == self.total(play)
            ]
            if play["kind"] == "BURY" or len(same) > 1:
                self.graveyards[seat].append(play["cards"])
                out.append(seat)
        if not self.rules["others_draw_last"]:
            for seat in out:
                self.draw(seat)
        self.act([s for s in range(self.seats) if plays[s] and s not in out], told, where)
        if self.rules["others_draw_last"]:
            for seat in out:
                self.draw(seat)
        self.give_bonuses(plays)

    def give_bonuses(self, plays: list[Any]) -> None:
        """T15: who filled the island this round, and what is left for them."""
        new = [s for s in range(self.seats) if len(self.islands[s]) == 8 and s not in self.filled]
        self.filled += new
        if self.rules["island_bonus_ties"] == "in_turn":
            for seat in sorted(new, key=lambda s: (self.total(plays[s]), s)):
                self.bonuses[seat] = self.prizes.pop(0) if self.prizes else 0
        elif new and self.prizes:
            for seat in new:
                self.bonuses[seat] = self.prizes[0]
            used = len(new) if self.rules["island_bonus_ties"] == "skip" else 1
            del self.prizes[:used]

    def act(self, acting: list[int], told: Record, where: str) -> None:
        totals = {seat: self.total(told["plays"][seat]) for seat in acting}
        attacked = set()
        while totals:
            weakest = min(totals.values())
            group = [seat for seat in totals if totals[seat] == weakest]
            if self.rules["equals_in_seat_order"]:
                group = group[:1]
            for seat in group:
                play = told["plays"][seat]
                possible = self.targets(play)
                if self.rules["attack_with_play"]:
                    possible = [t for t in possible if t == play["territory"]]
                if possible:
                    attacked.add(seat)
                    self.attack(seat, play, possible, told["attacks"][seat], where)
                elif self.rules["fizzled_returns"] and not self.waived(play):
                    self.hands[seat] += play["cards"]
                else:
                    self.discards += play["cards"]
            for seat in group:
                self.draw(seat)
                del totals[seat]
        for seat, attack in enumerate(told["attacks"]):
            if (attack is not None) != (seat in attacked):
                raise Wrong(f"{where}.attacks[{seat}]: made or missing where it should not be")

    def waived(self, play: Record) -> bool:
        """B8: the play could have named a territory and did not."""
        return bool(self.targets(play)) and not self.rules["waived_returns"]

    def attack(self, seat: int, play: Record, possible: list[str], told: Any, where: str) -> None:
        if told is None:
            raise Wrong(f"{where}: no attack of seat {seat}")
        territory, settle = told["territory"], told["settle"]
        if territory is None and settle is None and self.rules["attack_may_be_waived"]:
            self.discards += play["cards"]
            return
        if territory not in possible:
            raise Wrong(f"{where}: {territory} can't be attacked")
        beaten = self.twist[territory]
        mine = [card for card in play["cards"] if species_of(card) == play["species"]]
        stays = sorted(mine, key=lambda card: (strength_of(card), card.endswith("CLAW")))[0]
        self.twist[territory] = stays
        gone = list(play["cards"])
        gone.remove(stays)
        for card in gone:
            self.throw(card)
        homes = self.homes(seat, territory)
        if settle is None:
            empty = any(home not in self.islands[seat] for home in homes)
            if self.rules["must_settle"] or (empty and not self.rules["need_not_settle"]):
                raise Wrong(f"{where}: it must settle")
            self.throw(beaten)
            return
        if settle not in homes:
            raise Wrong(f"{where}: may not settle in {settle}")
        if settle in self.islands[seat]:
            self.throw(self.islands[seat][settle])
        self.islands[seat][settle] = beaten

    def homes(self, seat: int, territory: str) -> list[str]:
        """T11, T17, EARTHQUAKE: where on the own island a Dino beaten there may settle."""
        if self.small[seat]:
            return list(HOMES)
        if self.event == "EARTHQUAKE":
            return [home for home in HOMES if HOMES[home] == HOMES[territory]]
        return [territory]

    # --- the end ----------------------------------------------------------------------------

    def cards(self) -> list[str]:
        """All cards but babies, wherever they are, between two rounds."""
        found = [*self.pile, *self.discards, *self.twist.values()]
        for seat in range(self.seats):
            found += self.hands[seat] + list(self.islands[seat].values())
            found += [card for entry in self.graveyards[seat] for card in entry]
        return sorted((card for card in found if strength_of(card) > 1), key=in_order)

    def scores(self) -> list[Record]:
        claws = [sum(card.endswith("CLAW") for card in isle.values()) for isle in self.islands]
        made = []
        for seat in range(self.seats):
            buried = self.graveyards[seat]
            entries = sum(map(len, buried)) if self.rules["graveyard_per_card"] else len(buried)
            parts = {
                "ISLAND": sum(map(strength_of, self.islands[seat].values())),
                "GRAVEYARD": 2 * entries,
                "ISLAND_BONUS": self.bonuses[seat],
                "CLAW_BONUS": 7 if claws[seat] and claws[seat] == max(claws) else 0,
            }
            made.append({"total": sum(parts.values()), "parts": parts, "claws": claws[seat]})
        return made


def meant(rules: Record, version: int) -> Record:
    """The options with what version 1 of the rules did otherwise, in the words of version 2."""
    if version == 2:
        return rules | {"need_not_settle": False, "waived_returns": False}
    return rules | {
        "bury_by_territory": not rules["bury_by_species"],
        "need_not_settle": not rules["must_settle"],
        "waived_returns": True,
        "claw_strengths": "",
        "island_bonus_ties": "share",
    }


def check(record: Record) -> None:
    """Play the record again; Wrong where it tells anything else than what happened."""
    seats = len(record["seats"])
    want("dino_twist", record["game"], "game")
    if record["format"] not in FORMATS or not 2 <= seats <= 6:
        raise Wrong("no such format, or not with so many")
    version = record.get("rules_version", 1)
    rules = meant(record["rules"], version)
    if version == 2 and record["format"] == "dino-twist-small":
        want("", rules["small_seats"], "small_seats")
    nonces = [bytes.fromhex(seat["nonce"]) for seat in record["seats"]]
    stream = words(bytes.fromhex(record["fairness"]["seed"]), nonces)
    (told,) = record["games"]
    game = Game(record["format"], seats, rules, stream)
    want(game.events, told["events"], "events")
    want([sorted(hand, key=in_order) for hand in game.hands], told["hands"], "hands")
    want(game.pile, told["pile"], "pile")
    box, number = game.cards(), 0
    for shown, event in enumerate(game.events):
        game.event = "" if rules["quiet_first_round"] and shown == 0 else event
        if game.event == "VOLCANO":
            continue
        if number >= len(told["rounds"]):
            raise Wrong("a round is missing")
        where = f"rounds[{number}]"
        want(game.event or None, told["rounds"][number]["event"], f"{where}.event")
        game.round(told["rounds"][number], where)
        want(box if not rules["babies_reshuffled"] else game.cards(), game.cards(), where)
        number += 1
    want(number, len(told["rounds"]), "rounds")
    want(game.shuffled, told["shuffled"], "shuffled")
    want(game.scores(), told["scores"], "scores")
    totals = [score["total"] for score in game.scores()]
    want(totals, record["totals"], "totals")
    forfeits = [seat["forfeit"] for seat in record["seats"]]
    want(rank(totals, [0] * seats, forfeits), record["ranks"], "ranks")
