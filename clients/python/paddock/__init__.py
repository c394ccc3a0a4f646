"""Paddock for bots in Python: say what to choose, the rest is done.

from paddock import Bot, run

class Mine(Bot):
    name = "mine"

    def choose(self, ask):
        return ask.legal[0]

run(Mine())
"""

import os

# What grpc's core prints on stderr beside our log lines says the same in its own words. It reads
# this variable when it is first imported; an author who wants its lines sets it.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

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
