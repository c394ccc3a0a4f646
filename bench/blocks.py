"""What duplicate blocks save: how many matches on independent deals tell as much as one in a block.

Brains of the rules play each other in one process. Three questions, in every format:

- at one table: careful's points less greedy's in the same match, with others at the table;
- careful for greedy: the points of careful less greedy's, each with the same field on the same
  deals and seats, as `paddock compare` plays;
- a small change: the same for greedy and a greedy that chooses by lot once in ten times.

A saving of 2 means that a mean over blocks is as sure as one over twice as many matches, each with
a deal of its own. Seats are in turn in both cases.
"""

import argparse
from collections.abc import Mapping, Sequence
from itertools import count
from math import ceil
from random import Random
from statistics import fmean, stdev, variance
from typing import Any, Final, NamedTuple

from bench.measure import Figures, machine, show, show_json

from paddock_games import FORMATS, Brain, Chance, Format, game_of, play
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_ladder.blocks import estimate

SLIPS: Final = 0.1
COMPANY: Final = ("greedy", "random", "greedy", "random")
SURE: Final = 1.96  # standard errors to either side, for 95 %


class Question(NamedTuple):
    """Two lineups that are compared, by what sits in the first seat, or both at one table."""

    title: str
    new: str
    old: str
    one_table: bool

    def lineups(self, seats: int) -> list[tuple[str, ...]]:
        """Who plays on each deal, in all rotations."""
        if self.one_table:
            return [(self.new, self.old, *COMPANY[: seats - 2])]
        return [(bot, *COMPANY[: seats - 1]) for bot in (self.new, self.old)]


QUESTIONS: Final = (
    Question("at one table", "careful", "greedy", one_table=True),
    Question("careful for greedy", "careful", "greedy", one_table=False),
    Question("a small change", "greedy", "slipping", one_table=False),
)


class Answer(NamedTuple):
    """What the blocks of one question in one format gave; differences are in points."""

    format: str
    question: str
    matches_a_block: int
    mean: float
    error: float
    block_deviation: float
    independent_deviation: float  # of as many matches, each with a deal of its own

    @property
    def saving(self) -> float:
        """Matches on independent deals that tell as much as one in a block."""
        return (self.independent_deviation / self.block_deviation) ** 2

    def matches(self, deviation: float) -> int:
        """How many matches make the mean sure to a point either way, at 95 %."""
        return self.matches_a_block * ceil((SURE * deviation) ** 2)


def brain_named(form: Format, name: str) -> Brain:
    """A brain of the format's game, or the greedy one with slips."""
    brains = game_of(form.name).brains
    if name != "slipping":
        return brains[name]
    greedy, by_lot = brains["greedy"], brains["random"]
    return lambda view, rng: (by_lot if rng.random() < SLIPS else greedy)(view, rng)


def throwing(brain: Brain, seed: str) -> Brain:
    """The brain with dice of its own for every decision, as the SDK gives them to a bot."""
    decisions = count()
    return lambda view, _: brain(view, Random(f"{seed} {next(decisions)}"))


def block_points(
    form: Format, lineup: Sequence[str], deal: int, *, common: bool
) -> list[list[int]]:
    """The points by bot of the lineup (not by seat), for every rotation of one deal."""
    game, seats = game_of(form.name), len(lineup)
    rows = []
    for turn in range(seats):
        order = [(turn + seat) % seats for seat in range(seats)]
        chance = Chance(deal.to_bytes(SEED_BYTES, "big"), [NO_NONCE] * seats)
        own = "" if common else f" {lineup} {turn}"
        brains = [
            throwing(brain_named(form, lineup[bot]), f"{form.name} {deal} {seat}{own}")
            for seat, bot in enumerate(order)
        ]
        start = game.start(form.name, seats, game.rules(None), chance)
        _, end = play(start, brains, [Random()] * seats)
        totals = dict(zip(order, end.result().totals, strict=True))
        rows.append([totals[bot] for bot in range(seats)])
    return rows


def answer(form: Format, question: Question, deals: int, *, common: bool) -> Answer:
    """Play the question's blocks."""
    seats = form.usual_seats
    lineups = question.lineups(seats)
    blocks = [
        [block_points(form, lineup, deal, common=common) for lineup in lineups]
        for deal in range(deals)
    ]
    if question.one_table:
        samples = [[[row[0] - row[1] for row in block[0]] for block in blocks]]
        differences = samples[0]
    else:
        samples = [[[row[0] for row in block[side]] for block in blocks] for side in (0, 1)]
        differences = [
            [new - old for new, old in zip(*both, strict=True)]
            for both in zip(*samples, strict=True)
        ]
    found = estimate(differences)
    # Any one match of a block is a match on a deal of its own, so all of them tell its variance.
    single = sum(variance([x for block in sample for x in block]) for sample in samples)
    return Answer(
        form.name,
        question.title,
        seats * len(lineups),
        found.mean,
        found.error or 0.0,
        stdev([fmean(block) for block in differences]),
        (single / seats) ** 0.5,
    )


def table(question: Question, answers: Sequence[Answer]) -> Figures:
    """For people."""
    head = (
        "", "difference", "deviation of a block", "of as many independent matches", "saving",
        "matches for +-1 point in blocks", "independent",
    )  # fmt: skip
    rows = [
        (
            one.format,
            f"{one.mean:.2f} +- {SURE * one.error:.2f}",
            f"{one.block_deviation:.2f}",
            f"{one.independent_deviation:.2f}",
            f"{one.saving:.2f}",
            f"{one.matches(one.block_deviation):,}",
            f"{one.matches(one.independent_deviation):,}",
        )
        for one in answers
        if one.question == question.title
    ]
    return Figures(f"{question.title}: {question.new} less {question.old}", head, rows)


def facts(answers: Sequence[Answer]) -> list[Mapping[str, Any]]:
    """For programs."""
    return [{**one._asdict(), "saving": one.saving} for one in answers]


def main() -> None:
    """Play and show."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.blocks", description="What duplicate blocks save."
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--deals", type=int, default=100, metavar="N", help="of each (default: %(default)s)"
    )
    parser.add_argument(
        "--dice", choices=("common", "own"), default="common",
        help="whether the matches of a block share the bots' dice (default: %(default)s)",
    )  # fmt: skip
    chosen = parser.parse_args()
    if chosen.deals < 10:
        parser.error(f"a deviation wants at least 10 deals, not {chosen.deals}")
    answers = [
        answer(form, question, chosen.deals, common=chosen.dice == "common")
        for question in QUESTIONS
        for form in FORMATS.values()
    ]
    if chosen.json:
        show_json({"benchmark": "blocks", "machine": machine(), "answers": facts(answers)}, ())
    else:
        heading = f"{chosen.deals} deals of each, brains of the rules, {chosen.dice} dice, points"
        show(heading, [table(question, answers) for question in QUESTIONS], ())


if __name__ == "__main__":
    main()
