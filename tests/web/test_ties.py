"""Equal points are explained: by T-Rexes in Draftosaurus (D24), shared in Dino Twist (T14)."""

import pytest

from paddock_games.game import Result
from paddock_server.web.drawing import drawing_of
from paddock_server.web.pages.matches import SeatLine
from paddock_server.web.pages.ties import ties

NAMES = ("ada", "bob", "cyd", "dot")


def _told(
    game: str, totals: tuple[int, ...], t_rexes: tuple[int, ...], *forfeits: int
) -> list[str]:
    seats = [
        SeatLine(NAMES[seat], "1", "", total, 1, 0, 0, seat in forfeits)
        for seat, total in enumerate(totals)
    ]
    return list(ties(Result(totals, t_rexes), seats, drawing_of(game).tie_break))


@pytest.mark.parametrize(
    ("totals", "t_rexes", "sentences"),
    [
        ((31, 28, 30), (1, 1, 1), []),
        ((31, 31, 30), (3, 1, 0), [
            "ada and bob have 31 points each. Fewer T-Rexes decide: bob 1, ada 3.",
        ]),
        ((31, 31), (2, 2), [
            "ada and bob have 31 points each and as many T-Rexes (2), so they share the place.",
        ]),
        ((31, 31, 31), (3, 1, 1), [
            (
                "ada, bob and cyd have 31 points each. Fewer T-Rexes decide: "
                "bob 1, cyd 1, ada 3; as many share the place."
            ),
        ]),
        ((20, 31, 20, 31), (0, 1, 2, 0), [
            "bob and dot have 31 points each. Fewer T-Rexes decide: dot 0, bob 1.",
            "ada and cyd have 20 points each. Fewer T-Rexes decide: ada 0, cyd 2.",
        ]),
    ],
)  # fmt: skip
def test_equal_points_of_draftosaurus_go_by_t_rexes(
    totals: tuple[int, ...], t_rexes: tuple[int, ...], sentences: list[str]
) -> None:
    assert _told("draftosaurus", totals, t_rexes) == sentences


def test_equal_points_of_dino_twist_share_the_place() -> None:
    assert _told("dino_twist", (40, 12, 40), (0, 0, 0)) == [
        "ada and cyd have 40 points each and share the place."
    ]


def test_who_forfeited_ties_with_nobody() -> None:
    assert _told("draftosaurus", (31, 31), (1, 2), 1) == []
    assert _told("draftosaurus", (31, 31, 31), (1, 2, 3), 1) == [
        "ada and cyd have 31 points each. Fewer T-Rexes decide: ada 1, cyd 3."
    ]
