"""Late entries, bots that leave and corrected results: every schedule goes on and ends."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_ladder.schedules import (
    SCHEDULES,
    BadSchedule,
    Correction,
    Departure,
    Entries,
    LateEntry,
    Outcome,
    Seating,
)
from paddock_ladder.schedules.changes import departed, everybody, without
from tests.ladder.event import Event
from tests.ladder.tournament import ended, entries, finished, made, names, order, over, played

every_schedule = pytest.mark.parametrize("name", SCHEDULES)
seeds = st.integers(0, 2**32)
DUEL = (Seating("two-player", 2),)


@every_schedule
@settings(max_examples=40)
@given(data=st.data())
def test_whatever_changes_it_ends_and_pairs_nobody_who_left(name: str, data: st.DataObject) -> None:
    event = Event(name, data.draw(entries(name, most=7)), data.draw(seeds))
    results: dict[str, Outcome] = {}
    for change in event.play():
        now = event.next()
        assert not any(event.gone.intersection(pairing.bots) for pairing in now.pairings)
        wanted = {pairing.key for pairing in now.pairings}
        wanted |= {outcome.key for outcome in now.forfeits}
        assert set(event.waiting) <= wanted  # what was begun is never taken back
        if isinstance(change, Correction):
            results.pop(change.was.key, None)
            assert change.was.key in wanted
        assert results.items() <= event.history.items()  # nobody loses a result
        results = dict(event.history)
    assert not event.waiting
    bots = everybody(event.entry.bots, event.entry.changes)
    for history in (list(event.history.values()), list(event.history.values())[:3]):
        places = order(event.schedule, history)
        assert sorted(places) == sorted(bots)
        out = departed(event.entry.changes, disqualified=True).intersection(bots)
        assert set(places[len(bots) - len(out) :]) == out


@every_schedule
@settings(max_examples=25)
@given(data=st.data())
def test_the_same_changes_and_results_give_the_same_schedule(
    name: str, data: st.DataObject
) -> None:
    """As after a restart: nothing else is remembered, and the order of results is of no matter."""
    event = Event(name, data.draw(entries(name, most=7)), data.draw(seeds))
    kept = event.schedule
    shuffling = Random(1)
    for change in event.play():
        if change is not None:
            kept = event.schedule
        history = list(event.history.values())
        shuffling.shuffle(history)
        assert kept.next(history) == event.next()
        assert kept.places(history) == event.schedule.places(list(event.history.values()))


@every_schedule
@settings(max_examples=25)
@given(data=st.data())
def test_a_change_before_it_begins_is_as_if_it_had_been_entered_so(
    name: str, data: st.DataObject
) -> None:
    entry = data.draw(entries(name))
    bots = entry.bots
    nobody: dict[str, int] = {}
    changed = entry._replace(
        bots=bots[:-1], changes=(LateEntry(bots[-1], nobody), LateEntry("bot99", nobody),
                                 Departure("bot99", nobody))
    )  # fmt: skip
    if entry.challenger != bots[-1] and len(bots) > max(form.seats for form in entry.formats):
        seed = data.draw(seeds)
        history = finished(made(name, entry), seed)
        assert finished(made(name, changed), seed) == history
        assert made(name, changed).places(history) == made(name, entry).places(history)


def round_robin(
    *changes: LateEntry | Departure, bots: int = 4, groups: int | None = None
) -> Entries:
    return Entries(names(bots), DUEL, groups=groups, changes=changes)


def test_round_robin_a_late_entry_meets_all_who_are_there() -> None:
    late = LateEntry("bot09", {"two-player": 3})
    gone = Departure("bot01", {"two-player": 3})
    before = made("round-robin", round_robin()).next([]).pairings
    now = made("round-robin", round_robin(gone, late)).next([])
    added = now.pairings[len(before) - 6 :]  # six matches of the one that left
    assert {frozenset(pairing.bots) for pairing in added} == {
        frozenset(("bot09", other)) for other in ("bot00", "bot02", "bot03")
    }
    assert [pairing.key for pairing in added if pairing.round == 4] == [
        "two-player/r4/t1/0", "two-player/r4/t1/1",
    ]  # fmt: skip
    assert {outcome.bots.count("bot01") for outcome in now.forfeits} == {1}
    assert len(now.forfeits) == 6
    for outcome in now.forfeits:
        assert outcome.declared
        assert outcome.ranks[outcome.bots.index("bot01")] == 2


def test_round_robin_a_late_entry_to_a_sample_gets_as_many_groups_as_the_others() -> None:
    late = LateEntry("bot99", {"two-player": 1})
    entry = round_robin(late, bots=10, groups=15)  # everybody is in three
    matches = made("round-robin", entry._replace(rotations=False)).next([]).pairings
    assert sum("bot99" in pairing.bots for pairing in matches) == 3


def test_gauntlet_a_late_entry_meets_the_challenger() -> None:
    late = LateEntry("bot99", {"two-player": 1})
    entry = Entries(names(3), DUEL, challenger="bot01", changes=(late,))
    (first, second) = [p for p in made("gauntlet", entry).next([]).pairings if "bot99" in p.bots]
    assert first.bots == ("bot01", "bot99")
    assert second.bots == ("bot99", "bot01")
    left = Departure("bot01", {"two-player": 1})
    with pytest.raises(BadSchedule, match="the challenger has left"):
        made("gauntlet", entry._replace(changes=(left, late)))


def swiss_round(entry: Entries, history: list[Outcome]) -> list[Outcome]:
    """The history with one round more."""
    now = made("swiss", entry).next(history)
    return [*history, *now.forfeits, *(played(pairing) for pairing in now.pairings)]


def test_swiss_a_late_entry_joins_the_next_round_with_nothing() -> None:
    entry = Entries(names(4), DUEL, rounds=3, rotations=False)
    history = swiss_round(entry, [])
    late = entry._replace(changes=(LateEntry("bot09", {"two-player": 1}),))
    assert order(made("swiss", late), history)[-1] == "bot09"
    now = made("swiss", late).next(history)
    assert {pairing.round for pairing in now.pairings} == {2}
    # Five bots: the last of the standing, which has nothing, has the bye.
    assert not any("bot09" in pairing.bots for pairing in now.pairings)
    now = made("swiss", late).next(swiss_round(late, history))
    assert any("bot09" in pairing.bots for pairing in now.pairings)


def test_swiss_who_withdraws_is_paired_no_more_and_scores_nothing() -> None:
    entry = Entries(names(6), DUEL, rounds=3, rotations=False)
    history = swiss_round(entry, [])
    left = entry._replace(changes=(Departure("bot00", {"two-player": 2}),))
    second = swiss_round(left, history)
    (forfeit,) = [outcome for outcome in second if outcome.declared]
    assert forfeit.bots.count("bot00") == 1
    assert forfeit.ranks[forfeit.bots.index("bot00")] == 2
    third = [outcome for outcome in swiss_round(left, second) if outcome.round == 3]
    assert len(third) == 2  # five are left, and one has a bye
    assert not any("bot00" in outcome.bots for outcome in third)


def test_knockout_takes_nobody_once_it_began_and_the_next_best_takes_a_free_place() -> None:
    entry = Entries(names(4), DUEL, rotations=False)
    with pytest.raises(BadSchedule, match="bot09 can't enter: the knockout has begun"):
        made("knockout", entry._replace(changes=(LateEntry("bot09", {"two-player": 1}),)))
    five = entry._replace(changes=(LateEntry("bot09", {}),))
    assert sum(len(p.bots) for p in made("knockout", five).next([]).pairings) == 4  # one bye
    one, two = made("knockout", entry).next([]).pairings
    history = [ended(one, 9, 5), ended(two, 9, 5)]
    left = entry._replace(changes=(Departure(one.bots[0], {"two-player": 1}),))
    (final,) = made("knockout", left).next(history).pairings
    assert set(final.bots) == {one.bots[1], two.bots[0]}
    # Once the final is made nobody comes back: it is declared.
    late = entry._replace(changes=(Departure(one.bots[0], {"two-player": 2}),))
    (walkover,) = made("knockout", late).next(history).forfeits
    assert walkover.bots[walkover.ranks.index(1)] == two.bots[0]
    assert order(made("knockout", late), [*history, walkover])[0] == two.bots[0]


@every_schedule
def test_who_is_disqualified_is_last_and_the_others_move_up(name: str) -> None:
    entry = Entries(names(6), DUEL, rounds=2 if name == "swiss" else None,
                  challenger="bot05" if name == "gauntlet" else None)  # fmt: skip
    history: list[Outcome] = []
    while not (now := made(name, entry).next(history)).done:
        history += [played(pairing, luck=0) for pairing in now.pairings]
    before = order(made(name, entry), history)
    rounds = {"two-player": max(outcome.round for outcome in history)}
    out = entry._replace(changes=(Departure(before[0], rounds, disqualified=True),))
    assert made(name, out).next(history).done
    assert order(made(name, out), history)[-1] == before[0]
    assert sorted(order(made(name, out), history)) == sorted(before)


def test_a_disqualified_bots_matches_count_as_lost() -> None:
    outcome = Outcome("k", "summer", tuple("abcd"), (1, 2, 2, 4), (9, 5, 5, 1), "b", 1, False)
    assert without(outcome, {"a"}) == outcome._replace(ranks=(4, 1, 1, 3))
    assert without(outcome, {"b", "d"}) == outcome._replace(ranks=(1, 3, 2, 3))
    assert without(outcome, set("abcd")).ranks == (1, 1, 1, 1)
    assert without(outcome, {"x"}) is outcome


@pytest.mark.parametrize("name", ["swiss", "knockout"])
def test_a_corrected_result_leaves_the_rounds_alone_that_were_made(name: str) -> None:
    entry = Entries(names(8), DUEL, rounds=3 if name == "swiss" else None, rotations=False)
    history: list[Outcome] = []
    for _ in range(2):
        history += [over(pairing) for pairing in made(name, entry).next(history).pairings]
    was = history[0]
    turned = was._replace(ranks=was.ranks[::-1], totals=was.totals[::-1])
    corrected = entry._replace(changes=(Correction(was, {"two-player": 2}),))
    now = made(name, corrected).next(history[1:])
    # The third round of a Swiss waits for it; who goes on in a knockout was decided before.
    final = [] if name == "swiss" else ["two-player/r3/t1/0"]
    assert [pairing.key for pairing in now.pairings] == [was.key, *final]
    third = made(name, corrected).next([turned, *history[1:]])
    assert {pairing.round for pairing in third.pairings} == {3}
    with pytest.raises(BadSchedule, match="was the tournament changed"):
        made(name, entry).next([turned, *history[1:]])


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ((LateEntry("bot00", {}),), "bots: bot00 is entered already"),
        ((Departure("bot9", {}),), "bots: bot9 is not entered"),
        ((Departure("bot00", {"two-player": 1}),) * 2, "bots: bot00 has left already"),
        (
            (Departure("bot00", {"two-player": 1}), LateEntry("bot00", {})),
            "bots: bot00 has left and can't enter again",
        ),
        ((Departure("bot00", {}), Departure("bot01", {}), Departure("bot02", {})), "seats: 1 bots"),
    ],
)
def test_changes_that_contradict_the_entries_are_refused(
    changes: tuple[LateEntry | Departure, ...], sentence: str
) -> None:
    with pytest.raises(BadSchedule, match=sentence):
        made("round-robin", round_robin(*changes))


def test_who_withdrew_can_still_be_disqualified() -> None:
    rounds = {"two-player": 1}
    entry = round_robin(Departure("bot00", rounds), Departure("bot00", rounds, disqualified=True))
    assert order(made("round-robin", entry), [])[-1] == "bot00"
