"""`paddock show`: a recorded match as pictures in the terminal."""

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import BadRecord
from paddock_games.game import Luck
from paddock_games.record import PlayedMatch
from paddock_server.cli.drawing import DRAWINGS
from paddock_server.cli.recorded import MATCH, recorded_match
from paddock_server.cli.terminal import clean, console


@click.command()
@click.argument("file", metavar="FILE.jsonl")
@MATCH
@click.option("--turn", type=click.IntRange(1), metavar="N", help="Show only this turn, from 1.")
def show(file: str, number_or_id: str, turn: int | None) -> None:
    """Draw a match of FILE.jsonl (- for standard input), turn by turn.

    Hands and boards are drawn as every seat saw them before it decided in the turn (in Dino Twist:
    in the round), then what it chose. The end of a game is drawn after its last turn.
    """
    played = recorded_match(file, number_or_id)
    frames = DRAWINGS[played.match.game.name].frames(played)
    if turn is not None and turn > len(frames):
        raise BadRecord(
            "--turn", f"this match has {len(frames)} turns, not {turn}; give 1 to {len(frames)}"
        )
    screen = console()
    for frame in frames if turn is None else [frames[turn - 1]]:
        screen.print(frame)
    if turn is None or turn == len(frames):
        screen.print(_result(played))


def _result(played: PlayedMatch) -> Table:
    result = played.end.result()
    ranks = result.ranks(played.match.forfeited)
    table = Table(title=f"{played.match.format}, match {escape(clean(played.match.id))}")
    shares = [f"{seated.cpu_share:g}" if seated.cpu_share else "" for seated in played.match.seats]
    hosted = any(shares)
    for title in ("rank", "seat", "bot", "points", *["core"] * hosted, "luck"):
        table.add_column(title, justify="left" if title in ("bot", "luck") else "right")
    lucks = played.luck
    for rank, seat in sorted(zip(ranks, range(len(ranks)), strict=True)):
        bot = escape(clean(played.match.seats[seat].bot))
        luck = ", ".join(_parts(lucks[seat]))
        share = [shares[seat]] * hosted
        table.add_row(str(rank), str(seat), bot, str(result.totals[seat]), *share, luck)
    table.caption = "luck: points that chance gave, compared with what was to be expected"
    if hosted:
        table.caption = f"core: the share of a core that the arena gave the bot\n{table.caption}"
    table.caption_justify = "left"
    return table


def _parts(luck: Luck) -> list[str]:
    """The kinds of luck that the game has."""
    parts = (("die", luck.die), ("deal", luck.deal))
    return [f"{value:+.1f} from the {name}" for name, value in parts if value]
