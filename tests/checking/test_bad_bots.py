"""A bot with one mistake fails the point that is about it, and no other."""

import asyncio
import re
import sys
from pathlib import Path

import pytest

from paddock_server.checking.check import check
from paddock_server.checking.report import Outcome

BOTS = str(Path(__file__).with_name("bots.py"))
AT_ONCE = 4  # most of a check is waiting, so several can be under way

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
    "IgnoresPings": ("ping", r"it did not answer a Ping within 2 s; send Pong at once"),
    "WrongPong": ("ping", r"it answered Ping 7000000007 with Pong 2705032711; repeat the id"),
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
CONFUSED = {
    "OneAtATime": ("many matches", r"it had 11.20 s for ask \d+ \(summer\), and did not answer"),
    "Forgetful": (
        "duplicated ask",
        r"it answered ask \d+ with PLACE .*, and when the ask was repeated with PLACE .*; repeat",
    ),
    "Talkative": ("duplicated ask", r"it answered ask \d+ \d+ times, but got it 3 times"),
    "AnswersTheDead": ("late ask", r"it answered 4000000 to ask \d+, which has \d+ choices"),
    "DiesOfRefusal": ("late ask", r"it ended the stream, .*ended with exit code 1"),
    "DiesOfTheUnknown": ("unknown item", r"it ended the stream, .*ended with exit code 1"),
}
LOST = {
    "DiesOfLoss": (
        "lost connection",
        r"it did not come back after the connection was lost; its process ended with exit code 1",
    ),
    "LosesToken": (
        "lost connection",
        r"it came back with resume token '', not 'resume-\d+'; send the one of the last Welcome",
    ),
    "NewNonce": (
        "lost connection",
        r"it sent another nonce when MatchStarted was repeated; repeat the first nonce",
    ),
    "ForgetsMatches": ("lost connection", r"it had .* s for ask \d+ .*, and did not answer"),
    "Impatient": (
        "goodbye",
        r"it came back after 0\.\d+ s; Goodbye asked it to stay away for 1.50",
    ),
    "Insulted": (
        "goodbye",
        r"it did not come back after Goodbye asked for 1.5 s; its process ended with exit code 5",
    ),
    "Stubborn": ("replaced", r"it came back by itself after session/replaced"),
}


def _check(*names: str, patience: float = 6.0) -> list[list[Outcome]]:
    async def all_of_them() -> list[list[Outcome]]:
        free = asyncio.Semaphore(AT_ONCE)

        async def one(name: str) -> list[Outcome]:
            async with free:
                return await check([sys.executable, BOTS, name], patience=patience)

        return await asyncio.gather(*map(one, names))

    return asyncio.run(all_of_them())


def _fails(outcomes: list[Outcome], point: str, sentence: str) -> Outcome:
    """The one failure, after checking that it is the only one and this one."""
    failures = [each for each in outcomes if each.passed is False]
    assert [each.point for each in failures] == [point], failures
    failure = failures[0]
    assert re.search(sentence, failure.sentence), failure
    return failure


@pytest.mark.parametrize("names", [["Good", "Typed"]])
def test_good_bots_on_bare_grpc_pass(names: list[str]) -> None:
    for outcomes in _check(*names):
        assert [each for each in outcomes if not each.passed] == []


@pytest.mark.parametrize(
    ("mistakes", "patience"),
    [(REFUSED, 6.0), (MUTE, 3.0), (PLAYING, 6.0), (CONFUSED, 6.0), (LOST, 6.0)],
    ids=["refused", "mute", "playing", "confused", "lost"],
)
def test_one_mistake_fails_one_point(mistakes: dict[str, tuple[str, str]], patience: float) -> None:
    for (point, sentence), outcomes in zip(
        mistakes.values(), _check(*mistakes, patience=patience), strict=True
    ):
        _fails(outcomes, point, sentence)
        if point == "hello":
            assert [each.passed for each in outcomes] == [False] + [None] * (len(outcomes) - 1)
            assert outcomes[-1].sentence == "not reached: hello did not pass"
        elif point == "format summer":  # its only one: what needs a match can't be judged
            skipped = [each.point for each in outcomes if each.passed is None]
            assert skipped[0] == "tight time"
            assert skipped[-1] == "lost connection"
            assert outcomes[-1].passed
        else:  # the bot is started anew, and the other points are judged
            assert None not in {each.passed for each in outcomes}


def test_a_slow_bot_fails_where_time_is_tight_and_the_report_says_by_how_much() -> None:
    (outcomes,) = _check("TooSlow")
    failure = _fails(
        outcomes, "tight time", r"it had 0.40 s for ask \d+ \(summer\), and took \d\.\d\d s"
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
        "passed": False,
        "sentence": "it did not connect; its process ended with exit code 3",
        "exchange": [],
        "output": ["I can't find my configuration"],
    }
    failure = next(each for each in broken if each.passed is False)
    assert failure.output[:2] == ("Traceback (most recent call last):", "KeyError: 'pen'")
