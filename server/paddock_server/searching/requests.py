"""Requests to the rules: lines of JSON, read with a path for every error."""

import binascii
from base64 import b64decode
from typing import Any, Final, NamedTuple

from google.protobuf.message import DecodeError

from paddock.v1 import arena_pb2
from paddock_games import FORMATS, Game, format_named, game_of
from paddock_games.errors import BadRequest
from paddock_games.field import Field, parse
from paddock_wire import Terms, Unreadable, codec_of

MOST_BYTES: Final = 1024 * 1024  # of a line
MOST_ENTRIES: Final = 1000  # of a request: states, views, worlds or matches played out
_LONGEST_NAME: Final = 200


class Terrain(NamedTuple):
    """The frame of a match, which its views leave out: its terms and the seat of the bot."""

    terms: Terms
    seat: int

    @property
    def game(self) -> Game:
        """The rules of the match."""
        return game_of(self.terms.format)


def read_request(line: bytes) -> Field:
    """The request in a line."""
    if len(line) > MOST_BYTES:
        raise BadRequest("", f"a line has at most {MOST_BYTES} bytes")
    request = parse(line, "", BadRequest)
    if not isinstance(request.value, dict):
        request.refuse("must be an object with the key 'do'")
    return request


def read_started(field: Field) -> tuple[str, Terrain]:
    """The id of a match and its terrain: from a line `started`, or a MatchStarted in base64."""
    if isinstance(field.value, str):
        return _read_message(field)
    form = field.key("format").text(tuple(FORMATS))
    seats = len(field.key("seats").items())
    format_named(form).check_seats(seats)
    game = game_of(form)
    options, version = field.optional("rules"), field.optional("rules_version")
    if options is None or options.value is None:
        rules = game.rules(None)
    else:
        number = game.rules_version if version is None else version.whole(1, game.rules_version)
        options.optional("")  # refuses what is no object
        rules = game.rules_of_version(options.value, number, options.where)
    game.check(form, seats, rules)
    own = field.optional("seat")
    seat = own.whole(0, seats - 1) if own else 0
    name = field.optional("match")
    return name.text(longest=_LONGEST_NAME) if name else "", Terrain(
        Terms(form, seats, rules), seat
    )


def _read_message(field: Field) -> tuple[str, Terrain]:
    try:
        message = arena_pb2.MatchStarted.FromString(_bytes(field))
        rules = codec_of(message.format).read_rules(message)
    except (DecodeError, Unreadable) as problem:
        field.refuse(f"is not a MatchStarted in base64: {problem}")
    seats = len(message.seats)
    format_named(message.format).check_seats(seats)
    game_of(message.format).check(message.format, seats, rules)
    if message.seat >= seats:
        field.refuse(f"seat {message.seat} of {seats} seats")
    terms = Terms(message.format, seats, rules)
    return message.match_id[:_LONGEST_NAME], Terrain(terms, message.seat)


def read_view(field: Field, terrain: Terrain, seat: int) -> Any:
    """The view of a seat: as in a line `ask`, or a GameView in base64."""
    codec = codec_of(terrain.terms.format)
    try:
        if isinstance(field.value, str):
            message = arena_pb2.GameView.FromString(_bytes(field))
            return codec.read_view(message, terrain.terms, seat)
        if not isinstance(field.value, dict):
            field.refuse("must be the view of an ask, or a GameView in base64")
        return codec.read_view_json(field.value, terrain.terms, seat)
    except (DecodeError, Unreadable) as problem:
        field.refuse(f"can't be read: {problem}")


def read_choice(field: Field, form: str, legal: Any) -> Any:
    """A choice of a seat: its number, or the choice as in a line `ask`; a legal one."""
    if not isinstance(field.value, dict):
        return legal[field.whole(0, len(legal) - 1)]
    try:
        choice = codec_of(form).read_choice_json(field.value)
    except Unreadable as problem:
        field.refuse(str(problem))
    if choice not in legal:
        field.refuse(f"{choice} is not one of the {len(legal)} legal choices")
    return choice


def _bytes(field: Field) -> bytes:
    try:
        return b64decode(field.text(longest=MOST_BYTES), validate=True)
    except (binascii.Error, ValueError):
        field.refuse("is not base64")
