"""Logs: one line per event, for people or as JSON, with the ids of match, bot and ask."""

import json
import logging
import sys
from typing import Final

IDS: Final = ("match", "bot", "seat", "ask", "session", "client")


class _People(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        ids = " ".join(f"{k}={_one_line(v)}" for k, v in _ids(record).items())
        line = f"{self.formatTime(record)} {record.levelname.lower():7} {record.getMessage()}"
        if record.exc_info:
            ids += "\n" + self.formatException(record.exc_info)
        return f"{_one_line(line)} {ids}".rstrip()


class _Programs(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_ids(record),
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry)


def _ids(record: logging.LogRecord) -> dict[str, object]:
    return {key: getattr(record, key) for key in IDS if hasattr(record, key)}


def _one_line(value: object) -> str:
    return "".join(c if c.isprintable() else "?" for c in str(value))


def set_up(style: str, level: str) -> None:
    """Send logs to stderr, as `text` for people or `json` for programs."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Programs() if style == "json" else _People())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn").setLevel(logging.WARNING)
