"""A project as an arena gets it: packed, unpacked elsewhere, and built without a network."""

import io
import os
import subprocess
import tarfile
from pathlib import Path
from typing import Final

import pytest

from paddock_server.packing.archive import pack
from paddock_server.packing.manifest import Manifest
from tests.clients.building import SHARED
from tests.tools import needs

SECONDS: Final = 1200  # nothing is measured by it: it only keeps a broken build from hanging
_CUT_OFF: Final = ("--map-root-user", "--net")
_TOOLS: Final = ("PATH", "JAVA_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN")


def unpacked(project: Path, folder: Path) -> Manifest:
    """Pack the project by the rules and limits of an arena, and unpack it into a new folder."""
    package = pack(project)
    with tarfile.open(fileobj=io.BytesIO(package.data)) as archive:
        archive.extractall(folder)  # noqa: S202 -- we packed it
    return package.manifest


def alone(folder: Path, home: Path, *command: str) -> None:
    """Run a command that must succeed there: without a network, and with an empty home."""
    unshare = needs("unshare", "on Debian: apt-get install util-linux")
    if subprocess.run([unshare, *_CUT_OFF, "true"], check=False, capture_output=True).returncode:
        pytest.skip("needs user namespaces: sysctl kernel.unprivileged_userns_clone=1, or root")
    home.mkdir()
    tools = {key: os.environ[key] for key in _TOOLS if key in os.environ}
    rustup = Path.home() / ".rustup"  # which finds its compilers by the home
    # What Go compiled before is found by the contents of sources, so these have to be there.
    cache = os.environ.get("GOCACHE", str(Path.home() / ".cache" / "go-build"))
    go = {"GOTOOLCHAIN": "local", "GOCACHE": cache, "GOFLAGS": SHARED["GOFLAGS"]}
    env = {"RUSTUP_HOME": str(rustup), **tools, **go, "HOME": str(home)}
    done = subprocess.run(
        [unshare, *_CUT_OFF, *command],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done
