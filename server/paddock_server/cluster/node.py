"""A node: one server of a cluster, between its life, its links and its three parts."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from paddock_server.cluster.cluster_tables import ClusterTables
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import (
    Back,
    Begin,
    Chose,
    End,
    Entered,
    Leads,
    Left,
    Lost,
    Measure,
    Message,
    NotMine,
    Plays,
    Probe,
    Proof,
    Resigned,
    Resume,
    SaidDigest,
    SaidNonce,
    Say,
    Tell,
    Useless,
    WasDealt,
    WasFinished,
    WasStuck,
)
from paddock_server.cluster.owner import Owner
from paddock_server.cluster.steward import Steward
from paddock_server.store.address import CannotOpen
from paddock_server.store.nodes import NodeRow

_LOG: Final = logging.getLogger("paddock.cluster")


class Parts:
    """The parts of a node; the lobby's comes last, because the lobby needs the others."""

    def __init__(self, holder: Holder, owner: Owner, tables: ClusterTables) -> None:
        self.holder = holder
        self.owner = owner
        self.tables = tables
        self.steward: Steward | None = None


class Node:
    """A node of a cluster: it hears other nodes (Hearer) and of their lives (Watch)."""

    def __init__(self, lead: Callable[[], Awaitable[None]], changed: Callable[[], None]) -> None:
        """`lead` starts the lobby and the desk; `changed` hears that nodes come or go."""
        self._changed = changed
        self.over = asyncio.Event()  # it was put out
        self.rows: dict[int, NodeRow] = {}  # the nodes that are not gone
        self.link: Link
        self.parts: Parts
        self._lead = lead
        self._leading: asyncio.Task[None] | None = None

    @property
    def steward(self) -> NodeRow | None:
        """The node that leads; None: nobody does, or it is not known yet."""
        return self.rows.get(self.parts.holder.steward or 0)

    @property
    def _introduced(self) -> list[int]:
        """The nodes that have introduced themselves; others still start, and hear nothing."""
        return [row.node for row in self.rows.values() if row.grpc]

    # --- what other nodes say (Hearer) ------------------------------------------------------

    def hear(self, sender: int, message: Message) -> None:
        """Hand a message to the part that it is for."""
        try:
            self._hear(sender, message)
        except Exception:  # noqa: BLE001 -- the failure of one match must not stop others
            _LOG.exception("message failed: %s of node %d", type(message).__name__, sender)

    def _hear(self, sender: int, message: Message) -> None:  # noqa: PLR0912 -- one line per kind
        holder, owner, tables = self.parts.holder, self.parts.owner, self.parts.tables
        steward = self.parts.steward
        match message:
            case Say():
                holder.say(sender, message)
            case Chose():
                owner.chose(message)
            case Probe():
                holder.probe(sender, message)
            case Proof():
                owner.proof(message)
            case SaidNonce():
                owner.nonce(message)
            case SaidDigest():
                owner.digest(message)
            case Resigned():
                owner.resigned(message)
            case Useless():
                holder.useless(message)
            case Tell():
                holder.tell(message)
            case End():
                holder.end(message)
            case Measure():
                holder.measure(message)
            case Begin():
                owner.begin(message)
            case Resume():
                owner.resume(message)
            case Back():
                owner.back(message)
            case Lost():
                owner.lost(message)
            case WasDealt():
                tables.dealt(message)
            case WasFinished():
                tables.finished(message)
            case WasStuck():
                tables.stuck(message)
            case NotMine(number):
                tables.not_mine(number)
            case Leads():
                holder.led_by(sender)
                owner.led_by(sender)
            case Plays(numbers):
                tables.plays(sender, numbers)
            case Entered() if steward is not None:
                steward.entered(sender, message)
            case Left() if steward is not None:
                steward.left(sender, message)

    def silent(self, node: int) -> None:
        """Nothing was heard of a node for a second."""
        _LOG.warning("node silent: %d", node)

    def audible(self, node: int) -> None:
        """A node that was silent is heard again."""
        _LOG.info("node heard again: %d", node)
        self.parts.owner.audible(node)

    # --- who lives (Watch) ------------------------------------------------------------------

    def living(self, rows: Sequence[NodeRow]) -> None:
        """These are the nodes that are not gone."""
        before, self.rows = self.rows, {row.node: row for row in rows}
        self.link.know(self._introduced)
        holder, tables, steward = self.parts.holder, self.parts.tables, self.parts.steward
        tables.alive = {row.node for row in rows if row.state == "alive" and row.grpc}
        if holder.steward not in self.rows:
            holder.steward = None
        for gone in before.keys() - self.rows.keys():
            _LOG.warning("node gone: %d (%s)", gone, before[gone].name)
            if steward is not None and tables.leading:
                steward.node_gone(gone)
        if steward is not None:
            steward.announce(self._introduced)
        self._changed()

    def is_silent(self, node: int) -> bool:
        """Whether nothing is heard of a node; called from another thread."""
        return self.link.is_silent(node)

    def is_cut_off(self, node: int) -> bool:
        """Whether a node is not on the bus, and this one is; called from another thread."""
        return self.link.is_cut_off(node)

    def leads(self) -> None:
        """This node is the steward now."""
        if self._leading is None:
            self._leading = asyncio.get_running_loop().create_task(self._take_over())

    async def _take_over(self) -> None:
        steward = self.parts.steward
        if steward is None:
            return
        try:
            await steward.lead(self._lead)
            steward.announce(self._introduced)
        except CannotOpen as problem:
            _LOG.warning("steward failed to take over: %s", problem)
            self.put_out()  # it starts again, and so may another node
        except Exception:
            _LOG.exception("steward failed to take over")
            self.put_out()
            raise

    def put_out(self) -> None:
        """This node was put out: it can't write any more, and starts again."""
        if not self.over.is_set():
            _LOG.error("node put out: it starts again")
            self.over.set()
