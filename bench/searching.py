"""How fast the rules are for bots in other languages: `paddock rules serve` beside the Python API.

A state is a position between two decisions. Playouts go from the first ask of a match to its end,
all seats choosing at random; steps go one state on. Over the pipe the service is a process of its
own, and requests have one entry or a hundred.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from statistics import mean
from typing import Any, Final

from bench.measure import Figures, Goal, Run, Work, alternate, machine, options, show, show_json

from paddock_games import FORMATS, Chance, State, game_of
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_wire import codec_of

FORMS: Final = ("summer", "dino-twist")
BATCHES: Final = (1, 100)
SERVE: Final = (sys.executable, "-m", "paddock_server", "rules", "serve")
SHARE_WANTED: Final = 0.5  # of the speed of the Python API, for playouts in batches


class Rules:
    """The service over a pipe, with one match and one state of it."""

    def __init__(self, process: subprocess.Popen[str], form: str) -> None:
        self._process = process
        size = FORMATS[form].usual_seats
        started = {"match": "m", "format": form, "seats": [0] * size}
        self.ask({"do": "match", "started": started})
        view = codec_of(form).view_json(_start(form).view(0))
        answer = self.ask({"do": "imagine", "of": [{"match": "m", "view": view}], "seed": "s"})
        ((self.state,),) = answer["states"]

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request."""
        assert self._process.stdin is not None  # noqa: S101 -- it is a pipe
        assert self._process.stdout is not None  # noqa: S101
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


def _start(form: str) -> State:
    game, seats = game_of(form), FORMATS[form].usual_seats
    rng = Random(1)
    chance = Chance(rng.randbytes(SEED_BYTES), [NO_NONCE] * seats)
    state: State = game.start(form, seats, game.rules(None), chance)
    return state


@contextmanager
def serving(form: str) -> Iterator[Rules]:
    """The service as a process."""
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        try:
            yield Rules(one, form)
        finally:
            one.kill()


def playouts(form: str, rng: Random) -> Work:
    """Playouts by the Python API; the states that they go through."""
    game, brain = game_of(form), game_of(form).brains["random"]
    first = game.imagine(_start(form).view(0), rng)

    def make(rounds: int) -> Run:
        def run() -> int:
            states = 0
            for _ in range(rounds):
                state = first
                while state.to_move:
                    choices = {seat: brain(state.view(seat), rng) for seat in state.to_move}
                    state = state.step(choices)
                    states += 1
            return states

        return run

    return make


def served_playouts(rules: Rules, batch: int, states: float) -> Work:
    """Playouts by the service, `batch` in a line, of so many states on average."""
    request = {"do": "playout", "of": [{"state": rules.state}], "times": batch}

    def make(rounds: int) -> Run:
        def run() -> int:
            for _ in range(rounds):
                rules.ask(request)
            return round(rounds * batch * states)

        return run

    return make


def steps(form: str, rng: Random) -> Work:
    """Single steps by the Python API."""
    game, brain = game_of(form), game_of(form).brains["random"]
    first = game.imagine(_start(form).view(0), rng)

    def make(rounds: int) -> Run:
        def run() -> int:
            for _ in range(rounds):
                first.step({seat: brain(first.view(seat), rng) for seat in first.to_move})
            return rounds

        return run

    return make


def served_steps(rules: Rules, batch: int) -> Work:
    """Single steps by the service, `batch` in a line."""
    request = {"do": "step", "of": [{"state": rules.state}] * batch, "others": "random"}

    def make(rounds: int) -> Run:
        def run() -> int:
            for _ in range(rounds):
                answer = rules.ask(request)
                rules.ask({"do": "forget", "states": answer["states"]})
            return rounds * batch

        return run

    return make


def main() -> None:
    """Measure and print."""
    chosen = options("searching", __doc__ or "")
    seconds = 0.1 if chosen.quick else 0.5
    rows, goals, facts = [], [], {}
    with ExitStack() as stack:
        for form in FORMS:
            rng = Random(form)
            length = mean(playouts(form, rng)(1)() for _ in range(50))
            rules = stack.enter_context(serving(form))
            works: dict[tuple[str, str], Work] = {
                ("playout", "Python API"): playouts(form, rng),
                ("step", "Python API"): steps(form, rng),
            }
            for batch in BATCHES:
                label = f"{batch} in a line"
                works["playout", label] = served_playouts(rules, batch, length)
                works["step", label] = served_steps(rules, batch)
            timed = alternate(works, chosen.repeats, seconds, time.perf_counter)
            for (task, way), result in timed.items():
                rate = result.rate.median
                share = rate / timed[task, "Python API"].rate.median
                rows.append((form, task, way, f"{rate:,.0f}", f"{share:.2f}"))
                facts[f"{form}, {task}, {way}"] = {"states_per_second": rate, "share": share}
                if (task, way) == ("playout", f"{BATCHES[-1]} in a line"):
                    goals.append(Goal(f"{form}: playouts in batches", share, SHARE_WANTED))
    if chosen.json:
        show_json({"machine": machine(), **facts}, goals)
        return
    columns = ("format", "task", "by", "states/s", "of the Python API")
    show(str(machine()), [Figures("The rules for searchers", columns, rows)], goals)


if __name__ == "__main__":
    main()
