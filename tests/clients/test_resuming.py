"""A server freezes, is killed and comes back: bots of all languages go on, nobody is blamed."""

import json
import shlex
import signal
import time
import urllib.request
from contextlib import ExitStack
from pathlib import Path

from tests.cli.command import start
from tests.clients.building import Builder
from tests.clients.field import field
from tests.server.process import CALM, Process, Server, quiet_port, until

FORMAT = "two-player-series"  # the longest
GAMES = 60  # of every pair
FROZEN_S = 18.0  # longer than every keepalive


def _finished(server: Server) -> int:
    """How many matches are over, through all lives of the server; told with some delay."""
    with urllib.request.urlopen(f"http://{server.http}/api/home") as page:
        return int(json.load(page)["finished"])


def test_frozen_killed_and_started_again(builder: Builder, tmp_path: Path) -> None:
    entrants = field(builder, "random")
    where = f"127.0.0.1:{quiet_port()}"
    with Server(tmp_path / "server", config=CALM, grpc=where) as server, ExitStack() as bots:
        running = [
            bots.enter_context(
                Process(
                    tmp_path / f"{each.name}.log",
                    *shlex.split(each.command),
                    PADDOCK_SERVER=server.address,
                    PADDOCK_BOT=each.name,
                )
            )
            for each in entrants
        ]
        until("all bots", lambda: server.metric("paddock_sessions") == len(entrants))
        names = [each.name for each in entrants]
        for one, other in zip(names, [*names[1:], names[0]], strict=True):
            arguments = ("--format", FORMAT, "--bot", one, "--bot", other, "--games", GAMES)
            began = start("match", "start", *arguments, "--server", server.address)
            assert began.code == 0, began
        everything = GAMES * len(names)
        until("a finished match", lambda: server.metric("paddock_matches_total"))
        server.signal(signal.SIGSTOP)
        time.sleep(FROZEN_S)
        server.signal(signal.SIGCONT)
        thawed = server.metric("paddock_matches_total")
        until("play after the freeze", lambda: server.metric("paddock_matches_total") > thawed)
        server.kill()
        server.start()
        assert _finished(server) < everything
        until("all matches", lambda: _finished(server) == everything)
        assert [bot.code for bot in running] == [None] * len(running)
        server.terminate()
    records = tmp_path / "records.jsonl"
    exported = start("export", "--output", records, "--db", server.database)
    assert exported.code == 0, exported
    assert start("verify", records).code == 0
    matches = [json.loads(line) for line in records.read_text().splitlines()]
    assert len(matches) == everything
    for match in matches:
        text = json.dumps(match["games"])
        assert '"fault": "' not in text
        assert '"fallback"' not in text
