"""Dino Twist for the wire: from the rules' own values to bytes."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from paddock.v1 import arena_pb2, dino_twist_pb2, match_pb2
from paddock_games.dino_twist import AnyRules, Choice, View
from paddock_games.dino_twist.card import CARDS, WHICH, unpack
from paddock_games.dino_twist.event import EVENTS, Event
from paddock_games.dino_twist.island import Island
from paddock_games.dino_twist.scoring import Graveyard
from paddock_games.dino_twist.table import Table
from paddock_wire.dino_twist.names import EVENT_KINDS, KINDS, PHASES, SPECIES, TERRITORIES
from paddock_wire.fields import Field

_REMEMBERED: Final = 1 << 14  # choices and islands whose bytes are kept: there are far more

_RULES: Final = Field(arena_pb2.MatchStarted.DINO_TWIST_FIELD_NUMBER)
_SCORES: Final = Field(arena_pb2.MatchEnded.DINO_TWIST_FIELD_NUMBER)
_CHOICES: Final = Field(arena_pb2.Ask.CHOICES_FIELD_NUMBER)
_GAME_VIEW: Final = Field(arena_pb2.GameView.DINO_TWIST_FIELD_NUMBER)
_GAME_TABLE: Final = Field(match_pb2.GameTable.DINO_TWIST_FIELD_NUMBER)
_GAME_CHOICE: Final = Field(arena_pb2.GameChoice.DINO_TWIST_FIELD_NUMBER)

_table: Final = dino_twist_pb2.DinoTwistTable
_ROUND: Final = Field(_table.ROUND_FIELD_NUMBER)
_EVENT: Final = Field(_table.EVENT_FIELD_NUMBER)
_SHOWN: Final = Field(_table.SHOWN_FIELD_NUMBER)
_PHASE: Final = Field(_table.PHASE_FIELD_NUMBER)
_ASKED: Final = Field(_table.ASKED_FIELD_NUMBER)
_TWIST: Final = Field(_table.TWIST_FIELD_NUMBER)
_ISLANDS: Final = Field(_table.ISLANDS_FIELD_NUMBER)
_GRAVEYARDS: Final = Field(_table.GRAVEYARDS_FIELD_NUMBER)
_ISLAND_BONUSES: Final = Field(_table.ISLAND_BONUSES_FIELD_NUMBER)
_DISCARDS: Final = Field(_table.DISCARDS_FIELD_NUMBER)
_FACE_DOWN: Final = Field(_table.FACE_DOWN_FIELD_NUMBER)
_HAND_SIZES: Final = Field(_table.HAND_SIZES_FIELD_NUMBER)
_PILE_SIZE: Final = Field(_table.PILE_SIZE_FIELD_NUMBER)
_PLAYS: Final = Field(_table.PLAYS_FIELD_NUMBER)
_WAITING: Final = Field(_table.WAITING_FIELD_NUMBER)

_EVENT_KIND: Final = Field(dino_twist_pb2.DinoTwistEvent.KIND_FIELD_NUMBER)
_EVENT_TERRITORY: Final = Field(dino_twist_pb2.DinoTwistEvent.TERRITORY_FIELD_NUMBER)
_EVENT_SPECIES: Final = Field(dino_twist_pb2.DinoTwistEvent.SPECIES_FIELD_NUMBER)
_RESIDENTS: Final = Field(dino_twist_pb2.DinoTwistIsland.RESIDENTS_FIELD_NUMBER)
_RESIDENT_TERRITORY: Final = Field(dino_twist_pb2.DinoTwistResident.TERRITORY_FIELD_NUMBER)
_RESIDENT_CARD: Final = Field(dino_twist_pb2.DinoTwistResident.CARD_FIELD_NUMBER)
_ENTRIES: Final = Field(dino_twist_pb2.DinoTwistGraveyard.ENTRIES_FIELD_NUMBER)
_ENTRY_CARDS: Final = Field(dino_twist_pb2.DinoTwistEntry.CARDS_FIELD_NUMBER)
_REVEALED_SEAT: Final = Field(dino_twist_pb2.DinoTwistRevealed.SEAT_FIELD_NUMBER)
_REVEALED_CHOICE: Final = Field(dino_twist_pb2.DinoTwistRevealed.CHOICE_FIELD_NUMBER)
_GROUP_SEATS: Final = Field(dino_twist_pb2.DinoTwistGroup.SEATS_FIELD_NUMBER)

_VIEW_TABLE: Final = Field(dino_twist_pb2.DinoTwistView.TABLE_FIELD_NUMBER)
_HAND: Final = Field(dino_twist_pb2.DinoTwistView.HAND_FIELD_NUMBER)
_DISCARDED: Final = Field(dino_twist_pb2.DinoTwistView.DISCARDED_FIELD_NUMBER)

_CARD_SPECIES: Final = Field(dino_twist_pb2.DinoTwistCard.SPECIES_FIELD_NUMBER)
_CARD_STRENGTH: Final = Field(dino_twist_pb2.DinoTwistCard.STRENGTH_FIELD_NUMBER)
_CARD_CLAW: Final = Field(dino_twist_pb2.DinoTwistCard.CLAW_FIELD_NUMBER)

_choice: Final = dino_twist_pb2.DinoTwistChoice
_CHOICE_KIND: Final = Field(_choice.KIND_FIELD_NUMBER)
_CHOICE_CARDS: Final = Field(_choice.CARDS_FIELD_NUMBER)
_CHOICE_SPECIES: Final = Field(_choice.SPECIES_FIELD_NUMBER)
_CHOICE_TERRITORY: Final = Field(_choice.TERRITORY_FIELD_NUMBER)
_CHOICE_SETTLE: Final = Field(_choice.SETTLE_FIELD_NUMBER)
_CHOICE_FACE_DOWN: Final = Field(_choice.FACE_DOWN_FIELD_NUMBER)


def rules(rules: AnyRules) -> bytes:
    """The rule options, as a field of MatchStarted."""
    message = dino_twist_pb2.DinoTwistRules(**rules._asdict(), version=rules.version)
    return _RULES.part(message.SerializeToString())


def table(table: Table) -> bytes:
    """What lies open, the same for everybody: a DinoTwistTable."""
    parts = [
        _ROUND.number(table.round),
        _EVENT.part(_event(table.event)),
        *[_SHOWN.part(_event(EVENTS[code])) for code in table.events],
        _PHASE.number(PHASES.number[table.phase]),
        _ASKED.packed(table.asked),
        _TWIST.part(_island(table.twist)),
        *[_ISLANDS.part(_island(island)) for island in table.islands],
        *[_GRAVEYARDS.part(_graveyard(graveyard)) for graveyard in table.graveyards],
        _ISLAND_BONUSES.packed(table.bonuses),
        _cards(_DISCARDS, unpack(table.discards)),
        _FACE_DOWN.packed(table.face_down),
        _HAND_SIZES.packed(table.hand_sizes),
        _PILE_SIZE.number(table.pile_size),
        *[_revealed(seat, play) for seat, play in enumerate(table.plays) if play is not None],
        *[_WAITING.part(_GROUP_SEATS.packed(group)) for group in table.waiting],
    ]
    return b"".join(parts)


def view(shared: bytes, view: View) -> bytes:
    """What a seat knows, as a GameView, from the shared table and its own cards."""
    own = _cards(_HAND, view.held) + _cards(_DISCARDED, unpack(view.laid_down))
    return _GAME_VIEW.part(_VIEW_TABLE.part(shared) + own)


def watched(shared: bytes) -> bytes:
    """The open table, as a GameTable."""
    return _GAME_TABLE.part(shared)


def choice(choice: Choice) -> bytes:
    """A choice, as a GameChoice."""
    return _GAME_CHOICE.part(_contents(choice))


@lru_cache(maxsize=_REMEMBERED)
def _offered(legal: Choice) -> bytes:
    return _CHOICES.part(choice(legal))


def choices(legal: Sequence[Choice]) -> bytes:
    """The legal choices, as fields of an Ask."""
    return b"".join(map(_offered, legal))


def scores(table: Table) -> bytes:
    """The points by part, as a field of MatchEnded."""
    message = dino_twist_pb2.DinoTwistScores()
    for score in table.scores():
        message.scores.add(total=score.total, parts=score.parts, claws=score.claws)
    return _SCORES.part(message.SerializeToString())


def _contents(choice: Choice) -> bytes:
    parts = (
        _CHOICE_KIND.number(KINDS.number[choice.kind]),
        _cards(_CHOICE_CARDS, choice.codes),
        _CHOICE_SPECIES.number(SPECIES.numbers[choice.which]),
        _CHOICE_TERRITORY.number(TERRITORIES.numbers[choice.at]),
        _CHOICE_SETTLE.number(TERRITORIES.numbers[choice.to]),
        _CHOICE_FACE_DOWN.number(choice.face_down),
    )
    return b"".join(parts)


def _revealed(seat: int, play: Choice) -> bytes:
    return _PLAYS.part(_REVEALED_SEAT.number(seat) + _REVEALED_CHOICE.part(_contents(play)))


@cache
def _card(field: Field, code: int) -> bytes:
    card = CARDS[code]
    species = _CARD_SPECIES.number(SPECIES.numbers[WHICH[code]])
    return field.part(species + _CARD_STRENGTH.number(card.strength) + _CARD_CLAW.number(card.claw))


def _cards(field: Field, codes: Iterable[int]) -> bytes:
    return b"".join([_card(field, code) for code in codes])


@cache
def _event(event: Event) -> bytes:
    kind = _EVENT_KIND.number(EVENT_KINDS.number[event.kind] if event.kind else 0)
    territory = _EVENT_TERRITORY.number(TERRITORIES.numbers[event.meteor])
    species = SPECIES.number[event.species] if event.species else 0
    return kind + territory + _EVENT_SPECIES.number(species)


@cache
def _resident(place: int, code: int) -> bytes:
    territory = _RESIDENT_TERRITORY.number(TERRITORIES.numbers[place])
    return _RESIDENTS.part(territory + _card(_RESIDENT_CARD, code))


@lru_cache(maxsize=_REMEMBERED)
def _island(island: Island) -> bytes:
    return b"".join([_resident(place, code) for place, code in enumerate(island) if code >= 0])


@lru_cache(maxsize=_REMEMBERED)
def _graveyard(graveyard: Graveyard) -> bytes:
    return b"".join([_ENTRIES.part(_cards(_ENTRY_CARDS, entry)) for entry in graveyard])
