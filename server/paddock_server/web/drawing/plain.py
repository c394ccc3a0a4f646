"""The drawing of games that have no drawing of their own: in words."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from paddock_games.game import Timing
from paddock_games.record import PlayedMatch
from paddock_server.web.drawing.frame import Decision, Drawing, Frame, Holding

_NOTHING: Final = Markup("")


def frames(replay: PlayedMatch) -> tuple[Frame, ...]:
    """One frame per step."""
    turns: list[Frame] = []
    states = [*(step.state for step in replay.steps), replay.end]
    totals = [state.result().totals for state in states]
    for number, step in enumerate(replay.steps, 1):
        seats = tuple(
            Holding((), (), {}, total, later - total)
            for total, later in zip(totals[number - 1], totals[number], strict=True)
        )
        decisions = []
        for seat in sorted(step.choices):
            timing = step.timings.get(seat)
            said = str(step.choices[seat])
            decisions.append(Decision(seat, said, *(timing or (None, None, None))))
        title = f"Step {number} of {len(replay.steps)}"
        turns.append(
            Frame(
                turn=number,
                turns=len(replay.steps),
                scene="",
                title=title,
                note="",
                die="",
                seats=seats,
                decisions=tuple(decisions),
            )
        )
    holdings = tuple(Holding((), (), {}, total) for total in totals[-1])
    end = turns[-1]._replace(title="The end", seats=holdings, decisions=())
    return (*turns[:-1], turns[-1]._replace(end=end))


def open_frame(_table: Any) -> Frame:
    """An empty frame: only a game's own drawing knows what lies open."""
    return Frame(
        turn=0, turns=0, scene="", title="Under way", note="", die="", seats=(), decisions=()
    )


def picture(_frame: Frame, _seat: int, _name: str) -> Markup:
    """No picture."""
    return _NOTHING


def die(_frame: Frame) -> Markup:
    """No picture."""
    return _NOTHING


def token(piece: str) -> Markup:
    """A piece as a word."""
    return Markup("{}").format(name(piece))


def name(word: str) -> str:
    """An identifier as words."""
    return word.replace("_", " ").capitalize()


def parts(_games: Any) -> Sequence[Mapping[str, int]]:
    """Nothing: the record of an unknown game can't be read."""
    return ()


def timings(_games: Any) -> Sequence[Sequence[Timing]]:
    """Nothing: the record of an unknown game can't be read."""
    return ()


def sights() -> Mapping[str, Markup]:
    """No pictures."""
    return {}


DRAWING: Final = Drawing(
    frames=frames,
    open=open_frame,
    picture=picture,
    die=die,
    token=token,
    name=name,
    sprite=_NOTHING,
    parts=parts,
    timings=timings,
    tie_break="",
    sights=sights,
)
