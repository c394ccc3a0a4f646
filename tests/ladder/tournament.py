"""Tournaments to test schedules with: entries of every kind, and matches played by lot."""

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from paddock_ladder.schedules import (
    SCHEDULES,
    Entries,
    Outcome,
    Pairing,
    Schedule,
    Seating,
    Together,
    declare,
)


def names(number: int) -> tuple[str, ...]:
    return tuple(f"bot{at:02}" for at in range(number))


def ended(pairing: Pairing, *totals: int) -> Outcome:
    """The outcome with these points."""
    ranks = tuple(1 + sum(other > total for other in totals) for total in totals)
    key, form, bots, block, number = pairing
    return Outcome(key, form, bots, ranks, totals, block, number, declared=False)


def played(pairing: Pairing, seed: object = 0, luck: float = 6.0) -> Outcome:
    """How this match ends: by its key and the seed alone; earlier names are a little better."""
    rng = Random(f"{seed} {pairing.key}")
    totals = tuple(max(0, round(30 - int(bot[3:]) + rng.gauss(0, luck))) for bot in pairing.bots)
    return ended(pairing, *totals)


def over(pairing: Pairing, seed: object = 0) -> Outcome:
    """As played, but one in ten is declared because somebody is away."""
    rng = Random(f"away {seed} {pairing.key}")
    if rng.random() < 0.1:
        return declare(pairing, rng.sample(pairing.bots, rng.randint(1, len(pairing.bots))))
    return played(pairing, seed)


def finished(schedule: Schedule, seed: object = 0, order: Random | None = None) -> list[Outcome]:
    """A whole history; with `order` one match at a time, in any order that is allowed."""
    history: list[Outcome] = []
    while not (now := schedule.next(history)).done:
        pairings: Sequence[Pairing] = now.pairings
        if order is not None:
            pairings = [order.choice(pairings)]
        history += [over(pairing, seed) for pairing in pairings]
    return history


def order(schedule: Together, history: Sequence[Outcome]) -> list[str]:
    """All bots, the best placed first."""
    return [line.bot for line in schedule.places(history)]


@st.composite
def entries(draw: st.DrawFn, schedule: str, most: int = 9) -> Entries:
    """An entry that this schedule takes."""
    bots = draw(st.integers(4, most))
    seats = draw(st.integers(2, min(6, bots)))
    formats: tuple[Seating, ...]
    formats = (Seating("summer", seats, draw(st.integers(2, seats)) if schedule == "swiss" else 2),)
    if draw(st.booleans()):
        formats += (Seating("two-player", 2),)
    entry = Entries(names(bots), formats, draw(st.integers(1, 2)), draw(st.booleans()))
    if schedule == "swiss":
        return entry._replace(rounds=draw(st.integers(1, 4)))
    if schedule == "knockout":
        least = min(form.seats for form in formats)
        return entry._replace(advance=draw(st.none() | st.integers(1, least - 1)))
    entry = entry._replace(groups=draw(st.integers(1, 8)))
    if schedule == "gauntlet":
        return entry._replace(challenger=draw(st.sampled_from(entry.bots)))
    return entry


def made(schedule: str, entry: Entries) -> Together:
    return SCHEDULES[schedule](entry)
