"""The committed wire code is what the pinned generator makes of proto/, and nothing else."""

import filecmp
import os
import re
import subprocess
import sys
from pathlib import Path

from paddock_server.basics.errors import CALL_REASONS

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "python"


def test_generated_code_is_fresh(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"  # where its plugins are
    subprocess.run(
        [sys.executable, str(CLIENT / "generate.py"), str(tmp_path)],
        env={**os.environ, "PATH": path}, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    made = sorted(p.name for p in (tmp_path / "paddock" / "v1").iterdir())
    kept = sorted(p.name for p in (CLIENT / "paddock" / "v1").glob("*_pb2*"))
    assert made == kept
    same, different, trouble = filecmp.cmpfiles(
        tmp_path / "paddock" / "v1", CLIENT / "paddock" / "v1", made, shallow=False
    )
    assert (different, trouble) == ([], []), "run: python clients/python/generate.py"
    assert same == made


def test_the_reasons_in_the_contract_are_the_reasons_there_are() -> None:
    text = "".join(path.read_text() for path in (ROOT / "proto").rglob("*.proto"))
    named = set(re.findall(r"\b[a-z]+/[a-z_]+\b", text)) - {"paddock/v"}
    in_band = {"choice/illegal", "choice/malformed", "choice/stale", "choice/not_yours"}
    in_band |= {"submission/build_failed", "submission/check_failed"}
    assert named - in_band <= set(CALL_REASONS), sorted(named - in_band - set(CALL_REASONS))
