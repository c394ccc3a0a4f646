"""Bots on bare gRPC to be checked: a good one, and one for every mistake. `bots.py NAME`."""

import os
import queue
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import grpc

from paddock.v1 import arena_pb2, arena_pb2_grpc

Item = arena_pb2.BotItem


class Good:
    """Plays number 0 or whatever comes, remembers its answers, and comes back."""

    protocol = 1
    formats: tuple[str, ...] = ("summer",)
    known_formats: tuple[str, ...] = ()
    max_matches = 3
    nonce_bytes = 0  # none is announced

    def __init__(self) -> None:
        self.name = os.environ["PADDOCK_BOT"]
        self.token = ""
        self.answers: dict[int, int] = {}
        self.matches: list[str] = []
        self.out: queue.SimpleQueue[Item | None] = queue.SimpleQueue()

    def run(self) -> None:
        while True:
            self.out = queue.SimpleQueue()
            goodbye, welcomed = None, False
            self.first()
            with grpc.insecure_channel(os.environ["PADDOCK_SERVER"]) as channel:
                stub = arena_pb2_grpc.ArenaServiceStub(channel)
                try:
                    for frame in stub.Play(self.frames()):
                        for item in frame.items:
                            welcomed = True
                            if item.WhichOneof("item") == "goodbye":
                                goodbye = item.goodbye
                            else:
                                self.hear(item)
                except grpc.RpcError as error:
                    print("the stream ended:", error.code().name, flush=True)  # noqa: T201
                finally:
                    self.out.put(None)
            if not welcomed:
                sys.exit(2)
            time.sleep(self.wait(goodbye))

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
            self.matches.append(item.match_started.match_id)
            if self.nonce_bytes:
                nonce = arena_pb2.Nonce(match_id=self.matches[-1], nonce=self.nonce())
                self.out.put(Item(nonce=nonce))
        elif kind == "match_ended":
            if item.match_ended.match_id in self.matches:
                self.matches.remove(item.match_ended.match_id)
        elif kind == "ask":
            self.ask(item.ask)
        elif kind == "refused":
            self.refused(item.refused)
        elif kind is None:
            self.unknown()

    def nonce(self) -> bytes:
        return bytes(self.nonce_bytes)

    def pong(self, number: int) -> None:
        self.out.put(Item(pong=arena_pb2.Pong(id=number)))

    def ask(self, ask: arena_pb2.Ask) -> None:
        if ask.match_id in self.matches:
            if ask.ask_id not in self.answers:
                self.answers[ask.ask_id] = self.choose(ask)
            self.answer(ask, self.answers[ask.ask_id])

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
    def ask(self, ask: arena_pb2.Ask) -> None:
        self.answers.clear()
        super().ask(ask)


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


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
