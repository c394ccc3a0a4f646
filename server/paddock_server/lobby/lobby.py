"""The lobby: connected bots and waiting matches, which begin when their bots are connected."""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence

from paddock_games import BadRules, format_named
from paddock_server.basics.identity import new_match_id
from paddock_server.basics.name import HOUSE
from paddock_server.lobby.budget import Budget
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.hall import Hall
from paddock_server.lobby.hosted import Hosted, HostedSession
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.lobby.planning import seated_in_turn
from paddock_server.lobby.presence import Hindrance, Presence
from paddock_server.lobby.probation import Probation
from paddock_server.lobby.queue import MatchQueue, Waiting
from paddock_server.lobby.under_way import UnderWay
from paddock_server.lobby.withholders import Withholders
from paddock_server.observe.metrics import Metrics
from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Plan
from paddock_server.store import store, stuck
from paddock_server.store.database import Database
from paddock_server.store.rows import MatchRow, NewMatch
from paddock_server.tables.notices import Finished, MatchDealt, MatchStuck
from paddock_server.tables.tables import Tables
from paddock_server.wire import items

_LOG = logging.getLogger("paddock.lobby")


class Lobby:
    """The lobby of a server: its sessions and its waiting matches; it listens to the tables."""

    def __init__(
        self,
        database: Database,
        tables: Tables,
        metrics: Metrics,
        *,
        clock: Clock | None = None,
        limits: Limits | None = None,
        policy: Policy | None = None,
    ) -> None:
        self.draining = False
        self._database = database
        self._tables = tables
        self._metrics = metrics
        self._clock = clock or Clock()
        self._limits = limits or Limits()
        self._policy = policy or Policy()
        self.budget = Budget(self._limits, self._policy)
        self._hall = Hall(self._limits)
        self._probation = Probation(self._policy, self._on_probation, self._try_again)
        self.hosted = Hosted()
        self.pins: dict[str, dict[str, str]] = {}  # versions of bots, by tournament and bot
        self.presence = Presence(self._hall, self._probation, self.hosted)
        self._queue = MatchQueue(self._is_present)
        self._withholders = Withholders()
        self._under_way = UnderWay()
        self._waiting: dict[str, int] = {}  # numbers of waiting matches, by id
        self._pinging: asyncio.TimerHandle | None = None
        tables.listeners.append(self)

    async def start(self) -> None:
        """Load what an earlier process left: waiting matches wait again, open ones go on."""
        self._ping_players()
        left = await self._database.read(store.unfinished)
        self._metrics.stuck_matches.set(await self._database.read(stuck.count_stuck))
        self._probation.load(await self._database.read(store.list_bots, "", 1_000_000))
        opened = [unfinished for unfinished in left if unfinished.row.state == "open"]
        for row, _ in left:
            if row.state == "waiting":
                self._wait(row.number, row.id, row.plan)
            else:
                self._take_up(row)
        self._tables.resume(opened)
        if left:
            _LOG.info("matches resumed: %d, %d of them open", len(left), len(opened))

    def stop(self) -> None:
        """Begin no more matches."""
        self.draining = True
        if self._pinging is not None:
            self._pinging.cancel()

    # --- bots -------------------------------------------------------------------------------

    def entered(self, guest: Guest, resume_token: str = "") -> bool:
        """A bot is connected: its open matches go on, new ones can begin; True: it resumed."""
        resumed = self._hall.enter(guest, resume_token)
        self._metrics.sessions.set(len(self._hall.sessions))
        self._tables.back(guest)
        guest.ping()
        self._queue.look_again(guest.bot)
        if guest.bot in self._probation.why:
            asyncio.get_running_loop().create_task(self._try_out(guest))
        self._begin_matches([guest.bot])
        if isinstance(guest, HostedSession):
            self.hosted.entered(guest)
        return resumed

    def left(self, guest: Guest) -> None:
        """A bot's session is over; its matches wait for it within their time."""
        if isinstance(guest, HostedSession):
            guest.broken = True
        else:
            self._tables.lost(guest)
        if self._hall.leave(guest):
            self._queue.look_again(guest.bot)
        self._metrics.sessions.set(len(self._hall.sessions))
        if isinstance(guest, HostedSession):
            self.hosted.left(guest)
            # What its matches kept free for it is free for others until it is started again.
            self._begin_matches({bot for each in self._queue.of(guest.bot) for bot in each.bots})

    def blame(self, session: HostedSession, *, bot: bool) -> None:
        """Say why the stream of a hosted bot broke: the bot ended, or its runner is gone.

        In the first case its time runs on; in the second its matches wait for it, as after a
        restart.
        """
        (self._tables.lost if bot else self._tables.stranded)(session)

    def dismiss(self, bot: str, reason: str, sentence: str) -> None:
        """End the session of a bot, if it has one."""
        session = self._hall.sessions.get(bot)
        if session is not None:
            session.end(reason, sentence)

    def dismiss_all(self, reason: str, sentence: str) -> None:
        """Ask all bots to come back after a while, and end their sessions."""
        goodbye = items.goodbye(reason, sentence, self._policy.return_after_ms)
        for session in list(self._hall.sessions.values()):
            session.send(goodbye)
            session.end(reason, sentence)

    @property
    def unread_items(self) -> int:
        """How many items wait for bots to read."""
        return sum(session.waiting for session in self._hall.sessions.values())

    def _ping_players(self) -> None:
        """Ping the bots in matches, and again after a while; idle bots are not pinged."""
        for bot in self._under_way:
            session = self._hall.sessions.get(bot)
            if session is not None:
                session.ping()
        again = self._policy.ping_seconds
        self._pinging = asyncio.get_running_loop().call_later(again, self._ping_players)

    def open_matches_of(self, bot: str) -> int:
        """How many matches a bot is playing."""
        return self._under_way.count(bot)

    def open_version(self, bot: str) -> str:
        """The version that a bot plays its open matches with; empty: it plays none."""
        return self._under_way.version(bot)

    def in_open_matches(self) -> list[str]:
        """The bots that are playing."""
        return list(self._under_way)

    def session_of(self, bot: str) -> Guest | None:
        """The session of a bot, if it is connected."""
        return self._hall.sessions.get(bot)

    def room_of(self, bot: str) -> int:
        """How many more matches a connected bot can play now."""
        return self._room(bot)

    # --- matches ----------------------------------------------------------------------------

    async def add_matches(
        self,
        format_name: str,
        bots: Sequence[str],
        count: int = 1,
        seats: int | None = None,
        rules: object = None,
        *,
        rated: bool = True,
        trial: bool = False,
    ) -> list[str]:
        """Add matches to the queue; the bots fill the seats in turn and change seats each match."""
        if len(self._queue) + count > self._limits.waiting_matches:
            most = self._limits.waiting_matches
            raise BadRules("count", f"at most {most} matches may wait; start fewer")
        plans = seated_in_turn(
            format_name, bots, count, seats=seats, rules=rules, clock=self._clock
        )
        if not rated or trial:
            plans = [plan._replace(rated=False, trial=trial) for plan in plans]
        return await self.play(plans)

    async def play(self, plans: Sequence[Plan]) -> list[str]:
        """Add planned matches to the queue; their ids. They begin when their bots are connected."""
        matches = [NewMatch(new_match_id(), plan) for plan in plans]
        numbers = await self._database.writer.write(
            lambda connection: store.add_matches(connection, matches)
        )
        for number, match in zip(numbers, matches, strict=True):
            self._wait(number, match.id, match.plan)
        self._begin_matches({bot for plan in plans for bot in plan.waited_for})
        self.hosted.changed()
        return [match.id for match in matches]

    async def retry(self, match_id: str) -> bool:
        """Go on with a match that was set aside; False where there is none of this id."""
        left = await self._database.writer.write(
            lambda connection: stuck.take_up(connection, match_id)
        )
        if left is None:
            return False
        self._metrics.stuck_matches.dec()
        row, bots = left.row, set(left.row.plan.waited_for)
        if row.state == "waiting":
            self._wait(row.number, row.id, row.plan)
            self._begin_matches(bots)
            return True
        self._take_up(row)
        self._tables.resume([left])
        for bot in bots.intersection(self._hall.sessions):
            self._tables.back(self._hall.sessions[bot], row.number)
        return True

    def withdraw(self, match_id: str) -> int | None:
        """Take a match out of the queue; its number, or None where it does not wait."""
        number = self._waiting.pop(match_id, None)
        if number is not None:
            self._queue.withdraw(number)
        return number

    def waits(self, match_id: str) -> bool:
        """Whether a match waits for its bots."""
        return match_id in self._waiting

    def is_busy(self, bot: str, tournament: str) -> bool:
        """Whether matches of a tournament wait because a bot has no room for more."""
        return self._room(bot) <= 0 and any(
            waiting.plan.tournament == tournament and bot not in waiting.missing
            for waiting in self._queue.of(bot)
        )

    def wanting(self) -> Iterator[Waiting]:
        """The waiting matches that hosted bots can be started for, the oldest first."""
        return self._queue.wanting(self._is_startable)

    def plays(self, tournament: str) -> bool:
        """Whether a match of a tournament is under way."""
        return self._under_way.has(tournament)

    def _wait(self, number: int, match_id: str, plan: Plan) -> None:
        self._waiting[match_id] = number
        self._queue.add(Waiting(number, match_id, plan))

    def _begin_matches(self, bots: Iterable[str]) -> None:
        """Begin the matches that can begin, now that these bots have room."""
        if not self.draining:
            for waiting in self._queue.take(self._room, bots):
                self._begin(waiting)
        self._metrics.waiting_matches.set(len(self._queue))

    def _is_present(self, bot: str, waiting: Waiting) -> bool:
        session = self._hall.sessions.get(bot)
        if session is None or session.retiring or not self._is_startable(bot, waiting):
            return False
        return not session.hosted or session.entrant.version == self.wanted(bot, waiting.plan)

    def wanted(self, bot: str, plan: Plan) -> str:
        """The version of a hosted bot that is to play a match."""
        pinned = self.pins.get(plan.tournament, {}).get(bot, "")
        hosted = self.hosted.bots.get(bot)
        return pinned or ("" if hosted is None else hosted.version)

    def look_again(self, bot: str) -> None:
        """Look at what a bot may play: another version of it plays from now on."""
        self._queue.look_again(bot)

    def _is_startable(self, bot: str, waiting: Waiting) -> bool:
        """Whether a bot is connected, or hosted, and may play this match."""
        hindrance = self.presence.hindrance(bot, waiting.plan.format)
        return hindrance is None or (waiting.plan.trial and hindrance is Hindrance.PROBATION)

    def _room(self, bot: str) -> int:
        """How many more matches a bot can play."""
        session = self._hall.sessions.get(bot)
        if session is None or session.retiring:
            return 0
        most = min(session.max_matches, self._limits.matches_per_bot)
        return most - self.open_matches_of(bot)

    def _begin(self, waiting: Waiting) -> None:
        players = [self._hall.sessions.get(bot) for bot in waiting.plan.bots]
        for session in players:
            if session is None:
                continue
            session.take_nonces(session.bot not in self._withholders)
            if session.bot not in self._under_way:
                # If it was idle for a while, its lag may have changed.
                session.ping_after(self._policy.ping_seconds)
            if session.hosted and waiting.plan.hides_deal:
                session.retiring = True  # a process that knows the deal plays no other match
                self._queue.look_again(session.bot)
        del self._waiting[waiting.id]
        versions = {each.bot: each.entrant.version for each in players if each is not None}
        self._under_way.add(waiting.number, waiting.plan, versions)
        self._tables.begin(waiting.number, waiting.id, waiting.plan, players)

    def _take_up(self, row: MatchRow) -> None:
        versions = {each.bot: each.version for each in row.entrants}
        self._under_way.add(row.number, row.plan, versions)

    # --- what the tables say (Listener) -----------------------------------------------------

    def dealt(self, dealt: MatchDealt) -> None:
        """A match was dealt: nobody waits for ever for nonces that do not come."""
        self._withholders.note(dealt.withheld)

    def finished(self, finished: Finished) -> None:
        """A match is over: its bots are judged, and have room for others."""
        self._under_way.remove(finished.number)
        self._probation.judge(finished)
        self._begin_matches(set(finished.plan.bots))

    def stuck(self, stuck: MatchStuck) -> None:
        """A match was set aside: its bots have room for others."""
        self._under_way.remove(stuck.number)
        self._begin_matches(set(stuck.plan.bots))

    # --- probation --------------------------------------------------------------------------

    def _on_probation(self, bot: str, why: str) -> None:
        """A bot's probation began or ended: store it, and look at what the bot may play."""
        self._database.writer.submit(
            lambda connection: store.change_bot(connection, bot, probation=why), sync=True
        )
        self._queue.look_again(bot)
        session = self._hall.sessions.get(bot)
        if why and session is not None:
            asyncio.get_running_loop().create_task(self._try_out(session))
        if not why:
            self._begin_matches([bot])

    def _try_again(self, bot: str) -> None:
        """Set a timer for the next trial after a failed one."""

        def again() -> None:
            session = self._hall.sessions.get(bot)
            if session is not None and not self.draining:
                asyncio.get_running_loop().create_task(self._try_out(session))

        asyncio.get_running_loop().call_later(self._policy.trial_seconds, again)

    async def _try_out(self, session: Guest) -> None:
        """Add a trial match against house bots, unless one waits already."""
        if any(waiting.plan.trial for waiting in self._queue.of(session.bot)):
            return
        if not session.formats:
            return
        size = format_named(session.formats[0]).usual_seats
        bots = [session.bot, *[f"{HOUSE}random"] * (size - 1)]
        await self.add_matches(session.formats[0], bots, trial=True)
