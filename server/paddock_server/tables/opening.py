"""Openings of matches, made from a plan and the bots that came."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import NamedTuple

from paddock_games import Match, Seated
from paddock_games.chance import NO_NONCE, SEED_BYTES
from paddock_server.referee.opening import Opening
from paddock_server.referee.plan import Begun, Entrant, Plan
from paddock_server.wire import items


class Seating(NamedTuple):
    """A match at the moment when its table is set up."""

    number: int
    id: str
    plan: Plan
    begun: Begun

    def opening(self) -> Opening:
        """The opening for the referee."""
        plan, begun = self.plan, self.begun
        nonces = plan.deal.nonces if plan.deal else (NO_NONCE.hex(),) * len(plan.bots)
        seats = [
            Seated(
                bot=entrant.bot,
                version=entrant.version,
                owner=entrant.owner,
                nonce=bytes.fromhex(nonce),
                cpu_share=entrant.cpu_share,
            )
            for entrant, nonce in zip(begun.entrants, nonces, strict=True)
        ]
        match = Match(
            id=self.id,
            format=plan.format,
            rules=plan.rules,
            seats=seats,
            seed=bytes.fromhex(begun.seed),
            tournament=plan.tournament or None,
            started=begun.started,
            salted=begun.salted,
        )
        # The nonces of a block's first match are those of all its matches.
        steps = tuple(0 if plan.deal else entrant.nonce_steps for entrant in begun.entrants)
        return Opening(self.number, match, plan.clock, steps)


def begun(plan: Plan, entrants: Sequence[Entrant], started: str) -> Begun:
    """A match that begins, with a seed of its own unless its block has one.

    Commitments to a seed that several matches have differ, so that nobody can tell which matches
    share a deal. Matches with common dice share them on purpose.
    """
    seed = plan.deal.seed if plan.deal else secrets.token_bytes(SEED_BYTES).hex()
    salted = plan.hides_deal and not plan.common_dice
    return Begun(tuple(entrants), seed, started, salted)


def dice(plan: Plan, match: Match) -> bytes:
    """The seed of the seats' own dice.

    The match's id is mixed in, so that equal dice do not reveal which matches share a deal. Matches
    with common dice share them on purpose.
    """
    own = b"" if plan.common_dice else match.id.encode()
    return hashlib.sha256(b"paddock-dice-1" + match.seed + own).digest()[: items.DICE_BYTES]
