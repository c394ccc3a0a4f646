"""`paddock rules`: the points and the legal choices of a position, and the rules as a service."""

from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import GAMES, Game
from paddock_games.errors import BadPosition
from paddock_games.field import Field
from paddock_server.cli.files import read_position
from paddock_server.cli.rules_serve import rules_serve
from paddock_server.cli.terminal import console, print_json

_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
_FILE = click.argument("file", metavar="FILE")


@click.group()
def rules() -> None:
    """Ask the rules about a position: points, or legal choices; or serve them to a bot."""


rules.add_command(rules_serve)


@rules.command()
@_FILE
@_AS_JSON
def score(file: str, as_json: bool) -> None:
    """Print the points of every seat in FILE (- for standard input).

    \b
    A position is a JSON object, for example
      {"board": "SUMMER",
       "zoos": [{"WOODY_TRIO": ["T_REX", "T_REX", "DIPLODOCUS"]},
                {"RIVER": ["STEGOSAURUS"]}],
       "rules": "polish"}
    The PYRAMID is a list of six slots, null where one is free; "rules" may be left out.
    For Dino Twist add "game": "dino_twist"; its page of rules shows the keys.
    """
    position = read_position(file)
    scored = _game(position).score(position)
    if as_json:
        print_json(scored)
        return
    seats = scored["scores"]
    table = Table(title="Points", title_justify="left")
    table.add_column("")
    for seat in range(len(seats)):
        table.add_column(f"seat {seat}", justify="right")
    for part in seats[0]["parts"]:
        table.add_row(_label(part), *(str(seat["parts"][part]) for seat in seats))
    table.add_section()
    for key in (key for key in seats[0] if key != "parts"):
        bold = "bold" if key == "total" else ""
        table.add_row(_label(key), *(str(seat[key]) for seat in seats), style=bold)
    table.add_row("rank", *map(str, scored["ranks"]), style="bold")
    console().print(table)


@rules.command()
@_FILE
@_AS_JSON
def legal(file: str, as_json: bool) -> None:
    """Print every legal choice of the position in FILE (- for standard input).

    \b
    A position is a JSON object, for example
      {"board": "WINTER", "zoo": {"WELL_ORDERED_WOOD": ["DIPLODOCUS"]},
       "hand": ["T_REX", "STEGOSAURUS"], "die": "WOODLANDS", "roller": false}
    With "roller": true the die does not bind; "rules" and "game" may be added as for score.
    """
    position = read_position(file)
    choices = _game(position).legal(position)
    if as_json:
        print_json(choices)
        return
    table = Table(title=f"{len(choices)} legal choices", title_justify="left")
    for key in choices[0]:
        table.add_column(key)
    for choice in choices:
        table.add_row(*(escape(str(value)) for value in choice.values()))
    console().print(table)


def _game(position: Any) -> Game:
    """The game that a position names; Draftosaurus if it names no game."""
    named = Field(position, "", BadPosition).optional("game")
    return GAMES[named.text(tuple(GAMES)) if named else "draftosaurus"]


def _label(name: str) -> str:
    return name.replace("_", " ").lower()
