"""Coverage-guided fuzzing of the readers: `python -m tests.fuzz frame --seconds 60`.

It needs atheris, which has wheels for some versions of Python: `pip install atheris`. Without it
the command says so, with exit code 3. The suite fuzzes the same readers with hypothesis.
"""

import argparse
import sys
import tempfile
from pathlib import Path

CANNOT = 3
TARGETS = ("frame", "record", "position", "tournament")


def main() -> int:
    """Fuzz one reader until the time is over or it fails."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=60, help="(default: 60)")
    options = parser.parse_args()
    try:
        import atheris  # noqa: PLC0415 -- it is optional
    except ImportError:
        print("atheris is not installed; try: pip install atheris", file=sys.stderr)
        return CANNOT
    ours = ["paddock_games", "paddock_server", "paddock_wire"]
    with atheris.instrument_imports(include=ours):
        from tests.fuzz.targets import TARGETS as READERS  # noqa: PLC0415
        from tests.fuzz.targets import survives  # noqa: PLC0415
    target = READERS[options.target]
    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(target.seeds):
            (Path(corpus) / str(number)).write_bytes(seed)
        words = [sys.argv[0], corpus, f"-max_total_time={options.seconds}", "-max_len=4096"]
        atheris.Setup(words, lambda data: survives(target, data))
        atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
