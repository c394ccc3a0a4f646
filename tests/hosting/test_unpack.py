"""Archives of strangers are read in a jail: what is refused leaves nothing, and costs little."""

import asyncio
from pathlib import Path

import pytest

from paddock_server.hosting.unpack import LIMITS, unpack
from paddock_server.jails.confined import CannotJail
from paddock_server.jails.jail import Jails
from paddock_server.packing.member import HANDED_IN, BadArchive
from tests.hosting.handed_in import run
from tests.packing.bad_archives import BAD, F, S, tar, zipped

FEW = HANDED_IN._replace(members=50)
HOSTILE = [
    # 1
    "../ in tar", "absolute", "link, then through it", "link in zip",
    # 2
    "hard link", "device", "pipe", "GNU sparse",
    # 3
    "bomb of 150 MB", "file of 60 MB", "zip says too little",
    # 4
    "PAX header of 400 MB", "long name of 400 MB",
    # 5
    "6,000 files", "40 deep", "control characters",
]  # fmt: skip


def _unpack(archive: bytes, tmp_path: Path) -> Path:
    (tmp_path / "archive").write_bytes(archive)

    async def scene() -> Path:
        jails = Jails()
        try:
            await unpack(jails, tmp_path / "archive", tmp_path / "bot", FEW)
        finally:
            jails.close()
        return tmp_path / "bot"

    return run(scene())


@pytest.mark.parametrize("archive", [
    tar(("deep/a", F, b"x" * 100_000), ("b", F, b"")),
    zipped(("deep/a", b"x" * 100_000), ("b", b"")),
])  # fmt: skip
def test_an_archive_is_unpacked(archive: bytes, tmp_path: Path) -> None:
    folder = _unpack(archive, tmp_path)
    assert (folder / "deep/a").read_bytes() == b"x" * 100_000
    assert (folder / "b").read_bytes() == b""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    make, words = BAD[name]
    with pytest.raises(BadArchive) as refused:
        _unpack(make(), tmp_path)
    assert words in refused.value.sentence
    assert [path.name for path in tmp_path.iterdir()] == ["archive"]


def test_a_reader_that_breaks_its_limits_is_the_archives_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = LIMITS._replace(wall_seconds=0.01)
    monkeypatch.setattr("paddock_server.hosting.unpack.LIMITS", impatient)
    with pytest.raises(BadArchive, match="within the limits: time"):
        _unpack(tar(("a", F, b"")), tmp_path)


def test_a_folder_that_can_not_be_written_is_not_the_archives_fault(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("in the way")
    with pytest.raises(CannotJail, match="can't be written"):
        _unpack(tar(("a", F, b"")), tmp_path)


def test_two_archives_are_unpacked_at_once(tmp_path: Path) -> None:
    async def scene() -> None:
        jails = Jails()
        for name in "ab":
            (tmp_path / f"{name}.tgz").write_bytes(tar((name, F, name.encode())))
        (tmp_path / "c.tgz").write_bytes(tar(("c", S, "/etc")))
        outcomes = await asyncio.gather(
            *(unpack(jails, tmp_path / f"{name}.tgz", tmp_path / name) for name in "abc"),
            return_exceptions=True,
        )
        jails.close()
        assert outcomes[:2] == [None, None]
        assert isinstance(outcomes[2], BadArchive)
        assert (tmp_path / "a/a").read_text() + (tmp_path / "b/b").read_text() == "ab"

    run(scene())
