"""What a process loads: the generated wire code comes without the SDK."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import paddock

V1 = Path(paddock.__path__[0], "v1")
GENERATED = {f"paddock.v1.{path.stem}" for path in V1.glob("*_pb2*.py")}


def loaded(statement: str) -> set[str]:
    """The modules of a new process after this statement."""
    program = f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True, timeout=60
    )
    return set(json.loads(done.stdout))


def of_the_sdk(modules: set[str]) -> set[str]:
    return {name for name in modules if name.split(".")[0] == "paddock"}


@pytest.mark.parametrize(
    "statement",
    [
        "import paddock",
        "import paddock.v1",
        "from paddock.v1 import arena_pb2, arena_pb2_grpc",
        "import paddock_wire",
        "import paddock_server.serving.server",
        "import paddock_server.cli",  # what `paddock serve` loads
    ],
)
def test_nothing_of_the_sdk_is_loaded_beside_the_generated_code(statement: str) -> None:
    assert of_the_sdk(loaded(statement)) <= {"paddock", "paddock.v1", *GENERATED}


def test_every_name_of_the_sdk_is_there_when_it_is_used() -> None:
    for name in paddock.__all__:
        assert getattr(paddock, name).__name__ == name
        assert name in dir(paddock)
    with pytest.raises(AttributeError, match="module 'paddock' has no attribute 'Bott'"):
        paddock.Bott  # noqa: B018 -- a mistake
    with pytest.raises(ImportError, match="cannot import name 'Bott'"):
        from paddock import Bott  # noqa: F401, PLC0415 -- a mistake
