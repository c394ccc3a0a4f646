"""The Python SDK of Paddock: a bot says what to choose, and the SDK does the rest.

from paddock import Bot, run

class Mine(Bot):
    name = "mine"

    def choose(self, ask):
        return ask.legal[0]

run(Mine())

A name is loaded when it is first used, so that `import paddock.v1`, the generated wire code, loads
nothing else of the SDK.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

# What grpc's core prints on stderr beside our log lines says the same in its own words. It reads
# this variable when it is first imported; an author who wants its lines sets it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

if TYPE_CHECKING:
    from paddock.ask import Ask
    from paddock.bot import Bot
    from paddock.command_line import run_from_command_line
    from paddock.errors import BadSettings, PaddockError, Refused, Unreachable
    from paddock.match import Event, Match, Refusal, Result, Revealed, Seat, SeatResult
    from paddock.running import play, run
    from paddock_games.clock import Clock

__all__ = [
    "Ask",
    "BadSettings",
    "Bot",
    "Clock",
    "Event",
    "Match",
    "PaddockError",
    "Refusal",
    "Refused",
    "Result",
    "Revealed",
    "Seat",
    "SeatResult",
    "Unreachable",
    "play",
    "run",
    "run_from_command_line",
]

_MODULES: Final = {
    "paddock.ask": ("Ask",),
    "paddock.bot": ("Bot",),
    "paddock.command_line": ("run_from_command_line",),
    "paddock.errors": ("BadSettings", "PaddockError", "Refused", "Unreachable"),
    "paddock.match": ("Event", "Match", "Refusal", "Result", "Revealed", "Seat", "SeatResult"),
    "paddock.running": ("play", "run"),
    "paddock_games.clock": ("Clock",),
}
_MODULE_OF: Final = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """A name of the SDK, from the module that defines it."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULE_OF[name]), name)
    return value


def __dir__() -> list[str]:
    """All names, loaded or not."""
    return sorted({*globals(), *__all__})
