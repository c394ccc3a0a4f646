"""Whatever a codec writes it reads back, in every game that is registered."""

import json
from random import Random
from typing import Any

import pytest
from google.protobuf.message import Message
from hypothesis import event, given, settings
from hypothesis import strategies as st

from paddock.v1 import arena_pb2, match_pb2
from paddock_games import FORMATS, GAMES
from paddock_wire import CODECS, Terms, Unreadable, codec_of
from tests.games.tables import TABLES, match, matches, options, states

every_table = pytest.mark.parametrize(("form", "seats"), TABLES)
every_game = pytest.mark.parametrize("game", GAMES)


def test_every_game_has_a_codec_and_a_field_in_every_oneof() -> None:
    assert set(CODECS) == set(GAMES)
    for form in FORMATS.values():
        assert codec_of(form.name) is CODECS[form.game]
    oneofs: list[tuple[type[Message], str]] = [
        (arena_pb2.MatchStarted, "rules"),
        (arena_pb2.GameView, "game"),
        (arena_pb2.GameChoice, "game"),
        (arena_pb2.MatchEnded, "scores"),
        (match_pb2.GameTable, "game"),
    ]
    for message, oneof in oneofs:
        fields = message.DESCRIPTOR.oneofs_by_name[oneof].fields
        assert {field.name for field in fields} == set(GAMES)


@every_table
@settings(max_examples=4)
@given(data=st.data())
def test_what_is_written_is_read_back(form: str, seats: int, data: st.DataObject) -> None:
    one = data.draw(matches(form, seats))
    codec = codec_of(form)
    terms = Terms(form, seats, one.rules)
    choices = set()
    for state in states(one):
        shared = codec.table(state.table)
        for seat in range(seats):
            view = state.view(seat)
            message = arena_pb2.GameView.FromString(codec.view(shared, view))
            assert codec.read_view(message, terms, seat) == view
            offered = arena_pb2.Ask.FromString(codec.choices(view.legal)).choices
            assert [codec.read_choice(choice) for choice in offered] == list(view.legal)
            # A bot behind the bridge knows all that others know.
            written = json.loads(json.dumps(codec.view_json(view)))
            assert codec.read_view_json(written, terms, seat) == view
            choices.update(view.legal)
    for choice in choices:
        for shown in (choice, one.game.shown(choice)):
            sent = arena_pb2.GameChoice.FromString(codec.choice(shown))
            assert codec.read_choice(sent) is shown
            written = json.loads(json.dumps(codec.choice_json(shown)))
            assert codec.read_choice_json(written) is shown
    end = states(one)[-1]
    ended = arena_pb2.MatchEnded.FromString(codec.scores(end.table))
    assert codec.read_scores(ended) == end.scores()


@pytest.mark.parametrize("form", FORMATS)
def test_rules_are_read_back(form: str) -> None:
    codec = codec_of(form)
    for rules in options(form):
        message = arena_pb2.MatchStarted.FromString(codec.rules(rules))
        assert codec.read_rules(message) == rules
        assert codec.read_rules(message).version == rules.version


def disturb(message: Message, rng: Random) -> None:
    """Put numbers into some of its fields, most of them small, whatever they mean there."""
    for field in message.DESCRIPTOR.fields:
        if field.message_type is not None and field.is_repeated:
            for inside in getattr(message, field.name):
                disturb(inside, rng)
            if rng.random() < 0.1:
                disturb(getattr(message, field.name).add(), rng)
        elif field.message_type is None and rng.random() < 0.2:
            number = rng.choice([rng.randrange(16), rng.randrange(1 << 31)])
            if field.type == field.TYPE_ENUM and rng.random() < 0.1:
                number = -1 - number
            setattr(message, field.name, number % 2 if field.type == field.TYPE_BOOL else number)


def some_legal(game: str, rng: Random) -> Any:
    """A choice at the first state of a match."""
    form = next(form for form in FORMATS.values() if form.game == game)
    return rng.choice(match(form.name, form.usual_seats).start().legal(0))


@every_game
@settings(max_examples=300)
@given(seed=st.integers(0, 2**32 - 1))
def test_any_message_is_a_choice_or_unreadable(game: str, seed: int) -> None:
    codec, rng = CODECS[game], Random(seed)
    message = arena_pb2.GameChoice.FromString(codec.choice(some_legal(game, rng)))
    disturb(getattr(message, game), rng)
    try:
        choice = codec.read_choice(message)
    except Unreadable:
        event("unreadable")
    else:
        event("a choice")
        assert codec.read_choice(arena_pb2.GameChoice.FromString(codec.choice(choice))) is choice


JSON = st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.just(["T_REX"])


@every_game
@settings(max_examples=200)
@given(data=st.data())
def test_any_object_of_a_line_is_a_choice_or_unreadable(game: str, data: st.DataObject) -> None:
    codec = CODECS[game]
    written = codec.choice_json(some_legal(game, Random(0)))
    for key in data.draw(st.sets(st.sampled_from([*written, "colour", "cls", "self"]))):
        written[key] = data.draw(JSON)
    try:
        choice = codec.read_choice_json(written)
    except Unreadable:
        event("unreadable")
    else:
        event("a choice")
        assert codec.read_choice_json(codec.choice_json(choice)) is choice


def test_a_format_of_a_newer_server_is_named() -> None:
    with pytest.raises(Unreadable, match="format 'spring' is unknown here; install a newer"):
        codec_of("spring")
