"""Compact records: they expand to the bytes that `write_record` gives, now and for ever."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_games import FORMATS, PlayedMatch, Timing, game_of, read_record, verify
from paddock_server.referee.plan import Deal
from paddock_server.store.compact import BadCompact, compact, expand
from paddock_server.store.records import deal_in, packed, record_text, unpacked
from tests.store.examples import examples, played
from tests.store.opened import played_match

DATA = Path(__file__).parents[1] / "data" / "records"
EXAMPLES = list(examples())
FORMS = (1, 2, 3)
RECORDS = {form: (DATA / f"compact_{form}.jsonl").read_text().splitlines() for form in FORMS}
STORED = {form: (DATA / f"compact_{form}.hex").read_text().splitlines() for form in FORMS}


@pytest.mark.parametrize(
    ("form", "number"), [(form, number) for form in FORMS for number in range(len(RECORDS[form]))]
)
def test_what_was_stored_once_expands_to_the_same_bytes_for_ever(form: int, number: int) -> None:
    """If this fails, databases out there give other records than before: make a new form."""
    stored, record = bytes.fromhex(STORED[form][number]), RECORDS[form][number]
    assert stored[0] == form
    assert unpacked(stored) == record
    assert compact(expand(stored)) == stored
    verify(read_record(unpacked(stored)))


def test_the_stored_ones_are_of_every_kind() -> None:
    for form in FORMS:
        formats = {read_record(record).value["format"] for record in RECORDS[form]}
        assert formats == set(FORMATS)
        assert len(STORED[form]) == len(RECORDS[form])
    records = [read_record(record).value for record in RECORDS[1]]
    assert {len(record["seats"]) for record in records} == {2, 3, 4, 5, 6}
    versions = {(record["game"], record.get("rules_version", 1)) for record in records}
    assert versions == {("draftosaurus", 1), ("dino_twist", 1), ("dino_twist", 2)}
    text = "\n".join(RECORDS[1])
    for said in ("TIMEOUT", "RESIGNED", '"fallback"', '"nonce_late"', '"nonce_digest"',
                 '"forfeit_step"', '"clock"', '"charge_ms"', '"version":2'):  # fmt: skip
        assert said in text
    assert any('"clock"' not in record for record in RECORDS[1])
    assert all('"host_ms"' in record for record in RECORDS[2])
    assert all('"cpu_share"' in record for record in RECORDS[3])
    assert {'"host_ms"' in record for record in RECORDS[3]} == {False, True}
    assert not any('"cpu_share"' in record for form in (1, 2) for record in RECORDS[form])


@pytest.mark.parametrize("match", EXAMPLES, ids=lambda match: match.match.format)
def test_a_match_of_every_kind_comes_back(match: PlayedMatch) -> None:
    stored = packed(match)
    assert unpacked(stored) == record_text(match)
    seats = match.match.seats
    deal = Deal(match.match.seed.hex(), tuple(seated.nonce.hex() for seated in seats))
    assert deal_in(stored) == deal
    verify(read_record(unpacked(stored)))
    noted = match._replace(steps=expand(stored).steps)  # which have the numbers of all choices
    assert packed(noted) == stored


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(sorted(FORMATS)), st.integers(0, 2**32))
def test_any_match_comes_back(data: st.DataObject, form: str, seed: int) -> None:
    seats = data.draw(st.integers(*FORMATS[form].seats))
    match = played(Random(seed), form, seats, game_of(form).rules(None))
    assert unpacked(packed(match)) == record_text(match)


_TIMES: Any = st.one_of(
    st.floats(min_value=0, max_value=1e4),
    st.floats(allow_nan=False),
    st.integers(0, 10**9).map(lambda number: number / 1000),
    st.integers(-5, 10**20),
    st.sampled_from((0, 0.0, -0.0, 0.0005, 1e300)),
)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.none() | st.tuples(_TIMES, _TIMES, st.none() | _TIMES, _TIMES)))
def test_times_come_back_to_the_last_digit(times: list[tuple[Any, ...] | None]) -> None:
    """Also where some decisions were timed and others not, and where a time is not a float."""
    match = played_match("two-player")
    given_times = iter(times)
    steps = []
    for step in match.steps:
        timings = {}
        for seat in step.state.to_move:
            if (values := next(given_times, None)) is not None:
                ms, lag, charge, host = values
                timings[seat] = Timing(ms, lag, None, charge, None, host)
        steps.append(step._replace(timings=timings))
    match = match._replace(steps=tuple(steps))
    assert unpacked(packed(match)) == record_text(match)


@pytest.mark.parametrize("at", [1, 5, 40, 200, -1])
def test_a_damaged_record_is_refused(at: int) -> None:
    damaged = bytearray(packed(EXAMPLES[0]))
    damaged[at] ^= 1
    with pytest.raises(BadCompact, match="damaged"):
        unpacked(bytes(damaged))


def test_a_form_from_tomorrow_is_refused() -> None:
    with pytest.raises(BadCompact, match="does not know"):
        unpacked(b"\x04" + packed(EXAMPLES[0])[1:])


def test_a_form_is_written_only_where_an_earlier_one_can_not_hold_the_match() -> None:
    for match in EXAMPLES:
        shared = any(seated.cpu_share for seated in match.match.seats)
        assert packed(match)[0] == (3 if shared else 1)
    assert {packed(match)[0] for match in EXAMPLES} == {1, 3}


def test_compact_means_compact() -> None:
    sizes = [(len(packed(match)), len(record_text(match))) for match in EXAMPLES]
    assert all(small * 5 < large for small, large in sizes)
