"""The error of a message or a line that can't be read."""

from collections.abc import Iterator
from contextlib import contextmanager

from paddock_games import GamesError


class Unreadable(ValueError):
    """Raised when a message or a line has a value that this version does not know."""


@contextmanager
def reading(what: str, contents: object) -> Iterator[None]:
    """A block that reads contents from outside; its errors become Unreadable."""
    try:
        yield
    except Unreadable:
        raise
    except GamesError as problem:
        raise Unreadable(str(problem)) from None
    except (LookupError, TypeError, ValueError, AttributeError) as unknown:
        raise Unreadable(f"{what} with an unknown {unknown}: {excerpt(contents)}") from None


def excerpt(contents: object) -> str:
    """The contents on one line, shortened, for an error sentence."""
    return " ".join(str(contents).split())[:200]
