"""The drawing of Dino Twist: Twist Island, all islands and graveyards, by round."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from markupsafe import Markup

from paddock_games.dino_twist.card import CARDS, NAMES, Card, cards
from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.event import MEANS
from paddock_games.dino_twist.island import Island
from paddock_games.dino_twist.material import TERRITORIES
from paddock_games.dino_twist.state import State
from paddock_games.dino_twist.table import Table
from paddock_games.game import Step, Timing
from paddock_games.record import PlayedMatch
from paddock_server.web.drawing import islands, shores
from paddock_server.web.drawing.frame import (
    Decision,
    Drawing,
    Frame,
    Holding,
    Place,
    mark,
    timing_of,
)

GRAVEYARD: Final = "GRAVEYARD"
_KEYS: Final = ("plays", "attacks", "discards")  # of a round in a record
_PHASES: Final = {
    "PLAY": "everybody chooses a play",
    "ATTACK": "plays are resolved",
    "DISCARD": "hands are renewed",
    "OVER": "the game is over",
}


def name(word: str) -> str:
    """A territory, species, event or part in words."""
    return word.replace("_", " ").replace("-", " ").capitalize()


def frames(replay: PlayedMatch) -> tuple[Frame, ...]:
    """One frame per round of a finished match, with the hands."""
    rounds = [list(steps) for _, steps in groupby(replay.steps, lambda s: s.state.table.round)]
    afters: list[State] = [steps[0].state for steps in rounds[1:]] + [replay.end]
    turns: list[Frame] = []
    before: Table = rounds[0][0].state.table
    for steps, after in zip(rounds, afters, strict=True):
        first: State = steps[0].state
        then = _holdings(first.table, after.table)
        seats = []
        for seat, holding in enumerate(_holdings(before, first.table)):
            settled = {step.choices[seat].settle for step in steps if seat in step.choices}
            hand = tuple(card.name for card in cards(first.hands[seat]))
            gained = then[seat].total - holding.total
            places = mark(holding.places, settled)
            seats.append(holding._replace(places=places, hand=hand, gained=gained))
        frame = _frame(before, first.table, tuple(seats), len(rounds))
        attacked = {choice.territory for step in steps for choice in step.choices.values()}
        shared, decisions = mark(frame.shared, attacked), tuple(_decisions(steps))
        turns.append(frame._replace(shared=shared, decisions=decisions))
        before = first.table
    shared = tuple(_places(before.twist, replay.end.table.twist))
    end = frame._replace(title="The end", note="", die="NO_EVENT", seats=then, shared=shared)
    return (*turns[:-1], turns[-1]._replace(end=end))


def open_frame(table: Table) -> Frame:
    """The frame of a table under way: only what lies open."""
    frame = _frame(table, table, _holdings(table, table), table.round + 1)
    return frame._replace(title=f"{frame.title}: {_PHASES[table.phase]}")


def _holdings(before: Table, now: Table) -> tuple[Holding, ...]:
    """The holdings of all seats, without the hands; what was not there before is marked."""
    holdings = []
    for seat, score in enumerate(now.scores()):
        graves = tuple(_entry(entry) for entry in now.graveyards[seat])
        new = range(len(before.graveyards[seat]), len(graves))
        places = (
            *_places(before.islands[seat], now.islands[seat]),
            Place(GRAVEYARD, graves, tuple(new)),
        )
        holdings.append(Holding(places, (), score.parts, score.total))
    return tuple(holdings)


def _frame(before: Table, now: Table, seats: tuple[Holding, ...], rounds: int) -> Frame:
    event = now.event
    return Frame(
        turn=now.round + 1,
        turns=rounds,
        scene="TWIST_ISLAND",
        title=f"Round {now.round + 1}",
        note=f"{name(event.name)}: {MEANS[event.kind]}." if event.kind else "No event.",
        die=event.name if event.kind else "NO_EVENT",
        seats=seats,
        decisions=(),
        shared=tuple(_places(before.twist, now.twist)),
    )


def _places(before: Island, after: Island) -> Iterator[Place]:
    for number, territory in enumerate(TERRITORIES):
        lives = (NAMES[after[number]],) if after[number] >= 0 else ()
        yield Place(territory, lives, (0,) if lives and after[number] != before[number] else ())


def _entry(codes: tuple[int, ...]) -> str:
    return " + ".join(_short(CARDS[code]) for code in codes)


def _short(card: Card) -> str:
    return f"{card.species[0]}{card.strength}{'*' if card.claw else ''}"


def _decisions(steps: Sequence[Step]) -> Iterator[Decision]:
    for step in steps:
        for seat in sorted(step.choices):
            timing = step.timings.get(seat)
            yield Decision(seat, sentence(step.choices[seat]), *(timing or (None, None, None)))


def sentence(choice: Choice) -> str:
    """A choice in words."""
    if choice.kind == "ATTACK":
        if choice.territory is None:
            return "waives the attack"
        where = f"settles in {name(choice.settle)}" if choice.settle else "lets it go"
        return f"attacks {name(choice.territory)}, {where}"
    said = " + ".join(_short(card) for card in choice.cards) or "nothing"
    verb = {"PLAY": "plays", "BURY": "buries", "DISCARD": "discards"}[choice.kind]
    return f"{verb} {said}"


def picture(frame: Frame, seat: int, bot: str) -> Markup:
    """A seat's island and graveyard."""
    *places, graves = frame.seats[seat].places
    entries = [entry for entry in graves.stands if entry]
    return islands.island(places, entries, f"{bot}'s island. {_described(places)}.", name)


def die(frame: Frame) -> Markup:
    """Twist Island, which everybody attacks."""
    words = f"Twist Island. {_described(frame.shared)}. The event: {name(frame.die)}."
    return Markup('<div class="twist">{}</div>').format(
        islands.island(frame.shared, (), words, name)
    )


def _described(places: Sequence[Place]) -> str:
    lives = [f"{name(each.name)}: {name(each.stands[0] or '')}" for each in places if each.stands]
    return ", ".join(lives) or "It is empty"


def parts(games: Any) -> list[Mapping[str, int]]:
    """Points by part and seat."""
    return [score["parts"] for score in games[0]["scores"]]


def timings(games: Any) -> list[list[Timing]]:
    """The time of every decision by seat."""
    by_seat: list[list[Timing]] = [[] for _ in games[0]["scores"]]
    for now in games[0]["rounds"]:
        for key in _KEYS:
            for seat, decision in enumerate(now[key]):
                if decision is not None:
                    by_seat[seat].append(timing_of(decision))
    return by_seat


DRAWING: Final = Drawing(
    frames=frames,
    open=open_frame,
    picture=picture,
    die=die,
    token=islands.token,
    name=name,
    sprite=islands.sprite(),
    parts=parts,
    timings=timings,
    tie_break="",
    sights=lambda: shores.sights(picture, die),
)
