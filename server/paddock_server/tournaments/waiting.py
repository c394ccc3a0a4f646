"""The waiting room: which bots tournaments wait for, why, and what happens to their matches."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple, Protocol

from paddock_server.basics.identity import stamp_of
from paddock_server.basics.wording import counted, lasting, listed
from paddock_server.lobby.lobby import Lobby
from paddock_server.lobby.presence import Hindrance
from paddock_server.tournaments.definition import LADDER, Definition

WAITING_LOG: Final = logging.getLogger("paddock.waiting")


class WaitedFor(NamedTuple):
    """A bot that a tournament waits for."""

    bot: str
    reason: Hindrance
    sentence: str  # such as: ada does not play summer
    formats: tuple[str, ...]  # that it does not play; empty for other reasons
    since: str  # a stamp; empty for a bot that is busy
    matches: int  # that can't begin without it; 0 for a bot that is busy
    declared_at: str  # when matches are decided without it; empty: never


class Situation(NamedTuple):
    """The bots that a tournament waits for, and a note about matches that can't be played."""

    waiting: tuple[WaitedFor, ...] = ()  # absent bots, then busy ones
    note: str = ""  # why nothing is played or some matches are never declared; else empty


class Pending(Protocol):
    """A match that has not begun."""

    @property
    def format(self) -> str:
        """The format of the match."""

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots by seat."""


class Runs(Protocol):
    """A running tournament, as far as the waiting room needs it."""

    definition: Definition

    def pending(self) -> Iterable[Pending]:
        """The matches that have not begun."""


class _Key(NamedTuple):
    """A bot and a format: a bot can play one format and not another."""

    bot: str
    format: str


@dataclass(frozen=True)
class _Absence:
    """The absence of a bot that can't play a format now."""

    began: float  # on the clock that patience is measured with
    patience_ends: str  # a stamp; empty: never
    hindrance: Hindrance
    since: str  # of this hindrance, which changes if the bot connects without the format


class _Look(NamedTuple):
    """A look at all bots of a tournament at one moment: what begins in it ends together."""

    now: float  # on the clock that patience is measured with
    at: datetime
    patience: float  # in seconds; 0: without end

    @property
    def patience_ends(self) -> str:
        """When the patience with those ends that are absent from this look on."""
        return stamp_of(self.at + timedelta(seconds=self.patience)) if self.patience else ""


class WaitingRoom:
    """The absent bots of each tournament of a server: since when they are absent, and why."""

    def __init__(self, lobby: Lobby) -> None:
        self.on_change: list[Callable[[], None]] = []
        self._lobby = lobby
        self._absences: dict[str, dict[_Key, _Absence]] = {}  # by tournament
        self._situations: dict[str, Situation] = {}

    def of(self, name: str) -> Situation:
        """The situation of the tournament of this name."""
        return self._situations.get(name, Situation())

    def keep_only(self, names: Collection[str]) -> None:
        """Forget all other tournaments."""
        for name in set(self._absences).difference(names):
            del self._absences[name]
            self._situations.pop(name, None)

    def late(self, running: Runs, now: float) -> Mapping[str, Collection[str]]:
        """The bots that are absent for longer than the patience of the tournament, by format."""
        look = _Look(now, datetime.now(UTC), running.definition.patience_seconds)
        before = self._absences.get(running.definition.name, {})
        absences: dict[_Key, _Absence] = {}
        late: dict[str, set[str]] = {}
        for key in _keys(running):
            hindrance = self._lobby.presence.hindrance(*key)
            if hindrance is not None:
                absence = _absence(before.get(key), hindrance, look)
                absences[key] = absence
                if now - absence.began >= look.patience > 0:
                    late.setdefault(key.format, set()).add(key.bot)
        self._absences[running.definition.name] = absences
        return late

    def describe(self, running: Runs) -> None:
        """Update the situation of a tournament, and call `on_change` if it changed."""
        name = running.definition.name
        situation = self._situation(running)
        if situation != self.of(name):
            self._situations[name] = situation
            for callback in self.on_change:
                callback()

    # --- what is said -----------------------------------------------------------------------

    def _situation(self, running: Runs) -> Situation:
        definition = running.definition
        absences = self._absences.get(definition.name, {})
        waiting: Counter[_Key] = Counter()
        declarable: set[str] = set()  # bots with a match in which another bot is present
        ready = hopeless = 0
        if absences or definition.schedule == LADDER:
            for pairing in running.pending():
                missing = [key for key in _seats(pairing) if key in absences]
                waiting.update(missing)
                ready += not missing
                if len(missing) == len(pairing.bots):
                    hopeless += 1
                else:
                    declarable.update(key.bot for key in missing)
        groups: dict[tuple[str, Hindrance], list[_Key]] = {}
        for key, absence in absences.items():
            if key in waiting or _never_paired(definition, key.bot, absences):
                groups.setdefault((key.bot, absence.hindrance), []).append(key)
        lines = [
            WaitedFor(
                bot=bot,
                reason=reason,
                sentence=self._sentence(bot, reason, [key.format for key in keys]),
                formats=tuple(key.format for key in keys) if reason is Hindrance.FORMAT else (),
                since=min(absences[key].since for key in keys),
                matches=sum(waiting[key] for key in keys),
                declared_at=(
                    min(absences[key].patience_ends for key in keys) if bot in declarable else ""
                ),
            )
            for (bot, reason), keys in groups.items()
        ]
        blocked = not ready and not self._lobby.presence.plays(definition.name)
        note = _note(definition, waiting.total(), hopeless, blocked=blocked)
        return Situation((*lines, *self._busy(definition)), note)

    def _sentence(self, bot: str, reason: Hindrance, formats: list[str]) -> str:
        if reason is Hindrance.AWAY:
            return f"{bot} is not connected"
        if reason is Hindrance.FORMAT:
            return f"{bot} does not play {listed(formats, 'or')}"
        return (
            f"{bot} is on probation: {self._lobby.presence.probation(bot) or 'its trial is over'}"
        )

    def _busy(self, definition: Definition) -> Iterator[WaitedFor]:
        for bot in definition.names:
            if self._lobby.is_busy(bot, definition.name):
                playing = counted(self._lobby.presence.open_matches_of(bot), "match", "matches")
                sentence = f"{bot} plays {playing} already"
                yield WaitedFor(
                    bot=bot,
                    reason=Hindrance.BUSY,
                    sentence=sentence,
                    formats=(),
                    since="",
                    matches=0,
                    declared_at="",
                )


def notice(definition: Definition, bot: str, formats: Collection[str]) -> str:
    """The notice of a tournament for a bot that plays these formats; empty: all is well."""
    wanted = [seating.format for seating in definition.formats]
    missing = [name for name in wanted if name not in formats]
    ladder = definition.schedule == LADDER
    if bot not in definition.names or not missing or (ladder and missing != wanted):
        return ""
    if ladder:
        then = f"the ladder {definition.name} never pairs it"
    elif definition.patience_seconds:
        after = lasting(definition.patience_seconds)
        then = f"tournament {definition.name} decides those matches without it after {after}"
    else:
        then = f"tournament {definition.name} waits for it without end"
    return f"{bot} does not play {listed(missing, 'or')}: {then}; add it to the bot's formats"


def _seats(pairing: Pending) -> list[_Key]:
    return [_Key(bot, pairing.format) for bot in pairing.bots]


def _keys(running: Runs) -> Iterable[_Key]:
    """The bots and formats to wait for; on a ladder also bots that were paired without an entry."""
    definition = running.definition
    formats = [seating.format for seating in definition.formats]
    keys = dict.fromkeys(_Key(bot, name) for bot in definition.names for name in formats)
    if definition.schedule == LADDER:
        keys.update(dict.fromkeys(key for pairing in running.pending() for key in _seats(pairing)))
    return keys


def _absence(before: _Absence | None, hindrance: Hindrance, look: _Look) -> _Absence:
    """The absence of a bot now; patience counts from its beginning, even if the reason changed."""
    if before is not None and before.hindrance is hindrance:
        return before
    since = stamp_of(look.at)
    if before is not None:
        return _Absence(before.began, before.patience_ends, hindrance, since)
    return _Absence(look.now, look.patience_ends, hindrance, since)


def _never_paired(definition: Definition, bot: str, absences: Mapping[_Key, _Absence]) -> bool:
    """Whether a bot is entered on a ladder and can't play any of its formats."""
    return (
        definition.schedule == LADDER
        and bot in definition.names
        and all(_Key(bot, seating.format) in absences for seating in definition.formats)
    )


def _note(definition: Definition, waiting: int, hopeless: int, *, blocked: bool) -> str:
    """Sentences that say why nothing is played or matches are never declared; or empty."""
    sentences = []
    if blocked and definition.schedule == LADDER:
        sentences.append("Nothing is being played: too few bots that may meet are connected.")
    elif blocked and waiting:
        sentences.append("Nothing is being played: every match that could begin waits for a bot.")
    if hopeless and definition.schedule != LADDER:
        sentences.append(
            f"None of the bots of {counted(hopeless, 'match', 'matches')} can play. Such a "
            "match is never declared: it waits until one of its bots can play."
        )
    return " ".join(sentences)
