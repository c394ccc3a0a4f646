"""`paddock simulate`: many matches of built-in bots, in this process and its workers."""

import json
import os
import secrets
import time
from contextlib import nullcontext
from math import isnan
from typing import Any

import click
from rich.table import Table

from paddock_games import BadRules, format_named, game_of
from paddock_games.registry import FORMATS
from paddock_server.basics.wording import counted
from paddock_server.cli.files import written_whole
from paddock_server.cli.terminal import clean, console, number, print_json, progress
from paddock_server.local.simulation import Plan, known_bots
from paddock_server.local.simulation import simulate as simulate_plan
from paddock_server.local.tally import Sum, Tally


@click.command()
@click.option(
    "--format",
    "formats",
    multiple=True,
    required=True,
    metavar="FORMAT",
    help=f"The format; may be repeated. One of {', '.join(FORMATS)}.",
)
@click.option(
    "--seats", type=int, help="The number of seats; the format's usual number if not given."
)
@click.option(
    "--games", type=click.IntRange(1, 100_000_000), default=1000, show_default=True,
    help="The number of matches of each format.",
)  # fmt: skip
@click.option("--seed", type=int, help="Equal seeds give equal matches; random if not given.")
@click.option(
    "--bots",
    default="random,greedy",
    show_default=True,
    help="The bots, separated by commas; they fill the seats in turn and change seats each match.",
)
@click.option("--rules", "rules_text", help="A preset's name or a JSON object of rule options.")
@click.option("--records", metavar="FILE.jsonl", help="Write one match record per line to FILE.")
@click.option(
    "--jobs", type=click.IntRange(1, 256), default=os.cpu_count() or 1, show_default="all cores",
    help="The number of processes; the records do not depend on it.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def simulate(
    formats: tuple[str, ...],
    seats: int | None,
    games: int,
    seed: int | None,
    bots: str,
    rules_text: str | None,
    records: str | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Play matches of built-in bots without a server, and print the results.

    \b
    For example
      paddock simulate --format winter --seats 4 --games 1000 --seed 7 --bots random,greedy
    """
    chosen = secrets.randbelow(1 << 32) if seed is None else seed
    plans = [
        _plan(name, seats, games=games, seed=chosen, bots=bots, rules_text=rules_text)
        for name in formats
    ]
    summaries = []
    with written_whole(records) if records else nullcontext() as file:
        for plan in plans:
            tally = Tally()
            began = time.monotonic()
            with progress(plan.format) as bar:
                task = bar.add_task("", total=plan.games, rate="")
                for batch in simulate_plan(plan, jobs, file is not None):
                    tally.merge(batch.tally)
                    if file is not None:
                        file.write(batch.lines)
                    done = bar.tasks[0].completed + batch.games
                    rate = done / (time.monotonic() - began)
                    bar.update(task, advance=batch.games, rate=f"{rate:,.0f} matches/s")
            rate = plan.games / (time.monotonic() - began)
            summaries.append(_summary(plan, tally, rate))
            if not as_json:
                console().print(_table(plan, tally, rate))
    if as_json:
        print_json(summaries)
    elif records:
        count = sum(plan.games for plan in plans)
        of = "the record of 1 match is" if count == 1 else f"the records of {count:,} matches are"
        click.echo(f"{of} in {clean(records)}; check with: paddock verify {clean(records)}")


def _plan(
    name: str, seats: int | None, games: int, seed: int, bots: str, rules_text: str | None
) -> Plan:
    form = format_named(name)
    count = form.usual_seats if seats is None else seats
    rules = read_rules(name, count, rules_text)
    line = tuple(bots.split(","))
    for bot in line:
        if bot not in known_bots([name]):
            known = ", ".join(known_bots([name]))
            raise BadRules("--bots", f"no built-in bot {bot!r} plays {name}; use {known}")
    return Plan(format=name, seats=count, games=games, seed=seed, bots=line, rules=rules)


def read_rules(format_name: str, seats: int, text: str | None) -> Any:
    """The rules that `--rules` names; BadRules if the format can't be played with them."""
    options: Any = text
    if text is not None and text.lstrip().startswith("{"):
        try:
            options = json.loads(text)
        except (ValueError, RecursionError):
            raise BadRules("--rules", 'is not JSON; give a preset or {"option": value}') from None
    game = game_of(format_name)
    rules = game.rules(options, "--rules")
    game.check(format_name, seats, rules)
    return rules


def _table(plan: Plan, tally: Tally, rate: float) -> Table:
    played = counted(plan.games, "match", "matches")
    table = Table(
        title=f"{plan.format}: {played} of {plan.seats}, seed {plan.seed}, {rate:,.0f} matches/s",
        title_justify="left",
    )
    table.add_column("bot")
    table.add_column("points", justify="right")
    table.add_column("± 95 %", justify="right")
    table.add_column("wins", justify="right")
    for seat in range(plan.seats):
        table.add_column(f"seat {seat}", justify="right")
    for bot in tally.bots:
        table.add_row(bot, *_cells(tally.of(bot)), *_means(tally, bot, plan.seats))
    table.add_section()
    all_seats = (number(tally.in_seat(seat).mean) for seat in range(plan.seats))
    table.add_row("all", "", "", "", *all_seats, style="dim")
    return table


def _cells(sums: Sum) -> tuple[str, str, str]:
    return number(sums.mean), number(sums.margin), f"{sums.win_rate:.1%}"


def _means(tally: Tally, bot: str, seats: int) -> list[str]:
    sums = [tally.of(bot, seat) for seat in range(seats)]
    return [f"{seat_sum.mean:.2f}" if seat_sum.count else "-" for seat_sum in sums]


def _summary(plan: Plan, tally: Tally, rate: float) -> dict[str, Any]:
    return {
        "format": plan.format,
        "seats": plan.seats,
        "games": plan.games,
        "seed": plan.seed,
        "rules": plan.rules._asdict(),
        "games_per_second": round(rate, 1),
        "bots": [
            {
                "bot": bot,
                **_numbers(tally.of(bot)),
                "seats": [_numbers(tally.of(bot, seat)) for seat in range(plan.seats)],
            }
            for bot in tally.bots
        ],
        "seat_means": [_number(tally.in_seat(seat).mean) for seat in range(plan.seats)],
    }


def _numbers(sums: Sum) -> dict[str, Any]:
    return {
        "results": sums.count,
        "mean": _number(sums.mean),
        "margin": _number(sums.margin),
        "wins": _number(sums.win_rate),
    }


def _number(value: float) -> float | None:
    return None if isnan(value) else round(value, 4)
