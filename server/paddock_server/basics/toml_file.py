"""TOML files that people write: strict reading, and errors that say where the mistake is."""

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from types import UnionType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from paddock_server.basics.bounds import POSITIVE, Bounds
from paddock_server.basics.errors import ServerError

_NAMES: Final = {
    int: "a whole number", float: "a number", str: "a string", bool: "true or false",
    list: "a list", dict: "a table",
}  # fmt: skip


class BadFile(ServerError):
    """Raised when a file of settings is invalid; the text says where, and what to do."""

    reason = "file/wrong"


def parse(where: str, text: str) -> dict[str, Any]:
    """The values of a text in TOML; BadFile where it is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise BadFile(f"{where} is not TOML: {problem}") from None


def text_of(values: Mapping[str, Any]) -> str:
    """The values as TOML, one line per key; `parse` reads the same values from it."""
    return "".join(f"{_key(key)} = {_text(setting)}\n" for key, setting in values.items())


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_text(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _string(key)


def _string(text: str) -> str:
    # JSON's strings are TOML's, but for DEL, which TOML wants escaped.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def known(where: str, settings: dict[str, Any], keys: Collection[str]) -> None:
    """Refuse unknown keys."""
    for key in settings:
        if key not in keys:
            raise BadFile(f"{where}: unknown key {key!r}; known are {', '.join(keys)}")


def table(where: str, kind: Any, settings: Any) -> Any:
    """The settings of a table as a named tuple of this kind; missing keys keep their defaults.

    The type of a setting says which values it may have, and its bounds if it has any.
    """
    if not isinstance(settings, dict):
        raise BadFile(f"{where} must be a table of {', '.join(kind._fields)}, not {settings!r}")
    types = get_type_hints(kind, include_extras=True)
    changes = {}
    for key, setting in settings.items():
        if key not in types:
            raise BadFile(f"{where}.{key} is unknown; known are {', '.join(kind._fields)}")
        changes[key] = value(f"{where}.{key}", types[key], setting)
    return kind()._replace(**changes)


def value(where: str, wanted: Any, raw: Any) -> Any:
    """The value, if it has the wanted type and is within the bounds of that type."""
    kind, bounds = _unpacked(wanted)
    if kind is float and type(raw) is int:
        raw = float(raw)
    if type(raw) is not kind:
        raise BadFile(f"{where} must be {_NAMES[kind]}, not {raw!r}")
    if isinstance(raw, int | float) and kind is not bool and (problem := bounds.problem(raw)):
        raise BadFile(f"{where} must be {problem}, not {raw!r}")
    return raw


def _unpacked(wanted: Any) -> tuple[type, Bounds]:
    """The plain type and the bounds of an annotated type; those of `X | None` are those of X."""
    if isinstance(wanted, UnionType):
        wanted = get_args(wanted)[0]
    if get_origin(wanted) is Annotated:
        kind, bounds = get_args(wanted)
        return kind, bounds
    return wanted, POSITIVE
