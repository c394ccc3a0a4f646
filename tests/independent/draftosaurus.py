"""Draftosaurus written a second time, straight from the rules note, to check match records.

Nothing here may import the product: two readings of the rules are worth more than one only
while neither has seen the other. The numbers in the comments (D1.., A1..) are the note's.
"""

import hashlib
import hmac
import re
import struct
from collections.abc import Iterator
from typing import Any

Zoo = dict[str, list[str | None]]
Rules = dict[str, object]

# The order matters: the bag is filled in this order before it is shuffled.
SPECIES = ["T_REX", "DIPLODOCUS", "TRICERATOPS", "SPINOSAURUS", "STEGOSAURUS", "PARASAUROLOPHUS"]

# The order matters: a roll is an index into this list (section 4).
FACES = ["WOODLANDS", "GRASSLANDS", "RESTROOMS", "FOOD_COURT", "EMPTY_PEN", "NO_T_REX"]

# Section 5: the six pens of each side (D17), with section and side of the river.
PENS = {
    "SUMMER": {
        "FOREST_OF_SAMENESS": ("woodlands", "left"),
        "WOODY_TRIO": ("woodlands", "left"),
        "KING_OF_THE_JUNGLE": ("woodlands", "right"),
        "PRAIRIE_OF_LOVE": ("grasslands", "left"),
        "MEADOW_OF_DIFFERENCES": ("grasslands", "right"),
        "SOLITARY_ISLAND": ("grasslands", "right"),
    },
    "WINTER": {
        "WELL_ORDERED_WOOD": ("woodlands", "left"),
        "LOOKOUT": ("woodlands", "right"),
        "LOVERS_BRIDGE_LEFT": ("woodlands", "left"),  # A6
        "LOVERS_BRIDGE_RIGHT": ("grasslands", "right"),  # A6
        "PYRAMID": ("grasslands", "right"),
        "QUARANTINE": ("grasslands", "left"),
    },
}

ORDERED_POINTS = [0, 2, 4, 8, 12, 18, 24]  # Forest of Sameness and Well-Ordered Wood
MEADOW_POINTS = [0, 1, 3, 6, 10, 15, 21]
PYRAMID_POINTS = [2, 2, 2, 4, 4, 7]  # by slot

# D21: the rows of the pyramid, from the ground up.
ROWS = [[0, 1, 2], [3, 4], [5]]
# D22: for each slot, the slots it touches.
TOUCHING = [[1, 3], [0, 2, 3, 4], [1, 4], [0, 1, 4, 5], [1, 2, 3, 5], [3, 4]]

# D3: how many of each species go into the bag, by number of seats.
PER_SPECIES = {2: 8, 3: 6, 4: 8, 5: 10}

TURNS = 12  # D6 and D13: 2 x 6 or 4 x 3
HAND = 6

# The boards each format plays, one after the other (D26).
FORMATS = {
    "summer": ["SUMMER"],
    "winter": ["WINTER"],
    "series": ["SUMMER", "WINTER"],
    "two-player": ["SUMMER"],
    "two-player-winter": ["WINTER"],
    "two-player-series": ["SUMMER", "WINTER"],
}

FAULTS = [None, "TIMEOUT", "ILLEGAL", "MALFORMED", "DISCONNECTED", "RESIGNED"]

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
HEX = re.compile(r"[0-9a-fA-F]*")


class Wrong(Exception):
    """A match record says something the rules do not allow; the message says where and what."""


# ---------------------------------------------------------------- chance


def words(seed: bytes, nonces: list[bytes]) -> Iterator[int]:
    """Give the match's random stream, four bytes at a time, as big-endian numbers."""
    message = b"paddock-deal-1" + b"".join(nonces)
    block = 0
    while True:
        yield from struct.unpack(
            ">8I", hmac.digest(seed, message + block.to_bytes(8, "big"), "sha256")
        )
        block += 1


def below(stream: Iterator[int], n: int) -> int:
    """Draw an even number from 0 to n - 1, passing over the words that would favour some."""
    limit = 2**32 - 2**32 % n
    word = next(stream)
    while word >= limit:
        word = next(stream)
    return word % n


def shuffle(stream: Iterator[int], items: list[str]) -> None:
    """Shuffle the list in place, from its end down."""
    for k in range(len(items) - 1, 0, -1):
        other = below(stream, k + 1)
        items[k], items[other] = items[other], items[k]


# ---------------------------------------------------------------- placing


def slots_of(zoo: Zoo) -> list[str | None]:
    """Give the six slots of a zoo's pyramid, None where one is free."""
    held = zoo.get("PYRAMID", [])
    return held + [None] * (6 - len(held))


def pyramid_takes(zoo: Zoo, species: str, slot: int) -> bool:
    """Say whether the pyramid takes this species on this slot (D21, D22)."""
    slots = slots_of(zoo)
    for row in ROWS:
        free = [place for place in row if slots[place] is None]
        if free:  # D21: the lowest row with room is the only open one
            return slot in free and all(slots[near] != species for near in TOUCHING[slot])
    return False


def pen_takes(zoo: Zoo, species: str, pen: str, slot: int, rules: Rules) -> bool:
    """Say whether the pen's own rules let this species in; they bind everybody (D8)."""
    if pen == "PYRAMID":
        return pyramid_takes(zoo, species, slot)
    if slot != 0:
        return False
    held = zoo.get(pen, [])
    if pen == "RIVER":
        return True  # D9, D18
    if pen == "FOREST_OF_SAMENESS":
        return len(held) < 6 and (len(held) == 0 or held[0] == species)
    if pen == "WOODY_TRIO":
        return len(held) < 3
    if pen == "PRAIRIE_OF_LOVE":
        capacity = rules.get("prairie_capacity")  # A3
        return not isinstance(capacity, int) or len(held) < capacity
    if pen == "MEADOW_OF_DIFFERENCES":
        return len(held) < 6 and species not in held
    if pen == "WELL_ORDERED_WOOD":
        if len(held) == 0:
            return True
        if len(held) == 1:
            return held[0] != species
        return len(held) < 6 and held[-2] == species
    if pen in ("LOVERS_BRIDGE_LEFT", "LOVERS_BRIDGE_RIGHT"):
        return True
    if pen in ("KING_OF_THE_JUNGLE", "SOLITARY_ISLAND", "LOOKOUT", "QUARANTINE"):
        return len(held) == 0
    raise ValueError(f"no pen {pen!r}")


def die_allows(board: str, zoo: Zoo, pen: str, die: str) -> bool:
    """Say whether this face of the die lets somebody it binds use the pen (section 4)."""
    if pen == "RIVER":
        return True  # D9, D18
    section, side = PENS[board][pen]
    if die == "WOODLANDS":
        return section == "woodlands"
    if die == "GRASSLANDS":
        return section == "grasslands"
    if die == "RESTROOMS":
        return side == "right"
    if die == "FOOD_COURT":
        return side == "left"
    if die == "EMPTY_PEN":
        return all(dinosaur is None for dinosaur in zoo.get(pen, []))
    if die == "NO_T_REX":
        return "T_REX" not in zoo.get(pen, [])
    raise ValueError(f"no face {die!r}")


def legal(
    board: str, zoo: Zoo, hand: list[str], die: str, roller: bool, rules: Rules
) -> set[tuple[str, str, int]]:
    """Give every (species, pen, slot) that may be chosen; the die does not bind the roller."""
    return {
        (species, pen, slot)
        for pen in [*PENS[board], "RIVER"]
        if roller or die_allows(board, zoo, pen, die)
        for species in set(hand)
        for slot in (range(6) if pen == "PYRAMID" else [0])
        if pen_takes(zoo, species, pen, slot, rules)
    }


def put(zoo: Zoo, species: str, pen: str, slot: int) -> None:
    """Stand a dinosaur in a pen that takes it."""
    if pen == "PYRAMID":
        zoo[pen] = slots_of(zoo)
        zoo[pen][slot] = species
    else:
        zoo.setdefault(pen, []).append(species)


# ---------------------------------------------------------------- scoring


def count(zoo: Zoo) -> dict[str, int]:
    """Count each species over the whole zoo, the RIVER included (D19)."""
    counts = dict.fromkeys(SPECIES, 0)
    for held in zoo.values():
        for dinosaur in held:
            if dinosaur is not None:
                counts[dinosaur] += 1
    return counts


def summer_parts(zoos: list[Zoo], counts: list[dict[str, int]], seat: int) -> dict[str, int]:
    """Give the points of one zoo's summer pens."""
    zoo = zoos[seat]
    own = counts[seat]

    king = 0
    for species in zoo.get("KING_OF_THE_JUNGLE", []):
        if species and all(other[species] <= own[species] for other in counts):
            king = 7

    island = 0
    for species in zoo.get("SOLITARY_ISLAND", []):
        if species and own[species] == 1:
            island = 7

    prairie = zoo.get("PRAIRIE_OF_LOVE", [])
    couples = sum(prairie.count(species) // 2 for species in SPECIES)

    return {
        "FOREST_OF_SAMENESS": ORDERED_POINTS[len(zoo.get("FOREST_OF_SAMENESS", []))],
        "WOODY_TRIO": 7 if len(zoo.get("WOODY_TRIO", [])) == 3 else 0,
        "KING_OF_THE_JUNGLE": king,
        "PRAIRIE_OF_LOVE": 5 * couples,
        "MEADOW_OF_DIFFERENCES": MEADOW_POINTS[len(zoo.get("MEADOW_OF_DIFFERENCES", []))],
        "SOLITARY_ISLAND": island,
    }


def winter_parts(zoos: list[Zoo], counts: list[dict[str, int]], seat: int) -> dict[str, int]:
    """Give the points of one zoo's winter pens; QUARANTINE has none."""
    zoo = zoos[seat]
    on_the_right = counts[(seat - 1) % len(zoos)]  # D5

    lookout = 0
    for species in zoo.get("LOOKOUT", []):
        if species:
            lookout = 2 * on_the_right[species]

    left = zoo.get("LOVERS_BRIDGE_LEFT", [])
    right = zoo.get("LOVERS_BRIDGE_RIGHT", [])
    couples = sum(min(left.count(species), right.count(species)) for species in SPECIES)  # D20

    pyramid = 0
    for dinosaur, points in zip(slots_of(zoo), PYRAMID_POINTS, strict=True):
        if dinosaur is not None:
            pyramid += points

    return {
        "WELL_ORDERED_WOOD": ORDERED_POINTS[len(zoo.get("WELL_ORDERED_WOOD", []))],
        "LOOKOUT": lookout,
        "LOVERS_BRIDGE": 6 * couples,
        "PYRAMID": pyramid,
    }


def t_rex_bonus(board: str, zoo: Zoo, rules: Rules) -> int:
    """Count the pens with a T-Rex (D23)."""
    bonus = 0
    for pen in PENS[board]:
        if pen == "QUARANTINE" and not rules.get("quarantine_may_stay"):
            continue
        if "T_REX" in zoo.get(pen, []):
            bonus += 1
    return bonus


def rank(totals: list[int], t_rexes: list[int], forfeits: list[bool]) -> list[int]:
    """Rank the table: those who stayed first, then most points, then fewest T-Rexes (D24)."""
    results = [
        (forfeit, -total, t_rex)
        for forfeit, total, t_rex in zip(forfeits, totals, t_rexes, strict=True)
    ]
    return [1 + sum(other < result for other in results) for result in results]


def score(board: str, zoos: list[Zoo], rules: Rules) -> dict[str, Any]:
    """Score a table of zoos: points by pen, totals, T-Rexes and ranks."""
    counts = [count(zoo) for zoo in zoos]
    scores: list[dict[str, Any]] = []
    for seat, zoo in enumerate(zoos):
        pens = summer_parts if board == "SUMMER" else winter_parts
        parts = pens(zoos, counts, seat)
        parts["RIVER"] = len(zoo.get("RIVER", []))
        parts["T_REX_BONUS"] = t_rex_bonus(board, zoo, rules)
        total = sum(parts.values())
        scores.append({"total": total, "parts": parts, "t_rexes": counts[seat]["T_REX"]})
    ranks = rank(
        [one["total"] for one in scores], [one["t_rexes"] for one in scores], [False] * len(zoos)
    )
    return {"scores": scores, "ranks": ranks}


# ---------------------------------------------------------------- reading a record


def field(holder: Any, key: str, where: str) -> Any:
    """Give a key's value, which the record's shape promises."""
    if not isinstance(holder, dict):
        raise Wrong(f"{where}: {holder!r} is not an object")
    if key not in holder:
        raise Wrong(f"{where}: no key {key!r}")
    return holder[key]


def entries(value: Any, length: int, where: str) -> list[Any]:
    """Give a list, having checked its length."""
    if not isinstance(value, list):
        raise Wrong(f"{where}: {value!r} is not a list")
    if len(value) != length:
        raise Wrong(f"{where}: {len(value)} entries, not {length}")
    return value


def expect(found: Any, expected: Any, where: str) -> None:
    """Insist on a value, of the very same type: true is not 1 and neither is 1.0."""
    if type(found) is not type(expected) or found != expected:
        raise Wrong(f"{where}: {found!r}, not {expected!r}")


def text(holder: Any, key: str, where: str) -> str:
    """Give a key's value, which must be a string with something in it."""
    value = field(holder, key, where)
    if not isinstance(value, str) or value == "":
        raise Wrong(f"{where} {key}: {value!r} is not a text")
    return value


def truth(holder: Any, key: str, where: str) -> bool:
    """Give a key's value, which must be true or false."""
    value = field(holder, key, where)
    if not isinstance(value, bool):
        raise Wrong(f"{where} {key}: {value!r} is neither true nor false")
    return value


def binary(holder: Any, key: str, length: int, where: str) -> bytes:
    """Give the bytes a key holds as hexadecimal digits."""
    value = text(holder, key, where)
    if len(value) != 2 * length or not HEX.fullmatch(value):
        raise Wrong(f"{where} {key}: {value!r} is not {2 * length} hexadecimal digits")
    return bytes.fromhex(value)


def says_nothing(holder: dict[str, Any], key: str, where: str) -> None:
    """Insist that a key which does not apply here is absent, null or without content."""
    value = holder.get(key)
    if value is None:
        return
    if not isinstance(value, list) or any(entry is not None for entry in value):
        raise Wrong(f"{where}: {key} has no place here: {value!r}")


# ---------------------------------------------------------------- checking a record


def check_rules(record: dict[str, Any]) -> Rules:
    """Check the rule options and give them back."""
    rules = field(record, "rules", "record")
    for option in ("quarantine_may_stay", "five_player_die_hold", "place_after_reveal"):
        truth(rules, option, "rules")
    capacity = field(rules, "prairie_capacity", "rules")
    if capacity is not None and (type(capacity) is not int or capacity < 1):
        raise Wrong(f"rules prairie_capacity: {capacity!r} is neither null nor a number")
    return dict(rules)


def check_heading(record: dict[str, Any]) -> None:
    """Check what kind of record this is and when it was played."""
    expect(field(record, "record", "record"), "paddock/1", "record")
    expect(field(record, "game", "record"), "draftosaurus", "game")
    text(record, "match", "record")
    if field(record, "tournament", "record") is not None:
        text(record, "tournament", "record")
    for key in ("started", "ended"):
        if not TIME.fullmatch(text(record, key, "record")):
            raise Wrong(f"{key}: {record[key]!r} is not a time")
    if record["ended"] < record["started"]:
        raise Wrong(f"ended: {record['ended']} is before {record['started']}")


def check_seats(record: dict[str, Any], form: str) -> tuple[list[bytes], list[bool]]:
    """Check the seats and give their nonces and forfeits."""
    seats = field(record, "seats", "record")
    if not isinstance(seats, list):
        raise Wrong(f"seats: {seats!r} is not a list")
    allowed = [2] if form.startswith("two-player") else [3, 4, 5]  # D2
    if len(seats) not in allowed:
        raise Wrong(f"seats: {len(seats)} seats in the format {form}")
    nonces = []
    forfeits = []
    for number, seat in enumerate(seats):
        where = f"seat {number}"
        for key in ("bot", "version", "owner"):
            text(seat, key, where)
        nonces.append(binary(seat, "nonce", 16, where))
        forfeits.append(truth(seat, "forfeit", where))
    return nonces, forfeits


def check_times(placement: dict[str, Any], where: str) -> None:
    """Check the fault and the two durations of a placement."""
    fault = field(placement, "fault", where)
    if fault not in FAULTS:
        raise Wrong(f"{where} fault: {fault!r} is not a fault")
    ms = field(placement, "ms", where)
    lag = field(placement, "lag_ms", where)
    for value in (ms, lag):
        if value is None and fault is not None:
            continue  # no answer, no time
        if type(value) not in (int, float) or not 0 <= value < float("inf"):
            raise Wrong(f"{where}: {value!r} is not a duration")
    if ms is not None and lag is not None and lag > ms:
        raise Wrong(f"{where}: lag_ms {lag} is more than ms {ms}")


def check_pen(
    board: str, zoo: Zoo, species: str, choice: Any, rules: Rules, where: str
) -> tuple[str, int]:
    """Check that the pen chosen is on this board and takes the dinosaur; give pen and slot."""
    pen = field(choice, "pen", where)
    slot = field(choice, "slot", where)
    if not isinstance(pen, str) or (pen not in PENS[board] and pen != "RIVER"):
        raise Wrong(f"{where}: no pen {pen!r} on the board {board}")
    if type(slot) is not int:
        raise Wrong(f"{where}: slot {slot!r} is not a number")
    if not pen_takes(zoo, species, pen, slot, rules):
        raise Wrong(f"{where}: {pen} slot {slot} does not take {species}, holding {zoo.get(pen)}")
    return pen, slot


def check_turn(
    board: str,
    zoos: list[Zoo],
    hands: list[list[str]],
    turn: Any,
    die: str,
    exempt: int | None,
    rules: Rules,
    where: str,
) -> list[str]:
    """Play one turn, taking from the hands and adding to the zoos; give what was removed."""
    placements = entries(field(turn, "placements", where), len(zoos), f"{where} placements")
    for seat, placement in enumerate(placements):
        here = f"{where} seat {seat}"
        species = field(placement, "species", here)
        if species not in hands[seat]:
            raise Wrong(f"{here}: {species!r} is not in the hand {hands[seat]}")
        pen, slot = check_pen(board, zoos[seat], species, placement, rules, here)
        if seat != exempt and not die_allows(board, zoos[seat], pen, die):  # D8, D9
            raise Wrong(f"{here}: {pen} does not satisfy the die {die}")
        check_times(placement, here)
        hands[seat].remove(species)
        put(zoos[seat], species, pen, slot)

    if len(zoos) != 2:
        says_nothing(turn, "discards", where)
        return []
    discards = entries(field(turn, "discards", where), 2, f"{where} discards")  # D14
    for seat, species in enumerate(discards):
        if species not in hands[seat]:
            raise Wrong(f"{where} seat {seat}: discard {species!r} is not in {hands[seat]}")
        hands[seat].remove(species)
    return discards


def check_quarantine(board: str, zoos: list[Zoo], game: Any, rules: Rules, where: str) -> None:
    """Check and make the moves out of QUARANTINE (D25, A1)."""
    if board != "WINTER":
        says_nothing(game, "quarantine", where)
        return
    moves = entries(field(game, "quarantine", where), len(zoos), f"{where} quarantine")
    for seat, (zoo, move) in enumerate(zip(zoos, moves, strict=True)):
        here = f"{where} quarantine of seat {seat}"
        held = zoo.get("QUARANTINE", [])
        if move is None:
            if held and not rules["quarantine_may_stay"]:
                raise Wrong(f"{here}: {held[0]} must move")
            continue
        if not held or held[0] is None:
            raise Wrong(f"{here}: a move, but nobody is there")
        # A full QUARANTINE takes nobody, so moving from it to itself is refused as well.
        pen, slot = check_pen(board, zoo, held[0], move, rules, here)
        zoo["QUARANTINE"] = []
        put(zoo, held[0], pen, slot)


def check_totals(zoos: list[Zoo], removed: list[str], where: str) -> None:
    """Check that no dinosaur was lost or won (D12, D16, section 7)."""
    counts = [count(zoo) for zoo in zoos]
    for seat, own in enumerate(counts):
        if sum(own.values()) != TURNS:
            raise Wrong(f"{where} seat {seat}: {sum(own.values())} dinosaurs, not {TURNS}")
    for species in SPECIES:
        seen = sum(own[species] for own in counts) + removed.count(species)
        if seen != PER_SPECIES[len(zoos)]:
            raise Wrong(f"{where}: {seen} {species}, not {PER_SPECIES[len(zoos)]}")


def check_scores(board: str, zoos: list[Zoo], game: Any, rules: Rules, where: str) -> list[Any]:
    """Check the scores of one game and give the right ones."""
    right: list[Any] = score(board, zoos, rules)["scores"]
    found = entries(field(game, "scores", where), len(zoos), f"{where} scores")
    for seat, (mine, theirs) in enumerate(zip(right, found, strict=True)):
        here = f"{where} score of seat {seat}"
        parts = field(theirs, "parts", here)
        for part, points in mine["parts"].items():
            expect(field(parts, part, here), points, f"{here} {part}")
        if len(parts) != len(mine["parts"]):
            raise Wrong(f"{here}: parts {sorted(parts)}, not {sorted(mine['parts'])}")
        expect(field(theirs, "total", here), mine["total"], f"{here} total")
        expect(field(theirs, "t_rexes", here), mine["t_rexes"], f"{here} t_rexes")
    return right


def check_game(
    board: str, game: Any, seats: int, holder: int, stream: Iterator[int], rules: Rules, where: str
) -> tuple[list[Any], int]:
    """Check one game; give its scores and the seat the die goes on to."""
    expect(field(game, "board", where), board, f"{where} board")
    expect(field(game, "first_roller", where), holder, f"{where} first_roller")

    # The fair dealing: the bag (D3), then twelve rolls.
    bag = [species for species in SPECIES for _ in range(PER_SPECIES[seats])]
    shuffle(stream, bag)
    dice = [FACES[below(stream, 6)] for _ in range(TURNS)]

    rounds = 4 if seats == 2 else 2  # D6, D13
    turns_a_round = TURNS // rounds
    deals = entries(field(game, "deals", where), rounds, f"{where} deals")
    turns = entries(field(game, "turns", where), TURNS, f"{where} turns")
    hold = seats == 5 and bool(rules["five_player_die_hold"])  # A2

    zoos: list[Zoo] = [{} for _ in range(seats)]
    hands: list[list[str]] = [[] for _ in range(seats)]
    removed: list[str] = []
    for number, (turn, die) in enumerate(zip(turns, dice, strict=True)):
        here = f"{where} turn {number}"
        in_round = number % turns_a_round
        if in_round == 0:
            at = f"{where} deal {number // turns_a_round}"
            deal = entries(deals[number // turns_a_round], seats, at)
            for seat in range(seats):
                hands[seat], bag = bag[:HAND], bag[HAND:]
                expect(deal[seat], hands[seat], f"{at} seat {seat}")

        expect(field(turn, "roller", here), holder, f"{here} roller")
        expect(field(turn, "die", here), die, f"{here} die")
        # D8: the roller is free of the die, but for A2's sixth turn, where everybody obeys.
        exempt = None if hold and in_round == 5 else holder
        removed += check_turn(board, zoos, hands, turn, die, exempt, rules, here)

        hands = [hands[seat - 1] for seat in range(seats)]  # D5, D7, D14: to the left
        if not (hold and in_round == 4):  # A2: not passed after turn 5 of a round
            holder = (holder + 1) % seats  # D7, D11, D13

    if bag or any(hands):
        raise Wrong(f"{where}: dinosaurs left over: {bag} {hands}")
    check_totals(zoos, removed, where)
    check_quarantine(board, zoos, game, rules, where)
    check_totals(zoos, removed, where)
    return check_scores(board, zoos, game, rules, where), holder


def check(record: dict[str, Any]) -> None:
    """Verify a whole match record by the rules alone, raising Wrong at the first thing wrong."""
    check_heading(record)
    form = text(record, "format", "record")
    if form not in FORMATS:
        raise Wrong(f"format: {form!r} is unknown")
    rules = check_rules(record)
    nonces, forfeits = check_seats(record, form)
    seats = len(nonces)

    fairness = field(record, "fairness", "record")
    seed = binary(fairness, "seed", 32, "fairness")
    commitment = binary(fairness, "commitment", 32, "fairness")
    if hashlib.sha256(seed).digest() != commitment:
        raise Wrong("fairness: the commitment is not the hash of the seed")
    stream = words(seed, nonces)

    boards = FORMATS[form]
    games = entries(field(record, "games", "record"), len(boards), "games")
    totals = [0] * seats
    t_rexes = [0] * seats
    holder = below(stream, seats)  # D4, once a match
    for number, (board, game) in enumerate(zip(boards, games, strict=True)):
        # D26: the second game has the same stream, and the die goes on from the first.
        scores, holder = check_game(board, game, seats, holder, stream, rules, f"game {number}")
        for seat in range(seats):
            totals[seat] += scores[seat]["total"]
            t_rexes[seat] += scores[seat]["t_rexes"]

    found = entries(field(record, "totals", "record"), seats, "totals")
    for seat in range(seats):
        expect(found[seat], totals[seat], f"totals of seat {seat}")
    ranks = rank(totals, t_rexes, forfeits)
    found = entries(field(record, "ranks", "record"), seats, "ranks")
    for seat in range(seats):
        expect(found[seat], ranks[seat], f"rank of seat {seat}")
