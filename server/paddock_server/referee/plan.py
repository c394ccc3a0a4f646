"""Plans of matches, and what is added when a match begins."""

from typing import NamedTuple

from paddock_games import Rules
from paddock_server.basics.name import HOUSE
from paddock_server.referee.clock import Clock


class Deal(NamedTuple):
    """The seed and the nonces of a match, as hexadecimal text."""

    seed: str
    nonces: tuple[str, ...]  # by seat


class Plan(NamedTuple):
    """A match that is going to be played."""

    format: str
    rules: Rules
    bots: tuple[str, ...]  # by seat
    clock: Clock
    rated: bool = False
    trial: bool = False  # of a bot on probation
    tournament: str = ""
    pairing: str = ""  # its key in the tournament
    block: str = ""  # its matches share a deal
    block_size: int = 1
    round: int = 0  # in the tournament, from 1
    deal: Deal | None = None  # of the block's first match; None: a new one
    common_dice: bool = False  # whether the seats' own dice are those of the whole block

    @property
    def waited_for(self) -> tuple[str, ...]:
        """The bots that have to be connected: all but house bots."""
        return tuple(bot for bot in self.bots if not bot.startswith(HOUSE))

    @property
    def hides_deal(self) -> bool:
        """Whether other matches have the same deal: the seed stays secret until all are over."""
        return self.block_size > 1


class Entrant(NamedTuple):
    """A bot at the moment when its match begins."""

    bot: str
    version: str
    owner: str
    sends_nonces: bool  # whether it takes part in the deal
    commits_nonces: bool = False  # whether it sends the digest of its nonce first
    cpu_share: float = 0.0  # of a core that the arena gives it, at least; 0: none is promised

    @property
    def nonce_steps(self) -> int:
        """The steps in which it sends its part of the deal; 0: it sends none."""
        return 2 if self.commits_nonces else int(self.sends_nonces)


class Begun(NamedTuple):
    """The facts that are fixed when a match begins, besides its plan."""

    entrants: tuple[Entrant, ...]  # by seat
    seed: str  # of the deal, as hexadecimal text
    started: str  # when
    salted: bool = False  # whether the commitment to the seed has the match's id in it
