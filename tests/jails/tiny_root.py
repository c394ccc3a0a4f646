"""Roots that tests make: a few programs of this machine with the libraries that they need."""

import re
import shutil
import subprocess
from pathlib import Path

from tests.tools import needs


def tiny_root(folder: Path, *programs: str) -> Path:
    """A root with these programs, and a file /etc/release."""
    for name in ("bin", "etc"):
        (folder / name).mkdir(parents=True)
    for program in programs:
        _copy(Path(needs(program, "it is a program of every Debian")), folder / "bin" / program)
        ldd = [needs("ldd", "it is part of libc"), str(folder / "bin" / program)]
        listed = subprocess.run(ldd, capture_output=True, text=True, check=False)
        for library in re.findall(r"(/\S+) \(0x", listed.stdout):
            _copy(Path(library), folder / library[1:])
    (folder / "sbin").symlink_to("bin")
    (folder / "etc/release").write_text("tiny\n")
    return folder


def busybox_root(folder: Path) -> Path:
    """A root like that of a small image: all programs are links to one, which knows less."""
    needs("busybox", "on Debian: apt-get install busybox-static")
    tiny_root(folder, "busybox")
    for program in ("sh", "cp", "chmod", "tar", "gzip", "cat", "echo", "ls"):
        (folder / "bin" / program).symlink_to("busybox")
    return folder


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
