"""`paddock.toml`: how a server is to run, checked before anything starts."""

from pathlib import Path
from typing import Any

from paddock_server.api.server import Tls
from paddock_server.basics.toml_file import BadFile, known, parse, table, value
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.referee.clock import Clock
from paddock_server.serving.server import Settings

_TABLES = {"clock": Clock, "limits": Limits, "policy": Policy}
_KEYS = {
    "database": str, "grpc": str, "http": str, "allow_plaintext": bool, "drain_seconds": float,
    "standing_seconds": float,
}  # fmt: skip


def read_config(path: Path) -> Settings:
    """The settings in a TOML file; unknown keys and impossible numbers are refused."""
    try:
        text = path.read_text()
    except UnicodeDecodeError as problem:
        raise BadFile(f"{path} is not TOML: {problem}") from None
    given = parse(str(path), text)
    known(str(path), given, (*_KEYS, *_TABLES, "tls"))
    settings = Settings()
    for key, each in given.items():
        where = f"{path}: {key}"
        made: Any
        if key == "tls":
            made = _tls(where, each)
        elif key in _TABLES:
            made = table(where, _TABLES[key], each)
        else:
            made = value(where, _KEYS[key], each)
        settings = settings._replace(**{key: made})
    return settings


def _tls(where: str, given: Any) -> Tls:
    if not isinstance(given, dict) or set(given) - {"certificate", "key", "client_ca"}:
        raise BadFile(f"{where} takes certificate, key and client_ca")
    if not {"certificate", "key"} <= set(given):
        raise BadFile(f"{where} needs both certificate and key")
    ca = given.get("client_ca")
    return Tls(Path(given["certificate"]), Path(given["key"]), Path(ca) if ca else None)
