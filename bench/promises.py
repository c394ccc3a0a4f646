"""The careful player's tables, learned again: what the pens of a zoo promise (Draftosaurus).

The player plays against itself with a tenth of its choices at random. Now and then two placements
are tried where one was made, and the match is played to its end after each, with the same deal. How
much more the one zoo gained than the other is put down to the states of their pens by least
squares, and the next games are played with what was learned. Then the new table plays the one in
use: every deal twice, with the seats exchanged.
"""

import argparse
import math
from collections.abc import Iterator, Mapping
from functools import partial
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from paddock_games import FORMATS, Brain, Chance, Format, Step, game_of, play
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_games.draftosaurus import Choice, State
from paddock_games.draftosaurus.careful import careful
from paddock_games.draftosaurus.material import BoardName, PenName
from paddock_games.draftosaurus.promises import (
    LEARNED,
    PROMISES,
    TURNS,
    Learned,
    Pair,
    Tables,
    promises,
)
from paddock_games.draftosaurus.prospect import STATES, Prospect
from paddock_games.draftosaurus.setting import BOARDS_OF

AT_RANDOM: Final = 0.1
RIDGE: Final = 10.0  # keeps what was hardly seen near the table before
TRIED: Final = 0.25  # of the decisions

Pens = Mapping[PenName, Learned]
Row = NDArray[np.floating]


class Key(NamedTuple):
    """Which table: the board, and whether two play."""

    board: BoardName
    two: bool


class Columns:
    """The unknowns of the least squares: two for the empty zoo, for every state but the first of a
    pen, and for its plenty."""

    def __init__(self, pens: Pens) -> None:
        self._pens = pens
        self._first = {}
        self.count = 2
        for name, learned in pens.items():
            self._first[name] = self.count
            self.count += 2 * (len(learned.states) - 1) + 2

    def row(self, prospect: Prospect, turns: int) -> Row:
        """The coefficients of a zoo with this many turns to go."""
        x = turns / TURNS
        row = np.zeros(self.count)
        row[0:2] = x, x * x
        for pen in prospect.zoo:
            if pen.name in self._first:
                state, plenty = STATES[pen.name](pen, prospect.zoo, prospect)
                states = len(self._pens[pen.name].states)
                if state:
                    column = self._first[pen.name] + 2 * (state - 1)
                    row[column : column + 2] = x, x * x
                column = self._first[pen.name] + 2 * (states - 1)
                share = plenty / prospect.whole
                row[column : column + 2] = x * share, x * x * share
        return row

    def solution(self, pens: Pens) -> Row:
        """The numbers of a table, in points."""
        numbers = [0, 0]
        for learned in pens.values():
            for pair in (*learned.states[1:], learned.plenty):
                numbers += pair
        return np.array(numbers) / 10

    def learned(self, solution: Row) -> Pens:
        """The table that a solution stands for."""

        def pair(column: int) -> Pair:
            return round(10 * solution[column]), round(10 * solution[column + 1])

        pens = {}
        for name, learned in self._pens.items():
            columns = range(self._first[name], self.count, 2)[: len(learned.states)]
            *states, plenty = [pair(column) for column in columns]
            pens[name] = Learned(((0, 0), *states), plenty)
        return pens


def learn(form: Format, pens: Pens, games: int, rng: Random) -> Pens:
    """A better table than this one, by games that are played with it."""
    tables = {**PROMISES, key_of(form): promises(pens)}
    columns = Columns(pens)
    now = columns.solution(pens)
    squares, gains = np.eye(columns.count) * RIDGE, np.zeros(columns.count)
    for _ in range(games):
        for row, gain in _samples(form, tables, columns, rng):
            squares += np.outer(row, row)
            gains += (gain - row @ now) * row
    return columns.learned(now + np.linalg.solve(squares, gains))


def _samples(
    form: Format, tables: Tables, columns: Columns, rng: Random
) -> Iterator[tuple[Row, float]]:
    """Pairs of placements that a seat could make: how the zoos after them differ, and how much more
    the one gains until the end than the other, all else being alike."""
    brain = partial(careful, tables=tables)
    player = _now_and_then_at_random(brain)
    seats = form.usual_seats
    seed = rng.randbytes(SEED_BYTES)
    steps, _ = play(_start(form, seed), [player] * seats, [rng] * seats)
    for step in steps:
        table, seat = step.state.table, rng.randrange(seats)
        legal = step.state.legal(seat)
        can_try = table.phase == "PLACE" and table.done < TURNS and len(legal) > 1
        if can_try and rng.random() < TRIED:
            one, other = (
                _tried(step, seat, place, brain, columns) for place in rng.sample(legal, 2)
            )
            yield one.row - other.row, one.gain - other.gain


class _Tried(NamedTuple):
    """A placement that was tried: where it left the zoo, and what that gained until the end."""

    row: Row
    gain: int


def _tried(step: Step, seat: int, place: Choice, brain: Brain, columns: Columns) -> _Tried:
    done = step.state.table.done
    after: State = step.state.step({**step.choices, seat: place})
    seats = len(after.table.zoos)
    prospect = Prospect(after.table._replace(done=done), seat)
    _, end = play(after, [brain] * seats, [Random()] * seats)
    gain = end.result().totals[seat] - prospect.points(prospect.zoo)
    return _Tried(columns.row(prospect, TURNS - done), gain)


def _now_and_then_at_random(brain: Brain) -> Brain:
    return lambda view, rng: (
        rng.choice(view.legal) if rng.random() < AT_RANDOM else brain(view, rng)
    )


def _start(form: Format, seed: bytes) -> State:
    game = game_of(form.name)
    chance = Chance(seed, [NO_NONCE] * form.usual_seats)
    state: State = game.start(form.name, form.usual_seats, game.rules(None), chance)
    return state


class Duel(NamedTuple):
    """How the new table did against the one in use, a deal at a time."""

    points: tuple[float, ...]  # more than the other, in the mean of both matches
    wins: tuple[float, ...]  # of the match; a tie is half a win

    def shown(self) -> str:
        """Both with their standard errors."""
        return (
            f"{2 * len(self.wins)} matches: {100 * fmean(self.wins):.1f} ± "
            f"{100 * _error(self.wins):.1f} % won, {fmean(self.points):+.2f} ± "
            f"{_error(self.points):.2f} points a match"
        )


def _error(values: tuple[float, ...]) -> float:
    return stdev(values) / math.sqrt(len(values))


def duel(form: Format, pens: Pens, deals: int, rng: Random) -> Duel:
    """Matches of the new table and the one in use, in turn around the table."""
    players: list[Brain] = [
        partial(careful, tables={**PROMISES, key_of(form): promises(pens)}),
        careful,
    ]
    seats = form.usual_seats
    points, wins = [], []
    for _ in range(deals):
        seed = rng.randbytes(SEED_BYTES)
        ahead, won = [], []
        for first in (0, 1):
            mine = [seat for seat in range(seats) if seat % 2 == first]
            theirs = [seat for seat in range(seats) if seat % 2 != first]
            lineup = [players[0] if seat in mine else players[1] for seat in range(seats)]
            _, end = play(_start(form, seed), lineup, [rng] * seats)
            result = end.result()
            ranks = result.ranks()
            ahead += [result.totals[a] - result.totals[b] for a in mine for b in theirs]
            won += [
                (1 + (ranks[a] < ranks[b]) - (ranks[a] > ranks[b])) / 2
                for a in mine
                for b in theirs
            ]
        points.append(fmean(ahead))
        wins.append(fmean(won))
    return Duel(tuple(points), tuple(wins))


def key_of(form: Format) -> Key:
    """The table that a format of one game is played with."""
    (board,) = BOARDS_OF[form.name]
    return Key(board, form.usual_seats == 2)


def main() -> None:
    """Learn, show, and compare."""
    parser = argparse.ArgumentParser(prog="python -m bench.promises", description=__doc__)
    formats = [name for name, boards in BOARDS_OF.items() if len(boards) == 1]
    add = parser.add_argument
    add("--format", choices=formats, default="two-player-winter", help="default %(default)s")
    add("--start", choices=formats, help="the format whose table is the first; default --format")
    add("--games", type=int, default=1500, metavar="N", help="each round; default %(default)s")
    add("--rounds", type=int, default=3, metavar="N", help="default %(default)s")
    add("--deals", type=int, default=2000, metavar="N", help="to compare; default %(default)s")
    add("--seed", type=int, default=1, metavar="N", help="default %(default)s")
    options = parser.parse_args()
    form = FORMATS[options.format]
    rng = Random(f"promises {form.name} {options.seed}")
    pens: Pens = LEARNED[key_of(FORMATS[options.start or options.format])]
    for number in range(1, options.rounds + 1):
        pens = learn(form, pens, options.games, rng)
        print(f"# round {number}", flush=True)
    for name, learned in pens.items():
        print(f'"{name}": Learned({learned.states}, {learned.plenty}),')
    print(f"# against the table in use: {duel(form, pens, options.deals, rng).shown()}")


if __name__ == "__main__":
    main()
