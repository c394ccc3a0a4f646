"""The setting of a match, fixed before the deal: format, seats, rules, islands and the box."""

from functools import cache
from typing import Final, Literal, TypeAlias

from paddock_games.dino_twist.attack import attacks
from paddock_games.dino_twist.card import ALL_BABIES, BABIES, ONE, deck, pack
from paddock_games.dino_twist.material import MAX_SEATS, MIN_SEATS
from paddock_games.dino_twist.rules import AnyRules
from paddock_games.errors import BadRules
from paddock_games.game import Format

Phase: TypeAlias = Literal["DISCARD", "PLAY", "ATTACK", "OVER"]

SMALL: Final = "dino-twist-small"
_SEATS: Final = (MIN_SEATS, MAX_SEATS)
FORMATS: Final = {
    form.name: form
    for form in (
        Format(
            name="dino-twist",
            game="dino_twist",
            title="Dino Twist",
            seats=_SEATS,
            usual_seats=4,
            draw_probability=0.039,
        ),
        Format(
            name=SMALL,
            game="dino_twist",
            title="Dino Twist, Small T-Rex islands",
            seats=_SEATS,
            usual_seats=4,
            draw_probability=0.031,
        ),
    )
}


class Setting:
    """The setting of a match, known to everybody before the deal; equal settings are identical."""

    __slots__ = (
        "attacks", "box", "by_territory", "deck", "everybody", "format", "leaves", "named", "rules",
        "seats", "small", "waivable",
    )  # fmt: skip

    def __init__(self, format_name: str, seats: int, rules: AnyRules) -> None:
        self.format = format_name
        self.seats = seats
        self.rules = rules
        self.everybody = tuple(range(seats))
        self.named = rules.attack_with_play  # B6: a play names the territory that it attacks
        self.waivable = rules.attack_may_be_waived  # B8
        self.by_territory = rules.bury_by_territory  # B10
        everywhere = format_name == SMALL
        # T17: by seat, whether its island is a Small T-Rex island.
        self.small = tuple(everywhere or str(s) in rules.small_seats for s in self.everybody)
        # T11: by seat, without and with an EARTHQUAKE: the lists of attacks.
        self.attacks = tuple(
            tuple(
                attacks(small, either, rules.must_settle, rules.need_not_settle)
                for either in (False, True)
            )
            for small in self.small
        )
        self.deck = deck(rules.claw_copies, rules.claw_strengths)
        # By code: what comes to the discard pile if the card leaves play, packed. A baby is out of
        # the game (B11), and nobody's -1 is nothing.
        lost = () if rules.babies_reshuffled else BABIES
        self.leaves = (*(0 if code in lost else one for code, one in enumerate(ONE)), 0)
        # The cards that are never lost, packed (B11).
        self.box = pack(self.deck) + (ALL_BABIES if rules.babies_reshuffled else 0)

    def __reduce__(self) -> tuple[object, tuple[str, int, AnyRules]]:
        return setting, (self.format, self.seats, self.rules)

    def __repr__(self) -> str:
        return f"setting({self.format!r}, {self.seats}, {self.rules})"


@cache
def setting(format_name: str, seats: int, rules: AnyRules) -> Setting:
    """The setting of a match; refuses unknown formats, impossible numbers of seats and rules
    that the format can't be played with."""
    form = FORMATS.get(format_name)
    if form is None:
        raise BadRules("format", f"unknown format {format_name!r}; use one of {', '.join(FORMATS)}")
    form.check_seats(seats)
    if rules.small_seats and int(rules.small_seats[-1]) >= seats:
        sentence = f"there is no seat {rules.small_seats[-1]}, only {seats} seats"
        raise BadRules("rules.small_seats", sentence)
    if rules.small_seats and format_name == SMALL and rules.version > 1:
        sentence = f"every island of {SMALL} is small; leave the option out, or play dino-twist"
        raise BadRules("rules.small_seats", sentence)
    return Setting(format_name, seats, rules)
