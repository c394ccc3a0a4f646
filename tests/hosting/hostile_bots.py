"""Hostile bots: programs that are handed in, do harm where they can, and then play on."""

import json
import platform

from paddock_server.jails.syscalls import CLONE3, REFUSED
from tests.hosting.stage import GOOD

_TRY = """import json, os, subprocess, sys, time
def tell(what):
    for part in range(0, len(what), 4000):
        print(what[part : part + 4000], end="", file=sys.stderr)
    print(file=sys.stderr, flush=True)
def attempt(*words):
    done = subprocess.run(["python3", "/bot/attacks.py", *words], capture_output=True, text=True)
    tell("TRIED " + json.dumps([words[0], done.stdout.strip(), done.stderr[-300:]]))
"""
_END = "tell('ALL TRIED')\n"


def spy(port: int, abstract: str) -> str:
    """Hostile submissions 16 to 19: looks for a way out, for secrets, and for strong calls."""
    numbers = json.dumps({**REFUSED[platform.machine()], "clone3": CLONE3})
    return (
        _TRY
        + f"attempt('network', '{port}', '{abstract}')\n"
        + "attempt('families')\nattempt('secrets')\nattempt('setuid')\nattempt('limits')\n"
        + f"attempt('calls', {numbers!r})\n"
        + "attempt('read', '/etc/shadow', '/etc/passwd', '/home', '/var', '/run', '/srv')\n"
        + _END
        + GOOD
    )


_IN_A_MATCH = """from paddock import run_from_command_line
from paddock.bots.greedy import GreedyBot
class Hostile(GreedyBot):
    begun = False
    def choose(self, ask):
        if not Hostile.begun:
            Hostile.begun = True
            subprocess.Popen(["python3", "/bot/attacks.py", "ATTACK"])
            time.sleep(1)
        return super().choose(ask)
sys.argv[1:] = []
run_from_command_line(Hostile())
"""

BOMBER = _TRY + _IN_A_MATCH.replace("ATTACK", "fork_bomb")
"""Hostile submission 11: has as many processes as it can have, and plays."""

GLUTTON = _TRY + _IN_A_MATCH.replace("ATTACK", "memory_many")
"""Hostile submission 12: eight processes hold more memory than a jail may have."""

FLOOD = _TRY + "for _ in range(300):\n    print('x' * 9999, file=sys.stderr)\n" + GOOD
"""Hostile submission 15: prints 3 MB before it plays."""

STAYER = (
    _TRY
    + """import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    for number, sent in ((-1, signal.SIGTERM), (1, signal.SIGKILL)):
        try:
            os.kill(number, sent)
        except OSError:
            pass
    time.sleep(600)
time.sleep(0.5)
"""
    + GOOD
)
"""Hostile submission 20: kills what it can, and leaves a daemon that does not want to end."""

CALLER = (
    _TRY
    + """import grpc, socket
from paddock.v1 import arena_pb2, bot_pb2, bot_pb2_grpc, arena_pb2_grpc
kept = []
for _ in range(200):
    kept.append(socket.socket(socket.AF_UNIX))
    kept[-1].connect("/paddock.sock")
channel = grpc.insecure_channel("unix:/paddock.sock")
def code(call):
    try:
        call()
        return "OK"
    except grpc.RpcError as error:
        return error.code().name
def play(*frames):
    return lambda: list(arena_pb2_grpc.ArenaServiceStub(channel).Play(iter(frames), timeout=20))
def method(name):
    return lambda: channel.unary_unary(name)(b"", timeout=20)
large = arena_pb2.PlayRequest(items=[arena_pb2.BotItem(hello=arena_pb2.Hello(bot="x" * (1 << 20)))])
other = arena_pb2.Hello(bot="good", version="1", protocol=1, known_formats=["two-player"])
found = {
    "add": code(lambda: bot_pb2_grpc.BotServiceStub(channel).AddBot(
        bot_pb2.AddBotRequest(name="mallory"), timeout=20)),
    "match": code(method("/paddock.v1.MatchService/StartMatches")),
    "runner": code(method("/paddock.v1.RunnerService/ListRunners")),
    "reflection": code(method("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo")),
    "large": code(play(large)),
    "other name": code(play(arena_pb2.PlayRequest(items=[arena_pb2.BotItem(hello=other)]))),
}
for each in kept:
    each.close()
channel.close()
from paddock.bots.greedy import GreedyBot
class Caller(GreedyBot):
    version = "99"
    def choose(self, ask):
        if "while it plays" not in found:
            with socket.socket(socket.AF_UNIX) as more:
                found["while it plays"] = more.connect_ex("/paddock.sock")
            tell("TRIED " + json.dumps(["calls", json.dumps(found), ""]))
            tell("ALL TRIED")
        return super().choose(ask)
from paddock import run_from_command_line
sys.argv[1:] = []
run_from_command_line(Caller())
"""
)
"""Hostile submissions 21 and 22: calls other services, sends large frames, lies in Hello."""
