"""A state of Draftosaurus: the open table, the hidden hands and the deal."""

from collections.abc import Mapping
from operator import add
from random import Random
from typing import Any, Final, NamedTuple

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.deal import Hidden, imagine
from paddock_games.draftosaurus.herd import NOBODY, ONE, Herd, loose
from paddock_games.draftosaurus.material import ZOO
from paddock_games.draftosaurus.scoring import Score, scores, totals_and_t_rexes
from paddock_games.draftosaurus.setting import Phase, Setting
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.view import View
from paddock_games.draftosaurus.zoo import QUARANTINE, Zoo
from paddock_games.errors import IllegalChoice
from paddock_games.game import Result

# What a named tuple's own constructor does, without the cost of binding its arguments.
_new: Final = tuple.__new__
_ALL_AT_ONCE: Final = frozenset({"PLACE", "PICK", "REMOVE"})


class State(NamedTuple):
    """A moment between two decisions, hidden parts included; an immutable value."""

    table: Table
    hands: tuple[Herd, ...]
    deal: Hidden

    @classmethod
    def first(cls, setting: Setting, deal: Hidden) -> "State":
        """The state in which everybody looks at the first hand."""
        zoos = setting.start_zoos[0]
        turn = deal.turn(setting, 0)
        table = Table(
            setting=setting,
            done=0,
            turn=turn,
            phase=setting.first_phase,
            zoos=zoos,
            picks=(),
            removed=NOBODY,
            finished=(),
        )
        return cls(table, deal.hands(0), deal)

    @classmethod
    def imagined(cls, view: View, rng: Random) -> "State":
        """A state that looks to the view's seat as the real one does."""
        return cls(view.table, *imagine(view.table, view.seat, view.hand, rng))

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats that decide now, all at once; none when the match is over."""
        table = self.table
        return table.setting.everybody if table.phase in _ALL_AT_ONCE else table.to_move

    def legal(self, seat: int) -> tuple[Choice, ...]:
        """What the seat may choose now, in a stable order; empty where it is not to move."""
        return self.table.legal(seat, self.hands[seat])

    def default(self, seat: int) -> Choice:
        """What the referee chooses for a seat that does not."""
        return self.table.default(seat, self.hands[seat])

    def view(self, seat: int) -> View:
        """What the seat knows: the open table and its own hand."""
        table, hands, _ = self
        return _new(View, (table, seat, hands[seat]))

    def step(self, choices: Mapping[int, Choice]) -> "State":
        """The state after these choices, one for each seat to move."""
        phase = self.table.phase
        try:
            if phase == "PLACE":
                return self._placed(choices)
            if phase == "PICK":
                return self._picked(choices)
            if phase == "REMOVE":
                return self._removed(choices)
            if phase == "MOVE":
                return self._moved(choices)
        except (_Refused, AttributeError, KeyError, IndexError, ValueError):
            illegal = self._illegal(choices)
            if illegal is None:
                raise  # the choices are legal, so the bug is in these rules
            raise illegal from None
        raise IllegalChoice("choices", "the match is over, nobody has anything to decide")

    def scores(self) -> tuple[tuple[Score, ...], ...]:
        """Points by pen, of every game so far and every seat."""
        return tuple(scores(zoos) for zoos in self._games())

    def result(self) -> Result:
        """Points and ranks, all games added (D24, D26): final when nobody is to move."""
        totals = t_rexes = [0] * self.table.setting.seats
        for zoos in self._games():
            points, ties = totals_and_t_rexes(zoos)
            totals = list(map(add, totals, points))
            t_rexes = list(map(add, t_rexes, ties))
        return Result(tuple(totals), tuple(t_rexes))

    def _games(self) -> tuple[tuple[Zoo, ...], ...]:
        """The zoos of every game so far, the one that is played included."""
        table = self.table
        return table.finished if table.phase == "OVER" else (*table.finished, table.zoos)

    def _placed(self, choices: Mapping[int, Choice]) -> "State":
        """The hot path of every playout: flat, and made of look-ups."""
        table, hands, deal = self
        setting, index, turn, _, zoos, picks, removed, finished = table
        if len(choices) != setting.seats:
            raise _Refused
        binds = turn.binds
        new_zoos = []
        new_hands = list(hands)
        for seat in setting.everybody:
            choice = choices[seat]
            place = choice.at
            pens = list(zoos[seat])
            pen = pens[place]
            becomes = pen.next[choice.key]
            if (
                becomes is None
                or pen.name != choice.pen
                or choice.kind != "PLACE"
                or not pen.faces & binds[seat]  # D9
            ):
                raise _Refused
            if not picks:
                new_hands[seat] = hands[seat].less[choice.which]
            elif picks[seat] != choice.which:
                raise _Refused
            pens[place] = becomes
            new_zoos.append(Zoo(pens))
        if setting.seats == 2:  # D14
            now = (setting, index, turn, "REMOVE", tuple(new_zoos), (), removed, finished)
            return _new(State, (_new(Table, now), tuple(new_hands), deal))
        return self._next_turn(tuple(new_zoos), new_hands, NOBODY)

    def _picked(self, choices: Mapping[int, Choice]) -> "State":
        """A4: the picked dinosaurs leave the hands and are revealed."""
        table, hands, deal = self
        self._require(choices)
        picks = tuple(choices[seat].which for seat in table.setting.everybody)
        left = tuple(hand.less[species] for hand, species in zip(hands, picks, strict=True))
        return State(table._replace(phase="PLACE", picks=picks), left, deal)

    def _removed(self, choices: Mapping[int, Choice]) -> "State":
        """D14, D15: a second dinosaur of each hand leaves the game, for all to see."""
        table, hands, _ = self
        setting = table.setting
        if len(choices) != setting.seats:
            raise _Refused
        counts = table.removed.counts
        left = list(hands)
        for seat in setting.everybody:
            choice = choices[seat]
            if choice.kind != "REMOVE":
                raise _Refused
            species = choice.which
            counts += ONE[species]
            left[seat] = hands[seat].less[species]
        return self._next_turn(table.zoos, left, loose(counts))

    def _moved(self, choices: Mapping[int, Choice]) -> "State":
        """D25: the quarantined dinosaurs move, or stay (A1)."""
        asked = self.to_move
        if len(choices) != len(asked):
            raise _Refused
        zoos = list(self.table.zoos)
        for seat in asked:
            choice, zoo = choices[seat], zoos[seat]
            if (
                choice.kind != "MOVE"
                or choice.which != zoo[QUARANTINE].stands[0]
                or choice.pen != zoo[choice.at].name
                or (choice.at == QUARANTINE and not self.table.setting.rules.quarantine_may_stay)
            ):
                raise _Refused
            zoos[seat] = zoo.moved(choice)
        return self._next_game(tuple(zoos))

    def _next_turn(self, zoos: tuple[Zoo, ...], hands: list[Herd], removed: Herd) -> "State":
        table, _, deal = self
        setting = table.setting
        index = table.done + 1
        if not hands[0].counts:
            if index % ZOO == 0:
                return self._end_of_game(zoos, removed)
            left = deal.hands(index // setting.turns_a_round)  # D6, D13
        else:
            hands.insert(0, hands.pop())  # D5, D7: every hand goes to the left
            left = tuple(hands)
        turn = setting.turns_of[deal.first_roller][index][deal.faces[index]]
        now = (setting, index, turn, setting.first_phase, zoos, (), removed, table.finished)
        return _new(State, (_new(Table, now), left, deal))

    def _end_of_game(self, zoos: tuple[Zoo, ...], removed: Herd) -> "State":
        if zoos[0].board == "WINTER" and any(zoo[QUARANTINE].stands for zoo in zoos):
            setting, done, turn, _, _, _, _, finished = self.table
            moving = Table(
                setting=setting,
                done=done,
                turn=turn,
                phase="MOVE",
                zoos=zoos,
                picks=(),
                removed=removed,
                finished=finished,
            )
            return State(moving, (NOBODY,) * len(zoos), self.deal)
        return self._next_game(zoos)

    def _next_game(self, zoos: tuple[Zoo, ...]) -> "State":
        table, _, deal = self
        setting = table.setting
        finished = (*table.finished, zoos)
        index = table.done + 1
        phase: Phase
        if index < setting.turns:  # D26
            turn, phase = deal.turn(setting, index), setting.first_phase
            fresh = setting.start_zoos[turn.game]
            hands = deal.hands(index // setting.turns_a_round)
            return State(
                Table(
                    setting=setting,
                    done=index,
                    turn=turn,
                    phase=phase,
                    zoos=fresh,
                    picks=(),
                    removed=NOBODY,
                    finished=finished,
                ),
                hands,
                deal,
            )
        over = Table(
            setting=setting,
            done=table.done,
            turn=table.turn,
            phase="OVER",
            zoos=zoos,
            picks=(),
            removed=NOBODY,
            finished=finished,
        )
        return State(over, (NOBODY,) * setting.seats, deal)

    def _require(self, choices: Mapping[int, Choice]) -> None:
        """Refuse what is not exactly one legal choice for every seat to move."""
        if set(choices) != set(self.to_move):
            raise _Refused
        for seat, choice in choices.items():
            if choice not in self.legal(seat):
                raise _Refused

    def _illegal(self, choices: Mapping[Any, object]) -> IllegalChoice | None:
        """What is wrong with these choices, in a sentence; None where nothing is."""
        for seat in self.to_move:
            if seat not in choices:
                return IllegalChoice(f"seat {seat}", "its choice is missing")
        for stranger in choices:  # whatever it is; `seat` is a number, also where this is compiled
            if stranger not in self.to_move:
                return IllegalChoice(f"seat {stranger}", "it has nothing to decide now")
        for seat in self.to_move:
            why = self.table.why_not(seat, self.hands[seat], choices[seat])
            if why:
                return IllegalChoice(f"seat {seat}", why)
        return None

    def __copy__(self) -> "State":
        return self

    def __deepcopy__(self, memo: object) -> "State":
        return self


class _Refused(Exception):
    """Raised inside a step as soon as something is not legal."""
