"""The sample bots a second time, naive and from docs/sample-bots.md alone: the door, and the dice.

Asks are dicts as the line bridge writes them, so nothing of the rules library is in here.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from . import dino_twist_bots, draftosaurus_bots
from .draftosaurus import below, words

Ask = dict[str, Any]


def best(choices: Sequence[Any], worth: Callable[[Any], int]) -> int:
    """The number of the best choice, the first of equals."""
    worths = [worth(choice) for choice in choices]
    return worths.index(max(worths))


def draw(dice: bytes, decision: int, n: int) -> int:
    """The first number below n of a decision's dice."""
    seed = hashlib.sha256(dice + decision.to_bytes(4, "big")).digest()
    return below(words(seed, []), n)


def number(bot: str, ask: Ask, rules: dict[str, Any], dice: bytes, decision: int) -> int:
    """The number of the choice that a sample bot makes."""
    if bot == "random":
        return draw(dice, decision, len(ask["choices"]))
    if ask["format"].startswith("dino-twist"):
        return best(ask["choices"], dino_twist_bots.worth(bot, ask, rules))
    return best(ask["choices"], draftosaurus_bots.worth(bot, ask, rules))
