"""The `games` of a match record: what chance dealt, what was chosen, and the points."""

from collections.abc import Sequence
from typing import Any

from paddock_games.dino_twist.card import NAMES, names
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.event import EVENT_NAMES
from paddock_games.dino_twist.material import EVENTS_SHOWN, SPECIES, TERRITORIES
from paddock_games.dino_twist.state import State
from paddock_games.errors import IllegalChoice
from paddock_games.field import Field
from paddock_games.game import Step, Timing

_NO_TIMING = Timing()
_KEYS = {"PLAY": "plays", "ATTACK": "attacks", "DISCARD": "discards"}  # by phase


def dealt(state: State) -> list[dict[str, Any]]:
    """What chance decided before the first decision: the events, the hands and the draw pile."""
    table, hands, deal = state.table, state.hands, state.deal
    game = {
        "events": [EVENT_NAMES[code] for code in (*table.events, *deal.events)],
        "hands": [names(hand) for hand in hands],
        "pile": names(deal.pile),
    }
    return [game]


def games(steps: Sequence[Step], end: State) -> list[dict[str, Any]]:
    """All that happened in a match: one game, round by round."""
    (deal,) = dealt(steps[0].state)
    seats = end.table.setting.seats
    rounds: list[dict[str, Any]] = [
        {"event": None, **{key: [None] * seats for key in _KEYS.values()}}
        for _ in range(end.table.round + 1)
    ]
    for step in steps:
        table = step.state.table
        now = rounds[table.round]
        now["event"] = table.event.name if table.event.kind else None
        for seat, choice in step.choices.items():
            timing = step.timings.get(seat, _NO_TIMING)
            now[_KEYS[table.phase]][seat] = {**_written(choice), **timing.written()}
    scores = [score._asdict() for score in end.table.scores()]
    shuffled = [names(pile) for pile in end.deal.shuffled]
    return [{**deal, "rounds": rounds, "shuffled": shuffled, "scores": scores}]


def _written(choice: Choice) -> dict[str, Any]:
    if choice.kind == "ATTACK":
        return {"territory": choice.territory, "settle": choice.settle}
    cards = {"cards": [card.name for card in choice.cards]}
    if choice.kind == "DISCARD":
        return cards
    return {
        "kind": choice.kind, **cards, "species": choice.species, "territory": choice.territory
    }  # fmt: skip


def place(state: State) -> str:
    """Where in `games` the next step of this state is written."""
    return f"games[0].rounds[{state.table.round}].{_KEYS[state.table.phase]}"


def recorded(games: Field, state: State) -> Step:
    """What the seats to move chose at this state, and how long it took them."""
    table = state.table
    seats = table.setting.seats
    rounds = games.items(1, 1)[0].key("rounds").items(table.round + 1, EVENTS_SHOWN)
    by_seat = rounds[table.round].key(_KEYS[table.phase]).items(seats, seats)
    choices = {seat: _read(by_seat[seat], table.phase) for seat in table.asked}
    return Step(state, choices, {seat: Timing.read(by_seat[seat]) for seat in table.asked})


def _read(field: Field, phase: str) -> Choice:
    if phase == "ATTACK":
        where = [_named(field.key(key), TERRITORIES) for key in ("territory", "settle")]
        return _choice(field, phase, [], None, *where)
    cards = [card.text(NAMES) for card in field.key("cards").items(0, 3)]
    if phase == "DISCARD":
        return _choice(field, phase, cards)
    kind = field.key("kind").text(("PLAY", "BURY"))
    species = _named(field.key("species"), SPECIES)
    if kind == "PLAY" and species is None:
        field.key("species").refuse("a play names the species that it attacks")
    return _choice(field, kind, cards, species, _named(field.key("territory"), TERRITORIES))


def _named(field: Field, among: tuple[str, ...]) -> str | None:
    return None if field.value is None else field.text(among)


def _choice(
    field: Field,
    kind: str,
    cards: list[str],
    species: str | None = None,
    territory: str | None = None,
    settle: str | None = None,
) -> Choice:
    try:
        return Choice(kind, cards, species, territory, settle)
    except IllegalChoice as problem:
        field.refuse(problem.sentence)
