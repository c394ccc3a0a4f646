"""A page of the documentation as something to do: save this, run that."""

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

SHELL: Final = ("bash", "-euc")
SECONDS: Final = 240  # nothing is measured by it: it only keeps a broken page from hanging


class Block(NamedTuple):
    language: str
    text: str
    file: str  # what it is to be saved as; else empty


def blocks_of(page: str) -> list[Block]:
    """Every block of the page, and the name of the file that it is to be saved as."""
    found = []
    for part in re.finditer(r"([^`]*(?:`[^`\n]+`[^`]*)*)^```(\w*)\n(.*?)^```\n", page, re.M | re.S):
        before, language, text = part.groups()
        paragraph = before.strip().rpartition("\n\n")[2]
        saved = re.search(r"(?:Save this as|Change) `([\w.-]+)`", paragraph)
        found.append(Block(language, text, saved[1] if saved else ""))
    return found


def save(blocks: Sequence[Block], folder: Path) -> None:
    """Save what is to be saved."""
    for block in blocks:
        if block.file:
            (folder / block.file).write_text(block.text)


def environment(**more: str) -> dict[str, str]:
    """Ours, with the commands of this environment and without settings of a server."""
    ours = {key: value for key, value in os.environ.items() if not key.startswith("PADDOCK_")}
    return {**ours, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **more}


def run(script: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """What became of a script that must succeed."""
    return run_within(SECONDS, script, cwd, **env)


def run_within(
    seconds: float, script: str, cwd: Path, **env: str
) -> subprocess.CompletedProcess[str]:
    """What became of a script that must succeed, and may take so long."""
    done = subprocess.run(
        [*SHELL, script], cwd=cwd, env=environment(**env), capture_output=True,
        timeout=seconds, check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done
    return done
