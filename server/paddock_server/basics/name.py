"""Names of bots and tournaments: which are valid, and which look alike and so are one name."""

import re
from typing import Final

# ASCII, so that letters of other scripts can't pose as these.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")

RULE: Final = "use up to 40 letters, digits, dots, dashes and underscores"

HOUSE: Final = "house-"
"""The beginning of the names of house bots; other names may not look like it."""

_ALIKE: Final = (("rn", "m"), ("vv", "w"), ("0", "o"), ("1", "l"), ("i", "l"))


def is_name(text: str) -> bool:
    """Whether this is a valid name."""
    return _NAME.fullmatch(text) is not None


def skeleton(name: str) -> str:
    """What names that look alike have in common: `Barn1` and `bamI` are both `baml`."""
    shape = name.lower()
    for letters, look in _ALIKE:
        shape = shape.replace(letters, look)
    return shape


def is_guest(name: str) -> bool:
    """Whether a bot that connects may have this name: it is valid, and not a house bot's."""
    return is_name(name) and not skeleton(name).startswith(skeleton(HOUSE))
