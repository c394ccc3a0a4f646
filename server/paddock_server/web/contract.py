"""The contract: the .proto files that a client in any language is generated from."""

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

_SERVER: Final = Path(__file__).parents[1]
_PLACES: Final = (_SERVER / "proto", _SERVER.parents[1] / "proto")  # installed, in a checkout


@cache
def contract() -> MappingProxyType[str, bytes]:
    """Every .proto by its import path, such as paddock/v1/arena.proto."""
    folder = next((place for place in _PLACES if place.is_dir()), _PLACES[0])
    files = sorted(folder.rglob("*.proto"))
    return MappingProxyType({
        file.relative_to(folder).as_posix(): file.read_bytes() for file in files
    })  # fmt: skip
