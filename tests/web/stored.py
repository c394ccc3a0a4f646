"""Matches put into a database as if they had been played: with a record that checks out."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from paddock_games import Match, PlayedMatch, Seated, Step, Timing, game_of, play
from paddock_server.basics.identity import new_match_id
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Entrant, Plan
from paddock_server.referee.result import results_of
from paddock_server.store import results, store
from paddock_server.store.database import Database
from paddock_server.store.rows import NewMatch
from paddock_server.tables.opening import begun
from tests.store.opened import write

STARTED = "2026-11-15T12:00:00.000Z"


def store_match(
    database: Database,
    format_name: str,
    seats: Sequence[tuple[str, str, str]],
    *,
    faults: Mapping[int, str] | None = None,
    fallbacks: Mapping[int, str] | None = None,
    shares: Mapping[int, float] | None = None,
    finished: bool = True,
    **planned: Any,
) -> str:
    """The id of a match of these (bot, version, owner); a fault or a fallback is in the
    seat's first decision, and a share is that of a core."""
    game, match_id = game_of(format_name), new_match_id()
    bots = tuple(bot for bot, _, _ in seats)
    rules = game.rules(None)
    plan = Plan(format_name, rules, bots, Clock(), **planned)
    opening = begun(plan, [Entrant(*seat, sends_nonces=True) for seat in seats], STARTED)
    (number,) = write(database, store.add_matches, [NewMatch(match_id, plan)])
    write(database, store.open_match, number, plan, opening)
    if not finished:
        return match_id
    rng = Random(match_id)
    seated = [
        Seated(*who, nonce=rng.randbytes(16), cpu_share=(shares or {}).get(seat, 0.0))
        for seat, who in enumerate(seats)
    ]
    seed = bytes.fromhex(opening.seed)
    match = Match(
        match_id, format_name, rules, seated, seed, plan.tournament or None, STARTED, STARTED
    )
    troubled = [(faults or {}).get(seat) for seat in range(len(seats))]
    excused = [(fallbacks or {}).get(seat) for seat in range(len(seats))]
    brains = [_default if excuse else game.brains["greedy"] for excuse in excused]
    state = match.start()
    first = {  # the referee makes it where there is a fault
        seat: state.default(seat) if troubled[seat] else brains[seat](state.view(seat), rng)
        for seat in state.to_move
    }
    steps, end = play(state.step(first), brains, [rng] * len(seats))
    timed = [
        Step(step.state, step.choices, {
            seat: Timing(12.5, 1.5, troubled[seat], fallback=excused[seat])
            if at == 0
            else Timing(12.5, 1.5)
            for seat in step.choices
        })
        for at, step in enumerate([Step(state, first), *steps])
    ]  # fmt: skip
    played = PlayedMatch(match, timed, end)
    write(database, results.finish, number, played, results_of(played), rated=plan.rated)
    return match_id


def _default(view: Any, _rng: Random) -> Any:
    """What a client falls back on."""
    return view.default
