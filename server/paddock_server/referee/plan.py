"""Plans of matches: what is to be played, and what is added when it begins."""

from typing import Any, NamedTuple

from paddock_server.referee.clock import Clock
from paddock_server.referee.house import HOUSE


class Deal(NamedTuple):
    """What the deal of a match comes from, as hexadecimal text."""

    seed: str
    nonces: tuple[str, ...]  # by seat


class Plan(NamedTuple):
    """A match that is to be played, once its bots are there."""

    format: str
    rules: Any  # as the format's game has them
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
        """The bots that have to be there; the server's own always are."""
        return tuple(bot for bot in self.bots if not bot.startswith(HOUSE))

    @property
    def hides_deal(self) -> bool:
        """Whether others will play the same deal, so that its seed is told when all have."""
        return self.block_size > 1


class Entrant(NamedTuple):
    """A bot as it sits down."""

    bot: str
    version: str
    owner: str
    sends_nonces: bool  # whether it takes part in the deal


class Begun(NamedTuple):
    """What a match has from its first moment on, besides its plan."""

    entrants: tuple[Entrant, ...]  # by seat
    seed: str  # of the deal, as hexadecimal text
    started: str  # when
