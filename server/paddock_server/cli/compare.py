"""`paddock compare`: a sequential test of whether a new version of a bot is better."""

import asyncio
import logging
import time
from pathlib import Path
from typing import Any

import click
from rich.live import Live
from rich.markup import escape
from rich.table import Table

from paddock_games import format_named
from paddock_ladder.schedules import BadSchedule, Seating
from paddock_ladder.sequential import Decision, SequentialTest, Verdict
from paddock_server.basics.wording import counted
from paddock_server.cli.entries import BOT_HELP, Given, logs_option, read_entries
from paddock_server.cli.simulate import read_rules
from paddock_server.cli.terminal import Notices, clean, console, print_json
from paddock_server.local.comparing import Compared
from paddock_server.local.comparing import compare as run_comparison
from paddock_server.local.own_server import Company
from paddock_server.programs.processes import BotFailed
from paddock_server.referee.clock import Clock

BOT_FAILED = 4
INTERRUPTED = 130
EXIT_CODES = {
    Decision.ACCEPTED: 0, Decision.REJECTED: 1, Decision.FORFEITS: 1, Decision.OPEN: 3,
}  # fmt: skip


@click.command()
@click.argument("new")
@click.argument("old")
@click.option("--field", default="", help="The other bots at the table, separated by commas, each "
              f"{BOT_HELP}; needed if more than two play.")  # fmt: skip
@click.option("--format", "format_name", required=True, help="The format, such as summer.")
@click.option(
    "--seats", type=int, help="The number of seats; the format's usual number if not given."
)
@click.option("--rules", "rules_text", help="A preset's name or a JSON object of rule options.")
@click.option("--effect", type=click.FloatRange(0.01, 5.0), default=0.2, show_default=True,
              help="The least gain to detect, in standard deviations of a block.")  # fmt: skip
@click.option("--alpha", type=click.FloatRange(1e-6, 0.49), default=0.05, show_default=True,
              help="The chance that a NEW that is not better is accepted.")  # fmt: skip
@click.option("--beta", type=click.FloatRange(1e-6, 0.49), default=0.05, show_default=True,
              help="The chance that a NEW that is better by the effect is rejected.")  # fmt: skip
@click.option("--blocks", type=click.IntRange(1, 100_000), default=1000, show_default=True,
              help="The budget: the largest number of blocks to play.")  # fmt: skip
@click.option("--base-ms", type=click.IntRange(1, 3_600_000), default=1000, show_default=True,
              help="The base time of every decision, in milliseconds.")  # fmt: skip
@logs_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def compare(
    new: str,
    old: str,
    field: str,
    format_name: str,
    seats: int | None,
    rules_text: str | None,
    effect: float,
    alpha: float,
    beta: float,
    blocks: int,
    base_ms: int,
    logs: Path | None,
    as_json: bool,
) -> int:
    """Play NEW and OLD on the same deals until it is clear whether NEW is better.

    Both are sample bots such as greedy, name=sample:greedy, or name=command. The exit code is 0
    if NEW is better, 1 if it is not better by the effect or forfeits more matches than OLD, 3 if
    the blocks did not suffice, 4 if a bot failed, and 130 after Ctrl-C, which prints the result so
    far.

    \b
    For example
      paddock compare new="python new.py" old="python old.py" --field greedy,random --format summer
    """
    logging.getLogger("paddock").addHandler(logging.NullHandler())
    form = format_named(format_name)
    size = form.usual_seats if seats is None else seats
    others = [text for text in field.split(",") if text]
    if others and seats is None:  # as many seats as the field fills
        size = max(form.seats[0], min(size, len(others) + 1))
    rules = read_rules(format_name, size, rules_text)
    arguments = [Given("NEW", new), Given("OLD", old), *(Given("--field", text) for text in others)]
    first, second, *rest = read_entries(arguments)
    wanted = Compared(
        new=first,
        old=second,
        field=rest,
        seating=Seating(format_name, size, form.seats[0]),
        rules=rules,
        clock=Clock(base=base_ms / 1000),
        test=SequentialTest(effect, alpha, beta),
        budget=blocks,
    )
    try:
        wanted.comparison  # noqa: B018 -- an impossible one is refused before anything starts
    except BadSchedule as problem:
        raise click.UsageError(f"--{problem}") from None
    began = time.monotonic()
    notices = Notices()
    company = Company(wanted.entries, notices.say, logs)
    verdict, played = wanted.test.verdict([]), 0
    code: int | None = None
    try:
        with Live(console=notices.console, transient=True, auto_refresh=False) as live:

            def tell(so_far: Verdict, matches: int) -> None:
                nonlocal verdict, played
                verdict, played = so_far, matches
                if notices.console.is_terminal:
                    rate = matches / (time.monotonic() - began)
                    live.update(_table(wanted, verdict, f"{rate:,.1f} matches/s"), refresh=True)

            verdict = asyncio.run(run_comparison(wanted, company, tell))
    except BotFailed as failed:
        notices.say(str(failed))
        code = BOT_FAILED
    except KeyboardInterrupt:
        code = INTERRUPTED
    if as_json:
        print_json(_values(wanted, verdict, played))
    elif verdict.blocks:
        console().print(_table(wanted, verdict, counted(played, "match", "matches")))
        click.echo(_sentence(wanted, verdict))
    if code is not None:
        notices.say(f"stopped after {counted(verdict.blocks, 'block', 'blocks')}")
    return EXIT_CODES[verdict.decision] if code is None else code


def _table(wanted: Compared, verdict: Verdict, pace: str) -> Table:
    table = Table(
        title=escape(
            f"{clean(wanted.new.name)} against {clean(wanted.old.name)} in "
            f"{wanted.seating.format}: {counted(verdict.blocks, 'block', 'blocks')}, {pace}"
        ),
        title_justify="left",
    )
    titles = ["points per match", "95 %, at any time", "better", "not by the effect", "verdict"]
    forfeits = verdict.forfeits
    if any(forfeits):
        titles.append("forfeits")
    for title in titles:
        table.add_column(title, justify="right")
    between = verdict.anytime_interval()
    rejected, accepted = verdict.bounds
    table.add_row(
        f"{verdict.estimate.mean:+.2f}",
        f"{between[0]:+.2f} to {between[1]:+.2f}" if between else "",
        f"{verdict.better:.2f} of {accepted:.2f}",
        f"{verdict.short:.2f} of {rejected:.2f}",
        verdict.decision.value,
        *([f"{forfeits.new} against {forfeits.old}"] if any(forfeits) else []),
    )
    return table


def _sentence(wanted: Compared, verdict: Verdict) -> str:
    """A sentence that says what was decided, and what it means."""
    new, old, test = clean(wanted.new.name), clean(wanted.old.name), verdict.test
    match verdict.decision:
        case Decision.ACCEPTED:
            return (
                f"{new} is better than {old}. Of versions that are no better, about "
                f"{test.alpha:.1%} get this verdict."
            )
        case Decision.REJECTED:
            return (
                f"{new} is not better than {old} by {test.effect:g} standard deviations of a "
                f"block; it may be a little better, equal or worse. Of versions that are better by "
                f"that much, about {test.beta:.1%} get this verdict."
            )
        case Decision.FORFEITS:
            matches = counted(verdict.forfeits.new, "match", "matches")
            return (
                f"{new} has more points than {old}, but forfeited {matches} ({old}: "
                f"{verdict.forfeits.old}). Fix that first: paddock check-bot -- COMMAND"
            )
        case Decision.OPEN:
            blocks = counted(verdict.blocks, "block", "blocks")
            return f"Not decided after {blocks}. Play more with --blocks."


def _values(wanted: Compared, verdict: Verdict, matches: int) -> dict[str, Any]:
    between = verdict.anytime_interval()
    rejected, accepted = verdict.bounds
    return {
        "new": wanted.new.name,
        "old": wanted.old.name,
        "format": wanted.seating.format,
        "decision": verdict.decision.value,
        "blocks": verdict.blocks,
        "matches": matches,
        "difference": round(verdict.estimate.mean, 4),
        "interval": [round(each, 4) for each in between] if between else None,
        "better": round(verdict.better, 4),
        "accepted_at": round(accepted, 4),
        "short": round(verdict.short, 4),
        "rejected_at": round(rejected, 4),
        "forfeits": verdict.forfeits._asdict(),
        "effect": verdict.test.effect,
        "alpha": verdict.test.alpha,
        "beta": verdict.test.beta,
    }
