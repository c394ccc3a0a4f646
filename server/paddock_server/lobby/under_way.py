"""The matches under way as the lobby knows them: their plans, and who plays how many of them."""

from collections.abc import Iterator, Mapping

from paddock_server.referee.plan import Plan


class UnderWay:
    """A list of the matches under way, by number and by bot."""

    def __init__(self) -> None:
        self._plans: dict[int, Plan] = {}
        self._numbers: dict[str, set[int]] = {}  # by bot
        self._versions: dict[int, Mapping[str, str]] = {}  # of its bots, by match

    def add(self, number: int, plan: Plan, versions: Mapping[str, str]) -> None:
        """A match begins, with these versions of its bots."""
        self._plans[number] = plan
        self._versions[number] = versions
        for bot in plan.bots:
            self._numbers.setdefault(bot, set()).add(number)

    def remove(self, number: int) -> None:
        """A match is over."""
        del self._versions[number]
        for bot in set(self._plans.pop(number).bots):
            self._numbers[bot].discard(number)
            if not self._numbers[bot]:
                del self._numbers[bot]

    def __contains__(self, bot: str) -> bool:
        """Whether a bot plays."""
        return bot in self._numbers

    def __iter__(self) -> Iterator[str]:
        """The bots that play."""
        return iter(self._numbers)

    def count(self, bot: str) -> int:
        """How many matches a bot plays."""
        return len(self._numbers.get(bot, ()))

    def version(self, bot: str) -> str:
        """The version that a bot plays its matches with; empty: it plays none."""
        return next((self._versions[n].get(bot, "") for n in self._numbers.get(bot, ())), "")

    def has(self, tournament: str) -> bool:
        """Whether a match of a tournament is under way."""
        return any(plan.tournament == tournament for plan in self._plans.values())
