"""The words of the documentation: glossary, decisions, plain English, and anchors of links."""

import io
import re
import tokenize
from pathlib import Path
from typing import Final

import pytest

from tests.docs.test_docs import PAGES, ROOT

# What to write instead: "almost surely", "without end" or "always", "per stream", "page by page",
# "there is none", "is sent again".
_PHRASES: Final = (
    r"as good as surely", r"stands? still", r"a line an event", r"for ever",
    r"once an? (bot|frame|group|item|match|page|step|stream|turn)", r"an? (page|record) at a time",
    r"may be put right", r"(?<!there )(?-i:is none)(?! of)", r"is not told", r"who ties",
    r"(is|are|was|were) told again", r"stands? for \d+",
)  # fmt: skip
DIALECT_OF_CODE: Final = re.compile(rf"\b({'|'.join(_PHRASES)})\b", re.IGNORECASE)
DIALECT: Final = re.compile(rf"{DIALECT_OF_CODE.pattern}|\bso many\b", re.IGNORECASE)
CONTRACT: Final = ROOT / "proto" / "paddock" / "v1"


PRODUCT: Final = ("games", "ladder", "wire", "server", "clients/python")


def _texts_of(module: Path) -> list[str]:
    """The strings and comments of a module, docstrings included."""
    tokens = tokenize.generate_tokens(io.StringIO(module.read_text()).readline)
    return [token.string for token in tokens if token.type in (tokenize.STRING, tokenize.COMMENT)]


def _sections(page: str, level: str) -> dict[str, str]:
    """The text below every heading of a level, by heading."""
    text = (ROOT / page).read_text()
    parts = re.split(rf"^{level} (.+)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_anchors_lead_to_a_heading(page: Path) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page.read_text()):
        linked = page.parent / target if target else page
        assert anchor in _anchors(linked), f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_in_plain_english(page: Path) -> None:
    text = " ".join(page.read_text().split())
    assert [found[0] for found in DIALECT.finditer(text)] == []


@pytest.mark.parametrize("folder", PRODUCT)
def test_code_is_in_plain_english(folder: str) -> None:
    said = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for text in _texts_of(path)
        if DIALECT_OF_CODE.search(" ".join(text.split()))
    ]
    assert said == []


@pytest.mark.parametrize("path", sorted(CONTRACT.glob("*.proto")), ids=lambda path: str(path.name))
def test_the_contract_is_in_plain_english(path: Path) -> None:
    comments = " ".join(re.findall(r"^\s*//\s*(.*)$", path.read_text(), re.M))
    assert DIALECT.search(comments) is None


@pytest.mark.parametrize("part", ["Words of the domain", "Names in the code"])
def test_the_glossary_has_one_line_per_term_in_alphabetical_order(part: str) -> None:
    _header, _rule, *rows = re.findall(r"^\|.*$", _sections("docs/glossary.md", "##")[part], re.M)
    terms = [re.match(r"\| \*\*(.+?)\*\* \| .*\. \|$", row) for row in rows]
    names = [term[1].casefold() for term in terms if term]
    assert len(names) == len(rows) > 50
    assert names == sorted(set(names))


def test_readers_find_the_glossary() -> None:
    for page in ("README.md", "CONTRIBUTING.md", "docs/README.md", "docs/architecture.md"):
        assert "glossary.md)" in (ROOT / page).read_text(), page


def test_every_decision_has_a_date_and_a_reason() -> None:
    decisions = _sections("docs/decisions.md", "###")
    assert len(decisions) > 30
    for heading, text in decisions.items():
        paragraph = text.partition("\n## ")[0].strip()
        assert re.match(r"20\d\d-\d\d-\d\d\. \S", paragraph), heading
        assert "\n\n" not in paragraph, f"{heading}: one paragraph"


def test_pre_commit_runs_the_commands_of_make_check() -> None:
    makefile = (ROOT / "Makefile").read_text()
    recipe = re.search(r"^check:.*\n((?:\t.*\n)+)", makefile, re.M)
    assert recipe is not None
    commands = re.findall(r"^\t@\$\(BIN\)/(.*?)(?: > .*)?$", recipe[1], re.M)
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"^ +entry: \.venv/bin/(.*)$", hooks, re.M) == commands
