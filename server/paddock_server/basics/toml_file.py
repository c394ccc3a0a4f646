"""TOML files that people write: strict reading, and errors that say where the mistake is."""

import json
import re
import tomllib
from collections.abc import Collection, Mapping
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from paddock_server.basics.bounds import POSITIVE, Bounds
from paddock_server.basics.errors import ServerError
from paddock_server.basics.printable import is_printable

_MOST_BYTES: Final = 256 * 1024
_DEEPEST: Final = 8  # brackets in brackets, and dots in a key
_BITS: Final = 63
_SHOWN: Final = 200  # characters of a value in an error
# Strings and comments, and the signs outside them. Every string that begins matches, also one
# without an end, so that no text is looked at twice.
_SIGNS: Final = re.compile(
    r"""\"\"\"(?:\\.?|[^\\])*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)"""
    r"""|"(?:\\.?|[^"\\\n])*(?:"|(?=\n)|\Z)|'[^'\n]*(?:'|(?=\n)|\Z)|\#[^\n]*|[\[\]{}.,=\n]""",
    re.DOTALL,
)
_NAMES: Final = {
    int: "a whole number", float: "a number", str: "a string", bool: "true or false",
    list: "a list", dict: "a table",
}  # fmt: skip


class BadFile(ServerError):
    """Raised when a file of settings is invalid; the text says where, and what to do."""

    reason = "file/wrong"


def parse(where: str, text: str) -> dict[str, Any]:
    """The values of a text in TOML; BadFile where it is not TOML, too large or too deep."""
    if len(text.encode(errors="replace")) > _MOST_BYTES:
        raise BadFile(f"{where} is too large; use at most {_MOST_BYTES // 1024} KB")
    _check_depth(where, text)
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:  # a number can have too many digits
        raise BadFile(f"{where} is not TOML: {_cut(str(problem))}") from None
    _check_values(where, values)
    return values


def _check_depth(where: str, text: str) -> None:
    """Refuse brackets in brackets and dotted keys that take a parser too long, or too deep."""
    depth = dots = 0
    for found in _SIGNS.finditer(text):
        sign = found.group()
        if sign in "[{":
            depth += 1
        elif sign in "]}":
            depth = max(0, depth - 1)
        elif sign == ".":
            dots += 1
            if dots <= _DEEPEST:
                continue
        if depth > _DEEPEST or dots > _DEEPEST:
            line = text.count("\n", 0, found.start()) + 1
            raise BadFile(f"{where} is nested too deep at line {line}; use {_DEEPEST} levels")
        if len(sign) == 1 and sign != ".":
            dots = 0


def _check_values(where: str, value: Any) -> None:
    """Refuse text that can't be shown, and numbers that TOML does not have."""
    if isinstance(value, dict):
        for key, one in value.items():
            _check_values(where, key)
            _check_values(where, one)
    elif isinstance(value, list):
        for one in value:
            _check_values(where, one)
    elif isinstance(value, str) and not is_printable(value.replace("\n", "").replace("\t", "")):
        raise BadFile(f"{where} has text that can't be shown: {_cut(ascii(value))}; leave it out")
    elif isinstance(value, int) and value.bit_length() > _BITS:
        raise BadFile(f"{where} has a number of {value.bit_length()} bits; use at most {_BITS}")


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


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
            raise BadFile(f"{where}: unknown key {_cut(repr(key))}; known are {', '.join(keys)}")


def table(where: str, kind: Any, settings: Any) -> Any:
    """The settings of a table as a named tuple of this kind; missing keys keep their defaults.

    The type of a setting says which values it may have, and its bounds if it has any.
    """
    if not isinstance(settings, dict):
        keys = ", ".join(kind._fields)
        raise BadFile(f"{where} must be a table of {keys}, not {_cut(repr(settings))}")
    types = get_type_hints(kind, include_extras=True)
    changes = {}
    for key, setting in settings.items():
        if key not in types:
            raise BadFile(f"{where}.{_cut(key)} is unknown; known are {', '.join(kind._fields)}")
        changes[key] = value(f"{where}.{key}", types[key], setting)
    return kind()._replace(**changes)


def value(where: str, wanted: Any, raw: Any) -> Any:
    """The value, if it has the wanted type and is within the bounds of that type."""
    kind, bounds = _unpacked(wanted)
    if kind is float and type(raw) is int:
        raw = float(raw)
    if type(raw) is not kind:
        raise BadFile(f"{where} must be {_NAMES[kind]}, not {_cut(repr(raw))}")
    if isinstance(raw, int | float) and kind is not bool and (problem := bounds.problem(raw)):
        raise BadFile(f"{where} must be {problem}, not {raw!r}")
    return raw


def _unpacked(wanted: Any) -> tuple[type, Bounds]:
    """The plain type and the bounds of an annotated type; those of `X | None` are those of X."""
    if get_origin(wanted) in (Union, UnionType):
        wanted = get_args(wanted)[0]
    if get_origin(wanted) is Annotated:
        kind, bounds = get_args(wanted)
        return kind, bounds
    return wanted, POSITIVE
