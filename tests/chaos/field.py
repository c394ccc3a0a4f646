"""The field of a chaos run of a cluster: its bots, and what they play beside single matches."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import grpc.aio

from paddock.v1 import tournament_pb2, tournament_pb2_grpc
from tests.chaos.guests import LATE, late_bot
from tests.clients.languages import LANGUAGES, OTHERS, ROOT
from tests.server.process import Process

LATE_BY_S: Final = 5.0
CUPS: Final = ("chaos-ladder", "chaos-blocks")
_LADDER: Final = """
name = "chaos-ladder"
schedule = "ladder"
formats = ["summer"]
matches = {matches}
bots = {bots}
"""
_BLOCKS: Final = """
name = "chaos-blocks"
schedule = "round-robin"
formats = ["two-player"]
rotations = true
blocks = {blocks}
bots = {bots}
"""


class Field(NamedTuple):
    """Who plays, and how much."""

    bots: int = 0  # besides the late one; 0: one of each program
    cups: bool = False  # whether there are a ladder and a tournament with blocks


def programs() -> dict[str, Sequence[str]]:
    """The commands of the honest bots: Python's, those over the bridge, and the SDKs built here."""
    found: dict[str, Sequence[str]] = {
        sample: (sys.executable, "-m", f"paddock.bots.{sample}")
        for sample in ("random", "greedy", "careful")
    }
    found |= {name: OTHERS[name].command for name in ("perl", "sh")}
    for language in LANGUAGES.values():
        if language.targets and (program := language.program("random")).exists():
            found[language.name] = (str(program),)
    return found


def honest(field: Field) -> list[str]:
    """The names of the honest bots: one of each program, and then a crowd."""
    single = list(programs())
    return [*single, *(f"crowd{number}" for number in range(len(single), field.bots))]


def start_bots(field: Field, folder: Path, servers: Sequence[str]) -> list[Process]:
    """Start all bots, each with another server first in its list; a crowd shares a process."""
    commands: dict[str, Sequence[str]] = dict(programs())
    commands[LATE] = (sys.executable, str(late_bot(folder, LATE_BY_S)))
    crowd = [name for name in honest(field) if name not in commands]
    for number in range(len(servers)):
        if names := crowd[number :: len(servers)]:
            commands[f"part{number}"] = (sys.executable, "-m", "tests.chaos.crowd", *names)
    return [
        Process(
            folder / f"{name}.log",
            *command,
            PADDOCK_SERVER=_in_turn(servers, number),
            PADDOCK_BOT=name,
            PYTHONPATH=str(ROOT),
        )
        for number, (name, command) in enumerate(commands.items())
    ]


def _in_turn(servers: Sequence[str], first: int) -> str:
    turn = first % len(servers)
    return ",".join([*servers[turn:], *servers[:turn]])


async def start_cups(field: Field, channel: grpc.aio.Channel) -> None:
    """Start the ladder and the tournament with blocks, unless they are there."""
    cups: Any = tournament_pb2_grpc.TournamentServiceStub(channel)
    listed = await cups.ListTournaments(tournament_pb2.ListTournamentsRequest())
    there = {cup.name for cup in listed.tournaments}
    names = honest(field)
    texts: Mapping[str, str] = {
        CUPS[0]: _LADDER.format(matches=3 * len(names), bots=[*names, LATE]),
        CUPS[1]: _BLOCKS.format(blocks=2, bots=names[:6]),
    }
    for cup, text in texts.items():
        if cup not in there:
            await cups.StartTournament(tournament_pb2.StartTournamentRequest(definition=text))


async def unfinished_cups(field: Field, channel: grpc.aio.Channel) -> list[str]:
    """The names of those that are not over."""
    if not field.cups:
        return []
    cups: Any = tournament_pb2_grpc.TournamentServiceStub(channel)
    listed = await cups.ListTournaments(tournament_pb2.ListTournamentsRequest())
    done = tournament_pb2.TOURNAMENT_STATE_DONE
    return sorted(set(CUPS) - {cup.name for cup in listed.tournaments if cup.state == done})
