"""How a match is kept before its first event: from values to JSON, and back."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from paddock_games import Match, Seated, game_of
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_games.game import Brain
from paddock_server.referee.clock import Clock
from paddock_server.referee.referee import Opening
from paddock_server.wire import items

HOUSE: Final = "house-"
"""Bots that the server plays itself begin like this; nobody else may."""


class Deal(NamedTuple):
    """What the deal of a match comes from, as hexadecimal text."""

    seed: str
    nonces: tuple[str, ...]  # by seat


class Plan(NamedTuple):
    """A match that is to be played, once its bots are there; kept as JSON."""

    format: str
    rules: Any  # as the format's game has them
    bots: tuple[str, ...]  # by seat
    clock: Clock
    rated: bool = False
    trial: bool = False  # of a bot on probation
    tournament: str = ""
    pairing: str = ""  # its key in the tournament
    block: str = ""  # its matches share a deal
    block_size: int = 1
    round: int = 0  # in the tournament, from 1
    deal: Deal | None = None  # of the block's first match; None: a new one
    common_dice: bool = False  # whether the seats' own dice are those of the whole block

    def kept(self) -> dict[str, Any]:
        """What goes into the store."""
        return {
            **self._asdict(),
            "rules": self.rules._asdict(),
            "rules_version": self.rules.version,
            "clock": self.clock._asdict(),
            "deal": self.deal._asdict() if self.deal else None,
        }

    @property
    def waited_for(self) -> tuple[str, ...]:
        """The bots that have to be there; the server's own always are."""
        return tuple(bot for bot in self.bots if not bot.startswith(HOUSE))

    @property
    def hides_deal(self) -> bool:
        """Whether others will play the same deal, so that its seed is told when all have."""
        return self.block_size > 1


def read_plan(kept: Mapping[str, Any]) -> Plan:
    """The plan that was kept; what an older version did not know of has its default."""
    values = {name: kept[name] for name in Plan._fields if name in kept}
    deal = values.get("deal")
    values["deal"] = Deal(deal["seed"], tuple(deal["nonces"])) if deal else None
    values["tournament"] = values["tournament"] or ""
    version = kept.get("rules_version", 1)  # a match goes on by the rules that it was planned with
    values["rules"] = game_of(kept["format"]).kept_rules(kept["rules"], version)
    return Plan(**{**values, "bots": tuple(kept["bots"]), "clock": Clock(**kept["clock"])})


def opened(plan: Plan, seats: Sequence[tuple[str, str, bool]], started: str) -> dict[str, Any]:
    """The same match when it begins: (version, owner, sends nonces) by seat, and its seed."""
    return {
        **plan.kept(),
        "seats": [list(seat) for seat in seats],
        "seed": plan.deal.seed if plan.deal else secrets.token_bytes(SEED_BYTES).hex(),
        "started": started,
    }


def read_opening(number: int, match_id: str, kept: Mapping[str, Any]) -> Opening:
    """The opening that was kept."""
    plan = read_plan(kept)
    nonces = plan.deal.nonces if plan.deal else (NO_NONCE.hex(),) * len(plan.bots)
    seats = [
        Seated(bot, version, owner, bytes.fromhex(nonce))
        for bot, (version, owner, _), nonce in zip(plan.bots, kept["seats"], nonces, strict=True)
    ]
    match = Match(
        match_id,
        plan.format,
        plan.rules,
        seats,
        bytes.fromhex(kept["seed"]),
        plan.tournament or None,
        kept["started"],
    )
    # The nonces of a block's first match are those of all its matches.
    sends = tuple(bool(sends) and plan.deal is None for _, _, sends in kept["seats"])
    return Opening(number, match, plan.clock, sends)


def dice(plan: Plan, match: Match) -> bytes:
    """The seed of the seats' own dice; the match's id keeps it from telling which matches share
    their deal, unless they are to share their dice too."""
    own = b"" if plan.common_dice else match.id.encode()
    return hashlib.sha256(b"paddock-dice-1" + match.seed + own).digest()[: items.DICE_BYTES]


def house_brains(format_name: str, bots: Sequence[str]) -> dict[int, Brain]:
    """The seats that the server plays itself."""
    brains = game_of(format_name).brains
    return {
        seat: brains[bot.removeprefix(HOUSE)]
        for seat, bot in enumerate(bots)
        if bot.startswith(HOUSE)
    }
