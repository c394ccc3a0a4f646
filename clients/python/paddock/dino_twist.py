"""Dino Twist between the wire and the rules library: messages in, the rules' own values out.

For bots: `by_kind(ask)` sorts the legal choices, `my_hand(ask)` and `my_island(ask)` are what they
say; `ask.view` has everything else.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, cast

from paddock.errors import Unreadable
from paddock.v1 import arena_pb2, dino_twist_pb2
from paddock_games import BadRules, IllegalChoice
from paddock_games.dino_twist import AnyRules, Choice, DinoTwist, Rules, Rules1, View
from paddock_games.dino_twist.card import CARDS, Card, pack
from paddock_games.dino_twist.choice import KINDS, Kind
from paddock_games.dino_twist.event import EVENTS, NO_EVENT, Event
from paddock_games.dino_twist.island import EMPTY, Island
from paddock_games.dino_twist.material import EVENT_KINDS, SPECIES, TERRITORIES
from paddock_games.dino_twist.scoring import Graveyard, Score
from paddock_games.dino_twist.setting import Phase, Setting, setting
from paddock_games.dino_twist.table import Table

if TYPE_CHECKING:
    from paddock.ask import Ask

_CARDS: Final = {
    (SPECIES.index(card.species) + 1, card.strength, card.claw): card for card in CARDS
}
_EVENTS: Final = {
    (
        EVENT_KINDS.index(event.kind) + 1 if event.kind else 0,
        TERRITORIES.index(event.territory) + 1 if event.territory else 0,
        SPECIES.index(event.species) + 1 if event.species else 0,
    ): event
    for event in (*EVENTS, NO_EVENT)
}
_PHASES: Final[dict[int, Phase]] = {
    dino_twist_pb2.DINO_TWIST_PHASE_DISCARD: "DISCARD",
    dino_twist_pb2.DINO_TWIST_PHASE_PLAY: "PLAY",
    dino_twist_pb2.DINO_TWIST_PHASE_ATTACK: "ATTACK",
    dino_twist_pb2.DINO_TWIST_PHASE_OVER: "OVER",
}


def my_hand(ask: "Ask") -> tuple[Card, ...]:
    """The cards in this seat's hand."""
    return _view(ask).hand


def my_island(ask: "Ask") -> Island:
    """This seat's own island."""
    return _view(ask).island


def by_kind(ask: "Ask") -> Mapping[Kind, tuple[Choice, ...]]:
    """The legal choices, sorted by what they are: PLAY, BURY, ATTACK or DISCARD."""
    found: dict[Kind, tuple[Choice, ...]] = {}
    for choice in cast(tuple[Choice, ...], ask.legal):
        found[choice.kind] = (*found.get(choice.kind, ()), choice)
    return found


def _view(ask: "Ask") -> View:
    return cast(View, ask.view)


def rules(message: arena_pb2.MatchStarted) -> AnyRules:
    """The rule options of a match that begins, of the version that it is played by."""
    said = message.dino_twist
    if said.version > DinoTwist.rules_version:
        raise Unreadable(f"version {said.version} of the rules of Dino Twist; update paddock")
    kind = Rules if said.version > 1 else Rules1
    options = {field.name: value for field, value in said.ListFields()}  # the others are absent
    return kind(**{name: options[name] for name in kind._fields if name in options})


def choice(message: arena_pb2.GameChoice) -> Choice:
    """The rules' choice that a message stands for."""
    return _choice(message.dino_twist)


def choice_message(chosen: Choice) -> arena_pb2.GameChoice:
    """The message for a choice."""
    said = dino_twist_pb2.DinoTwistChoice(
        kind=dino_twist_pb2.DinoTwistKind.Value(f"DINO_TWIST_KIND_{chosen.kind}"),
        cards=[
            dino_twist_pb2.DinoTwistCard(
                species=dino_twist_pb2.DinoTwistSpecies.Value(f"DINO_TWIST_SPECIES_{card.species}"),
                strength=card.strength,
                claw=card.claw,
            )
            for card in chosen.cards
        ],
        species=dino_twist_pb2.DinoTwistSpecies.Value(
            f"DINO_TWIST_SPECIES_{chosen.species or 'UNSPECIFIED'}"
        ),
        territory=_territory(chosen.territory),
        settle=_territory(chosen.settle),
        face_down=chosen.face_down,
    )
    return arena_pb2.GameChoice(dino_twist=said)


def _territory(name: str | None) -> dino_twist_pb2.DinoTwistTerritory.ValueType:
    word = f"DINO_TWIST_TERRITORY_{name or 'UNSPECIFIED'}"
    return dino_twist_pb2.DinoTwistTerritory.Value(word)


def view(
    message: arena_pb2.GameView, seat: int, format_name: str, seats: int, options: AnyRules
) -> View:
    """What the seat knows, as the rules library has it: equal to the view on the server."""
    said = message.dino_twist
    try:
        place = setting(format_name, seats, options)
        table = _table(said.table, place)
        return View(table, seat, _codes(said.hand), pack(_codes(said.discarded)))
    except BadRules as problem:
        raise Unreadable(str(problem)) from None
    except (KeyError, IndexError) as unknown:
        raise Unreadable(f"a view with an unknown {unknown}: {_shown(said)}") from None


def scores(message: arena_pb2.MatchEnded) -> tuple[tuple[Score, ...], ...]:
    """The points by part, of the one game of a match and by seat."""
    said = message.dino_twist.scores
    return (tuple(Score(one.total, dict(one.parts), one.claws) for one in said),)


def _table(said: dino_twist_pb2.DinoTwistTable, place: Setting) -> Table:
    plays: list[Choice | None] = [None] * place.seats if said.plays else []
    for one in said.plays:
        plays[one.seat] = _choice(one.choice)
    return Table(
        place,
        said.round,
        tuple(_event(shown).code for shown in said.shown),
        _event(said.event),
        _PHASES[said.phase],
        tuple(said.asked),
        _island(said.twist),
        tuple(map(_island, said.islands)),
        tuple(map(_graveyard, said.graveyards)),
        tuple(said.island_bonuses),
        pack(_codes(said.discards)),
        tuple(said.face_down),
        tuple(said.hand_sizes),
        tuple(plays),
        tuple(tuple(group.seats) for group in said.waiting),
    )


def _event(said: dino_twist_pb2.DinoTwistEvent) -> Event:
    return _EVENTS[said.kind, said.territory, said.species]


def _choice(said: dino_twist_pb2.DinoTwistChoice) -> Choice:
    try:
        return Choice(
            _name(KINDS, said.kind) or "",
            [CARDS[code] for code in _codes(said.cards)],
            _name(SPECIES, said.species),
            _name(TERRITORIES, said.territory),
            _name(TERRITORIES, said.settle),
            said.face_down,
        )
    except (IllegalChoice, KeyError, IndexError):
        raise Unreadable(f"there is no choice {_shown(said)}") from None


def _codes(said: Iterable[dino_twist_pb2.DinoTwistCard]) -> tuple[int, ...]:
    return tuple([_CARDS[card.species, card.strength, card.claw].code for card in said])


def _island(said: dino_twist_pb2.DinoTwistIsland) -> Island:
    places = [EMPTY] * len(TERRITORIES)
    for resident in said.residents:
        (places[resident.territory - 1],) = _codes([resident.card])
    return Island(places)


def _graveyard(said: dino_twist_pb2.DinoTwistGraveyard) -> Graveyard:
    return tuple(_codes(entry.cards) for entry in said.entries)


def _name(names: Sequence[str], number: int) -> str | None:
    """What a value of an enum stands for: the enums have the rules' names, in order, from 1."""
    if not 0 <= number <= len(names):
        raise IndexError(number)
    return names[number - 1] if number else None


def _shown(message: object) -> str:
    return " ".join(str(message).split())[:200]
