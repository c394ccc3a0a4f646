"""Dino Twist in lines of JSON: the names are those of records and positions."""

from collections.abc import Iterable, Mapping
from typing import Final

from paddock_games.dino_twist import Choice, View, card, event
from paddock_games.dino_twist.card import Card, pack
from paddock_games.dino_twist.island import NOBODY, Island
from paddock_games.dino_twist.material import TERRITORIES
from paddock_games.dino_twist.setting import Setting, setting
from paddock_games.dino_twist.table import Table
from paddock_wire import lines
from paddock_wire.codec import Json, Terms
from paddock_wire.errors import reading

_KEYS: Final = ("kind", "cards", "species", "territory", "settle", "face_down")


def view_json(view: View) -> Json:
    """What a seat knows."""
    return {
        "round": view.round,
        "event": view.event.name if view.event.kind else None,
        "events": [event.name for event in view.events],
        "phase": view.phase,
        "asked": list(view.asked),
        "twist": view.twist.as_dict(),
        "islands": [island.as_dict() for island in view.islands],
        "graveyards": [[_names(entry) for entry in entries] for entries in view.graveyards],
        "island_bonuses": list(view.island_bonuses),
        "hand": _names(view.hand),
        "hand_sizes": list(view.hand_sizes),
        "pile_size": view.pile_size,
        "discards": _names(view.discards),
        "face_down": list(view.face_down),
        "discarded": _names(view.discarded),
        "plays": [choice_json(play) if play else None for play in view.plays],
        "waiting": [list(group) for group in view.waiting],
    }


def read_view_json(written: Json, terms: Terms, seat: int) -> View:
    """What the seat knows: equal to the view that was written."""
    with reading("a view", written):
        table = _table(written, setting(*terms))
        return View(table, seat, _codes(written["hand"]), pack(_codes(written["discarded"])))


def _table(written: Json, place: Setting) -> Table:
    return Table(
        setting=place,
        round=written["round"],
        events=tuple([event.NAMED[name].code for name in written["events"]]),
        event=event.NAMED[written["event"]] if written["event"] else event.NO_EVENT,
        phase=written["phase"],
        asked=tuple(written["asked"]),
        twist=_island(written["twist"]),
        islands=tuple(map(_island, written["islands"])),
        graveyards=tuple([tuple(map(_codes, entries)) for entries in written["graveyards"]]),
        bonuses=tuple(written["island_bonuses"]),
        discards=pack(_codes(written["discards"])),
        face_down=tuple(written["face_down"]),
        hand_sizes=tuple(written["hand_sizes"]),
        plays=tuple([read_choice_json(play) if play else None for play in written["plays"]]),
        waiting=tuple(map(tuple, written["waiting"])),
    )


def _island(written: Mapping[str, str]) -> Island:
    island = NOBODY
    for territory, name in written.items():
        island = island.with_(TERRITORIES.index(territory), card.NAMED[name].code)
    return island


def _codes(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([card.NAMED[name].code for name in names])


def choice_json(choice: Choice) -> Json:
    """A choice."""
    return {key: getattr(choice, key) for key in _KEYS} | {"cards": _names(choice.cards)}


def read_choice_json(written: Json) -> Choice:
    """The choice that this stands for."""
    return lines.read_choice(Choice, written, _KEYS)


def _names(cards: Iterable[Card]) -> list[str]:
    return [card.name for card in cards]
