"""Changes of a tournament as JSON: writing and reading."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from paddock_ladder.schedules import Change, Correction, Departure, LateEntry, Outcome

_KINDS: Final[Mapping[str, Callable[..., Change]]] = {
    "late entry": LateEntry,
    "departure": Departure,
    "correction": Correction,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def change_values(change: Change) -> dict[str, Any]:
    """The JSON object of a change."""
    stored = {"change": _NAMES[type(change)], **change._asdict()}
    if isinstance(change, Correction):
        stored["was"] = change.was._asdict()
    return stored


def read_change(stored: Mapping[str, Any]) -> Change:
    """The change that was stored."""
    values = {name: value for name, value in stored.items() if name != "change"}
    if "was" in values:
        was: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values["was"].items()
        }
        values["was"] = Outcome(**was)
    return _KINDS[stored["change"]](**values)
