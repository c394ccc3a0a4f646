"""A view of Dino Twist: what one seat knows, the open table and its own cards."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from paddock_games.dino_twist.card import Card, cards, unpack
from paddock_games.dino_twist.choice import Choice, Kind
from paddock_games.dino_twist.event import EVENTS, Event
from paddock_games.dino_twist.island import Island
from paddock_games.dino_twist.rules import AnyRules
from paddock_games.dino_twist.scoring import Score
from paddock_games.dino_twist.setting import Phase
from paddock_games.dino_twist.table import Table


class View(NamedTuple):
    """The view of one seat; an immutable value, like the state it comes from."""

    table: Table
    seat: int
    held: tuple[int, ...]  # the numbers of the cards in the hand, in order
    laid_down: int  # what this seat itself discarded face down, packed

    @property
    def legal(self) -> Sequence[Choice]:
        """What this seat may choose now, in a stable order; empty where it is not asked."""
        return self.table.legal(self.seat, self.held)

    @property
    def default(self) -> Choice:
        """What the referee would choose for this seat."""
        return self.table.default(self.seat, self.held)

    @property
    def legal_by_kind(self) -> Mapping[Kind, tuple[Choice, ...]]:
        """The legal choices, sorted by what they are: PLAY, BURY, ATTACK or DISCARD."""
        legal = self.legal
        kinds = dict.fromkeys(choice.kind for choice in legal)
        return {kind: tuple([choice for choice in legal if choice.kind == kind]) for kind in kinds}

    @property
    def hand(self) -> tuple[Card, ...]:
        """This seat's own cards."""
        return cards(self.held)

    @property
    def discarded(self) -> tuple[Card, ...]:
        """What this seat discarded face down and is still on the discard pile."""
        return cards(unpack(self.laid_down))

    @property
    def island(self) -> Island:
        """This seat's own island."""
        return self.table.islands[self.seat]

    @property
    def islands(self) -> tuple[Island, ...]:
        """Everybody's islands, by seat."""
        return self.table.islands

    @property
    def twist(self) -> Island:
        """Twist Island."""
        return self.table.twist

    @property
    def graveyard(self) -> tuple[tuple[Card, ...], ...]:
        """This seat's own graveyard: entries of one card or more."""
        return tuple(map(cards, self.table.graveyards[self.seat]))

    @property
    def graveyards(self) -> tuple[tuple[tuple[Card, ...], ...], ...]:
        """Everybody's graveyards, by seat: entries of one card or more."""
        return tuple(tuple(map(cards, entries)) for entries in self.table.graveyards)

    @property
    def island_bonuses(self) -> tuple[int, ...]:
        """The bonuses for filled islands, by seat (T15)."""
        return self.table.bonuses

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """How many cards everybody holds, by seat."""
        return self.table.hand_sizes

    @property
    def pile_size(self) -> int:
        """How many cards are left to draw before the discard pile is shuffled."""
        return self.table.pile_size

    @property
    def face_down(self) -> tuple[int, ...]:
        """How many cards everybody discarded face down, by seat."""
        return self.table.face_down

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that decide now."""
        return self.table.asked

    @property
    def waiting(self) -> tuple[tuple[int, ...], ...]:
        """The seats still to act this round, those of equal strength together."""
        return self.table.waiting

    @property
    def plays(self) -> tuple[Choice | None, ...]:
        """What everybody revealed this round, by seat; empty before."""
        return self.table.plays

    @property
    def event(self) -> Event:
        """The event that applies."""
        return self.table.event

    @property
    def events(self) -> tuple[Event, ...]:
        """All events that have shown, the one that shows included."""
        return tuple(EVENTS[code] for code in self.table.events)

    @property
    def discards(self) -> tuple[Card, ...]:
        """What lies face up on the discard pile."""
        return cards(unpack(self.table.discards))

    @property
    def seats(self) -> int:
        """How many play."""
        return self.table.setting.seats

    @property
    def rules(self) -> AnyRules:
        """The rule options of the match."""
        return self.table.setting.rules

    @property
    def format(self) -> str:
        """The format that is played."""
        return self.table.setting.format

    @property
    def phase(self) -> Phase:
        """What is being decided: DISCARD, PLAY (or burying) or ATTACK; OVER at the end."""
        return self.table.phase

    @property
    def round(self) -> int:
        """Which round of the game this is, from 0."""
        return self.table.round

    @property
    def scores(self) -> tuple[Score, ...]:
        """Everybody's points as the table stands."""
        return self.table.scores()
