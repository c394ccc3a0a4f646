"""The asks of a recorded match, for a debugger: without a server and without a clock.

from paddock import replay

for ask, choice, fault in replay.asks("lost.jsonl", "mine"):
    if bot.choose(ask) != choice:
        ...  # set a breakpoint here
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from paddock.ask import Ask
from paddock.match import Match, Seat
from paddock_games import BadRecord, commitment, read_record
from paddock_games import replay as play_again
from paddock_games.clock import Clock
from paddock_games.decision import decisions, seat_of
from paddock_games.field import Field
from paddock_games.record import PlayedMatch

Record: TypeAlias = Mapping[str, Any] | str | bytes | os.PathLike[str]
"""A record as a dict or as a line of JSON, or the path of a file with one record per line."""


class Asked(NamedTuple):
    """An ask of a recorded match, and its answer."""

    ask: Ask  # as the bot got it, with the time it had
    choice: Any  # what was chosen: one of `ask.legal`
    fault: str | None  # why the referee chose, such as TIMEOUT; None: the bot did


def asks(record: Record, seat: int | str, match: int | str = 1) -> Iterator[Asked]:
    """Every ask that a seat got, in order, as its bot got it.

    `seat` is a number from 0 or the name of a bot. `match` picks a record of a file by its number
    from 1 or its match id. The match goes on with the recorded choices, whatever the bot would
    choose now. Raises BadRecord where the record is wrong, and OSError where a file can't be read.
    """
    played = play_again(_read(record, str(match)))
    seat_number = seat_of(played.match, seat)
    return _asks(played, _match(played, seat_number))


def _asks(played: PlayedMatch, match: Match) -> Iterator[Asked]:
    seats = len(match.seats)
    for step, state, choice, timing, time_ms, bank_ms in decisions(played, match.seat):
        view = state.view(match.seat)
        number = step * seats + match.seat  # unique in the match
        ask = Ask(
            id=number,
            match=match,
            view=view,
            legal=tuple(view.legal),
            time_ms=time_ms,
            bank_ms=bank_ms,
        )
        yield Asked(ask, choice, timing.fault)


def _match(played: PlayedMatch, seat: int) -> Match:
    """The match as its bots saw it."""
    recorded = played.match
    return Match(
        id=recorded.id,
        format=recorded.format,
        seats=tuple(
            Seat(seated.bot, seated.version, seated.owner, seated.cpu_share)
            for seated in recorded.seats
        ),
        seat=seat,
        rules=recorded.rules,
        clock=recorded.clock or Clock(),
        commitment=bytes.fromhex(commitment(recorded.seed)),
        tournament=recorded.tournament or "",
    )


def _read(record: Record, wanted: str) -> Field:
    if isinstance(record, Mapping):
        return Field(dict(record), "", BadRecord)
    if isinstance(record, str | bytes):
        text = record.encode() if isinstance(record, str) else record
        if text.lstrip().startswith(b"{"):
            return read_record(text)
    return _read_file(Path(os.fsdecode(record)), wanted)


def _read_file(path: Path, wanted: str) -> Field:
    with path.open("rb") as file:
        for number, line in enumerate(filter(bytes.strip, file), start=1):
            if wanted == str(number):
                return read_record(line)
            if wanted.encode() in line:
                record = read_record(line)
                if record.value.get("match") == wanted:
                    return record
    raise BadRecord("match", f"{path} has no match {wanted}; give a number from 1 or a match id")
