"""Builds in jails: what a build may do, what it leaves, and how it is told what went wrong."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from paddock_server.hosting.building import LOG_BYTES, BuildFailed, BuildLog, build
from paddock_server.jails.confined import CannotJail, Confined, JailLimits
from paddock_server.jails.jail import JailedProcess, Jails
from paddock_server.jails.means import find_means
from paddock_server.jails.toolchains import host
from paddock_server.jails.usual import BUILD
from paddock_server.packing.manifest import read_manifest
from tests.hosting.handed_in import make, run

SHORT = BUILD._replace(wall_seconds=3)


async def _build(
    jails: Jails,
    folder: Path,
    out: Path,
    limits: JailLimits = BUILD,
    said: BuildLog | None = None,
) -> str:
    """Build the bot of a folder; returns what it said."""
    log = said or BuildLog()
    manifest = read_manifest((folder / "paddock-bot.toml").read_bytes())
    await build(jails, folder, manifest, toolchain=host(), folder=out, log=log, limits=limits)
    return log.text


def _built(tmp_path: Path, script: str, limits: JailLimits = BUILD, **manifest: object) -> str:
    folder = make(
        tmp_path / "source",
        {"build.sh": script},
        build=["sh", "./build.sh"],
        run=["./bot"],
        **manifest,
    )

    async def scene() -> str:
        jails = Jails()
        try:
            return await _build(jails, folder, tmp_path / "out", limits)
        finally:
            jails.close()

    return run(scene())


def _failure(tmp_path: Path, script: str, limits: JailLimits = BUILD) -> str:
    with pytest.raises(BuildFailed) as failed:
        _built(tmp_path, script, limits)
    assert not (tmp_path / "out").exists()
    return failed.value.sentence


def test_a_build_gets_only_what_bots_leave(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Confined] = []
    start = Jails.start

    async def watched(jails: Jails, what: Confined, **how: Any) -> JailedProcess:
        started.append(what)
        return await start(jails, what, **how)

    monkeypatch.setattr(Jails, "start", watched)
    _built(tmp_path, ">bot; chmod +x bot")
    assert [what.cpu.last for what in started if what.command[0] == "sh"] == [True]


def test_what_a_build_leaves_comes_out(tmp_path: Path) -> None:
    make_all = "mkdir deep; echo hi > deep/x; ln deep/x y; ln -s deep z; >bot; chmod +x bot"
    said = _built(tmp_path, f"echo compiling; {make_all}")
    assert said == "compiling\n"
    out = tmp_path / "out"
    assert (out / "y").read_text() == (out / "z/x").read_text() == "hi\n"
    assert (out / "bot").stat().st_mode & 0o111
    assert (out / "paddock-bot.toml").is_file()


@pytest.mark.parametrize("tool", ["unshare", "mount", "bwrap"])
def test_a_launch_that_fails_is_not_the_fault_of_a_build(tmp_path: Path, tool: str) -> None:
    folder = make(tmp_path / "source", {}, build=["true"], run=["./bot"])
    means = find_means()
    broken = means._replace(tools={**means.tools, tool: "/bin/false"})

    async def scene() -> None:
        jails = Jails(broken)
        with pytest.raises(CannotJail, match="the jail of a build can't be made: exit code 1"):
            await _build(jails, folder, tmp_path / "out")
        jails.close()

    run(scene())


def test_keep_names_what_the_run_needs(tmp_path: Path) -> None:
    _built(tmp_path, "mkdir t; >t/bot; ln -s / out; >big", keep=["t/bot"])
    out = tmp_path / "out"
    files = {path.relative_to(out).as_posix() for path in out.rglob("*")}
    assert files == {"paddock-bot.toml", "t", "t/bot"}


def test_a_compiler_is_quoted(tmp_path: Path) -> None:
    said = _failure(tmp_path, "echo 'main.c:3: error: expected ;' >&2; exit 7")
    assert said == "the build ended with exit code 7; it said:\nmain.c:3: error: expected ;"


def test_a_missing_program_and_a_missing_file_are_named(tmp_path: Path) -> None:
    assert "nocc: not found" in _failure(tmp_path / "a", "nocc main.c")
    folder = make(tmp_path / "b", {}, build=["true"], run=["./bot"], keep=["bot"])

    async def scene() -> None:
        jails = Jails()
        with pytest.raises(BuildFailed, match="are all of keep in"):
            await _build(jails, folder, tmp_path / "out")
        jails.close()

    run(scene())


def test_07_a_build_that_forks_for_ever_harms_no_other(tmp_path: Path) -> None:
    bomb = make(
        tmp_path / "bomb", {"b.sh": "f() { f | f & }; f; wait; sleep 100"},
        build=["sh", "./b.sh"], run=["./bot"],
    )  # fmt: skip
    good = make(tmp_path / "good", {"b.sh": "sleep 1; >bot"}, build=["sh", "./b.sh"], run=["./bot"])

    async def scene() -> None:
        jails = Jails()
        both = await asyncio.gather(
            _build(jails, bomb, tmp_path / "1", SHORT._replace(processes=40)),
            _build(jails, good, tmp_path / "2"),
            return_exceptions=True,
        )
        jails.close()
        assert isinstance(both[0], BuildFailed)
        assert "processes" in both[0].sentence or "time 3 s" in both[0].sentence
        assert both[1] == ""
        assert (tmp_path / "2/bot").is_file()

    run(scene())


def test_08_a_build_that_sleeps_for_ever_is_ended(tmp_path: Path) -> None:
    assert "ended by a limit: time 3 s; it said nothing" in _failure(tmp_path, "sleep 1000", SHORT)


def test_08_a_build_that_prints_for_ever_is_ended_and_quoted_in_part(tmp_path: Path) -> None:
    folder = make(tmp_path / "source", {}, build=["yes", "no"], run=["./bot"])
    log = BuildLog()

    async def scene() -> None:
        jails = Jails()
        with pytest.raises(BuildFailed, match="time 3 s"):
            await _build(jails, folder, tmp_path / "out", SHORT, log)
        jails.close()

    run(scene())
    assert LOG_BYTES // 2 < len(log.text) <= LOG_BYTES
    assert "bytes are left out" in log.text


@pytest.mark.parametrize("target", ["/", "/etc/passwd", "../..", "/proc/self/environ"])
def test_09_a_build_that_leaves_a_link_outside_is_rejected(tmp_path: Path, target: str) -> None:
    said = _failure(tmp_path, f"ln -s {target} bot")
    assert said.startswith("what the build leaves can't be taken: 'bot' is a link that leads out")


def test_a_build_that_leaves_devices_or_too_much_is_rejected(tmp_path: Path) -> None:
    assert "Operation not permitted" in _failure(tmp_path / "a", "mkfifo p")
    zeros = "dd if=/dev/zero of=bot bs=1M count=60 2>/dev/null"
    assert "a file is larger than 50 MB" in _failure(tmp_path / "b", zeros)
    full = "dd if=/dev/zero of=bot bs=1M count=60"
    assert "No space left" in _failure(tmp_path / "c", full, BUILD._replace(tmp_mb=32))


def test_a_build_that_leaves_too_much_in_all_is_told_so(tmp_path: Path) -> None:
    noise = "for n in 1 2 3; do head -c 40000000 /dev/urandom > bot$n; done"
    said = _failure(tmp_path, noise)
    assert said.startswith("the build leaves more than 100 MB; name what the run needs in keep of ")


def test_10_a_build_sees_nothing_of_another(tmp_path: Path) -> None:
    places = "/tmp $HOME /var/tmp /dev/shm /source /usr /"  # noqa: S108 -- of a jail
    leave = f"for d in {places}; do echo x > $d/left-behind; done; >bot"
    look = "find / -name left-behind 2>/dev/null; >bot"
    one = make(tmp_path / "1", {"b.sh": leave}, build=["sh", "b.sh"], run=["./bot"])
    two = make(tmp_path / "2", {"b.sh": look}, build=["sh", "b.sh"], run=["./bot"])

    async def scene() -> None:
        jails = Jails()
        await _build(jails, one, tmp_path / "out1")
        assert await _build(jails, two, tmp_path / "out2") == ""
        jails.close()

    run(scene())
    assert not (tmp_path / "1/left-behind").exists()


def test_a_build_sees_no_secret_and_no_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PADDOCK_TOKEN", "pdk_canary")
    look = "env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'; cat /proc/net/route"
    said = _built(tmp_path, f"{look}; >bot")
    assert "GOPROXY=off" in said
    assert "pdk_canary" not in said
    assert str(tmp_path) not in said
