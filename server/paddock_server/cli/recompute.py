"""`paddock ladder recompute`: ratings from the whole history at once, beside the live ones."""

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import format_named
from paddock_ladder.history import Progress
from paddock_ladder.rating import BadRating
from paddock_server.cli.terminal import clean, console, print_json, progress
from paddock_server.recomputing import Recomputed
from paddock_server.recomputing import recompute as run
from paddock_server.store.address import CannotOpen
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
    database = Database(db, reading=True)
    try:
        with progress(format_name) as bar:
            task = bar.add_task("", rate="reading")

            def read(done: int, of: int) -> None:
                bar.update(task, total=of, completed=done)

            def tell(how: Progress) -> None:
                rate = f"pass {how.sweep}, {how.ahead:.3f} sigmas to go"
                bar.update(task, total=how.of, completed=how.weighed, rate=rate)

            found = run(database, format_name, read=read, tell=tell)
    except BadRating as problem:
        raise click.ClickException(f"{format_name} can't be rated as a whole: {problem}") from None
    finally:
        database.close()
    if not dry_run:
        _keep(db, format_name, found)
    _print(format_name, found, as_json=as_json)


def _keep(db: str, format_name: str, found: Recomputed) -> None:
    try:
        database = Database(db)
    except CannotOpen as problem:
        click.echo(f"shown, but not kept: {problem}", err=True)
        return
    try:
        found.keep(database, format_name)
    finally:
        database.close()


def _print(format_name: str, found: Recomputed, *, as_json: bool) -> None:
    told = [(line, found.of(line)) for line in found.lines]
    if as_json:
        rows = [
            {
                "bot": line.row.bot, "version": line.row.version,
                "mu": round(line.row.rating.mu, 4), "sigma": round(line.row.rating.sigma, 4),
                "whole_mu": round(whole.mu, 4) if whole else None,
                "whole_sigma": round(whole.sigma, 4) if whole else None,
            }
            for line, whole in told
        ]  # fmt: skip
        print_json({"format": format_name, "ratings": rows})
        return
    title = f"{format_name}: the live rating, and the whole history at once"
    table = Table(title=escape(title), title_justify="left")
    for name in ("bot", "live", "rank", "whole", "rank"):
        table.add_column(name, justify="left" if name == "bot" else "right")
    best = sorted((whole.conservative for _, whole in told if whole), reverse=True)
    for line, whole in told:
        live = line.row.rating
        table.add_row(
            escape(clean(line.row.bot)), f"{live.mu:.2f} ± {live.sigma:.2f}",
            str(line.standing.rank), f"{whole.mu:.2f} ± {whole.sigma:.2f}" if whole else "",
            str(best.index(whole.conservative) + 1) if whole else "",
        )  # fmt: skip
    console().print(table)
