"""Versions of the rules: a record is replayed by the one that it was played by."""

import json
from pathlib import Path
from typing import Any, Final

import pytest
from tests.games.tables import TABLES, match, options, played
from tests.independent import dino_twist as independent

from paddock_games import GAMES, BadRecord, game_of, read_record, verify, write_record
from paddock_games.dino_twist import Rules1
from paddock_games.dino_twist.attack import targets
from paddock_games.record import PlayedMatch

# Written by `paddock simulate` when the rules of Dino Twist had version 1.
LINES: Final = (
    (Path(__file__).parents[1] / "data" / "records" / "dino_twist_1.jsonl").read_text().splitlines()
)
every_line = pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
every_table = pytest.mark.parametrize(("form", "seats"), TABLES)


def recorded(form: str, seats: int) -> dict[str, Any]:
    """The record of a match that was played at random."""
    one = match(form, seats)
    return write_record(one, *played(one))


@pytest.mark.parametrize("form", sorted({form for form, _ in TABLES}))
def test_rules_know_their_version_and_are_read_back_as_they_were_kept(form: str) -> None:
    game = game_of(form)
    for rules in options(form):
        assert rules.version == game.rules_version
        assert (
            game.rules_of_version(json.loads(json.dumps(rules._asdict())), rules.version) == rules
        )


@every_table
def test_a_record_says_its_version_unless_it_is_the_first(form: str, seats: int) -> None:
    version = game_of(form).rules_version
    record = recorded(form, seats)
    assert record.get("rules_version", 1) == version
    assert ("rules_version" in record) is (version > 1)
    for wrong in (0, version + 1, str(version), True, None):
        line = json.dumps({**record, "rules_version": wrong})
        with pytest.raises(BadRecord, match=f"^rules_version: .* from 1 to {version}, not"):
            verify(read_record(line))


@every_line
def test_a_record_of_version_1_checks_out(line: str) -> None:
    record = json.loads(line)
    replay = verify(read_record(line))
    assert isinstance(replay.match.rules, Rules1)
    assert write_record(*replay) == record
    independent.check(record)


def test_the_records_of_version_1_are_of_all_kinds() -> None:
    records = [json.loads(line) for line in LINES]
    kinds = {(record["format"], len(record["seats"])) for record in records}
    assert kinds == {table for table in TABLES if game_of(table[0]).name == "dino_twist"}
    for option, default in Rules1()._asdict().items():
        assert {record["rules"][option] for record in records} > {default}


def waived(replay: PlayedMatch) -> bool:
    """Whether a play that named no territory, although it had a target, went back to the hand."""
    after = [*(step.state for step in replay.steps[1:]), replay.end]
    return replay.match.rules.attack_with_play and any(
        choice.kind == "PLAY"
        and choice.at < 0
        and targets(choice, step.state.table.event, step.state.table.twist, named=False)
        and set(choice.codes) <= set(then.hands[seat])
        for step, then in zip(replay.steps, after, strict=True)
        for seat, choice in step.choices.items()
    )


def released(replay: PlayedMatch) -> bool:
    """Whether a Dino was discarded although the same territory of the own island was empty."""
    return any(
        choice.kind == "ATTACK"
        and choice.at >= 0 > choice.to
        and step.state.table.islands[seat][choice.at] < 0
        for step in replay.steps
        for seat, choice in step.choices.items()
    )


def test_what_version_1_allowed_is_in_its_records_and_is_refused_today() -> None:
    """So that the tests above could fail: the same matches are wrong by the rules of today."""
    replays = {line: verify(read_record(line)) for line in LINES}
    other = [line for line, replay in replays.items() if released(replay) or waived(replay)]
    assert any(released(replays[line]) for line in other)
    assert any(waived(replays[line]) for line in other)
    for line in other:
        then = replays[line].match.rules
        rules = {name: getattr(then, name) for name in GAMES["dino_twist"].rules(None)._fields}
        record = {**json.loads(line), "rules": rules, "rules_version": 2}
        with pytest.raises(BadRecord):
            verify(read_record(json.dumps(record)))


def test_rules_that_the_match_can_not_have_are_refused() -> None:
    for form, seats in (("dino-twist", "2"), ("dino-twist-small", "0")):
        record = recorded(form, 2)
        record["rules"]["small_seats"] = seats
        with pytest.raises(BadRecord, match=r"^rules\.small_seats: "):
            verify(read_record(json.dumps(record)))


def test_options_are_those_of_the_version() -> None:
    first, second = json.loads(LINES[0]), recorded("dino-twist", 2)
    for record, version in ((first, 2), (second, 1)):
        with pytest.raises(
            BadRecord, match=r"^rules: unknown option '(bury_by_species|claw_strengths)'"
        ):
            verify(read_record(json.dumps({**record, "rules_version": version})))
    del second["rules_version"]
    with pytest.raises(BadRecord, match=r"^rules: unknown option"):
        verify(read_record(json.dumps(second)))
