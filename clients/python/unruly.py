"""A bot for the tests: with UNRULY=slow it thinks for long, with UNRULY=failing it fails."""

import os
import time
from typing import Any

from paddock import Ask, Bot, run_from_command_line

LONG_MS = 3000


class Unruly(Bot):
    """Chooses as UNRULY says."""

    name = "unruly"

    def choose(self, ask: Ask) -> Any:
        """The first choice, after a while, or an error."""
        if os.environ.get("UNRULY") == "failing":
            raise RuntimeError("no idea")
        if ask.time_ms > LONG_MS:
            time.sleep(LONG_MS / 1000)
        return ask.legal[0]


run_from_command_line(Unruly())
