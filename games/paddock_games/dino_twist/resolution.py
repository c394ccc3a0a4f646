"""The resolution of a step: reveal, cancel, act in order of strength, draw, and the next round.

A copy of the moment before is changed, and is then the moment after; nobody sees anything in
between.
"""

from collections.abc import Mapping, Sequence

from paddock_games.dino_twist import hand
from paddock_games.dino_twist.attack import names_well, reach
from paddock_games.dino_twist.card import unpack
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.event import BURIAL, EVENTS, NO_EVENT, Event
from paddock_games.dino_twist.island import tornado
from paddock_games.dino_twist.material import HAND
from paddock_games.dino_twist.moment import Moment
from paddock_games.dino_twist.scoring import island_bonuses
from paddock_games.dino_twist.setting import Phase


class Refused(Exception):
    """Raised inside a step when a seat may not choose what it chose."""


class Resolution(Moment):
    """The resolution of one step: a moment that changes."""

    __slots__ = ()

    def _carry_out(self, choices: Mapping[int, Choice]) -> None:
        """What these choices of the seats that were asked lead to."""
        if len(choices) != len(self._asked):
            raise Refused
        phase = self._phase
        if phase == "ATTACK":
            self._attack(choices)
        elif phase == "PLAY":
            self._reveal(choices)
        elif phase == "DISCARD":
            self._discard(choices)
        else:
            raise Refused

    # --- rounds -----------------------------------------------------------------------------

    def _begin_round(self, number: int) -> None:
        """T6: the next event shows, or the Big Stone does, which is the end."""
        self._plays, self._waiting = (), ()
        while self._shown < len(self._events):
            event = EVENTS[self._events[self._shown]]
            self._shown += 1
            if not number and self._setting.rules.quiet_first_round:  # B3
                event = NO_EVENT
            if event.kind != "VOLCANO":
                self._round, self._event = number, event
                self._begin(event)
                return
        self._ask("OVER", ())

    def _begin(self, event: Event) -> None:
        if event.kind == "TORNADO":
            self._twist = tornado(self._twist)
        if event.kind != "NEW_GENERATIONS":
            self._prepare()
            return
        asked = [seat for seat in self._setting.everybody if self._hands[seat]]
        if self._setting.rules.discard_in_turn:  # B14
            self._waiting = tuple((seat,) for seat in self._setting.everybody)
            self._discard_next()
        elif asked:
            self._ask("DISCARD", tuple(asked))
        else:
            self._draw(self._setting.everybody)
            self._prepare()

    def _prepare(self) -> None:
        """T7: everybody who has a card chooses what to play."""
        asked = self._setting.everybody
        if not all(self._hands):
            asked = tuple([seat for seat in asked if self._hands[seat]])
        if asked:
            self._ask("PLAY", asked)
        else:  # B13: nobody has a card, and none is left to draw
            self._end_round()

    def _ask(self, phase: Phase, seats: tuple[int, ...]) -> None:
        """Ask these seats for cards, or nobody for anything."""
        self._phase, self._asked = phase, seats
        self._attacks = {}
        self._allow()

    def _end_round(self) -> None:
        ties = self._setting.ties
        if ties == "in_turn":
            groups = self._order(self._acting())
            turns: Sequence[int] = [seat for group in groups for seat in group]
        else:
            turns = self._setting.everybody
        self._bonuses = island_bonuses(self._bonuses, self._islands, ties, turns)
        self._begin_round(self._round + 1)

    # --- NEW_GENERATIONS --------------------------------------------------------------------

    def _discard(self, choices: Mapping[int, Choice]) -> None:
        """The seats that were asked lay cards face down on the discard pile, then all draw."""
        down, sizes = list(self._laid_down), list(self._face_down)
        for seat in self._asked:
            choice = choices[seat]
            if not choice.shape & self._allowed[seat]:
                raise Refused
            self._hands[seat] = hand.less(self._hands[seat], choice.codes)
            down[seat] += choice.packed
            sizes[seat] += len(choice.codes)
        self._laid_down, self._face_down = tuple(down), tuple(sizes)
        if self._setting.rules.discard_in_turn:
            self._draw(self._waiting[0])
            self._waiting = self._waiting[1:]
            self._discard_next()
        else:
            self._draw(self._setting.everybody)
            self._prepare()

    def _discard_next(self) -> None:
        """B14: ask the next seat that has a card; one without draws in its turn."""
        while self._waiting:
            group = self._waiting[0]
            if self._hands[group[0]]:
                self._ask("DISCARD", group)
                return
            self._draw(group)
            self._waiting = self._waiting[1:]
        self._prepare()

    # --- reveal -----------------------------------------------------------------------------

    def _reveal(self, choices: Mapping[int, Choice]) -> None:
        """T8, T13: equal plays cancel each other, burials are made, and the others wait."""
        hands, allowed, setting = self._hands, self._allowed, self._setting
        named = setting.named
        plays: list[Choice | None] = [None] * setting.seats
        for seat in self._asked:
            plays[seat] = choice = choices[seat]
            if not choice.shape & allowed[seat]:
                raise Refused
            if not self._names_well(choice) if named else choice.at >= 0:  # B6
                raise Refused
            hands[seat] = hand.less(hands[seat], choice.codes)
        self._plays = tuple(plays)
        acting = self._acting()
        others = []
        self._graveyards = graveyards = self._graveyards.copy()
        for seat, play in enumerate(plays):
            if seat not in acting:
                others.append(seat)
                if play is not None:
                    graveyards[seat] += (play.codes,)  # one entry each
        if others and not setting.others_draw_last:  # B12
            self._draw(others)
        self._waiting = self._order(acting)
        self._act_next()

    def _names_well(self, choice: Choice) -> bool:
        """B6: whether a play names a territory if it has to; a burial has none to name."""
        event, twist, waivable = self._event, self._twist, self._setting.waivable
        return choice.shape == BURIAL or names_well(choice, event, twist, waivable)

    def _acting(self) -> dict[int, int]:
        """The seats whose plays were not cancelled, and what their plays count."""
        bonus, plays = self._event.bonus, self._plays
        acting: dict[int, int] = {}
        clashes = [-1 if play is None else play.clash for play in plays]
        for seat, play in enumerate(plays):
            if play is not None and play.strength and clashes.count(play.clash) == 1:
                acting[seat] = play.strength + bonus[play.which]
        return acting

    def _order(self, acting: Mapping[int, int]) -> tuple[tuple[int, ...], ...]:
        """T9, B5: from the weakest to the strongest, equal ones together or in seat order."""
        if len(acting) < 2:
            return (tuple(acting),) if acting else ()
        groups: list[tuple[int, ...]] = []
        last = 0
        for seat in sorted(acting, key=acting.__getitem__):
            if acting[seat] == last and not self._setting.one_by_one:
                groups[-1] += (seat,)
            else:
                groups.append((seat,))
                last = acting[seat]
        return tuple(groups)

    # --- acting -----------------------------------------------------------------------------

    def _act_next(self) -> None:
        """Ask the seats whose turn it is for their attack; who has no target fizzles (B7)."""
        waiting, setting, plays = self._waiting, self._setting, self._plays
        event, twist, islands = self._event, self._twist, self._islands
        for at, group in enumerate(waiting):
            attacks: dict[int, tuple[Choice, ...]] = {}
            for seat in group:
                play = plays[seat]
                if play is not None:
                    ways = setting.attacks(seat, play, event, twist, islands[seat])
                    if ways:
                        attacks[seat] = ways
            if attacks:
                self._phase, self._asked, self._waiting = "ATTACK", tuple(attacks), waiting[at:]
                self._attacks = attacks
                return
            self._fizzle(group)
            self._draw(group)
        self._waiting = ()
        self._all_acted()

    def _attack(self, choices: Mapping[int, Choice]) -> None:
        """T10-T12: the seats whose turn it is attack and settle; then they draw."""
        group = self._waiting[0]
        leaves, attacks = self._setting.leaves, self._attacks
        for seat in self._asked:
            choice, play = choices[seat], self._plays[seat]
            if play is None or choice not in attacks[seat]:
                raise Refused
            at, to = choice.at, choice.to
            if at < 0:  # B8
                self._discards += play.packed
                continue
            self._twist = twist = self._twist.copy()
            beaten, twist[at] = twist[at], play.stays
            if to >= 0:
                self._islands = islands = self._islands.copy()
                islands[seat] = island = islands[seat].copy()
                beaten, island[to] = island[to], beaten
            self._discards += play.goes + leaves[beaten]
        if len(choices) < len(group):
            self._fizzle([seat for seat in group if seat not in choices])
        self._draw(group)
        self._waiting = self._waiting[1:]
        self._act_next()

    def _fizzle(self, seats: Sequence[int]) -> None:
        """B7: a play without a target is discarded, or goes back to the hand. One that names no
        territory although it has a target was waived (B8): it is discarded."""
        rules = self._setting.rules
        for seat in seats:
            play = self._plays[seat]
            if play is None:
                continue
            if rules.fizzled_returns and (
                rules.waived_returns or not reach(play, self._event, self._twist, named=False)
            ):
                self._hands[seat] = sorted([*self._hands[seat], *play.codes])
            else:
                self._discards += play.packed

    def _all_acted(self) -> None:
        if self._setting.others_draw_last:  # B12
            acting = self._acting()
            self._draw([seat for seat in self._setting.everybody if seat not in acting])
        self._end_round()

    # --- drawing ----------------------------------------------------------------------------

    def _draw(self, seats: Sequence[int]) -> None:
        """T12, B13: these seats draw up to seven, in this order, as far as there are cards."""
        hands, pile, top = self._hands, self._pile, self._drawn
        for seat in seats:
            held = hands[seat]
            end = top + HAND - len(held)
            if end <= top:
                continue
            drawn = pile[top:end]
            if end > len(pile):
                if self._shuffle():
                    end -= len(pile)
                    pile = self._pile
                    drawn += pile[:end]
                end = min(end, len(pile))
            hands[seat], top = sorted(held + drawn), end
        self._drawn = top

    def _shuffle(self) -> bool:
        """T12: shuffle the discard pile, laid out in order, into a draw pile; False if empty."""
        cards = unpack(self._discards + sum(self._laid_down))
        if not cards:
            return False
        chance = self._cursor.chance
        chance.shuffle(cards)
        self._pile, self._cursor = cards, chance.cursor
        self._shuffled = (*self._shuffled, tuple(cards))
        nothing = (0,) * self._setting.seats
        self._discards, self._laid_down, self._face_down = 0, nothing, nothing
        return True
