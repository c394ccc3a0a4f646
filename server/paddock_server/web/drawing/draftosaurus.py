"""The drawing of Draftosaurus: all zoos, turn by turn."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup

from paddock_games.draftosaurus.choice import Choice
from paddock_games.draftosaurus.material import FACES, ZOO, Face
from paddock_games.draftosaurus.pen import Pen
from paddock_games.draftosaurus.scoring import scores
from paddock_games.draftosaurus.state import State
from paddock_games.draftosaurus.table import Table
from paddock_games.draftosaurus.zoo import Zoo
from paddock_games.game import Step, Timing
from paddock_games.record import PlayedMatch
from paddock_server.web.drawing import boards, dinosaurs, zoos
from paddock_server.web.drawing.frame import (
    Decision,
    Drawing,
    Frame,
    Holding,
    Place,
    mark,
    timing_of,
)

MEANS: Final[dict[Face, str]] = {
    "WOODLANDS": "only pens of the woodlands",
    "GRASSLANDS": "only pens of the grasslands",
    "RESTROOMS": "only pens right of the river",
    "FOOD_COURT": "only pens left of the river",
    "EMPTY_PEN": "only empty pens",
    "NO_T_REX": "only pens without a T-Rex",
}
_NAMES: Final[dict[str, str]] = {
    "T_REX_BONUS": "T-Rex bonus",
    "LOVERS_BRIDGE_LEFT": "Lovers' bridge, left",
    "LOVERS_BRIDGE_RIGHT": "Lovers' bridge, right",
    "LOVERS_BRIDGE": "Lovers' bridge",
    "NO_T_REX": "No T-Rex",
    **dinosaurs.NAMES,
}


def name(word: str) -> str:
    """A species, pen, face or part in words."""
    return _NAMES.get(word) or word.replace("_", " ").capitalize()


def frames(replay: PlayedMatch) -> tuple[Frame, ...]:
    """One frame per turn of a finished match, with the hands."""
    groups = [list(steps) for _, steps in groupby(replay.steps, lambda s: s.state.table.done)]
    after = [steps[0].state for steps in groups[1:]] + [replay.end]
    turns = []
    before: Sequence[Step] = ()  # the turn before, if it belongs to the same game
    for steps, state in zip(groups, after, strict=True):
        first: State = steps[0].state
        table, finished = first.table, state.table.finished
        ends = len(finished) > table.turn.game
        zoos = finished[table.turn.game] if ends else state.table.zoos
        now = _holdings(table.zoos, table.finished, before)
        then = _holdings(zoos, table.finished, steps)
        seats = []
        for seat, holding in enumerate(now):
            pens = {step.choices[seat].pen for step in steps if seat in step.choices}
            gained = then[seat].total - holding.total
            hand, places = first.hands[seat].species, mark(holding.places, pens)
            seats.append(holding._replace(places=places, hand=hand, gained=gained))
        frame = _frame(table, tuple(seats))
        end = frame._replace(
            title=f"{table.board.capitalize()} board, the end", note="", die="", seats=then
        )
        decisions = tuple(_decisions(steps))
        turns.append(frame._replace(decisions=decisions, end=end if ends else None))
        before = () if ends else steps
    return tuple(turns)


def open_frame(table: Table) -> Frame:
    """The frame of a table under way: only what lies open."""
    over = table.phase == "OVER"
    zoos = table.finished[-1] if over else table.zoos
    earlier = table.finished[:-1] if over else table.finished
    return _frame(table, _holdings(zoos, earlier, ()))


def _holdings(
    zoos: tuple[Zoo, ...], earlier: Sequence[tuple[Zoo, ...]], steps: Sequence[Step]
) -> tuple[Holding, ...]:
    """The holdings of all seats after these steps, without the hands."""
    came: dict[tuple[int, str], list[Choice]] = {}
    for step in steps:
        for seat, choice in step.choices.items():
            if choice.pen:
                came.setdefault((seat, choice.pen), []).append(choice)
    holdings = []
    for seat, (zoo, score) in enumerate(zip(zoos, scores(zoos), strict=True)):
        total = score.total + sum(scores(some)[seat].total for some in earlier)
        places = tuple(
            Place(pen.name, pen.dinosaurs, _came(pen, came.get((seat, pen.name), ())))
            for pen in zoo
        )
        holdings.append(Holding(places, (), score.parts, total))
    return tuple(holdings)


def _frame(table: Table, seats: tuple[Holding, ...]) -> Frame:
    turn, setting = table.turn, table.setting
    bound = [seat for seat in setting.everybody if turn.binds[seat] == 1 << turn.face]
    free = "" if len(bound) == setting.seats else ", who may place anywhere"
    face, board = FACES[turn.face], table.board
    number = table.done % ZOO + 1
    return Frame(
        turn=table.done + 1,
        turns=setting.turns,
        scene=board,
        title=f"{board.capitalize()} board, round {turn.round + 1}, turn {number} of {ZOO}",
        note=f"{name(face)}: {MEANS[face]}. Seat {turn.roller} rolled{free}.",
        die=face,
        seats=seats,
        decisions=(),
    )


def _came(pen: Pen, choices: Sequence[Choice]) -> tuple[int, ...]:
    """The slots of the dinosaurs that came, without those that left again."""
    slots = []
    for choice in choices:
        if pen.name == "PYRAMID":
            slots.append(choice.slot)
        elif choice.species in pen.dinosaurs:
            slots.append(len(pen.dinosaurs) - 1 - pen.dinosaurs[::-1].index(choice.species))
    return tuple(slots)


def _decisions(steps: Sequence[Step]) -> Iterator[Decision]:
    for step in steps:
        for seat in sorted(step.choices):
            timing = step.timings.get(seat)
            yield Decision(seat, sentence(step.choices[seat]), *(timing or (None, None, None)))


def sentence(choice: Choice) -> str:
    """A choice in words."""
    species = name(choice.species)
    if choice.kind in ("REMOVE", "PICK"):
        return f"{'removes' if choice.kind == 'REMOVE' else 'picks'} {species}"
    if choice.pen == "QUARANTINE" and choice.kind == "MOVE":
        return f"leaves {species} in quarantine"
    pen = name(choice.pen or "")
    slot = f", place {choice.slot + 1}" if choice.pen == "PYRAMID" else ""
    verb = "moves " if choice.kind == "MOVE" else ""
    return f"{verb}{species} to {pen}{slot}"


def picture(frame: Frame, seat: int, bot: str) -> Markup:
    """A seat's zoo on its board."""
    return boards.board(frame, seat, bot, name)


def die(frame: Frame) -> Markup:
    """The die of this turn."""
    face = next(each for each in FACES if each == frame.die)
    return dinosaurs.die(face, f"The die shows {name(face)}: {MEANS[face]}")


def parts(games: Any) -> list[Mapping[str, int]]:
    """Points by part and seat, all games of the match added."""
    by_seat: list[dict[str, int]] = [{} for _ in games[0]["scores"]]
    for game in games:
        for mine, score in zip(by_seat, game["scores"], strict=True):
            for part, value in score["parts"].items():
                mine[part] = mine.get(part, 0) + value
    return list(by_seat)


def timings(games: Any) -> list[list[Timing]]:
    """The time of every decision by seat."""
    by_seat: list[list[Timing]] = [[] for _ in games[0]["scores"]]
    for game in games:
        some = [game.get("quarantine_timings", ())]
        for turn in game["turns"]:
            some += [
                turn["placements"],
                turn.get("pick_timings", ()),
                turn.get("discard_timings", ()),
            ]
        for decisions in some:
            for seat, decision in enumerate(decisions):
                if decision is not None:
                    by_seat[seat].append(timing_of(decision))
    return by_seat


DRAWING: Final = Drawing(
    frames=frames,
    open=open_frame,
    picture=picture,
    die=die,
    token=dinosaurs.token,
    name=name,
    sprite=dinosaurs.sprite(),
    parts=parts,
    timings=timings,
    tie_break="T-Rexes",
    sights=lambda: zoos.sights(name, MEANS),
)
