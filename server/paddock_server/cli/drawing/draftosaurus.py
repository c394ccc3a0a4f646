"""The drawing of Draftosaurus for a terminal: all zoos, turn by turn."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table as Grid
from rich.text import Text

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.herd import Herd
from paddock_games.draftosaurus.material import FACES, PYRAMID_ROWS, ZOO, Face, PenName, Species
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.scoring import Score, scores
from paddock_games.draftosaurus.setting import Phase
from paddock_games.draftosaurus.state import State
from paddock_games.draftosaurus.zoo import Zoo
from paddock_games.game import Step
from paddock_games.record import PlayedMatch
from paddock_server.cli.drawing.remarks import remarks
from paddock_server.cli.terminal import clean

# Two letters and a colour each, so that the picture can be read without colours too.
TOKENS: Final[dict[Species, tuple[str, str]]] = {
    "T_REX": ("TR", "white on #b3202c"),
    "DIPLODOCUS": ("DI", "black on #7fb8e6"),
    "TRICERATOPS": ("TC", "black on #f0a830"),
    "SPINOSAURUS": ("SP", "white on #7a4aa0"),
    "STEGOSAURUS": ("ST", "black on #e8d84a"),
    "PARASAUROLOPHUS": ("PA", "black on #6fbf73"),
}
FREE: Final = Text(" ·  ", "dim")
MEANS: Final[dict[Face, str]] = {
    "WOODLANDS": "pens of the woodlands",
    "GRASSLANDS": "pens of the grasslands",
    "RESTROOMS": "pens right of the river",
    "FOOD_COURT": "pens left of the river",
    "EMPTY_PEN": "empty pens",
    "NO_T_REX": "pens without a T-Rex",
}
_SHORT: Final[dict[PenName, str]] = {
    "FOREST_OF_SAMENESS": "Forest",
    "KING_OF_THE_JUNGLE": "King",
    "PRAIRIE_OF_LOVE": "Prairie",
    "MEADOW_OF_DIFFERENCES": "Meadow",
    "SOLITARY_ISLAND": "Island",
    "WELL_ORDERED_WOOD": "Wood",
    "LOVERS_BRIDGE_LEFT": "Bridge, left",
    "LOVERS_BRIDGE_RIGHT": "Bridge, right",
}
ZOO_WIDTH: Final = 49
_DECIDED: Final[dict[Phase, str]] = {
    "PICK": "pick", "PLACE": "place", "REMOVE": "discard", "MOVE": "quarantine",
}  # fmt: skip
_PART_OF: Final = {"LOVERS_BRIDGE_RIGHT": "LOVERS_BRIDGE", "LOVERS_BRIDGE_LEFT": ""}


def frames(replay: PlayedMatch) -> list[RenderableType]:
    """One picture per turn, of the moment before its decisions; the last one also of the end."""
    names = [f"seat {s}: {escape(clean(each.bot))}" for s, each in enumerate(replay.match.seats)]
    groups = [list(steps) for _, steps in groupby(replay.steps, lambda s: s.state.table.done)]
    afters: list[State] = [steps[0].state for steps in groups[1:]] + [replay.end]
    pictures: list[RenderableType] = []
    for steps, after in zip(groups, afters, strict=True):
        game, finished = steps[0].state.table.turn.game, after.table.finished
        picture = _turn(steps, names)
        if len(finished) > game:
            picture = Group(picture, _end(finished[game], names))
        pictures.append(picture)
    return pictures


def moment(state: State) -> str:
    """Which turn a state belongs to, and what is decided there."""
    return f"turn {state.table.done + 1}, {_DECIDED[state.table.phase]}"


def _turn(steps: list[Step], names: list[str]) -> RenderableType:
    first: State = steps[0].state
    table = first.table
    now = table.turn
    free = [seat for seat in table.setting.everybody if now.binds[seat] != 1 << now.face]
    face = FACES[now.face]
    title = Text.from_markup(
        f"[bold]Turn {table.done + 1} of {table.setting.turns}[/]   "
        f"{table.board.lower()} board, round {now.round + 1}, turn {table.done % ZOO + 1}   "
        f"[bold]{face}[/]: {MEANS[face]}; seat {now.roller} rolled"
        + (" and is free" if free else ", everybody is bound")
    )
    points = scores(table.zoos)
    panels = []
    for seat, name in enumerate(names):
        chosen = [step.choices[seat] for step in steps if seat in step.choices]
        said = Text(", then ".join(_sentence(choice) for choice in chosen), "italic")
        grid = _grid(table.zoos[seat], points[seat], first.hands[seat], chosen)
        panels.append(_panel(Group(grid, said), name, points[seat]))
    return Group(title, Columns(panels, padding=(0, 1)), *remarks(steps, names), Text())


def _end(zoos: tuple[Zoo, ...], names: list[str]) -> RenderableType:
    title = Text.from_markup(f"[bold]The end[/]   {zoos[0].board.lower()} board")
    points = scores(zoos)
    panels = [
        _panel(_grid(zoo, points[seat]), names[seat], points[seat]) for seat, zoo in enumerate(zoos)
    ]
    return Group(title, Columns(panels, padding=(0, 1)), Text())


def _panel(inside: RenderableType, name: str, score: Score) -> Panel:
    return Panel(
        inside,
        title=name,
        title_align="left",
        subtitle=f"{score.parts['T_REX_BONUS']} for T-Rexes, {score.total} points",
        subtitle_align="right",
        width=ZOO_WIDTH,
    )


def _grid(zoo: Zoo, score: Score, hand: Herd | None = None, chosen: Sequence[Choice] = ()) -> Grid:
    """A zoo pen by pen, and the hand above it; arrows mark the pens that are chosen."""
    touched = {choice.pen for choice in chosen}
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(width=13)
    grid.add_column(width=25)
    grid.add_column(width=2, justify="right")
    grid.add_column(width=1)
    if hand is not None:
        grid.add_row("hand", _tokens(hand.species))
    for pen in zoo:
        for label, line in _rows(pen):
            points = score.parts.get(_PART_OF.get(pen.name, pen.name), 0) if label else 0
            mark = "←" if pen.name in touched and label else ""
            grid.add_row(label, line, str(points or ""), mark)
    return grid


def _rows(pen: Pen) -> list[tuple[str, Text]]:
    short = _SHORT.get(pen.name) or pen.name.replace("_", " ").title()
    dinosaurs = pen.dinosaurs
    if pen.name == "PYRAMID":  # drawn as it stands
        rows = [
            Text("  " * i) + _tokens(tuple(dinosaurs[s] for s in r))
            for i, r in enumerate(PYRAMID_ROWS)
        ]
        return [("", rows[2]), ("", rows[1]), (short, rows[0])]
    holds = pen.ground.plot.holds or 0
    line = _tokens(dinosaurs)
    for _ in range(holds - len(dinosaurs)):
        line += FREE
    return [(short, line)]


def _tokens(dinosaurs: tuple[Species | None, ...]) -> Text:
    """The dinosaurs as tokens; a herd of many is counted, so that it keeps to its line."""
    if len(dinosaurs) > 6:
        line = Text()
        for species in TOKENS:
            count = dinosaurs.count(species)
            if count:
                line += Text(f"{count}x") + _token(species)
        return line
    line = Text()
    for dinosaur in dinosaurs:
        line += FREE if dinosaur is None else _token(dinosaur)
    return line


def _token(species: Species) -> Text:
    letters, style = TOKENS[species]
    return Text(f" {letters}", style) + Text(" ")


def _sentence(choice: Choice) -> str:
    species = choice.species.replace("_", "-").capitalize()
    if choice.kind == "REMOVE":
        return f"removes {species}"
    if choice.kind == "PICK":
        return f"picks {species}"
    pen = (choice.pen or "").replace("_", " ").lower()
    if choice.pen == "PYRAMID":
        pen += f", place {choice.slot + 1}"
    if choice.kind == "MOVE":
        return (
            f"leaves {species} in quarantine"
            if choice.pen == "QUARANTINE"
            else f"moves {species} to the {pen}"
        )
    return f"{species} to the {pen}"
