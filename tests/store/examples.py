"""Matches of every kind, played at random: all formats, seats, rules, faults, forfeits, nonces."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from paddock_games import FORMATS, GAMES, Match, PlayedMatch, Seated, Step, Timing
from paddock_games.chance import NO_NONCE, NONCE_BYTES, SEED_BYTES, digest_of
from paddock_games.clock import Clock
from paddock_games.forfeit import forfeit_of
from paddock_games.game import FAULTS

MAX_FAULTS = 3
_OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "draftosaurus": {"quarantine_may_stay": True, "place_after_reveal": True},
    "dino_twist": {"claw_strengths": "9 10", "island_bonus_ties": "skip", "discard_in_turn": True},
}


def examples() -> Iterator[PlayedMatch]:
    """One for every format, number of seats and version of the rules, each with its troubles."""
    number = 0
    for form in FORMATS.values():
        game = GAMES[form.game]
        for version in range(1, game.rules_version + 1):
            for seats in range(form.seats[0], form.seats[1] + 1):
                options = {} if number % 2 else _OPTIONS.get(game.name, {})
                known = game.rules_of_version({}, version)._fields
                mine = {name: value for name, value in options.items() if name in known}
                rules = game.rules_of_version(mine, version)
                yield played(Random(number), form.name, seats, rules)
                number += 1


def played(rng: Random, form: str, seats: int, rules: Any) -> PlayedMatch:
    """A match whose seats choose at random, are late, fail, resign and come without a nonce."""
    timed = rng.random() < 0.8
    shares = rng.choice(((0.0,), (0.0, 0.5, 0.667, 1.0)))  # in half of the matches there are some
    seated = [_seated(rng, seat, rng.choice(shares)) for seat in range(seats)]
    match = Match(
        id=f"M{rng.randrange(10**9)}",
        format=form,
        rules=rules,
        seats=seated,
        seed=rng.randbytes(SEED_BYTES),
        tournament=rng.choice((None, "Größter Cup 漢字")),
        started="2026-11-16T12:00:00.000Z",
        ended="2026-11-16T12:01:02.345Z",
        clock=Clock(max_faults=MAX_FAULTS) if timed else None,
        salted=rng.random() < 0.5,
    )
    state = match.start()
    steps: list[Step] = []
    troubles = [rng.choice((0.0, 0.02, 0.3)) if timed else 0.0 for _ in range(seats)]
    while state.to_move:
        choices, timings = {}, {}
        for seat in state.to_move:
            gone = forfeit_of(steps, seat, MAX_FAULTS)
            timing = _timing(rng, troubles[seat]) if gone is None else Timing(fault=gone.reason)
            left = timing.fault is not None or timing.fallback is not None
            choices[seat] = state.default(seat) if left else rng.choice(state.legal(seat))
            if timed:
                timings[seat] = timing
        steps.append(Step(state, choices, timings))
        state = state.step(choices)
    why = [forfeit_of(steps, seat, MAX_FAULTS) for seat in range(seats)]
    ended = [
        each._replace(forfeit=one is not None, forfeited=one)
        for each, one in zip(seated, why, strict=True)
    ]
    return PlayedMatch(match._replace(seats=ended), tuple(steps), state)


def _seated(rng: Random, seat: int, cpu_share: float) -> Seated:
    nonce, late = rng.choice((NO_NONCE, rng.randbytes(NONCE_BYTES))), rng.random() < 0.2
    digest = rng.choice((None, digest_of(nonce)))
    if late:
        nonce, digest = NO_NONCE, rng.choice((None, rng.randbytes(32)))
    name = rng.choice(("rex", "Zoë", 'a "quoted" name', "漢字"))
    return Seated(
        bot=f"{name}-{seat}",
        version=rng.choice(("", "1.2")),
        owner=rng.choice(("ada", "Zoë 漢字")),
        nonce=nonce,
        nonce_digest=digest,
        nonce_late=late,
        cpu_share=cpu_share,
    )


def _timing(rng: Random, trouble: float) -> Timing:
    slow = rng.choice((1, 1, 1, 100, 5000))
    ms, lag = round(rng.random() * slow, 3), round(rng.random(), 3)
    fault = fallback = None
    if rng.random() < trouble:
        fault = rng.choice(FAULTS[:-1] if rng.random() < 0.9 else FAULTS)
    elif rng.random() < trouble:
        fallback = rng.choice(("ValueError: no", "it said nothing ✗"))
    return Timing(ms, lag, fault, round(ms - min(ms, lag), 3), fallback)
