"""Values of the contract's enums by the rules' names."""

from typing import Any


def value(enum: Any, prefix: str, name: str | None) -> Any:
    """The number of an enum's value; absent where there is no name."""
    return enum.Value(f"{prefix}_{name}") if name is not None else 0
