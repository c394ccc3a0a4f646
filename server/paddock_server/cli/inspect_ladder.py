"""`paddock ladder calibration` and `suspects`: what an organiser wants to know of a ladder."""

from collections.abc import Callable
from typing import Any, TypeVar

import click
from rich.markup import escape
from rich.table import Table

from paddock_games import FORMATS, format_named
from paddock_ladder.rating import BadRating
from paddock_server.cli.terminal import clean, console, print_json
from paddock_server.store.database import Database

T = TypeVar("T")

_DB = click.option("--db", default="paddock.db", show_default=True, envvar="PADDOCK_DB",
                   help="The database; a server may use it meanwhile.")  # fmt: skip
_AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")


@click.command()
@click.argument("format_name", metavar="FORMAT")
@click.option(
    "--draws",
    type=click.IntRange(0, 1000),
    default=10,
    show_default=True,
    help="Resampled histories that rank intervals are tried with; 0: none.",
)
@_DB
@_AS_JSON
def calibration(format_name: str, draws: int, db: str, as_json: bool) -> None:
    """Show whether a ladder keeps its word: what it said, and what was seen.

    Every match is predicted by the live ratings before it, pair by pair. A prediction of 70 %
    should come true seven times in ten. A spread of more than 1 means that predictions say too
    much. Coverage is the part of the standing's 90 % rank intervals that hold.
    """
    format_named(format_name)
    from paddock_server.standings.inspecting import calibrate  # noqa: PLC0415 -- numpy takes a while

    found = _looked(db, format_name, lambda connection: calibrate(connection, format_name, draws))
    if found is None:
        raise click.ClickException(f"{format_name} has no rated match yet; play some first")
    held = found.coverage
    if as_json:
        print_json(
            {
                "format": format_name, "matches": found.matches, "predictions": found.predictions,
                "log_loss": found.log_loss, "spread": found.spread,
                "coverage": held._asdict() if held else None,
                "bands": [band._asdict() for band in found.bands],
            }
        )  # fmt: skip
        return
    title = f"{format_name}: {found.predictions:,} predictions of {found.matches:,} matches"
    table = Table(title=escape(title), title_justify="left")
    for name in ("from", "said", "seen", "±", "predictions"):
        table.add_column(name, justify="right")
    for band in found.bands:
        table.add_row(
            f"{band.low:.0%}", f"{band.said:.1%}", f"{band.seen:.1%}", f"{band.error:.1%}",
            f"{band.number:,}",
        )  # fmt: skip
    console().print(table)
    click.echo(f"log-loss {found.log_loss:.3f} (0.693 knows nothing); spread {found.spread:.2f}")
    if held is not None:
        click.echo(f"90 % rank intervals held {held.held:.0%}; {held.width:.1f} ranks wide")


@click.command()
@click.argument("format_name", metavar="[FORMAT]", required=False)
@_DB
@_AS_JSON
def suspects(format_name: str | None, db: str, as_json: bool) -> None:
    """Name the pairs of bots in which one wins too often against the other; all formats if none
    is given.

    Too often by their strengths, which come from all matches. At most one in a hundred of the
    pairs that are named is innocent. It is a reason to look at their matches, never a proof.
    """
    if format_name is not None:
        format_named(format_name)
    from paddock_server.standings.inspecting import find_suspects  # noqa: PLC0415 -- numpy takes a while

    rows: list[dict[str, Any]] = []
    for name in FORMATS if format_name is None else [format_name]:
        found = _looked(db, name, lambda connection, of=name: find_suspects(connection, of))
        rows += [{"format": name, **pair._asdict()} for pair in found]
    if as_json:
        print_json({"suspects": rows})
        return
    if not rows:
        click.echo("nobody wins against anybody more often than strengths allow")
        return
    table = Table(title="pairs to look at, the least credible first", title_justify="left")
    for title in ("format", "winner", "loser", "meetings", "wins", "expected", "chance"):
        left = title in ("format", "winner", "loser")
        table.add_column(title, justify="left" if left else "right")
    for row in rows:
        table.add_row(
            row["format"], escape(clean(row["one"])), escape(clean(row["other"])),
            f"{row['meetings']:,}", f"{row['wins']:,}", f"{row['expected']:.1f}",
            f"{row['chance']:.1e}",
        )  # fmt: skip
    console().print(table)


def _looked(db: str, format_name: str, look: Callable[..., T]) -> T:
    database = Database(db, reading=True)
    try:
        return database.look(look)
    except BadRating as problem:
        raise click.ClickException(f"{format_name} can't be rated as a whole: {problem}") from None
    finally:
        database.close()
