"""Remarks below a picture: decisions that a bot did not make itself."""

from collections.abc import Sequence

from rich.text import Text

from paddock_games.game import Step
from paddock_server.cli.terminal import clean


def remarks(steps: Sequence[Step], titles: Sequence[str]) -> list[Text]:
    """One line per fault and fallback of these steps; titles are those of the seats, as markup."""
    lines = []
    for step in steps:
        for seat, timing in sorted(step.timings.items()):
            if timing.fault is not None:
                why = f"{timing.fault}; the referee chose: {step.choices[seat]}"
            elif timing.fallback is not None:
                why = f"fallback: {clean(timing.fallback)}; the client chose: {step.choices[seat]}"
            else:
                continue
            lines.append(Text.assemble(Text.from_markup(titles[seat]), f": {why}", style="yellow"))
    return lines
