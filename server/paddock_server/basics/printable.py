"""Printable text: what people and programs send is cleaned here once, before it is kept or shown.

It has one line. What can't be seen becomes a space: control characters, zero bytes, marks that turn
the direction of writing, characters without a shape, and code points that mean nothing.
"""

import unicodedata
from typing import Final

# They have no shape, though Unicode counts them as letters, marks or symbols.
_BLANKS: Final = frozenset(
    "\N{COMBINING GRAPHEME JOINER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}"
    "\N{KHMER VOWEL INHERENT AQ}\N{KHMER VOWEL INHERENT AA}\N{BRAILLE PATTERN BLANK}"
    "\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}"
)
_WHY_LETTERS: Final = 300
_LOOK_AT: Final = 8  # times as many characters as are kept, so that a long text costs no more


def printable(text: str, most: int) -> str:
    """The text as one printable line of at most this many characters, perhaps empty."""
    text = unicodedata.normalize("NFC", text[: most * _LOOK_AT])
    shown = "".join(c if c.isprintable() and c not in _BLANKS else " " for c in text)
    return " ".join(shown.split())[:most].rstrip()


def printable_reason(text: str) -> str:
    """The reason that somebody gives for a change, as logs and pages show it."""
    return printable(text, _WHY_LETTERS)


def is_printable(text: str) -> bool:
    """Whether the text is one line that everybody sees as it is."""
    return text.isprintable() and _BLANKS.isdisjoint(text)
