"""A tournament's file: what it says, and what is refused before anything starts."""

import pytest

from paddock_games.dino_twist import Rules1
from paddock_ladder.schedules import SCHEDULES, Seating
from paddock_server.basics.toml_file import BadFile
from paddock_server.referee.clock import Clock
from paddock_server.store.tournaments import TournamentRow
from paddock_server.tournaments.definition import (
    Definition,
    definition_of,
    read_definition,
    stored_definition,
)

BOTS = 'bots = ["ada", "bob", "cyd", "dan"]\n'
LEAST = 'name = "cup"\nschedule = "round-robin"\nformats = ["two-player"]\n' + BOTS
TWIST = (
    'name = "cup"\nschedule = "round-robin"\nseats = {}\nformats = ["dino-twist{}"]\n'
    + BOTS
    + "[rules]\n"
)


def test_what_is_not_said_has_its_default() -> None:
    made = read_definition(LEAST)
    assert (made.name, made.schedule, made.rated) == ("cup", "round-robin", True)
    assert made.formats == (Seating("two-player", 2, 2),)
    assert made.names == ("ada", "bob", "cyd", "dan")
    assert made.clock == Clock()
    assert made.patience_seconds == 300.0
    assert not any(bot.command for bot in made.bots)
    assert made.fixtures.planned() == 6  # six pairs, once each
    assert not made.rotations


@pytest.mark.parametrize(
    ("last", "more", "rotations"),
    [
        ('sample = "random"', "", True),  # the organiser starts all of them
        ("", "", False),
        ("", "rotations = true", True),
        ('sample = "random"', "rotations = false", False),
    ],
)
def test_who_connects_by_itself_plays_no_shared_deals_unless_the_file_says_so(
    last: str, more: str, rotations: bool
) -> None:
    head = 'name = "cup"\nschedule = "round-robin"\nformats = ["two-player"]\n'
    bots = f'[[bots]]\nname = "ada"\nsample = "random"\n[[bots]]\nname = "bob"\n{last}\n'
    made = read_definition(f"{head}{more}\n{bots}")
    assert made.rotations == rotations
    assert made.fixtures.planned() == (2 if rotations else 1)
    assert stored_definition(made.stored).rotations == rotations


def test_a_stored_tournament_from_before_keeps_its_rotations() -> None:
    made = read_definition(LEAST)
    assert stored_definition(made.stored).fixtures.planned() == 6
    assert stored_definition(made.stored._replace(rotations=None)).fixtures.planned() == 12


def test_everything_can_be_said() -> None:
    made = read_definition(
        """
        name = "spring-cup.2"
        schedule = "swiss"
        formats = ["summer", "two-player-winter"]
        seats = 3
        rounds = 2
        blocks = 2
        rotations = false
        rated = false
        patience_seconds = 0
        [clock]
        base = 2
        max_faults = 5
        [rules]
        quarantine_may_stay = true
        [[bots]]
        name = "ada"
        command = "node 'my bot.js' --fast"
        [[bots]]
        name = "bob"
        sample = "monte-carlo"
        [[bots]]
        name = "cyd"
        """
    )
    assert made.formats == (Seating("summer", 3, 3), Seating("two-player-winter", 2, 2))
    assert made.clock == Clock(base=2.0, max_faults=5)
    assert made.bots[0].command == ("node", "my bot.js", "--fast")
    assert made.bots[1].command[1:] == ("-m", "paddock.bots.monte_carlo")
    assert made.bots[2].command == ()
    assert set(made.rules) == {"summer", "two-player-winter"}
    assert all(rules._asdict()["quarantine_may_stay"] for rules in made.rules.values())
    assert made.patience_seconds == 0.0
    assert not made.rated


def test_a_tournament_is_kept_with_the_versions_of_its_rules() -> None:
    made = read_definition(TWIST.format(2, ""))
    assert made.stored == made.file._replace(rotations=False, rules_versions={"dino_twist": 2})
    assert _values(stored_definition(made.stored)) == _values(made)
    older = stored_definition(made.file._replace(rules={"bury_by_species": True}))
    assert older.rules == {"dino-twist": Rules1(bury_by_species=True)}
    assert _values(stored_definition(older.stored)) == _values(older)


def _values(definition: Definition) -> Definition:
    """All that a definition says; its schedule is an object that is made from it."""
    return definition._replace(contest=None, file=definition.stored)


@pytest.mark.parametrize("schedule", [*SCHEDULES, "ladder"])
def test_every_schedule_can_be_named(schedule: str) -> None:
    more = {"swiss": "rounds = 2\n", "gauntlet": 'challenger = "ada"\n'}.get(schedule, "")
    text = LEAST.replace("round-robin", schedule)
    assert read_definition(more + text).schedule == schedule


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "not TOML"),
        (LEAST + "colour = 1\n", "unknown key 'colour'"),
        (LEAST.replace('"cup"', '"a cup"'), "name 'a cup' is invalid: use up to 40"),
        (LEAST.replace('name = "cup"\n', ""), "name is missing"),
        (LEAST.replace("round-robin", "robin"), "schedule 'robin' is unknown; there are round-"),
        (LEAST.replace("two-player", "chess"), "unknown format 'chess'"),
        (LEAST.replace('["two-player"]', "[]"), "formats is empty"),
        (LEAST.replace('["two-player"]', "[1]"), "formats must be a string"),
        (LEAST + "seats = 0\n", "seats must be more than 0"),
        (LEAST.replace("two-player", "summer") + "seats = 9\n", "summer is played with"),
        (LEAST.replace("two-player", "summer") + "seats = 5\n", "4 bots can't fill a table of 5"),
        (LEAST.replace('"bob"', '"ada"'), "ada is entered 2 times"),
        (LEAST.replace('"bob"', '"house-bob"'), "bots[1].name 'house-bob' is invalid"),
        (LEAST.replace('"bob"', "2"), "bots[1] must be a name, or a table"),
        (LEAST.replace('"bob"', '{name = "b", sample = "best"}'), "no sample bot 'best'"),
        (LEAST.replace('"bob"', '{name = "b", sample = "greedy", command = "x"}'), "one of them"),
        (LEAST.replace('"bob"', '{name = "b", colour = 1}'), "unknown key 'colour'"),
        (LEAST.replace('"bob"', '{name = "b", command = "\'"}'), "bots[1]: No closing quotation"),
        (LEAST + "blocks = 0\n", "blocks must be more than 0"),
        (LEAST + "blocks = 1.5\n", "blocks must be a whole number"),
        (
            LEAST + "blocks = 1000000000\n",
            "6,000,000,000 matches are too many; the limit is 100,000",
        ),
        ("rounds = 1000000000\n" + LEAST.replace("round-robin", "swiss"), "2,000,000,000 matches"),
        (
            LEAST.replace("round-robin", "knockout") + "blocks = 99999\n",
            "the limit is 100,000; use fewer",
        ),
        (LEAST + "rounds = 3\n", "rounds: this schedule does not use it"),
        (LEAST + "matches = 3\n", "matches does not apply to a round-robin"),
        (
            LEAST.replace("round-robin", "ladder") + "blocks = 3\n",
            "blocks does not apply to a ladder",
        ),
        (LEAST + "[clock]\nbase = 0\n", "clock.base must be more than 0"),
        (LEAST + "[clock]\nhour = 1\n", "clock.hour is unknown"),
        (LEAST + "[rules]\nwinter = true\n", "winter"),
        (TWIST.format(4, "") + 'small_seats = "4"\n', "there is no seat 4, only 4 seats"),
        (TWIST.format(4, "-small") + 'small_seats = "1"\n', "island of dino-twist-small is small"),
        (
            TWIST.format(4, "").replace("round-robin", "knockout") + 'small_seats = "3"\n',
            "there is no seat 3, only 2 seats",
        ),
        (LEAST + "rules_versions = {dino_twist = 1}\n", "unknown key 'rules_versions'"),
    ],
)
def test_what_can_not_be_played_is_refused_in_a_sentence(text: str, words: str) -> None:
    with pytest.raises(BadFile) as refused:
        read_definition(text, "cup.toml")
    sentence = str(refused.value)
    assert words in sentence
    assert sentence.startswith("cup.toml")
    assert "\n" not in sentence


def test_a_stored_tournament_is_read_once() -> None:
    """Lists and progress bars ask several times per second; a schedule takes a while to make."""
    row = _stored("ada", "bob", "cyd")
    first = definition_of(row)
    assert definition_of(row._replace(definition=row.definition._replace())) is first
    other = definition_of(_stored("ada", "bob"))
    assert other.names == ("ada", "bob")
    assert definition_of(row).names == ("ada", "bob", "cyd")


def _stored(*bots: str) -> TournamentRow:
    text = f'name = "cup"\nschedule = "round-robin"\nformats = ["two-player"]\nbots = {list(bots)}'
    return TournamentRow("cup", read_definition(text).stored, "running", "2026-11-15T12:00:00.000Z")
