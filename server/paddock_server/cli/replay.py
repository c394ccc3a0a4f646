"""`paddock replay`: the decisions of a recorded match, asked again of a bot."""

import asyncio
import logging
import shutil
from collections.abc import Sequence
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from paddock_games.decision import seat_of
from paddock_games.record import PlayedMatch
from paddock_server.checking.program import CannotStart
from paddock_server.checking.rehearsal import Comparison, Rehearsal, Wanted, rehearse
from paddock_server.cli.drawing import DRAWINGS
from paddock_server.cli.recorded import MATCH, recorded_match
from paddock_server.cli.terminal import clean, console, print_json

FAILED = 1
_MOST_MS = 24 * 60 * 60 * 1000


@click.command()
@click.argument("file", metavar="FILE.jsonl")
@click.argument("command", nargs=-1, required=True, metavar="-- COMMAND ...")
@MATCH
@click.option("--seat", required=True, metavar="S",
              help="The seat to ask again: its number from 0, or its bot's name.")  # fmt: skip
@click.option("--all", "everything", is_flag=True,
              help="Show every decision, not only those that differ.")  # fmt: skip
@click.option("--base-ms", type=click.IntRange(1, _MOST_MS), metavar="MS",
              help="The base time that the bot is told, in milliseconds; it is not enforced. "
              "That of the record if not given.")  # fmt: skip
@click.option("--patience", type=click.FloatRange(0.1, 86400), default=3600.0, show_default=True,
              help="Seconds that the bot may take to connect, and for every answer; long enough "
              "to attach a debugger.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def replay(
    file: str,
    command: tuple[str, ...],
    number_or_id: str,
    seat: str,
    everything: bool,
    base_ms: int | None,
    patience: float,
    as_json: bool,
) -> int:
    """Ask a bot again what a seat of a recorded match was asked, and show where it differs.

    The bot is started with PADDOCK_SERVER and PADDOCK_BOT set, as paddock play does. It gets the
    match of FILE.jsonl (- for standard input) as it was, over a real stream; no other bot takes
    part. The match goes on with the recorded choices, whatever the bot answers. The bot's own
    output goes to standard error. The exit code is 0 whatever differs, and 1 if the bot failed.

    \b
    For example
      paddock replay lost.jsonl --seat mine -- python bot.py
      paddock replay lost.jsonl --match 3 --seat 0 --all -- paddock bridge -- ./bot
    """
    if shutil.which(command[0]) is None:
        raise click.UsageError(
            f"COMMAND: program {command[0]!r} not found; give a command that can be run"
        )
    played = recorded_match(file, number_or_id)
    wanted = Wanted(played, seat_of(played.match, seat), base_ms, patience)
    logging.getLogger("paddock").addHandler(logging.NullHandler())  # the table says it all
    try:
        rehearsal = asyncio.run(rehearse(command, wanted, _hear))
    except CannotStart as problem:
        raise click.UsageError(f"COMMAND: {problem}") from None
    shown = [each for each in rehearsal.comparisons if everything or not each.same]
    if as_json:
        print_json(_json(played, wanted.seat, rehearsal, shown))
    else:
        _show(played, wanted.seat, rehearsal, shown)
    return FAILED if rehearsal.problem else 0


def _hear(line: str) -> None:
    click.echo(clean(line), err=True)


def _show(
    played: PlayedMatch, seat: int, rehearsal: Rehearsal, shown: Sequence[Comparison]
) -> None:
    bot = played.match.seats[seat].bot
    match = f"{played.match.format}, match {played.match.id}, seat {seat}: {bot}"
    table = Table(title=escape(clean(match)), title_justify="left")
    for title in ("decision", "recorded", "now", "", "ms"):
        table.add_column(title, justify="right" if title == "ms" else "left", overflow="fold")
    moment = DRAWINGS[played.match.game.name].moment
    for each in shown:
        _, state, choice, timing, *_ = each.decision
        recorded = f"{choice} ({timing.fault})" if timing.fault else str(choice)
        word = "same" if each.same else "[bold]different[/]"
        table.add_row(moment(state), recorded, str(each.choice), word, f"{each.ms:.1f}")
    if shown:
        console().print(table)
    answered = len(rehearsal.comparisons)
    different = sum(not each.same for each in rehearsal.comparisons)
    click.echo(f"{different} of {answered} decisions differ")
    if rehearsal.problem:
        asked = f"after {answered} of {rehearsal.asked} decisions"
        click.echo(clean(f"the bot failed {asked}: {rehearsal.problem}"))


def _json(
    played: PlayedMatch, seat: int, rehearsal: Rehearsal, shown: Sequence[Comparison]
) -> dict[str, Any]:
    game = played.match.game
    moment = DRAWINGS[game.name].moment
    return {
        "match": played.match.id,
        "format": played.match.format,
        "seat": seat,
        "bot": played.match.seats[seat].bot,
        "decisions": rehearsal.asked,
        "answered": len(rehearsal.comparisons),
        "different": sum(not each.same for each in rehearsal.comparisons),
        "choices": [
            {
                "step": each.decision.step,
                "decision": moment(each.decision.state),
                "where": game.place(each.decision.state),
                "recorded": str(each.decision.choice),
                "fault": each.decision.timing.fault,
                "now": str(each.choice),
                "same": each.same,
                "ms": round(each.ms, 3),
            }
            for each in shown
        ],
        "problem": rehearsal.problem or None,
    }
