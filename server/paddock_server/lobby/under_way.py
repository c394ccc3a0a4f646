"""The matches under way as the lobby knows them: their plans, and who plays how many of them."""

from collections.abc import Iterator, Sequence

from paddock_server.referee.plan import Entrant, Plan


class UnderWay:
    """A list of the matches under way, by number and by bot."""

    def __init__(self) -> None:
        self._plans: dict[int, Plan] = {}
        self._numbers: dict[str, set[int]] = {}  # by bot
        self._entrants: dict[int, dict[str, Entrant]] = {}  # by match and bot

    def add(self, number: int, plan: Plan, entrants: Sequence[Entrant]) -> None:
        """A match begins with these bots."""
        self._plans[number] = plan
        self._entrants[number] = {each.bot: each for each in entrants}
        for bot in plan.bots:
            self._numbers.setdefault(bot, set()).add(number)

    def remove(self, number: int) -> None:
        """A match is over."""
        del self._entrants[number]
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
        return next((each.version for each in self._entrants_of(bot)), "")

    def cpu_share(self, bot: str) -> float:
        """The largest share of a core that the matches of a bot began with; 0: none."""
        return max((each.cpu_share for each in self._entrants_of(bot)), default=0.0)

    def _entrants_of(self, bot: str) -> Iterator[Entrant]:
        """The bot as it is in each of its matches; in none that it was away from at its begin."""
        for number in self._numbers.get(bot, ()):
            if bot in self._entrants[number]:
                yield self._entrants[number][bot]

    def has(self, tournament: str) -> bool:
        """Whether a match of a tournament is under way."""
        return any(plan.tournament == tournament for plan in self._plans.values())
