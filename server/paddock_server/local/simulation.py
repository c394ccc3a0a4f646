"""Simulated matches of built-in bots: the same seed gives the same bytes every time."""

import hashlib
import json
import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from multiprocessing import resource_tracker
from multiprocessing.pool import Pool
from random import Random
from typing import Final, NamedTuple

from paddock_games import Match, Result, Rules, Seated, game_of, play, write_record
from paddock_games.chance import NONCE_BYTES
from paddock_server.local.tally import Tally

OWNER: Final = "paddock"
VERSION: Final = "1"
BATCH: Final = 25  # matches that a worker plays before it reports
_BASE32: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's, as in a ULID


class Plan(NamedTuple):
    """The settings of a simulation; all randomness comes from `seed`."""

    format: str
    seats: int
    games: int
    seed: int
    bots: tuple[str, ...]
    rules: Rules

    def lineup(self, game: int) -> list[str]:
        """Who sits where: the bots in turn, repeated if fewer, one seat on with every match."""
        line = [self.bots[i % len(self.bots)] for i in range(max(self.seats, len(self.bots)))]
        return [line[(game + seat) % len(line)] for seat in range(self.seats)]


class Batch(NamedTuple):
    """A batch of matches: their tally and, if wanted, their records."""

    games: int
    tally: Tally
    lines: bytes


def simulate_match(plan: Plan, number: int, keep: bool) -> tuple[list[str], Result, bytes]:
    """Match `number` of the plan: who sat where, how it ended, and its record as a line."""
    label = f"paddock-simulate-1 {plan.seed} {plan.format} {plan.seats} {number}"
    game = game_of(plan.format)
    lineup = plan.lineup(number)
    seated = [
        Seated(bot, VERSION, OWNER, _digest(f"{label} nonce {seat}")[:NONCE_BYTES])
        for seat, bot in enumerate(lineup)
    ]
    match = Match(_id(label), plan.format, plan.rules, seated, _digest(f"{label} seed"))
    rngs = [Random(f"{label} seat {seat}") for seat in range(plan.seats)]
    steps, end = play(match.start(), [game.brains[bot] for bot in lineup], rngs)
    line = b""
    if keep:
        record = write_record(match, steps, end)
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    return lineup, end.result(), line


def _digest(label: str) -> bytes:
    return hashlib.sha256(label.encode()).digest()


def _id(label: str) -> str:
    """A ULID whose time is zero, since simulated matches have no clock."""
    number = int.from_bytes(_digest(label)[:10], "big")
    return "0" * 10 + "".join(_BASE32[number >> shift & 31] for shift in range(75, -5, -5))


def _batch(work: tuple[Plan, range, bool]) -> Batch:
    plan, numbers, keep = work
    tally, lines = Tally(), []
    for number in numbers:
        lineup, result, line = simulate_match(plan, number, keep)
        tally.add(lineup, result)
        lines.append(line)
    return Batch(len(numbers), tally, b"".join(lines))


def _pool(jobs: int) -> Pool:
    """Worker processes that leave Ctrl-C to their parent.

    A terminal sends it to every process. A blocked signal stays blocked in a child from its first
    moment on, so it can't interrupt one that is still being started.
    """
    resource_tracker.ensure_running()  # it would unblock the signal when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return multiprocessing.get_context("spawn").Pool(jobs)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def simulate(plan: Plan, jobs: int, keep: bool) -> Iterator[Batch]:
    """The plan's matches in order, batch by batch, played by `jobs` processes."""
    starts = range(0, plan.games, BATCH)
    works = [(plan, range(i, min(i + BATCH, plan.games)), keep) for i in starts]
    jobs = min(jobs, len(works))
    if jobs <= 1:
        yield from map(_batch, works)
        return
    with _pool(jobs) as pool:
        yield from pool.imap(_batch, works)


def known_bots(format_names: Sequence[str]) -> list[str]:
    """The built-in bots that play all of these formats."""
    games = [game_of(name) for name in format_names]
    return [bot for bot in games[0].brains if all(bot in game.brains for game in games)]
