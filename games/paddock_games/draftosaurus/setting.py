"""The setting of a match, fixed before the deal: format, seats, rules, and who rolls when."""

from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from paddock_games.draftosaurus.material import FACES, HAND, ZOO, BoardName
from paddock_games.draftosaurus.pen import UNBOUND
from paddock_games.draftosaurus.rules import Rules
from paddock_games.draftosaurus.zoo import Zoo, empty_zoo
from paddock_games.errors import BadRules
from paddock_games.game import Format

Phase: TypeAlias = Literal["PICK", "PLACE", "REMOVE", "MOVE", "OVER"]


def _format(name: str, title: str, seats: tuple[int, int], usual: int, draws: float) -> Format:
    return Format(
        name=name,
        game="draftosaurus",
        title=title,
        seats=seats,
        usual_seats=usual,
        draw_probability=draws,
    )


FORMATS: Final = {
    form.name: form
    for form in (
        _format("summer", "Draftosaurus, summer board", (3, 5), 4, 0.020),
        _format("winter", "Draftosaurus, winter board", (3, 5), 4, 0.021),
        _format("two-player", "Draftosaurus for two, summer board", (2, 2), 2, 0.023),
        _format("two-player-winter", "Draftosaurus for two, winter board", (2, 2), 2, 0.016),
        _format("series", "Draftosaurus, summer then winter", (3, 5), 4, 0.007),
        _format("two-player-series", "Draftosaurus for two, summer then winter", (2, 2), 2, 0.010),
    )
}
BOARDS_OF: Final[dict[str, tuple[BoardName, ...]]] = {
    "summer": ("SUMMER",),
    "winter": ("WINTER",),
    "two-player": ("SUMMER",),
    "two-player-winter": ("WINTER",),
    "series": ("SUMMER", "WINTER"),
    "two-player-series": ("SUMMER", "WINTER"),
}


class Turn(NamedTuple):
    """A turn of a match: where it stands, and whom its die binds."""

    game: int
    round: int
    number: int  # within its round
    roller: int
    face: int
    binds: tuple[int, ...]  # by seat: the bit that a pen's faces must have


class Setting:
    """The setting of a match, known to everybody before the deal; equal settings are identical."""

    __slots__ = (
        "boards",
        "everybody",
        "first_phase",
        "format",
        "rounds",
        "rules",
        "seats",
        "start_zoos",
        "turns",
        "turns_a_round",
        "turns_of",
    )

    def __init__(self, format_name: str, seats: int, rules: Rules) -> None:
        self.format = format_name
        self.seats = seats
        self.rules = rules
        self.boards = BOARDS_OF[format_name]
        self.everybody = tuple(range(seats))
        self.rounds, self.turns_a_round = (4, 3) if seats == 2 else (2, HAND)  # D13, D6
        self.turns = ZOO * len(self.boards)
        self.first_phase: Phase = "PICK" if rules.place_after_reveal else "PLACE"  # A4
        self.start_zoos: tuple[tuple[Zoo, ...], ...] = tuple(
            (empty_zoo(board, rules),) * seats for board in self.boards
        )
        self.turns_of = tuple(
            tuple(
                tuple(self._turn(first, index, face) for face in range(len(FACES)))
                for index in range(self.turns)
            )
            for first in self.everybody
        )

    def turn(self, first_roller: int, index: int, face: int) -> Turn:
        """The turn of this index in the match, if this seat rolled first and this face is up."""
        return self.turns_of[first_roller][index][face]

    def turn_held_by(self, roller: int, index: int, face: int) -> Turn:
        """The turn of this index in the match, if this seat holds the die and this face is up."""
        # The die has passed from hand to hand since the first roller held it: had that been seat 0,
        # this is who would hold it now.
        passed = self.turn(0, index, face).roller
        return self.turn((roller - passed) % self.seats, index, face)

    def _turn(self, first_roller: int, index: int, face: int) -> Turn:
        game, in_game = divmod(index, ZOO)
        round_, number = divmod(in_game, self.turns_a_round)
        passes = index  # D7, D11, D13, D26: the die moves on after every turn, whatever ends there
        held = False
        if self.rules.five_player_die_hold and self.seats == 5:
            # A2: it is not passed after turn 5 of a round, and then its turn 6 binds everybody.
            passes = index - index // HAND - (number == HAND - 1)
            held = number == HAND - 1
        roller = (first_roller + passes) % self.seats
        binds = tuple(
            UNBOUND if seat == roller and not held else 1 << face for seat in self.everybody
        )
        return Turn(game=game, round=round_, number=number, roller=roller, face=face, binds=binds)

    def __reduce__(self) -> tuple[object, tuple[str, int, Rules]]:
        return setting, (self.format, self.seats, self.rules)

    def __repr__(self) -> str:
        return f"setting({self.format!r}, {self.seats}, {self.rules})"


@cache
def setting(format_name: str, seats: int, rules: Rules) -> Setting:
    """The setting of a match; refuses unknown formats and impossible numbers of seats."""
    form = FORMATS.get(format_name)
    if form is None:
        raise BadRules("format", f"unknown format {format_name!r}; use one of {', '.join(FORMATS)}")
    form.check_seats(seats)
    return Setting(format_name, seats, rules)
