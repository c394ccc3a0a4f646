"""Bots on bare gRPC to be checked: a good one, and one for every mistake. `bots.py NAME`."""

import hashlib
import os
import queue
import random
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import grpc
from google.protobuf.unknown_fields import UnknownFieldSet

from paddock.v1 import arena_pb2, arena_pb2_grpc

Item = arena_pb2.BotItem
PROCESSOR = 0  # of this machine


class Good:
    """Plays number 0 or whatever comes, remembers its answers, and comes back."""

    protocol = 1
    formats: tuple[str, ...] = ("summer",)
    known_formats: tuple[str, ...] = ()
    max_matches = 3
    nonce_bytes = 0  # none is announced
    commits = False
    keepalive: tuple[tuple[str, int], ...] = (
        ("grpc.keepalive_time_ms", 10_000),
        ("grpc.keepalive_timeout_ms", 5_000),
        ("grpc.http2.ping_timeout_ms", 5_000),
    )

    def __init__(self) -> None:
        self.name = os.environ["PADDOCK_BOT"]
        self.server = os.environ["PADDOCK_SERVER"]
        self.token = ""
        self.answers: dict[object, int] = {}
        self.matches: list[str] = []
        self.out: queue.SimpleQueue[Item | None] = queue.SimpleQueue()

    def run(self) -> None:
        signal.signal(signal.SIGTERM, lambda *_: self.terminated())
        while True:
            self.out = queue.SimpleQueue()
            goodbye, welcomed, code = None, False, grpc.StatusCode.OK
            self.first()
            options = (*self.keepalive, ("grpc.use_local_subchannel_pool", 1))
            with grpc.insecure_channel(self.server, options) as channel:
                stub = arena_pb2_grpc.ArenaServiceStub(channel)
                try:
                    for frame in stub.Play(self.frames()):
                        welcomed = True
                        goodbye = self.hear_frame(frame.items) or goodbye
                except grpc.RpcError as error:
                    code = error.code()
                    print("the stream ended:", code.name, flush=True)  # noqa: T201
                finally:
                    self.out.put(None)
            self.ended(welcomed, code)
            time.sleep(self.wait(goodbye))

    def hear_frame(self, items: Sequence[arena_pb2.RefereeItem]) -> arena_pb2.Goodbye | None:
        """Hear all items; a Goodbye among them."""
        goodbye = None
        for item in items:
            if item.WhichOneof("item") == "goodbye":
                goodbye = item.goodbye
            else:
                self.hear(item)
        return goodbye

    def terminated(self) -> None:
        """Called at SIGTERM."""
        os._exit(0)

    def ended(self, welcomed: bool, code: grpc.StatusCode) -> None:
        """Called at the end of a stream."""
        if not welcomed and code is not grpc.StatusCode.UNAVAILABLE:
            sys.exit(2)

    def frames(self) -> Iterator[arena_pb2.PlayRequest]:
        while (item := self.out.get()) is not None:
            yield arena_pb2.PlayRequest(items=[item])

    def first(self) -> None:
        self.out.put(Item(hello=self.hello()))

    def hello(self) -> arena_pb2.Hello:
        return arena_pb2.Hello(
            bot=self.name,
            version="1",
            client="bare",
            protocol=self.protocol,
            formats=self.formats,
            known_formats=self.known_formats,
            max_matches=self.max_matches,
            resume_token=self.token,
            sends_nonces=bool(self.nonce_bytes),
            commits_nonces=self.commits,
        )

    def wait(self, goodbye: arena_pb2.Goodbye | None) -> float:
        """Seconds before coming back."""
        if goodbye is None:
            return 0.1
        if goodbye.return_after_ms == 0:
            sys.exit(0)
        return goodbye.return_after_ms / 1000

    def hear(self, item: arena_pb2.RefereeItem) -> None:
        kind = item.WhichOneof("item")
        if kind == "welcome":
            self.token = item.welcome.resume_token
        elif kind == "ping":
            self.pong(item.ping.id)
        elif kind == "match_started":
            self.started(item.match_started)
        elif kind == "match_ended":
            if item.match_ended.match_id in self.matches:
                self.matches.remove(item.match_ended.match_id)
        elif kind == "ask":
            self.ask(item.ask)
        elif kind == "refused":
            self.refused(item.refused)
        elif kind is None:
            self.unknown()

    def started(self, match: arena_pb2.MatchStarted) -> None:
        self.matches.append(match.match_id)
        if self.nonce_bytes:
            self.out.put(Item(nonce=arena_pb2.Nonce(match_id=match.match_id, nonce=self.nonce())))

    def nonce(self) -> bytes:
        return bytes(self.nonce_bytes)

    def pong(self, number: int) -> None:
        self.out.put(Item(pong=arena_pb2.Pong(id=number)))

    def ask(self, ask: arena_pb2.Ask) -> None:
        if ask.match_id in self.matches:
            key = self.key(ask)
            if key not in self.answers:
                self.answers[key] = self.choose(ask)
            self.answer(ask, self.answers[key])

    def key(self, ask: arena_pb2.Ask) -> object:
        """What makes it the same ask."""
        return ask.ask_id, ask.view.SerializeToString(deterministic=True)

    def choose(self, ask: arena_pb2.Ask) -> int:
        return random.randrange(len(ask.choices))

    def answer(self, ask: arena_pb2.Ask, number: int) -> None:
        self.out.put(Item(choice=arena_pb2.Choice(ask_id=ask.ask_id, number=number)))

    def refused(self, refused: arena_pb2.Refused) -> None:
        pass

    def unknown(self) -> None:
        pass


class Typed(Good):
    """Answers with choices, not with numbers, and sends nonces."""

    nonce_bytes = 16
    max_matches = 0  # stands for 1

    def answer(self, ask: arena_pb2.Ask, number: int) -> None:
        self.out.put(Item(choice=arena_pb2.Choice(ask_id=ask.ask_id, choice=ask.choices[number])))


class NeverConnects(Good):
    def run(self) -> None:
        time.sleep(600)


class Exits(Good):
    def run(self) -> None:
        print("I can't find my configuration", flush=True)  # noqa: T201
        sys.exit(3)


class WrongProtocol(Good):
    protocol = 9


class OtherName(Good):
    def hello(self) -> arena_pb2.Hello:
        self.name = "somebody"
        return super().hello()


class UnknownFormat(Good):
    formats = ("summer", "spring")


class KnowsOther(Good):
    formats = ()
    known_formats = ("spring",)


class SaysNothing(Good):
    def first(self) -> None:
        pass


class PongsFirst(Good):
    def first(self) -> None:
        self.pong(1)


class CallsElsewhere(Good):
    def run(self) -> None:
        with grpc.insecure_channel(os.environ["PADDOCK_SERVER"]) as channel:
            call: Any = channel.unary_unary("/paddock.v1.BotService/AddBot")
            try:
                call(b"", timeout=5)
            except grpc.RpcError:
                time.sleep(600)


class IgnoresPings(Good):
    def pong(self, number: int) -> None:
        pass


class WrongPong(Good):
    def pong(self, number: int) -> None:
        super().pong(number & 0xFFFFFFFF)  # keeps 32 bits of 64


class NoNonce(Good):
    nonce_bytes = 16

    def hear(self, item: arena_pb2.RefereeItem) -> None:
        if item.HasField("match_started"):
            self.matches.append(item.match_started.match_id)
        else:
            super().hear(item)


class LateNonce(Good):
    """Sends its nonces so late that the referee has dealt without them."""

    nonce_bytes = 16
    seconds: tuple[float, ...] = (4.5, 30.0)  # the first takes, and every other one

    def nonce(self) -> bytes:
        seconds, *later = self.seconds
        self.seconds = tuple(later) or (seconds,)
        time.sleep(seconds)
        return super().nonce()


class OneLateNonce(LateNonce):
    seconds = (4.5, 0.0)


class Starved(Good):
    """Computes for every pong, on a processor that others want too."""

    seconds = 0.6

    def pong(self, number: int) -> None:
        os.sched_setaffinity(0, [PROCESSOR])
        self.work()
        super().pong(number)

    def work(self) -> None:
        until = time.process_time() + self.seconds
        while time.process_time() < until:
            pass


class Sleepy(Starved):
    """Sleeps longer than it takes Starved to compute."""

    def work(self) -> None:
        time.sleep(30.0)


class ShortNonce(Good):
    nonce_bytes = 8


class Illegal(Good):
    def choose(self, ask: arena_pb2.Ask) -> int:
        return len(ask.choices)


class Malformed(Good):
    def answer(self, ask: arena_pb2.Ask, number: int) -> None:
        self.out.put(Item(choice=arena_pb2.Choice(ask_id=ask.ask_id)))


class WrongAskId(Good):
    def answer(self, ask: arena_pb2.Ask, number: int) -> None:
        ask.ask_id &= 0xFFFF
        super().answer(ask, number)


class FallsBack(Good):
    """Its client answers for it, after it has told what went wrong."""

    def answer(self, ask: arena_pb2.Ask, number: int) -> None:
        print("Traceback (most recent call last):\nKeyError: 'pen'", flush=True)  # noqa: T201
        choice = arena_pb2.Choice(ask_id=ask.ask_id, number=0, fallback="KeyError:\n'pen'")
        self.out.put(Item(choice=choice))


class NewNonce(Good):
    """Draws a nonce whenever a match is told, also when it is told again."""

    nonce_bytes = 16

    def nonce(self) -> bytes:
        return random.randbytes(self.nonce_bytes)


class Resigns(Good):
    def ask(self, ask: arena_pb2.Ask) -> None:
        self.out.put(Item(resign=arena_pb2.Resign(match_id=ask.match_id)))


class Crashes(Good):
    def choose(self, ask: arena_pb2.Ask) -> int:
        if len(self.answers) == 5:
            print("out of memory", flush=True)  # noqa: T201
            os._exit(4)
        return super().choose(ask)


class TooSlow(Good):
    """Takes its time where there is no bank to save."""

    def choose(self, ask: arena_pb2.Ask) -> int:
        time.sleep(0.0 if ask.bank_ms else 1.2)
        return super().choose(ask)


class OneAtATime(Good):
    """Says it plays several matches at once, and follows only the last that began."""

    def ask(self, ask: arena_pb2.Ask) -> None:
        if self.matches[-1:] == [ask.match_id]:
            super().ask(ask)


class Forgetful(Good):
    """Chooses anew whenever an ask is told, and never twice alike."""

    count = 0

    def ask(self, ask: arena_pb2.Ask) -> None:
        self.answers.clear()
        super().ask(ask)

    def choose(self, ask: arena_pb2.Ask) -> int:
        self.count += 1
        return self.count % len(ask.choices)


class Talkative(Good):
    def answer(self, ask: arena_pb2.Ask, number: int) -> None:
        for _ in range(4):
            super().answer(ask, number)


class AnswersTheDead(Good):
    """Answers an ask of a match that is over with a number of its own."""

    def ask(self, ask: arena_pb2.Ask) -> None:
        if ask.match_id in self.matches:
            super().ask(ask)
        else:
            self.answer(ask, 4_000_000)


class DiesOfRefusal(Good):
    def refused(self, refused: arena_pb2.Refused) -> None:
        raise ValueError(f"refused: {refused.reason}")


class DiesOfTheUnknown(Good):
    def unknown(self) -> None:
        raise ValueError("what is this?")


class DiesOfLoss(Good):
    def wait(self, goodbye: arena_pb2.Goodbye | None) -> float:
        if goodbye is None:
            print("connection lost, giving up", flush=True)  # noqa: T201
            os._exit(1)
        return super().wait(goodbye)


class LosesToken(Good):
    def hello(self) -> arena_pb2.Hello:
        self.token = ""
        return super().hello()


class ForgetsMatches(Good):
    """Comes back, and waits for a new match."""

    def hear(self, item: arena_pb2.RefereeItem) -> None:
        if item.HasField("match_started") and item.match_started.match_id in self.matches:
            self.matches.remove(item.match_started.match_id)
        else:
            super().hear(item)


class Impatient(Good):
    def wait(self, goodbye: arena_pb2.Goodbye | None) -> float:
        return 0.1 if goodbye and goodbye.return_after_ms else super().wait(goodbye)


class Insulted(Good):
    def wait(self, goodbye: arena_pb2.Goodbye | None) -> float:
        if goodbye is not None:
            sys.exit(5)
        return super().wait(goodbye)


class Stubborn(Good):
    def wait(self, goodbye: arena_pb2.Goodbye | None) -> float:
        return super().wait(goodbye) if goodbye is None or goodbye.return_after_ms else 0.1


class Commits(Good):
    """Sends its nonce in two steps where it is asked to, and follows the address of Goodbye."""

    nonce_bytes = 16
    commits = True

    def __init__(self) -> None:
        super().__init__()
        self.own: dict[str, bytes] = {}
        self.bound_in: set[str] = set()  # the matches in which it sent a digest
        self.told: dict[str, list[bytes]] = {}  # the first digests of all seats, by match
        self.home = self.server

    def ended(self, welcomed: bool, code: grpc.StatusCode) -> None:
        if not welcomed:
            self.server = self.home
        super().ended(welcomed, code)

    def wait(self, goodbye: arena_pb2.Goodbye | None) -> float:
        if goodbye and goodbye.address:
            self.server = goodbye.address
        return super().wait(goodbye)

    def started(self, match: arena_pb2.MatchStarted) -> None:
        self.matches.append(match.match_id)
        self.own.setdefault(match.match_id, random.randbytes(16))
        if match.commit_nonces:
            self.bound_in.add(match.match_id)
            self.commit(match.match_id)
        elif match.match_id not in self.bound_in:
            self.show(match.match_id)

    def commit(self, match_id: str) -> None:
        digest = hashlib.sha256(self.own[match_id]).digest()
        message = arena_pb2.NonceCommitment(match_id=match_id, digest=digest)
        self.out.put(Item(nonce_commitment=message))

    def show(self, match_id: str) -> None:
        self.out.put(Item(nonce=arena_pb2.Nonce(match_id=match_id, nonce=self.own[match_id])))

    def hear(self, item: arena_pb2.RefereeItem) -> None:
        if item.HasField("nonce_commitments"):
            self.bound(item.nonce_commitments)
        else:
            super().hear(item)

    def bound(self, message: arena_pb2.NonceCommitments) -> None:
        mine = hashlib.sha256(self.own[message.match_id]).digest() in message.digests
        first = self.told.setdefault(message.match_id, list(message.digests))
        if mine and list(message.digests) == first:
            self.show(message.match_id)


class NeverCommits(Commits):
    def commit(self, match_id: str) -> None:
        pass


class ShowsAtOnce(Commits):
    def commit(self, match_id: str) -> None:
        super().commit(match_id)
        self.show(match_id)


class ShowsAnother(Commits):
    def show(self, match_id: str) -> None:
        self.own[match_id] = bytes(16)
        super().show(match_id)


class CommitsAnew(Commits):
    def commit(self, match_id: str) -> None:
        self.own[match_id] = random.randbytes(16)
        super().commit(match_id)


class TrustsTheServer(Commits):
    def bound(self, message: arena_pb2.NonceCommitments) -> None:
        self.show(message.match_id)


class ForgetsDigests(Commits):
    """Compares no digests with those of before."""

    def bound(self, message: arena_pb2.NonceCommitments) -> None:
        self.told.clear()
        super().bound(message)


class ForgetsItsWord(Commits):
    """Shows its nonce to whoever says that nobody commits, whatever was said before."""

    def started(self, match: arena_pb2.MatchStarted) -> None:
        if not match.commit_nonces:
            self.bound_in.clear()
        super().started(match)


class LeavesAtOnce(Commits):
    """Goes home after every lost connection."""

    def ended(self, welcomed: bool, code: grpc.StatusCode) -> None:
        self.server = self.home
        super().ended(welcomed, code)


class OneItemAFrame(Good):
    """Looks at nothing that follows an ask in its frame."""

    max_matches = 1

    def hear_frame(self, items: Sequence[arena_pb2.RefereeItem]) -> arena_pb2.Goodbye | None:
        asks = [number for number, item in enumerate(items) if item.HasField("ask")]
        return super().hear_frame(items[: asks[0] + 1] if asks else items)


class Blocks(Good):
    """Chooses on the thread that reads, and takes its time where there is much."""

    def choose(self, ask: arena_pb2.Ask) -> int:
        time.sleep(6.0 if ask.time_ms > 3000 else 0.0)
        return super().choose(ask)


class Repeats(Good):
    """Knows an ask by its id alone."""

    def key(self, ask: arena_pb2.Ask) -> object:
        return ask.ask_id

    def choose(self, ask: arena_pb2.Ask) -> int:
        return len(ask.choices) - 1


class Sulks(Good):
    """Gives up on a match in which it was refused."""

    last = ""

    def ask(self, ask: arena_pb2.Ask) -> None:
        self.last = ask.match_id
        super().ask(ask)

    def refused(self, refused: arena_pb2.Refused) -> None:
        if self.last in self.matches:
            self.matches.remove(self.last)


class Strict(Good):
    def hear(self, item: arena_pb2.RefereeItem) -> None:
        if item.HasField("match_started") and len(UnknownFieldSet(item.match_started)):
            raise ValueError("unknown fields")
        super().hear(item)


class Clings(Good):
    """Takes no match before its last one has ended before its eyes."""

    max_matches = 1

    def started(self, match: arena_pb2.MatchStarted) -> None:
        if not self.matches or match.match_id in self.matches:
            super().started(match)


class DiesOfRestart(Good):
    def ended(self, welcomed: bool, code: grpc.StatusCode) -> None:
        if not welcomed:
            os._exit(6)


class Deaf(Good):
    """Does not notice that the server is silent."""

    keepalive = ()


class Persistent(Good):
    def ended(self, welcomed: bool, code: grpc.StatusCode) -> None:
        pass


class Content(Good):
    """Ends as if nothing had happened when it is refused."""

    def ended(self, welcomed: bool, code: grpc.StatusCode) -> None:
        if not welcomed and code is grpc.StatusCode.UNAUTHENTICATED:
            os._exit(0)


class IgnoresTerm(Good):
    def terminated(self) -> None:
        pass


class DiesOfTerm(Good):
    def terminated(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)


class ResignsAtTerm(Good):
    stopping = False

    def terminated(self) -> None:
        for match_id in self.matches:
            self.out.put(Item(resign=arena_pb2.Resign(match_id=match_id)))
        self.out.put(None)  # the call ends when all of it has been read
        self.stopping = True

    def ended(self, welcomed: bool, code: grpc.StatusCode) -> None:
        if self.stopping:
            os._exit(0)
        super().ended(welcomed, code)


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
