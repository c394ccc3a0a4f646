"""Rule options as people give them: nothing, a preset's name, or an object."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from paddock_games.errors import BadRules

R = TypeVar("R", bound=tuple[Any, ...])


def read_options(
    kind: type[R],
    presets: Mapping[str, R],
    check: Callable[[str, object, str], None],
    given: object,
    where: str,
) -> R:
    """The rules of this kind, a named tuple, that is meant; `check` refuses values of an option."""
    if given is None:
        return kind()
    if isinstance(given, kind):
        return given
    if isinstance(given, str):
        if given not in presets:
            raise BadRules(where, f"no preset {given!r}; there are {', '.join(presets)}")
        return presets[given]
    if not isinstance(given, dict):
        raise BadRules(where, f"give an object of options or a preset ({', '.join(presets)})")
    known: tuple[str, ...] = getattr(kind, "_fields")  # noqa: B009 -- of a named tuple
    for key, value in given.items():
        if key not in known:
            raise BadRules(where, f"no option {key!r}; there are {', '.join(known)}")
        check(key, value, f"{where}.{key}")
    return kind(**given)
