"""Trials: the matches against house bots that end the probation of a bot."""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from paddock_games import format_named
from paddock_server.basics.name import HOUSE
from paddock_server.lobby.drain import Drain
from paddock_server.lobby.guest import Guest
from paddock_server.lobby.hall import Hall
from paddock_server.lobby.limits import Policy
from paddock_server.lobby.probation import Probation
from paddock_server.store import store
from paddock_server.store.database import Database


class TrialMatches(Protocol):
    """The waiting matches, as far as trials need them."""

    def has_trial(self, bot: str) -> bool:
        """Whether a trial match of a bot waits."""

    async def add_trial(self, format_name: str, bots: Sequence[str]) -> None:
        """Add a trial match."""

    def probation_changed(self, bot: str) -> None:
        """Look again at what a bot may play."""


class Trials:
    """The trials of the bots on probation, which also stores who is on probation and why."""

    def __init__(
        self, database: Database, policy: Policy, hall: Hall, drain: Drain, matches: TrialMatches
    ) -> None:
        self.probation = Probation(policy, self._changed, self._try_later)
        self._database = database
        self._policy = policy
        self._hall = hall
        self._drain = drain
        self._matches = matches

    def entered(self, guest: Guest) -> None:
        """A bot is connected: if it is on probation, it gets a trial."""
        if self.probation.reason(guest.bot):
            self._begin(guest)

    def _changed(self, bot: str, why: str) -> None:
        """A bot's probation began or ended: store it, and look at what the bot may play."""
        self._database.writer.submit(
            lambda connection: store.change_bot(connection, bot, probation=why), sync=True
        )
        self._matches.probation_changed(bot)
        session = self._hall.find(bot)
        if why and session is not None:
            self._begin(session)

    def _try_later(self, bot: str) -> None:
        """Set a timer for the next trial after a failed one."""

        def again() -> None:
            session = self._hall.find(bot)
            if session is not None and not self._drain.begun:
                self._begin(session)

        asyncio.get_running_loop().call_later(self._policy.trial_seconds, again)

    def _begin(self, session: Guest) -> None:
        asyncio.get_running_loop().create_task(self._try_out(session))

    async def _try_out(self, session: Guest) -> None:
        """Add a trial match against house bots, unless one waits already."""
        if self._matches.has_trial(session.bot) or not session.formats:
            return
        size = format_named(session.formats[0]).usual_seats
        bots = [session.bot, *[f"{HOUSE}random"] * (size - 1)]
        await self._matches.add_trial(session.formats[0], bots)
