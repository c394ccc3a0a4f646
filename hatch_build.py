"""A build hook, off unless it is asked for: it puts the compiled rules into the wheel."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompiledRules(BuildHookInterface[Any]):  # type: ignore[misc]  # hatchling ships no types here
    """The build hook, which hatchling finds by its base class."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules, and add what was made of them beside the plain files."""
        if version == "editable":
            return
        root = Path(self.root)
        subprocess.run([sys.executable, str(root / "games" / "compiling.py")], check=True)  # noqa: S603
        made = root / "build" / "compiled"
        for path in (*made.rglob("*.so"), *made.rglob("*.pyd")):
            build_data["force_include"][str(path)] = str(path.relative_to(made))
        build_data["pure_python"], build_data["infer_tag"] = False, True
