"""The file `paddock.toml`: the settings of a server, checked before anything starts."""

from pathlib import Path
from typing import Any, get_type_hints

from paddock_server.api.server import Tls
from paddock_server.basics.toml_file import BadFile, known, parse, table, value
from paddock_server.serving.settings import Settings

_TABLES = ("clock", "limits", "visitors", "policy", "submissions")
_KEYS = (
    "database", "grpc", "http", "web_workers", "allow_plaintext", "drain_seconds",
    "standing_seconds",
)  # fmt: skip


def read_config(path: Path) -> Settings:
    """The settings in a TOML file; unknown keys and impossible numbers are refused."""
    try:
        text = path.read_text()
    except UnicodeDecodeError as problem:
        raise BadFile(f"{path} is not TOML: {problem}") from None
    document = parse(str(path), text)
    known(str(path), document, (*_KEYS, *_TABLES, "tls"))
    types = get_type_hints(Settings, include_extras=True)
    changes: dict[str, Any] = {}
    for key, setting in document.items():
        where = f"{path}: {key}"
        if key == "tls":
            changes[key] = _tls(where, setting)
        elif key in _TABLES:
            changes[key] = table(where, types[key], setting)
        else:
            changes[key] = value(where, types[key], setting)
    return Settings()._replace(**changes)


def _tls(where: str, files: Any) -> Tls:
    if not isinstance(files, dict) or set(files) - {"certificate", "key", "client_ca"}:
        raise BadFile(f"{where} takes certificate, key and client_ca")
    if not {"certificate", "key"} <= set(files):
        raise BadFile(f"{where} needs both certificate and key")
    ca = files.get("client_ca")
    return Tls(Path(files["certificate"]), Path(files["key"]), Path(ca) if ca else None)
