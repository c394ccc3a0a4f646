"""`paddock.toml`: how a server is to run, checked before anything starts."""

import re
import tomllib
from pathlib import Path
from typing import Any

from paddock_server.api.server import Tls
from paddock_server.arena.limits import Limits, Policy
from paddock_server.referee.clock import Clock
from paddock_server.serving import CannotServe, Settings

_TABLES = {"clock": Clock, "limits": Limits, "policy": Policy}
_MAY_BE_ZERO = {
    "bank", "lag_allowance", "nonce_wait", "return_wait", "trial_seconds", "return_after_ms",
    "drain_seconds",
}  # fmt: skip
_KEYS = ("database", "grpc", "http", "allow_plaintext", "drain_seconds")


def read_config(path: Path) -> Settings:
    """The settings in a TOML file; unknown keys and impossible numbers are refused."""
    try:
        given = tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise CannotServe(f"{path} is not TOML: {problem}") from None
    settings = Settings()
    for key, value in given.items():
        if key == "tls":
            settings = settings._replace(tls=_tls(path, value))
        elif key in _TABLES:
            settings = settings._replace(**{key: _table(f"{path}: {key}", _TABLES[key], value)})
        elif key in _KEYS:
            wanted = str if key in ("database", "grpc", "http") else _kind(settings, key)
            settings = settings._replace(**{key: _value(f"{path}: {key}", wanted, value)})
        else:
            known = ", ".join((*_KEYS, *_TABLES, "tls"))
            raise CannotServe(f"{path}: unknown key {key!r}; known are {known}")
    return settings


def _kind(settings: Any, key: str) -> type:
    return type(getattr(settings, key))


def _table(where: str, kind: Any, given: Any) -> Any:
    if not isinstance(given, dict):
        raise CannotServe(f"{where} is a table; write [{where.rpartition(' ')[2]}]")
    values = kind()
    for key, value in given.items():
        if key not in kind._fields:
            known = ", ".join(kind._fields)
            raise CannotServe(f"{where}.{key} is unknown; known are {known}")
        values = values._replace(**{key: _value(f"{where}.{key}", _kind(values, key), value)})
    return values


def _value(where: str, wanted: type, given: Any) -> Any:
    if wanted is float and type(given) is int:
        given = float(given)
    if type(given) is not wanted:
        raise CannotServe(f"{where} must be {_NAMES[wanted]}, not {given!r}")
    if isinstance(given, int | float) and not 0 <= given < 1e12:
        raise CannotServe(f"{where} must not be negative or without end")
    if wanted in (int, float) and not given and re.split(r"[. ]", where)[-1] not in _MAY_BE_ZERO:
        raise CannotServe(f"{where} must be more than 0")
    return given


_NAMES = {int: "a whole number", float: "a number", str: "a string", bool: "true or false"}


def _tls(path: Path, given: Any) -> Tls:
    where = f"{path}: tls"
    if not isinstance(given, dict) or set(given) - {"certificate", "key", "client_ca"}:
        raise CannotServe(f"{where} takes certificate, key and client_ca")
    if not {"certificate", "key"} <= set(given):
        raise CannotServe(f"{where} needs both certificate and key")
    ca = given.get("client_ca")
    return Tls(Path(given["certificate"]), Path(given["key"]), Path(ca) if ca else None)
