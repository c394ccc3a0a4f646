"""The tables of a cluster: the steward's lobby begins matches on any node as if they were here."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from paddock_server.cluster.far_session import FarSession
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import (
    Back,
    Begin,
    Lost,
    Place,
    Resume,
    WasDealt,
    WasFinished,
    WasStuck,
)
from paddock_server.lobby.guest import Guest
from paddock_server.referee.answers import Answer
from paddock_server.referee.asks import asked_match
from paddock_server.referee.plan import Deal, Plan
from paddock_server.store import nodes
from paddock_server.store.address import CannotOpen
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchRow, Unfinished
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.notices import Finished, Listeners, MatchDealt, MatchStuck
from paddock_server.tables.open_match import OpenMatch
from paddock_server.tables.player import Player
from paddock_server.tables.watching import Watcher

_LOG: Final = logging.getLogger("paddock.cluster")
_RETRY_SECONDS: Final = 0.5


class Assigned(NamedTuple):
    """A match that a node plays."""

    owner: int
    id: str
    plan: Plan
    adopted: bool = False  # it was under way before this node became the steward


class ClusterTables:
    """The implementation of `Tables` for a node: its own, and those of others by messages."""

    def __init__(self, link: Link, local: LocalTables, holder: Holder, database: Database) -> None:
        self.listeners = Listeners()
        self.leading = False  # whether this node is the steward
        self.guest: Callable[[str], Guest | None] = lambda _: None  # the lobby's, by bot
        self.alive: set[int] = set()  # nodes that take matches
        self._link = link
        self._local = local
        self._holder = holder
        self._database = database
        self._assigned: dict[int, Assigned] = {}  # by number
        self._of: dict[str, set[int]] = {}  # numbers by bot
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._local)

    # --- beginning and ending (steward) -----------------------------------------------------

    def begin(
        self, number: int, match_id: str, plan: Plan, players: Sequence[Player | None]
    ) -> None:
        """Have a match played, on the node where most of its bots are."""
        places = [self._place(player) for player in players]
        owner = self._choose(places)
        self._assign(number, Assigned(owner, match_id, plan))
        self._link.send(owner, Begin(number, match_id, places))

    def _place(self, player: Player | None) -> Place | None:
        if isinstance(player, FarSession):
            return player.place
        if isinstance(player, Guest):
            return Place(self._link.me, player.id, player.entrant)
        return None

    def _choose(self, places: Sequence[Place | None]) -> int:
        """The node with most of the bots; among equals, the one that plays the fewest matches."""
        here = Counter(place.node for place in places if place and place.node in self.alive)
        busy = Counter(assigned.owner for assigned in self._assigned.values())
        candidates = here or Counter(dict.fromkeys(self.alive or {self._link.me}, 0))
        return min(candidates, key=lambda node: (-here[node], busy[node], node))

    def _assign(self, number: int, assigned: Assigned) -> None:
        self._assigned[number] = assigned
        for bot in assigned.plan.bots:
            self._of.setdefault(bot, set()).add(number)

    def _release(self, number: int) -> Assigned | None:
        assigned = self._assigned.pop(number, None)
        for bot in set(assigned.plan.bots) if assigned else ():
            self._of[bot].discard(number)
            if not self._of[bot]:
                del self._of[bot]
        return assigned

    def resume(self, unfinished: Sequence[Unfinished]) -> None:
        """Take over open matches: those of nodes that are gone go on elsewhere."""
        for row, _ in unfinished:
            self._assign(row.number, Assigned(0, row.id, row.plan, adopted=True))
            self._look_after(row.number)

    def node_gone(self, node: int) -> None:
        """A node is gone: others go on with its matches."""
        self.alive.discard(node)
        for number, assigned in list(self._assigned.items()):
            if assigned.owner == node:
                self._look_after(number)

    def _look_after(self, number: int) -> None:
        task = asyncio.get_running_loop().create_task(self._reconcile(number))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reconcile(self, number: int) -> None:
        """Find out what became of a match, and have it played on if it is not over."""
        owner, row = await self._owner_and_row(number)
        assigned = self._assigned.get(number)
        if assigned is None or row is None:
            return
        if row.state in ("finished", "declared"):
            self._finished(number, Finished(number, row.id, row.plan, row.results, None))
        elif row.state == "stuck":
            self.stuck(WasStuck(number, row.void))
        elif owner is not None:
            self._assign(number, assigned._replace(owner=owner))
            self._bring_back(number)
        elif row.state == "open":
            chosen = self._choose([self._place(self.guest(bot)) for bot in row.plan.bots])
            self._assign(number, assigned._replace(owner=chosen))
            self._link.send(chosen, Resume(number))
            self._bring_back(number)
        else:
            self.begin(number, row.id, row.plan, [self.guest(bot) for bot in row.plan.bots])

    async def _owner_and_row(self, number: int) -> tuple[int | None, MatchRow | None]:
        """Who has a match, and what is stored of it, as soon as the database can say that."""
        while True:
            try:
                return await self._database.read(nodes.owner_and_row, number)
            except CannotOpen as problem:
                _LOG.warning("match %d not looked up, which is tried again: %s", number, problem)
                await asyncio.sleep(_RETRY_SECONDS)

    def plays(self, node: int, numbers: Sequence[int]) -> None:
        """A node plays these; others that it had may have ended while nobody led."""
        for number, assigned in list(self._assigned.items()):
            if assigned.adopted and assigned.owner in (0, node) and number not in numbers:
                self._look_after(number)

    def not_mine(self, number: int) -> None:
        """A node could not claim a match."""
        if number in self._assigned:
            self._look_after(number)

    async def drained(self) -> None:
        """Wait until no match is under way on this node."""
        await self._local.drained()

    def stop(self) -> None:
        """Stop all tables of this node; others go on with them."""
        for task in self._tasks:
            task.cancel()
        self._local.stop()

    # --- what owners say (steward) ----------------------------------------------------------

    def dealt(self, dealt: WasDealt) -> None:
        """A match was dealt."""
        assigned = self._assigned.get(dealt.number)
        if assigned is not None:
            deal = Deal(dealt.seed, tuple(dealt.nonces))
            plan, withheld = assigned.plan, tuple(dealt.withheld)
            self.listeners.dealt(MatchDealt(dealt.number, assigned.id, plan, deal, withheld))

    def finished(self, finished: WasFinished) -> None:
        """A match is over."""
        number = finished.number
        assigned = self._assigned.get(number)
        if assigned is not None:
            over = Finished(number, assigned.id, assigned.plan, finished.results, None)
            self._finished(number, over._replace(changes=finished.changes))

    def _finished(self, number: int, finished: Finished) -> None:
        if self._release(number) is not None:
            self.listeners.finished(finished)

    def stuck(self, stuck: WasStuck) -> None:
        """A match was set aside."""
        assigned = self._release(stuck.number)
        if assigned is not None:
            self.listeners.stuck(MatchStuck(stuck.number, assigned.id, assigned.plan, stuck.why))

    # --- what bots say (holder) -------------------------------------------------------------

    def choice(
        self, player: Player, ask_id: int, answer: Answer, took: float | None = None
    ) -> None:
        """An answer to an ask, of a match here or on another node."""
        if isinstance(player, Guest) and self._far(player, asked_match(ask_id)):
            self._holder.choice(player, ask_id, answer)
        else:
            self._local.choice(player, ask_id, answer, took)

    def digest(self, player: Player, match_id: str, digest: bytes) -> None:
        """The digest of a bot's part of a deal."""
        if isinstance(player, Guest) and self._far(player, match_id):
            self._holder.digest(player, match_id, digest)
        else:
            self._local.digest(player, match_id, digest)

    def nonce(self, player: Player, match_id: str, nonce: bytes) -> None:
        """A bot's part of a deal."""
        if isinstance(player, Guest) and self._far(player, match_id):
            self._holder.nonce(player, match_id, nonce)
        else:
            self._local.nonce(player, match_id, nonce)

    def resign(self, player: Player, match_id: str) -> None:
        """A bot resigns a match."""
        if isinstance(player, Guest) and self._far(player, match_id):
            self._holder.resign(player, match_id)
        else:
            self._local.resign(player, match_id)

    def _far(self, session: Guest, match: int | str) -> bool:
        if match in self._local:  # also if it was elsewhere before
            return False
        return self._holder.owner_of(session, match) not in (None, self._link.me)

    # --- who comes and goes (steward) -------------------------------------------------------

    def back(self, player: Player, only: int | None = None) -> None:
        """A bot is connected (again): its matches go on; with `only`, the one of this number."""
        place = self._place(player)
        if place is None:
            return
        for number in self._of.get(player.entrant.bot, ()):
            if only is None or number == only:
                self._link.send(self._assigned[number].owner, Back(number, place))

    def _bring_back(self, number: int) -> None:
        for bot in set(self._assigned[number].plan.bots):
            guest = self.guest(bot)
            if guest is not None:
                self.back(guest, number)

    def lost(self, player: Player) -> None:
        """A bot's connection is gone; its matches wait for it within their time."""
        self._say_lost(player, stranded=isinstance(player, FarSession) and player.node_gone)

    def stranded(self, player: Player) -> None:
        """A bot was cut off without a fault of its own: its matches wait, as after a restart."""
        self._say_lost(player, stranded=True)

    def _say_lost(self, player: Player, *, stranded: bool) -> None:
        if not isinstance(player, Guest):
            return
        for number in self._of.get(player.bot, ()):
            lost = Lost(number, player.bot, player.id, stranded)
            self._link.send(self._assigned[number].owner, lost)

    # --- what others see --------------------------------------------------------------------

    def open_matches(self, most: int) -> list[OpenMatch]:
        """The matches under way on this node, the newest first."""
        return self._local.open_matches(most)

    def open_match(self, match_id: str) -> OpenMatch | None:
        """A match under way on this node."""
        return self._local.open_match(match_id)

    def matches_of(self, bot: str) -> list[str] | None:
        """The ids of the matches that a bot is playing; None: only the steward knows."""
        if not self.leading:
            return None
        return [self._assigned[number].id for number in self._of.get(bot, ())]

    def watch(self, match_id: str, *, from_now: bool = False) -> Watcher | None:
        """Begin to watch a match under way on this node."""
        return self._local.watch(match_id, from_now=from_now)

    def watchers(self, match_id: str) -> int:
        """The number of watchers of a match on this node."""
        return self._local.watchers(match_id)

    @property
    def loop_lag(self) -> float:
        """How late the event loop was last, in seconds."""
        return self._local.loop_lag
