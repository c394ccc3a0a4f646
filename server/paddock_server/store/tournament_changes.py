"""Changes of a tournament as JSON, both ways."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from paddock_ladder.schedules import Change, Correction, Departure, LateEntry, Outcome

_KINDS: Final[Mapping[str, Callable[..., Change]]] = {
    "late entry": LateEntry,
    "departure": Departure,
    "correction": Correction,
}
_NAMES: Final = {kind: name for name, kind in _KINDS.items()}


def kept_change(change: Change) -> dict[str, Any]:
    """What is stored of a change."""
    kept = {"change": _NAMES[type(change)], **change._asdict()}
    if isinstance(change, Correction):
        kept["was"] = change.was._asdict()
    return kept


def read_change(kept: Mapping[str, Any]) -> Change:
    """The change that was stored."""
    values = {name: each for name, each in kept.items() if name != "change"}
    if "was" in values:
        was: dict[str, Any] = {
            name: tuple(each) if isinstance(each, list) else each
            for name, each in values["was"].items()
        }
        values["was"] = Outcome(**was)
    return _KINDS[kept["change"]](**values)
