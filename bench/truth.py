"""How true ladders are: simulated ones of known truth, and real matches of graded bots.

    coverage  how many of the 90 % rank intervals hold the true rank, by pairing and by estimate
    live      what a fitted prior does to live ratings alone: coverage, predictions of matches
    graded    real matches of twelve graded bots: in how many ladders the top three are in order

All of it takes about half an hour on one core; --quick is a look of five minutes, not a result.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from random import Random
from statistics import NormalDist, fmean
from typing import Final, NamedTuple

from bench.graded import Field, Result, score_order
from bench.measure import Goal, Table, machine, show, show_json
from tests.ladder.simulated import Ladder, Tables, by_lot, by_pair, ladder

from paddock_games import FORMATS
from paddock_ladder.calibration import Prediction, fitted_spread, log_loss
from paddock_ladder.history import rate_history
from paddock_ladder.joint import Posterior, Scored, fit_prior, joint, points_table
from paddock_ladder.joint.prior import USUAL, Prior
from paddock_ladder.played import Played
from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.standing import places
from paddock_ladder.update import rate

PARAMETERS: Final = Parameters(draw_probability=0.02)
BOTS: Final = 100
SEATS: Final = 4
SPREADS: Final = (4.2, 8.3)
MATCHES: Final = (20, 100)  # a bot
GRADED: Final = {"summer": (4, 14), "two-player": (2, 90), "winter": (4, 8), "dino-twist": (4, 8)}
"""By format: seats, and how often every set of bots plays to find out the true order."""

PAIRINGS: Final = ("by lot", "by the ladder")
STEPS: Final = (100, 250, 400)  # matches a bot
HISTORY_BY, POINTS_BY = 400, 250
_NORMAL: Final = NormalDist()

Intervals = Mapping[str, tuple[int, int]]


class Held(NamedTuple):
    """How many intervals held, and how wide they were."""

    held: float
    width: float


def held(intervals: Intervals, truth: Ladder) -> Held:
    """Of one ladder."""
    some = [
        (low <= truth.true_rank(bot) <= high, high - low + 1)
        for bot, (low, high) in intervals.items()
    ]
    return Held(fmean(one for one, _ in some), fmean(width for _, width in some))


def of_ratings(ratings: Mapping[str, Rating]) -> Intervals:
    """As the live ladder has them."""
    return {line.bot: (line.best, line.worst) for line in places(ratings)}


def of_posterior(posterior: Posterior) -> Intervals:
    """From draws of all strengths."""
    return {line.bot: (line.best, line.worst) for line in posterior.places()}


def simulated(spread: float, how: str, matches: int, seed: int) -> Ladder:
    """A ladder of a hundred bots."""
    tables = (
        by_lot(SEATS)
        if how == "by lot"
        else by_pair(SEATS, partial(quality, parameters=PARAMETERS))
    )
    return ladder(f"{spread} {how} {matches} {seed}", BOTS, matches, spread, tables, PARAMETERS)


def coverage(ladders: int) -> Iterator[tuple[tuple[str, ...], dict[str, Held]]]:
    """Every pairing, spread and number of matches, by estimate."""
    for spread in SPREADS:
        for how in PAIRINGS:
            for matches in MATCHES:
                rows: dict[str, list[Held]] = defaultdict(list)
                for seed in range(ladders):
                    truth = simulated(spread, how, matches, seed)
                    fitted = fit_prior(truth.played, PARAMETERS).applied(PARAMETERS)
                    for name, intervals in (
                        ("live", of_ratings(truth.live)),
                        ("history", of_ratings(rate_history(truth.played, PARAMETERS))),
                        ("joint", of_posterior(joint(truth.played, PARAMETERS).posterior)),
                        ("joint, fitted", of_posterior(joint(truth.played, fitted).posterior)),
                    ):
                        rows[name].append(held(intervals, truth))
                yield (
                    (f"{spread}", how, f"{matches}"),
                    {
                        name: Held(*map(fmean, zip(*some, strict=True)))
                        for name, some in rows.items()
                    },
                )


# --- live ratings with another prior --------------------------------------------------------------


class Live(NamedTuple):
    """Live ratings with one prior."""

    ratings: dict[str, Rating]
    predictions: list[Prediction]  # of every two at a table, before the match, but for ties


def lived(played: Iterable[Played], parameters: Parameters) -> Live:
    """Match by match."""
    ratings: dict[str, Rating] = {}
    predictions = []
    for bots, ranks in played:
        before = [ratings.get(bot, parameters.first) for bot in bots]
        for one, other in combinations(range(len(bots)), 2):
            if ranks[one] != ranks[other]:
                (mu, sigma), (theirs, doubt) = before[one], before[other]
                spread = (2 * parameters.beta**2 + sigma**2 + doubt**2) ** 0.5
                chance = _NORMAL.cdf((mu - theirs) / spread)
                predictions.append(Prediction(chance, ranks[one] < ranks[other]))
        ratings.update(zip(bots, rate(before, ranks, parameters), strict=True))
    return Live(ratings, predictions)


def priors(played: Sequence[Played], parameters: Parameters) -> dict[str, Parameters]:
    """TrueSkill's, the usual one among bots, and the one that fits."""
    return {
        "TrueSkill (2)": parameters,
        f"usual ({USUAL})": Prior(USUAL, 0, fitted=False).applied(parameters),
        "fitted": fit_prior(played, parameters).applied(parameters),
    }


def live(ladders: int) -> Iterator[tuple[tuple[str, ...], tuple[float, ...]]]:
    """Simulated ladders as the ladder pairs: coverage, log-loss, spread that is missing."""
    for spread in SPREADS:
        for matches in MATCHES:
            rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
            for seed in range(ladders):
                truth = simulated(spread, "by the ladder", matches, seed)
                for name, parameters in priors(truth.played, PARAMETERS).items():
                    now = lived(truth.played, parameters)
                    late = now.predictions[len(now.predictions) // 2 :]
                    part, width = held(of_ratings(now.ratings), truth)
                    rows[name].append(
                        (
                            part,
                            width,
                            log_loss(now.predictions),
                            log_loss(late),
                            fitted_spread(late[:5000]),
                        )
                    )
            for name, some in rows.items():
                yield (
                    (f"{spread}", f"{matches}", name),
                    tuple(map(fmean, zip(*some, strict=True))),
                )


# --- real matches ---------------------------------------------------------------------------------


class Right(NamedTuple):
    """In how many ladders the top three were in order, by estimate."""

    format: str
    pairing: str
    matches: int  # a bot
    live: float
    history: float
    joint: float
    points: float


def graded(format_name: str, ladders: int, quick: bool) -> Iterator[Right]:
    """Ladders of new matches: drawn again from stored ones, a ladder that seats the same bots
    often would only find out what those few matches happened to be."""
    seats, times = GRADED[format_name]
    field = Field(format_name, seats)
    everybody = field.everybody(max(1, times // 4) if quick else times, Random("everybody"))
    order = score_order(everybody)
    parameters = Parameters(FORMATS[format_name].draw_probability)
    for how in PAIRINGS:
        right: dict[tuple[int, str], list[bool]] = defaultdict(list)
        for seed in range(ladders):
            tables = (
                by_lot(seats)
                if how == "by lot"
                else by_pair(seats, partial(quality, parameters=parameters))
            )
            results = climbed(field, tables, parameters, Random(f"{format_name} {how} {seed}"))
            for step in STEPS:
                some = results[: step * len(order) // seats]
                for name, strengths in estimates(some, parameters).items():
                    best = sorted(strengths, key=lambda bot: -strengths[bot])[:3]
                    right[step, name].append(best == order[:3])
        for step in STEPS:
            parts = {name: fmean(some) for (at, name), some in right.items() if at == step}
            yield Right(format_name, how, step, **parts)


def climbed(field: Field, tables: Tables, parameters: Parameters, rng: Random) -> list[Result]:
    """A ladder, round by round."""
    live = dict.fromkeys(field.bots, parameters.first)
    results = []
    for _ in range(STEPS[-1]):
        for table in tables(live, rng):
            result = field.play(table, rng)
            rated = rate([live[bot] for bot in table], result.ranks, parameters)
            live.update(zip(table, rated, strict=True))
            results.append(result)
    return results


def estimates(some: Sequence[Result], parameters: Parameters) -> dict[str, dict[str, float]]:
    """The strengths of all bots, by estimate."""
    played: list[Played] = [(one.bots, one.ranks) for one in some]
    points = points_table(Scored(one.bots, one.totals) for one in some)
    return {
        "live": {b: r.conservative for b, r in lived(played, parameters).ratings.items()},
        "history": {bot: rating.mu for bot, rating in rate_history(played, parameters).items()},
        "joint": {b: r.mu for b, r in joint(played, parameters).posterior.ratings().items()},
        "points": {line.bot: line.points for line in points.lines()},
    }


# --- shown ----------------------------------------------------------------------------------------


class Part(NamedTuple):
    """What a part of this benchmark comes to: for programs, for people, and what was wanted."""

    facts: Sequence[object]
    table: Table
    goals: Sequence[Goal]


def coverage_part(quick: bool) -> Part:
    """Coverage, with the goal for what the ladder is to show: the joint posterior, fitted."""
    cases = list(coverage(2 if quick else 8))
    names = list(cases[0][1])
    goals = []
    rows = []
    for case, row in cases:
        part = 100 * row["joint, fitted"].held
        goals.append(Goal(f"coverage {' '.join(case)}", part, 88))
        goals.append(Goal(f"coverage {' '.join(case)}", part, 96, at_least=False))
        rows.append((*case, *(f"{100 * row[n].held:.1f} % ({row[n].width:.1f})" for n in names)))
    title = "90 % rank intervals that hold (ranks wide)"
    return Part(cases, Table(title, ("spread", "pairing", "matches", *names), rows), goals)


def live_part(quick: bool) -> Part:
    """Live ratings by prior."""
    cases = list(live(1 if quick else 4))
    columns = ("hold", "wide", "log-loss", "second half", "spread missing")
    rows = [
        (*case, f"{100 * part:.1f} %", f"{width:.1f}", *(f"{one:.4f}" for one in losses))
        for case, (part, width, *losses) in cases
    ]
    title = "Live ratings alone, by prior"
    return Part(cases, Table(title, ("spread", "matches", "prior", *columns), rows), ())


def graded_part(quick: bool) -> Part:
    """Graded bots, with the goals for whole history and points."""
    lines = [line for name in GRADED for line in graded(name, 2 if quick else 20, quick)]
    goals = [
        Goal(f"{line.format} {line.pairing}, whole history", 100 * line.history, 90)
        for line in lines
        if line.matches == HISTORY_BY
    ] + [
        Goal(f"{line.format} {line.pairing}, points", 100 * line.points, 90)
        for line in lines
        if line.matches == POINTS_BY
    ]
    rows = [
        (
            line.format,
            line.pairing,
            f"{line.matches}",
            *(f"{100 * part:.0f} %" for part in line[3:]),
        )
        for line in lines
    ]
    title = "Ladders of graded bots with the top three in order"
    return Part(lines, Table(title, Right._fields, rows), goals)


PARTS: Final = {"coverage": coverage_part, "live": live_part, "graded": graded_part}


def main() -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.truth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--quick", action="store_true", help="few ladders: a look, not a result")
    parser.add_argument(
        "--part",
        choices=tuple(PARTS),
        action="append",
        help="measure this alone; may be given more than once (default: all of it)",
    )
    chosen = parser.parse_args()
    begun = time.process_time()
    parts = {name: PARTS[name](chosen.quick) for name in chosen.part or PARTS}
    seconds = time.process_time() - begun
    goals = [goal for part in parts.values() for goal in part.goals]
    if chosen.json:
        facts = {name: part.facts for name, part in parts.items()}
        show_json({"machine": machine(), "seconds": seconds, **facts}, goals)
    else:
        show(f"{seconds:.0f} s of CPU", [part.table for part in parts.values()], goals)


if __name__ == "__main__":
    main()
