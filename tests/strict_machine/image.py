"""The kernel of a strict machine, and the first programs that it runs.

The kernel and its modules come from Debian's package, the programs from busybox. The files of the
machine are those of this one, read only; what is written goes to memory and is gone at the end.
"""

import gzip
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

_PACKAGE: Final = "linux-image-amd64"
_MODULES: Final = (  # in the order in which they need each other
    "fs/netfs/netfs.ko",
    "fs/fscache/fscache.ko",
    "drivers/virtio/virtio_ring.ko",
    "drivers/virtio/virtio.ko",
    "drivers/virtio/virtio_pci_modern_dev.ko",
    "drivers/virtio/virtio_pci_legacy_dev.ko",
    "drivers/virtio/virtio_pci.ko",
    "net/9p/9pnet.ko",
    "fs/9p/9p.ko",
    "net/9p/9pnet_virtio.ko",
    "fs/overlayfs/overlay.ko",
)
_FOLDERS: Final = ("bin", "dev", "host", "new", "proc", "sys", "written")
_MAGIC: Final = "070701"  # of cpio's form `newc`
_END: Final = "TRAILER!!!"
UP: Final = "the machine is up"
"""What it says before the script."""

_INIT: Final = """#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
for each in {modules}; do $b insmod /$each; done
$b mount -t 9p -o trans=virtio,version=9p2000.L,ro,msize=512000,cache=loose host /host
$b mount -t tmpfs written /written
$b mkdir /written/files /written/work
$b mount -t overlay -o lowerdir=/host,upperdir=/written/files,workdir=/written/work files /new
for each in dev sys proc; do $b mount --move /$each /new/$each; done
echo "{up}"
exec $b switch_root /new /bin/sh {script}
"""


class Image(NamedTuple):
    """The files that a machine starts from."""

    kernel: Path
    first: Path  # the archive of its first programs


def program(name: str, package: str) -> str:
    """Where a program is; ends with a sentence where it is missing."""
    path = shutil.which(name)
    if path is None:
        sys.exit(f"{name} is missing; on Debian: apt-get install {package}")
    return path


def make_image(folder: Path, script: Path) -> Image:
    """Make an image that runs this script, as root, after its files are there."""
    folder.mkdir(parents=True, exist_ok=True)
    kernel = next(folder.glob("kernel/boot/vmlinuz-*"), None) or _fetch_kernel(folder)
    modules = next((folder / "kernel/lib/modules").iterdir()) / "kernel"
    names = " ".join(Path(each).name for each in _MODULES)
    init = _INIT.format(modules=names, up=UP, script=script)
    entries = [_entry(name, stat.S_IFDIR | 0o755) for name in _FOLDERS]
    entries += [
        _entry("init", stat.S_IFREG | 0o755, init.encode()),
        _entry(
            "bin/busybox",
            stat.S_IFREG | 0o755,
            Path(program("busybox", "busybox-static")).read_bytes(),
        ),
    ]
    for each in _MODULES:
        data = (modules / each).read_bytes()
        entries.append(_entry(Path(each).name, stat.S_IFREG | 0o644, data))
    first = folder / "first.gz"
    first.write_bytes(gzip.compress(b"".join([*entries, _entry(_END, 0)]), 1))
    return Image(kernel, first)


def _fetch_kernel(folder: Path) -> Path:
    """Take the kernel out of Debian's newest package; nothing is installed."""
    words = (program("apt-cache", "apt"), "depends", _PACKAGE)
    depends = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    name = re.search(r"Depends: (linux-image-\S+)", depends)
    if name is None:
        sys.exit(f"no package {_PACKAGE} is known; run apt-get update")
    fetch = (program("apt-get", "apt"), "download", "-qq", name[1])
    subprocess.run(fetch, check=True, cwd=folder)
    package = next(folder.glob("linux-image-*.deb"))
    subprocess.run((program("dpkg", "dpkg"), "-x", package, folder / "kernel"), check=True)
    package.unlink()
    return next(folder.glob("kernel/boot/vmlinuz-*"))


def _entry(name: str, mode: int, data: bytes = b"") -> bytes:
    """An entry of an archive of cpio, owned by root."""
    path = name.encode() + b"\0"
    numbers = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0)
    head = _MAGIC.encode() + b"".join(b"%08X" % number for number in numbers) + path
    return _padded(head) + _padded(data)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
