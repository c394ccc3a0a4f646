"""How fast the rules are, beside OpenSpiel's games that are written in Python.

A decision is one seat's choice. Ours: every seat that is to move counts once a step. OpenSpiel's:
every player's action counts, at a node of one player or of all. What chance does is nobody's
decision, and a choice among one counts like any other. All choose by `random.Random.choice`.

Two ways to play: "dealt" begins every match with its seed (OpenSpiel: with new_initial_state, and
its chance nodes are sampled), "given" with states made off the clock (OpenSpiel: behind the chance
nodes that precede the first decision). Time is the CPU time of this process.
"""

import copy
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from random import Random
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import open_spiel.python.games  # noqa: F401  # registers the games written in Python
import pyspiel
from bench.measure import (
    Figures,
    Goal,
    Run,
    Timed,
    Work,
    alternate,
    machine,
    options,
    show,
    show_json,
)

from paddock_games import COMPILED, FORMATS, GAMES, Chance, Format, State
from paddock_games.chance import NO_NONCE, SEED_BYTES

RATIOS_WANTED: Final = {"draftosaurus": 2.0, "dino_twist": 1.2}  # by game
COPY_MICROS_WANTED: Final = 1.0
IN_CPP: Final = ("tic_tac_toe", "kuhn_poker")  # games in C++, for orientation only
TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)
SIMULTANEOUS: Final = int(pyspiel.PlayerId.SIMULTANEOUS)

Way: TypeAlias = Literal["dealt", "given"]
WAYS: Final[dict[Way, str]] = {
    "dealt": "Playouts, dealing included",
    "given": "Playouts from given states",
}
Call: TypeAlias = Callable[[], object]
Calls: TypeAlias = Callable[[], list[Call]]
"""Makes the calls that are to be timed, off the clock."""


class Player(NamedTuple):
    """One that is measured: a format of ours, or a game of OpenSpiel's in Python or C++."""

    name: str
    group: Literal["ours", "python", "c++"]
    work: Mapping[Way, Work]
    pieces: Callable[[], Mapping[str, Calls]]


def playout(state: State, rng: Random) -> int:
    """Choose anything until the match is over; how many decisions that took."""
    decisions = 0
    while seats := state.to_move:
        state = state.step({seat: rng.choice(state.legal(seat)) for seat in seats})
        decisions += len(seats)
    return decisions


def our_player(form: Format, rng: Random) -> Player:
    """A format, played by as many as usual."""
    game, seats = GAMES[form.game], form.usual_seats
    rules = game.rules(None)
    nonces = [NO_NONCE] * seats

    def start(seed: bytes) -> State:
        state: State = game.start(form.name, seats, rules, Chance(seed, nonces))
        return state

    def dealt(rounds: int) -> Run:
        seeds = [rng.randbytes(SEED_BYTES) for _ in range(rounds)]
        return lambda: sum([playout(start(seed), rng) for seed in seeds])

    def given(rounds: int) -> Run:
        states = [start(rng.randbytes(SEED_BYTES)) for _ in range(rounds)]
        return lambda: sum([playout(state, rng) for state in states])

    def pieces() -> dict[str, Calls]:
        moments: list[tuple[State, dict[int, Any]]] = []
        ends: list[State] = []
        for _ in range(8):
            state = start(rng.randbytes(SEED_BYTES))
            while state.to_move:
                choices = {seat: rng.choice(state.legal(seat)) for seat in state.to_move}
                moments.append((state, choices))
                state = state.step(choices)
            ends.append(state)
        asked = [(state, seat) for state, choices in moments for seat in choices]
        views = [state.view(seat) for state, seat in asked]
        calls: dict[str, list[Call]] = {
            "state = state": [partial(_kept, state) for state, _ in moments],
            "copy": [partial(copy.copy, state) for state, _ in moments],
            "legal": [partial(state.legal, seat) for state, seat in asked],
            "step": [partial(state.step, choices) for state, choices in moments],
            "view": [partial(state.view, seat) for state, seat in asked],
            "result": [state.result for state in ends],
            "imagine": [partial(game.imagine, view, rng) for view in views],
        }
        for name, brain in game.brains.items():
            calls[f"{name} brain"] = [partial(brain, view, rng) for view in views]
        return {name: partial(list, some) for name, some in calls.items()}

    return Player(form.name, "ours", {"dealt": dealt, "given": given}, pieces)


def _kept(state: State) -> State:
    kept = state
    return kept  # noqa: RET504  # to keep a state is all that a copy of an immutable one takes


def peer_playout(state: Any, rng: Random) -> int:
    """Choose anything until the game of OpenSpiel is over; how many decisions that took.

    Of the loops we tried with its API this is the fastest: one question a node.
    """
    decisions = 0
    while (player := int(state.current_player())) != TERMINAL:
        if player >= 0:
            state.apply_action(rng.choice(state.legal_actions()))
            decisions += 1
        elif player == SIMULTANEOUS:
            seats = range(state.num_players())
            state.apply_actions([rng.choice(state.legal_actions(seat)) for seat in seats])
            decisions += len(seats)
        else:
            _sample(state, rng)
    return decisions


def _sample(state: Any, rng: Random) -> None:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(outcomes, weights)[0])


def peer_player(name: str, rng: Random) -> Player:
    """A game of OpenSpiel, with its own defaults."""
    game = pyspiel.load_game(name)

    def start() -> Any:
        state = game.new_initial_state()
        while state.is_chance_node():
            _sample(state, rng)
        return state

    def dealt(rounds: int) -> Run:
        new = game.new_initial_state
        return lambda: sum([peer_playout(new(), rng) for _ in range(rounds)])

    def given(rounds: int) -> Run:
        states = [start() for _ in range(rounds)]
        return lambda: sum([peer_playout(state, rng) for state in states])

    def pieces() -> dict[str, Calls]:
        moments: list[tuple[Any, dict[int, int]]] = []  # states and what everybody asked does
        while len(moments) < 100:
            state = start()
            while not state.is_terminal():
                if state.is_chance_node():
                    _sample(state, rng)
                    continue
                everybody = state.is_simultaneous_node()
                asked = range(state.num_players()) if everybody else [state.current_player()]
                actions = {seat: rng.choice(state.legal_actions(seat)) for seat in asked}
                moments.append((state.clone(), actions))
                _application(state, actions)()
        return {
            "copy": lambda: [state.clone for state, _ in moments],
            "legal": lambda: [
                partial(s.legal_actions, seat) for s, asked in moments for seat in asked
            ],
            "step": lambda: [_application(state.clone(), actions) for state, actions in moments],
        }

    if name.startswith("python_"):
        return Player(name, "python", {"dealt": dealt, "given": given}, pieces)
    return Player(f"{name} (C++)", "c++", {"dealt": dealt, "given": given}, pieces)


def _application(state: Any, actions: Mapping[int, int]) -> Call:
    if state.is_simultaneous_node():
        return partial(state.apply_actions, list(actions.values()))
    (action,) = actions.values()
    return partial(state.apply_action, action)


def peer_names() -> list[str]:
    """OpenSpiel's games in Python that need no parameters and are played by players."""
    dynamics = pyspiel.GameType.Dynamics
    return [
        kind.short_name
        for kind in pyspiel.registered_games()
        if kind.short_name.startswith("python_")
        and kind.default_loadable
        and kind.dynamics in (dynamics.SEQUENTIAL, dynamics.SIMULTANEOUS)
    ]


def each(calls: Calls) -> Work:
    """Work whose unit is one call."""

    def work(rounds: int) -> Run:
        ready = [call for _ in range(rounds) for call in calls()]

        def run() -> int:
            for call in ready:
                call()
            return len(ready)

        return run

    return work


class Measured(NamedTuple):
    """All that one run of this benchmark found out."""

    players: Sequence[Player]
    playouts: Mapping[Way, Mapping[str, Timed]]  # by player
    pieces: Mapping[tuple[str, str], Timed]  # by player and piece

    def names(self, group: str) -> list[str]:
        """The players of a group."""
        return [player.name for player in self.players if player.group == group]

    def ratios(self, way: Way) -> dict[str, dict[str, float]]:
        """Our decisions a second over each peer's in Python, by format and peer."""
        speed = {name: timed.rate.median for name, timed in self.playouts[way].items()}
        peers = self.names("python")
        return {
            ours: {peer: speed[ours] / speed[peer] for peer in peers} for ours in self.names("ours")
        }

    def micros(self, name: str) -> dict[str, float]:
        """What each piece costs this player, in microseconds a call."""
        return {
            piece: 1e6 / timed.rate.median
            for (player, piece), timed in self.pieces.items()
            if player == name
        }

    def goals(self) -> list[Goal]:
        """What is to be reached, and what is: the fastest peer decides, and our slowest copy."""
        goals = []
        for way, title in WAYS.items():
            for name, by_peer in self.ratios(way).items():
                subject = f"{title}, {name}: x the fastest Python peer"
                wanted = RATIOS_WANTED[FORMATS[name].game]
                goals.append(Goal(subject, min(by_peer.values()), wanted))
        for piece in ("state = state", "copy"):
            slowest = max(self.micros(name)[piece] for name in self.names("ours"))
            goals.append(
                Goal(f"{piece}, microseconds", slowest, COPY_MICROS_WANTED, at_least=False)
            )
        return goals

    def tables(self) -> list[Figures]:
        """For people."""
        speeds = [table for way in WAYS for table in (self._speeds(way), self._multiples(way))]
        columns = list(dict.fromkeys(piece for _, piece in self.pieces))
        rows = []
        for player in self.players:
            micros = self.micros(player.name)
            rows.append(
                [player.name, *(f"{micros[c]:.2f}" if c in micros else "-" for c in columns)]
            )
        title = "Microseconds a call (a step is that of all seats to move)"
        return [*speeds, Figures(title, ("", *columns), rows)]

    def _speeds(self, way: Way) -> Figures:
        timed = self.playouts[way]
        fastest = max(timed[name].rate.median for name in self.names("python"))
        rows = []
        for name, took in timed.items():
            speed, low, high = took.rate
            a_game = sum(took.units) / (took.rounds * len(took.units))
            rows.append((
                name, f"{speed:,.0f}", f"{low:,.0f} - {high:,.0f}", f"{speed / a_game:,.0f}",
                f"{a_game:.1f}", f"{speed / fastest:.2f}",
            ))  # fmt: skip
        head = ("", "decisions/s", "low - high", "games/s", "decisions a game", "x fastest peer")
        return Figures(WAYS[way], head, rows)

    def _multiples(self, way: Way) -> Figures:
        ratios = self.ratios(way)
        rows = [
            (peer, *(f"{by_peer[peer]:.1f}" for by_peer in ratios.values()))
            for peer in self.names("python")
        ]
        title = f"{WAYS[way]}: our decisions/s as a multiple of each peer's"
        return Figures(title, ("", *ratios), rows)

    def facts(self) -> dict[str, Any]:
        """For programs."""
        return {
            "playouts": {
                way: {
                    name: {"decisions_per_second": took.rate._asdict(), **took._asdict()}
                    for name, took in timed.items()
                }
                for way, timed in self.playouts.items()
            },
            "ratios": {way: self.ratios(way) for way in WAYS},
            "microseconds": {player.name: self.micros(player.name) for player in self.players},
        }


def measured(quick: bool, repeats: int) -> Measured:
    """Play and time everything."""
    rng = Random(2026)
    players = [our_player(form, rng) for form in FORMATS.values()]
    for player in players:  # what is made when first needed is made before it counts
        player.work["dealt"](200 if quick else 2000)()
    players += [peer_player(name, rng) for name in (*peer_names(), *IN_CPP)]
    seconds = 0.02 if quick else 0.1
    playouts = {}
    for way in WAYS:
        works = {player.name: player.work[way] for player in players}
        playouts[way] = alternate(works, repeats, seconds, time.process_time)
    calls = {
        (player.name, piece): each(some)
        for player in players
        for piece, some in player.pieces().items()
    }
    return Measured(players, playouts, alternate(calls, repeats, seconds / 10, time.process_time))


def main() -> None:
    """Measure and show."""
    chosen = options("rules", "How fast the rules are, beside OpenSpiel's games in Python.")
    logging.getLogger("absl").setLevel(logging.ERROR)  # hangman says where its words come from
    rules = "compiled" if COMPILED else "plain"
    spiel = version("open_spiel")
    where = {**machine(), "open_spiel": spiel, "repeats": chosen.repeats, "rules": rules}
    found = measured(chosen.quick, chosen.repeats)
    if chosen.json:
        show_json({"benchmark": "rules", "machine": where, **found.facts()}, found.goals())
    else:
        heading = (
            f"{where['cores']} cores, {where['system']}, {where['python']}, "
            f"OpenSpiel {where['open_spiel']}, load at the start {where['load']}, "
            f"medians of {chosen.repeats} repeats, {rules} rules"
        )
        show(heading, found.tables(), found.goals())


if __name__ == "__main__":
    main()
