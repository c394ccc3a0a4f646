"""The shelf: matches and states that a bot can name, the oldest of which are dropped."""

from itertools import count
from typing import Any, Final, NamedTuple

from paddock_games import State
from paddock_games.field import Field
from paddock_server.searching.requests import Terrain

MOST_STATES: Final = 20_000
MOST_MATCHES: Final = 256
_LARGEST: Final = 2**53 - 1


class StateOfMatch(NamedTuple):
    """A state, and the match that it belongs to."""

    terrain: Terrain
    state: State


class Shelf:
    """The states and matches of a bot; states have numbers that are never used again."""

    def __init__(self, most_states: int = MOST_STATES) -> None:
        self._most = most_states
        self._matches: dict[str, Terrain] = {}
        self._states: dict[int, StateOfMatch] = {}
        self._numbers = count(1)

    def add_match(self, name: str, terrain: Terrain) -> None:
        """Keep a match under this name."""
        self._matches.pop(name, None)
        self._matches[name] = terrain
        if len(self._matches) > MOST_MATCHES:
            del self._matches[next(iter(self._matches))]

    def match(self, field: Field) -> Terrain:
        """The match that is named here."""
        terrain = self._matches.get(field.text())
        if terrain is None:
            field.refuse("no such match; send its `started` with do: match")
        return terrain

    def add(self, terrain: Terrain, state: Any) -> int:
        """Keep a state; its number."""
        number = next(self._numbers)
        self._states[number] = StateOfMatch(terrain, state)
        if len(self._states) > self._most:
            del self._states[next(iter(self._states))]
        return number

    def state(self, field: Field) -> StateOfMatch:
        """The state with the number that is given here."""
        known = self._states.get(field.whole(1, _LARGEST))
        if known is None:
            field.refuse(f"no such state; the last {self._most} are kept")
        return known

    def forget(self, numbers: list[int] | None) -> int:
        """Drop these states, or all; how many there were."""
        if numbers is None:
            dropped = len(self._states)
            self._states.clear()
            return dropped
        return sum(self._states.pop(number, None) is not None for number in numbers)
