"""The generator of the Python wire code from proto/: `python clients/python/generate.py [FOLDER]`.

The pinned generator writes below FOLDER, by default below this one; what it writes is committed,
and a test makes it again elsewhere and compares.
"""

import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).parent
PROTO = HERE.parents[1] / "proto"


def generate(folder: Path) -> None:
    """Write the wire code of every .proto below this folder."""
    code = protoc.main(
        [
            "protoc",
            f"-I{PROTO}",
            f"-I{files('grpc_tools') / '_proto'}",
            f"--python_out={folder}",
            f"--grpc_python_out={folder}",
            f"--mypy_out={folder}",
            f"--mypy_grpc_out={folder}",
            *sorted(str(path) for path in PROTO.rglob("*.proto")),
        ]
    )
    if code:
        sys.exit(f"the generator failed with {code}")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
