"""Luck: what chance gave, beside what was to be expected of it when it fell."""

from itertools import product
from math import comb, prod, sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from paddock_games import FORMATS, Chance, game_of
from paddock_games.draftosaurus.herd import COUNT, SHIFTS
from paddock_games.draftosaurus.luck import luck_of_the_deal, luck_of_the_die
from paddock_games.draftosaurus.material import FACES, HAND, OF_EACH_IN_THE_BAG
from paddock_games.draftosaurus.pen import UNBOUND
from paddock_games.draftosaurus.prospect import Prospect
from paddock_games.game import Luck, Step

MATCHES = 40


def _played(form: str, seats: int, brain: str, rng: Random, rules: Any = None) -> list[Step]:
    game = game_of(form)
    chance = Chance(rng.randbytes(32), [bytes(16)] * seats)
    state = game.start(form, seats, game.rules(rules), chance)
    steps = []
    while state.to_move:
        choices = {seat: game.brains[brain](state.view(seat), rng) for seat in state.to_move}
        steps.append(Step(state, choices))
        state = state.step(choices)
    return steps


@pytest.mark.parametrize("form", FORMATS)
def test_luck_is_nothing_in_the_long_run(form: str) -> None:
    """Whoever plays: what lies four standard errors off would be an advantage, not luck."""
    rng = Random(f"luck {form}")
    seats = FORMATS[form].usual_seats
    for brain in ("greedy", "random"):
        totals = []
        for _ in range(MATCHES):
            lucks = game_of(form).luck(_played(form, seats, brain, rng))
            assert len(lucks) == seats
            totals += [luck.total for luck in lucks]
        assert abs(fmean(totals)) < 4 * stdev(totals) / sqrt(len(totals))
        assert stdev(totals) > 0


@pytest.mark.parametrize("rules", [{"place_after_reveal": True}, {"five_player_die_hold": True}])
def test_luck_is_told_under_every_option(rules: dict[str, bool]) -> None:
    steps = _played("summer", 5, "greedy", Random(3), rules)
    assert any(luck.die for luck in game_of("summer").luck(steps))


def _moments(form: str, seats: int) -> list[Any]:
    """States in which a hand was dealt or the die was rolled."""
    steps = _played(form, seats, "greedy", Random(7))
    return [step.state for step in steps if step.state.table.phase == "PLACE"]


@pytest.mark.parametrize(("form", "seats"), [("summer", 3), ("winter", 4), ("two-player", 2)])
def test_the_mean_over_the_faces_is_zero_to_the_last_digits(form: str, seats: int) -> None:
    for state in _moments(form, seats):
        table, turn = state.table, state.table.turn
        for seat, hand in enumerate(state.hands):
            prospect = Prospect(table, seat)
            if turn.binds[seat] == UNBOUND:
                assert luck_of_the_die(table, hand, prospect) == 0  # D8
                continue
            lucks = [
                luck_of_the_die(
                    table._replace(turn=table.setting.turn(state.deal.first_roller, table.done, f)),
                    hand,
                    prospect,
                )
                for f in range(len(FACES))
            ]
            assert sum(lucks) == pytest.approx(0, abs=1e-9)


def test_the_mean_over_all_hands_is_zero_to_the_last_digits() -> None:
    """Every hand that the bag could give, by how many ways there are to draw it."""
    state = next(s for s in _moments("summer", 3) if s.table.turn.round == 1)
    table = state.table
    prospect = Prospect(table, 0)
    bag = OF_EACH_IN_THE_BAG[3]
    unseen = [bag - sum(zoo.counts >> shift & COUNT for zoo in table.zoos) for shift in SHIFTS]
    herd = type(state.hands[0])
    total = ways = 0.0
    for counts in product(*(range(min(HAND, left) + 1) for left in unseen)):
        if sum(counts) == HAND:
            weight = prod(map(comb, unseen, counts))
            hand = herd(sum(count << shift for count, shift in zip(counts, SHIFTS, strict=True)))
            total += weight * luck_of_the_deal(table, hand, prospect)
            ways += weight
    assert total / ways == pytest.approx(0, abs=1e-9)


def test_luck_adds_up() -> None:
    assert Luck(1.5, -0.5).total == 1.0
