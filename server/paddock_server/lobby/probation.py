"""Probation: bots that forfeit match after match get trial matches only, until one is clean."""

import logging
from collections import Counter
from collections.abc import Callable, Iterable

from paddock_server.basics.name import HOUSE
from paddock_server.lobby.limits import Policy
from paddock_server.store.rows import BotRow
from paddock_server.tables.notices import Finished

_LOG = logging.getLogger("paddock.probation")


class Probation:
    """A list of the bots that are taken out of pairing, and why.

    Forfeits in a row are counted here and, in the transaction that ends a match, in the store.
    """

    def __init__(
        self,
        policy: Policy,
        changed: Callable[[str, str], None],
        try_again: Callable[[str], None],
    ) -> None:
        self._why: dict[str, str] = {}  # by bot
        self._policy = policy
        self._changed = changed
        self._try_again = try_again
        self._forfeits: Counter[str] = Counter()  # matches in a row

    def load(self, bots: Iterable[BotRow]) -> None:
        """Load what an earlier process stored."""
        for bot in bots:
            if bot.probation:
                self._why[bot.name] = bot.probation
            if bot.forfeits:
                self._forfeits[bot.name] = bot.forfeits

    def reason(self, bot: str) -> str:
        """Why a bot gets trial matches only; empty: it is not on probation."""
        return self._why.get(bot, "")

    def reasons(self) -> dict[str, str]:
        """The bots on probation, and why."""
        return dict(self._why)

    def judge(self, finished: Finished) -> None:
        """Take a finished match into account; a bot counts once, however often it sat there."""
        forfeit: dict[str, bool] = {}
        faults: Counter[str] = Counter()
        for seat in finished.results:
            if not seat.bot.startswith(HOUSE):
                forfeit[seat.bot] = forfeit.get(seat.bot, False) or seat.forfeit
                faults[seat.bot] += seat.faults
        for bot, forfeited in forfeit.items():
            if forfeited:
                self._forfeits[bot] += 1
            else:
                self._forfeits.pop(bot, None)
            if finished.plan.trial and not faults[bot]:
                self._set(bot, "")
            elif finished.plan.trial and bot in self._why:
                self._try_again(bot)
            elif self._forfeits[bot] >= self._policy.probation_after and bot not in self._why:
                count = self._forfeits[bot]
                self._set(bot, f"it forfeited {count} matches in a row; one clean trial ends this")

    def _set(self, bot: str, why: str) -> None:
        if why:
            self._why[bot] = why
            _LOG.warning("probation began: %s", why, extra={"bot": bot})
        else:
            self._why.pop(bot, None)
            _LOG.warning("probation ended", extra={"bot": bot})
        self._changed(bot, why)
