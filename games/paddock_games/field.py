"""A field of a JSON document that knows its path, so that every error can name it."""

import json
from typing import Any, NoReturn

from paddock_games.errors import GamesError

_SHOWN = 60  # characters of a value that an error repeats
_MOST = 1e15  # of a number: whole milliseconds are exact up to there


def shown(value: object) -> str:
    """The value as short printable ASCII, for an error's sentence."""
    try:
        text = json.dumps(value, default=repr)
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        return "a value that is too large to show"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


class Field:
    """A value and its path; the methods below return the value checked, or refuse it."""

    __slots__ = ("error", "value", "where")

    def __init__(self, value: Any, where: str, error: type[GamesError]) -> None:
        self.value = value
        self.where = where
        self.error = error

    def refuse(self, sentence: str) -> NoReturn:
        """Raise the document's error for this place."""
        raise self.error(self.where, sentence)

    def key(self, name: str) -> "Field":
        """The field of an object that must have it."""
        field = self.optional(name)
        if field is None:
            self.refuse(f"the key {name!r} is missing")
        return field

    def optional(self, name: str) -> "Field | None":
        """The field of an object that may have it."""
        if not isinstance(self.value, dict):
            self.refuse(f"must be an object, not {shown(self.value)}")
        if name not in self.value:
            return None
        where = f"{self.where}.{name}" if self.where else name
        return Field(self.value[name], where, self.error)

    def only_keys(self, *known: str) -> None:
        """Refuse an object with a key that is not among these."""
        for name in self.value if isinstance(self.value, dict) else ():
            if name not in known:
                self.refuse(f"unknown key {shown(name)}; use one of {', '.join(known)}")

    def items(self, least: int = 0, most: int | None = None) -> list["Field"]:
        """The fields of a list with `least` to `most` entries."""
        if not isinstance(self.value, list):
            self.refuse(f"must be a list, not {shown(self.value)}")
        size = len(self.value)
        if size < least or (most is not None and size > most):
            wants = str(least) if least == most else f"{least} to {most}"
            self.refuse(f"must have {wants} entries, not {size}")
        return [Field(v, f"{self.where}[{i}]", self.error) for i, v in enumerate(self.value)]

    def text(self, among: tuple[str, ...] | None = None, longest: int = 200) -> str:
        """A string; one of `among` unless that is None."""
        if not isinstance(self.value, str):
            self.refuse(f"must be a string, not {shown(self.value)}")
        if among is not None and self.value not in among:
            self.refuse(f"unknown value {shown(self.value)}; use one of {', '.join(among)}")
        if len(self.value) > longest:
            self.refuse(f"must be at most {longest} characters long")
        return self.value

    def whole(self, least: int, most: int) -> int:
        """A whole number within bounds."""
        if type(self.value) is not int or not least <= self.value <= most:
            self.refuse(f"must be a whole number from {least} to {most}, not {shown(self.value)}")
        return self.value

    def number(self) -> float:
        """A number from 0 to 1e15."""
        if type(self.value) not in (int, float) or not 0 <= self.value <= _MOST:
            self.refuse(f"must be a number from 0 to {_MOST:g}, not {shown(self.value)}")
        return float(self.value)

    def flag(self) -> bool:
        """True or false."""
        if type(self.value) is not bool:
            self.refuse(f"must be true or false, not {shown(self.value)}")
        return self.value

    def bytes(self, length: int) -> bytes:
        """Bytes of this length, written as lower-case hexadecimal digits."""
        digits = self.value
        if (
            not isinstance(digits, str)
            or len(digits) != 2 * length
            or set(digits) - set("0123456789abcdef")
        ):
            self.refuse(f"must be {2 * length} lower-case hex digits, not {shown(digits)}")
        return bytes.fromhex(digits)

    def must_equal(self, expected: Any) -> None:
        """Refuse a value that differs from the expected one; extra keys are ignored."""
        if isinstance(expected, dict):
            for name, value in expected.items():
                self.key(name).must_equal(value)
        elif isinstance(expected, list | tuple):
            for field, value in zip(
                self.items(len(expected), len(expected)), expected, strict=True
            ):
                field.must_equal(value)
        elif isinstance(expected, float) and type(self.value) in (int, float):
            if self.value != expected:  # JSON does not tell 12 from 12.0
                self.refuse(f"is {shown(self.value)}, but must be {shown(expected)}")
        elif type(self.value) is not type(expected) or self.value != expected:
            self.refuse(f"is {shown(self.value)}, but must be {shown(expected)}")


def parse(text: str | bytes, where: str, error: type[GamesError]) -> Field:
    """The document that this JSON text holds."""
    try:
        return Field(json.loads(text, parse_constant=_no_constant), where, error)
    except RecursionError:
        raise error(where, "is nested too deeply to be read") from None
    except ValueError as problem:  # JSONDecodeError and UnicodeDecodeError are among them
        raise error(where, f"is not JSON: {problem}") from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")
