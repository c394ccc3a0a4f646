"""TOML that people write: every key known, every value of its kind, every refusal in its place."""

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
    """Raised when a file does not say what it should; the text says where, and what to do."""

    reason = "file/wrong"


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
    """The named tuple of this kind that a table of settings describes; missing keys keep their
    defaults. A setting's type says what it may be, and its bounds where it has any."""
    if not isinstance(given, dict):
        raise BadFile(f"{where} must be a table of {', '.join(kind._fields)}, not {given!r}")
    types = get_type_hints(kind, include_extras=True)
    changes = {}
    for key, setting in given.items():
        if key not in types:
            raise BadFile(f"{where}.{key} is unknown; known are {', '.join(kind._fields)}")
        changes[key] = value(f"{where}.{key}", types[key], setting)
    return kind()._replace(**changes)


def value(where: str, wanted: Any, given: Any) -> Any:
    """A value of the type that is wanted, within the bounds that the type is annotated with."""
    kind, bounds = _unpacked(wanted)
    if kind is float and type(given) is int:
        given = float(given)
    if type(given) is not kind:
        raise BadFile(f"{where} must be {_NAMES[kind]}, not {given!r}")
    if isinstance(given, int | float) and kind is not bool and (problem := bounds.problem(given)):
        raise BadFile(f"{where} must be {problem}, not {given!r}")
    return given


def _unpacked(wanted: Any) -> tuple[type, Bounds]:
    """The plain type and the bounds of a type; those of `X | None` are those of X."""
    if isinstance(wanted, UnionType):
        wanted = get_args(wanted)[0]
    if get_origin(wanted) is Annotated:
        kind, bounds = get_args(wanted)
        return kind, bounds
    return wanted, POSITIVE
