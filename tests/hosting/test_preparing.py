"""Bots that are handed in: accepted with a certificate, or rejected with a sentence."""

import io
from functools import partial
from pathlib import Path

import pytest

from paddock_server.checking.check import POINTS, check
from paddock_server.hosting.certifying import IDLE, STARTS
from paddock_server.hosting.preparing import Prepared, Rejected, Terms, Workshop
from paddock_server.jails.confined import JailLimits
from paddock_server.jails.jail import Jails
from paddock_server.jails.toolchains import host
from paddock_server.packing.archive import pack
from paddock_server.packing.folder import write_folder
from paddock_server.packing.member import BUILT
from paddock_server.packing.reader import read
from tests.hosting.handed_in import QUICK, Outcome, handed_in, make, run
from tests.packing.bad_archives import F, tar

PYTHON = """
from paddock import Bot, run_from_command_line
class Mine(Bot):
    def choose(self, ask):
        return ask.legal[0]
run_from_command_line(Mine())
"""
LINES = r"""
while read -r line; do case $line in *'"type":"ask"'*) echo 0;; esac; done
"""


def _lines(tmp_path: Path, program: str, **manifest: object) -> Path:
    """A bot that speaks lines."""
    values = {"run": ["sh", "bot.sh"], "speaks": "lines", "formats": ["summer"], **manifest}
    return make(tmp_path / "bot", {"bot.sh": program}, **values)


def _rejected(folder: Path, tmp_path: Path, terms: Terms = QUICK) -> Outcome:
    outcome = handed_in(folder, tmp_path / "work", terms)
    assert isinstance(outcome.result, Rejected)
    assert outcome.result.reason == "submission/rejected"
    return outcome


def _accepted(outcome: Outcome, toolchain: str) -> Prepared:
    assert isinstance(outcome.result, Prepared), outcome.result
    certificate = outcome.result.certificate
    assert [point.point for point in certificate.points] == [
        *POINTS[:2], "format summer", *POINTS[2:], STARTS, IDLE,
    ]  # fmt: skip
    assert {point.word for point in certificate.points} == {"passed"}  # other address, too
    assert certificate.toolchain.startswith(toolchain)
    assert certificate.artefact == outcome.result.sha256
    return outcome.result


def test_a_python_bot_is_accepted(tmp_path: Path) -> None:
    folder = make(
        tmp_path / "bot", {"bot.py": PYTHON},
        language="Python", run=["python", "bot.py"], formats=["summer"],
    )  # fmt: skip
    outcome = handed_in(folder, tmp_path / "work")
    prepared = _accepted(outcome, "python-3")
    assert outcome.stages == ["unpacking", "checking"]
    with prepared.artefact.open("rb") as artefact:
        write_folder(read(artefact, BUILT), tmp_path / "again")
    assert (tmp_path / "again/bot.py").read_text() == PYTHON


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("sleep 1000", "hello: it did not connect within 2 s"),
        ("echo oh no >&2; exit 3", "hello: it did not connect"),
    ],
)
def test_24_a_bot_that_never_says_hello(tmp_path: Path, program: str, words: str) -> None:
    folder = make(tmp_path / "bot", {"bot.sh": program}, run=["sh", "bot.sh"])
    outcome = _rejected(folder, tmp_path, QUICK._replace(patience=2))
    assert outcome.rejected.sentence.startswith(words)
    assert outcome.failed == ["hello"]


def test_24_a_bot_that_says_hello_and_dies(tmp_path: Path) -> None:
    outcome = _rejected(_lines(tmp_path, "read -r line; echo oh no >&2; exit 3"), tmp_path)
    (failed,) = (point for point in outcome.points if point.point == "format summer")
    assert failed.passed is False
    assert "oh no" in failed.output


def test_24_a_bot_that_dies_at_every_third_ask(tmp_path: Path) -> None:
    dying = """
    n=0; while read -r line; do case $line in *'"type":"ask"'*)
    n=$((n+1)); [ $n = 3 ] && exit 9; echo 0;; esac; done
    """
    outcome = _rejected(_lines(tmp_path, dying), tmp_path)
    assert outcome.rejected.sentence.startswith("format summer: ")


def test_a_bot_that_uses_too_much_memory_is_told_so(tmp_path: Path) -> None:
    hungry = "import time\nx = bytearray(200 << 20)\ntime.sleep(100)\n"
    folder = make(
        tmp_path / "bot", {"bot.py": hungry}, language="Python", run=["python", "bot.py"],
        limits={"memory_mb": 64},
    )  # fmt: skip
    sentence = _rejected(folder, tmp_path).rejected.sentence
    assert "memory 64 MB" in sentence or "exit code 1" in sentence  # a limit, or a MemoryError


def test_a_bot_that_is_never_idle_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = partial(check, only=("ping",))  # the other points have their own tests
    monkeypatch.setattr("paddock_server.hosting.certifying.check", few)
    busy = f"(while :; do :; done) & {LINES}"
    outcome = _rejected(_lines(tmp_path, busy), tmp_path)
    assert outcome.failed == [IDLE]
    assert "of processor time in 1 s in which nobody asked it anything" in outcome.rejected.sentence


def test_25_escapes_in_what_a_bot_prints_are_harmless(tmp_path: Path) -> None:
    printing = r"printf '\033[2J\033]0;evil\007<script>alert(1)</script>\n' >&2; exit 1"
    folder = make(tmp_path / "bot", {"b.sh": printing}, build=["sh", "b.sh"], run=["./bot"])
    outcome = _rejected(folder, tmp_path)
    assert "<script>" in outcome.rejected.sentence
    shown = outcome.rejected.sentence.replace("\n", "")
    assert shown.isprintable()


def _prepare(tmp_path: Path, archive: bytes, manifest: bytes) -> Rejected:
    (tmp_path / "archive").write_bytes(archive)
    (tmp_path / "work").mkdir()

    async def scene() -> None:
        jails = Jails()
        workshop = Workshop(jails, [host()], Terms(run=JailLimits()))
        try:
            await workshop.prepare(tmp_path / "archive", manifest, tmp_path / "work")
        finally:
            jails.close()

    with pytest.raises(Rejected) as rejected:
        run(scene())
    return rejected.value


MANIFEST = b'name = "ada-1"\nversion = "1"\nrun = ["./bot"]\n'


def test_06_a_manifest_that_is_not_the_one_that_came_along(tmp_path: Path) -> None:
    other = MANIFEST.replace(b"ada-1", b"bob-1")
    rejected = _prepare(tmp_path, tar(("paddock-bot.toml", F, other)), MANIFEST)
    assert rejected.reason == "submission/bad_archive"
    assert "is not the one that came with it" in rejected.sentence


@pytest.mark.parametrize(
    ("archive", "words"),
    [
        (tar(("x", F, b"")), "has no paddock-bot.toml at its top; put it there"),
        (tar(("mine/paddock-bot.toml", F, MANIFEST)), "it is in mine: pack what is in that folder"),
        (tar(("../x", F, b"")), "leads out of the folder"),
    ],
)
def test_a_bad_archive_is_rejected(tmp_path: Path, archive: bytes, words: str) -> None:
    rejected = _prepare(tmp_path, archive, MANIFEST)
    assert rejected.reason == "submission/bad_archive"
    assert words in rejected.sentence


def test_an_unknown_toolchain_is_rejected(tmp_path: Path) -> None:
    manifest = MANIFEST + b'toolchain = "go-9"\n'
    rejected = _prepare(tmp_path, tar(("paddock-bot.toml", F, manifest)), manifest)
    assert rejected.reason == "toolchain/missing"
    assert "there is no toolchain go-9; known are host" in rejected.sentence


def test_one_content_is_one_artefact(tmp_path: Path) -> None:
    folder = _lines(tmp_path, LINES)
    first, second = pack(folder), pack(folder)
    assert first == second
    assert io.BytesIO(first.data).read(2) == b"\x1f\x8b"
