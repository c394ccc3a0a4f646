"""Dino Twist's values as messages of the contract, built the plain and slow way."""

from collections.abc import Iterable
from typing import Any

from paddock.v1 import dino_twist_pb2
from paddock_games.dino_twist import Choice, State
from paddock_games.dino_twist.card import Card
from tests.wire.messages import value

Wire: Any = dino_twist_pb2


def cards(several: Iterable[Card]) -> list[Any]:
    return [
        Wire.DinoTwistCard(
            species=value(Wire.DinoTwistSpecies, "DINO_TWIST_SPECIES", card.species),
            strength=card.strength,
            claw=card.claw,
        )
        for card in several
    ]


def place(name: str | None) -> Any:
    return value(Wire.DinoTwistTerritory, "DINO_TWIST_TERRITORY", name)


def choice(given: Choice) -> Any:
    return Wire.DinoTwistChoice(
        kind=value(Wire.DinoTwistKind, "DINO_TWIST_KIND", given.kind),
        cards=cards(given.cards),
        species=value(Wire.DinoTwistSpecies, "DINO_TWIST_SPECIES", given.species),
        territory=place(given.territory),
        settle=place(given.settle),
        face_down=given.face_down,
    )


def island(given: Any) -> Any:
    message = Wire.DinoTwistIsland()
    for territory, name in given.as_dict().items():
        message.residents.add(territory=place(territory), card=cards([Card(name)])[0])
    return message


def event(given: Any) -> Any:
    return Wire.DinoTwistEvent(
        kind=value(Wire.DinoTwistEventKind, "DINO_TWIST_EVENT_KIND", given.kind),
        territory=place(given.territory),
        species=value(Wire.DinoTwistSpecies, "DINO_TWIST_SPECIES", given.species),
    )


def table(state: State) -> Any:
    """What lies open, built the plain and slow way."""
    now = state.view(0)
    message = Wire.DinoTwistTable(
        round=now.round,
        event=event(now.event),
        shown=map(event, now.events),
        phase=value(Wire.DinoTwistPhase, "DINO_TWIST_PHASE", now.phase),
        asked=state.to_move,
        twist=island(now.twist),
        islands=map(island, now.islands),
        island_bonuses=now.table.bonuses,
        discards=cards(now.discards),
        face_down=now.table.face_down,
        hand_sizes=map(len, state.hands),
        pile_size=len(state.deal.pile),
    )
    for entries in now.graveyards:
        graveyard = message.graveyards.add()
        for entry in entries:
            graveyard.entries.add(cards=cards(entry))
    for seat, play in enumerate(now.plays):
        if play is not None:
            message.plays.add(seat=seat, choice=choice(play))
    for group in now.table.waiting:
        message.waiting.add(seats=group)
    return message


def view(state: State, seat: int) -> Any:
    """What a seat knows."""
    mine = state.view(seat)
    return Wire.DinoTwistView(
        table=table(state), hand=cards(mine.hand), discarded=cards(mine.discarded)
    )
