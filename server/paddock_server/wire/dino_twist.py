"""Dino Twist on the wire: from the rules' own values to bytes, and back."""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from paddock.v1 import arena_pb2, dino_twist_pb2, match_pb2
from paddock_games.dino_twist import AnyRules, Choice, State
from paddock_games.dino_twist.card import CARDS, Card, unpack
from paddock_games.dino_twist.choice import KINDS
from paddock_games.dino_twist.event import EVENTS, Event
from paddock_games.dino_twist.island import Island
from paddock_games.dino_twist.material import EVENT_KINDS, SPECIES, TERRITORIES
from paddock_games.dino_twist.scoring import Graveyard
from paddock_server.wire import parts as wire

_VIEW: Final = arena_pb2.GameView.DINO_TWIST_FIELD_NUMBER
_CHOICE: Final = arena_pb2.GameChoice.DINO_TWIST_FIELD_NUMBER
_KEPT: Final = 1 << 14  # choices and islands whose bytes are kept: there are far more
_CARDS: Final[dict[tuple[str, int, bool], Card]] = {
    (card.species, card.strength, card.claw): card for card in CARDS
}


def rules(given: AnyRules) -> bytes:
    """The rule options, as a field of MatchStarted."""
    message = dino_twist_pb2.DinoTwistRules(**given._asdict(), version=given.version)
    return wire.part(arena_pb2.MatchStarted.DINO_TWIST_FIELD_NUMBER, message.SerializeToString())


def table(state: State) -> bytes:
    """What lies open, the same for everybody: a DinoTwistTable."""
    now = state.table
    phase = dino_twist_pb2.DinoTwistPhase.Value(f"DINO_TWIST_PHASE_{now.phase}")
    parts = [
        wire.number(1, now.round),
        wire.part(2, _event(now.event)),
        *(wire.part(3, _event(EVENTS[code])) for code in now.events),
        wire.number(4, phase),
        wire.packed(5, now.asked),
        wire.part(6, _island(now.twist)),
        *(wire.part(7, _island(island)) for island in now.islands),
        *(wire.part(8, _graveyard(graveyard)) for graveyard in now.graveyards),
        wire.packed(9, now.bonuses),
        _cards(10, unpack(now.discards)),
        wire.packed(11, now.face_down),
        wire.packed(12, now.hand_sizes),
        wire.number(13, now.pile_size),
        *(_play(seat, play) for seat, play in enumerate(now.plays) if play is not None),
        *(wire.part(15, wire.packed(1, group)) for group in now.waiting),
    ]
    return b"".join(parts)


def view(shared: bytes, state: State, seat: int) -> bytes:
    """What a seat knows, as a GameView, from the shared table and its own cards."""
    mine = _cards(2, state.hands[seat]) + _cards(3, unpack(state.deal.laid_down[seat]))
    return wire.part(_VIEW, wire.part(1, shared) + mine)


def watched(shared: bytes) -> bytes:
    """The open table, as a GameTable."""
    return wire.part(match_pb2.GameTable.DINO_TWIST_FIELD_NUMBER, shared)


def choice(given: Choice) -> bytes:
    """A choice, as a GameChoice."""
    return wire.part(_CHOICE, _choice(given))


@lru_cache(maxsize=_KEPT)
def _offered(given: Choice) -> bytes:
    return wire.part(arena_pb2.Ask.CHOICES_FIELD_NUMBER, choice(given))


def choices(legal: Sequence[Choice]) -> bytes:
    """The legal choices, as fields of an Ask."""
    return b"".join(map(_offered, legal))


def read_choice(message: arena_pb2.GameChoice) -> Choice:
    """The choice that a bot sent; ValueError where there is no such choice."""
    sent = message.dino_twist
    try:
        cards = [_CARDS[_name(SPECIES, c.species) or "", c.strength, c.claw] for c in sent.cards]
        return Choice(
            _name(KINDS, sent.kind) or "",
            cards,
            _name(SPECIES, sent.species),
            _name(TERRITORIES, sent.territory),
            _name(TERRITORIES, sent.settle),
            sent.face_down,
        )
    except (KeyError, IndexError):
        raise ValueError("there is no choice with these cards, species or territories") from None


def scores(end: State) -> bytes:
    """Points by part, as a field of MatchEnded."""
    message = dino_twist_pb2.DinoTwistScores()
    for score in end.table.scores():
        message.scores.add(total=score.total, parts=score.parts, claws=score.claws)
    return wire.part(arena_pb2.MatchEnded.DINO_TWIST_FIELD_NUMBER, message.SerializeToString())


def _name(names: Sequence[str], number: int) -> str | None:
    """What a value of an enum stands for: the enums have the rules' names, in order, from 1."""
    if number < 0:
        raise IndexError(number)
    return names[number - 1] if number else None


def _number(names: Sequence[str], name: str | None) -> int:
    return names.index(name) + 1 if name else 0


def _choice(given: Choice) -> bytes:
    return b"".join(
        (
            wire.number(1, _number(KINDS, given.kind)),
            _cards(2, given.codes),
            wire.number(3, given.which + 1),
            wire.number(4, given.at + 1),
            wire.number(5, given.to + 1),
            wire.number(6, given.face_down),
        )
    )


def _play(seat: int, play: Choice) -> bytes:
    return wire.part(14, wire.number(1, seat) + wire.part(2, _choice(play)))


@cache
def _card(card: Card) -> bytes:
    species = wire.number(1, _number(SPECIES, card.species))
    return species + wire.number(2, card.strength) + wire.number(3, int(card.claw))


@cache
def _listed(field: int, code: int) -> bytes:
    return wire.part(field, _card(CARDS[code]))


def _cards(field: int, codes: Iterable[int]) -> bytes:
    return b"".join([_listed(field, code) for code in codes])


@cache
def _event(event: Event) -> bytes:
    kind = wire.number(1, _number(EVENT_KINDS, event.kind))
    place = wire.number(2, _number(TERRITORIES, event.territory))
    return kind + place + wire.number(3, _number(SPECIES, event.species))


@cache
def _resident(at: int, code: int) -> bytes:
    return wire.part(1, wire.number(1, at + 1) + _listed(2, code))


@lru_cache(maxsize=_KEPT)
def _island(island: Island) -> bytes:
    return b"".join([_resident(at, code) for at, code in enumerate(island) if code >= 0])


@lru_cache(maxsize=_KEPT)
def _graveyard(graveyard: Graveyard) -> bytes:
    return b"".join([wire.part(1, _cards(1, entry)) for entry in graveyard])
