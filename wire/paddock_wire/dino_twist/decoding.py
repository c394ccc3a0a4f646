"""Dino Twist from the wire: from messages to the rules' own values."""

from collections.abc import Iterable
from typing import Final

from paddock.v1 import arena_pb2, dino_twist_pb2
from paddock_games import IllegalChoice
from paddock_games.dino_twist import AnyRules, Choice, DinoTwist, View, material
from paddock_games.dino_twist.card import CARDS, pack
from paddock_games.dino_twist.event import EVENTS, NO_EVENT, Event
from paddock_games.dino_twist.island import EMPTY, Island
from paddock_games.dino_twist.scoring import Graveyard, Score
from paddock_games.dino_twist.setting import Setting, setting
from paddock_games.dino_twist.table import Table
from paddock_wire.codec import Terms
from paddock_wire.dino_twist.names import EVENT_KINDS, KINDS, PHASES, SPECIES, TERRITORIES
from paddock_wire.errors import Unreadable, excerpt, reading
from paddock_wire.options import read_options

_GAME: Final = DinoTwist()
_CODES: Final = {  # by what a card's message says
    (SPECIES.number[card.species], card.strength, card.claw): card.code for card in CARDS
}
_EVENTS: Final = {  # by what an event's message says
    (
        EVENT_KINDS.number[event.kind] if event.kind else 0,
        TERRITORIES.number[event.territory] if event.territory else 0,
        SPECIES.number[event.species] if event.species else 0,
    ): event
    for event in (*EVENTS, NO_EVENT)
}


def read_rules(message: arena_pb2.MatchStarted) -> AnyRules:
    """The rule options of a match that begins, of the version that it is played by."""
    rules: AnyRules = read_options(_GAME, message.dino_twist)
    return rules


def read_choice(message: arena_pb2.GameChoice) -> Choice:
    """The choice that a message stands for."""
    return _choice(message.dino_twist)


def read_view(message: arena_pb2.GameView, terms: Terms, seat: int) -> View:
    """What the seat knows: equal to the view that was sent."""
    sent = message.dino_twist
    with reading("a view", sent):
        table = _table(sent.table, setting(*terms))
        return View(table, seat, _codes(sent.hand), pack(_codes(sent.discarded)))


def read_scores(message: arena_pb2.MatchEnded) -> tuple[tuple[Score, ...], ...]:
    """The points by part, of the one game of a match and by seat."""
    seats = message.dino_twist.scores
    return (tuple(Score(seat.total, dict(seat.parts), seat.claws) for seat in seats),)


def _table(sent: dino_twist_pb2.DinoTwistTable, place: Setting) -> Table:
    plays: list[Choice | None] = [None] * place.seats if sent.plays else []
    for revealed in sent.plays:
        plays[revealed.seat] = _choice(revealed.choice)
    return Table(
        setting=place,
        round=sent.round,
        events=tuple([_event(event).code for event in sent.shown]),
        event=_event(sent.event),
        phase=PHASES.name[sent.phase],
        asked=tuple(sent.asked),
        twist=_island(sent.twist),
        islands=tuple(map(_island, sent.islands)),
        graveyards=tuple(map(_graveyard, sent.graveyards)),
        bonuses=tuple(sent.island_bonuses),
        discards=pack(_codes(sent.discards)),
        face_down=tuple(sent.face_down),
        hand_sizes=tuple(sent.hand_sizes),
        plays=tuple(plays),
        waiting=tuple([tuple(group.seats) for group in sent.waiting]),
    )


def _event(sent: dino_twist_pb2.DinoTwistEvent) -> Event:
    return _EVENTS[sent.kind, sent.territory, sent.species]


def _choice(sent: dino_twist_pb2.DinoTwistChoice) -> Choice:
    try:
        return Choice(
            kind=KINDS.name[sent.kind],
            cards=[CARDS[code] for code in _codes(sent.cards)],
            species=SPECIES.name_or_none[sent.species],
            territory=TERRITORIES.name_or_none[sent.territory],
            settle=TERRITORIES.name_or_none[sent.settle],
            face_down=sent.face_down,
        )
    except (IllegalChoice, KeyError):
        raise Unreadable(f"there is no choice {excerpt(sent)}") from None


def _codes(sent: Iterable[dino_twist_pb2.DinoTwistCard]) -> tuple[int, ...]:
    return tuple([_CODES[card.species, card.strength, card.claw] for card in sent])


def _island(sent: dino_twist_pb2.DinoTwistIsland) -> Island:
    codes = [EMPTY] * len(material.TERRITORIES)
    for resident in sent.residents:
        (codes[TERRITORIES.index[resident.territory]],) = _codes([resident.card])
    return Island(codes)


def _graveyard(sent: dino_twist_pb2.DinoTwistGraveyard) -> Graveyard:
    return tuple([_codes(entry.cards) for entry in sent.entries])
