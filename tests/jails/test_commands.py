"""`--jail`: commands of this machine play in jails as they do outside."""

import json
import os
import sys
from pathlib import Path

import pytest

from paddock_server.jails.commands import confined_here
from paddock_server.jails.confined import CannotJail, JailLimits
from paddock_server.jails.toolchains import host
from tests.cli.command import call

ROOT = Path(__file__).parents[2]
BRIDGE = ROOT / "clients" / "bridge"


def test_sample_bots_and_programs_of_other_languages_play_in_jails() -> None:
    paddock = Path(sys.executable).parent / "paddock"
    sh = f"{paddock} bridge -- sh {BRIDGE / 'bot.sh'}"
    done = call(
        "play", "--format", "two-player", "--games", "1", "--json", "--jail", "--accept-weaker",
        "--bot", "random", "--bot", f"mine={sh}",
    )  # fmt: skip
    assert done.code == 0, done
    bots = {each["bot"]: each for each in json.loads(done.out)["bots"]}
    assert set(bots) == {"random", "mine"}
    assert not any(each["faults"] for each in bots.values())


def test_accepting_less_makes_sense_with_a_jail_alone() -> None:
    done = call("check-bot", "--accept-weaker", "--", "true")
    assert done.code == 2
    assert "--accept-weaker is about jails; give --jail too" in done.err


def test_a_jail_shows_the_folders_of_named_files_and_never_a_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, bots, elsewhere = (tmp_path / name for name in ("home", "bots", "elsewhere"))
    for folder in (home, bots, elsewhere):
        folder.mkdir()
        (folder / "bot").write_text("")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(bots)
    shown = confined_here(["./bot", str(elsewhere / "bot")], host(), {}, JailLimits())
    assert {str(bind.source) for bind in shown.binds} == {str(bots), str(elsewhere)}
    assert shown.folder == os.fspath(bots)
    with pytest.raises(CannotJail, match=r"a jail would show all of .*home; put the bot into"):
        confined_here([str(home / "bot")], host(), {}, JailLimits())
    monkeypatch.chdir(home)
    assert confined_here(["true"], host(), {}, JailLimits()).binds == ()
