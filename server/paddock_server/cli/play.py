"""`paddock play`: matches of bots that run as processes, over gRPC, on a temporary server."""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import format_named
from paddock_server.basics.wording import counted
from paddock_server.cli.entries import BOT_HELP, Given, logs_option, read_entries
from paddock_server.cli.jailing import jail_options, jailed_bots
from paddock_server.cli.records_file import Existing, RecordsFile
from paddock_server.cli.repeating import same_command
from paddock_server.cli.simulate import read_rules
from paddock_server.cli.terminal import Notices, clean, console, print_json, progress
from paddock_server.local.earlier import PlayedRecord, nothing_earlier, read_earlier
from paddock_server.local.own_server import Company
from paddock_server.local.playing import Wanted, copies, play_matches
from paddock_server.local.tally import Tally
from paddock_server.programs.processes import BotFailed
from paddock_server.referee.clock import Clock
from paddock_server.referee.result import SeatResult

BOT_FAILED = 1
INTERRUPTED = 130


@click.command()
@click.option("--format", "format_name", required=True, help="The format, such as summer.")
@click.option("--bot", "bots", multiple=True, required=True, metavar="BOT",
              help=f"A bot that plays: {BOT_HELP}; may be repeated.")  # fmt: skip
@click.option("--games", type=click.IntRange(1, 1_000_000), default=20, show_default=True,
              help="The number of matches.")  # fmt: skip
@click.option(
    "--seats", type=int, help="The number of seats; the format's usual number if not given."
)
@click.option("--rules", "rules_text", help="A preset's name or a JSON object of rule options.")
@click.option("--seed", type=click.IntRange(0), help="Deal from this number, for debugging: match "
              "by match the same deals every time. The bots' nonces are fixed, so they have no "
              "part in the deal, and nothing is rated.")  # fmt: skip
@click.option("--records", metavar="FILE.jsonl",
              help="Write one match record per line to FILE, as matches end.")  # fmt: skip
@click.option("--append", is_flag=True, help="Add to the records that are in FILE.")
@click.option("--force", is_flag=True, help="Overwrite the records that are in FILE.")
@click.option("--db", metavar="FILE", help="Keep the matches in this database, so that --resume "
              "can continue them; a temporary one if not given.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Continue the matches of --db: none is played or "
              "written twice.")  # fmt: skip
@logs_option
@click.option("--base-ms", type=click.IntRange(1, 3_600_000), default=1000, show_default=True,
              help="The base time of every decision, in milliseconds.")  # fmt: skip
@click.option("--bank-ms", type=click.IntRange(0, 3_600_000), default=10_000, show_default=True,
              help="The bank for all overruns of a match, in milliseconds.")  # fmt: skip
@jail_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def play(
    format_name: str,
    bots: tuple[str, ...],
    games: int,
    seats: int | None,
    rules_text: str | None,
    seed: int | None,
    records: str | None,
    append: bool,
    force: bool,
    db: str | None,
    resume: bool,
    logs: Path | None,
    base_ms: int,
    bank_ms: int,
    jail: bool,
    accept_weaker: bool,
    jail_memory: int,
    as_json: bool,
) -> int:
    """Start bots as processes, let them play each other, and print the results.

    Every finished match counts, whatever happens later. A bot that crashes is started again, five
    times in a row. The exit code is 0 if all matches were played, 1 if a bot made that
    impossible, and 130 after Ctrl-C.

    \b
    For example
      paddock play --format summer --bot greedy --bot careful --bot mine="python bot.py" --games 20
      paddock play --format summer --bot two=sample:greedy --bot greedy --games 500 --db run.db
    """
    logging.getLogger("paddock").addHandler(logging.NullHandler())  # the table shows faults
    existing = _existing(records, append=append, force=force, resume=resume)
    if resume and db is None:
        raise click.UsageError("--resume needs the database of the run; name it with --db FILE")
    entries = read_entries([Given("--bot", text) for text in bots])
    form = format_named(format_name)
    size = form.usual_seats if seats is None else seats
    rules = read_rules(format_name, size, rules_text)
    entries += copies(entries, size)
    clock = Clock(base=base_ms / 1000, bank=bank_ms / 1000)
    wanted = Wanted(
        format=format_name, games=games, seats=size, rules=rules, clock=clock, seed=seed
    )
    notices = Notices()
    company = Company(entries, notices.say, logs)
    jailed = jailed_bots(jail, accept_weaker, jail_memory, notices.say)
    if jailed is not None:
        company.starter = jailed.bot
    earlier = nothing_earlier()
    if db is not None:
        plans = wanted.plans(company.names)
        earlier = read_earlier(db, plans.plan, games, resume=resume)
    results = Results(wanted, company.probation, dict.fromkeys(company.names, Trouble()))
    code = 0
    with RecordsFile(records, existing) if records else nullcontext() as file:
        try:
            with progress(format_name, notices) as bar:
                task = bar.add_task("", total=games, rate="")

                def finished(record: PlayedRecord) -> None:
                    results.add(record.results)
                    if file is not None:
                        file.add(record.match, record.text)
                    bar.update(task, advance=1, rate=f"{results.rate:,.1f} matches/s")

                for record in earlier.records:
                    finished(record)
                results.begin()
                asyncio.run(play_matches(company, wanted, finished, db, earlier))
        except BotFailed as failed:
            notices.say(str(failed))
            code = BOT_FAILED
        except KeyboardInterrupt:
            code = INTERRUPTED
    if as_json:
        print_json(_summary(results))
    elif results.played:
        console().print(_table(results))
    if file is not None and file.added and not as_json:
        added = counted(file.added, "match record was", "match records were")
        click.echo(f"{added} written to {clean(file.name)}")
    for sentence in _closing(results, code, db):
        notices.say(sentence)
    return code


class Trouble(NamedTuple):
    """A count of decisions that a bot did not make itself."""

    faults: int = 0  # the referee chose
    fallbacks: int = 0  # the bot's client chose

    def plus(self, other: "Trouble") -> "Trouble":
        """Both together."""
        return Trouble(self.faults + other.faults, self.fallbacks + other.fallbacks)


@dataclass
class Results:
    """The results of a run so far."""

    wanted: Wanted
    probation: Mapping[str, str]  # why, by bot
    troubles: dict[str, Trouble]  # by bot
    tally: Tally = field(default_factory=Tally)
    played: int = 0
    before: int = 0  # matches of an earlier run
    began: float = field(default_factory=time.monotonic)

    def begin(self) -> None:
        """Start the clock: the matches so far were read from the database."""
        self.before, self.began = self.played, time.monotonic()

    def add(self, seats: Sequence[SeatResult]) -> None:
        """Add one more match."""
        bots = [seat.bot for seat in seats]
        self.tally.add_ranked(bots, [seat.total for seat in seats], [seat.rank for seat in seats])
        for seat in seats:
            trouble = Trouble(seat.faults, seat.fallbacks)
            self.troubles[seat.bot] = self.troubles[seat.bot].plus(trouble)
        self.played += 1

    @property
    def rate(self) -> float:
        """Matches per second."""
        return (self.played - self.before) / max(time.monotonic() - self.began, 1e-9)


def _existing(records: str | None, *, append: bool, force: bool, resume: bool) -> Existing:
    """What to do with a file of records that exists."""
    if append and force:
        raise click.UsageError("--append and --force exclude each other; give one of them")
    if (append or force) and records is None:
        raise click.UsageError(f"--{'append' if append else 'force'} needs --records FILE")
    if force:
        return Existing.FORCE
    if resume:
        return Existing.RESUME
    return Existing.APPEND if append else Existing.REFUSE


def _closing(results: Results, code: int, db: str | None) -> list[str]:
    """The sentences at the end: faults, fallbacks, and how to continue a run that stopped."""
    sentences = []
    troubled = results.troubles.items()
    for who, bots in (
        ("the referee had to choose for {} (faults)", [b for b, each in troubled if each.faults]),
        ("the client chose for {} (fallbacks)", [b for b, each in troubled if each.fallbacks]),
    ):
        if bots:
            sentences.append(
                who.format(", ".join(bots))
                + "; --logs DIR keeps all output of bots, paddock check-bot -- COMMAND checks a bot"
            )
    if code:
        of = counted(results.wanted.games, "match", "matches")
        if db is None:
            how = "with --db FILE a run can be resumed"
        else:
            command = same_command(add="--resume", without=("append", "force", "resume"))
            how = f"nothing is lost; continue with: {command}"
        sentences.append(f"stopped after {results.played:,} of {of}; {how}")
    return sentences


def _table(results: Results) -> Table:
    wanted, tally = results.wanted, results.tally
    of = f"{results.played:,} of " * (results.played < wanted.games)
    rate = f", {results.rate:,.1f} matches/s" * (results.played > results.before)
    table = Table(
        title=f"{wanted.format}: {of}{counted(wanted.games, 'match', 'matches')} over gRPC{rate}",
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
            f"{sums.margin:.2f}" if sums.count > 1 else "",
            f"{sums.win_rate:.1%}",
            *map(str, results.troubles[bot]),
        )
    return table


def _summary(results: Results) -> dict[str, Any]:
    wanted, tally = results.wanted, results.tally
    return {
        "format": wanted.format,
        "games": wanted.games,
        "played": results.played,
        "seed": wanted.seed,
        "games_per_second": round(results.rate, 2),
        "bots": [
            {
                "bot": bot,
                "results": tally.of(bot).count,
                "mean": round(tally.of(bot).mean, 4),
                "margin": round(tally.of(bot).margin, 4) if tally.of(bot).count > 1 else None,
                "wins": round(tally.of(bot).win_rate, 4),
                **results.troubles[bot]._asdict(),
                "probation": results.probation.get(bot),
            }
            for bot in tally.bots
        ],
    }
