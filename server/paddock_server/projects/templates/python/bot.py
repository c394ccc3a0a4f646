"""A bot in Python. `choose` is called for every decision; put your strategy there."""

from typing import Any

from paddock import Ask, Bot, run_from_command_line


class Mine(Bot):
    """Takes any legal choice."""

    name = "@NAME@"

    def choose(self, ask: Ask) -> Any:
        """One of `ask.legal`; `ask.view` is what this seat knows."""
        return ask.legal[ask.below(len(ask.legal))]


if __name__ == "__main__":
    run_from_command_line(Mine())
