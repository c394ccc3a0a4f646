"""Whether the pinned dependencies have known vulnerabilities, as pip-audit says.

python .ci/audit.py PIP_AUDIT CONSTRAINTS

Exit code 0: none is known. 1: some are known, and listed. 3: the advisories can't be reached, for
some or for all, so nobody knows; pip-audit alone would say that all is well.
"""

import json
import subprocess
import sys

KNOWN, UNREACHABLE = 1, 3


def main(pip_audit: str, constraints: str) -> int:
    """Ask, tell, and return the exit code."""
    options = ("--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off")
    done = subprocess.run(
        [pip_audit, "--requirement", constraints, *options],
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        dependencies = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        last = done.stderr.strip().splitlines()[-1:] or ["pip-audit said nothing"]
        print(f"audit: the advisories can't be reached, so nothing is known: {last[0]}")
        return UNREACHABLE
    skipped = [each["name"] for each in dependencies if "skip_reason" in each]
    bad = [each for each in dependencies if each.get("vulns")]
    for each in bad:
        for vulnerability in each["vulns"]:
            fixed = ", ".join(vulnerability["fix_versions"]) or "no version yet"
            print(f"{each['name']} {each['version']}: {vulnerability['id']}, fixed in {fixed}")
    checked = len(dependencies) - len(skipped)
    print(f"audit: {len(bad)} of {checked} dependencies that could be checked are vulnerable")
    if skipped:
        print(f"audit: the advisories of {len(skipped)} can't be reached: {', '.join(skipped)}")
    return KNOWN if bad else UNREACHABLE if skipped else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
