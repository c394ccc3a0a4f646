"""Match records in the store: compact, and expanded to their JSON when somebody asks for it.

Databases from before the compact form have the JSON itself, compressed. Both can be read, and
nobody else knows about it: readers get the JSON from `unpacked`.
"""

import json
import zlib

from paddock_games import PlayedMatch, write_record
from paddock_server.referee.plan import Deal
from paddock_server.store.compact import compact, deal_of, expand, is_compact
from paddock_server.store.text import dumps


def record_text(played: PlayedMatch) -> str:
    """The record of a match, as one line of JSON."""
    return dumps(write_record(*played))


def packed(played: PlayedMatch) -> bytes:
    """The record of a match, as it is stored."""
    return compact(played)


def unpacked(stored: bytes | None) -> str:
    """The JSON of a stored record; empty before the end of its match."""
    if not stored:
        return ""
    if is_compact(stored):
        return record_text(expand(stored))
    return zlib.decompress(stored).decode()


def deal_in(stored: bytes) -> Deal:
    """The deal of a stored record."""
    if is_compact(stored):
        return deal_of(stored)
    record = json.loads(zlib.decompress(stored))
    return Deal(record["fairness"]["seed"], tuple(seat["nonce"] for seat in record["seats"]))
