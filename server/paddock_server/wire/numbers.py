"""Choices by number, read from a frame without building its messages.

Nearly all frames of bots have nothing else in them. Every other frame is left to the generated
code, and so is the rest of the contract. A test compares both readings.
"""

import re
from typing import Final, TypeAlias

from paddock.v1 import arena_pb2

_NUMBER: Final = 0  # what a tag says of its field
_PART: Final = 2
_TAGS: Final = (
    arena_pb2.PlayRequest.ITEMS_FIELD_NUMBER << 3 | _PART,
    arena_pb2.BotItem.CHOICE_FIELD_NUMBER << 3 | _PART,
    arena_pb2.Choice.ASK_ID_FIELD_NUMBER << 3 | _NUMBER,
    arena_pb2.Choice.NUMBER_FIELD_NUMBER << 3 | _NUMBER,
)
_ITEM: Final = re.compile(  # with the sizes of the item and its choice, an id and a number
    b"%c(.)%c(.)%c([\x80-\xff]{,8}[\x00-\x7f])%c([\x00-\x7f])" % _TAGS, re.DOTALL
)
_CHOICE_SIZE: Final = 3  # besides the bytes of the id: two tags and the number
_ITEM_SIZE: Final = _CHOICE_SIZE + 2
_FRAME_SIZE: Final = _ITEM_SIZE + 2
_MOST_SIZE: Final = _FRAME_SIZE + 9  # with the longest id


Numbered: TypeAlias = tuple[int, int]
"""A choice by number: the id of the ask, and its number among the legal ones."""


def read_numbers(frame: bytes, most: int) -> list[Numbered]:
    """The choices of a frame; empty where it has anything but at most so many choices by number."""
    if len(frame) > most * _MOST_SIZE:
        return []
    numbered: list[Numbered] = []
    size = 0
    for item_size, choice_size, asked, number in _ITEM.findall(frame):
        length = len(asked)
        if choice_size[0] != length + _CHOICE_SIZE or item_size[0] != length + _ITEM_SIZE:
            return []
        ask_id = 0
        for byte in reversed(asked):
            ask_id = ask_id << 7 | byte & 127
        numbered.append((ask_id, number[0]))
        size += length + _FRAME_SIZE
    return numbered if size == len(frame) and len(numbered) <= most else []
