"""The `games` of a match record: what chance dealt, what was chosen, and the points."""

from collections.abc import Mapping, Sequence
from typing import Any

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.material import FACES, SPECIES, ZOO
from paddock_games.draftosaurus.state import State
from paddock_games.draftosaurus.zoo import QUARANTINE
from paddock_games.errors import IllegalChoice
from paddock_games.field import Field
from paddock_games.game import Step, Timing

_NO_TIMING = Timing()


def dealt(state: State) -> list[dict[str, Any]]:
    """What chance decided: boards, rollers, hands and the faces of the die."""
    setting, deal = state.table.setting, state.deal
    turns = [deal.turn(setting, index) for index in range(setting.turns)]
    games: list[dict[str, Any]] = []
    for game, board in enumerate(setting.boards):
        rounds = deal.drawn[game * setting.rounds : (game + 1) * setting.rounds]
        mine = turns[game * ZOO : (game + 1) * ZOO]
        games.append(
            {
                "board": board,
                "first_roller": mine[0].roller,
                "deals": [[[SPECIES[w] for w in hand] for hand in hands] for hands in rounds],
                "turns": [{"roller": turn.roller, "die": FACES[turn.face]} for turn in mine],
            }
        )
    return games


def games(steps: Sequence[Step], end: State) -> list[dict[str, Any]]:
    """All that happened in a match; lists that a format does not use are empty."""
    played = dealt(end)
    setting = end.table.setting
    for game in played:
        for turn in game["turns"]:
            turn.update(placements=[], discards=[])
        game["quarantine"] = [None] * setting.seats if game["board"] == "WINTER" else []
    for step in steps:
        table = step.state.table
        game = played[table.turn.game]
        turn = game["turns"][table.done % ZOO]
        chosen = [step.choices[seat] for seat in sorted(step.choices)]
        if table.phase == "PLACE":
            turn["placements"] = [
                {**_place(choice), **step.timings.get(seat, _NO_TIMING).written()}
                for seat, choice in enumerate(chosen)
            ]
        elif table.phase == "REMOVE":
            turn["discards"] = [choice.species for choice in chosen]
        elif table.phase == "MOVE":
            for seat, choice in step.choices.items():
                if choice.pen != "QUARANTINE":
                    game["quarantine"][seat] = {"pen": choice.pen, "slot": choice.slot}
        if step.timings and table.phase != "PLACE":
            place = game if table.phase == "MOVE" else turn
            place[_TIMINGS[table.phase]] = _by_seat(step.timings, setting.seats)
    for game, scores in zip(played, end.scores(), strict=True):
        game["scores"] = [score._asdict() for score in scores]
    return played


# Where a record keeps the timings of decisions other than placements, if anybody timed them.
_TIMINGS = {"PICK": "pick_timings", "REMOVE": "discard_timings", "MOVE": "quarantine_timings"}


def _place(choice: Choice) -> dict[str, Any]:
    return {"species": choice.species, "pen": choice.pen, "slot": choice.slot}


def _by_seat(timings: Mapping[int, Timing], seats: int) -> list[dict[str, Any] | None]:
    return [timings[seat].written() if seat in timings else None for seat in range(seats)]


def place(state: State) -> str:
    """Where in `games` the next step of this state is written."""
    table = state.table
    inside = "quarantine" if table.phase == "MOVE" else f"turns[{table.done % ZOO}]"
    return f"games[{table.turn.game}].{inside}"


def recorded(games: Field, state: State) -> Step:
    """What the seats to move chose at this state, and how long it took them."""
    table = state.table
    seats = table.setting.seats
    game = games.items()[table.turn.game]
    turn = game.key("turns").items()[table.done % ZOO]
    if table.phase == "MOVE":
        moves = game.key("quarantine").items(seats, seats)
        choices = {seat: _move(moves[seat], state, seat) for seat in table.to_move}
    elif table.phase == "REMOVE":
        discards = turn.key("discards").items(seats, seats)
        choices = {
            seat: _choice(field, "REMOVE", field.text(SPECIES))
            for seat, field in enumerate(discards)
        }
    else:
        placements = turn.key("placements").items(seats, seats)
        if table.phase == "PLACE":
            choices = {seat: _placement(field) for seat, field in enumerate(placements)}
            return Step(state, choices, dict(enumerate(map(Timing.read, placements))))
        choices = {
            seat: _choice(field, "PICK", field.key("species").text(SPECIES))
            for seat, field in enumerate(placements)
        }
    timings = (game if table.phase == "MOVE" else turn).optional(_TIMINGS[table.phase])
    if timings is None:
        return Step(state, choices)
    by_seat = timings.items(seats, seats)
    timed = [seat for seat in table.to_move if by_seat[seat].value is not None]
    return Step(state, choices, {seat: Timing.read(by_seat[seat]) for seat in timed})


def _placement(field: Field) -> Choice:
    species, pen = field.key("species").text(SPECIES), field.key("pen").text()
    return _choice(field, "PLACE", species, pen, field.key("slot").whole(0, 5))


def _move(field: Field, state: State, seat: int) -> Choice:
    species = SPECIES[state.table.zoos[seat][QUARANTINE].stands[0]]
    if field.value is None:
        return _choice(field, "MOVE", species, "QUARANTINE")
    pen, slot = field.key("pen").text(), field.key("slot").whole(0, 5)
    if pen == "QUARANTINE":
        field.refuse("a dinosaur that stays in QUARANTINE is written as null")
    return _choice(field, "MOVE", species, pen, slot)


def _choice(field: Field, kind: str, species: str, pen: str | None = None, slot: int = 0) -> Choice:
    try:
        return Choice(kind, species, pen, slot)
    except IllegalChoice as problem:
        field.refuse(problem.sentence)
