"""What operators install is right: read by the programs that will read it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from paddock_server.observe.metrics import Metrics
from tests.tools import needs

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
# A runner makes namespaces, mounts and uids: it locks in its bots, not itself.
SERVICES = [
    unit for unit in UNITS if unit.suffix == ".service" and unit.name != "paddock-runner.service"
]
ELSEWHERE = {"up"}  # what Prometheus itself says of a target
INSTALL_SYSTEMD = "on Debian: apt-get install systemd"
INSTALL_PROMETHEUS = "on Debian: apt-get install --no-install-recommends prometheus"
MOST_EXPOSED = 20  # tenths of a point, of 100


def _here(folder: Path) -> None:
    """All units, with the command of this environment."""
    paddock = str(Path(sys.executable).parent / "paddock")
    for unit in UNITS:
        text = unit.read_text().replace("/opt/paddock/bin/paddock", paddock)
        (folder / unit.name).write_text(text)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: str(unit.name))
def test_systemd_understands_the_units(unit: Path, tmp_path: Path) -> None:
    analyze = needs("systemd-analyze", INSTALL_SYSTEMD)
    _here(tmp_path)
    done = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / unit.name)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    ours = [line for line in done.stderr.splitlines() if "paddock" in line]
    assert (done.returncode, ours) == (0, []), done


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: str(unit.name))
def test_services_are_locked_in(unit: Path, tmp_path: Path) -> None:
    analyze = needs("systemd-analyze", INSTALL_SYSTEMD)
    _here(tmp_path)
    done = subprocess.run(
        [analyze, "security", "--no-pager", "--offline=true", f"--threshold={MOST_EXPOSED}",
         str(tmp_path / unit.name)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.splitlines()[-1]


def test_prometheus_understands_the_alerts(tmp_path: Path) -> None:
    promtool = needs("promtool", INSTALL_PROMETHEUS)
    for name in ("paddock.rules.yml", "paddock.test.yml"):
        shutil.copy(DEPLOY / "prometheus" / name, tmp_path)
    for command in (("check", "rules", "paddock.rules.yml"), ("test", "rules", "paddock.test.yml")):
        done = subprocess.run(
            [promtool, *command], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done


def _exported() -> set[str]:
    """The names of all series that a server has."""
    families = [family for family in Metrics().registry.collect() if family.name]
    names = set()
    for family in families:
        ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count")}
        names |= {family.name + end for end in ends.get(family.type, ("",))}
    return names


def _expressions(value: Any) -> list[str]:
    """All queries of a dashboard."""
    if isinstance(value, dict):
        own = [text for key, text in value.items() if key in ("expr", "query")]
        return [t for t in own if isinstance(t, str)] + _expressions(list(value.values()))
    if isinstance(value, list):
        return [text for each in value for text in _expressions(each)]
    return []


def _series(text: str) -> set[str]:
    return set(re.findall(r"\b(?:paddock_[a-z_]+|up)\b", text))


def test_alerts_and_dashboard_ask_for_what_a_server_exports() -> None:
    rules = (DEPLOY / "prometheus" / "paddock.rules.yml").read_text()
    alerts = "\n".join(re.findall(r"^ +expr: (.*)$", rules, re.M))
    dashboard = json.loads((DEPLOY / "grafana" / "paddock.json").read_text())
    shown = "\n".join(_expressions(dashboard))
    exported = _exported()
    assert "paddock_answer_seconds_bucket" in exported
    for text in (alerts, shown):
        assert len(_series(text)) > 5
        assert _series(text) - ELSEWHERE <= exported
    numbers = [panel["id"] for panel in dashboard["panels"]]
    assert numbers == sorted(set(numbers))


def test_every_alert_is_of_a_group_that_is_tested() -> None:
    rules = (DEPLOY / "prometheus" / "paddock.rules.yml").read_text()
    alerts = re.findall(r"- alert: (\w+)", rules)
    assert len(alerts) == len(set(alerts)) > 5
    assert rules.count("summary: ") == rules.count("action: ") == len(alerts)


# --- the audit --------------------------------------------------------------------------------

FINE = {"name": "attrs", "version": "26.1.0", "vulns": []}
BAD = {
    "name": "h11",
    "version": "0.1",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["0.2"], "aliases": [], "description": ""}],
}
SKIPPED = {"name": "anyio", "skip_reason": "Dependency not found on PyPI"}
AUDITS = {
    "none known": ({"dependencies": [FINE]}, 0, "0 of 1 dependencies"),
    "one known": ({"dependencies": [FINE, BAD, SKIPPED]}, 1, "h11 0.1: PYSEC-1, fixed in 0.2"),
    "some not reached": ({"dependencies": [FINE, SKIPPED]}, 3, "of 1 can't be reached: anyio"),
    "none reached": (None, 3, "so nothing is known: no network"),
}


@pytest.mark.parametrize("case", AUDITS)
def test_an_audit_without_advisories_is_none(case: str, tmp_path: Path) -> None:
    """pip-audit says that all is well where it could not look; these are its own answers."""
    said, code, words = AUDITS[case]
    program = tmp_path / "pip-audit"
    (tmp_path / "said").write_text(json.dumps(said) if said else "")
    program.write_text(f"#!/bin/sh\ncat {tmp_path}/said\necho no network >&2\n")
    program.chmod(0o755)
    audit = Path(__file__).parents[2] / ".ci" / "audit.py"
    done = subprocess.run(
        [sys.executable, str(audit), str(program), "constraints.txt"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == code, done
    assert words in done.stdout
