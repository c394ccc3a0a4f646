"""What a picture can't show of a turn: decisions that a bot did not make itself."""

from collections.abc import Sequence

from rich.text import Text

from paddock_games.game import Step
from paddock_server.cli.terminal import clean


def remarks(steps: Sequence[Step], names: Sequence[str]) -> list[Text]:
    """A line for every fault and every fallback of these steps; names are those of the bots."""
    lines = []
    for step in steps:
        for seat, timing in sorted(step.timings.items()):
            if timing.fault is not None:
                why = f"{timing.fault}; the referee chose: {step.choices[seat]}"
            elif timing.fallback is not None:
                why = f"fallback: {clean(timing.fallback)}; the client chose: {step.choices[seat]}"
            else:
                continue
            lines.append(Text(f"seat {seat} ({clean(names[seat])}) {why}", "yellow"))
    return lines
