"""Tools of other languages, which tests of the samples want."""

import re
import shutil
import subprocess
from typing import NamedTuple

import pytest


class Tool(NamedTuple):
    """A command that a build needs, from which version on, and where it comes from."""

    command: str
    how: str
    least: tuple[int, ...] = ()
    told_by: str = "--version"


def needs(tool: str, how: str) -> str:
    """Where the tool is; the test is skipped where it isn't."""
    path = shutil.which(tool)
    if path is None:
        pytest.skip(f"needs {tool}: {how}")
    return path


def needs_all(tools: tuple[Tool, ...]) -> None:
    """Go on if all these tools are here and new enough; else the test is skipped."""
    for tool in tools:
        path = needs(tool.command, tool.how)
        found = version(path, tool.told_by) if tool.least else ()
        if found < tool.least:
            have, want = (".".join(map(str, each)) for each in (found, tool.least))
            pytest.skip(f"needs {tool.command} {want} or later, and found {have}: {tool.how}")


def version(path: str, told_by: str) -> tuple[int, ...]:
    """The version of a tool, as far as it is numbers."""
    done = subprocess.run([path, told_by], check=False, capture_output=True, text=True)
    words = re.search(r"\d+(?:\.\d+)+", done.stdout + done.stderr)
    return tuple(int(number) for number in words[0].split(".")) if words else ()


def needs_perl() -> None:
    """Perl with its own JSON; the test is skipped where it isn't."""
    how = "on Debian: apt-get install perl"
    perl = needs("perl", how)
    if subprocess.run([perl, "-MJSON::PP", "-e", "1"], check=False, capture_output=True).returncode:
        pytest.skip(f"needs Perl's own JSON::PP: {how}")
