"""Pictures for the rules of Dino Twist: an attack, and an island at the end of a game.

The rules themselves count the points of the island.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

from markupsafe import Markup

from paddock_games.dino_twist.material import TERRITORIES
from paddock_games.dino_twist.position import score_position
from paddock_server.web.drawing.frame import Frame, Holding, Place

_GRAVEYARD: Final = ("K4 + K6", "A3")
_TWIST: Final = {
    "MOUNTAINS": "VOLI-6", "CLIFF": "VOLI-9", "JUNGLE": "KARNI-1", "DESERT": "KARNI-7",
    "RIVERSIDE": "HERBI-4", "HILL": "HERBI-1", "BEACH": "AQUA-1", "SEA": "AQUA-8-CLAW",
}  # fmt: skip
_HOME: Final = {"JUNGLE": "KARNI-4", "BEACH": "AQUA-3"}
_FULL: Final = {
    "MOUNTAINS": "VOLI-10-CLAW", "CLIFF": "VOLI-7", "JUNGLE": "KARNI-5", "DESERT": "KARNI-4",
    "RIVERSIDE": "HERBI-3", "HILL": "HERBI-2", "BEACH": "AQUA-1", "SEA": "AQUA-1",
}  # fmt: skip


@cache
def full() -> Frame:
    """An island at the end of a game, with its points."""
    position = {
        "islands": [_FULL, {"SEA": "AQUA-8-CLAW"}],
        "graveyards": [[["KARNI-4", "KARNI-6"], ["AQUA-3"]], []],
        "island_bonuses": [10, 0],
    }
    score = score_position(position)["scores"][0]
    return _frame(_FULL, _GRAVEYARD, score["parts"], score["total"])


def sights(
    picture: Callable[[Frame, int, str], Markup], twist: Callable[[Frame], Markup]
) -> Mapping[str, Markup]:
    """Twist Island before and after an attack, what comes home, and a full island."""
    before = _frame(_HOME, ())._replace(shared=_places(_TWIST))
    after = _frame({**_HOME, "MOUNTAINS": "VOLI-6"}, (), came="MOUNTAINS")
    left = _places({**_TWIST, "MOUNTAINS": "VOLI-2"}, "MOUNTAINS")
    return {
        "before": twist(before),
        "after": twist(after._replace(shared=left)),
        "home": picture(after, 0, "The attacker"),
        "full": picture(full(), 0, "The example"),
    }


def _frame(
    island: Mapping[str, str],
    graves: Sequence[str],
    parts: Mapping[str, int] | None = None,
    total: int = 0,
    came: str = "",
) -> Frame:
    places = (*_places(island, came), Place("GRAVEYARD", tuple(graves), ()))
    holding = Holding(places, (), parts or {}, total, 0)
    return Frame(
        turn=0,
        turns=0,
        scene="TWIST_ISLAND",
        title="",
        note="",
        die="NO_EVENT",
        seats=(holding,),
        decisions=(),
    )


def _places(island: Mapping[str, str], came: str = "") -> tuple[Place, ...]:
    return tuple(
        Place(
            territory,
            (island[territory],) if territory in island else (),
            (0,) if territory == came else (),
        )
        for territory in TERRITORIES
    )
