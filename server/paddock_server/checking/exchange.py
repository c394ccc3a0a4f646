"""The exchange of frames between the script and a bot, shown where a point fails."""

import time
from collections import deque
from typing import Any, Final

from google.protobuf import text_format
from google.protobuf.message import DecodeError

from paddock.v1 import arena_pb2
from paddock_games import GAMES

_LAST_FRAMES: Final = 12
_LETTERS: Final = 200  # of an item
_ITEMS: Final = 4  # of a frame
# Fields that are too long to show.
_LONG: Final = {
    "match_started": ("seats", "commitment", *GAMES),
    "ask": ("view", "choices"),
    "happened": ("revealed",),
    "match_ended": ("seed", "nonces", *GAMES),
}
_LISTS: Final = ("seats", "choices", "revealed", "nonces")


class Exchange:
    """The last frames in both directions."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._frames: deque[tuple[float, str, bytes]] = deque(maxlen=_LAST_FRAMES)

    def to_bot(self, frame: bytes) -> None:
        """Note a frame that the script sent."""
        self._note("referee", frame)

    def from_bot(self, frame: bytes) -> None:
        """Note a frame that the bot sent."""
        self._note("bot", frame)

    def remark(self, words: str) -> None:
        """Note an event that is not a frame, such as the end of a stream."""
        self._note("", words.encode())

    def _note(self, who: str, frame: bytes) -> None:
        self._frames.append((time.monotonic() - self._began, who, frame))

    def clear(self) -> None:
        """Forget what belongs to an earlier point."""
        self._frames.clear()

    def lines(self) -> tuple[str, ...]:
        """The noted frames as text, one line per item."""
        lines = []
        for seconds, who, frame in self._frames:
            if not who:
                lines.append(f"{seconds:8.3f} s  ({frame.decode()})")
                continue
            for number, shown in enumerate(_items(who, frame)):
                label = f"{who}:" if number == 0 else ""
                lines.append(f"{seconds:8.3f} s  {label:8} {shown}")
        return tuple(lines)


def _items(who: str, frame: bytes) -> list[str]:
    kind = arena_pb2.PlayResponse if who == "referee" else arena_pb2.PlayRequest
    try:
        items = kind.FromString(frame).items
    except DecodeError:
        return [f"{len(frame)} bytes that are not a {kind.DESCRIPTOR.name}: {frame[:40]!r}"]
    shown = [_item(item) for item in items[:_ITEMS]] or ["a frame without items"]
    if len(items) > _ITEMS:
        shown.append(f"... and {len(items) - _ITEMS} more items in this frame")
    return shown


def _item(item: arena_pb2.BotItem | arena_pb2.RefereeItem) -> str:
    kind = item.WhichOneof("item")
    inner: Any = getattr(item, kind or "", None)
    left_out = []
    for name in _LONG.get(kind, ()) if inner is not None and kind else ():
        if name in GAMES and not inner.HasField(name):
            continue
        value = getattr(inner, name)
        left_out.append(f"{name} ({len(value)})" if name in _LISTS else name)
        inner.ClearField(name)
    text = text_format.MessageToString(item, as_one_line=True, print_unknown_fields=True)
    if len(text) > _LETTERS:
        text = f"{text[:_LETTERS]}..."
    rest = f" without {', '.join(left_out)}" if left_out else ""
    return (text or "an item with nothing in it") + rest
