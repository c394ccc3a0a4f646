"""The golden positions and the chance functions, by the independent reading of the rules."""

import hashlib
import hmac
import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from .draftosaurus import SPECIES, below, legal, rank, score, shuffle, words

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "data" / "golden" / "draftosaurus.json").read_text("utf-8")
)


@pytest.mark.parametrize("case", GOLDEN["score"], ids=lambda case: case["id"])
def test_score(case: dict[str, Any]) -> None:
    """Every golden table gets its points by pen, totals, T-Rexes and ranks."""
    assert score(case["board"], case["zoos"], case.get("rules", {})) == case["expect"]


@pytest.mark.parametrize("case", GOLDEN["legal"], ids=lambda case: case["id"])
def test_legal(case: dict[str, Any]) -> None:
    """Every golden position gets exactly its legal choices."""
    found = legal(
        case["board"], case["zoo"], case["hand"], case["die"], case["roller"], case.get("rules", {})
    )
    assert found == {(one["species"], one["pen"], one["slot"]) for one in case["expect"]}


def test_quarantine_scores_nothing_but_counts() -> None:
    """A quarantined T-Rex counts in the zoo, and earns its bonus only where it may stay."""
    zoos: list[dict[str, list[str | None]]] = [{"QUARANTINE": ["T_REX"]}, {"LOOKOUT": ["T_REX"]}]
    moved = score("WINTER", zoos, {})["scores"]
    stayed = score("WINTER", zoos, {"quarantine_may_stay": True})["scores"]
    assert [one["total"] for one in moved] == [0, 3]
    assert [one["total"] for one in stayed] == [1, 3]
    assert [one["t_rexes"] for one in moved] == [1, 1]
    assert "QUARANTINE" not in moved[0]["parts"]


def test_prairie_capacity() -> None:
    """The prairie has no limit unless the option sets one."""
    choice = ("T_REX", "PRAIRIE_OF_LOVE", 0)
    five: list[str | None] = ["T_REX"] * 5
    for held, capacity, allowed in [(five, 6, True), (five * 2, None, True), (five, 5, False)]:
        rules: dict[str, object] = {"prairie_capacity": capacity}
        found = legal("SUMMER", {"PRAIRIE_OF_LOVE": held}, ["T_REX"], "WOODLANDS", True, rules)
        assert (choice in found) is allowed


def test_empty_pen_and_food_court() -> None:
    """The two faces the golden positions leave out: empty pens, and pens left of the river."""
    zoo: dict[str, list[str | None]] = {
        "LOOKOUT": ["T_REX"],
        "LOVERS_BRIDGE_RIGHT": ["DIPLODOCUS"],
        "PYRAMID": [None, "T_REX", None, None, None, None],
    }
    left = {"WELL_ORDERED_WOOD", "LOVERS_BRIDGE_LEFT", "QUARANTINE", "RIVER"}
    for die in ("EMPTY_PEN", "FOOD_COURT"):
        found = legal("WINTER", zoo, ["DIPLODOCUS"], die, False, {})
        assert {pen for _, pen, _ in found} == left
    zoo["PYRAMID"] = [None] * 6
    found = legal("WINTER", zoo, ["DIPLODOCUS"], "EMPTY_PEN", False, {})
    assert {slot for _, pen, slot in found if pen == "PYRAMID"} == {0, 1, 2}


def test_ranks() -> None:
    """Ties go to fewer T-Rexes, then stand equal; a forfeit ranks below everybody else."""
    nobody = [False] * 4
    assert rank([9, 9, 9, 5], [1, 1, 2, 0], nobody) == [1, 1, 3, 4]
    assert rank([9, 9, 9, 5], [1, 1, 2, 0], [True, True, False, False]) == [3, 3, 1, 2]


def test_words_are_the_documented_bytes() -> None:
    """The stream is HMAC-SHA256 over label, nonces in seat order and block number."""
    seed, nonces = bytes(range(32)), [b"a" * 16, b"b" * 16]
    expected = b"".join(
        hmac.new(seed, b"paddock-deal-1" + b"a" * 16 + b"b" * 16 + end, hashlib.sha256).digest()
        for end in (bytes(8), bytes(7) + b"\x01")
    )
    found = b"".join(word.to_bytes(4, "big") for word in islice(words(seed, nonces), 16))
    assert found == expected


def test_below_rejects_the_uneven_end() -> None:
    """A word at or above the last full multiple of n is passed over; one just below is not."""
    # 2**32 mod 6 = 4, mod 5 = 1, mod 4 = 0.
    assert below(iter([2**32 - 4, 2**32 - 1, 8]), 6) == 2
    assert below(iter([2**32 - 5]), 6) == 5
    assert below(iter([2**32 - 1, 7]), 5) == 2
    assert below(iter([2**32 - 1]), 4) == 3


def test_shuffle_swaps_from_the_end() -> None:
    """The last place is drawn first, and the first place not at all."""
    items = ["a", "b", "c", "d"]
    stream = iter([1, 2, 0, 99])  # d <-> b, c stays, the second place <-> a
    shuffle(stream, items)
    assert items == ["d", "a", "c", "b"]
    assert next(stream) == 99


def test_shuffle_keeps_everything() -> None:
    """A shuffled bag holds what it held."""
    bag = [species for species in SPECIES for _ in range(10)]
    mixed = list(bag)
    shuffle(words(bytes(32), []), mixed)
    assert mixed != bag
    assert sorted(mixed) == sorted(bag)
