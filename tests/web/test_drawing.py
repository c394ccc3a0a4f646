"""Every game is drawn: all that stands somewhere is in the picture, and nothing that is hidden."""

import re
from random import Random

import pytest

from paddock_games import FORMATS, Match, Seated, game_of, play, read_record, replay, write_record
from paddock_games.record import PlayedMatch
from paddock_server.store.text import dumps
from paddock_server.web.drawing import dinosaurs, drawing_of, plain
from paddock_server.web.drawing.draftosaurus import open_frame

NAME = '<b>"x" & y</b>'


def _replay(
    format_name: str, seats: int, rules: object = None
) -> tuple[PlayedMatch, dict[str, object]]:
    game = game_of(format_name)
    seated = [Seated(f"bot-{seat}", "1", "owner", bytes(16)) for seat in range(seats)]
    match = Match("0" * 26, format_name, game.rules(rules), seated, bytes(32))
    brains = [game.brains["random"]] * seats
    steps, end = play(match.start(), brains, [Random(seat) for seat in range(seats)])
    record = write_record(match, steps, end)
    return replay(read_record(dumps(record))), record


TABLES = [
    (name, seats, rules)
    for name, form in FORMATS.items()
    for seats in {form.seats[0], form.seats[1]}
    for rules in ((None, "polish") if form.game == "draftosaurus" else (None,))
]
PIECES = {"draftosaurus": r'href="#dino-(\w+)"', "dino_twist": r'data-piece="([\w-]+)"'}


@pytest.mark.parametrize(("name", "seats", "rules"), TABLES)
def test_a_replay_is_drawn_turn_by_turn_until_its_result(
    name: str, seats: int, rules: str | None
) -> None:
    found, record = _replay(name, seats, rules)
    game = FORMATS[name].game
    drawing = drawing_of(game)
    assert drawing is not plain.DRAWING
    frames = drawing.frames(found)
    assert [frame.turn for frame in frames] == list(range(1, frames[0].turns + 1))
    end = frames[-1].end
    assert end is not None
    assert [seat.total for seat in end.seats] == record["totals"]
    for seat in range(seats):
        gained = [frame.seats[seat].gained for frame in frames]
        assert sum(gained) == end.seats[seat].total - frames[0].seats[seat].total
    rings = 0
    ends = [frame.end for frame in frames if frame.end]
    assert len(ends) == len(record["games"])  # type: ignore[arg-type]
    for frame in ends:
        assert (frame.decisions, frame.end) == ((), None)
        assert [seat.hand for seat in frame.seats] == [()] * seats
    for frame in (*frames, *ends):
        if frame not in ends:
            assert {decision.seat for decision in frame.decisions} == set(range(seats))
            assert drawing.die(frame)
        for seat, holding in enumerate(frame.seats):
            picture = drawing.picture(frame, seat, NAME)
            assert NAME not in picture
            boards = [place for place in holding.places if place.name != "GRAVEYARD"]
            standing = [each for place in boards for each in place.stands if each]
            assert sorted(re.findall(PIECES[game], picture)) == sorted(standing)
            assert picture.count('class="ring"') == sum(len(place.came) for place in boards)
            rings += picture.count('class="ring"')
    assert rings >= len(frames) // 2


@pytest.mark.parametrize(("name", "seats", "rules"), TABLES)
def test_hand_board_and_points_are_of_the_moment_before_the_decision(
    name: str, seats: int, rules: str | None
) -> None:
    """A frame draws what the seats saw when they were asked for the first of its choices."""
    found, _ = _replay(name, seats, rules)
    drawing = drawing_of(FORMATS[name].game)
    frames, steps = drawing.frames(found), iter(found.steps)
    for frame in frames:
        step = next(steps)
        seen = drawing.open(step.state.table)
        assert frame.shared == tuple(
            place._replace(came=shown.came, chosen=shown.chosen)
            for place, shown in zip(seen.shared, frame.shared, strict=True)
        )
        for seat, holding in enumerate(frame.seats):
            open_ = seen.seats[seat]
            assert [place[:2] for place in holding.places] == [place[:2] for place in open_.places]
            assert (holding.parts, holding.total) == (open_.parts, open_.total)
            hand = step.state.view(seat).hand
            assert list(holding.hand) == [getattr(each, "name", each) for each in hand]
        of_turn = [step]
        while sum(len(each.choices) for each in of_turn) < len(frame.decisions):
            of_turn.append(next(steps))
        for seat, holding in enumerate(frame.seats):
            marked = {place.name for place in holding.places if place.chosen}
            mine = [each.choices[seat] for each in of_turn if seat in each.choices]
            words = "settle" if FORMATS[name].game == "dino_twist" else "pen"
            assert marked == {getattr(choice, words) for choice in mine} - {None}
            assert drawing.picture(frame, seat, NAME).count(" touched") == len(marked)
    assert next(steps, None) is None


def test_a_round_of_dino_twist_shows_twist_island_and_graveyards() -> None:
    found, record = _replay("dino-twist", 4)
    drawing = drawing_of("dino_twist")
    for frame in drawing.frames(found):
        lives = [str(place.stands[0]) for place in frame.shared]
        assert sorted(re.findall(PIECES["dino_twist"], drawing.die(frame))) == sorted(lives)
        for seat, holding in enumerate(frame.seats):
            graves = holding.places[-1]
            picture = drawing.picture(frame, seat, "bot")
            assert all(f">{entry}<" in picture for entry in graves.stands)
    last = drawing.frames(found)[-1].end
    assert last is not None
    assert any(holding.places[-1].stands for holding in last.seats)
    for step in found.steps:
        frame = drawing.open(step.state.table)
        assert [seat.hand for seat in frame.seats] == [()] * 4
        assert frame.decisions == ()
    parts = drawing.parts(record["games"])
    assert [sum(each.values()) for each in parts] == [seat.total for seat in last.seats]


def test_a_table_under_way_is_drawn_without_hands() -> None:
    found, _ = _replay("series", 4)
    for step in found.steps:
        frame = open_frame(step.state.table)
        assert [seat.hand for seat in frame.seats] == [()] * 4
        assert frame.decisions == ()
        points = step.state.result().totals
        assert tuple(seat.total for seat in frame.seats) == points
    assert tuple(s.total for s in open_frame(found.end.table).seats) == found.end.result().totals


def test_points_and_times_are_read_from_a_record() -> None:
    _, record = _replay("series", 3)
    drawing = drawing_of("draftosaurus")
    parts = drawing.parts(record["games"])
    assert [sum(each.values()) for each in parts] == record["totals"]
    assert [len(each) for each in drawing.timings(record["games"])] == [24, 24, 24]


def test_a_game_that_nobody_drew_is_told_in_words() -> None:
    found, record = _replay("winter", 3)
    drawing = drawing_of("unknown")
    assert drawing is plain.DRAWING
    frames = drawing.frames(found)
    assert len(frames) == len(found.steps)
    end = frames[-1].end
    assert end is not None
    assert [seat.total for seat in end.seats] == record["totals"]
    assert frames[0].decisions[0].choice == str(found.steps[0].choices[0])


def test_the_six_dinosaurs_differ_in_outline_letters_and_colour() -> None:
    shapes = list(dinosaurs.SHAPES.values())
    assert len({shape.outline for shape in shapes}) == 6
    assert len({shape.letters for shape in shapes}) == 6
    sheet = (dinosaurs.__file__ or "").replace("drawing/dinosaurs.py", "static/paddock.css")
    with open(sheet, encoding="utf-8") as file:
        text = file.read()
    colours = [
        re.search(rf"^\.{name} {{ fill: (#\w+); }}$", text, re.M) for name in dinosaurs.SHAPES
    ]
    assert len({found[1] for found in colours if found}) == 6
