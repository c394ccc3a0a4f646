"""The resolution of a step: reveal, cancel, act in order of strength, draw, and the next round.

The state before is taken apart into lists, changed, and put together as the state after; nobody
sees anything in between.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from paddock_games.dino_twist import hand
from paddock_games.dino_twist.attack import reach
from paddock_games.dino_twist.card import unpack
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.deal import Hands, Hidden
from paddock_games.dino_twist.event import EVENTS, NO_EVENT, Event
from paddock_games.dino_twist.island import tornado
from paddock_games.dino_twist.material import HAND
from paddock_games.dino_twist.scoring import island_bonuses
from paddock_games.dino_twist.setting import Phase
from paddock_games.dino_twist.table import Table

# What a named tuple's own constructor does, without the cost of binding its arguments.
_new: Final = tuple.__new__


class Resolution:
    """The resolution of one step: a state whose parts can change."""

    __slots__ = (
        "asked", "bonuses", "coming", "cursor", "discards", "event", "events", "face_down",
        "graveyards", "hands", "islands", "laid_down", "phase", "pile", "plays", "round",
        "setting", "shuffled", "twist", "waiting",
    )  # fmt: skip

    def __init__(self, table: Table, hands: Hands, deal: Hidden) -> None:
        (
            self.setting, self.round, self.events, self.event, self.phase, self.asked, self.twist,
            islands, graveyards, self.bonuses, self.discards, self.face_down, _, self.plays,
            self.waiting,
        ) = table  # fmt: skip
        self.islands, self.graveyards = list(islands), list(graveyards)
        self.hands = list(hands)
        self.pile, self.coming, self.laid_down, self.cursor, self.shuffled = deal

    def parts(self) -> tuple[Table, Hands, Hidden]:
        """What the state after is made of."""
        hands = tuple(self.hands)
        table = (
            self.setting, self.round, self.events, self.event, self.phase, self.asked, self.twist,
            tuple(self.islands), tuple(self.graveyards), self.bonuses, self.discards,
            self.face_down, tuple(map(len, hands)), self.plays, self.waiting,
        )  # fmt: skip
        deal = (self.pile, self.coming, self.laid_down, self.cursor, self.shuffled)
        return _new(Table, table), hands, _new(Hidden, deal)

    def carry_out(self, choices: Mapping[int, Choice]) -> None:
        """What these choices of the seats that were asked lead to."""
        if self.phase == "PLAY":
            self.reveal(choices)
        elif self.phase == "ATTACK":
            self.attack(choices)
        else:
            self.discard(choices)

    # --- rounds -----------------------------------------------------------------------------

    def begin_round(self, number: int) -> None:
        """T6: the next event shows, or the Big Stone does, which is the end."""
        self.plays, self.waiting = (), ()
        while self.coming:
            event = EVENTS[self.coming[0]]
            self.events, self.coming = (*self.events, event.code), self.coming[1:]
            if not number and self.setting.rules.quiet_first_round:  # B3
                event = NO_EVENT
            if event.kind != "VOLCANO":
                self.round, self.event = number, event
                self._begin(event)
                return
        self._ask("OVER", ())

    def _begin(self, event: Event) -> None:
        if event.kind == "TORNADO":
            self.twist = tornado(self.twist)
        if event.kind != "NEW_GENERATIONS":
            self._prepare()
            return
        asked = [seat for seat in self.setting.everybody if self.hands[seat]]
        if self.setting.rules.discard_in_turn:  # B14
            self.waiting = tuple((seat,) for seat in self.setting.everybody)
            self._discard_next()
        elif asked:
            self._ask("DISCARD", tuple(asked))
        else:
            self._draw(self.setting.everybody)
            self._prepare()

    def _prepare(self) -> None:
        """T7: everybody who has a card chooses what to play."""
        asked = self.setting.everybody
        if () in self.hands:
            asked = tuple([seat for seat in asked if self.hands[seat]])
        if asked:
            self._ask("PLAY", asked)
        else:  # B13: nobody has a card, and none is left to draw
            self._end_round()

    def _ask(self, phase: Phase, seats: tuple[int, ...]) -> None:
        self.phase, self.asked = phase, seats

    def _end_round(self) -> None:
        ties = self.setting.rules.island_bonus_ties
        if ties == "in_turn":
            groups = self._order(self._acting(self.plays))
            turns: Sequence[int] = [seat for group in groups for seat in group]
        else:
            turns = self.setting.everybody
        self.bonuses = island_bonuses(self.bonuses, self.islands, ties, turns)
        self.begin_round(self.round + 1)

    # --- NEW_GENERATIONS --------------------------------------------------------------------

    def discard(self, choices: Mapping[int, Choice]) -> None:
        """The seats that were asked lay cards face down on the discard pile, then all draw."""
        down, sizes = list(self.laid_down), list(self.face_down)
        for seat in self.asked:
            choice = choices[seat]
            self.hands[seat] = hand.less(self.hands[seat], choice.codes)
            down[seat] += choice.packed
            sizes[seat] += len(choice.codes)
        self.laid_down, self.face_down = tuple(down), tuple(sizes)
        if self.setting.rules.discard_in_turn:
            self._draw(self.waiting[0])
            self.waiting = self.waiting[1:]
            self._discard_next()
        else:
            self._draw(self.setting.everybody)
            self._prepare()

    def _discard_next(self) -> None:
        """B14: ask the next seat that has a card; one without draws in its turn."""
        while self.waiting:
            group = self.waiting[0]
            if self.hands[group[0]]:
                self._ask("DISCARD", group)
                return
            self._draw(group)
            self.waiting = self.waiting[1:]
        self._prepare()

    # --- reveal -----------------------------------------------------------------------------

    def reveal(self, choices: Mapping[int, Choice]) -> None:
        """T8, T13: equal plays cancel each other, burials are made, and the others wait."""
        hands = self.hands
        self.plays = plays = tuple([choices.get(seat) for seat in self.setting.everybody])
        acting = self._acting(plays)
        others = []
        for seat, play in enumerate(plays):
            if play is not None:
                hands[seat] = hand.less(hands[seat], play.codes)
            if seat not in acting:
                others.append(seat)
                if play is not None:
                    self.graveyards[seat] += (play.codes,)  # one entry each
        if others and not self.setting.rules.others_draw_last:  # B12
            self._draw(others)
        self.waiting = self._order(acting)
        self._act_next()

    def _acting(self, plays: Sequence[Choice | None]) -> dict[int, int]:
        """The seats whose plays were not cancelled, and what their plays count."""
        bonus = self.event.bonus
        acting: dict[int, int] = {}
        clashes = [-1 if play is None else play.clash for play in plays]
        for seat, play in enumerate(plays):
            if play is not None and play.shape and clashes.count(play.clash) == 1:
                acting[seat] = play.strength + bonus[play.which]
        return acting

    def _order(self, acting: Mapping[int, int]) -> tuple[tuple[int, ...], ...]:
        """T9, B5: from the weakest to the strongest, equal ones together or in seat order."""
        if len(acting) < 2:
            return (tuple(acting),) if acting else ()
        order = sorted(acting, key=acting.__getitem__)
        if self.setting.rules.equals_in_seat_order or len(set(acting.values())) == len(acting):
            return tuple([(seat,) for seat in order])
        groups: dict[int, tuple[int, ...]] = {}
        for seat in order:
            groups[acting[seat]] = (*groups.get(acting[seat], ()), seat)
        return tuple(groups.values())

    # --- acting -----------------------------------------------------------------------------

    def _act_next(self) -> None:
        """Ask the seats whose turn it is for their attack; who has no target fizzles (B7)."""
        plays, event, twist, named = self.plays, self.event, self.twist, self.setting.named
        waiting = self.waiting
        for at, group in enumerate(waiting):
            able = []
            for seat in group:
                play = plays[seat]
                if play is not None and reach(play, event, twist, named):
                    able.append(seat)
            if able:
                self.phase, self.asked, self.waiting = "ATTACK", tuple(able), waiting[at:]
                return
            self._fizzle(group)
            self._draw(group)
        self.waiting = ()
        self._all_acted()

    def attack(self, choices: Mapping[int, Choice]) -> None:
        """T10-T12: the seats whose turn it is attack and settle; then they draw."""
        group = self.waiting[0]
        leaves = self.setting.leaves
        for seat in self.asked:
            choice, play = choices[seat], self.plays[seat]
            if play is None:
                continue
            at, to = choice.at, choice.to
            if at < 0:  # B8
                self.discards += play.packed
                continue
            beaten, self.twist = self.twist[at], self.twist.with_(at, play.stays)
            if to >= 0:
                island = self.islands[seat]
                beaten, self.islands[seat] = island[to], island.with_(to, beaten)
            self.discards += play.goes + leaves[beaten]
        if len(choices) < len(group):
            self._fizzle([seat for seat in group if seat not in choices])
        self._draw(group)
        self.waiting = self.waiting[1:]
        self._act_next()

    def _fizzle(self, seats: Sequence[int]) -> None:
        """B7: a play without a target is discarded, or goes back to the hand. One that names no
        territory although it has a target was waived (B8): it is discarded."""
        rules = self.setting.rules
        for seat in seats:
            play = self.plays[seat]
            if play is None:
                continue
            if rules.fizzled_returns and (
                rules.waived_returns or not reach(play, self.event, self.twist, named=False)
            ):
                self.hands[seat] = tuple(sorted(self.hands[seat] + play.codes))
            else:
                self.discards += play.packed

    def _all_acted(self) -> None:
        if self.setting.rules.others_draw_last:  # B12
            acting = self._acting(self.plays)
            self._draw([seat for seat in self.setting.everybody if seat not in acting])
        self._end_round()

    # --- drawing ----------------------------------------------------------------------------

    def _draw(self, seats: Sequence[int]) -> None:
        """T12, B13: these seats draw up to seven, in this order, as far as there are cards."""
        hands, pile, top = self.hands, self.pile, 0
        for seat in seats:
            held = hands[seat]
            end = top + HAND - len(held)
            if end <= top:
                continue
            drawn = pile[top:end]
            if end > len(pile) and self._shuffle():
                end -= len(pile)
                pile = self.pile
                drawn += pile[:end]
            hands[seat], top = tuple(sorted(held + drawn)), end
        if top:
            self.pile = pile[top:]

    def _shuffle(self) -> bool:
        """T12: shuffle the discard pile, laid out in order, into a draw pile; False if empty."""
        cards = unpack(self.discards + sum(self.laid_down))
        if not cards:
            return False
        chance = self.cursor.chance
        chance.shuffle(cards)
        self.pile, self.cursor = tuple(cards), chance.cursor
        self.shuffled = (*self.shuffled, self.pile)
        nothing = (0,) * self.setting.seats
        self.discards, self.laid_down, self.face_down = 0, nothing, nothing
        return True
