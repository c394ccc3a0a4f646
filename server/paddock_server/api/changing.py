"""Changes of tournaments over gRPC: what can't be changed ends the call with the reason."""

from collections.abc import Awaitable
from typing import Any, TypeVar

from paddock_server.api.refusal import abort
from paddock_server.tournaments.amending import ClosedEntries, OtherTournament
from paddock_server.tournaments.changes import CannotChange
from paddock_server.tournaments.desk import NoTournament

T = TypeVar("T")


async def refusing(context: Any, work: Awaitable[T]) -> T:
    """What the work gives; a change that can't be made ends the call with the reason."""
    try:
        return await work
    except NoTournament as problem:
        await abort(context, "tournament/unknown", str(problem))
    except (CannotChange, ClosedEntries, OtherTournament) as problem:
        await abort(context, "tournament/refused", str(problem))
