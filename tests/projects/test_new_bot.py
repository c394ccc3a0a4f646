"""`paddock new-bot`: the project of every language builds and plays as its last words say."""

import io
import os
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from paddock_server.projects.project import project, write, zipped
from paddock_server.projects.starters import STARTERS
from tests.cli.command import start
from tests.clients.building import SHARED
from tests.clients.languages import LANGUAGES
from tests.docs.page import run_within
from tests.projects.handing_in import alone, unpacked
from tests.tools import needs, needs_all, needs_perl

SECONDS = 1200  # some of them build a whole SDK
AT_ONCE = 3  # a check is mostly waiting, and its bots have to be in time
HOW = {
    "sh": ("awk", "on Debian: apt-get install mawk"),
    "perl": ("perl", "on Debian: apt-get install perl"),
    "lua": ("lua", "on Debian: apt-get install lua5.4"),
    "ruby": ("ruby", "on Debian: apt-get install ruby"),
    "javascript": ("node", "on Debian: apt-get install nodejs"),
}
# What an arena would say takes minutes for some: those are checked by make chaos.
IN_JAILS = ("python", "java") if os.environ.get("PADDOCK_TEST_ALL_IN_JAILS") is None else STARTERS
BUILT = [language for language, starter in STARTERS.items() if starter.build]
PLAIN = [language for language, starter in STARTERS.items() if not starter.build]


def _needs(language: str) -> None:
    if language in HOW:
        needs(*HOW[language])
    if language == "perl":
        needs_perl()
    if language in LANGUAGES:
        needs_all(LANGUAGES[language].tools)


def _follow(language: str, folder: Path) -> Path:
    """Make a project there and do what it says; where the project is."""
    made = start("new-bot", "my bots/first", "--lang", language, "--name", "mine", cwd=folder)
    assert (made.code, made.err) == (0, ""), made
    said, _, commands = made.out.partition("\n\n")
    assert said.startswith(f"a bot in {STARTERS[language].title}: ")
    assert commands.startswith("cd 'my bots/first'\n")
    out = run_within(SECONDS, commands, folder, **SHARED).stdout
    assert re.search(r"points: \d+ passed, 0 failed, 0 skipped", out)
    rows = re.findall(r"│ (mine|greedy)(?:-2)? +│.*│ +(\d+) │", out)
    assert sorted(name for name, _ in rows) == ["greedy", "greedy", "mine", "mine"]
    assert {fallbacks for _, fallbacks in rows} == {"0"}
    readme = (folder / "my bots" / "first" / "README.md").read_text()
    for command in (*commands.splitlines()[1:], *STARTERS[language].vendor):
        assert command in readme
    return folder / "my bots" / "first"


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("language", BUILT)
def test_the_next_steps_work_as_printed_and_then_without_a_network(
    language: str, tmp_path: Path
) -> None:
    _needs(language)
    project_folder = _follow(language, tmp_path)
    run_within(SECONDS, "\n".join(STARTERS[language].vendor), project_folder)
    handed_in = tmp_path / "handed in"
    manifest = unpacked(project_folder, handed_in)
    alone(handed_in, tmp_path / "home", *manifest.build)
    kept = tmp_path / "kept"
    for name in manifest.keep:
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        (handed_in / name).rename(kept / name)
    check = ("check-bot", "--format", "summer", "--point", "ping", "--point", "several asks")
    checked = start(*check, "--", *manifest.run, cwd=kept)
    assert checked.code == 0, checked
    if language in IN_JAILS:
        _is_accepted(project_folder)


def _is_accepted(folder: Path) -> None:
    """An arena builds and accepts a project, with its limits and in its jails."""
    said = start("submission", "check", folder)
    assert said.code == 0, said
    assert "accepted: built and checked with " in said.out


@pytest.mark.timeout(SECONDS)
def test_the_next_steps_of_what_is_not_built(tmp_path: Path) -> None:
    """All at once, because a check is mostly waiting."""
    missing, chosen = [], []
    for language in PLAIN:
        try:
            _needs(language)
        except pytest.skip.Exception as skipped:
            missing.append(str(skipped))
        else:
            chosen.append(language)
            (tmp_path / language).mkdir()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = pool.map(_follow, chosen, [tmp_path / language for language in chosen])
        for language, folder in zip(chosen, done, strict=True):
            manifest = unpacked(folder, tmp_path / f"{language} handed in")
            assert not manifest.build
            if language in IN_JAILS:
                _is_accepted(folder)
    if missing:
        pytest.skip("; ".join(missing))


@pytest.mark.parametrize("language", STARTERS)
def test_the_manifest_says_how_the_bot_is_run(language: str, tmp_path: Path) -> None:
    starter = STARTERS[language]
    write(project(language, "mine"), tmp_path / "written")
    manifest = unpacked(tmp_path / "written", tmp_path / "handed in")
    assert (manifest.name, manifest.version, manifest.language) == ("mine", "1", starter.title)
    assert manifest.speaks == ("lines" if starter.run.startswith("paddock bridge") else "grpc")
    assert manifest.build == starter.hosted.build
    assert (manifest.run, manifest.keep) == (starter.hosted.run, starter.hosted.keep)


def test_every_sdk_has_a_starter() -> None:
    assert set(LANGUAGES) <= set(STARTERS)


def test_what_is_there_is_not_touched(tmp_path: Path) -> None:
    folder = tmp_path / "full"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    refused = start("new-bot", folder, "--lang", "sh")
    assert refused.code == 2
    assert "is there already and is not empty" in refused.err
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]
    refused = start("new-bot", tmp_path / "x", "--lang", "sh", "--name", "a b")
    assert refused.code == 2
    assert "can't be the name of a bot" in refused.err
    assert not (tmp_path / "x").exists()
    refused = start("new-bot", folder / "mine.txt" / "x", "--lang", "sh")
    assert refused.code == 2
    assert "Traceback" not in refused.err
    assert "Invalid value for '--lang'" in start("new-bot", "x", "--lang", "cobol").err


@pytest.mark.parametrize("language", STARTERS)
def test_the_zip_is_the_same_project(language: str, tmp_path: Path) -> None:
    made = project(language, "mine")
    write(made, tmp_path / "written")
    assert zipped(made) == zipped(project(language, "mine"))
    archive = zipfile.ZipFile(io.BytesIO(zipped(made)))
    for info in archive.infolist():
        path = tmp_path / "written" / info.filename.removeprefix("mine/")
        assert path.read_bytes() == archive.read(info)
        assert path.stat().st_mode & 0o777 == info.external_attr >> 16
        assert b"@NAME@" not in archive.read(info)
    assert len(archive.infolist()) == len(made.files)
