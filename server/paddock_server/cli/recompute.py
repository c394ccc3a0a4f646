"""`paddock ladder recompute`: the standing of a format, and its constants with --fit."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import format_named
from paddock_ladder.history import Progress
from paddock_ladder.rating import BadRating, Rating
from paddock_ladder.row import LadderRow
from paddock_server.cli.terminal import clean, console, print_json, progress
from paddock_server.standings.tables import Kind, table
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database

if TYPE_CHECKING:
    from paddock_server.standings.recomputing import Recomputed


@click.command()
@click.argument("format_name", metavar="FORMAT")
@click.option(
    "--db", default="paddock.db", show_default=True, envvar="PADDOCK_DB", help="The database."
)
@click.option(
    "--fit",
    is_flag=True,
    help="Fit the constant beta to the matches; with fewer than 20 bots the usual value is used.",
)
@click.option("--dry-run", is_flag=True, help="Print the standing, but do not store it.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def recompute(format_name: str, db: str, fit: bool, dry_run: bool, as_json: bool) -> None:
    """Compute the standing of a format from its whole history at once, and store it.

    A running server does this by itself in the background. This command also counts the totals of
    every bot (matches, points, wins, faults) again, which fills columns that are newer than the
    matches. Constants that have changed, by --fit or by a new version of Paddock, begin a new
    rating epoch: the live ratings are computed again from the records too. The command needs the
    database to itself, so stop the server first.
    """
    format_named(format_name)
    done = _computed(format_name, db, fit=fit)
    if done.begins:
        click.echo(f"{format_name}: {_epoch_text(done, dry_run=dry_run)}", err=True)
    problem = None
    if not dry_run:
        try:
            done = _kept(db, done)
        except CannotOpen as error:
            problem = error
    database = Database(db, reading=True)
    try:
        live = database.look(table, format_name, Kind.LIVE).rows
    finally:
        database.close()
    _print(done, live, as_json=as_json)
    if problem is not None:
        raise click.ClickException(f"the standing was printed, but not stored: {problem}")


def _computed(format_name: str, db: str, *, fit: bool) -> "Recomputed":
    from paddock_server.standings import recomputing  # noqa: PLC0415 -- numpy takes a while to be loaded

    database = Database(db, reading=True)
    try:
        with progress(format_name) as bar:
            task = bar.add_task("", rate="reading")

            def read(done: int, of: int) -> None:
                bar.update(task, total=of, completed=done)

            def tell(how: Progress) -> None:
                rate = f"pass {how.sweep}, {how.ahead:.4f} sigmas to go"
                bar.update(task, total=how.of, completed=how.weighed, rate=rate)

            return database.look(
                lambda connection: recomputing.recompute(
                    connection, format_name, fit=fit, read=read, tell=tell
                )
            )
    except BadRating as problem:
        raise click.ClickException(f"{format_name} can't be rated as a whole: {problem}") from None
    finally:
        database.close()


def _epoch_text(done: "Recomputed", *, dry_run: bool) -> str:
    would = "would begin" if dry_run else "begins"
    return f"a new rating epoch {would}, and all ratings are computed again: {done.epoch.text}"


def _kept(db: str, done: "Recomputed") -> "Recomputed":
    """What is stored."""
    database = Database(db)
    try:
        return database.write(done.keep)
    finally:
        database.close()


def _print(done: "Recomputed", live: Sequence[LadderRow], *, as_json: bool) -> None:
    standing = done.standing
    strengths = {(each.bot, each.version): each for each in standing.strengths}
    pairs = [(row, strengths.get((row.bot, row.version))) for row in live]
    if as_json:
        ratings: list[dict[str, Any]] = [
            {
                "bot": row.bot, "version": row.version,
                **_numbers("", Rating(row.mu, row.sigma)),
                **_numbers("whole_", strength.rating if strength else None),
                "rank": strength.place.rank if strength and strength.place else None,
                "rank_best": strength.place.best if strength and strength.place else None,
                "rank_worst": strength.place.worst if strength and strength.place else None,
            }
            for row, strength in pairs
        ]  # fmt: skip
        epoch = {
            "number": done.epoch.number, "begins": done.begins, "why": done.epoch.why,
            "beta": done.epoch.parameters.beta, "sigma": done.epoch.parameters.sigma,
        }  # fmt: skip
        print_json(
            {
                "format": standing.format, "computed": standing.computed,
                "matches": standing.matches, "seconds": round(standing.seconds, 3),
                "epoch": epoch, "ratings": ratings,
            }
        )  # fmt: skip
        return
    title = f"{standing.format}: the live rating, and the standing of {standing.matches:,} matches"
    shown = Table(title=escape(title), title_justify="left", caption=escape(done.epoch.text))
    for name in ("bot", "live", "rank", "standing", "rank", "90 %"):
        shown.add_column(name, justify="left" if name == "bot" else "right")
    for row, strength in pairs:
        place = strength.place if strength else None
        shown.add_row(
            escape(clean(row.bot)), f"{row.mu:.2f} ± {row.sigma:.2f}", str(row.rank),
            f"{strength.rating.mu:.2f} ± {strength.rating.sigma:.2f}" if strength else "",
            str(place.rank) if place else "", f"{place.best}-{place.worst}" if place else "",
        )  # fmt: skip
    console().print(shown)


def _numbers(prefix: str, rating: Rating | None) -> dict[str, float | None]:
    return {
        f"{prefix}mu": round(rating.mu, 4) if rating else None,
        f"{prefix}sigma": round(rating.sigma, 4) if rating else None,
    }
