"""Packing a folder: one content has one hash, and what is unpacked is what was packed."""

import hashlib
import io
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddock_server.packing.archive import pack, tar_of, zip_of
from paddock_server.packing.folder import read_folder, write_folder
from paddock_server.packing.ignore import ALWAYS, Ignored
from paddock_server.packing.manifest import BadManifest
from paddock_server.packing.member import HANDED_IN, ArchiveLimits, BadArchive
from paddock_server.packing.reader import read

MANIFEST = b'name = "ada-1"\nversion = "1"\nrun = ["./bot"]\n'

NAMES = st.text(
    st.characters(codec="utf-8", categories=("L", "Nd"), include_characters=" .-_+"),
    min_size=1, max_size=8,
).filter(lambda name: name not in (".", "..", *ALWAYS))  # fmt: skip
TREES = st.recursive(
    st.tuples(st.binary(max_size=2000), st.booleans()),
    lambda inner: st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def _make(tree: object, path: Path) -> None:
    if isinstance(tree, dict):
        path.mkdir()
        for name, inner in tree.items():
            if not (path / name).exists():
                _make(inner, path / name)
    elif isinstance(tree, tuple):
        path.write_bytes(tree[0])
        path.chmod(0o755 if tree[1] else 0o644)


def _tree(folder: Path) -> dict[str, object]:
    return {
        path.relative_to(folder).as_posix(): (path.read_bytes(), os.access(path, os.X_OK))
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


@settings(deadline=None, max_examples=40)
@given(tree=st.dictionaries(NAMES, TREES, max_size=5))
def test_what_is_packed_is_unpacked(tree: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as work:
        here = Path(work, "here")
        _make(tree, here)
        try:
            packed = tar_of(read_folder(here, HANDED_IN, Ignored()))
        except BadArchive as refused:
            assert "the same name" in refused.sentence  # noqa: PT017 -- the only reason here
            return
        write_folder(read(io.BytesIO(packed)), Path(work, "tar"))
        assert _tree(Path(work, "tar")) == _tree(here)
        zipped = zip_of(read_folder(here, HANDED_IN, Ignored()))
        write_folder(read(io.BytesIO(zipped)), Path(work, "zip"))
        assert _tree(Path(work, "zip")) == _tree(here)


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_a_damaged_archive_is_read_or_refused(data: st.DataObject) -> None:
    members = {"a": b"x" * 3000, "b/c": b"y"}
    with tempfile.TemporaryDirectory() as work:
        here = Path(work)
        for name, content in members.items():
            (here / name).parent.mkdir(exist_ok=True)
            (here / name).write_bytes(content)
        make = data.draw(st.sampled_from([tar_of, zip_of]))
        archive = bytearray(make(read_folder(here, HANDED_IN, Ignored())))
    for _ in range(data.draw(st.integers(1, 4))):
        archive[data.draw(st.integers(0, len(archive) - 1))] = data.draw(st.integers(0, 255))
    end = data.draw(st.integers(0, len(archive)))
    try:
        for member in read(io.BytesIO(bytes(archive[:end]))):
            b"".join(member.content)
    except BadArchive as refused:
        assert refused.sentence.isprintable()  # noqa: PT017


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    folder = tmp_path / "bot"
    (folder / "deep/er").mkdir(parents=True)
    (folder / "paddock-bot.toml").write_bytes(MANIFEST)
    (folder / "bot").write_bytes(b"#!/bin/sh\n")
    (folder / "bot").chmod(0o755)
    (folder / "deep/er/data").write_bytes(bytes(range(256)))
    return folder


def test_one_content_has_one_hash(bot: Path, tmp_path: Path) -> None:
    first = pack(bot)
    copy = tmp_path / "copy"
    shutil.copytree(bot, copy)
    for path in [*copy.rglob("*")]:
        os.utime(path, (1, 1))
        path.chmod(0o700 if path.is_dir() or path.name == "bot" else 0o600)
    assert pack(copy) == first
    assert first.sha256 == hashlib.sha256(first.data).hexdigest()
    assert first.manifest.name == "ada-1"
    assert first.manifest_bytes == MANIFEST
    assert first.data[4:8] == bytes(4)  # gzip's time
    (copy / "bot").chmod(0o644)
    assert pack(copy).sha256 != first.sha256


def test_other_programs_read_and_write_the_same(bot: Path, tmp_path: Path) -> None:
    (tmp_path / "x.tar.gz").write_bytes(pack(bot).data)
    (tmp_path / "there").mkdir()
    tar = shutil.which("tar")
    assert tar is not None
    subprocess.run([tar, "-xzf", "x.tar.gz", "-C", "there"], cwd=tmp_path, check=True)
    assert _tree(tmp_path / "there") == _tree(bot)
    for style in ("gnu", "pax", "ustar"):
        (bot / ("long-" * 18)).mkdir(exist_ok=True)
        (bot / ("long-" * 18) / ("name-" * 17)).write_bytes(b"here")
        command = [tar, f"--format={style}", "-czf", f"{style}.tar.gz", "-C", "bot", "."]
        subprocess.run(command, cwd=tmp_path, check=True)
        with (tmp_path / f"{style}.tar.gz").open("rb") as source:
            write_folder(read(source), tmp_path / style)
        assert _tree(tmp_path / style) == _tree(bot)


def test_paddockignore_leaves_out(bot: Path, tmp_path: Path) -> None:
    for name in ("debug.log", "keep.log", "deep/x.log", ".git/config", "build/out", "x/build"):
        (bot / name).parent.mkdir(exist_ok=True)
        (bot / name).write_bytes(b"")
    (bot / "link").symlink_to("/etc")
    (bot / ".paddockignore").write_text("# mine\n*.log\n!keep.log\n/build/\nlink\n")
    write_folder(read(io.BytesIO(pack(bot).data)), tmp_path / "there")
    names = {name for name, content in _tree(tmp_path / "there").items() if content is not None}
    assert names == {
        ".paddockignore", "bot", "deep/er/data", "keep.log", "paddock-bot.toml", "x/build",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "path", "folder", "expected"),
    [
        ("*.pyc", "a/b.pyc", False, True),
        ("/a", "b/a", False, False),
        ("a/b", "a/b", False, True),
        ("a/b", "c/a/b", False, False),
        ("a/**/b", "a/b", False, True),
        ("a/**/b", "a/x/y/b", False, True),
        ("a/**", "a/x/y", False, True),
        ("**/b", "x/b", False, True),
        ("t/", "t", False, False),
        ("t/", "t", True, True),
        ("[ab].c", "a.c", False, True),
        ("[!ab].c", "a.c", False, False),
        ("a?c", "abc", False, True),
        ("a*c", "a/c", False, False),
        ("[", "[", False, True),
        ("!.venv", ".venv", True, False),
        ("\\#x", "#x", False, True),
        ("", ".git", True, True),
    ],
)
def test_patterns_are_those_of_git(pattern: str, path: str, folder: bool, expected: bool) -> None:
    assert Ignored([pattern])(path, folder=folder) is expected


def test_a_folder_that_can_not_be_handed_in(bot: Path) -> None:
    (bot / "link").symlink_to("bot")
    with pytest.raises(BadArchive, match="'link' is a link"):
        pack(bot)
    (bot / "link").unlink()
    os.mkfifo(bot / "pipe")
    with pytest.raises(BadArchive, match="'pipe' is a device, a pipe"):
        pack(bot)
    (bot / "pipe").unlink()
    with pytest.raises(BadArchive, match="are allowed; leave files out"):
        pack(bot, ArchiveLimits(packed_bytes=100))
    (bot / ".paddockignore").write_text("*.toml\n")
    with pytest.raises(BadArchive, match="has to be handed in"):
        pack(bot)
    (bot / "paddock-bot.toml").unlink()
    with pytest.raises(BadManifest, match="write one with name, version and run"):
        pack(bot)
