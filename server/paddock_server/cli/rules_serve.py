"""`paddock rules serve`: the rules for bots that search in other languages."""

import asyncio
import signal
import sys
from pathlib import Path

import click

from paddock_server.searching.lines import serve_lines, serve_socket
from paddock_server.searching.service import Service
from paddock_server.searching.shelf import MOST_STATES


@click.command("serve")
@click.option("--socket", "path", metavar="PATH", type=click.Path(path_type=Path),
              help="Listen on a local socket, where each connection is a bot.")  # fmt: skip
@click.option("--states", type=click.IntRange(1, 10_000_000), default=MOST_STATES,
              show_default=True, help="How many states are kept for a bot.")  # fmt: skip
def rules_serve(path: Path | None, states: int) -> None:
    """Answer questions about the rules: lines of JSON in, lines of JSON out.

    A bot in any language starts this command, sends the `started` of its match and the view of an
    ask, and gets states that it can search: legal, imagine, step, playout, score, many at once.
    docs/searching.md explains the lines. It ends when its input ends.

    \b
    For example
      echo '{"do": "match", "match": "m", "started": {"format": "summer", "seats": [1, 2, 3]}}' |
          paddock rules serve
    """
    if path is None:
        serve_lines(sys.stdin.buffer, sys.stdout.buffer, Service(states))
        return
    asyncio.run(_listen(path, states))


async def _listen(path: Path, states: int) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await serve_socket(path, lambda: Service(states), stop)
