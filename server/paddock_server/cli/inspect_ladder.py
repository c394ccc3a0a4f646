"""`paddock ladder calibration` and `suspects`: what an organiser wants to know of a ladder."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click
from rich.markup import escape
from rich.table import Table

from paddock.v1 import ladder_pb2, ladder_pb2_grpc
from paddock_games import format_named
from paddock_ladder.rating import BadRating
from paddock_server.cli.remote import channel, db_option
from paddock_server.cli.terminal import clean, console, print_json
from paddock_server.store.database import Database

T = TypeVar("T")

_PATIENCE_SECONDS: Final = 600.0  # a whole history of every format, after somebody else's

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

    result = _looked(db, format_name, lambda connection: calibrate(connection, format_name, draws))
    if result is None:
        raise click.ClickException(f"{format_name} has no rated match yet; play some first")
    held = result.coverage
    if as_json:
        print_json(
            {
                "format": format_name, "matches": result.matches, "predictions": result.predictions,
                "log_loss": result.log_loss, "spread": result.spread,
                "coverage": held._asdict() if held else None,
                "bands": [
                    band._asdict() | {"interval": band.interval._asdict()} for band in result.bands
                ],
            }
        )  # fmt: skip
        return
    title = f"{format_name}: {result.predictions:,} predictions of {result.matches:,} matches"
    table = Table(title=escape(title), title_justify="left")
    for name in ("from", "said", "seen", "95 % interval", "predictions"):
        table.add_column(name, justify="right")
    for band in result.bands:
        low, high = band.interval
        table.add_row(
            f"{band.low:.0%}", f"{band.said:.1%}", f"{band.seen:.1%}", f"{low:.1%} - {high:.1%}",
            f"{band.number:,}",
        )  # fmt: skip
    console().print(table)
    click.echo(
        f"log-loss {result.log_loss:.3f} (0.693: no knowledge); "
        f"spread {result.spread:.2f} (above 1: too sure)"
    )
    if held is not None:
        click.echo(
            f"of the 90 % rank intervals {held.held:.0%} hold; they are {held.width:.1f} ranks wide"
        )


@click.command()
@click.argument("format_name", metavar="[FORMAT]", default="")
@_AS_JSON
@db_option
def suspects(format_name: str, as_json: bool, **server: Any) -> None:
    """Name the pairs of bots in which one wins too often against the other; in all formats, unless
    one is given.

    Too often by their strengths, which come from all matches: by luck alone, one ladder in a
    hundred would have a pair named. It is a reason to look at their matches, never a proof. A
    server needs the organiser's token, reads the whole history beside play, and may take minutes.
    """
    with channel(**server) as caller:
        stub = ladder_pb2_grpc.LadderServiceStub(caller.channel)
        request = ladder_pb2.ListSuspectsRequest(format=format_name)
        pairs = caller.call(stub.ListSuspects, request, seconds=_PATIENCE_SECONDS).suspects
    if as_json:
        fields = [field.name for field in ladder_pb2.Suspect.DESCRIPTOR.fields]
        rows = [{name: getattr(pair, name) for name in fields} for pair in pairs]
        print_json({"suspects": rows})
        return
    if not pairs:
        click.echo("no bot beats another one more often than their strengths allow")
        return
    table = Table(title="pairs to look at, the least credible first", title_justify="left")
    for title in ("format", "winner", "loser", "meetings", "wins", "expected", "chance"):
        left = title in ("format", "winner", "loser")
        table.add_column(title, justify="left" if left else "right")
    for pair in pairs:
        table.add_row(
            pair.format, _named(pair.winner, pair.winner_version),
            _named(pair.loser, pair.loser_version),
            f"{pair.meetings:,}", f"{pair.wins:,}", f"{pair.expected:.1f}", f"{pair.chance:.1e}",
        )  # fmt: skip
    console().print(table)


def _named(bot: str, version: str) -> str:
    return escape(clean(f"{bot} {version}" if version else bot))


def _looked(db: str, format_name: str, look: Callable[..., T]) -> T:
    database = Database(db, reading=True)
    try:
        return database.look(look)
    except BadRating as problem:
        raise click.ClickException(f"{format_name} can't be rated as a whole: {problem}") from None
    finally:
        database.close()
