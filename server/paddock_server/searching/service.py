"""The service: one line with a request in, one line with its answer out."""

import json
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

from paddock_games import GamesError, State
from paddock_games.errors import BadRequest
from paddock_games.field import Field
from paddock_server.searching.requests import (
    MOST_ENTRIES,
    Terrain,
    read_choice,
    read_request,
    read_started,
    read_view,
)
from paddock_server.searching.shelf import MOST_STATES, Shelf, StateOfMatch
from paddock_wire import Json, codec_of

_DEFAULT: Final = "default"
_PLAIN: Final = "random"
# What the rules raise for a view that can be read and can't arise in a match.
_IMPOSSIBLE: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RecursionError,
    TypeError, ValueError,
)  # fmt: skip


class Service:
    """The rules for one bot: they know the bot's matches, and keep the states that it made."""

    def __init__(self, most_states: int = MOST_STATES) -> None:
        self._shelf = Shelf(most_states)
        self._rng = Random()
        self._tasks: Final[Mapping[str, Callable[[Field], Json]]] = {
            "match": self._match,
            "legal": self._legal,
            "imagine": self._imagine,
            "step": self._step,
            "playout": self._playout,
            "score": self._score,
            "view": self._view,
            "forget": self._forget,
        }

    def answer(self, line: bytes) -> str:
        """The answer to a line, an error included; one line without its end."""
        number: object = None
        try:
            request = read_request(line)
            number = request.value.get("id")
            answer = self._do(request)
        except GamesError as problem:
            error = {"reason": problem.reason, "where": problem.where, "sentence": problem.sentence}
            answer = {"error": error}
        return json.dumps({"id": number, **answer}, separators=(",", ":"))

    def _do(self, request: Field) -> Json:
        task = self._tasks[request.key("do").text(tuple(self._tasks))]
        try:
            return task(request)
        except GamesError:
            raise
        except _IMPOSSIBLE as problem:
            raise BadRequest(
                "", f"the rules can't go on from this: {type(problem).__name__}: {problem}"[:300]
            ) from None

    # --- what a request can ask for --------------------------------------------------------------

    def _match(self, request: Field) -> Json:
        started = request.key("started")
        own, terrain = read_started(started)
        other = request.optional("match")
        name = other.text() if other else own
        if not name:
            request.refuse("a match needs a name: give the key 'match'")
        self._shelf.add_match(name, terrain)
        return {"match": name}

    def _legal(self, request: Field) -> Json:
        offers = []
        for place in _entries(request):
            terrain, view, state = self._place(place)
            codec = codec_of(terrain.terms.format)
            legal = (
                {view.seat: view.legal}
                if state is None
                else {seat: state.legal(seat) for seat in state.to_move}
            )
            offers.append(
                [
                    {"seat": seat, "choices": [codec.choice_json(choice) for choice in choices]}
                    for seat, choices in legal.items()
                ]
            )
        return {"legal": offers}

    def _imagine(self, request: Field) -> Json:
        places, rng = _entries(request), self._dice(request)
        worlds = _times(request, "worlds", len(places))
        imagined = []
        for place in places:
            terrain, view, state = self._place(place)
            if state is not None:
                place.refuse("is a state: imagine wants a view")
            imagine = terrain.game.imagine
            imagined.append([self._shelf.add(terrain, imagine(view, rng)) for _ in range(worlds)])
        return {"states": imagined}

    def _step(self, request: Field) -> Json:
        rng, stepped = self._dice(request), []
        for place in _entries(request):
            known = self._shelf.state(place.key("state"))
            brain = _brain(request.optional("others"), known.terrain)
            stepped.append((known.terrain, known.state.step(_choices(place, known, brain, rng))))
        states = [self._shelf.add(terrain, state) for terrain, state in stepped]
        return {"states": states, "to_move": [list(state.to_move) for _, state in stepped]}

    def _playout(self, request: Field) -> Json:
        places, rng = _entries(request), self._dice(request)
        times = _times(request, "times", len(places))
        results = []
        for place in places:
            known = self._shelf.state(place.key("state"))
            brain = _brain(request.optional("brain"), known.terrain, _PLAIN)
            results.append([_result(_end(place, known, brain, rng)) for _ in range(times)])
        return {"results": results}

    def _score(self, request: Field) -> Json:
        results = []
        for place in _entries(request):
            terrain, view, state = self._place(place)
            results.append(
                _result(terrain.game.imagine(view, Random(0)) if state is None else state)
            )
        return {"results": results}

    def _view(self, request: Field) -> Json:
        views = []
        for place in _entries(request):
            terrain, state = self._shelf.state(place.key("state"))
            seat = place.key("seat").whole(0, terrain.terms.seats - 1)
            views.append(codec_of(terrain.terms.format).view_json(state.view(seat)))
        return {"views": views}

    def _forget(self, request: Field) -> Json:
        named = request.optional("states")
        numbers = None if named is None else [each.whole(1, 2**53 - 1) for each in named.items()]
        return {"forgotten": self._shelf.forget(numbers)}

    # --- parts of requests -----------------------------------------------------------------------

    def _place(self, place: Field) -> tuple[Terrain, Any, State | None]:
        """The match of a place, with its view or its state."""
        number = place.optional("state")
        if number is not None:
            terrain, state = self._shelf.state(number)
            return terrain, None, state
        terrain = self._shelf.match(place.key("match"))
        own_seat = place.optional("seat")
        seat = terrain.seat if own_seat is None else own_seat.whole(0, terrain.terms.seats - 1)
        return terrain, read_view(place.key("view"), terrain, seat), None

    def _dice(self, request: Field) -> Random:
        """The random numbers of a request: repeatable ones if it has a seed."""
        seed = request.optional("seed")
        return self._rng if seed is None else Random(seed.text())


def _entries(request: Field) -> list[Field]:
    return request.key("of").items(1, MOST_ENTRIES)


def _times(request: Field, key: str, entries: int) -> int:
    """How often something is done for each entry: all together not too often."""
    number = request.optional(key)
    return 1 if number is None else number.whole(1, MOST_ENTRIES // entries)


Chooser = Callable[[State, int, Random], Any]


def _brain(field: Field | None, terrain: Terrain, otherwise: str = "") -> Chooser | None:
    """Who chooses for a seat, by name: one of the game's brains, or the referee's default."""
    brains = terrain.game.brains
    name = field.text((_DEFAULT, *brains)) if field else otherwise
    if not name:
        return None
    if name == _DEFAULT:
        return lambda state, seat, _: state.default(seat)
    brain = brains[name]
    return lambda state, seat, rng: brain(state.view(seat), rng)


def _choices(
    place: Field, known: StateOfMatch, brain: Chooser | None, rng: Random
) -> dict[int, Any]:
    """The choices of all seats to move: those of the place, and a brain's for the others."""
    form, state = known.terrain.terms.format, known.state
    listed = place.optional("choices")
    fields = {} if listed is None else _by_seat(listed)
    for seat, field in fields.items():
        if seat not in state.to_move:
            field.refuse(f"seat {seat} is not to move; {_seats(state.to_move)}")
    choices = {}
    for seat in state.to_move:
        if seat in fields:
            choices[seat] = read_choice(fields[seat], form, state.legal(seat))
        elif brain is None:
            (listed or place).refuse(f"seat {seat} has no choice; give one, or name 'others'")
        else:
            choices[seat] = brain(state, seat, rng)
    if not choices:
        place.refuse("nobody is to move: the match is over")
    return choices


def _by_seat(choices: Field) -> dict[int, Field]:
    choices.optional("")  # refuses what is no object
    by_seat = {}
    for key in choices.value:
        field = choices.key(key)
        if not (key.isascii() and key.isdigit() and len(key) < 3):
            field.refuse('the keys of choices are seats, such as "0"')
        by_seat[int(key)] = field
    return by_seat


def _seats(to_move: Sequence[int]) -> str:
    return f"seats {', '.join(map(str, to_move))} are" if to_move else "nobody is"


def _end(place: Field, known: StateOfMatch, brain: Chooser | None, rng: Random) -> State:
    """The last state, if a brain chooses for all seats after the choices of the place."""
    assert brain is not None  # noqa: S101 -- playouts always have one
    state = known.state
    if place.optional("choices") is not None:
        state = state.step(_choices(place, known, brain, rng))
    while state.to_move:
        state = state.step({seat: brain(state, seat, rng) for seat in state.to_move})
    return state


def _result(state: State) -> Json:
    result = state.result()
    return {"totals": list(result.totals), "ranks": list(result.ranks())}
