"""`.paddockignore`: which files of a folder are not handed in, in the words of `.gitignore`."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

FILE: Final = ".paddockignore"
ALWAYS: Final = (".git", ".hg", ".svn", ".venv", "__pycache__", ".DS_Store")
"""What is left out everywhere, unless a line such as `!.venv` says otherwise."""


class _Rule(NamedTuple):
    matches: re.Pattern[str]
    ignored: bool
    folders_only: bool


class Ignored:
    """The rules of one folder; the last one that matches decides."""

    def __init__(self, lines: Sequence[str] = (), always: Sequence[str] = ALWAYS) -> None:
        rules = [_rule(line) for line in (*always, *map(_stripped, lines)) if line]
        self._rules = [rule for rule in rules if rule is not None]

    def __call__(self, path: str, *, folder: bool) -> bool:
        """Whether this file or folder is left out; what is in a folder goes with it."""
        for rule in reversed(self._rules):
            if (folder or not rule.folders_only) and rule.matches.fullmatch(path):
                return rule.ignored
        return False


def read_ignored(folder: Path) -> Ignored:
    """The rules in a folder's `.paddockignore`, if it has one."""
    file = folder / FILE
    return Ignored(file.read_text(errors="replace").splitlines() if file.is_file() else ())


def _stripped(line: str) -> str:
    line = line.rstrip()
    return "" if line.startswith("#") else line


def _rule(line: str) -> _Rule | None:
    ignored = not line.startswith("!")
    pattern = line.removeprefix("!").removeprefix("\\")
    folders_only = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    if not pattern:
        return None
    anchored = "/" in pattern  # a slash before the end ties it to the top
    expression = _expression(pattern.removeprefix("/"))
    return _Rule(
        re.compile(expression if anchored else f"(?:.*/)?{expression}", re.DOTALL),
        ignored,
        folders_only,
    )


def _expression(pattern: str) -> str:
    """The pattern as a regular expression: `**/`, `**`, `*`, `?` and `[abc]`."""
    parts = []
    for sign in re.findall(r"\*\*/|\*+|\?|\[[^\]/]+\]|.", pattern, re.DOTALL):
        if sign == "**/":
            parts.append("(?:.*/)?")
        elif sign.startswith("**"):
            parts.append(".*")
        elif sign == "*":
            parts.append("[^/]*")
        elif sign == "?":
            parts.append("[^/]")
        elif len(sign) > 1:
            inner = sign[1:-1]
            negated = inner[0] in "!^"
            parts.append(f"(?!/)[{'^' if negated else ''}{_class(inner[negated:])}]")
        else:
            parts.append(re.escape(sign))
    return "".join(parts)


def _class(inner: str) -> str:
    return re.sub(r"([\\\[\]^&~|])", r"\\\1", inner) or r"\!"
