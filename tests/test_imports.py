"""The packages that have to run almost anywhere import what is on their list, and nothing else.

`make check` knows which of our rooms may import which (`[tool.importlinter]` in pyproject.toml);
this is about other people's packages, as lists of what is allowed.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]


class Allowance(NamedTuple):
    """A folder, and what its modules may import besides the standard library."""

    folder: str
    modules: tuple[str, ...]  # with all that is below them


_WIRE = ("grpc", "google.protobuf")
_BASE = ("paddock_server.basics", "paddock_games")
ALLOWED = (
    Allowance("games/paddock_games", ("paddock_games",)),
    Allowance("ladder/paddock_ladder", ("paddock_ladder",)),
    Allowance("ladder/paddock_ladder/joint", ("paddock_ladder", "numpy")),
    Allowance("wire/paddock_wire", ("paddock_wire", "paddock_games", "paddock.v1", *_WIRE)),
    Allowance("clients/python/paddock", ("paddock", "paddock_wire", "paddock_games", *_WIRE)),
    Allowance("clients/python/paddock/v1", ("paddock.v1", *_WIRE)),
    # Its reader also runs in a jail, with nothing but Python.
    Allowance("server/paddock_server/packing", ("paddock_server.packing", *_BASE)),
    Allowance("server/paddock_server/basics", _BASE),
)  # fmt: skip


def _modules(allowance: Allowance) -> Iterator[Path]:
    """The modules of a folder that no longer folder of the list has."""
    others = [ROOT / each.folder for each in ALLOWED if len(each.folder) > len(allowance.folder)]
    for path in sorted((ROOT / allowance.folder).rglob("*.py")):
        if not any(path.is_relative_to(other) for other in others):
            yield path


def _imports(source: str) -> Iterator[str]:
    """Every module that a source imports, wherever it does that."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            # A relative import is one of the package's own modules, and not our habit.
            yield "." * node.level + (node.module or "")


def _is_allowed(module: str, allowance: Allowance) -> bool:
    own = any(module == each or module.startswith(f"{each}.") for each in allowance.modules)
    return own or module.split(".", maxsplit=1)[0] in sys.stdlib_module_names


@pytest.mark.parametrize("allowance", ALLOWED, ids=lambda allowance: allowance.folder)
def test_a_package_imports_only_what_is_on_its_list(allowance: Allowance) -> None:
    modules = list(_modules(allowance))
    assert modules
    foreign = [
        f"{path.relative_to(ROOT)}: {module}"
        for path in modules
        for module in _imports(path.read_text())
        if not _is_allowed(module, allowance)
    ]
    assert foreign == []


def test_a_foreign_import_is_seen_wherever_it_is() -> None:
    source = "import json, numpy.linalg\ndef f():\n    from click import echo\nfrom . import near\n"
    assert list(_imports(source)) == ["json", "numpy.linalg", ".", "click"]
    games = ALLOWED[0]
    assert [name for name in _imports(source) if not _is_allowed(name, games)] == [
        "numpy.linalg", ".", "click",
    ]  # fmt: skip
    assert not _is_allowed("paddock_games_of_others", games)
