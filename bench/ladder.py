"""How fast ratings are, beside the package `trueskill`.

Both rate the same tables of five: bots of known strength with ratings that fit, ranks by the model.
"Ties" are tables where somebody ties. Both rate the same history from its first match to its last:
ours at once, until it is at rest, the package's match by match. Time is the CPU time of this
process, and both take turns.
"""

import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

import trueskill
from bench.measure import (
    Figures,
    Goal,
    Run,
    Timed,
    Work,
    alternate,
    machine,
    options,
    show,
    show_json,
)

from paddock_ladder.history import rate_history
from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_ladder.standing import places
from paddock_ladder.update import rate

RATIO_WANTED: Final = 10.0
STANDINGS_MS_WANTED: Final = 50.0
DRAWS: Final = 0.02
SEATS: Final = 5
BOTS: Final = 200
PARAMETERS: Final = Parameters(draw_probability=DRAWS)
PACKAGE: Final = trueskill.TrueSkill(draw_probability=DRAWS)

Seats: TypeAlias = list[tuple[Rating, int]]
Played: TypeAlias = tuple[list[str], list[int]]


class Sizes(NamedTuple):
    """How much is done in one run."""

    history: int  # matches
    seconds: float


FULL: Final = Sizes(20_000, 0.2)
QUICK: Final = Sizes(2_000, 0.05)


def ranking(rng: Random, strengths: list[float]) -> list[int]:
    """The ranks of a match: performances by the model, neighbours within the margin tie."""
    performed = [rng.gauss(strength, PARAMETERS.beta) for strength in strengths]
    order = sorted(range(len(performed)), key=lambda seat: -performed[seat])
    ranks = [1] * len(order)
    for place, (better, worse) in enumerate(pairwise(order), 2):
        close = performed[better] - performed[worse] < PARAMETERS.margin
        ranks[worse] = ranks[better] if close else place
    return ranks


def table(rng: Random, ties: bool) -> Seats:
    """Five rated bots and their ranks; with ties, or without any."""
    while True:
        strengths = [rng.gauss(PARAMETERS.mu, PARAMETERS.sigma / 2) for _ in range(SEATS)]
        ranks = ranking(rng, strengths)
        if (len(set(ranks)) < SEATS) == ties:
            sigmas = [rng.uniform(0.8, 3) for _ in strengths]
            known = [
                Rating(rng.gauss(one, by), by) for one, by in zip(strengths, sigmas, strict=True)
            ]
            return list(zip(known, ranks, strict=True))


def each(tables: list[Seats], call: Callable[[Seats], object]) -> Work:
    """Work whose unit is one table."""

    def work(rounds: int) -> Run:
        ready = [tables[number % len(tables)] for number in range(rounds)]

        def run() -> int:
            for seats in ready:
                call(seats)
            return len(ready)

        return run

    return work


def ours(seats: Seats) -> object:
    """Our update."""
    return rate([rating for rating, _ in seats], [rank for _, rank in seats], PARAMETERS)


def theirs(seats: Seats) -> object:
    """The package's update; its ratings are made of ours, which takes a hundredth of it."""
    groups = [(trueskill.Rating(*rating),) for rating, _ in seats]
    return PACKAGE.rate(groups, [rank for _, rank in seats])


def evenness(seats: Seats) -> object:
    """Our match quality."""
    return quality([rating for rating, _ in seats], PARAMETERS)


def their_evenness(seats: Seats) -> object:
    """The package's match quality."""
    return PACKAGE.quality([(trueskill.Rating(*rating),) for rating, _ in seats])


def history(rng: Random, matches: int) -> list[Played]:
    """Matches of bots whose strengths spread as newcomers' do."""
    strengths = {
        f"bot{number}": rng.gauss(PARAMETERS.mu, PARAMETERS.sigma) for number in range(BOTS)
    }
    names = list(strengths)
    played = []
    for _ in range(matches):
        who = rng.sample(names, SEATS)
        played.append((who, ranking(rng, [strengths[bot] for bot in who])))
    return played


def histories(played: list[Played]) -> dict[str, Work]:
    """The whole history, by ours at once, by the package match by match."""

    def whole() -> int:
        rate_history(played, PARAMETERS)
        return len(played)

    def one_by_one() -> int:
        known: dict[str, Any] = {}
        for bots, ranks in played:
            groups = [(known.get(bot) or PACKAGE.create_rating(),) for bot in bots]
            for bot, (rated,) in zip(bots, PACKAGE.rate(groups, ranks), strict=True):
                known[bot] = rated
        return len(played)

    return {"ours": lambda _: whole, "trueskill": lambda _: one_by_one}


def thousand(rng: Random) -> Work:
    """Work whose unit is a table of standings of a thousand bots."""
    ratings = {
        f"bot{number}": Rating(rng.gauss(25, 6), rng.uniform(0.7, 2.5)) for number in range(1000)
    }

    def work(rounds: int) -> Run:
        return lambda: sum(len(places(ratings)) for _ in range(rounds)) // len(ratings)

    return work


class Measured(NamedTuple):
    """All that one run of this benchmark found out."""

    pairs: dict[str, dict[str, Timed]]  # by subject: ours and the package's
    standings: Timed

    def ratio(self, subject: str) -> float:
        """Ours over the package's."""
        both = self.pairs[subject]
        return both["ours"].rate.median / both["trueskill"].rate.median

    def standings_ms(self) -> float:
        """Milliseconds that a table of a thousand bots takes."""
        return 1e3 / self.standings.rate.median

    def goals(self) -> list[Goal]:
        """What is to be reached, and what is."""
        goals = [
            Goal(f"{subject}: x trueskill", self.ratio(subject), RATIO_WANTED)
            for subject in self.pairs
            if not subject.startswith("history")  # which does other work than the package's
        ]
        shown = "standings of 1,000 bots, milliseconds"
        return [*goals, Goal(shown, self.standings_ms(), STANDINGS_MS_WANTED, at_least=False)]

    def tables(self) -> list[Figures]:
        """For people."""
        rows = [
            (
                subject,
                *(f"{both[side].rate.median:,.0f}" for side in ("ours", "trueskill")),
                f"{self.ratio(subject):.1f}",
            )
            for subject, both in self.pairs.items()
        ]
        return [Figures("Matches a second", ("", "ours", "trueskill", "x"), rows)]

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return {
            "matches_per_second": {
                subject: {side: timed.rate._asdict() for side, timed in both.items()}
                for subject, both in self.pairs.items()
            },
            "ratios": {subject: self.ratio(subject) for subject in self.pairs},
            "standings_ms": self.standings_ms(),
        }


def measured(sizes: Sizes, repeats: int) -> Measured:
    """Rate and time everything."""
    rng = Random(2026)
    apart = [table(rng, ties=False) for _ in range(300)]
    tied = [table(rng, ties=True) for _ in range(300)]
    subjects = {
        "update, five without ties": {"ours": each(apart, ours), "trueskill": each(apart, theirs)},
        "update, five with ties": {"ours": each(tied, ours), "trueskill": each(tied, theirs)},
        "quality, five": {"ours": each(apart, evenness), "trueskill": each(apart, their_evenness)},
    }
    pairs = {
        subject: alternate(works, repeats, sizes.seconds, time.process_time)
        for subject, works in subjects.items()
    }
    played = history(rng, sizes.history)
    pairs[f"history of {sizes.history:,}, {BOTS} bots"] = alternate(
        histories(played), 5, 0, time.process_time
    )
    lists = alternate({"ours": thousand(rng)}, repeats, sizes.seconds, time.process_time)
    return Measured(pairs, lists["ours"])


def main() -> None:
    """Measure and show."""
    chosen = options("ladder", "How fast ratings are, beside the package trueskill.")
    where = {**machine(), "trueskill": version("trueskill"), "repeats": chosen.repeats}
    found = measured(QUICK if chosen.quick else FULL, chosen.repeats)
    if chosen.json:
        show_json({"benchmark": "ladder", "machine": where, **found.facts()}, found.goals())
    else:
        heading = (
            f"{where['cores']} cores, {where['system']}, {where['python']}, "
            f"trueskill {where['trueskill']}, load at the start {where['load']}, "
            f"medians of {chosen.repeats} repeats, of the history of 5"
        )
        show(heading, found.tables(), found.goals())


if __name__ == "__main__":
    main()
