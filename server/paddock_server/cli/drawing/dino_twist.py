"""The drawing of Dino Twist for a terminal: Twist Island, all islands and graveyards, by round."""

from itertools import groupby
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from paddock_games.dino_twist.card import CARDS, Card, cards
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.event import MEANS
from paddock_games.dino_twist.island import Island
from paddock_games.dino_twist.material import TERRITORIES, Species
from paddock_games.dino_twist.state import State
from paddock_games.dino_twist.table import Table
from paddock_games.game import Step
from paddock_games.record import PlayedMatch
from paddock_server.cli.drawing.remarks import remarks
from paddock_server.cli.terminal import clean

# A letter and a colour each, so that the picture can be read without colours too.
TOKENS: Final[dict[Species, tuple[str, str]]] = {
    "AQUA": ("A", "black on #7fb8e6"),
    "KARNI": ("K", "white on #b3202c"),
    "HERBI": ("H", "black on #6fbf73"),
    "VOLI": ("V", "black on #e8d84a"),
}
FREE: Final = Text("  ·  ", "dim")
WIDTH: Final = 49


def frames(replay: PlayedMatch) -> list[RenderableType]:
    """One picture per round, of the moment before its decisions; the last one also of the end."""
    names = [f"seat {s}: {escape(clean(each.bot))}" for s, each in enumerate(replay.match.seats)]
    rounds = [list(steps) for _, steps in groupby(replay.steps, lambda s: s.state.table.round)]
    pictures = [_round(steps, names) for steps in rounds]
    pictures[-1] = Group(pictures[-1], _end(replay.end.table, names))
    return pictures


def moment(state: State) -> str:
    """Which round a state belongs to, and what is decided there."""
    return f"round {state.table.round + 1}, {state.table.phase.lower()}"


def _round(steps: list[Step], names: list[str]) -> RenderableType:
    first: State = steps[0].state
    event = first.table.event
    effect = f"[bold]{event.name}[/]: {MEANS[event.kind]}" if event.kind else "no event"
    title = Text.from_markup(f"[bold]Round {first.table.round + 1}[/]   {effect}")
    panels = []
    for seat, name in enumerate(names):
        chosen = [step.choices[seat] for step in steps if seat in step.choices]
        said = Text(", then ".join(_sentence(choice) for choice in chosen), "italic")
        hand = Text("hand  ") + _tokens(cards(first.hands[seat]))
        panels.append(
            _panel(Group(hand, *_lands(first.table, seat), said), name, first.table, seat)
        )
    columns = Columns([_twist(first.table), *panels], padding=(0, 1))
    return Group(title, columns, *remarks(steps, names), Text())


def _end(table: Table, names: list[str]) -> RenderableType:
    panels = [
        _panel(Group(*_lands(table, seat)), name, table, seat) for seat, name in enumerate(names)
    ]
    title = Text.from_markup("[bold]The end[/]")
    return Group(title, Columns([_twist(table), *panels], padding=(0, 1)), Text())


def _twist(table: Table) -> Panel:
    return Panel(_places(table.twist), title="Twist Island", title_align="left", width=WIDTH)


def _panel(inside: RenderableType, name: str, table: Table, seat: int) -> Panel:
    total, parts, _ = table.scores()[seat]
    bonuses = parts["ISLAND_BONUS"] + parts["CLAW_BONUS"]
    return Panel(
        inside,
        title=name,
        title_align="left",
        subtitle=f"{parts['ISLAND']} + {parts['GRAVEYARD']} + {bonuses} = {total} points",
        subtitle_align="right",
        width=WIDTH,
    )


def _lands(table: Table, seat: int) -> tuple[Grid, Text]:
    """A seat's island and graveyard."""
    graveyard = Text("graveyard  ")
    for entry in table.graveyards[seat][-4:]:
        graveyard += _tokens(cards(entry)) + Text(" ")
    more = len(table.graveyards[seat]) - 4
    if more > 0:
        graveyard += Text(f" and {more} more")
    return _places(table.islands[seat]), graveyard


def _places(island: Island) -> Grid:
    """The territories in four rows of two: one row per species."""
    grid = Grid.grid(padding=(0, 1))
    for width in (10, 7, 10, 7):
        grid.add_column(width=width)
    for first in range(0, len(TERRITORIES), 2):
        row: list[str | Text] = []
        for place in (first, first + 1):
            code = island[place]
            row += [TERRITORIES[place].lower(), _token(CARDS[code]) if code >= 0 else FREE]
        grid.add_row(*row)
    return grid


def _tokens(several: tuple[Card, ...]) -> Text:
    line = Text()
    for card in several:
        line += _token(card)
    return line


def _token(card: Card) -> Text:
    letter, style = TOKENS[card.species]
    return Text(f"{letter}{card.strength}{'*' if card.claw else ''}", style) + Text(" ")


def _sentence(choice: Choice) -> str:
    if choice.kind == "ATTACK":
        if choice.territory is None:
            return "waives the attack"
        where = f"settles in {choice.settle.lower()}" if choice.settle else "lets it go"
        return f"attacks {choice.territory.lower()}, {where}"
    names = " + ".join(_token(card).plain.strip() for card in choice.cards) or "nothing"
    words = {"PLAY": "plays", "BURY": "buries", "DISCARD": "discards"}
    return f"{words[choice.kind]} {names}"
