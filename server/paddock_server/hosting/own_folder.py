"""Temporary folders of this process, which the next process removes if this one is killed."""

import os
import shutil
import tempfile
from pathlib import Path


def own_folder(kind: str, parent: Path | None = None) -> Path:
    """A new folder for its owner alone; what killed processes left of this kind is removed."""
    place = parent or Path(tempfile.gettempdir())
    place.mkdir(parents=True, exist_ok=True)
    prefix = f"paddock-{kind}-"
    for old in place.glob(f"{prefix}*"):
        pid = old.name.removeprefix(prefix).partition("-")[0]
        if pid.isdigit() and not Path(f"/proc/{pid}").exists():
            shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=place))
