"""Everything there is to play, and matches of it, for the tests that run over all of it."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from paddock_games import FORMATS, BadRules, Match, Seated, Step, Timing, game_of, play
from paddock_games.brains import any_legal

# Every registered format at every number of seats: a new game is covered without a change here.
TABLES: Final = [
    (form.name, seats)
    for form in FORMATS.values()
    for seats in range(form.seats[0], form.seats[1] + 1)
]

# What to try for the rule options that are more than a switch, the default first.
VALUES: Final[Mapping[str, Sequence[object]]] = {
    "prairie_capacity": (None, 6, 2),
    "claw_copies": (1, 0, 2, 3),
    "claw_strengths": ("", "10", "2 8 9"),
    "island_bonus_ties": ("share", "skip", "in_turn"),
    "small_seats": ("", "0", "01"),
}
MOST_COMBINED: Final = 64  # combinations of options that are tried one by one


def of_game(name: str) -> list[tuple[str, int]]:
    """The tables of one game."""
    return [table for table in TABLES if FORMATS[table[0]].game == name]


# For tests of the referee, which knows no game. In Draftosaurus everybody decides at the first
# steps; in Dino Twist some seats do, or one alone.
TOGETHER: Final = of_game("draftosaurus")
REFEREED: Final = [*TOGETHER, ("dino-twist", 2), ("dino-twist", 5), ("dino-twist-small", 3)]


@cache
def options(form: str) -> list[Any]:
    """The rule options of a format's game, the defaults first: every combination where there are
    few; where there are many, every value by itself and some combinations, always the same. What
    the game refuses is left out."""
    rules = game_of(form).rules
    tried = {
        option: (value, not value) if type(value) is bool else VALUES[option]
        for option, value in rules(None)._asdict().items()
    }
    if prod(map(len, tried.values())) <= MOST_COMBINED:
        combined = [dict(zip(tried, values, strict=True)) for values in product(*tried.values())]
        return [rules(values) for values in combined]
    single = [{option: value} for option, values in tried.items() for value in values[1:]]
    chooser = Random(form)
    mixed = [
        {option: chooser.choice(values) for option, values in tried.items()}
        for _ in range(4 * MOST_COMBINED)
    ]
    found = dict.fromkeys(rules(v) for v in ({}, *single, *mixed) if _playable(form, v))
    return list(found)[:MOST_COMBINED]


def _playable(form: str, values: Mapping[str, object]) -> bool:
    game = game_of(form)
    try:
        game.check(form, FORMATS[form].usual_seats, game.rules(values))
    except BadRules:
        return False
    return True


def match(form: str, seats: int, rules: object = None, number: int = 0) -> Match:
    """A match to be played; its seed and nonces are made from the number."""
    chooser = Random(number)
    seated = [Seated(f"bot{seat}", "1", "ada", chooser.randbytes(16)) for seat in range(seats)]
    return Match(f"M{number}", form, game_of(form).rules(rules), seated, chooser.randbytes(32))


def matches(form: str, seats: int) -> st.SearchStrategy[Match]:
    """Matches of this format with any seed and any rules."""
    return st.builds(
        match,
        st.just(form),
        st.just(seats),
        st.sampled_from(options(form)),
        st.integers(0, 2**32 - 1),
    )


def played(one: Match) -> tuple[list[Step], Any]:
    """The match played at random: the same for equal matches."""
    chooser, seats = Random(one.seed), len(one.seats)
    return play(one.start(), [any_legal] * seats, [chooser] * seats)


def states(one: Match) -> list[Any]:
    """Every state of the match played at random, the last one included."""
    steps, end = played(one)
    return [*(step.state for step in steps), end]


def played_out(view: Any, _rng: Random) -> Any:
    """What the referee chooses for a seat that resigned."""
    return view.default


def resigned(one: Match, steps: Sequence[Step]) -> list[Step]:
    """The steps of a match whose forfeited seats resigned before the first of them."""
    return [
        step._replace(
            timings={
                seat: Timing(fault="RESIGNED" if one.seats[seat].forfeit else None)
                for seat in step.choices
            }
        )
        for step in steps
    ]
