"""Dino Twist and the independent second reading of its rules agree over thousands of games."""

import json
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.tables import match, matches, of_game, options, played_out, resigned, states
from tests.independent import dino_twist as independent
from tests.independent.draftosaurus import Wrong

from paddock_games import FORMATS, GAMES, play, read_record, verify, write_record
from paddock_games.dino_twist.card import cards
from paddock_games.dino_twist.island import NOBODY, TWIST_ISLAND
from paddock_games.dino_twist.rules import TIES
from paddock_games.dino_twist.scoring import island_bonuses

GAME: Final = GAMES["dino_twist"]


def buries(view: Any, rng: Random) -> Any:
    """Takes the last choice there is, which is to bury whenever it can."""
    return view.legal[-1]


PLAYERS: Final = [*(brain for name, brain in GAME.brains.items() if name != "random"), buries]
CHUNKS: Final = 4
GAMES_A_CHUNK: Final = 200


def simulated(form: str, number: int) -> dict[str, Any]:
    """The record of one match: any seats, mostly random brains, half with other rules."""
    chooser = Random(f"{form} {number}")
    seats = chooser.randint(*FORMATS[form].seats)
    rules = None if chooser.random() < 0.5 else chooser.choice(options(form))
    one = match(form, seats, rules, chooser.getrandbits(64))
    one = one._replace(seats=[s._replace(forfeit=chooser.random() < 0.1) for s in one.seats])
    brains = [
        chooser.choice(PLAYERS) if chooser.random() < 0.2 else GAME.brains["random"]
        for _ in range(seats)
    ]
    if chooser.random() < 0.05:
        brains = [buries] * seats
    brains = [played_out if s.forfeit else b for s, b in zip(one.seats, brains, strict=True)]
    steps, end = play(one.start(), brains, [chooser] * seats)
    return write_record(one, resigned(one, steps), end)


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("form", sorted({form for form, _ in of_game("dino_twist")}))
def test_thousands_of_games_pass_the_independent_check(form: str, chunk: int) -> None:
    seats, shuffles, events = set(), 0, set()
    for number in range(chunk * GAMES_A_CHUNK, (chunk + 1) * GAMES_A_CHUNK):
        record = simulated(form, number)
        if number % 20 == 0:
            line = json.dumps(record)
            verify(read_record(line))
            record = json.loads(line)
        independent.check(record)
        seats.add(len(record["seats"]))
        shuffles += len(record["games"][0]["shuffled"])
        events |= {told["event"] for told in record["games"][0]["rounds"]}
    assert seats == {2, 3, 4, 5, 6}
    assert shuffles > 20
    assert events >= set(independent.events()) - {"VOLCANO"}


def told_again(state: Any) -> independent.Game:
    """The state as the independent rules have it, between a reveal and the attacks or before."""
    table, hands = state.table, state.hands
    game = independent.Game.__new__(independent.Game)
    rules = table.setting.rules
    game.rules, game.seats = independent.meant(rules._asdict(), rules.version), len(hands)
    form = table.setting.format
    game.small = [
        form == "dino-twist-small" or str(seat) in game.rules["small_seats"]
        for seat in range(game.seats)
    ]
    game.event = table.event.name if table.event.kind else ""
    game.hands = [[card.name for card in cards(hand)] for hand in hands]
    game.twist = dict(table.twist.as_dict())
    game.islands = [dict(island.as_dict()) for island in table.islands]
    game.discards = []
    return game


def expected(state: Any, seat: int) -> set[tuple[Any, ...]]:
    """What the seat may choose: all there is, tried one by one by the independent rules."""
    game, table = told_again(state), state.table
    hand = sorted(game.hands[seat], key=independent.in_order)
    several = {c for size in range(4) for c in combinations(hand, size)}
    if table.phase == "DISCARD":
        return {("DISCARD", c, None, None, None) for c in several}
    places: list[str | None] = [None, *independent.HOMES]
    if table.phase == "ATTACK":
        play = table.plays[seat]
        told = {"cards": [card.name for card in play.cards], "species": play.species}
        possible = game.targets(told)
        if game.rules["attack_with_play"]:
            possible = [place for place in possible if place == play.territory]
        tried = [{"territory": one, "settle": other} for one in places for other in places]
        return {
            ("ATTACK", (), None, attack["territory"], attack["settle"])
            for attack in tried
            if allowed(lambda a=attack: told_again(state).attack(seat, told, possible, a, ""))  # type: ignore[misc]
        }
    plays = [
        {"kind": kind, "cards": list(c), "species": species, "territory": place}
        for kind in ("PLAY", "BURY")
        for c in several
        for species in (None, *independent.SPECIES)
        for place in (places if game.rules["attack_with_play"] else (None, "SEA"))
    ]
    return {
        (play["kind"], tuple(play["cards"] or ()), play["species"], play["territory"], None)
        for play in plays
        if allowed(lambda p=play: game.check_play(seat, p, ""))  # type: ignore[misc]
    }


def allowed(check: Callable[[], None]) -> bool:
    """Whether the independent rules have nothing against it."""
    try:
        check()
    except Wrong:
        return False
    return True


@pytest.mark.parametrize(("form", "seats"), of_game("dino_twist"))
@settings(max_examples=2)
@given(data=st.data())
def test_legal_choices_agree_at_every_state(form: str, seats: int, data: st.DataObject) -> None:
    """Not only is what was chosen allowed: all that is allowed can be chosen, and nothing else."""
    chooser = Random(seats)
    for state in states(data.draw(matches(form, seats))):
        for seat in chooser.sample(state.to_move, min(1, len(state.to_move))):
            legal = [
                (c.kind, tuple(card.name for card in c.cards), c.species, c.territory, c.settle)
                for c in state.legal(seat)
            ]
            assert len(set(legal)) == len(legal)
            assert set(legal) == expected(state, seat)


@settings(max_examples=200)
@given(data=st.data(), ties=st.sampled_from(TIES))
def test_island_bonuses_agree_whoever_fills_up_when(data: st.DataObject, ties: str) -> None:
    """T15: random games hardly ever fill two islands in one round, so rounds are made up here."""
    seats = data.draw(st.integers(2, 6))
    when = data.draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats))
    totals = data.draw(st.lists(st.integers(2, 4), min_size=seats, max_size=seats))
    game = independent.Game.__new__(independent.Game)
    game.rules, game.seats, game.event = {"island_bonus_ties": ties}, seats, ""
    game.bonuses, game.filled, game.prizes = [0] * seats, [], [10, 5, 3]
    bonuses: tuple[int, ...] = (0,) * seats
    turns = sorted(range(seats), key=lambda seat: (totals[seat], seat))
    plays = [{"cards": [f"AQUA-{total}"], "species": "AQUA"} for total in totals]
    for number in range(4):
        full = [when[seat] <= number for seat in range(seats)]
        islands = [TWIST_ISLAND if each else NOBODY for each in full]
        bonuses = island_bonuses(
            bonuses, islands, ties, turns if ties == "in_turn" else range(seats)
        )
        game.islands = [{str(at): card for at, card in i.as_dict().items()} for i in islands]
        game.give_bonuses(plays)
        assert list(bonuses) == game.bonuses


@pytest.mark.parametrize(("form", "seats"), of_game("dino_twist"))
def test_the_independent_check_notices_lies(form: str, seats: int) -> None:
    """So that the test above can fail: each of these is a lie about one thing."""
    one = match(form, seats, None, 6)
    chooser = Random(3)
    good = write_record(one, *play(one.start(), [GAME.brains["random"]] * seats, [chooser] * seats))
    independent.check(good)
    told = good["games"][0]
    attacks = [(r, s) for r, now in enumerate(told["rounds"])
               for s, attack in enumerate(now["attacks"]) if attack]  # fmt: skip
    number, seat = attacks[-1]
    for path in (
        ("events", 0), ("hands", 0, 0), ("pile", 3), ("rounds", 0, "event"),
        ("rounds", 1, "plays", 0, "cards", 0), ("rounds", number, "attacks", seat, "territory"),
        ("rounds", number, "attacks", seat), ("scores", 0, "parts", "ISLAND"),
        ("rounds", 1, "plays", 0),
    ):  # fmt: skip
        record = json.loads(json.dumps(good))
        node: Any = record["games"][0]
        for key in path[:-1]:
            node = node[key]
        node[path[-1]] = None if isinstance(node[path[-1]], dict) else "VOLI-11"
        with pytest.raises((Wrong, IndexError)):
            independent.check(record)
