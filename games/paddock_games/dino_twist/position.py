"""Typed positions: islands and graveyards to be scored, or a seat that is to act."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from paddock_games.dino_twist.card import BABIES, CARDS, NAMED, NAMES, WHICH
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.event import EVENT_NAMES, NO_EVENT, Event
from paddock_games.dino_twist.island import EMPTY, NOBODY, Island
from paddock_games.dino_twist.material import (
    BABIES_OF_EACH,
    HAND,
    HOME,
    ISLAND_BONUSES,
    MAX_SEATS,
    MIN_SEATS,
    SPECIES,
    TERRITORIES,
)
from paddock_games.dino_twist.rules import Rules, read_rules
from paddock_games.dino_twist.scoring import Graveyard, scores
from paddock_games.dino_twist.setting import FORMATS, Phase, Setting, setting
from paddock_games.dino_twist.table import Table
from paddock_games.errors import BadPosition, BadRules, IllegalChoice
from paddock_games.field import Field
from paddock_games.game import Result

_NOTES = ("game", "format", "rules", "id", "note", "expect")
_PHASES: tuple[Phase, ...] = ("PLAY", "ATTACK", "DISCARD")


def score_position(document: object) -> dict[str, Any]:
    """`{"scores", "ranks"}` of the position
    `{"islands", "graveyards"?, "island_bonuses"?, "format"?, "rules"?}`, if it is possible."""
    position = Field(document, "", BadPosition)
    position.only_keys("islands", "graveyards", "island_bonuses", *_NOTES)
    fields = position.key("islands").items(MIN_SEATS, MAX_SEATS)
    seats = len(fields)
    place = _setting(position, seats)
    islands = [_island(field, place.small[seat]) for seat, field in enumerate(fields)]
    graveyards = _graveyards(position.optional("graveyards"), seats)
    bonuses = _bonuses(position.optional("island_bonuses"), islands)
    buried = [code for graveyard in graveyards for entry in graveyard for code in entry]
    _check_box("islands and graveyards", [*(c for i in islands for c in i), *buried], place)
    by_seat = scores(islands, graveyards, bonuses, place.rules)
    result = Result(tuple(score.total for score in by_seat), (0,) * seats)
    return {"scores": [score._asdict() for score in by_seat], "ranks": list(result.ranks())}


def legal_position(document: object) -> list[dict[str, Any]]:
    """Every `{"kind", "cards", "species", "territory", "settle"}` that is allowed in the position
    `{"twist", "island", "hand", "event"?, "phase"?, "play"?, "format"?, "rules"?}`."""
    position = Field(document, "", BadPosition)
    position.only_keys("twist", "island", "hand", "event", "phase", "play", *_NOTES)
    place = _setting(position, MIN_SEATS)
    island = _island(position.key("island"), place.small[0])
    twist = _island(position.key("twist"), small=False)
    if not twist.is_full:
        position.key("twist").refuse("a Dino lives on every territory of Twist Island (T3)")
    held = tuple(sorted(_cards(position.key("hand"), 0, HAND)))
    field = position.optional("phase")
    phase = next(p for p in _PHASES if p == field.text(_PHASES)) if field else "PLAY"
    play = _play(position.key("play")) if phase == "ATTACK" else None
    _check_box("cards", [*island, *twist, *held, *(play.codes if play else ())], place)
    table = _table(
        place, position.optional("event"), phase=phase, twist=twist, island=island, play=play
    )
    if play is not None and not place.rules.attack_with_play and play.at >= 0:
        position.key("play").refuse(
            "must not name a territory: it is named when the play acts (B6)"
        )
    return [_shown(choice) for choice in table.legal(0, held)]


def _table(
    place: Setting,
    event: Field | None,
    phase: Phase,
    twist: Island,
    island: Island,
    play: Choice | None,
) -> Table:
    shown = NO_EVENT if event is None or event.value is None else Event(event.text(EVENT_NAMES))
    return Table(
        setting=place,
        round=0,
        events=(),
        event=shown,
        phase=phase,
        asked=(0,),
        twist=twist,
        islands=(island, NOBODY),
        graveyards=((), ()),
        bonuses=(0, 0),
        discards=0,
        face_down=(0, 0),
        hand_sizes=(0, 0),
        plays=(play, None),
        waiting=((0,),),
    )


def _shown(choice: Choice) -> dict[str, Any]:
    return {
        "kind": choice.kind,
        "cards": [card.name for card in choice.cards],
        "species": choice.species,
        "territory": choice.territory,
        "settle": choice.settle,
    }


def _setting(position: Field, seats: int) -> Setting:
    named = position.optional("format")
    format_name = named.text(tuple(FORMATS)) if named else "dino-twist"
    options = position.optional("rules")
    try:
        rules: Rules = read_rules(options.value if options else None)
        return setting(format_name, seats, rules)
    except BadRules as problem:
        raise BadPosition(problem.where, problem.sentence) from None


def _cards(field: Field, least: int, most: int | None) -> list[int]:
    return [NAMED[card.text(NAMES)].code for card in field.items(least, most)]


def _island(field: Field, small: bool) -> Island:
    field.only_keys(*TERRITORIES)
    places = []
    for place, territory in enumerate(TERRITORIES):
        entry = field.optional(territory)
        code = NAMED[entry.text(NAMES)].code if entry else EMPTY
        if entry and not small and WHICH[code] != HOME[place]:
            entry.refuse(f"{CARDS[code]} can't live here: {territory} is for {_home(place)} (T2)")
        places.append(code)
    return Island(places)


def _home(place: int) -> str:
    return SPECIES[HOME[place]]


def _graveyards(field: Field | None, seats: int) -> list[Graveyard]:
    if field is None:
        return [()] * seats
    return [
        tuple(tuple(_cards(entry, 1, 3)) for entry in graveyard.items())
        for graveyard in field.items(seats, seats)
    ]


def _bonuses(field: Field | None, islands: list[Island]) -> list[int]:
    if field is None:
        return [0] * len(islands)
    bonuses = [bonus.whole(0, max(ISLAND_BONUSES)) for bonus in field.items(*[len(islands)] * 2)]
    for seat, (bonus, island) in enumerate(zip(bonuses, islands, strict=True)):
        if bonus and (bonus not in ISLAND_BONUSES or not island.is_full):
            raise BadPosition(
                f"island_bonuses[{seat}]", "must be 10, 5 or 3 for a full island, else 0 (T15)"
            )
    return bonuses


def _play(field: Field) -> Choice:
    field.only_keys("cards", "species", "territory")
    cards = [card.text(NAMES) for card in field.key("cards").items(1, 3)]
    words = [field.optional(key) for key in ("species", "territory")]
    species, territory = [word.text() if word and word.value else None for word in words]
    try:
        return Choice("PLAY", cards, species, territory)
    except IllegalChoice as problem:
        field.refuse(problem.sentence)


def _check_box(where: str, codes: Iterable[int], place: Setting) -> None:
    """Refuse more of a card than there are."""
    there = Counter(place.deck) + Counter(dict.fromkeys(BABIES, BABIES_OF_EACH))
    for code, count in Counter(codes).items():
        if code >= 0 and count > there[code]:
            raise BadPosition(where, f"{count} of {CARDS[code]}, but the box has {there[code]}")
