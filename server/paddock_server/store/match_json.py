"""The JSON of matches in the store: plans, openings, journal events, results.

Only the store uses it. A value that an older version did not write has its default.
"""

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from paddock_games import Timing, game_of
from paddock_server.referee.clock import Clock
from paddock_server.referee.events import Committed, Dealt, Event, Stepped
from paddock_server.referee.plan import Begun, Deal, Entrant, Plan
from paddock_server.referee.result import SeatResult
from paddock_server.store.text import dumps

DEALT: Final = '{"event":"dealt"'
"""The beginning of the JSON of a deal in the journal, and of no other event."""


class StoredOpening(NamedTuple):
    """The plan of a match and, once it began, its beginning."""

    plan: Plan
    begun: Begun | None  # None: it waits


def opening_text(plan: Plan, begun: Begun | None = None) -> str:
    """The JSON of a match's opening, before or after it began."""
    values = {
        **plan._asdict(),
        "rules": plan.rules._asdict(),
        "rules_version": plan.rules.version,
        "clock": plan.clock._asdict(),
        "deal": plan.deal._asdict() if plan.deal else None,
    }
    if begun is not None:
        values["seats"] = [_seat_values(entrant) for entrant in begun.entrants]
        values["seed"] = begun.seed
        values["started"] = begun.started
        if begun.salted:
            values["salted"] = True
    return dumps(values)


def _seat_values(entrant: Entrant) -> list[Any]:
    """The values of an entrant, without defaults at the end; the plan has its name."""
    values = [entrant.version, entrant.owner, entrant.sends_nonces]
    if entrant.cpu_share:
        return [*values, entrant.commits_nonces, entrant.cpu_share]
    return [*values, True] if entrant.commits_nonces else values


def read_opening(text: str) -> StoredOpening:
    """The opening that was stored."""
    stored = json.loads(text)
    values = {name: stored[name] for name in Plan._fields if name in stored}
    deal = values.get("deal")
    values["deal"] = Deal(deal["seed"], tuple(deal["nonces"])) if deal else None
    values["tournament"] = values["tournament"] or ""
    values["bots"] = tuple(stored["bots"])
    values["clock"] = Clock(**stored["clock"])
    # A match goes on by the rules that it was planned with.
    game, version = game_of(stored["format"]), stored.get("rules_version", 1)
    values["rules"] = game.rules_of_version(stored["rules"], version)
    return StoredOpening(Plan(**values), _begun(stored) if "seats" in stored else None)


def _begun(stored: dict[str, Any]) -> Begun:
    entrants = tuple(
        Entrant(bot, *values) for bot, values in zip(stored["bots"], stored["seats"], strict=True)
    )
    return Begun(entrants, stored["seed"], stored["started"], stored.get("salted", False))


def event_text(event: Event) -> str:
    """The JSON of an event in the journal."""
    if isinstance(event, Committed):
        return dumps({"event": "committed", "digests": event.digests, "nonces": event.nonces})
    if isinstance(event, Dealt):
        late = {"late": event.late} if event.late else {}
        return dumps({"event": "dealt", "nonces": event.nonces, **late})
    return dumps(
        {
            "event": "step",
            "step": event.step,
            "choices": event.choices,
            # An earlier Paddock knows no host_ms: 0 is left out.
            "timings": [each if each.host_ms else each[:-1] for each in event.timings],
            "banks": event.banks,
            "in_a_row": event.in_a_row,
            "forfeit": event.forfeits,
        }
    )


def read_event(text: str) -> Event:
    """The event that was journalled."""
    stored = json.loads(text)
    if stored["event"] == "dealt":
        return Dealt(stored["nonces"], tuple(stored.get("late", ())))
    if stored["event"] == "committed":
        return Committed(stored["digests"], stored["nonces"])
    return Stepped(
        step=stored["step"],
        choices=stored["choices"],
        timings=[Timing(*timing) for timing in stored["timings"]],
        banks=stored["banks"],
        in_a_row=stored["in_a_row"],
        forfeits=stored["forfeit"],
    )


def read_deal(opening: str, event: str) -> Deal | None:
    """The deal of a match, from its opening and the event of its deal."""
    begun, dealt = read_opening(opening).begun, read_event(event)
    if begun is None or not isinstance(dealt, Dealt):
        return None
    return Deal(begun.seed, tuple(dealt.nonces))


def results_text(results: Sequence[SeatResult]) -> str:
    """The JSON of a match's results; the bots are in its opening."""
    return dumps(
        [
            {
                "total": seat.total,
                "rank": seat.rank,
                "forfeit": seat.forfeit,
                "faults": seat.faults,
                "fallbacks": seat.fallbacks,
            }
            for seat in results
        ]
    )


def read_results(
    text: str, bots: Sequence[str], begun: Begun | None = None
) -> tuple[SeatResult, ...]:
    """The results that were stored; empty before the end."""
    stored = json.loads(text)
    if not stored:
        return ()
    versions = [""] * len(stored)  # of a match that was decided without being played
    if begun is not None:
        versions = [entrant.version for entrant in begun.entrants]
    # Before schema 4 results did not count fallbacks.
    return tuple(
        SeatResult(bot, version, **result)
        for bot, version, result in zip(bots, versions, stored, strict=True)
    )
