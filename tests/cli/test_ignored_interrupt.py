"""The suite also passes where Ctrl-C is ignored in its parent: `make test &`, nohup, some CI."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SUITE = """
import signal
import subprocess
import sys

SLEEPS = "import time; print('there', flush=True); time.sleep(600)"


def test_programs_of_the_suite_can_be_interrupted():
    with subprocess.Popen([sys.executable, "-c", SLEEPS], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as program:
        assert program.stdout.readline() == b"there\\n"
        program.send_signal(signal.SIGINT)
        try:
            assert program.wait(60) == -signal.SIGINT
        finally:
            program.kill()
"""


def test_programs_can_be_interrupted_although_the_suite_began_with_sigint_ignored(
    tmp_path: Path,
) -> None:
    # Only the suite's own conftest is what this is about: its other modules are in the path.
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_it.py").write_text(SUITE)
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path),
         "--import-mode=importlib", "-o", f"pythonpath={ROOT}", str(tmp_path)],
        check=False, capture_output=True, text=True, cwd=ROOT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr
