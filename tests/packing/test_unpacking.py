"""Unpacking in two processes: the writer believes nothing of what the reader says."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.packing.archive import tar_of, zip_of
from paddock_server.packing.folder import write_folder
from paddock_server.packing.member import BUILT, HANDED_IN, ArchiveLimits, BadArchive, Kind, Member
from paddock_server.packing.unpacking import ReaderGone, arguments, members_of, write_members
from tests.packing.bad_archives import BAD

SMALL = [Member("a/b", Kind.FILE, True, iter([b"x" * 100_000])), Member("c", Kind.FOLDER)]


def _read_alone(archive: bytes, limits: ArchiveLimits = HANDED_IN) -> bytes:
    command = [sys.executable, *arguments(limits)]
    return subprocess.run(command, input=archive, capture_output=True, check=True).stdout


def test_the_reader_runs_alone(tmp_path: Path) -> None:
    said = _read_alone(tar_of(SMALL))
    write_folder(members_of(io.BytesIO(said), HANDED_IN), tmp_path / "bot")
    assert (tmp_path / "bot/a/b").read_bytes() == b"x" * 100_000
    assert (tmp_path / "bot/a/b").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "bot/c").is_dir()


@pytest.mark.parametrize("name", ["link, then through it", "bomb of 150 MB", "cut short", "empty"])
def test_a_refusal_comes_through(tmp_path: Path, name: str) -> None:
    make, words = BAD[name]
    said = io.BytesIO()
    write_members(io.BytesIO(make()), said, HANDED_IN)
    said.seek(0)
    with pytest.raises(BadArchive) as refused:
        write_folder(members_of(said, HANDED_IN), tmp_path / "bot")
    assert words in refused.value.sentence


@pytest.mark.parametrize(
    "said",
    [
        b'["member", "../x", "file", false, ""]\n0\n["end"]\n',
        b'["member", "/x", "file", false, ""]\n0\n["end"]\n',
        b'["member", "x", "link", false, "/etc"]\n0\n["end"]\n',
        b'["member", "x", "device", false, ""]\n0\n["end"]\n',
        b'["member", "x", "file", false, ""]\n99999999999\n',
        b'["member", "x", "file", false, ""]\n5\nab',
        b'["member", "x", "file", false, ""]\n-5\nab',
        b'["refused", "a\\u001b[31m"]\n',
        b'{"member": 1}\n',
        b"[" * 10_000,
        b"",
    ],
)
def test_a_reader_that_was_broken_into_harms_nobody(tmp_path: Path, said: bytes) -> None:
    with pytest.raises((BadArchive, ReaderGone)):
        write_folder(members_of(io.BytesIO(said), BUILT), tmp_path / "bot")
    assert [path.name for path in tmp_path.iterdir()] == ["bot"]
    assert not any(path.is_symlink() for path in tmp_path.rglob("*"))


@given(st.binary(max_size=400), st.integers(0, 300))
def test_noise_is_refused(noise: bytes, at: int) -> None:
    said = io.BytesIO()
    write_members(io.BytesIO(zip_of([Member("a", Kind.FILE, False, iter([b"abc"]))])), said, BUILT)
    text = said.getvalue()
    broken = io.BytesIO(text[:at] + noise)
    try:
        for member in members_of(broken, BUILT):
            b"".join(member.content)
    except (BadArchive, ReaderGone):
        pass
