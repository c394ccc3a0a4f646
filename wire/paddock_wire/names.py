"""Enums of the contract, with the rules' names of their values."""

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

from google.protobuf.descriptor import EnumDescriptor

N = TypeVar("N", bound=str)

_ZERO: Final = "UNSPECIFIED"


class Names(Generic[N]):
    """The numbers of an enum by the rules' names, and the names by number.

    The contract writes a name with the enum's prefix. Looking up a number that this version does
    not know raises a KeyError.
    """

    __slots__ = ("index", "name", "name_or_none", "number", "numbers")

    number: Mapping[str, int]  # by name
    numbers: tuple[int, ...]  # by the name's index; that of -1, the rules' "none", is 0
    name: Mapping[int, N]  # by number, 0 left out
    name_or_none: Mapping[int, N | None]  # by number; that of 0 is None
    index: Mapping[int, int]  # by number, 0 left out

    def __init__(self, enum: EnumDescriptor, names: Sequence[N]) -> None:
        prefix = enum.values_by_number[0].name.removesuffix(_ZERO)
        self.number = {name: enum.values_by_name[prefix + name].number for name in names}
        self.numbers = (*self.number.values(), 0)
        self.name = {number: name for name, number in zip(names, self.numbers, strict=False)}
        self.name_or_none = {0: None, **self.name}
        self.index = {number: index for index, number in enumerate(self.name)}
