"""`paddock ladder recompute`: ratings from the whole history at once, beside the live ones."""

from pathlib import Path
from typing import Any

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import format_named
from paddock_ladder.history import Progress
from paddock_ladder.rating import BadRating, Rating
from paddock_server.cli.terminal import clean, console, print_json, progress
from paddock_server.recomputing import recompute as run
from paddock_server.store.database import Database


@click.command()
@click.argument("format_name", metavar="FORMAT")
@click.option("--db", default="paddock.db", show_default=True, envvar="PADDOCK_DB",
              help="The database.")  # fmt: skip
@click.option("--dry-run", is_flag=True, help="Print, and keep nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def recompute(format_name: str, db: str, dry_run: bool, as_json: bool) -> None:
    """Rate a format's whole history at once, in no order, and show it beside the live ratings.

    A live rating leans on the latest matches and on their order; this one has neither, so it is
    the fairer answer to who was better. It is kept and shown with the standings from then on.
    """
    format_named(format_name)
    if "://" not in db and not Path(db).is_file():
        raise click.UsageError(f"--db: there is no database {db}")
    database = Database(db)
    try:
        with progress(format_name) as bar:
            task = bar.add_task("", rate="reading")

            def read(done: int, of: int) -> None:
                bar.update(task, total=of, completed=done)

            def tell(how: Progress) -> None:
                rate = f"pass {how.sweep}, {how.ahead:.3f} sigmas to go"
                bar.update(task, total=how.of, completed=how.weighed, rate=rate)

            found = run(database, format_name, keep=not dry_run, read=read, tell=tell)
    except BadRating as problem:
        raise click.ClickException(f"{format_name} can't be rated as a whole: {problem}") from None
    finally:
        database.close()
    _print(format_name, *found, as_json=as_json)


def _print(
    format_name: str, lines: list[Any], whole: dict[str, Rating | None], *, as_json: bool
) -> None:
    if as_json:
        told = [
            {
                "bot": row.bot, "version": row.version, "mu": round(row.rating.mu, 4),
                "sigma": round(row.rating.sigma, 4),
                "whole_mu": round(of.mu, 4) if (of := whole[row.bot]) else None,
                "whole_sigma": round(of.sigma, 4) if of else None,
            }
            for _, row in lines
        ]  # fmt: skip
        print_json({"format": format_name, "ratings": told})
        return
    title = f"{format_name}: the live rating, and the whole history at once"
    table = Table(title=escape(title), title_justify="left")
    for name in ("bot", "live", "rank", "whole", "rank"):
        table.add_column(name, justify="left" if name == "bot" else "right")
    by_whole = sorted(
        (row.bot for _, row in lines if whole[row.bot]),
        key=lambda bot: -(whole[bot] or Rating()).conservative,
    )
    for line, row in lines:
        of = whole[row.bot]
        table.add_row(
            escape(clean(row.bot)), f"{row.rating.mu:.2f} ± {row.rating.sigma:.2f}",
            str(line.rank), f"{of.mu:.2f} ± {of.sigma:.2f}" if of else "",
            str(by_whole.index(row.bot) + 1) if of else "",
        )  # fmt: skip
    console().print(table)
