"""Habits of the code that a linter does not know: checked by reading the product's own source."""

import ast
import re
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


# A docstring names the thing: "A lease", "The terms of a runner", "Jails", and not "What ...".
NO_NOUN = re.compile(
    r"(All|Every(body|thing)|How|No(body|thing)|One|Some(body|thing)|Those|Two|What(ever)?|When"
    r"|Where|Whether|Which|Who(ever)?|Why|Gives|Keeps|Makes|Plays|Prepares|Reads|Tells|Writes)\b"
)


@pytest.mark.parametrize("folder", PRODUCT)
def test_docstrings_of_modules_and_classes_begin_with_the_technical_noun(folder: str) -> None:
    nameless = [
        f"{path.relative_to(ROOT)}: {text.splitlines()[0]}"
        for path in _modules()
        if path.is_relative_to(ROOT / folder)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Module | ast.ClassDef) and (text := ast.get_docstring(node))
        if NO_NOUN.match(text)
    ]
    assert nameless == []


# Text that people write and read: TOML files, JSON for programs, parameters of pages.
TEXTS = {
    "basics.toml_file", "checking.report", "store.tournament_file", "web.openapi", "web.page",
    "web.shapes", "web.visit",
}  # fmt: skip
ROOMS = ROOT / "server" / "paddock_server"


def _shapeless(module: str) -> set[str]:
    """The names in a module of the server whose values are mappings from text to anything."""
    path = ROOMS.joinpath(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text()) if path.exists() else ast.Module([], [])
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and "[str, Any]" in " ".join(map(ast.unparse, _annotations(node)))
    }


def _annotations(node: ast.AST) -> list[ast.expr]:
    """The types of all that a function takes and gives, or of a class's fields and methods."""
    if isinstance(node, ast.ClassDef):
        return [kind for inner in node.body for kind in _annotations(inner)]
    if isinstance(node, ast.AnnAssign):
        return [node.annotation]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
        taken = [argument.annotation for argument in (*node.args.args, *node.args.kwonlyargs)]
        return [kind for kind in (*taken, node.returns) if kind is not None]
    return []


def test_rooms_pass_named_values_and_no_mappings_of_anything() -> None:
    crossing = [
        f"{path.relative_to(ROOT)}: {node.module}.{name.name}"
        for path in sorted(ROOMS.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("paddock_server.")
        for module in [str(node.module).removeprefix("paddock_server.")]
        if module.split(".")[0] != path.relative_to(ROOMS).parts[0] and module not in TEXTS
        for name in node.names
        if name.name in _shapeless(module)
    ]
    assert crossing == []
