"""The rules as machine code: a copy of `paddock_games` with modules that mypyc compiled.

    python games/compiling.py
    PYTHONPATH=build/compiled paddock --version

It needs mypy[mypyc] and a C compiler. The plain files stay beside what was made of them, so a
Python other than the one that compiled runs those.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).parent / "paddock_games"
FOLDER: Final = PACKAGE.parents[1] / "build" / "compiled"

# What is in no game's folder stays plain: interfaces and errors, which others make subclasses of.
# So does each game's own class, and these: subclasses of tuple, and classes whose objects are made
# by `object.__new__`, so that equal ones are identical. mypyc can do neither.
PLAIN: Final = frozenset({"__init__", "card", "choice", "event", "herd", "island", "zoo"})


def compile_rules(folder: Path = FOLDER) -> None:
    """Make `paddock_games` in this folder, compiled. What was in the folder is gone."""
    package = folder / PACKAGE.name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    modules = [path for path in sorted(package.glob("*/*.py")) if path.stem not in PLAIN]
    done = subprocess.run(  # noqa: S603 -- our own files
        [sys.executable, "-m", "mypyc", "--config-file=", *modules],
        cwd=folder,
        env={**os.environ, "MYPYC_DEBUG_LEVEL": "0"},
        capture_output=True,
        text=True,
        check=False,
    )
    shutil.rmtree(folder / "build", ignore_errors=True)
    if done.returncode:
        shutil.rmtree(folder)
        how = "A C compiler is needed; on Debian: apt-get install gcc libc6-dev python3-dev"
        sys.exit(f"{done.stdout}{done.stderr}\nThe rules were not compiled. {how}")


if __name__ == "__main__":
    compile_rules()
