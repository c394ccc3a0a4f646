"""The offer of a server: formats, games and rule presets, and the formats that a Hello asks for."""

from collections.abc import Collection
from functools import cache
from typing import Final

from paddock.v1 import arena_pb2
from paddock_games import FORMATS, GAMES, Game, Rules
from paddock_server.api.refusal import Refusal
from paddock_server.lobby.limits import PROTOCOL, Limits
from paddock_wire import CODECS

_MOST_FORMATS: Final = 1000  # in a Hello


def formats_of(hello: arena_pb2.Hello) -> tuple[str, ...]:
    """The formats that a Hello asks for, each once; raises Refusal where there are none.

    Without names these are all formats that the client knows. A client that does not list its
    known formats knows all of them.
    """
    there = f"there are {', '.join(FORMATS)}"
    if max(len(hello.formats), len(hello.known_formats)) > _MOST_FORMATS:
        raise Refusal("format/unknown", f"name at most {_MOST_FORMATS} formats; {there}")
    known = [name for name in FORMATS if name in (hello.known_formats or FORMATS)]
    for name in hello.formats:
        if name not in FORMATS:
            raise Refusal("format/unknown", f"there is no format {name[:40]!r}; {there}")
        if name not in known:
            raise Refusal(
                "format/unknown",
                f"the client says that it does not know format {name}; "
                "leave the format out, or update the client",
            )
    formats = tuple(dict.fromkeys(hello.formats or known))
    if not formats:
        raise Refusal("format/unknown", f"the client knows no format of this server; {there}")
    return formats


def welcome(limits: Limits, plays: Collection[str]) -> arena_pb2.Welcome:
    """A Welcome with the offer of the server, for a session that plays these formats."""
    return arena_pb2.Welcome(
        protocol=PROTOCOL,
        limits=arena_pb2.Limits(
            frame_bytes=limits.frame_bytes,
            max_matches=limits.matches_per_bot,
            waiting_items=limits.waiting_items,
            useless_items=limits.useless_items,
            frame_items=limits.frame_items,
        ),
        formats=[
            arena_pb2.Format(
                name=form.name,
                game=form.game,
                title=form.title,
                least_seats=form.seats[0],
                most_seats=form.seats[1],
                usual_seats=form.usual_seats,
                plays=form.name in plays,
            )
            for form in FORMATS.values()
        ],
        games=_games(),
    )


@cache
def _games() -> tuple[arena_pb2.Game, ...]:
    return tuple(
        arena_pb2.Game(
            name=game.name,
            rules_version=game.rules_version,
            presets=[_preset(game, name, rules) for name, rules in game.presets.items()],
        )
        for game in GAMES.values()
    )


def _preset(game: Game, name: str, rules: Rules) -> arena_pb2.RulePreset:
    preset = arena_pb2.RulePreset(name=name)
    started = arena_pb2.MatchStarted.FromString(CODECS[game.name].rules(rules))
    getattr(preset, game.name).CopyFrom(getattr(started, game.name))
    return preset
