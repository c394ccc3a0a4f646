"""`paddock play`: bots as processes of their own, over gRPC, on a server of their own."""

import asyncio
import json
import logging
import time
from contextlib import nullcontext
from typing import Any, NamedTuple

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import BadRecord, format_named, replay
from paddock_games.field import Field
from paddock_server.arena.opening import HOUSE
from paddock_server.cli.files import written_whole
from paddock_server.cli.simulate import read_rules
from paddock_server.cli.terminal import clean, console, print_json, progress
from paddock_server.identity import BOT_NAME
from paddock_server.playing import Wanted, copies, play_matches
from paddock_server.processes import BotFailed, Entry, read_entry
from paddock_server.referee.clock import Clock
from paddock_server.tally import Tally

BOT_FAILED = 1


@click.command()
@click.option("--format", "format_name", required=True, help="What to play, such as summer.")
@click.option("--bot", "bots", multiple=True, required=True, metavar="BOT",
              help="A sample bot such as greedy, or name=command; repeated.")  # fmt: skip
@click.option("--games", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
              help="How many matches.")  # fmt: skip
@click.option("--seats", type=int, help="How many play; the format's usual number if not given.")
@click.option("--rules", "rules_text", help="A preset's name or a JSON object of rule options.")
@click.option("--records", metavar="FILE.jsonl", help="Write one match record a line into FILE.")
@click.option("--base-ms", type=click.IntRange(1, 3_600_000), default=1000, show_default=True,
              help="Milliseconds that every decision may take.")  # fmt: skip
@click.option("--bank-ms", type=click.IntRange(0, 3_600_000), default=10_000, show_default=True,
              help="Milliseconds for all overruns of a match.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def play(
    format_name: str,
    bots: tuple[str, ...],
    games: int,
    seats: int | None,
    rules_text: str | None,
    records: str | None,
    base_ms: int,
    bank_ms: int,
    as_json: bool,
) -> int:
    """Start bots as processes, have them play each other, and print how they did.

    \b
    For example
      paddock play --format summer --bot greedy --bot careful --bot mine="python bot.py" --games 20
    """
    logging.getLogger("paddock").addHandler(logging.NullHandler())  # the table tells of faults
    entries = read_entries(bots)
    form = format_named(format_name)
    size = form.usual_seats if seats is None else seats
    rules = read_rules(format_name, size, rules_text)
    entries += copies(entries, size)
    clock = Clock(base=base_ms / 1000, bank=bank_ms / 1000)
    wanted = Wanted(format_name, games, size, rules, clock)
    tally, troubles = Tally(), {entry.name: Trouble() for entry in entries}
    began = time.monotonic()
    try:
        with (
            written_whole(records) if records else nullcontext() as file,
            progress(format_name) as bar,
        ):
            task = bar.add_task("", total=games, rate="")

            def finished(record: Any) -> None:
                names = [seat["bot"] for seat in record["seats"]]
                tally.add_ranked(names, record["totals"], record["ranks"])
                for name, trouble in zip(names, _troubles(record, len(names)), strict=True):
                    troubles[name] = troubles[name].plus(trouble)
                if file is not None:
                    line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
                    file.write(line)
                rate = (bar.tasks[0].completed + 1) / (time.monotonic() - began)
                bar.update(task, advance=1, rate=f"{rate:,.1f} matches/s")

            asyncio.run(play_matches(entries, wanted, finished))
    except BotFailed as failed:
        click.echo("\n".join(clean(line) for line in str(failed).splitlines()), err=True)
        return BOT_FAILED
    rate = games / (time.monotonic() - began)
    if as_json:
        print_json(_summary(wanted, tally, troubles, rate))
    else:
        console().print(_table(wanted, tally, troubles, rate))
        if records:
            click.echo(f"{games:,} match records are in {clean(records)}")
    return 0


def read_entries(bots: tuple[str, ...]) -> list[Entry]:
    """The bots that were named, each once."""
    try:
        entries = [read_entry(text) for text in bots]
    except ValueError as problem:
        raise click.UsageError(f"--bot: {problem}") from None
    names = [entry.name for entry in entries]
    for entry in entries:
        if names.count(entry.name) > 1:
            raise click.UsageError(
                f"--bot: {entry.name} is there twice; name one of them: other={entry.name!r}"
            )
        if not BOT_NAME.fullmatch(entry.name) or entry.name.startswith(HOUSE):
            raise click.UsageError(
                f"--bot: {entry.name!r} is no name; take up to 40 letters, digits, dots, dashes "
                f"and underscores, and not {HOUSE}..."
            )
        if not entry.command:
            raise click.UsageError(f"--bot: {entry.name}= needs a command behind it")
    return entries


class Trouble(NamedTuple):
    """Decisions that a bot did not make itself."""

    faults: int = 0  # the referee chose
    fallbacks: int = 0  # the bot's client chose

    def plus(self, other: "Trouble") -> "Trouble":
        """Both together."""
        return Trouble(self.faults + other.faults, self.fallbacks + other.fallbacks)


def _troubles(record: Any, seats: int) -> list[Trouble]:
    counts = [Trouble()] * seats
    for step in replay(Field(record, "", BadRecord)).steps:  # what a record looks like, games know
        for seat, timing in step.timings.items():
            one = Trouble(timing.fault is not None, timing.fallback is not None)
            counts[seat] = counts[seat].plus(one)
    return counts


def _table(wanted: Wanted, tally: Tally, troubles: dict[str, Trouble], rate: float) -> Table:
    table = Table(
        title=f"{wanted.format}: {wanted.games:,} matches over gRPC, {rate:,.1f} matches/s",
        title_justify="left",
    )
    for title in ("bot", "matches", "points", "± 95 %", "wins", "faults", "fallbacks"):
        table.add_column(title, justify="left" if title == "bot" else "right")
    for bot in tally.bots:
        sums = tally.of(bot)
        table.add_row(
            escape(clean(bot)),
            str(sums.count),
            f"{sums.mean:.2f}",
            f"{sums.margin:.2f}",
            f"{sums.win_rate:.1%}",
            *map(str, troubles[bot]),
        )
    return table


def _summary(
    wanted: Wanted, tally: Tally, troubles: dict[str, Trouble], rate: float
) -> dict[str, Any]:
    return {
        "format": wanted.format,
        "games": wanted.games,
        "games_per_second": round(rate, 2),
        "bots": [
            {
                "bot": bot,
                "results": tally.of(bot).count,
                "mean": round(tally.of(bot).mean, 4),
                "margin": round(tally.of(bot).margin, 4) if tally.of(bot).count > 1 else None,
                "wins": round(tally.of(bot).win_rate, 4),
                **troubles[bot]._asdict(),
            }
            for bot in tally.bots
        ],
    }
