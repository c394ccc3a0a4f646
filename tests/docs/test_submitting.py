"""docs/submitting.md is true: its bot is accepted as written, and its tables are complete."""

import re
from pathlib import Path

from paddock_server.basics.wording import lasting
from paddock_server.hosting.building import LOG_BYTES
from paddock_server.hosting.certifying import IDLE, IDLE_SECONDS, PATIENCE, STARTS
from paddock_server.jails.usual import BUILD
from paddock_server.packing.ignore import ALWAYS, read_ignored
from paddock_server.packing.manifest import Manifest
from paddock_server.packing.member import HANDED_IN, MB
from tests.docs.page import blocks_of, run, save
from tests.docs.test_docs import ROOT

PAGE = (ROOT / "docs/submitting.md").read_text()
BLOCKS = blocks_of(PAGE)


def test_the_bot_of_the_page_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "mybot").mkdir()
    save(BLOCKS, tmp_path / "mybot")
    (command,) = (block.text for block in BLOCKS if block.language == "sh")
    said = run(command, tmp_path).stdout
    assert "accepted: built and checked with python-" in said
    assert "failed" not in said.replace("0 failed", "")


def test_the_table_of_the_manifest_has_every_key() -> None:
    table = PAGE[PAGE.index("## The manifest") : PAGE.index("## The archive")]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == set(Manifest._fields)


def test_the_limits_are_those_of_the_code() -> None:
    archive = PAGE[PAGE.index("## The archive") : PAGE.index("## The build")]
    assert f"at most {HANDED_IN.packed_bytes // MB} MB" in archive
    assert f"unpacked {HANDED_IN.unpacked_bytes // MB} MB" in archive
    assert f"{HANDED_IN.file_bytes // MB} MB a file" in archive
    assert f"{HANDED_IN.members:,} files and folders, {HANDED_IN.depth} folders deep" in archive
    assert f"most {HANDED_IN.name_bytes} bytes" in archive
    assert set(ALWAYS) <= set(re.findall(r"`([\w.]+)`", archive))
    build = PAGE[PAGE.index("## The build") :]
    assert BUILD.wall_seconds is not None
    assert f"{lasting(BUILD.wall_seconds).removesuffix(' min')} minutes" in build
    assert f"{BUILD.cpu_seconds} seconds" in build
    assert f"{BUILD.tmp_mb} MB of files" in build
    assert f"{BUILD.memory_mb} MB of memory" in build
    assert f"{LOG_BYTES // 1024} KB are kept" in build
    assert f"`{STARTS}`: it says Hello within {PATIENCE:g} seconds" in PAGE
    assert f"`{IDLE}`: while nobody asks it anything for {IDLE_SECONDS:g} seconds" in PAGE


def test_the_lines_of_paddockignore_mean_what_the_page_says(tmp_path: Path) -> None:
    save([block for block in BLOCKS if block.file == ".paddockignore"], tmp_path)
    ignored = read_ignored(tmp_path)
    assert ignored("debug.log", folder=False)
    assert not ignored("important.log", folder=False)
    assert ignored("notes", folder=True)
    assert not ignored("deep/notes", folder=True)
