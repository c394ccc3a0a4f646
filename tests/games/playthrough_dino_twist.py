"""A match of Dino Twist written out for people to read and to diff."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from paddock_games import Match, Step

LEGEND: Final = """\
A5 is an AQUA of strength 5, K KARNI, H HERBI, V VOLI; * carries a claw. Islands are written
mountains cliff | jungle desert | riverside hill | beach sea; - is an empty territory."""


def short(cards: Iterable[Any]) -> str:
    """A letter and a number for each card."""
    words = [f"{c.species[0]}{c.strength}{'*' * c.claw}" if c else "-" for c in cards]
    return " ".join(words) or "nothing"


def shown_island(island: Any) -> str:
    """An island by pairs of territories."""
    pairs = (("MOUNTAINS", "CLIFF"), ("JUNGLE", "DESERT"), ("RIVERSIDE", "HILL"), ("BEACH", "SEA"))
    return " | ".join(short(island.card(place) for place in pair) for pair in pairs)


def shown(choice: Any) -> str:
    """A choice in short words."""
    if choice.kind == "ATTACK":
        if choice.territory is None:
            return "waives the attack"
        where = f"settles in {choice.settle}" if choice.settle else "lets it go"
        return f"attacks {choice.territory}, {where}"
    named = f" as {choice.species}" if len({c.species for c in choice.cards}) > 1 else ""
    at = f" at {choice.territory}" if choice.territory else ""
    return f"{choice.kind} {short(choice.cards)}{named if choice.kind == 'PLAY' else ''}{at}"


def step_lines(step: Step, begins: bool) -> Iterator[str]:
    """What everybody saw, how many choices they had, and what they chose."""
    state = step.state
    table = state.table
    if begins:
        yield ""
        yield f"Round {table.round + 1}: {table.event}"
        yield f"  Twist Island  {shown_island(table.twist)}"
        for seat, island in enumerate(table.islands):
            graveyard = ", ".join(map(short, state.view(seat).graveyards[seat])) or "empty"
            yield f"  {seat} island      {shown_island(island)}   graveyard {graveyard}"
    for seat, choice in sorted(step.choices.items()):
        hand = f"hand {short(state.view(seat).hand):<27}"
        after = f"pile {table.pile_size}"
        holds = hand if table.phase != "ATTACK" else f"acts, {after:<26}"
        yield f"  {seat} {holds} {len(state.legal(seat)):>3} legal: {shown(choice)}"


def lines(one: Match, steps: Sequence[Step], end: Any) -> Iterator[str]:
    """The whole match."""
    last = -1
    for step in steps:
        now = step.state.table.round
        yield from step_lines(step, now != last)
        last = now
    yield ""
    yield "The end"
    for seat, score in enumerate(end.table.scores()):
        points = " + ".join(f"{part} {n}" for part, n in score.parts.items())
        yield f"  {seat} island      {shown_island(end.table.islands[seat])}"
        yield f"    {points} = {score.total}, claws {score.claws}"
    for number, pile in enumerate(end.deal.shuffled):
        yield f"shuffle {number + 1} of the discard pile made a pile of {len(pile)}"
    yield ""
    yield f"totals  {' '.join(map(str, end.result().totals))}"
    yield f"ranks   {' '.join(map(str, end.result().ranks()))}"
