"""The setting of a match, fixed before the deal: format, seats, rules, islands and the box."""

from collections.abc import Sequence
from functools import cache
from typing import Final, Literal, TypeAlias

from paddock_games.dino_twist.attack import BOTH, all_attacks, reach
from paddock_games.dino_twist.card import ALL_BABIES, BABIES, ONE, deck, pack
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.event import Event
from paddock_games.dino_twist.island import EMPTY
from paddock_games.dino_twist.material import MAX_SEATS, MIN_SEATS, PAIRS
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
        "_attacks", "box", "by_territory", "deck", "everybody", "format", "leaves", "named",
        "one_by_one", "others_draw_last", "rules", "seats", "small", "ties", "waivable",
    )  # fmt: skip

    def __init__(self, format_name: str, seats: int, rules: AnyRules) -> None:
        self.format = format_name
        self.seats = seats
        self.rules = rules
        self.everybody = tuple(range(seats))
        # Options that every step looks at.
        self.one_by_one = rules.equals_in_seat_order  # B5
        self.others_draw_last = rules.others_draw_last  # B12
        self.ties = rules.island_bonus_ties  # T15
        self.named = rules.attack_with_play  # B6: a play names the territory that it attacks
        self.waivable = rules.attack_may_be_waived  # B8
        self.by_territory = rules.bury_by_territory  # B10
        everywhere = format_name == SMALL
        # T17: by seat, whether its island is a Small T-Rex island.
        self.small = tuple(everywhere or str(s) in rules.small_seats for s in self.everybody)
        # T11: by seat, without and with an EARTHQUAKE: the lists of attacks.
        options = (rules.must_settle, rules.need_not_settle, self.waivable)
        self._attacks = tuple(
            tuple(all_attacks(small, either, *options) for either in (False, True))
            for small in self.small
        )
        self.deck = deck(rules.claw_copies, rules.claw_strengths)
        # By code: what comes to the discard pile if the card leaves play, packed. A baby is out of
        # the game (B11), and nobody's -1 is nothing.
        lost = () if rules.babies_reshuffled else BABIES
        self.leaves = (*(0 if code in lost else one for code, one in enumerate(ONE)), 0)
        # The cards that are never lost, packed (B11).
        self.box = pack(self.deck) + (ALL_BABIES if rules.babies_reshuffled else 0)

    def attacks(
        self, seat: int, play: Choice, event: Event, twist: Sequence[int], island: Sequence[int]
    ) -> tuple[Choice, ...]:
        """T10, T11: the seat's attacks with this play, each with where the beaten Dino settles; it
        is discarded only where no territory that it may settle on is empty. Waiving is the last of
        them, if it is allowed and there are any (B8)."""
        reached = reach(play, event, twist, self.named)
        if not reached:
            return ()
        which = play.which
        if self.small[seat]:  # T17: any gap will do
            empty = BOTH if EMPTY in island else 0
        else:
            first, second = PAIRS[which]
            empty = (island[first] < 0) | (island[second] < 0) << 1
        return self._attacks[seat][event.quakes][which][reached << 2 | empty]

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
