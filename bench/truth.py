"""How true ladders are: simulated ones of known truth, and real matches of graded bots.

    coverage  how many of the 90 % rank intervals hold the true rank, by pairing and by estimate
    few       the same of twelve bots, and in how many ladders the top three are in order, against
              what standings say of themselves
    live      what a fitted prior does to live ratings alone: coverage, predictions of matches
    pairing   how well ladders find the true order, by what makes a table worth playing
    graded    real matches of twelve graded bots: in how many ladders the top three are in order,
              and how many of the 90 % rank intervals hold
    gaps      how far apart the best of these bots lie, and how many matches it takes to tell them
              apart

All of it takes about an hour on one core, most of it `graded`, whose ladders `gaps` takes as well;
--quick is a look of a few minutes, not a result.

Between 88 and 96 % of the intervals should hold. Of those of twelve bots more than 96 % do, and
nothing can be done about it: ranks are whole numbers, so where one rank holds 85 % of the draws and
two hold 99 %, no interval holds 90 %. Standings say so themselves, see `few`.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Final, NamedTuple

from bench.climbing import (
    LOT,
    PAIRINGS,
    SEATS,
    Results,
    Summary,
    Task,
    gaps,
    measure,
    summaries,
)
from bench.coverage import PARAMETERS, Few, coverage, few, live
from bench.information import Cell, compared
from bench.measure import Figures, Goal
from bench.parts import Part, parser_of, show_parts

STANDING_BY, POINTS_BY = 400, 250  # matches per bot until the top three are to be in order
LEAST, MOST = 88, 96  # percent of 90 % rank intervals that should hold
OFF_INTERVALS, OFF_TOP = 2, 10  # percent between what standings of few bots say and what is seen
LADDERS: Final = 20  # of graded bots, for each format and pairing


class Effort(NamedTuple):
    """How much to measure, and how."""

    quick: bool
    jobs: int  # processes
    results: Path | None  # where ladders of graded bots are kept
    ladders: int  # of graded bots, for each format and pairing
    formats: Sequence[str]  # of these ladders


def coverage_part(effort: Effort) -> Part:
    """Coverage, with the goal for what the ladder is to show: the joint posterior, fitted."""
    cases = list(coverage(2 if effort.quick else 8))
    names = list(cases[0][1])
    goals = []
    rows = []
    for case, row in cases:
        goals += _coverage_goals(f"coverage {' '.join(case)}", row["joint, fitted"].held)
        rows.append((*case, *(f"{100 * row[n].held:.1f} % ({row[n].width:.1f})" for n in names)))
    title = "90 % rank intervals that hold (ranks wide)"
    return Part(cases, Figures(title, ("spread", "pairing", "matches", *names), rows), goals)


def few_part(effort: Effort) -> Part:
    """Twelve bots, with the goal that standings keep their own word."""
    cases = list(few(4 if effort.quick else 200))
    rows = []
    goals = []
    for case, some in cases:
        seen = Few(*map(fmean, zip(*some, strict=True)))
        errors = [stdev(each) / len(some) ** 0.5 for each in zip(*some, strict=True)]
        rows.append((*case, f"{len(some)}", *_beside(seen.held, errors[0], seen.said_held),
                     *_beside(seen.top, errors[2], seen.said_top)))  # fmt: skip
        for name, off, most in (
            ("intervals", seen.held - seen.said_held, OFF_INTERVALS),
            ("top three", seen.top - seen.said_top, OFF_TOP),
        ):
            subject = f"{' '.join(case)}, {name}: points between said and seen"
            goals.append(Goal(subject, 100 * abs(off), most, at_least=False))
    columns = ("pairing", "matches", "ladders", "intervals hold", "said", "top three", "said")
    return Part(cases, Figures("Twelve simulated bots, 90 % rank intervals", columns, rows), goals)


def _beside(seen: float, error: float, said: float) -> tuple[str, str]:
    return f"{100 * seen:.1f} ± {100 * error:.1f} %", f"{100 * said:.1f} %"


def live_part(effort: Effort) -> Part:
    """Live ratings by prior."""
    cases = list(live(1 if effort.quick else 4))
    columns = ("hold", "wide", "log-loss", "second half", "spread missing")
    rows = [
        (*case, f"{100 * part:.1f} %", f"{width:.1f}", *(f"{one:.4f}" for one in losses))
        for case, (part, width, *losses) in cases
    ]
    title = "Live ratings alone, by prior"
    return Part(cases, Figures(title, ("spread", "matches", "prior", *columns), rows), ())


def pairing_part(effort: Effort) -> Part:
    """Ladders by the worth of a table."""
    lines = list(compared(2 if effort.quick else 20, PARAMETERS))
    rows = [
        (
            *(f"{one}" for one in line.cell),
            line.worth,
            f"{line.error:.2f} ± {line.doubt:.2f}",
            f"{100 * line.top:.0f} %",
            f"{100 * line.different:.0f} %",
        )
        for line in lines
    ]
    columns = (*Cell._fields, "worth", "ranks off", "top three", "different tables")
    return Part(lines, Figures("Ladders by the worth of a table", columns, rows), ())


def graded_part(effort: Effort) -> Part:
    """Graded bots, with the goals for the standing, points and rank intervals."""
    results = Results(effort.results)
    tasks = [
        Task(name, how, number)
        for number in range(effort.ladders)
        for name in effort.formats
        for how in PAIRINGS
    ]
    measure(results, tasks, effort.jobs)
    lines = [line for line in summaries(results) if line.format in effort.formats]
    goals = []
    rows = []
    for line in lines:
        subject = f"{line.format} {line.pairing}"
        if line.matches == STANDING_BY:
            goals.append(Goal(f"{subject}, standing", 100 * line.standing, 90))
        if line.matches == POINTS_BY:
            goals.append(Goal(f"{subject}, points", 100 * line.points, 90))
        goals += _coverage_goals(f"{subject}, {line.matches}, coverage", line.held)
        rows.append(
            (
                *(f"{one}" for one in line[:4]),
                *(f"{100 * part:.0f} %" for part in line[4:-1]),
                f"{line.width:.1f}",
            )
        )
    title = "Ladders of graded bots: the top three in order, and rank intervals that hold"
    return Part(lines, Figures(title, Summary._fields, rows), goals)


def gaps_part(effort: Effort) -> Part:
    """The best graded bots by format; both pairs of the top three should be told apart."""
    results = Results(effort.results)
    tasks = [Task(name, LOT, number) for number in range(effort.ladders) for name in effort.formats]
    measure(results, tasks, effort.jobs)
    lines = [gap for name in effort.formats for gap in gaps(results, name)]
    rows = [
        (line.format, f"{line.ladders}", f"{line.better}, {line.worse}", f"{100 * line.apart:.1f}",
         f"{100 * line.luck:.1f}", f"{line.matches:,.0f}")
        for line in lines
    ]  # fmt: skip
    title = f"Points of score between neighbours, and their luck after {STANDING_BY} matches by lot"
    columns = ("format", "ladders", "neighbours", "apart", "luck", "matches for 95 %")
    return Part(lines, Figures(title, columns, rows), ())


def _coverage_goals(subject: str, held: float) -> list[Goal]:
    return [Goal(subject, 100 * held, LEAST), Goal(subject, 100 * held, MOST, at_least=False)]


PARTS: Final = {
    "coverage": coverage_part,
    "few": few_part,
    "live": live_part,
    "pairing": pairing_part,
    "graded": graded_part,
    "gaps": gaps_part,
}


def main() -> None:
    """Measure and show."""
    parser = parser_of("bench.truth", __doc__, PARTS)
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="processes that play ladders of graded bots (default: %(default)s)",
    )
    parser.add_argument(
        "--results",
        type=Path,
        metavar="FILE",
        help="write each ladder of graded bots into this file, and go on from what is in it",
    )
    parser.add_argument(
        "--ladders",
        type=int,
        metavar="N",
        help=f"ladders of graded bots for each format and pairing (default: {LADDERS}; --quick: 2)",
    )
    parser.add_argument(
        "--format",
        choices=tuple(SEATS),
        action="append",
        help="play ladders of graded bots in this format alone; may be given more than once "
        "(default: in each)",
    )
    chosen = parser.parse_args()
    ladders = (2 if chosen.quick else LADDERS) if chosen.ladders is None else chosen.ladders
    if chosen.jobs < 1:
        parser.error(f"--jobs {chosen.jobs}: give 1 or more")
    if ladders < 2:  # the true order is that of the others by lot
        parser.error(f"--ladders {ladders}: give 2 or more")
    effort = Effort(
        chosen.quick, chosen.jobs, chosen.results, ladders, tuple(chosen.format or SEATS)
    )
    begun = time.perf_counter()
    parts = {name: PARTS[name](effort) for name in chosen.part or PARTS}
    seconds = time.perf_counter() - begun
    show_parts(parts, seconds, as_json=chosen.json)


if __name__ == "__main__":
    main()
