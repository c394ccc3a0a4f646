"""Probation: bots that forfeit match after match get trial matches only, until one is clean."""

import logging
from collections import Counter
from collections.abc import Callable

from paddock_server.arena.limits import Policy
from paddock_server.arena.opening import HOUSE
from paddock_server.arena.table import Table

_LOG = logging.getLogger("paddock.probation")


class Probation:
    """Who is taken out of pairing, and why."""

    def __init__(
        self,
        policy: Policy,
        changed: Callable[[str, str], None],
        try_again: Callable[[str], None],
    ) -> None:
        self.why: dict[str, str] = {}  # by bot
        self._policy = policy
        self._changed = changed
        self._try_again = try_again
        self._forfeits: Counter[str] = Counter()  # matches in a row

    def judge(self, table: Table) -> None:
        """Take a finished match into account; a bot counts once, however often it sat there."""
        forfeit: dict[str, bool] = {}
        faults: Counter[str] = Counter()
        for seated, result in zip(table.match.seats, table.results, strict=True):
            if not seated.bot.startswith(HOUSE):
                forfeit[seated.bot] = forfeit.get(seated.bot, False) or result["forfeit"]
                faults[seated.bot] += result["faults"]
        for bot, forfeited in forfeit.items():
            if forfeited:
                self._forfeits[bot] += 1
            else:
                self._forfeits.pop(bot, None)
            if table.plan.trial and not faults[bot]:
                self._set(bot, "")
            elif table.plan.trial and bot in self.why:
                self._try_again(bot)
            elif self._forfeits[bot] >= self._policy.probation_after and bot not in self.why:
                count = self._forfeits[bot]
                self._set(bot, f"it forfeited {count} matches in a row; one clean trial ends this")

    def _set(self, bot: str, why: str) -> None:
        if why:
            self.why[bot] = why
        else:
            self.why.pop(bot, None)
        _LOG.warning("probation: %s", why or "over", extra={"bot": bot})
        self._changed(bot, why)
