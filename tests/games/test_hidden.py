"""What is hidden stays hidden: a view tells its seat nothing that another deal would change."""

import pickle
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import TABLES, matches, states
from tests.independent.draftosaurus import PER_SPECIES, SPECIES

from paddock_games import FORMATS, Match, play
from paddock_games.brains import any_legal
from paddock_games.draftosaurus import State
from paddock_games.draftosaurus.deal import Hidden

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)
DRAFTOSAURUS = [table for table in TABLES if FORMATS[table[0]].game == "draftosaurus"]


def finish(state: Any, seats: int, chooser: Random) -> Any:
    """The last state of a match that goes on at random from here."""
    return play(state, [any_legal] * seats, [chooser] * seats)[1]


@every_table
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_an_imagined_state_looks_like_the_real_one(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    for number, state in enumerate(states(one)):
        for seat in range(seats):
            view = state.view(seat)
            imagined = one.game.imagine(view, Random(number))
            assert imagined.view(seat) == view
            assert imagined.to_move == state.to_move
            assert list(imagined.legal(seat)) == list(state.legal(seat))
            assert imagined.result() == state.result()


@every_table
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_only_the_view_is_needed_to_imagine(form: str, seats: int, data: st.DataObject) -> None:
    """A view that went through a file imagines the same: it carries nothing on the side."""
    one = data.draw(matches(form, seats))
    for state in states(one):
        for seat in range(seats):
            view = state.view(seat)
            stored = pickle.loads(pickle.dumps(view))  # noqa: S301
            found = one.game.imagine(stored, Random(7))
            assert found == one.game.imagine(view, Random(7))
            # Equal views, one of the real state and one of an imagined one, know equally little.
            assert found == one.game.imagine(found.view(seat), Random(7))


@every_table
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_the_hidden_things_are_imagined_differently(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    start = one.start()
    for seat in range(seats):
        imagined = [one.game.imagine(start.view(seat), Random(number)) for number in range(9)]
        assert len(set(imagined)) == len(imagined)
        for other in set(range(seats)) - {seat}:
            assert len({state.view(other) for state in imagined}) > 5
        # What is still to come is unknown too: the same choices lead to different views.
        later = {finish(state, seats, Random(0)).view(seat) for state in imagined}
        assert len(later) > 5


@every_table
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_an_imagined_game_can_be_played_to_its_end(
    form: str, seats: int, data: st.DataObject
) -> None:
    one = data.draw(matches(form, seats))
    for number, state in list(enumerate(states(one)))[::2]:
        seat = number // 2 % seats
        imagined = one.game.imagine(state.view(seat), Random(number))
        end = finish(imagined, seats, Random(number))
        assert end.to_move == ()
        assert len(end.result().totals) == seats


@pytest.mark.parametrize(("form", "seats"), DRAFTOSAURUS)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_an_imagined_zoo_is_filled_from_the_same_bag(
    form: str, seats: int, data: st.DataObject
) -> None:
    """D3, D12, D16: whatever is imagined, no dinosaur is lost and none is won."""
    one = data.draw(matches(form, seats))
    for number, state in enumerate(states(one)[:-1]):
        imagined: State = one.game.imagine(state.view(number % seats), Random(number))
        assert [len(hand) for hand in imagined.hands] == [len(hand) for hand in state.hands]
        steps, end = play(imagined, [any_legal] * seats, [Random(number)] * seats)
        now = imagined.table.turn.game
        for game, zoos in list(enumerate(end.table.finished))[now:]:
            assert [zoo.size for zoo in zoos] == [12] * seats
            gone: list[str] = list(imagined.table.removed) if game == now else []
            for step in steps:
                if step.state.table.phase == "REMOVE" and step.state.table.turn.game == game:
                    gone += [choice.species for choice in step.choices.values()]
            for species in SPECIES:
                placed = sum(zoo.count(species) for zoo in zoos)
                assert placed + gone.count(species) == PER_SPECIES[seats]


@pytest.mark.parametrize(("form", "seats"), DRAFTOSAURUS)
@settings(max_examples=3, deadline=None)
@given(data=st.data())
def test_an_imagined_die_goes_round_as_the_real_one(
    form: str, seats: int, data: st.DataObject
) -> None:
    """D5, D11, D26, A2: who rolls when is no secret, only what is rolled is."""
    one = data.draw(matches(form, seats))
    every = states(one)
    rollers = {state.table.done: state.table.turn.roller for state in every}
    for number, state in enumerate(every[:-1]):
        imagined = one.game.imagine(state.view(number % seats), Random(number))
        steps, _ = play(imagined, [any_legal] * seats, [Random(number)] * seats)
        for step in steps:
            assert step.state.table.turn.roller == rollers[step.state.table.done]
        assert {step.state.table.done for step in steps} == set(
            range(state.table.done, len(rollers))
        )


def exchanged(one: Match, other: Match, seat: int) -> State:
    """The start of the other match, with all that the seat sees at the start of the one."""
    seen, hidden = one.start().deal, other.start().deal
    first = list(hidden.drawn[0])
    first[seat] = seen.drawn[0][seat]
    drawn, faces = (tuple(first), *hidden.drawn[1:]), (seen.faces[0], *hidden.faces[1:])
    return State.first(one.start().table.setting, Hidden(seen.first_roller, drawn, faces))


@pytest.mark.parametrize(("form", "seats"), DRAFTOSAURUS)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_views_do_not_depend_on_what_is_hidden(form: str, seats: int, data: st.DataObject) -> None:
    """Section 7, 6: with every other hand, later deal and later roll exchanged, a view is equal."""
    one = data.draw(matches(form, seats))
    other = one._replace(seed=one.seed[::-1])
    for seat in range(seats):
        real, changed = one.start(), exchanged(one, other, seat)
        assert changed != real
        assert changed.view(seat) == real.view(seat)
        assert pickle.dumps(changed.view(seat)) == pickle.dumps(real.view(seat))
