"""Tests on a strict machine: `python -m tests.strict_machine [PYTEST ARGUMENTS]`, or `make strict`.

QEMU starts a machine without network, whose kernel has all controllers of cgroup v2, and runs tests
of jails there with the files of this one. Its processors are this machine's where KVM works, and
else emulated. Debian's packages qemu-system-x86 and busybox-static have to be there; run it as
root, so that the machine can read everything. Ends with the exit code of pytest, or with 1 if the
machine did not say it in time.
"""

import argparse
import os
import platform
import re
import shlex
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.strict_machine.image import Image, make_image
from tests.strict_machine.machine import NotUp, processors, run

_HERE: Final = Path.cwd()
_FOLDER: Final = _HERE / "build" / "strict-machine"
_USUAL: Final = (
    "tests/strict_machine/delegated.py",
    "tests/jails",
    "tests/hosting/test_cores.py",
    # The others there are about seconds, which emulated processors do not keep.
    "tests/hosting/test_host_time.py::test_processes_that_ended_count_against_a_bots_share",
    "tests/hosting/test_hostile.py",
)
_ENDED: Final = re.compile(r"the tests ended with (\d+)\r?\n")

# Nothing may be skipped there; and tests wait longer, for emulated processors are slow.
_SCRIPT: Final = """
export PATH={path} HOME=/root PYTHONDONTWRITEBYTECODE=1 TERM=dumb COLUMNS=100
export CI=true PADDOCK_TEST_GUARD=600
mkdir -p /dev/shm /dev/pts
mount -t tmpfs shared /dev/shm
mount -t devpts terminals /dev/pts
mount -t cgroup2 groups /sys/fs/cgroup
busybox ip link set lo up
cd {folder}
echo "Linux $(uname -r), controllers: $(cat /sys/fs/cgroup/cgroup.controllers)"
.venv/bin/paddock runner doctor
.venv/bin/pytest -p no:cacheprovider --timeout 1200 --color=no {arguments} < /dev/null
echo "the tests ended with $?"
echo o > /proc/sysrq-trigger
sleep 60
"""


def main() -> int:
    """Run the tests; the exit code is theirs."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.strict_machine",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--minutes", type=float, default=60.0, help="at most (default: 60)")
    parser.add_argument("--memory", type=int, default=6144, help="of the machine, MB (6144)")
    options, arguments = parser.parse_known_args()
    if platform.machine() != "x86_64":
        sys.exit("the strict machine runs the programs of this one, and has an x86-64 processor")
    if os.geteuid() != 0:
        sys.exit("run it as root: the strict machine has to read all files of this one")
    with tempfile.TemporaryDirectory() as temporary:
        script = Path(temporary) / "tests.sh"
        script.write_text(_script(arguments or ["-v", "--durations=5", *_USUAL]))
        image = make_image(_FOLDER, script)
        return _tested(image, options.memory, options.minutes * 60)


def _script(arguments: list[str]) -> str:
    return _SCRIPT.format(
        path=shlex.quote(os.environ["PATH"]),
        folder=shlex.quote(str(_HERE)),
        arguments=shlex.join(arguments),
    )


def _tested(image: Image, memory: int, seconds: float) -> int:
    """Pass on what the machine says, and find the exit code in that."""
    began = time.monotonic()
    for on in processors():
        said, left = "", seconds - (time.monotonic() - began)
        try:
            for part in run(image, on, memory, left):
                sys.stdout.write(part)
                sys.stdout.flush()
                said += part
                if ended := _ENDED.search(said):
                    took = (time.monotonic() - began) / 60
                    print(f"\nprocessors: {on.name}; it took {took:.0f} minutes")
                    return int(ended[1])
        except NotUp as problem:
            print(f"the machine does not come up; processors: {on.name}: {problem}")
        else:
            print(f"\nthe machine ended before its tests; they may take {seconds / 60:g} minutes")
            break
    return 1


if __name__ == "__main__":
    sys.exit(main())
