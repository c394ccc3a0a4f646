"""Every bad archive is refused with a reason and a sentence, and nothing is written outside."""

import io
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_server.packing.archive import tar_of, zip_of
from paddock_server.packing.folder import write_folder
from paddock_server.packing.member import BUILT, HANDED_IN, BadArchive, Kind, Member
from paddock_server.packing.reader import read
from tests.packing.bad_archives import BAD, F, S, tar, zipped

PATHS = st.lists(st.sampled_from(["a", "b", "..", "0", "1", "2"]), max_size=5).map("/".join)


@pytest.mark.parametrize("name", BAD)
def test_a_bad_archive_is_refused(tmp_path: Path, name: str) -> None:
    make, words = BAD[name]
    limits = HANDED_IN._replace(members=500)  # thousands of files take long to write
    with pytest.raises(BadArchive) as refused:
        write_folder(read(io.BytesIO(make()), limits), tmp_path / "bot")
    assert words in refused.value.sentence
    assert refused.value.reason == "submission/bad_archive"
    assert refused.value.sentence.isprintable()
    assert {path.name for path in tmp_path.iterdir()} <= {"bot"}
    written = sum(p.lstat().st_size for p in tmp_path.rglob("*") if p.is_file())
    assert written <= 100 << 20


@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_5000_files_are_the_most(pack: Callable[[Iterable[Member]], bytes]) -> None:
    files = [Member(f"f{n}", Kind.FILE) for n in range(5001)]
    assert len([*read(io.BytesIO(pack(files[:5000])))]) == 5000
    with pytest.raises(BadArchive, match="more than 5,000 files"):
        list(read(io.BytesIO(pack(files))))


@pytest.mark.parametrize("name", ["PAX header of 400 MB", "long name of 400 MB", "bomb of 150 MB"])
def test_a_bomb_needs_little_memory(tmp_path: Path, name: str) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(BAD[name][0]())
    program = (
        "import sys, collections\n"
        "from paddock_server.packing.reader import read\n"
        "from paddock_server.packing.member import BadArchive\n"
        "try: [collections.deque(m.content, maxlen=0) for m in read(open(sys.argv[1], 'rb'))]\n"
        "except BadArchive as bad: print(bad)"
    )

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_DATA, (64 << 20, 64 << 20))

    done = subprocess.run(
        [sys.executable, "-c", program, str(archive)],
        preexec_fn=little, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert BAD[name][1] in done.stdout


def test_a_build_may_leave_links_that_stay_inside(tmp_path: Path) -> None:
    archive = tar(("lib/x", F, b"x"), ("bin/x", S, "../lib/x"), ("here", S, "lib"))
    write_folder(read(io.BytesIO(archive), BUILT), tmp_path / "bot")
    assert (tmp_path / "bot/bin/x").read_bytes() == b"x"
    assert (tmp_path / "bot/here/x").read_bytes() == b"x"


@pytest.mark.parametrize("target", ["/", "/etc", "..", "../../etc", "lib/../../..", "", "a\x1b"])
def test_a_link_out_of_the_folder_is_refused(tmp_path: Path, target: str) -> None:
    with pytest.raises(BadArchive, match="leads out of the folder"):
        write_folder(read(io.BytesIO(tar(("d", S, target))), BUILT), tmp_path / "bot")


def test_no_chain_of_links_leads_out_of_the_folder(tmp_path: Path) -> None:
    up = ("p/q/r/up", S, "../../..")  # the folder itself
    chain = tar(up, ("x", S, "p/q/r/up/../../etc/passwd"))
    with pytest.raises(BadArchive, match="leads out of the folder, or that could"):
        write_folder(read(io.BytesIO(chain), BUILT), tmp_path / "out")
    inside = tar(up, ("y", S, "./p/q/r/up/z"), ("z", F, b"z"), ("p/w", S, ".././y"))
    write_folder(read(io.BytesIO(inside), BUILT), tmp_path / "bot")
    assert (tmp_path / "bot/p/w").read_bytes() == b"z"


@given(st.lists(st.tuples(PATHS, PATHS), max_size=8))
def test_whatever_links_are_admitted_stay_inside(links: list[tuple[str, str]]) -> None:
    members: list[tuple[str, bytes, bytes | str]] = []
    for number, (path, target) in enumerate(links):
        member = f"{path}/{number}".replace("..", "n").strip("/"), S, target
        with suppress(BadArchive):
            list(read(io.BytesIO(tar(*members, member)), BUILT))
            members.append(member)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "bot"
        write_folder(read(io.BytesIO(tar(*members, ("f", F, b""))), BUILT), folder)
        for found in folder.rglob("*"):
            with suppress(RuntimeError):  # a loop leads nowhere
                assert found.resolve().is_relative_to(folder)


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    archive = tar(("lib/a", F, b""), ("d", S, "lib"), ("d/x", F, b"x"))
    with pytest.raises(BadArchive, match="is there twice"):
        write_folder(read(io.BytesIO(archive), BUILT), tmp_path / "bot")
    in_zip = zipped(("l", b"../x"), mode=0o120777)
    with pytest.raises(BadArchive, match="leads out"):
        write_folder(read(io.BytesIO(in_zip), BUILT), tmp_path / "zip")
