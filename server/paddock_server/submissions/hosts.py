"""Hosted bots in the lobby: which version plays, whose session it is, and who is to blame."""

import logging
from collections.abc import Callable, Mapping
from typing import Final

from paddock_server.lobby.hosted import HostedBot
from paddock_server.lobby.hosted_session import HostedSession, Run
from paddock_server.lobby.lobby import Lobby
from paddock_server.packing.manifest import read_manifest
from paddock_server.store.submissions import SubmissionRow
from paddock_server.submissions import orders
from paddock_server.submissions.lease import Lease
from paddock_server.submissions.settings import SubmissionSettings

_LOG = logging.getLogger("paddock.submissions")
_FAILURES: Final = 3  # starts within so many seconds, then a bot counts as away for a minute
_FAILURE_SECONDS: Final = 600
_AWAY_SECONDS: Final = 60


class Hosts:
    """The bots that the arena runs itself, as the lobby sees them."""

    def __init__(
        self,
        lobby: Lobby,
        leases: Mapping[str, Lease],
        settings: SubmissionSettings,
        clock: Callable[[], float],
    ) -> None:
        self.wake: Callable[[], None] = lambda: None  # there may be something to place
        self._lobby = lobby
        self._leases = leases
        self._settings = settings
        self._clock = clock
        self._crashes: dict[str, list[float]] = {}  # failed starts, by bot
        self._hosted = lobby.hosted
        self._hosted.add_listener(self)

    def host(self, row: SubmissionRow) -> None:
        """Have this version play from the next match on."""
        formats = row.formats or orders.ALL_FORMATS
        most = self._most_matches(row)
        self._hosted.host(row.bot, HostedBot(row.owner, row.version, formats, most))
        self._crashes.pop(row.bot, None)
        session = self._lobby.hall.find(row.bot)
        if session is not None and not session.hosted:
            session.retiring = True  # the arena runs this bot from now on
            if not self._lobby.open_matches_of(row.bot):
                session.end("session/hosted", "the arena runs this bot from now on")
        self._lobby.look_again(row.bot)

    def promised_share(self, bot: str) -> float:
        """The share of a core that a bot's open matches began with; 0: none."""
        return self._lobby.presence.open_share(bot)

    def _most_matches(self, row: SubmissionRow) -> int:
        return min(read_manifest(row.manifest).matches, self._settings.matches_per_process)

    # --- sessions ---------------------------------------------------------------------------

    def admit(self, lease: Lease) -> None:
        """Let the bot of a run open a session."""
        if not lease.is_run:
            return
        row = lease.submission
        run = Run(lease.id, row.bot, row.version, row.language, self._most_matches(row))
        self._hosted.admit(lease.row.token_hash, run)

    def dismiss(self, lease: Lease) -> None:
        """Let the bot of a run open no session any more."""
        self._hosted.dismiss(lease.row.token_hash)

    def entered(self, session: HostedSession) -> None:
        """A hosted bot is connected: its lease has this session."""
        lease = self._leases.get(session.run.lease)
        if lease is None:
            session.end("lease/lost", "the lease of this bot ended")
            return
        lease.session, lease.settled, lease.idle_since = session, True, self._clock()
        # A process that comes into an open match learns its deal, whatever process began it.
        lease.knows_deal = lease.knows_deal or self._lobby.open_matches_of(session.bot) > 0
        session.retiring = lease.knows_deal
        if lease.cpu_share is not None:
            session.start(lease.cpu_share)
        self._crashes.pop(session.bot, None)
        self.wake()

    def started(self, lease: Lease, cpu_share: float) -> None:
        """The program of a run is up, with this share of a core; it may be connected already."""
        lease.cpu_share = cpu_share
        if lease.session is not None:
            lease.session.start(cpu_share)
            self._lobby.look_again(lease.row.bot)

    def learned_deal(self, session: HostedSession) -> None:
        """A process that knows a deal plays no other match, also in other sessions."""
        session.retiring = True
        lease = self._leases.get(session.run.lease)
        if lease is not None:
            lease.knows_deal = True

    def left(self, session: HostedSession) -> None:
        """The session of a hosted bot is over; its runner says later who is to blame."""
        lease = self._leases.get(session.run.lease)
        if lease is None:  # it ended before its session
            self._lobby.blame(session, bot=True)
        elif lease.session is session:
            lease.settled = False  # until the runner says what happened, or is lost itself
        self.wake()

    def matches_added(self) -> None:
        """More matches wait, which may need bots that do not run."""
        self.wake()

    # --- ends -------------------------------------------------------------------------------

    def ended(self, lease: Lease, *, crashed: bool, sentence: str) -> None:
        """The program of a run has ended: a session that broke with it is its own fault."""
        session, bot = lease.session, lease.row.bot
        if session is not None and not lease.settled:
            lease.settled = True
            self._lobby.blame(session, bot=True)
        if crashed and not lease.stopping:
            _LOG.warning("hosted bot ended: %s", sentence, extra={"bot": bot})
            if session is None:
                self.failed_to_start(bot)

    def lost(self, lease: Lease) -> None:
        """The runner of a run is lost: its session is over, and the bot is not to blame."""
        session = lease.session
        if session is not None:
            session.end("lease/lost", "the runner of this bot is gone")
            if not lease.settled or not session.broken:
                lease.settled = True
                self._lobby.blame(session, bot=False)

    def failed_to_start(self, bot: str) -> None:
        """After three failed starts within ten minutes a bot counts as away for a minute."""
        now = self._clock()
        recent = [at for at in self._crashes.get(bot, ()) if now - at < _FAILURE_SECONDS] + [now]
        self._crashes[bot] = recent
        if len(recent) >= _FAILURES:
            self._hosted.set_available(bot, available=False)

    def start_again(self) -> None:
        """Have bots that failed to start be tried again after a minute."""
        now = self._clock()
        away = [name for name, bot in self._hosted if not bot.available]
        for name in away:
            if now - self._crashes.get(name, [0.0])[-1] > _AWAY_SECONDS:
                self._hosted.set_available(name, available=True)
