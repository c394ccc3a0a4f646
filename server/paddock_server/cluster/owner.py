"""The owner: the tables of this node, whose seats may be on any node."""

import logging
from collections.abc import Callable, Iterable
from typing import Final

from paddock.v1 import arena_pb2
from paddock_server.cluster.away import Away
from paddock_server.cluster.holder import Holder
from paddock_server.cluster.link import Link
from paddock_server.cluster.messages import (
    Back,
    Begin,
    Chose,
    Lost,
    NotMine,
    Place,
    Plays,
    Proof,
    Resigned,
    Resume,
    SaidDigest,
    SaidNonce,
    WasDealt,
    WasFinished,
    WasStuck,
)
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.asks import asked_match
from paddock_server.referee.plan import Plan
from paddock_server.store import nodes
from paddock_server.store.database import Database
from paddock_server.store.rows import Unfinished
from paddock_server.tables.local_tables import LocalTables
from paddock_server.tables.notices import Finished, MatchDealt, MatchStuck
from paddock_server.tables.player import Player
from paddock_server.wire.answers import read_answer

_LOG: Final = logging.getLogger("paddock.cluster")


class Claimed:
    """A match that this node plays, or is about to play: where its bots are."""

    def __init__(self, match_id: str, places: Iterable[Place | None] = ()) -> None:
        self.id = match_id
        self.begun = False  # whether its table is there
        self.places = {place.entrant.bot: place for place in places if place is not None}
        self.away: dict[str, Away] = {}  # the players on other nodes, by bot
        self.dealt: WasDealt | None = None


class Owner:
    """The local tables of a node, with players here and on other nodes; it is their listener."""

    def __init__(
        self,
        link: Link,
        tables: LocalTables,
        holder: Holder,
        database: Database,
        metrics: Metrics,
    ) -> None:
        self._metrics = metrics
        self._link = link
        self._tables = tables
        self._holder = holder
        self._database = database
        self._claimed: dict[int, Claimed] = {}  # by number
        tables.listeners.append(self)
        tables.knows_absence = self._knows_absence

    def _knows_absence(self) -> bool:
        """Whether a bot that is not there is absent: it could be on a node that is not heard."""
        return self._holder.steward is not None and self._link.hears_all

    # --- what the steward says --------------------------------------------------------------

    def led_by(self, steward: int) -> None:
        """There is a new steward: what was said while there was none is said now."""
        for claimed in self._claimed.values():
            if claimed.dealt is not None:
                self._link.send(steward, claimed.dealt)
        self._link.send(steward, Plays(tuple(self._claimed)))

    def begin(self, begin: Begin) -> None:
        """Play a match, if it is still to be played."""
        number = begin.number
        if number in self._claimed:
            return  # a new steward says it again
        claimed = self._claimed[number] = Claimed(begin.match_id, begin.places)

        def begun(plan: Plan | None) -> None:
            if plan is None:
                self._not_mine(number)
                return
            players = [self._player(number, bot) for bot in plan.bots]
            claimed.begun = True
            self._tables.begin(number, begin.match_id, plan, players)

        self._database.writer.insist(
            lambda connection: nodes.claim_waiting(connection, number, self._link.me),
            begun,
            sync=True,  # a crash of the database must not give the match to two nodes
        )

    def resume(self, resume: Resume) -> None:
        """Go on with a match whose node is gone."""
        number = resume.number
        if number in self._claimed:
            return
        claimed = self._claimed[number] = Claimed("")

        def taken_up(unfinished: Unfinished | None) -> None:
            if unfinished is None:
                self._not_mine(number)
                return
            claimed.id = unfinished.row.id
            claimed.begun = True
            self._metrics.takeups.inc()
            _LOG.info("match taken up", extra={"match": claimed.id})
            self._tables.resume([unfinished])
            for bot in claimed.places:  # that were named meanwhile
                self._join(number, bot)

        self._database.writer.insist(
            lambda connection: nodes.claim_open(connection, number, self._link.me),
            taken_up,
            sync=True,  # a crash of the database must not give the match to two nodes
        )

    def _not_mine(self, number: int) -> None:
        self._claimed.pop(number, None)
        if self._holder.steward is not None:
            self._link.send(self._holder.steward, NotMine(number))

    def back(self, back: Back) -> None:
        """A bot is there (again)."""
        number, place = back
        claimed, bot = self._claimed.get(number), place.entrant.bot
        if claimed is None:
            return
        known = claimed.away.get(bot)
        if known is not None and known.place[:2] == place[:2] and not known.cut_off:
            return  # a new steward says it again
        claimed.places[bot] = place
        if claimed.begun:
            self._join(number, bot)

    def _join(self, number: int, bot: str) -> None:
        player = self._player(number, bot)
        if player is not None:
            self._tables.back(player, number)

    def lost(self, lost: Lost) -> None:
        """The stream of a bot is gone."""
        claimed = self._claimed.get(lost.number)
        place = None if claimed is None else claimed.places.get(lost.bot)
        if claimed is None or place is None or place.session != lost.session:
            return
        if lost.stranded and not claimed.begun:
            return  # the table begins with a bot that is cut off, not with one that is absent
        del claimed.places[lost.bot]
        away = claimed.away.pop(lost.bot, None)
        if away is not None:
            (self._tables.stranded if lost.stranded else self._tables.lost)(away)

    def _player(self, number: int, bot: str) -> Player | None:
        """A bot as a player, where it is: a stream of this node, or one of another."""
        claimed = self._claimed[number]
        place = claimed.places.get(bot)
        claimed.away.pop(bot, None)
        if place is None:
            return None
        if place.node == self._link.me:
            stream = self._holder.streams.get(place.session)
            return None if stream is None else stream.session
        away = claimed.away[bot] = Away(self._link, place, number, claimed.id)
        return away

    # --- what holders say -------------------------------------------------------------------

    def chose(self, chose: Chose) -> None:
        """An answer to an ask."""
        claimed = self._claimed.get(asked_match(chose.ask_id))
        away = None if claimed is None else claimed.away.get(chose.bot)
        if away is None or away.place.session != chose.session:
            return  # its match is over, or a newer session has taken its place
        away.lag, away.host_delay = chose.lag, chose.kept
        answer = read_answer(arena_pb2.Choice.FromString(chose.answer))
        self._tables.choice(away, chose.ask_id, answer, chose.took)

    def digest(self, said: SaidDigest) -> None:
        """The digest of a bot's part of a deal."""
        self._with(said, lambda away: self._tables.digest(away, said.match_id, said.digest))

    def nonce(self, said: SaidNonce) -> None:
        """A bot's part of a deal."""
        self._with(said, lambda away: self._tables.nonce(away, said.match_id, said.nonce))

    def resigned(self, said: Resigned) -> None:
        """A bot resigns a match."""
        self._with(said, lambda away: self._tables.resign(away, said.match_id))

    def _with(self, said: SaidDigest | SaidNonce | Resigned, do: Callable[[Away], None]) -> None:
        claimed = next((each for each in self._claimed.values() if each.id == said.match_id), None)
        away = None if claimed is None else claimed.away.get(said.bot)
        if away is not None and away.place.session == said.session:
            do(away)

    def proof(self, proof: Proof) -> None:
        """An answer to a probe; a bot that was cut off and is there is asked again."""
        for away in self._everybody_away():
            if away.proof(proof) and away.cut_off:
                self._rejoin(away)

    def audible(self, node: int) -> None:
        """A node is heard again: its bots that were cut off are asked again."""
        for away in self._everybody_away():
            if away.place.node == node and away.cut_off:
                self._rejoin(away)

    def _everybody_away(self) -> list[Away]:
        return [away for claimed in self._claimed.values() for away in claimed.away.values()]

    def _rejoin(self, away: Away) -> None:
        away.cut_off = False
        self._tables.back(away, away.number)

    # --- what the tables say (Listener) -----------------------------------------------------

    def dealt(self, dealt: MatchDealt) -> None:
        """Tell the steward of a deal."""
        number, deal = dealt.number, dealt.deal
        said = WasDealt(number, deal.seed, deal.nonces, dealt.withheld)
        if number in self._claimed:
            self._claimed[number].dealt = said
        self._report(said)

    def finished(self, finished: Finished) -> None:
        """Tell the steward of a finished match."""
        self._claimed.pop(finished.number, None)
        self._report(WasFinished(finished.number, finished.results, finished.changes))

    def stuck(self, stuck: MatchStuck) -> None:
        """Tell the steward of a match that was set aside."""
        self._claimed.pop(stuck.number, None)
        self._report(WasStuck(stuck.number, stuck.why))

    def _report(self, message: WasDealt | WasFinished | WasStuck) -> None:
        if self._holder.steward is not None:
            self._link.send(self._holder.steward, message)
