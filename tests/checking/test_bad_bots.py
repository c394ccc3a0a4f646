"""A bot with one mistake fails the point that is about it, and no other."""

import asyncio
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import Popen

import pytest

from paddock_server.checking.check import POINTS, check
from paddock_server.checking.report import PointResult

BOTS = str(Path(__file__).with_name("bots.py"))
PROCESSOR = 0  # of this machine
BUSY = f"import os; os.sched_setaffinity(0, [{PROCESSOR}])\nwhile True: pass"
BUSY_PROCESSES = 4
AT_ONCE = 6  # most of a check is waiting, so several can be under way

# The mistake: the point that fails, and its sentence.
REFUSED = {
    "Exits": ("hello", r"it did not connect; its process ended with exit code 3"),
    "WrongProtocol": (
        "hello",
        r"it speaks protocol 9, not 1; a server refuses this with protocol/too_new",
    ),
    "OtherName": (
        "hello",
        r"its name is 'somebody', not checked; take the name from PADDOCK_BOT",
    ),
    "UnknownFormat": ("hello", r"there is no format 'spring'; there are summer, .*format/unknown"),
    "KnowsOther": (
        "hello",
        r"the client knows no format of this server; there are summer, .*format/unknown",
    ),
    "PongsFirst": ("hello", r"its first item is pong; send Hello first, and once per stream"),
}
MUTE = {
    "NeverConnects": ("hello", r"it did not connect within 3 s$"),
    "SaysNothing": ("hello", r"it called Play and sent nothing; send Hello first"),
    "CallsElsewhere": (
        "hello",
        r"it called /paddock.v1.BotService/AddBot; call Play of ArenaService",
    ),
}
PLAYING = {
    "NoNonce": ("format summer", r"its Hello says sends_nonces, but no nonce came within 1 s"),
    "ShortNonce": ("format summer", r"its nonce has 8 bytes; send 16"),
    "Illegal": (
        "format summer",
        r"it answered (\d+) to ask \d+, which has \1 choices; numbers go from 0 to \d+",
    ),
    "Malformed": ("format summer", r"it sent an unreadable answer to ask \d+"),
    "WrongAskId": ("format summer", r"it answered ask \d+, an unknown one; repeat the ask_id"),
    "FallsBack": (
        "format summer",
        r"no choice of its own for ask \d+: its client fell back on the default, KeyError: 'pen'$",
    ),
    "Resigns": ("format summer", r"it resigned its match of summer"),
    "Crashes": (
        "format summer",
        r"it ended the stream, which should stay open; its process ended with exit code 4",
    ),
}
PINGED = {
    "IgnoresPings": (["ping"], r"it did not answer a Ping within 2 s; send Pong at once"),
    "WrongPong": (["ping"], r"it answered Ping 7000000007 with Pong 2705032711; repeat the id"),
}
REPEATED = {
    "Talkative": (["duplicated ask"], r"it answered ask \d+ \d+ times, but got it 3 times"),
}
CONFUSED = {
    "OneAtATime": (
        ["many matches", "several asks"],
        r"it had 11.20 s for ask \d+ \(summer\), and did not answer",
    ),
    "OneItemAFrame": (
        ["several asks", "slow choose"],
        r"it did not answer a Ping within 2 s while it was asked to choose",
    ),
    "Blocks": (
        ["slow choose"],
        r"it did not answer a Ping within 2 s while it was asked to choose; let choose run beside",
    ),
    "Forgetful": (
        ["duplicated ask"],
        r"it answered ask \d+ with PLACE .*, and when the ask was repeated with PLACE .*; repeat",
    ),
    "Repeats": (
        ["changed ask"],
        r"it answered (\d+) to ask \d+, which has \d+ choices; numbers go from 0 to \d+",
    ),
    "Sulks": (
        ["refused answer"],
        r"it had 11.20 s for ask \d+ \(summer\), and did not answer",
    ),
    "AnswersTheDead": (["late ask"], r"it answered 4000000 to ask \d+, which has \d+ choices"),
    "DiesOfRefusal": (
        ["refused answer", "late ask"],
        r"it ended the stream, .*ended with exit code 1",
    ),
    "DiesOfTheUnknown": (["unknown item"], r"it ended the stream, .*ended with exit code 1"),
    "Strict": (["unknown field"], r"it ended the stream, .*ended with exit code 1"),
}
DEALING = {
    "NeverCommits": (
        ["two-step nonce"],
        r"its Hello says commits_nonces, but no NonceCommitment came within 1 s",
    ),
    "ShowsAtOnce": (
        ["two-step nonce"],
        r"it showed its nonce after MatchStarted; send only the digest before NonceCommitments",
    ),
    "ShowsAnother": (
        ["two-step nonce"],
        r"the SHA-256 of its nonce is not the digest that it sent before",
    ),
    "CommitsAnew": (
        ["two-step nonce"],
        r"it sent another digest when MatchStarted was repeated; repeat the first one",
    ),
    "TrustsTheServer": (
        ["two-step nonce"],
        r"it showed its nonce after NonceCommitments without its digest",
    ),
    "ForgetsItsWord": (
        ["two-step nonce"],
        r"it showed its nonce after a MatchStarted without commit_nonces; its digest binds it",
    ),
    "ForgetsDigests": (
        ["two-step nonce"],
        r"it showed its nonce after other digests of the other seats than before; keep it then",
    ),
}
LOST = {
    "DiesOfLoss": (
        ["lost connection", "ended meanwhile", "restarted server"],
        r"it did not come back after the .*; its process ended with exit code 1",
    ),
    "LosesToken": (
        ["lost connection", "ended meanwhile", "restarted server"],
        r"it came back with resume token '', not 'resume-\d+'; send the one of the last Welcome",
    ),
    "NewNonce": (
        ["lost connection", "restarted server"],
        r"it sent another nonce when MatchStarted was repeated; repeat the first nonce",
    ),
    "ForgetsMatches": (
        ["lost connection", "restarted server"],
        r"it had .* s for ask \d+ .*, and did not answer",
    ),
    "Forgetful": (
        ["lost connection", "restarted server"],
        r"it answered ask \d+ with PLACE .*, and with PLACE .* when it came back",
    ),
    "Clings": (["ended meanwhile"], r"it had .* s for ask \d+ .*, and did not answer"),
    "DiesOfRestart": (
        ["restarted server"],
        r"it did not come back after the server was gone for 1.5 s; .* exit code 6",
    ),
}
FROZEN = {
    "Deaf": (
        ["frozen server"],
        r"it did not connect again within 30 s after the server froze; turn on the keepalive",
    ),
}
LEAVING = {
    "Impatient": (
        ["goodbye"],
        r"it came back after 0\.\d+ s; Goodbye asked it to stay away for 1.50",
    ),
    "Insulted": (
        ["goodbye", "other address"],
        r"it did not come back after Goodbye .*; its process ended with exit code 5",
    ),
    "LeavesAtOnce": (
        ["other address"],
        r"it left the address of Goodbye after one lost connection",
    ),
    "Persistent": (
        ["refused session"],
        r"it came back by itself after auth/bad_token \(UNAUTHENTICATED\)",
    ),
    "Content": (
        ["refused session"],
        r"its process ended with exit code 0 after auth/bad_token; end with another code",
    ),
    "Stubborn": (["replaced"], r"it came back by itself after session/replaced"),
    "IgnoresTerm": (
        ["stopped"],
        r"it did not end within 5 s after SIGTERM; end the stream and exit",
    ),
    "DiesOfTerm": (
        ["stopped"],
        r"it got SIGTERM; end the stream and exit with code 0; its process was ended by SIGTERM",
    ),
    "ResignsAtTerm": (["stopped"], r"it resigned when it got SIGTERM; just end the stream"),
}
GROUPS = {
    "pinged": (PINGED, ["ping", "tight time"]),
    "repeated": (REPEATED, ["duplicated ask", "late ask"]),
    "confused": (CONFUSED, POINTS[2:12]),
    "dealing": (DEALING, ["lost connection", "two-step nonce"]),
    "lost": (LOST, ["lost connection", "ended meanwhile", "restarted server"]),
    "frozen": (FROZEN, ["frozen server", "restarted server"]),
    "leaving": (LEAVING, POINTS[16:]),
}


def _check(*names: str, patience: float = 6.0, only: Sequence[str] = ()) -> list[list[PointResult]]:
    async def all_of_them() -> list[list[PointResult]]:
        free = asyncio.Semaphore(AT_ONCE)

        async def one(name: str) -> list[PointResult]:
            async with free:
                return await check([sys.executable, BOTS, name], patience=patience, only=only)

        return await asyncio.gather(*map(one, names))

    return asyncio.run(all_of_them())


@contextmanager
def busy_processor() -> Iterator[None]:
    """The first processor has more to do than it can."""
    with ExitStack() as stack:
        for _ in range(BUSY_PROCESSES):
            process = stack.enter_context(Popen([sys.executable, "-c", BUSY]))
            stack.callback(process.kill)
        yield


def _fails(outcomes: list[PointResult], points: list[str], sentence: str) -> PointResult:
    """The first failure, after checking that exactly these points failed, with this sentence."""
    failures = [each for each in outcomes if each.passed is False]
    assert [each.point for each in failures] == points, failures
    for failure in failures:
        assert re.search(sentence, failure.sentence), failure
    return failures[0]


def test_good_bots_on_bare_grpc_pass() -> None:
    good, typed, commits = _check("Good", "Typed", "Commits")
    unused = {"two-step nonce": "not used", "other address": "not used"}
    for outcomes, expected in ((good, unused), (typed, unused), (commits, {})):
        assert {each.point: each.word for each in outcomes if not each.passed} == expected
        assert [each.point for each in outcomes if not each.point.startswith("format")] == list(
            POINTS
        )


@pytest.mark.parametrize(
    ("mistakes", "patience"),
    [(REFUSED, 6.0), (MUTE, 3.0), (PLAYING, 6.0)],
    ids=["refused", "mute", "playing"],
)
def test_a_mistake_in_play_fails_one_point(
    mistakes: dict[str, tuple[str, str]], patience: float
) -> None:
    for (point, sentence), outcomes in zip(
        mistakes.values(), _check(*mistakes, patience=patience), strict=True
    ):
        _fails(outcomes, [point], sentence)
        if point == "hello":
            assert [each.passed for each in outcomes] == [False] + [None] * (len(outcomes) - 1)
            assert outcomes[-1].sentence == "not reached: hello did not pass"
        elif point == "format summer":  # its only one: what needs a match can't be judged
            skipped = [each.point for each in outcomes if each.word == "skipped"]
            assert skipped[0] == "tight time"
            assert skipped[-1] == "stopped"
            assert "goodbye" not in skipped
        else:  # the bot is started anew, and the other points are judged
            assert "skipped" not in {each.word for each in outcomes}


@pytest.mark.parametrize("group", GROUPS)
def test_a_mistake_in_trouble_fails_the_points_about_it(group: str) -> None:
    mistakes, only = GROUPS[group]
    for (points, sentence), outcomes in zip(
        mistakes.values(), _check(*mistakes, only=only), strict=True
    ):
        _fails(outcomes, points, sentence)
        assert [each.point for each in outcomes][1:] == [each for each in POINTS if each in only]
        assert "skipped" not in {each.word for each in outcomes}


def test_nonces_may_be_late_once() -> None:
    points = ["many matches", "late ask"]
    once, always = _check("OneLateNonce", "LateNonce", only=points)
    assert {each.word for each in once} == {"passed"}, once
    forgiven = [bool(re.search(r"a nonce took \d\.\d s, which", each.sentence)) for each in once]
    assert forgiven == [False, True, False]
    late = r"its Hello says sends_nonces, but no nonce came within 1 s"
    _fails(always, points, late)


def test_a_machine_that_is_busy_is_not_the_fault_of_a_bot() -> None:
    """The bots share a processor with others: one that needs it waits, one that sleeps is late."""
    with busy_processor():
        starved, sleepy = _check("Starved", "Sleepy", patience=60.0, only=["ping"])
    assert {each.word for each in starved} == {"passed"}, starved
    _fails(sleepy, ["ping"], r"it did not answer a Ping within 2 s; send Pong at once")


def test_a_slow_bot_fails_where_time_is_tight_and_the_report_says_by_how_much() -> None:
    (outcomes,) = _check("TooSlow", only=["tight time", "many matches"])
    failure = _fails(
        outcomes, ["tight time"], r"it had 0.40 s for ask \d+ \(summer\), and took \d\.\d\d s"
    )
    assert any("ask {" in line and "time_ms: 300" in line for line in failure.exchange)
    assert any("bot:" in line and "choice {" in line for line in failure.exchange)


def test_the_report_holds_the_exchange_and_the_last_output() -> None:
    crashed, exited, broken = _check("Crashes", "Exits", "FallsBack")
    failure = next(each for each in crashed if each.passed is False)
    assert failure.output[-1] == "out of memory"
    text = "\n".join(failure.exchange)
    assert "referee: " in text
    assert re.search(r"ask \{ match_id: \"\w{26}\" ask_id: \d+ .* without view, choices", text)
    assert failure.exchange[-1].endswith("(the stream ended, and not by the referee)")
    assert max(map(len, failure.exchange)) < 300
    assert exited[0].output == ("I can't find my configuration",)
    assert exited[0].exchange == ()
    assert exited[0].as_json() == {
        "point": "hello",
        "outcome": "failed",
        "passed": False,
        "sentence": "it did not connect; its process ended with exit code 3",
        "exchange": [],
        "output": ["I can't find my configuration"],
    }
    failure = next(each for each in broken if each.passed is False)
    assert failure.output[:2] == ("Traceback (most recent call last):", "KeyError: 'pen'")
