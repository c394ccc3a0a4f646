"""Rating epochs: the constants of a format's ladder, since when they apply, and why.

A change of constants always begins a new epoch. If the code has other constants than the store, the
store's apply.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select

from paddock_games import FORMATS, format_named
from paddock_ladder.rating import Parameters
from paddock_server.basics.identity import stamp
from paddock_server.store import shelf
from paddock_server.store.prepared import Prepared, Rows
from paddock_server.store.schema import EPOCHS

FIRST: Final = "the first constants"
_CONSTANTS: Final = ("draw_probability", "mu", "sigma", "beta", "tau")
_CURRENT: Final = Prepared(
    select(
        EPOCHS.c.number,
        EPOCHS.c.since,
        EPOCHS.c.why,
        EPOCHS.c.fitted,
        *(EPOCHS.c[name] for name in _CONSTANTS),
    )
    .where(EPOCHS.c.format == bindparam("of_format"))
    .order_by(EPOCHS.c.number.desc())
    .limit(1)
)


class Epoch(NamedTuple):
    """A rating epoch: the constants of a format's ladder, since when they apply, and why."""

    format: str
    number: int  # from 1
    since: str  # empty: it is not stored yet
    why: str
    fitted: bool  # beta comes from the format's matches, not from the code
    parameters: Parameters

    @property
    def text(self) -> str:
        """The epoch as text for people."""
        return epoch_text(self.number, self.since, self.parameters.beta, self.why)

    def next(self, parameters: Parameters, why: str, *, fitted: bool) -> "Epoch":
        """The epoch after this one, which begins now."""
        return Epoch(
            format=self.format,
            number=self.number + 1,
            since=stamp(),
            why=why,
            fitted=fitted,
            parameters=parameters,
        )


def epoch_text(number: int, since: str, beta: float, why: str) -> str:
    """An epoch for people, such as: epoch 2 since 2026-11-17: beta 6.25, fitted to 34 bots."""
    when = f" since {since[:10]}" if since else ""
    return f"epoch {number}{when}: beta {beta:.2f}, {why}"


def constants_of(format_name: str) -> Parameters:
    """The constants that this code has for a format."""
    return _parameters(format_named(format_name).draw_probability)


def wanted(epoch: Epoch) -> Parameters:
    """The constants that this code wants in force instead; a fitted beta stays."""
    constants = constants_of(epoch.format)
    return replace(constants, beta=epoch.parameters.beta) if epoch.fitted else constants


def current(connection: Connection, format_name: str) -> Epoch:
    """The epoch that a format is in."""
    return epoch_in(format_name, ask_current(connection, format_name)())


def ask_current(connection: Connection, format_name: str) -> Rows:
    """Ask for the epoch that a format is in; `epoch_in` reads the rows."""
    return _CURRENT.asked(connection, {"of_format": format_name})


def epoch_in(format_name: str, rows: Sequence[Any]) -> Epoch:
    """The epoch that a format is in, from the rows of `ask_current`."""
    if not rows:  # a format that came after the database was last written to
        return Epoch(format_name, 1, "", FIRST, fitted=False, parameters=constants_of(format_name))
    number, since, why, fitted, *constants = rows[0]
    return Epoch(
        format=format_name,
        number=number,
        since=since,
        why=why,
        fitted=bool(fitted),
        parameters=_parameters(*constants),
    )


def parameters_of(connection: Connection, format_name: str) -> Parameters:
    """The constants in force for a format."""
    return current(connection, format_name).parameters


def begin(connection: Connection, epoch: Epoch) -> None:
    """Store an epoch; from now on its constants are in force."""
    constants = {name: getattr(epoch.parameters, name) for name in _CONSTANTS}
    head = {
        "format": epoch.format,
        "number": epoch.number,
        "since": epoch.since,
        "why": epoch.why,
        "fitted": int(epoch.fitted),
    }
    connection.execute(insert(EPOCHS).values(**head, **constants))
    shelf.drop(connection, epoch.format)


def begin_first(connection: Connection) -> None:
    """Store the first epoch of every format that has none."""
    stored = set(connection.execute(select(EPOCHS.c.format)).scalars())
    for name in FORMATS:
        if name not in stored:
            begin(connection, current(connection, name)._replace(since=stamp()))


@lru_cache
def _parameters(draw_probability: float, *constants: float) -> Parameters:
    """Parameters from a cache: a draw margin takes a while to compute, and every match needs it."""
    return Parameters(draw_probability, *constants)
