"""TOML that people write: every key known, every value of its kind, every refusal in its place."""

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from typing import Any, Final

_NAMES: Final = {
    int: "a whole number", float: "a number", str: "a string", bool: "true or false",
    list: "a list", dict: "a table",
}  # fmt: skip
_MAY_BE_ZERO: Final = {
    "bank", "lag_allowance", "nonce_wait", "return_wait", "trial_seconds", "return_after_ms",
    "drain_seconds", "patience_seconds", "standing_seconds",
}  # fmt: skip


class BadFile(Exception):
    """Raised when a file does not say what it should; the text says where, and what to do."""


def parse(where: str, text: str) -> dict[str, Any]:
    """What a text in TOML says."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise BadFile(f"{where} is not TOML: {problem}") from None


def text_of(given: Mapping[str, Any]) -> str:
    """The TOML that says this, a line a key; `parse` reads the same from it."""
    return "".join(f"{_key(key)} = {_text(each)}\n" for key, each in given.items())


def _text(each: Any) -> str:
    if isinstance(each, dict):
        return "{" + ", ".join(f"{_key(key)} = {_text(one)}" for key, one in each.items()) + "}"
    if isinstance(each, list):
        return "[" + ", ".join(map(_text, each)) + "]"
    if isinstance(each, str):
        return _string(each)
    if isinstance(each, bool):
        return "true" if each else "false"
    return each.isoformat() if hasattr(each, "isoformat") else str(each)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _string(key)


def _string(text: str) -> str:
    # JSON's strings are TOML's, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def known(where: str, given: dict[str, Any], keys: Collection[str]) -> None:
    """Refuse keys that nobody knows."""
    for key in given:
        if key not in keys:
            raise BadFile(f"{where}: unknown key {key!r}; known are {', '.join(keys)}")


def table(where: str, kind: Any, given: Any) -> Any:
    """A table of settings that have defaults, as the named tuple of this kind."""
    if not isinstance(given, dict):
        raise BadFile(f"{where} is a table; write [{where.rpartition(' ')[2]}]")
    values = kind()
    for key, each in given.items():
        if key not in kind._fields:
            names = ", ".join(kind._fields)
            raise BadFile(f"{where}.{key} is unknown; known are {names}")
        wanted = type(getattr(values, key))
        values = values._replace(**{key: value(f"{where}.{key}", wanted, each)})
    return values


def value(where: str, wanted: type, given: Any) -> Any:
    """A value of the kind that is wanted; numbers have to be possible ones."""
    if wanted is float and type(given) is int:
        given = float(given)
    if type(given) is not wanted:
        raise BadFile(f"{where} must be {_NAMES[wanted]}, not {given!r}")
    if isinstance(given, int | float) and not 0 <= given < 1e12:
        raise BadFile(f"{where} must not be negative or without end")
    if wanted in (int, float) and not given and re.split(r"[. ]", where)[-1] not in _MAY_BE_ZERO:
        raise BadFile(f"{where} must be more than 0")
    return given
