"""Dino Twist's values as messages of the contract, built the plain and slow way."""

from collections.abc import Iterable
from typing import Any

from paddock.v1 import dino_twist_pb2
from paddock_games.dino_twist import AnyRules, Choice, State
from paddock_games.dino_twist.card import Card
from tests.wire.enums import value

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


def choice(chosen: Choice) -> Any:
    return Wire.DinoTwistChoice(
        kind=value(Wire.DinoTwistKind, "DINO_TWIST_KIND", chosen.kind),
        cards=cards(chosen.cards),
        species=value(Wire.DinoTwistSpecies, "DINO_TWIST_SPECIES", chosen.species),
        territory=place(chosen.territory),
        settle=place(chosen.settle),
        face_down=chosen.face_down,
    )


def island(settled: Any) -> Any:
    message = Wire.DinoTwistIsland()
    for territory, name in settled.as_dict().items():
        message.residents.add(territory=place(territory), card=cards([Card(name)])[0])
    return message


def event(card: Any) -> Any:
    return Wire.DinoTwistEvent(
        kind=value(Wire.DinoTwistEventKind, "DINO_TWIST_EVENT_KIND", card.kind),
        territory=place(card.territory),
        species=value(Wire.DinoTwistSpecies, "DINO_TWIST_SPECIES", card.species),
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


def rules(options: AnyRules) -> Any:
    message = Wire.DinoTwistRules(version=options.version)
    for name in options._fields:
        setattr(message, name, getattr(options, name))
    return message


def scores(end: State) -> Any:
    """The points by part and by seat."""
    message = Wire.DinoTwistScores()
    ((*seats,),) = end.scores()
    for score in seats:
        added = message.scores.add(total=score.total, claws=score.claws)
        for part, points in score.parts.items():
            added.parts[part] = points
    return message
