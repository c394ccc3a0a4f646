"""OwnerService: owners and their tokens."""

from typing import Any, Final

from paddock.v1 import owner_pb2, owner_pb2_grpc
from paddock_server.api.access import Access
from paddock_server.api.refusal import Refusal
from paddock_server.basics.identity import hash_token, new_token, stamp
from paddock_server.basics.printable import printable
from paddock_server.store import owners
from paddock_server.store.database import Database
from paddock_server.store.owners import Holding, OwnerRow

_PAGE: Final = 100
_LETTERS: Final = 80
_NO_BOTS: Final = Holding((), 0)


class Owners(owner_pb2_grpc.OwnerServiceServicer):
    """OwnerService, for organisers: adds, lists and removes owners, and changes their tokens."""

    def __init__(self, database: Database, access: Access) -> None:
        self._database = database
        self._access = access

    async def AddOwner(
        self, request: owner_pb2.AddOwnerRequest, context: Any
    ) -> owner_pb2.AddOwnerResponse:
        """Add an owner and make its token."""
        self._access.organiser(context)
        name = request.name
        if not name or name != printable(name, _LETTERS):
            sentence = f"name {name[:60]!r} is invalid: use up to {_LETTERS} characters in a line"
            raise Refusal("owner/bad_name", sentence)
        token = new_token()
        row = OwnerRow(name, hash_token(token), stamp(), request.most_bots or 1)
        if not await self._database.writer.write(
            lambda connection: owners.add_owner(connection, row)
        ):
            raise Refusal("owner/exists", f"owner {name} exists already; choose another name")
        return owner_pb2.AddOwnerResponse(owner=_message(row, _NO_BOTS), token=token)

    async def ListOwners(
        self, request: owner_pb2.ListOwnersRequest, context: Any
    ) -> owner_pb2.ListOwnersResponse:
        """A page of owners by name."""
        self._access.organiser(context)
        size = min(request.page_size or _PAGE, _PAGE)
        rows = await self._database.read(owners.list_owners, request.page_token, size + 1)
        return owner_pb2.ListOwnersResponse(
            owners=[
                _message(row, await self._database.read(owners.holding_of, row.name))
                for row in rows[:size]
            ],
            next_page_token=rows[size - 1].name if len(rows) > size else "",
        )

    async def RotateOwnerToken(
        self, request: owner_pb2.RotateOwnerTokenRequest, context: Any
    ) -> owner_pb2.RotateOwnerTokenResponse:
        """A new token for an owner."""
        self._access.organiser(context)
        token = new_token()
        if not await self._database.writer.write(
            lambda connection: owners.change_owner_token(
                connection, request.name, hash_token(token)
            )
        ):
            raise _unknown(request.name)
        return owner_pb2.RotateOwnerTokenResponse(token=token)

    async def RemoveOwner(
        self, request: owner_pb2.RemoveOwnerRequest, context: Any
    ) -> owner_pb2.RemoveOwnerResponse:
        """Remove an owner; its bots stay."""
        self._access.organiser(context)
        if not await self._database.writer.write(
            lambda connection: owners.remove_owner(connection, request.name)
        ):
            raise _unknown(request.name)
        return owner_pb2.RemoveOwnerResponse()


def _message(row: OwnerRow, holding: Holding) -> owner_pb2.Owner:
    return owner_pb2.Owner(
        name=row.name,
        added=row.added,
        most_bots=row.most_bots,
        bots=holding.bots,
        archive_bytes=holding.archive_bytes,
    )


def _unknown(name: str) -> Refusal:
    return Refusal("owner/unknown", f"there is no owner {name[:80]!r}; see: paddock owner list")
