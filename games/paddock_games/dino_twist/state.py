"""A state of Dino Twist: the open table, the hidden hands and the deal."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.choices import Choices
from paddock_games.dino_twist.deal import Hands, Hidden, imagine
from paddock_games.dino_twist.event import NO_EVENT
from paddock_games.dino_twist.island import NOBODY, TWIST_ISLAND
from paddock_games.dino_twist.resolution import Refused, Resolution
from paddock_games.dino_twist.scoring import Score
from paddock_games.dino_twist.setting import Setting
from paddock_games.dino_twist.table import Table
from paddock_games.dino_twist.view import View
from paddock_games.errors import IllegalChoice
from paddock_games.game import Result

# What a named tuple's own constructor does, without the cost of binding its arguments.
_new: Final = tuple.__new__


class State(Resolution):
    """A moment between two decisions, hidden parts included; an immutable value."""

    __slots__ = ()

    @classmethod
    def of(cls, table: Table, hands: Hands, deal: Hidden) -> "State":
        """The state that is made of these."""
        state = cls(None)
        state._put(table, hands, deal)
        return state

    @classmethod
    def first(cls, setting: Setting, hands: Hands, deal: Hidden) -> "State":
        """The state of the first decision."""
        seats = setting.seats
        nothing = (0,) * seats
        table = Table(
            setting=setting,
            round=0,
            events=(),
            event=NO_EVENT,
            phase="OVER",
            asked=(),
            twist=TWIST_ISLAND,
            islands=(NOBODY,) * seats,
            graveyards=((),) * seats,
            bonuses=nothing,
            discards=0,
            face_down=nothing,
            hand_sizes=tuple(map(len, hands)),
            plays=(),
            waiting=(),
        )
        state = cls.of(table, hands, deal)
        state._begin_round(0)
        return state

    @classmethod
    def imagined(cls, view: View, rng: Random) -> "State":
        """A state that looks to the view's seat as the real one does."""
        hands, deal = imagine(view.table, view.seat, view.held, view.laid_down, rng)
        return cls.of(view.table, hands, deal)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that decide now, all at once; none when the match is over."""
        return self._asked

    def legal(self, seat: int) -> Sequence[Choice]:
        """What the seat may choose now, in a stable order; empty where it is not to move."""
        if self._phase == "ATTACK":
            return self._attacks.get(seat, ())
        allowed = self._allowed[seat]
        if not allowed:
            return ()
        if self._setting.named:  # B6
            return self.table.legal(seat, tuple(self._hands[seat]))
        return Choices(self._hands[seat], allowed)

    def default(self, seat: int) -> Choice:
        """What the referee chooses for a seat that does not."""
        return self.legal(seat)[0]

    def view(self, seat: int) -> View:
        """What the seat knows: the open table and its own cards."""
        return _new(View, (self.table, seat, tuple(self._hands[seat]), self._laid_down[seat]))

    def step(self, choices: Mapping[int, Choice]) -> "State":
        """The state after these choices, one for each seat to move."""
        after = State(self)
        try:
            after._carry_out(choices)
        except (Refused, AttributeError, KeyError, TypeError, ValueError):
            illegal = self._illegal(choices)
            if illegal is None:
                raise  # the choices are legal, so the bug is in these rules
            raise illegal from None
        return after

    def scores(self) -> tuple[tuple[Score, ...], ...]:
        """Points by part, of the one game of a match and every seat."""
        return (self.table.scores(),)

    def result(self) -> Result:
        """Points and ranks as the table stands (T14): final when nobody is to move."""
        totals = tuple([score.total for score in self.table.scores()])
        return Result(totals, (0,) * len(totals))

    def _illegal(self, choices: Mapping[Any, object]) -> IllegalChoice | None:
        """What is wrong with these choices, in a sentence."""
        if not self.to_move:
            return IllegalChoice("choices", "the match is over, nobody has anything to decide")
        for seat in self.to_move:
            if seat not in choices:
                return IllegalChoice(f"seat {seat}", "its choice is missing")
        for stranger in choices:  # whatever it is; `seat` is a number, also where this is compiled
            if stranger not in self.to_move:
                return IllegalChoice(f"seat {stranger}", "it has nothing to decide now")
        for seat in self.to_move:
            why = self.table.why_not(seat, tuple(self._hands[seat]), choices[seat])
            if why:
                return IllegalChoice(f"seat {seat}", why)
        return None

    def __reduce__(self) -> tuple[Any, tuple[Table, Hands, Hidden]]:
        return State.of, (self.table, self.hands, self.deal)
