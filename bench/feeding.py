"""What feeding gains, what doubting it costs honest ladders, and how often honest pairs are named.

    thrown    what a bot gains from a hundred matches that another owner's bot throws
    honest    how far strengths are off on small honest ladders, with and without doubt
    accused   honest pairs that `paddock ladder suspects` names
    found     throwers that it names, by how often the two have met

All of it takes about fifteen minutes on one core; --quick is a look of a minute, not a result.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from random import Random
from statistics import fmean
from typing import Final, NamedTuple

from bench.measure import Figures, Goal
from bench.parts import Part, parser_of, show_parts
from tests.ladder.simulated import Climb, Ladder, by_pair, ladder

from paddock_ladder.joint import fit_prior, joint
from paddock_ladder.quality import quality
from paddock_ladder.rating import Parameters, Rating
from paddock_server.standings.inspecting import suspected

PARAMETERS: Final = Parameters(draw_probability=0.02)
SIGMAS: Final = (1.0, 1.5, 1.76, 2.2, 2.6, 3.0)
HONEST_BEFORE: Final = (20, 50, 100)  # matches of each bot, before anything is thrown
HONEST_EACH: Final = (1, 3)  # matches of each bot of the pair, after every thrown one
THROWN: Final = 100
SPREAD: Final = 4.2  # as real bots lie
SIZES: Final = ((6, 2), (6, 4), (12, 2), (12, 4), (40, 2), (40, 4))  # bots, seats
MATCHES: Final = 100  # of each bot, on honest ladders


def standing(ladder: Ladder | Climb) -> Mapping[str, float]:
    """The strengths by the whole history."""
    prior = fit_prior(ladder.played, PARAMETERS, ladder.parts)
    posterior = joint(ladder.played, prior.spreading(PARAMETERS), parts=ladder.parts).posterior
    return dict(zip(posterior.bots, posterior.mu.tolist(), strict=True))


# --- thrown matches -------------------------------------------------------------------------------


class Gain(NamedTuple):
    """What the winner gains at most on the live table, and at the end on the standing."""

    live: float
    standing: float


def alone(sigma: float, *, doubt: bool) -> float:
    """What is gained on the live table by two bots that know nobody else."""
    climb = Climb(dict.fromkeys(("ada", "bob"), Rating(25.0, sigma)), PARAMETERS, doubt=doubt)
    return thrown(climb, "ada", "bob")


def thrown(climb: Climb, winner: str, loser: str) -> float:
    """Throw the matches; the most that the winner gains meanwhile."""
    before, most = climb.live[winner].mu, 0.0
    for _ in range(THROWN):
        climb.play((winner, loser), (1, 2))
        most = max(most, climb.live[winner].mu - before)
    return most


def after(matches: int, seed: int, *, doubt: bool) -> Gain:
    """What is gained after honest matches on a ladder of six equals, of which two then throw."""
    rng = Random(f"fed after {matches} {seed}")
    tables = by_pair(2, partial(quality, parameters=PARAMETERS))
    names = [f"bot{number}" for number in range(6)]
    climb = Climb(dict.fromkeys(names, PARAMETERS.first), PARAMETERS, doubt=doubt)
    for _ in range(matches):
        for table in tables(climb.live, rng):
            climb.play(table, rng.choice([(1, 2), (2, 1)]))
    winner, before = names[0], standing(climb)[names[0]]
    meetings = [set(bots) for bots, _ in climb.played]
    latest = {
        bot: max((n for n, met in enumerate(meetings) if {winner, bot} <= met), default=-1)
        for bot in names[1:]
    }
    loser = min(latest, key=lambda bot: latest[bot])  # whom it met longest ago: no doubt is left
    live = thrown(climb, winner, loser)
    return Gain(live, standing(climb)[winner] - before)


def mixed(honest: int, seed: int, *, doubt: bool) -> Gain:
    """What is gained by a pair that plays so many honest matches for each that it throws."""
    rng = Random(f"mixed {seed}")
    pair, others = ["ada", "bob"], [f"bot{number}" for number in range(4)]
    climb = Climb(dict.fromkeys((*pair, *others), Rating(25.0, 1.76)), PARAMETERS, doubt=doubt)
    for _ in range(THROWN):
        climb.play(pair, (1, 2))
        for _ in range(honest):
            for bots in zip(pair, rng.sample(others, 2), strict=True):
                climb.play(bots, rng.choice([(1, 2), (2, 1)]))
            climb.play(rng.sample(others, 2), (1, 2))
    return Gain(climb.live["ada"].mu - 25.0, standing(climb)["ada"] - 25.0)


def mean(gains: Iterable[Gain]) -> Gain:
    """Of some ladders."""
    return Gain(*map(fmean, zip(*gains, strict=True)))


def thrown_part(quick: bool) -> Part:
    """Gains by doubt, and by what the bots did before."""
    seeds = range(3 if quick else 100)
    rows: list[tuple[str, ...]] = []
    goals = []
    for sigma in SIGMAS:
        with_doubt = alone(sigma, doubt=True)
        goals.append(Goal(f"alone, sigma {sigma}", with_doubt, 1.5, at_least=False))
        rows.append(
            (
                f"alone, sigma {sigma}",
                f"{alone(sigma, doubt=False):.2f}",
                f"{with_doubt:.2f}",
                "",
                "",
            )
        )
    cases = [(f"after {n} honest matches", partial(after, n)) for n in HONEST_BEFORE]
    cases += [(f"{n} honest for each thrown one", partial(mixed, n)) for n in HONEST_EACH]
    for name, gained in cases:
        without, doubted = (mean(gained(n, doubt=doubt) for n in seeds) for doubt in (False, True))
        goals.append(Goal(f"{name}, live", doubted.live, 1.5, at_least=False))
        goals.append(Goal(f"{name}, standing", doubted.standing, 1.5, at_least=False))
        live = f"{without.live:.2f}", f"{doubted.live:.2f}"
        whole = f"{without.standing:.2f}", f"{doubted.standing:.2f}"
        rows.append((name, *live, *whole))
    title = f"Mu gained by {THROWN} thrown matches"
    columns = ("pair", "live, believed", "live, doubted", "standing, believed", "standing, doubted")
    return Part(rows, Figures(title, columns, rows), goals)


# --- honest ladders -------------------------------------------------------------------------------


class Off(NamedTuple):
    """How far strengths are off, and whether the best three are in order, by table."""

    live: float
    standing: float
    best_live: float
    best_standing: float


def off(truth: Ladder) -> Off:
    """Of one ladder."""
    order = sorted(truth.strengths, key=lambda bot: -truth.strengths[bot])[:3]
    figures: list[float] = []
    best: list[float] = []
    for values in ({bot: one.mu for bot, one in truth.live.items()}, standing(truth)):
        shift = fmean(values.values()) - fmean(truth.strengths.values())
        figures.append(fmean(abs(values[bot] - shift - truth.strengths[bot]) for bot in values))
        best.append(sorted(values, key=lambda bot: -values[bot])[:3] == order)
    return Off(*figures, *best)


def honest(bots: int, seats: int, seeds: range, *, doubt: bool) -> Off:
    """The mean of some ladders."""
    cases = [off(honest_ladder(bots, seats, seed, doubt=doubt)) for seed in seeds]
    return Off(*map(fmean, zip(*cases, strict=True)))


def honest_ladder(bots: int, seats: int, seed: int, *, doubt: bool = True) -> Ladder:
    """A ladder that is paired as the product pairs."""
    tables = by_pair(seats, partial(quality, parameters=PARAMETERS))
    return ladder(
        f"an honest ladder {seed}",
        *(bots, MATCHES, SPREAD, tables),
        parameters=PARAMETERS,
        doubt=doubt,
    )


def honest_part(quick: bool) -> Part:
    """Errors with and without doubt."""
    rows = []
    goals = []
    for bots, seats in SIZES[: 2 if quick else None]:
        seeds = range(4 if quick else 150 if bots < 40 else 30)
        without, doubted = (honest(bots, seats, seeds, doubt=doubt) for doubt in (False, True))
        for name, before, now in (
            ("live", without.live, doubted.live),
            ("standing", without.standing, doubted.standing),
        ):
            goals.append(
                Goal(f"{name} of {bots} at {seats}", 100 * (now / before - 1), 10, at_least=False)
            )
        rows.append(
            (
                *(f"{bots}", f"{seats}"),
                *(f"{without.live:.2f}", f"{doubted.live:.2f}"),
                *(f"{without.standing:.2f}", f"{doubted.standing:.2f}"),
                f"{100 * without.best_standing:.0f} %",
                f"{100 * doubted.best_standing:.0f} %",
            )
        )
    columns = (
        *("bots", "seats", "live, believed", "live, doubted"),
        *("standing, believed", "standing, doubted", "best three", "best three, doubted"),
    )
    return Part(rows, Figures(f"Mean error of mu after {MATCHES} matches", columns, rows), goals)


# --- suspects -------------------------------------------------------------------------------------


def accused(bots: int, seats: int, ladders: int) -> Iterator[int]:
    """Pairs that are named on honest ladders, ladder by ladder."""
    for seed in range(ladders):
        truth = honest_ladder(bots, seats, seed)
        yield len(suspected(truth.played, PARAMETERS))


def accused_part(quick: bool) -> Part:
    """Honest ladders on which anybody is named."""
    rows = []
    goals = []
    for bots, seats in SIZES[2:3] if quick else SIZES[2:]:
        ladders = 5 if quick else 1200 // bots
        named = list(accused(bots, seats, ladders))
        clean = sum(not one for one in named)
        goals.append(Goal(f"{bots} at {seats}", 100 * clean / ladders, 95))
        rows.append((f"{bots}", f"{seats}", f"{ladders}", f"{sum(named)}", f"{ladders - clean}"))
    columns = ("bots", "seats", "ladders", "pairs named", "ladders with one")
    return Part(rows, Figures("Honest pairs that are named", columns, rows), goals)


class Throwing(NamedTuple):
    """A kind of ladder on which one bot loses to another on purpose."""

    name: str
    seats: int  # 0: two that play one honest match for each meeting, beside four others
    every: int  # how many meetings there are for one that is thrown


THROWING: Final = tuple(
    Throwing(f"{name}, {how}", seats, every)
    for name, seats in (
        ("one honest match for each meeting", 0),
        ("12 bots in pairs", 2),
        ("12 bots at tables of four", 4),
    )
    for how, every in (("always", 1), ("every other time", 2))
)
MEETINGS: Final = (24, 48, 96)


class Found(NamedTuple):
    """A ladder after some meetings of the two."""

    found: bool
    others: int  # pairs named besides


def found(throwing: Throwing, seed: int) -> list[Found]:
    """Whether the two are named, after each number of meetings."""
    rng = Random(f"found {throwing} {seed}")
    bots = 12 if throwing.seats else 6
    strengths = {f"bot{number:02}": rng.gauss(25, SPREAD) for number in range(bots)}
    order = sorted(strengths, key=lambda bot: strengths[bot])
    at = rng.randrange(bots - 1)
    winner, loser = order[at : at + 2]  # who loses is the next better one
    climb = Climb(dict.fromkeys(strengths, PARAMETERS.first), PARAMETERS, doubt=True)
    tables = by_pair(throwing.seats, partial(quality, parameters=PARAMETERS))
    others = [bot for bot in order if bot not in (winner, loser)]
    meetings, result = 0, []
    while meetings < MEETINGS[-1]:
        if throwing.seats:
            now = tables(climb.live, rng)
        else:
            partners = rng.sample(others, 4)
            now = ((winner, loser), (winner, partners[0]), (loser, partners[1]), partners[2:])
        for table in now:
            performed = {bot: rng.gauss(strengths[bot], PARAMETERS.beta) for bot in table}
            meet = {winner, loser} <= set(table)
            meetings += meet
            if meet and meetings % throwing.every == 0:
                performed[loser] = min(performed.values()) - 1
            ranks = [1 + sum(performed[other] > performed[bot] for other in table) for bot in table]
            climb.play(table, ranks)
            if meet and meetings in MEETINGS:
                named = {(one.one, one.other) for one in suspected(climb.played, PARAMETERS)}
                result.append(Found((winner, loser) in named, len(named - {(winner, loser)})))
    return result


def found_part(quick: bool) -> Part:
    """Throwers that are named, by the number of meetings."""
    ladders = 4 if quick else 30
    rows = []
    for throwing in THROWING[: 2 if quick else None]:
        cases = [found(throwing, seed) for seed in range(ladders)]
        shares = [fmean(case[at].found for case in cases) for at in range(len(MEETINGS))]
        others = fmean(case[-1].others for case in cases)
        rows.append((throwing.name, *(f"{100 * one:.0f} %" for one in shares), f"{others:.2f}"))
    columns = ("thrown", *(f"{each} meetings" for each in MEETINGS), "others named")
    return Part(rows, Figures(f"Throwers that are named, {ladders} ladders", columns, rows), ())


PARTS: Final = {
    "thrown": thrown_part,
    "honest": honest_part,
    "accused": accused_part,
    "found": found_part,
}


def main() -> None:
    """Measure and show."""
    parser = parser_of("bench.feeding", __doc__, PARTS)
    chosen = parser.parse_args()
    begun = time.process_time()
    parts = {name: PARTS[name](chosen.quick) for name in chosen.part or PARTS}
    seconds = time.process_time() - begun
    show_parts(parts, seconds, as_json=chosen.json)


if __name__ == "__main__":
    main()
