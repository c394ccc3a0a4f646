"""How a match is kept before its first event: from values to JSON, and back."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from paddock_games import Match, Seated, game_of
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_games.game import Brain
from paddock_server.referee.clock import Clock
from paddock_server.referee.referee import Opening

HOUSE: Final = "house-"
"""Bots that the server plays itself begin like this; nobody else may."""


def planned(
    format_name: str,
    rules: Any,
    bots: Sequence[str],
    clock: Clock,
    *,
    tournament: str | None = None,
    trial: bool = False,
) -> dict[str, Any]:
    """A match that is to be played, once its bots are there."""
    return {
        "format": format_name,
        "rules": rules._asdict(),
        "bots": list(bots),
        "clock": clock._asdict(),
        "tournament": tournament,
        "trial": trial,
    }


def opened(
    plan: Mapping[str, Any], seats: Sequence[tuple[str, str, bool]], started: str
) -> dict[str, Any]:
    """The same match when it begins: (version, owner, sends nonces) by seat, and its seed."""
    return {
        **plan,
        "seats": [list(seat) for seat in seats],
        "seed": secrets.token_bytes(SEED_BYTES).hex(),
        "started": started,
    }


def read_opening(number: int, match_id: str, kept: Mapping[str, Any]) -> Opening:
    """The opening that was kept."""
    seats = [
        Seated(bot, version, owner, NO_NONCE)
        for bot, (version, owner, _) in zip(kept["bots"], kept["seats"], strict=True)
    ]
    match = Match(
        match_id,
        kept["format"],
        game_of(kept["format"]).rules(kept["rules"]),
        seats,
        bytes.fromhex(kept["seed"]),
        kept["tournament"],
        kept["started"],
    )
    sends = tuple(bool(sends) for _, _, sends in kept["seats"])
    return Opening(number, match, Clock(**kept["clock"]), sends)


def house_brains(format_name: str, bots: Sequence[str]) -> dict[int, Brain]:
    """The seats that the server plays itself."""
    brains = game_of(format_name).brains
    return {
        seat: brains[bot.removeprefix(HOUSE)]
        for seat, bot in enumerate(bots)
        if bot.startswith(HOUSE)
    }
