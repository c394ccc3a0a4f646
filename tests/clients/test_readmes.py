"""The page "Your first bot" of every SDK is true: what it says to save and to run is done."""

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.clients.building import SHARED, Builder
from tests.clients.languages import CLIENTS, LANGUAGES, ROOT, Language
from tests.docs.page import run_within

SECONDS = 1200  # nothing is measured by it: it only keeps a broken page from hanging

# Else the commands are for the folder of the page.
IN_THE_CLONE = re.compile(r"In\s+the\s+folder\s+of\s+the\s+clone:")
PAGES = [
    language for language in LANGUAGES.values() if language.name != "python"
]  # docs/first-bot.md
BLOCK = re.compile(r"([^`]*(?:`[^`\n]+`[^`]*)*)^```(\w*)\n(.*?)^```\n", re.M | re.S)


def script(page: str) -> str:
    """All that the page says, as one script: files are saved where the commands are by then."""
    parts = []
    for before, kind, text in BLOCK.findall(page):
        saved = re.search(
            r"[Ss]ave\s+this\s+as\s+`([\w./-]+)`", before.strip().rpartition("\n\n")[2]
        )
        if saved:
            parts.append(f"cat > {saved[1]} <<'END-OF-FILE'\n{text}END-OF-FILE\n")
        elif kind == "sh":
            parts.append(text)
    return "".join(parts)


def _clone(sdk: Language, folder: Path) -> Path:
    """The repository by links, with a copy of the SDK's folder: what is saved stays in there."""
    (folder / "clients").mkdir(parents=True)
    for path in (*ROOT.iterdir(), *CLIENTS.iterdir()):
        if path.name not in {".git", ".venv", "build", "clients", sdk.name}:
            (folder / path.relative_to(ROOT)).symlink_to(path)
    (folder / ".venv").symlink_to(Path(sys.prefix))
    # What CMake made knows the folder that it was made for; what cargo made is shared, and large.
    ignore = shutil.ignore_patterns("cmake", "target")
    shutil.copytree(sdk.folder, folder / "clients" / sdk.name, symlinks=True, ignore=ignore)
    return folder


@pytest.mark.parametrize("sdk", PAGES, ids=[language.name for language in PAGES])
def test_the_first_bot(sdk: Language, builder: Builder, tmp_path: Path) -> None:
    builder.build(sdk)  # so that the tools and packages are there
    clone = _clone(sdk, tmp_path / "clone")
    page = (sdk.folder / "README.md").read_text()
    assert page.startswith(f"# Your first bot in {sdk.title}\n")
    assert len(page.splitlines()) < 90
    place = clone if IN_THE_CLONE.search(page) else clone / "clients" / sdk.name
    done = run_within(SECONDS, script(page), place, **SHARED)
    assert re.search(r"points: \d+ passed, 0 failed, 0 skipped", done.stdout)
    rows = re.findall(r"│ (mine|greedy)(?:-2)? +│.*│ +(\d+) │ *$", done.stdout, re.M)
    assert {name for name, _ in rows} == {"mine", "greedy"}
    assert {fallbacks for _, fallbacks in rows} == {"0"}
