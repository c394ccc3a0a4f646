"""Whole matches from fixed seeds, written out for people to read and to diff.

    python -m tests.games.playthrough --write

writes tests/data/playthroughs anew: what changed in the rules is then what git shows.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, Final, NamedTuple

from tests.games import playthrough_dino_twist
from tests.games.tables import match, played

from paddock_games import FORMATS, Match, Step, commitment

FOLDER: Final = Path(__file__).parents[1] / "data" / "playthroughs"


class Played(NamedTuple):
    """A match that is written out."""

    format: str
    seats: int
    rules: object = None
    number: int = 1


# One of every format, by its name, and one for each of the rule options.
PLAYED: Final = {form.name: Played(form.name, form.usual_seats) for form in FORMATS.values()} | {
    "a1-quarantine-may-stay": Played("winter", 3, {"quarantine_may_stay": True}, 8),
    "a2-five-player-die-hold": Played("summer", 5, {"five_player_die_hold": True}),
    "a3-prairie-capacity": Played("summer", 3, {"prairie_capacity": 2}, 3),
    "a4-place-after-reveal": Played("two-player-winter", 2, {"place_after_reveal": True}),
    "polish-series": Played("series", 5, "polish"),
    "dino-twist-six": Played("dino-twist", 6, None, 2),
    "dino-twist-options": Played(
        "dino-twist",
        3,
        {
            "quiet_first_round": True,
            "equals_in_seat_order": True,
            "attack_with_play": True,
            "fizzled_returns": True,
            "attack_may_be_waived": True,
            "bury_by_territory": True,
            "claw_strengths": "9 10",
            "others_draw_last": True,
            "discard_in_turn": True,
            "small_seats": "1",
        },
        5,
    ),
}

PENS: Final = {
    "FOREST_OF_SAMENESS": "forest",
    "WOODY_TRIO": "trio",
    "KING_OF_THE_JUNGLE": "king",
    "PRAIRIE_OF_LOVE": "prairie",
    "MEADOW_OF_DIFFERENCES": "meadow",
    "SOLITARY_ISLAND": "island",
    "WELL_ORDERED_WOOD": "wood",
    "LOOKOUT": "lookout",
    "LOVERS_BRIDGE": "bridge",
    "LOVERS_BRIDGE_LEFT": "left bank",
    "LOVERS_BRIDGE_RIGHT": "right bank",
    "PYRAMID": "pyramid",
    "QUARANTINE": "quarantine",
    "RIVER": "river",
    "T_REX_BONUS": "T-Rex bonus",
}
LEGEND: Final = """\
Rex T_REX, Dip DIPLODOCUS, Tri TRICERATOPS, Spi SPINOSAURUS, Ste STEGOSAURUS,
Par PARASAUROLOPHUS; - is a free slot of the pyramid, * marks who rolled."""


def short(dinosaurs: Iterable[str | None]) -> str:
    """Three letters for each dinosaur."""
    words = {"T_REX": "Rex", None: "-"}
    return " ".join(words.get(one) or str(one)[:3].capitalize() for one in dinosaurs) or "nobody"


def shown(choice: Any) -> str:
    """A choice in short words."""
    slot = f" slot {choice.slot}" if choice.pen == "PYRAMID" else ""
    pen = f" in {PENS[choice.pen]}{slot}" if choice.pen else ""
    return f"{choice.kind} {short([choice.species])}{pen}"


def shown_zoo(zoo: Any) -> str:
    """A zoo pen by pen, in board order, empty ones left out."""
    return (
        " | ".join(f"{PENS[pen]} {short(inside)}" for pen, inside in zoo.as_dict().items())
        or "empty"
    )


def step_lines(step: Step) -> list[str]:
    """What everybody saw, how many choices they had, and what they chose."""
    state, table = step.state, step.state.table
    begins = table.phase == table.setting.first_phase
    lines = []
    if begins:
        turn = table.turn
        lines += ["", f"Round {turn.round + 1}, turn {turn.number + 1}: {table.die}"]
    else:
        lines.append({"PLACE": "  all reveal, and place", "REMOVE": "  and remove"}.get(
            table.phase, "\nQuarantine is left"))  # fmt: skip
    for seat, choice in sorted(step.choices.items()):
        name = f"  {seat} {'*' if seat == table.turn.roller and begins else ' '} "
        if begins or table.phase == "MOVE":
            lines.append(f"{name} zoo   {shown_zoo(table.zoos[seat])}")
            name = " " * len(name)
        holds = f"hand  {short(state.hands[seat])}"
        if table.phase == "MOVE":
            holds = f"moves {short([choice.species])}"
        lines.append(f"{name} {holds:<29} {len(state.legal(seat)):>3} legal: {shown(choice)}")
    return lines


def end_lines(zoos: Iterable[Any], scores: Iterable[Any]) -> list[str]:
    """The zoos at the end of a game, and their points by pen."""
    lines = ["", "The end"]
    for seat, (zoo, score) in enumerate(zip(zoos, scores, strict=True)):
        points = " + ".join(f"{PENS[pen]} {n}" for pen, n in score.parts.items())
        lines.append(f"  {seat}    zoo   {shown_zoo(zoo)}")
        lines.append(f"       {points}")
        lines.append(f"       = {score.total}, T-Rexes {score.t_rexes}")
    return lines


def lines(one: Match, steps: Sequence[Step], end: Any) -> Iterator[str]:
    """The whole match, game by game."""
    for game, (zoos, scores) in enumerate(zip(end.table.finished, end.scores(), strict=True)):
        yield from ("", f"==== Game {game + 1}, {zoos[0].board} ====")
        for step in steps:
            if step.state.table.turn.game == game:
                yield from step_lines(step)
        yield from end_lines(zoos, scores)
    result = end.result()
    yield from (
        "",
        f"totals  {' '.join(map(str, result.totals))}",
        f"T-Rexes {' '.join(map(str, result.tie_breaks))}",
        f"ranks   {' '.join(map(str, result.ranks()))}",
    )


# By game: what the short words mean, and how a match is told.
TELLERS: Final = {
    "draftosaurus": (LEGEND, lines),
    "dino_twist": (playthrough_dino_twist.LEGEND, playthrough_dino_twist.lines),
}


def text(what: Played) -> str:
    """The whole match."""
    one = match(what.format, what.seats, what.rules, what.number)
    steps, end = played(one)
    options = ", ".join(f"{option} {value!s}" for option, value in one.rules._asdict().items())
    legend, tell = TELLERS[one.game.name]
    head = [
        f"{FORMATS[what.format].title}, {what.seats} seats, all choosing at random",
        *wrap(options, 150),
        f"seed {one.seed.hex()}",
        f"commitment {commitment(one.seed)}",
        legend,
    ]
    return "\n".join([*head, *tell(one, steps, end)]) + "\n"


def main() -> None:
    """Write every match."""
    for name, what in PLAYED.items():
        (FOLDER / f"{name}.txt").write_text(text(what), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    main()
