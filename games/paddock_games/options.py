"""The reader of rule options: None, the name of a preset, or an object."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from paddock_games.errors import BadRules

R = TypeVar("R", bound=tuple[Any, ...])


def read_options(
    kind: type[R],
    presets: Mapping[str, R],
    check: Callable[[str, object, str], None],
    options: object,
    where: str,
) -> R:
    """The rules of this kind, a named tuple; `check` refuses bad values of an option."""
    if options is None:
        return kind()
    if isinstance(options, kind):
        return options
    if isinstance(options, str):
        if options not in presets:
            raise BadRules(where, f"unknown preset {options!r}; use one of {', '.join(presets)}")
        return presets[options]
    if not isinstance(options, dict):
        raise BadRules(where, f"give an object of options or a preset ({', '.join(presets)})")
    known: tuple[str, ...] = getattr(kind, "_fields")  # noqa: B009 -- of a named tuple
    for key, value in options.items():
        if key not in known:
            raise BadRules(where, f"unknown option {key!r}; use one of {', '.join(known)}")
        check(key, value, f"{where}.{key}")
    return kind(**options)
