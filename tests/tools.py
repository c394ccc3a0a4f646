"""Tools of other languages, which tests of the samples want."""

import shutil
import subprocess

import pytest


def needs(tool: str, how: str) -> str:
    """Where the tool is; the test is skipped where it isn't."""
    path = shutil.which(tool)
    if path is None:
        pytest.skip(f"needs {tool}: {how}")
    return path


def needs_perl() -> None:
    """Perl with its own JSON; the test is skipped where it isn't."""
    how = "on Debian: apt-get install perl"
    perl = needs("perl", how)
    if subprocess.run([perl, "-MJSON::PP", "-e", "1"], check=False, capture_output=True).returncode:
        pytest.skip(f"needs Perl's own JSON::PP: {how}")
