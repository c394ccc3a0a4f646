"""Ladders of graded bots: real matches, and what the ladder's tables say after some of them.

Every ladder is a task by itself: it depends on its format, its pairing and its number alone. With a
file of results each one is written as it comes, and a later run goes on from there.

What is true comes from the ladders by lot: their bots in the order of how many others they ranked
above, in all of these ladders but the one that is judged. Twenty ladders make about 8,000 matches
per bot.

A table knows how sure it is. What it says of itself, as the mean over ladders, is to be seen.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import NormalDist, fmean, stdev
from typing import Final, NamedTuple

from bench.claims import said_held, said_top
from bench.graded import Field, Result, scores
from tests.ladder.simulated import Tables, by_lot, by_pair

from paddock_games import FORMATS
from paddock_ladder.history import rate_history
from paddock_ladder.joint import Scored, fit_prior, joint, points_table
from paddock_ladder.played import Played
from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate

SEATS: Final = {"summer": 4, "two-player": 2, "winter": 4, "dino-twist": 4}
LOT: Final = "by lot"
PAIRINGS: Final = (LOT, "by the ladder")
STEPS: Final = (100, 250, 400)  # matches per bot
TOP: Final = 3
_MOSTLY: Final = NormalDist().inv_cdf(0.95)


class Task(NamedTuple):
    """A ladder to be played."""

    format: str
    pairing: str
    number: int


class Checkpoint(NamedTuple):
    """A ladder after some matches."""

    matches: int  # per bot
    top: Mapping[str, Sequence[str]]  # by estimate, the best three bots
    intervals: Mapping[str, Sequence[int]]  # by bot, the standing's 90 % rank interval
    said_held: float  # the chance that such an interval holds, as the standing says itself
    said_top: Mapping[str, float]  # by estimate that says so, that its best three are in order


class Climb(NamedTuple):
    """A ladder that was played."""

    task: Task
    scores: Mapping[str, float]  # by bot, the part of the others that it ranked above
    checkpoints: Sequence[Checkpoint]


class Results:
    """The ladders that were played, in a file if there is one: one line for each."""

    def __init__(self, path: Path | None = None) -> None:
        self.climbs: dict[Task, Climb] = {}
        self._path = path
        if path is not None and path.exists():
            text = path.read_text()
            whole = text[: text.rfind("\n") + 1]  # a kill may have torn the last line
            path.write_text(whole)
            for line in map(json.loads, whole.splitlines()):
                task = Task(**line["task"])
                checkpoints = [Checkpoint(**one) for one in line["checkpoints"]]
                self.climbs[task] = Climb(task, line["scores"], checkpoints)

    def add(self, climb: Climb) -> None:
        """Keep a ladder."""
        self.climbs[climb.task] = climb
        if self._path is not None:
            line = {
                "task": climb.task._asdict(),
                "scores": climb.scores,
                "checkpoints": [one._asdict() for one in climb.checkpoints],
            }
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")

    def order(self, judged: Task) -> list[str]:
        """The bots of a format, the best first, by all ladders by lot but the one judged."""
        others = [
            climb.scores
            for task, climb in self.climbs.items()
            if (task.format, task.pairing) == (judged.format, LOT) and task != judged
        ]
        totals = {bot: sum(some[bot] for some in others) for bot in self.climbs[judged].scores}
        return sorted(totals, key=lambda bot: -totals[bot])


def measure(
    results: Results, tasks: Sequence[Task], jobs: int = 1, steps: Sequence[int] = STEPS
) -> None:
    """Play the ladders that are not known yet, in this number of processes."""
    missing = [task for task in tasks if task not in results.climbs]
    with Pool(jobs) as pool:
        for climb in pool.imap_unordered(partial(climbed, steps=steps), missing):
            results.add(climb)


def climbed(task: Task, steps: Sequence[int] = STEPS) -> Climb:
    """Play a ladder of new matches, round by round.

    If matches were drawn again from stored ones, a ladder that seats the same bots often would only
    find out what those few matches happened to be.
    """
    field = Field(task.format, SEATS[task.format])
    parameters = Parameters(FORMATS[task.format].draw_probability)
    tables = _tables(task, field.seats, parameters)
    rng = Random(f"{task.format} {task.pairing} {task.number}")
    live = dict.fromkeys(field.bots, parameters.first)
    results: list[Result] = []
    checkpoints = []
    for matches in range(1, steps[-1] + 1):
        for table in tables(live, rng):
            result = field.play(table, rng)
            rated = rate([live[bot] for bot in table], result.ranks, parameters)
            live.update(zip(table, rated, strict=True))
            results.append(result)
        if matches in steps:
            checkpoints.append(_checkpoint(matches, results, live, parameters))
    return Climb(task, scores(results), checkpoints)


def _tables(task: Task, seats: int, parameters: Parameters) -> Tables:
    if task.pairing == LOT:
        return by_lot(seats)
    return by_pair(seats, partial(quality, parameters=parameters))


def _checkpoint(
    matches: int, results: Sequence[Result], live: Mapping[str, Rating], parameters: Parameters
) -> Checkpoint:
    played: list[Played] = [(one.bots, one.ranks) for one in results]
    prior = fit_prior(played, parameters)  # twelve bots are too few for a fit: it is the usual one
    standing = joint(played, prior.spreading(parameters)).posterior
    points = points_table(Scored(one.bots, one.totals) for one in results)
    history = rate_history(played, parameters)
    top = {
        "live": _best({bot: rating.conservative for bot, rating in live.items()}),
        "history": _best({bot: rating.mu for bot, rating in history.items()}),
        "standing": _best({bot: rating.mu for bot, rating in standing.ratings().items()}),
        "points": _best({line.bot: line.points for line in points.lines()}),
    }
    intervals = {place.bot: (place.best, place.worst) for place in standing.places()}
    said = {"standing": said_top(standing, TOP), "points": said_top(points.posterior, TOP)}
    return Checkpoint(matches, top, intervals, said_held(standing, intervals), said)


def _best(strengths: Mapping[str, float]) -> list[str]:
    return sorted(strengths, key=lambda bot: -strengths[bot])[:TOP]


# --- what they come to ----------------------------------------------------------------------------


class Summary(NamedTuple):
    """The ladders of one format and pairing after some matches."""

    format: str
    pairing: str
    matches: int  # per bot
    ladders: int
    live: float  # part of the ladders with the top three in order, by estimate
    history: float
    standing: float
    said_standing: float  # what it says of itself
    points: float
    said_points: float
    held: float  # part of the standing's 90 % rank intervals that hold the true rank
    said_held: float
    width: float  # their mean width, in ranks


class _Judged(NamedTuple):
    """A ladder after some matches, and what is true."""

    checkpoint: Checkpoint
    order: Sequence[str]

    def right(self, estimate: str) -> bool:
        return list(self.checkpoint.top[estimate]) == list(self.order[:TOP])

    def held(self) -> float:
        ranks = {bot: rank for rank, bot in enumerate(self.order, 1)}
        spans = self.checkpoint.intervals.items()
        return fmean(low <= ranks[bot] <= high for bot, (low, high) in spans)

    def width(self) -> float:
        return fmean(high - low + 1 for low, high in self.checkpoint.intervals.values())


def summaries(results: Results) -> Iterator[Summary]:
    """One for each format, pairing and number of matches."""
    groups: dict[tuple[str, str, int], list[_Judged]] = {}
    for task, climb in results.climbs.items():
        order = results.order(task)
        for one in climb.checkpoints:
            groups.setdefault((*task[:2], one.matches), []).append(_Judged(one, order))
    for (name, pairing, matches), some in sorted(groups.items(), key=lambda group: group[0]):
        yield Summary(
            name,
            pairing,
            matches,
            ladders=len(some),
            live=fmean(one.right("live") for one in some),
            history=fmean(one.right("history") for one in some),
            standing=fmean(one.right("standing") for one in some),
            said_standing=fmean(one.checkpoint.said_top["standing"] for one in some),
            points=fmean(one.right("points") for one in some),
            said_points=fmean(one.checkpoint.said_top["points"] for one in some),
            held=fmean(one.held() for one in some),
            said_held=fmean(one.checkpoint.said_held for one in some),
            width=fmean(one.width() for one in some),
        )


class Gap(NamedTuple):
    """The distance of two neighbours among the best, by the ladders by lot of a format."""

    format: str
    ladders: int
    better: str
    worse: str
    apart: float  # the part of the others that they rank above, the one less the other
    luck: float  # how far that strays from ladder to ladder

    @property
    def matches(self) -> float:
        """Matches per bot after which they are in order in 95 % of ladders."""
        return STEPS[-1] * (_MOSTLY * self.luck / self.apart) ** 2


def gaps(results: Results, format_name: str) -> Iterator[Gap]:
    """Between the best three of a format and the bot behind each."""
    some = [
        climb.scores
        for task, climb in results.climbs.items()
        if (task.format, task.pairing) == (format_name, LOT)
    ]
    means = {bot: fmean(each[bot] for each in some) for bot in some[0]}
    order = sorted(means, key=lambda bot: -means[bot])
    for better, worse in pairwise(order[: TOP + 1]):
        apart = [each[better] - each[worse] for each in some]
        yield Gap(format_name, len(some), better, worse, fmean(apart), stdev(apart))
