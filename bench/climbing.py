"""Ladders of graded bots: real matches, and what the ladder's tables say after some of them.

Every ladder is a task by itself: it depends on its format, its pairing and its number alone. With a
file of results each one is written as it comes, and a later run goes on from there.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from bench.graded import Field, Result, score_order
from tests.ladder.simulated import Tables, by_lot, by_pair

from paddock_games import FORMATS
from paddock_ladder.history import rate_history
from paddock_ladder.joint import Scored, fit_prior, joint, points_table
from paddock_ladder.played import Played
from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.update import rate

SEATS: Final = {"summer": 4, "two-player": 2, "winter": 4, "dino-twist": 4}
TIMES: Final = {4: 30, 2: 450}  # by seats; every set of bots plays, about 5,000 matches per bot
PAIRINGS: Final = ("by lot", "by the ladder")
STEPS: Final = (100, 250, 400)  # matches per bot
TOP: Final = 3


class Scale(NamedTuple):
    """How much is played, and by how many processes."""

    times: Mapping[int, int] = TIMES
    steps: Sequence[int] = STEPS
    jobs: int = 1


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


class Climb(NamedTuple):
    """A ladder that was played."""

    task: Task
    checkpoints: Sequence[Checkpoint]


class Truth(NamedTuple):
    """The true order of the bots in a format, the best first."""

    format: str
    times: int  # how often every set of bots played for it
    order: Sequence[str]


class Results:
    """The truths and ladders that are known, in a file if there is one: one line for each."""

    def __init__(self, path: Path | None) -> None:
        self.truths: dict[tuple[str, int], Truth] = {}
        self.climbs: dict[Task, Climb] = {}
        self._path = path
        if path is not None and path.exists():
            text = path.read_text()
            whole = text[: text.rfind("\n") + 1]  # a kill may have torn the last line
            path.write_text(whole)
            for line in whole.splitlines():
                self._take(json.loads(line))

    def add_truth(self, truth: Truth) -> None:
        """Keep a truth."""
        self.truths[truth.format, truth.times] = truth
        self._write({"truth": truth._asdict()})

    def add_climb(self, climb: Climb) -> None:
        """Keep a ladder."""
        self.climbs[climb.task] = climb
        checkpoints = [one._asdict() for one in climb.checkpoints]
        self._write({"ladder": climb.task._asdict(), "checkpoints": checkpoints})

    def _take(self, line: Mapping[str, Any]) -> None:
        if "truth" in line:
            truth = Truth(**line["truth"])
            self.truths[truth.format, truth.times] = truth
        else:
            task = Task(**line["ladder"])
            self.climbs[task] = Climb(task, [Checkpoint(**one) for one in line["checkpoints"]])

    def _write(self, line: Mapping[str, object]) -> None:
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")


def measure(results: Results, tasks: Sequence[Task], scale: Scale) -> None:
    """Play what is not known yet."""
    formats = dict.fromkeys(task.format for task in tasks)
    wanted = [(name, scale.times[SEATS[name]]) for name in formats]
    truths = [one for one in wanted if one not in results.truths]
    climbs = [task for task in tasks if task not in results.climbs]
    with Pool(scale.jobs) as pool:
        for truth in pool.imap_unordered(_truth, truths):
            results.add_truth(truth)
        for climb in pool.imap_unordered(partial(climbed, steps=scale.steps), climbs):
            results.add_climb(climb)


def _truth(wanted: tuple[str, int]) -> Truth:
    name, times = wanted
    everybody = Field(name, SEATS[name]).everybody(times, Random("everybody"))
    return Truth(name, times, score_order(everybody))


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
    return Climb(task, checkpoints)


def _tables(task: Task, seats: int, parameters: Parameters) -> Tables:
    if task.pairing == "by lot":
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
    return Checkpoint(matches, top, intervals)


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
    points: float
    held: float  # part of the standing's 90 % rank intervals that hold the true rank
    width: float  # their mean width, in ranks


def summaries(results: Results, tasks: Iterable[Task], scale: Scale) -> Iterator[Summary]:
    """One for each format, pairing and number of matches."""
    groups: dict[tuple[str, str, int], list[Checkpoint]] = {}
    for task in tasks:
        for one in results.climbs[task].checkpoints:
            groups.setdefault((task.format, task.pairing, one.matches), []).append(one)
    for (name, pairing, matches), some in groups.items():
        order = list(results.truths[name, scale.times[SEATS[name]]].order)
        spans = [
            (order.index(bot) + 1, low, high)
            for one in some
            for bot, (low, high) in one.intervals.items()
        ]
        right = {
            estimate: sum(list(one.top[estimate]) == order[:TOP] for one in some) / len(some)
            for estimate in some[0].top
        }
        held = sum(low <= rank <= high for rank, low, high in spans) / len(spans)
        width = sum(high - low + 1 for _, low, high in spans) / len(spans)
        yield Summary(name, pairing, matches, ladders=len(some), held=held, width=width, **right)
