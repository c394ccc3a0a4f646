"""Habits of the code that a linter does not know: checked by reading the product's own source."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PRODUCT = ("games", "ladder", "wire", "server", "clients/python")
MOST = 5
# Calls that take any number of equal things: columns, cells, words.
VARIADIC = {
    "Index", "Table", "add_row", "exception", "format", "info", "itemgetter", "only_keys", "select",
    "warning",
}  # fmt: skip


def _modules() -> list[Path]:
    return [
        path
        for folder in PRODUCT
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "_pb2" not in path.name
    ]


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def test_there_is_a_product() -> None:
    assert len(_modules()) > 300


@pytest.mark.parametrize("folder", PRODUCT)
def test_no_call_passes_more_than_five_positional_values(folder: str) -> None:
    """Nobody can tell the sixth value of a call from the seventh: name them."""
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node.func)}"
        for path in _modules()
        if path.is_relative_to(ROOT / folder)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and len(node.args) > MOST and _name(node) not in VARIADIC
    ]
    assert long == []
