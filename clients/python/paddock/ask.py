"""An ask: a decision that the referee wants from a bot."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple
from warnings import warn

from paddock.dice import Dice
from paddock.match import Match
from paddock.v1 import arena_pb2
from paddock_wire import Terms, Unreadable, codec_of


class Ask(NamedTuple):
    """A decision for a bot: its view and its legal choices; `choose` returns one of `legal`."""

    id: int
    match: Match
    view: Any  # what this seat knows: the rules library's own view, made to be searched with
    legal: tuple[Any, ...]  # what this seat may choose; never empty
    time_ms: int  # the time for this decision before the bank is used
    bank_ms: int  # what is left in the bank
    dice: Dice | None = None  # what `rng` draws from; None: Python's own random numbers

    @property
    def rng(self) -> Random:
        """Random numbers for this decision; with them `paddock compare` needs fewer matches."""
        return Random() if self.dice is None else self.dice.rng

    def below(self, n: int) -> int:
        """A random number from 0 to n - 1, the same in every language; `rng` is Python's own."""
        return Random().randrange(n) if self.dice is None else self.dice.below(n)

    @property
    def default(self) -> Any:
        """The choice of the referee for a bot that does not answer."""
        default = self.view.default
        return default if default in self.legal else self.legal[0]

    @property
    def by_pen(self) -> Mapping[str, tuple[Any, ...]]:
        """Deprecated: `view.legal_by_pen`."""
        _deprecate("by_pen", "legal_by_pen")
        by_pen: Mapping[str, tuple[Any, ...]] = self.view.legal_by_pen
        return by_pen

    @property
    def hand(self) -> Any:
        """Deprecated: `view.hand`."""
        _deprecate("hand", "hand")
        return self.view.hand

    @property
    def zoo(self) -> Any:
        """Deprecated: `view.zoo`."""
        _deprecate("zoo", "zoo")
        return self.view.zoo


def _deprecate(old: str, new: str) -> None:
    sentence = f"ask.{old} is deprecated; use ask.view.{new}"
    warn(sentence, DeprecationWarning, stacklevel=3)


def read_ask(message: arena_pb2.Ask, match: Match, dice: Dice | None = None) -> Ask:
    """The ask in a message; raises Unreadable for values that the rules do not know."""
    codec = codec_of(match.format)
    terms = Terms(match.format, len(match.seats), match.rules)
    view = codec.read_view(message.view, terms, message.seat)
    legal = tuple([codec.read_choice(choice) for choice in message.choices])
    if not legal:
        raise Unreadable("an ask without a single legal choice")
    return Ask(
        id=message.ask_id,
        match=match,
        view=view,
        legal=legal,
        time_ms=message.time_ms,
        bank_ms=message.bank_ms,
        dice=dice,
    )


def seen(message: arena_pb2.Ask) -> bytes:
    """The view of an ask as bytes, to recognise a repeated ask."""
    return message.view.SerializeToString(deterministic=True)
