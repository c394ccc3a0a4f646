"""The lobby: connected bots and waiting matches, which begin when their bots are connected."""

import logging
from collections.abc import Iterable, Iterator, Sequence

from paddock_games import BadRules
from paddock_server.basics.identity import new_match_id
from paddock_server.lobby.budget import Budget
from paddock_server.lobby.drain import Drain
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.hall import Hall
from paddock_server.lobby.hosted import Hosted
from paddock_server.lobby.hosted_session import HostedSession
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.lobby.pings import Pings
from paddock_server.lobby.pins import Pins
from paddock_server.lobby.planning import seated_in_turn
from paddock_server.lobby.presence import Hindrance, Presence
from paddock_server.lobby.queue import MatchQueue, Waiting
from paddock_server.lobby.trials import Trials
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
        self._database = database
        self._tables = tables
        self._metrics = metrics
        self._clock = clock or Clock()
        self._limits = limits or Limits()
        self._policy = policy or Policy()
        self.budget = Budget(self._limits, self._policy)
        self.drain = Drain()
        self.hall = Hall(self._limits)
        self.hosted = Hosted()
        self.pins = Pins(self.hosted)
        self._queue = MatchQueue(self._is_present)
        self._withholders = Withholders()
        self._under_way = UnderWay()
        self._trials = Trials(database, self._policy, self.hall, self.drain, self)
        self._probation = self._trials.probation
        self.presence = Presence(self.hall, self._probation, self.hosted, self._under_way)
        self._pings = Pings(self.hall, self._under_way, self._policy.ping_seconds)
        tables.listeners.append(self)

    async def start(self) -> None:
        """Load what an earlier process left: waiting matches wait again, open ones go on."""
        self._pings.start()
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
        self.drain.begin()
        self._pings.stop()

    @property
    def draining(self) -> bool:
        """Whether the server is about to stop."""
        return self.drain.begun

    # --- bots -------------------------------------------------------------------------------

    async def next_order(self) -> int:
        """0: who comes later is newer."""
        return 0

    def entered(self, guest: Guest, resume_token: str = "") -> bool:
        """A bot is connected: its open matches go on, new ones can begin; True: it resumed."""
        resumed = self.hall.enter(guest, resume_token)
        if isinstance(guest, HostedSession):
            self.hosted.entered(guest)  # which knows whether its process may play on
        self._metrics.sessions.set(len(self.hall))
        self._tables.back(guest)
        guest.ping()
        self._queue.look_again(guest.bot)
        self._trials.entered(guest)
        self._begin_matches([guest.bot])
        return resumed

    def left(self, guest: Guest) -> None:
        """A bot's session is over; its matches wait for it within their time."""
        if isinstance(guest, HostedSession):
            guest.broken = True
        else:
            self._tables.lost(guest)
        if self.hall.leave(guest):
            self._queue.look_again(guest.bot)
        self._metrics.sessions.set(len(self.hall))
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

    def open_matches_of(self, bot: str) -> int:
        """How many matches a bot is playing."""
        return self._under_way.count(bot)

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
        self.hosted.matches_added()
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
        for bot in bots:
            guest = self.hall.find(bot)
            if guest is not None:
                self._tables.back(guest, row.number)
        return True

    def withdraw(self, match_id: str) -> int | None:
        """Take a match out of the queue; its number, or None where it does not wait."""
        return self._queue.withdraw(match_id)

    def waits(self, match_id: str) -> bool:
        """Whether a match waits for its bots."""
        return match_id in self._queue

    def is_busy(self, bot: str, tournament: str) -> bool:
        """Whether matches of a tournament wait because a bot has no room for more."""
        return self.room_of(bot) <= 0 and any(
            waiting.plan.tournament == tournament and bot not in waiting.missing
            for waiting in self._queue.of(bot)
        )

    def wanting(self) -> Iterator[Waiting]:
        """The waiting matches that hosted bots can be started for, the oldest first."""
        return self._queue.wanting(self._is_startable)

    def _wait(self, number: int, match_id: str, plan: Plan) -> None:
        self._queue.add(Waiting(number, match_id, plan))

    def _begin_matches(self, bots: Iterable[str]) -> None:
        """Begin the matches that can begin, now that these bots have room."""
        if not self.drain.begun:
            for waiting in self._queue.take(self.room_of, bots):
                self._begin(waiting)
        self._metrics.waiting_matches.set(len(self._queue))

    def _is_present(self, bot: str, waiting: Waiting) -> bool:
        session = self.hall.find(bot)
        if session is None or session.retiring or not self._is_startable(bot, waiting):
            return False
        if not isinstance(session, HostedSession):
            return True
        wanted = self.version_for(bot, waiting.plan)
        return session.started and session.entrant.version == wanted

    def version_for(self, bot: str, plan: Plan) -> str:
        """The version of a hosted bot that is to play a match."""
        return self.pins.version(bot, plan.tournament)

    def look_again(self, bot: str) -> None:
        """Look at what a bot may play now, and begin it: something about the bot is new."""
        self._queue.look_again(bot)
        self._begin_matches([bot])

    def _is_startable(self, bot: str, waiting: Waiting) -> bool:
        """Whether a bot is connected, or hosted, and may play this match."""
        hindrance = self.presence.hindrance(bot, waiting.plan.format)
        return hindrance is None or (waiting.plan.trial and hindrance is Hindrance.PROBATION)

    def room_of(self, bot: str) -> int:
        """How many more matches a bot can play now; 0: it is not connected, or has no room."""
        session = self.hall.find(bot)
        if session is None or session.retiring:
            return 0
        most = min(session.max_matches, self._limits.matches_per_bot)
        return most - self.open_matches_of(bot)

    def _begin(self, waiting: Waiting) -> None:
        players = [self.hall.find(bot) for bot in waiting.plan.bots]
        for session in players:
            if session is None:
                continue
            session.take_nonces(session.bot not in self._withholders)
            if session.bot not in self._under_way:
                # If it was idle for a while, its lag may have changed.
                session.ping_after(self._policy.ping_seconds)
            if isinstance(session, HostedSession) and waiting.plan.hides_deal:
                self.hosted.learned_deal(session)
                self._queue.look_again(session.bot)
        entrants = [each.entrant for each in players if each is not None]
        self._under_way.add(waiting.number, waiting.plan, entrants)
        self._tables.begin(waiting.number, waiting.id, waiting.plan, players)

    def _take_up(self, row: MatchRow) -> None:
        self._under_way.add(row.number, row.plan, row.entrants)

    # --- what the tables say (Listener) -----------------------------------------------------

    def dealt(self, dealt: MatchDealt) -> None:
        """A match was dealt: its late nonces are counted."""
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

    # --- trials (TrialMatches) --------------------------------------------------------------

    def has_trial(self, bot: str) -> bool:
        """Whether a trial match of a bot waits."""
        return any(waiting.plan.trial for waiting in self._queue.of(bot))

    async def add_trial(self, format_name: str, bots: Sequence[str]) -> None:
        """Add a trial match."""
        await self.add_matches(format_name, bots, trial=True)

    def probation_changed(self, bot: str) -> None:
        """Look again at what a bot may play, and begin what it may play now."""
        self._queue.look_again(bot)
        if not self._probation.reason(bot):
            self._begin_matches([bot])
