"""Version 1 of the rules: its options as in records, and what they mean in the newest version.

Matches of that version are replayed, and open ones played on, as they began. Three things were
different: a beaten Dino could always be discarded (B8), a waived play returned to the hand with
`fizzled_returns`, and burying compared territories unless an option said otherwise (B10).
"""

from typing import NamedTuple


class Rules1(NamedTuple):
    """The rule options of a match of version 1."""

    claw_copies: int = 1
    quiet_first_round: bool = False
    graveyard_per_card: bool = False
    equals_in_seat_order: bool = False
    attack_with_play: bool = False
    fizzled_returns: bool = False
    attack_may_be_waived: bool = False
    must_settle: bool = False
    bury_by_species: bool = False
    babies_reshuffled: bool = False
    others_draw_last: bool = False
    discard_in_turn: bool = False
    small_seats: str = ""

    @property
    def version(self) -> int:
        """The version of the rules that has these options."""
        return 1

    @property
    def claw_strengths(self) -> str:
        """B2: there was no such option."""
        return ""

    @property
    def bury_by_territory(self) -> bool:
        """B10: it was the default."""
        return not self.bury_by_species

    @property
    def island_bonus_ties(self) -> str:
        """T15: there was no choice."""
        return "share"

    @property
    def need_not_settle(self) -> bool:
        """B8: a beaten Dino could be discarded even where the own territory was empty."""
        return not self.must_settle

    @property
    def waived_returns(self) -> bool:
        """B8: a waived play counted as one that fizzles."""
        return True
