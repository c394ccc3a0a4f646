"""What every registered game promises whoever plays it, whatever the format, seats and rules."""

import copy
import pickle
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import TABLES, match, matches, options, played, states

from paddock_games import (
    FORMATS,
    GAMES,
    BadRules,
    Chance,
    Game,
    IllegalChoice,
    Match,
    format_named,
    game_of,
    play,
)

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)

NO_CHOICES = [None, 0, 1.5, "RIVER", b"", (), [], {}, object(), True]
NO_SEATS = [-1, 99, None, "0"]
MOST = 16  # steps and choices that are tried where there are many


def some(several: Sequence[Any]) -> list[Any]:
    """All of these, or some of them, always the same."""
    return Random(len(several)).sample(list(several), min(MOST, len(several)))


def refuse(state: Any, choices: dict[Any, Any], seat: object) -> None:
    """The step is refused in a sentence that names the seat."""
    with pytest.raises(IllegalChoice, match=rf"\bseat {seat}: .") as refusal:
        state.step(choices)
    assert str(refusal.value).isprintable()


@every_table
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_who_is_asked_can_answer_and_nobody_else(
    form: str, seats: int, data: st.DataObject
) -> None:
    for state in states(data.draw(matches(form, seats))):
        assert list(state.to_move) == sorted(set(state.to_move) & set(range(seats)))
        for seat in range(seats):
            legal, view = state.legal(seat), state.view(seat)
            assert bool(legal) is (seat in state.to_move)
            assert len(set(legal)) == len(legal)
            assert list(legal) == list(state.legal(seat)) == list(view.legal)
            assert view.seat == seat
            if legal:
                assert state.default(seat) in legal


@every_table
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_equal_seeds_give_equal_games(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    again = Match(**one._asdict())
    (steps, end), (other_steps, other_end) = played(one), played(again)
    for step, other in zip(steps, other_steps, strict=True):
        assert step == other
        assert hash(step.state) == hash(other.state)
        for seat in range(seats):
            assert list(step.state.legal(seat)) == list(other.state.legal(seat))
            assert hash(step.state.view(seat)) == hash(other.state.view(seat))
    assert end == other_end
    assert hash(end) == hash(other_end)
    assert end.result() == other_end.result()


@every_table
def test_states_differ_where_games_do(form: str, seats: int) -> None:
    """Seed, nonces, rules and every step make a difference."""
    one = match(form, seats)
    other_nonce = [one.seats[0]._replace(nonce=bytes(16)), *one.seats[1:]]
    starts = {
        one.start(),
        one._replace(seed=bytes(32)).start(),
        one._replace(seats=other_nonce).start(),
        *(one._replace(rules=rules).start() for rules in options(form)),
    }
    assert len(starts) == 2 + len(options(form))
    assert len(set(states(one))) == len(states(one))


@every_table
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_step_takes_one_choice_of_each_seat_to_move(
    form: str, seats: int, data: st.DataObject
) -> None:
    steps, end = played(data.draw(matches(form, seats)))
    for step, after in zip(steps, [*(step.state for step in steps[1:]), end], strict=True):
        state, choices = step.state, dict(step.choices)
        before = pickle.dumps(state)
        for seat in state.to_move:
            refuse(state, {s: choice for s, choice in choices.items() if s != seat}, seat)
        idle = [seat for seat in range(seats) if seat not in state.to_move]
        for stranger in [*NO_SEATS, *idle]:
            refuse(state, {**choices, stranger: choices[state.to_move[0]]}, stranger)
        moved = {seats if s == state.to_move[-1] else s: c for s, c in choices.items()}
        refuse(state, moved, state.to_move[-1])
        assert state == pickle.loads(before)  # noqa: S301
        assert state.step(choices) == after
        assert state.step(dict(reversed(choices.items()))) == after  # nobody chooses first


@every_table
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_step_takes_legal_choices_only(form: str, seats: int, data: st.DataObject) -> None:
    steps, end = played(data.draw(matches(form, seats)))
    # All that anybody might have chosen at any time: other phases, other pens, other hands.
    every = dict.fromkeys(
        c for step in steps for seat in step.state.to_move for c in step.state.legal(seat)
    )
    afters = [*(step.state for step in steps[1:]), end]
    for step, after in some(list(zip(steps, afters, strict=True))):
        state, choices = step.state, dict(step.choices)
        for seat in state.to_move:
            legal = dict.fromkeys(state.legal(seat))
            for wrong in [*NO_CHOICES, *some([c for c in every if c not in legal])]:
                refuse(state, {**choices, seat: wrong}, seat)
            for right in some(list(legal)):
                assert state.step({**choices, seat: right}) != state
        assert state.step(choices) == after


@every_table
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_after_the_end_nothing_is_left_to_decide(
    form: str, seats: int, data: st.DataObject
) -> None:
    steps, end = played(data.draw(matches(form, seats)))
    assert end.to_move == ()
    last = dict(steps[-1].choices)
    for choices in ({}, last, {0: None}):
        with pytest.raises(IllegalChoice) as refusal:
            end.step(choices)
        assert str(refusal.value).isprintable()


@every_table
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_states_views_and_choices_are_values(form: str, seats: int, data: st.DataObject) -> None:
    for state in states(data.draw(matches(form, seats))):
        for seat in range(seats):
            for value in (state, state.view(seat), state.legal(seat), *some(state.legal(seat))):
                stored = pickle.loads(pickle.dumps(value))  # noqa: S301
                assert stored == value == copy.copy(value) == copy.deepcopy(value)
                assert hash(stored) == hash(value) == hash(copy.deepcopy(value))
        for name in ("table", "to_move", "anything_else"):
            with pytest.raises(AttributeError):
                setattr(state, name, None)
        again = pickle.loads(pickle.dumps(state))  # noqa: S301
        for seat in state.to_move:
            assert list(again.legal(seat)) == list(state.legal(seat))
        if state.to_move:
            choices = {seat: state.default(seat) for seat in state.to_move}
            kept = pickle.loads(pickle.dumps(choices))  # noqa: S301
            assert again.step(kept) == state.step(choices)


@every_table
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_results_rank_the_whole_table(form: str, seats: int, data: st.DataObject) -> None:
    for state in states(data.draw(matches(form, seats))):
        result = state.result()
        assert len(result.totals) == len(result.tie_breaks) == seats
        keys = [(-t, b) for t, b in zip(result.totals, result.tie_breaks, strict=True)]
        assert list(result.ranks()) == [1 + sorted(keys).index(key) for key in keys]


@every_table
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_every_brain_plays_every_format(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    for brain in one.game.brains.values():
        ends = {
            play(one.start(), [brain] * seats, [Random(seat) for seat in range(seats)])[1]
            for _ in range(2)
        }
        assert len(ends) == 1  # a brain has no randomness but what it is given
        assert ends.pop().to_move == ()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_presets_are_rules_and_the_first_is_the_default(game: Game) -> None:
    assert next(iter(game.presets.values())) == game.rules(None)
    for name, rules in game.presets.items():
        assert game.rules(name) == rules


@pytest.mark.parametrize("form", FORMATS.values(), ids=lambda form: form.name)
def test_formats_say_how_they_are_played(form: Any) -> None:
    game = game_of(form.name)
    least, most = form.seats
    assert format_named(form.name) is game.formats[form.name] is form
    assert GAMES[form.game] is game
    assert 2 <= least <= form.usual_seats <= most
    assert 0 < form.draw_probability < 1
    assert form.title
    for seats in (least - 1, most + 1, 0, -1, 100):
        chance = Chance(bytes(32), [bytes(16)] * max(seats, 0))
        with pytest.raises(BadRules, match=rf"^seats: {form.name} is played with"):
            game.start(form.name, seats, game.rules(None), chance)


def test_there_is_no_other_format() -> None:
    with pytest.raises(BadRules, match=r"use one of .*winter") as refusal:
        format_named("autumn")
    assert refusal.value.where == "format"
    for game in GAMES.values():
        with pytest.raises(BadRules, match=r"^format: unknown format 'autumn'"):
            game.start("autumn", 4, game.rules(None), Chance(bytes(32), [bytes(16)] * 4))
    assert [name for game in GAMES.values() for name in game.formats] == list(FORMATS)
