"""What every registered schedule promises whoever runs it."""

from collections import Counter, defaultdict
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.schedules import (
    SCHEDULES,
    BadSchedule,
    Entries,
    Next,
    Outcome,
    Seating,
    declare,
)
from tests.ladder.tournament import entries, finished, made, names, order, over, played

every_schedule = pytest.mark.parametrize("name", SCHEDULES)
seeds = st.integers(0, 2**32)


@every_schedule
@settings(max_examples=25)
@given(data=st.data())
def test_it_ends_with_every_planned_match_played_once(name: str, data: st.DataObject) -> None:
    schedule = made(name, data.draw(entries(name)))
    history = finished(schedule, data.draw(seeds))
    assert len({outcome.key for outcome in history}) == len(history) == schedule.planned()
    assert schedule.next(history) == Next((), done=True)


@every_schedule
@settings(max_examples=12)
@given(data=st.data())
def test_one_by_one_in_any_order_gives_the_same_tournament(name: str, data: st.DataObject) -> None:
    entry, seed = data.draw(entries(name, most=6)), data.draw(seeds)
    history = finished(made(name, entry), seed, Random(data.draw(seeds)))
    assert sorted(history) == sorted(finished(made(name, entry), seed))


@every_schedule
@settings(max_examples=25)
@given(data=st.data())
def test_the_order_of_the_history_makes_no_difference(name: str, data: st.DataObject) -> None:
    """Nor does what the schedule was asked before."""
    entry, seed = data.draw(entries(name)), data.draw(seeds)
    schedule = made(name, entry)
    history = finished(schedule, seed)
    cut = data.draw(st.integers(0, len(history)))
    some = history[:cut]
    shuffled = list(some)
    Random(seed).shuffle(shuffled)
    assert schedule.next(some) == made(name, entry).next(shuffled)
    assert schedule.places(some) == made(name, entry).places(shuffled)


@every_schedule
@settings(max_examples=25)
@given(data=st.data())
def test_resuming_from_any_prefix_goes_on_identically(name: str, data: st.DataObject) -> None:
    entry, seed = data.draw(entries(name)), data.draw(seeds)
    whole = finished(made(name, entry), seed)
    history = whole[: data.draw(st.integers(0, len(whole)))]
    resumed = made(name, entry)
    while not (now := resumed.next(history)).done:
        history += [over(pairing, seed) for pairing in now.pairings]
    assert sorted(history) == sorted(whole)


@every_schedule
@settings(max_examples=25)
@given(data=st.data())
def test_tables_are_fair(name: str, data: st.DataObject) -> None:
    """Nobody twice at a table, nobody unknown, sizes as said, rotations complete."""
    entry = data.draw(entries(name))
    seats = {form.format: form for form in entry.formats}
    blocks = defaultdict(list)
    for outcome in finished(made(name, entry), data.draw(seeds)):
        form = seats[outcome.format]
        assert len(set(outcome.bots)) == len(outcome.bots)
        assert set(outcome.bots) <= set(entry.bots)
        assert 2 <= len(outcome.bots) <= form.seats
        if name != "knockout":
            assert len(outcome.bots) in (form.seats, max(form.seats - 1, form.least))
        blocks[outcome.block].append(outcome)
    for block in blocks.values():
        bots = block[0].bots
        turns = {bots[at:] + bots[:at] for at in range(len(bots))} if entry.rotations else {bots}
        assert Counter(outcome.bots for outcome in block) == Counter(turns)
        assert len({(outcome.format, outcome.round) for outcome in block}) == 1


@every_schedule
@settings(max_examples=25)
@given(data=st.data())
def test_in_a_round_every_bot_sits_at_one_table(name: str, data: st.DataObject) -> None:
    tables = defaultdict(set)
    for outcome in finished(made(name, data.draw(entries(name))), data.draw(seeds)):
        for bot in outcome.bots:
            tables[outcome.format, outcome.round, bot].add(frozenset(outcome.bots))
    assert all(len(sat) == 1 for sat in tables.values())


@every_schedule
@settings(max_examples=15)
@given(data=st.data())
def test_places_name_everybody_once(name: str, data: st.DataObject) -> None:
    entry = data.draw(entries(name))
    history = finished(made(name, entry), data.draw(seeds))
    for cut in {0, len(history) // 2, len(history)}:
        assert sorted(order(made(name, entry), history[:cut])) == sorted(entry.bots)


def entry_for(name: str) -> Entries:
    entry = Entries(names(8), (Seating("summer", 4, least=3),))
    if name == "swiss":
        return entry._replace(rounds=2)
    return entry._replace(challenger="bot00") if name == "gauntlet" else entry


@every_schedule
def test_the_strong_are_placed_first(name: str) -> None:
    entry = entry_for(name)._replace(blocks=12)
    schedule = made(name, entry._replace(bots=entry.bots[::-1]))
    history: list[Outcome] = []
    while not (now := schedule.next(history)).done:
        history += [played(pairing, luck=0) for pairing in now.pairings]
    assert order(schedule, history)[0] == "bot00"


@every_schedule
def test_a_foreign_history_is_refused(name: str) -> None:
    schedule = made(name, entry_for(name))
    first = over(schedule.next([]).pairings[0])
    foreign = [
        [first, first],
        [first._replace(key="summer/r1/t99/0")],
        [first._replace(format="winter")],
        [first._replace(bots=first.bots[::-1])],
        [first._replace(block="summer/r1/t1/b7")],
        [first._replace(ranks=first.ranks[1:])],
    ]
    for history in foreign:
        with pytest.raises(BadSchedule, match=r"^history: summer/\S+ .") as refusal:
            schedule.next(history)
        assert refusal.value.where == "history"


@every_schedule
def test_a_schedule_remembers_nothing_of_another_history(name: str) -> None:
    schedule = made(name, entry_for(name))
    for seed in range(4):
        history = finished(schedule, seed)
        assert history == finished(made(name, entry_for(name)), seed)


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_rounds_that_another_past_led_to_are_refused(name: str) -> None:
    schedule = made(name, entry_for(name))
    history = finished(schedule)
    turned = [
        outcome._replace(ranks=tuple(5 - rank for rank in outcome.ranks))
        if outcome.round == 1
        else outcome
        for outcome in history
    ]
    with pytest.raises(BadSchedule, match=r"^history: summer/r2/t1/0 was played by .* changed"):
        schedule.next(turned)


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_a_voided_match_of_an_earlier_round_is_played_again(name: str) -> None:
    schedule = made(name, entry_for(name))
    history = finished(schedule)
    voided = next(outcome for outcome in history if outcome.round == 1)
    rest = [outcome for outcome in history if outcome != voided]
    assert [pairing.key for pairing in schedule.next(rest).pairings] == [voided.key]
    assert schedule.next([*rest, voided]).done


@every_schedule
@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("bots", {"bots": ()}),
        ("bots", {"bots": ("a", "b", "c", "d", "a")}),
        ("formats", {"formats": ()}),
        ("formats", {"formats": (Seating("summer", 4), Seating("summer", 3))}),
        ("seats", {"formats": (Seating("summer", 9),)}),
        ("seats", {"formats": (Seating("summer", 1, 1),)}),
        ("seats", {"formats": (Seating("summer", 2, least=3),)}),
        ("seats", {"bots": ("a", "b", "c")}),
        ("blocks", {"blocks": 0}),
    ],
)
def test_impossible_entries_are_refused(name: str, field: str, changes: dict[str, object]) -> None:
    entry = Entries(**{**entry_for(name)._asdict(), **changes})
    with pytest.raises(BadSchedule, match=rf"^{field}: ") as refusal:
        made(name, entry)
    assert refusal.value.where == field


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("round-robin", "rounds", 3),
        ("round-robin", "advance", 1),
        ("round-robin", "challenger", "bot00"),
        ("round-robin", "groups", 0),
        ("round-robin", "groups", 100_000),
        ("swiss", "rounds", None),
        ("swiss", "rounds", 0),
        ("swiss", "groups", 3),
        ("gauntlet", "challenger", None),
        ("gauntlet", "challenger", "nobody"),
        ("gauntlet", "rounds", 3),
        ("knockout", "advance", 0),
        ("knockout", "advance", 4),
        ("knockout", "rounds", 3),
    ],
)
def test_fields_are_refused_where_they_have_no_use(name: str, field: str, value: object) -> None:
    entry = Entries(**{**entry_for(name)._asdict(), field: value})
    with pytest.raises(BadSchedule, match=rf"^{field}: "):
        made(name, entry)


def test_who_is_away_is_last() -> None:
    (first, *_) = made("round-robin", entry_for("round-robin")).next([]).pairings
    away = declare(first, [first.bots[2], first.bots[0]])
    assert (away.ranks, away.declared) == ((3, 1, 3, 1), True)
    assert declare(first, first.bots).ranks == (1, 1, 1, 1)
    for nobody in ([], ["stranger"]):
        with pytest.raises(BadSchedule, match=r"^away: "):
            declare(first, nobody)
