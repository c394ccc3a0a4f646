"""How many ways a match can go on: joint choices counted through `legal` and `step` alone.

    python -m tests.games.counting --write

counts the cases of tests/data/counted anew and writes what it finds.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final

from tests.games.tables import match, played

from paddock_games import GAMES

FOLDER: Final = Path(__file__).parents[1] / "data" / "counted"
COUNTED: Final = {game: FOLDER / f"{game}.json" for game in GAMES}


def position(case: dict[str, Any]) -> Any:
    """The state that a case starts from: a match played at random for so many steps."""
    steps, _ = played(match(case["format"], case["seats"], case["rules"], case["number"]))
    return steps[case["after"]].state


def joint(state: Any) -> Iterator[dict[int, Any]]:
    """Every way in which the seats to move can choose together."""
    for choices in product(*(state.legal(seat) for seat in state.to_move)):
        yield dict(zip(state.to_move, choices, strict=True))


def count(start: Any, depth: int) -> list[dict[str, int]]:
    """For every depth: sequences of joint choices, and different states that they lead to.

    The states at the last depth are not visited, only the sequences that lead there counted.
    """
    found = []
    level = Counter([start])
    for _ in range(depth - 1):
        following: Counter[Any] = Counter()
        for state, ways in level.items():
            for choices in joint(state):
                following[state.step(choices)] += ways
        found.append({"sequences": following.total(), "states": len(following)})
        level = following
    last = sum(
        ways * prod(len(state.legal(seat)) for seat in state.to_move)
        for state, ways in level.items()
        if state.to_move
    )
    return [*found, {"sequences": last}]


def main() -> None:
    """Count every case anew."""
    for path in COUNTED.values():
        cases = json.loads(path.read_text("utf-8"))
        for case in cases:
            case["counts"] = count(position(case), len(case["counts"]))
        lines = ",\n".join(" " + json.dumps(case) for case in cases)
        path.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    main()
