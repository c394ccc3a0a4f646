"""The end of a match, as the log tells it."""

import logging

from paddock.match import Match, Result
from paddock.part import Part

log = logging.getLogger("paddock")


def log_end(match: Match, result: Result, part: Part) -> None:
    """Log the rank, and what is wrong with the match or with its deal."""
    log.info("match ended: %s, rank %d", match.id, result.mine.rank)
    if result.kept_its_word is False:
        log.warning(
            "seed wrong: match %s: the seed is not the one the server committed to", match.id
        )
    if result.void_reason:  # it was set aside, and has no nonces
        log.warning("match void: %s counts for nothing: %s", match.id, result.void_reason)
    elif wrong := part.wrong(result.nonces):
        log.warning("nonces wrong: match %s: %s", match.id, wrong)
