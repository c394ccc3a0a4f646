"""The random bot: the bot to beat first. `python -m paddock.bots.random`."""

from typing import Any

from paddock import Ask, Bot, run_from_command_line


class RandomBot(Bot):
    """A bot that plays any legal choice."""

    name = "random"

    def choose(self, ask: Ask) -> Any:
        """Any of the legal choices, each equally likely."""
        return ask.legal[ask.below(len(ask.legal))]


if __name__ == "__main__":
    run_from_command_line(RandomBot())
