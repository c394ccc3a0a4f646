"""The doctor: what jails on this machine can promise, by trying, and what to do about the rest."""

import asyncio
from collections.abc import Sequence
from typing import Final, NamedTuple

from paddock_server.jails.confined import CannotJail, Confined
from paddock_server.jails.jail import Jails
from paddock_server.jails.means import PACKAGES, Means, find_means
from paddock_server.jails.toolchains import host

_DELEGATE: Final = (
    "run it as a systemd service with Delegate=yes "
    "(deploy/systemd/paddock-runner.service), or as root on a machine whose groups are its own"
)
_TRY_SECONDS: Final = 20.0


class Promise(NamedTuple):
    """A promise of jails, and whether it holds on this machine."""

    name: str
    held: bool
    how: str  # the means, or what is there instead
    remedy: str = ""  # what to do where it is not held
    weaker: str = ""  # what a bot can then do


def examine(means: Means | None = None) -> list[Promise]:
    """All promises, in the order in which they matter."""
    means = means or find_means()
    return [
        _walls(means),
        _filter(means),
        _uids(means),
        _memory(means),
        _processes(means),
        _processors(means),
        _cores(means),
        Promise("files", not means.lacking, "a /tmp limited in bytes and in files"),
    ]


def admitted(promises: Sequence[Promise], *, accept_weaker: bool) -> list[str]:
    """What is not promised, and what follows from that; raises CannotJail if strict, or if nothing
    holds.

    Without walls and without a filter there is no jail at all.
    """
    broken = [each for each in promises if not each.held]
    no_jail = [each for each in broken if each.name in ("walls", "system calls")]
    if no_jail or (broken and not accept_weaker):
        told = "; ".join(f"{each.name}: {each.how}; {each.remedy}" for each in no_jail or broken)
        way_out = "" if no_jail else "; --accept-weaker starts without these promises"
        raise CannotJail(
            f"this machine can't promise what jails promise: {told}; "
            f"paddock runner doctor shows everything{way_out}"
        )
    return [f"{each.name}: {each.weaker}" for each in broken]


def _walls(means: Means) -> Promise:
    name = "walls"
    if means.lacking:
        packages = " ".join(sorted({PACKAGES[tool] for tool in means.lacking}))
        return Promise(
            name, False, f"{', '.join(means.lacking)} not found", f"apt-get install {packages}"
        )
    said = asyncio.run(_try(means))
    if said is not None:
        return Promise(
            name,
            False,
            f"a jail can't be made: {said}",
            "allow user namespaces: sysctl kernel.unprivileged_userns_clone=1; on Ubuntu an "
            "AppArmor profile for bwrap; in a container --security-opt seccomp=unconfined",
        )
    return Promise(name, True, "bubblewrap: own processes, files, network, users; a jail was made")


async def _try(means: Means) -> str | None:
    """The words of a jail that could not be made; None where it could."""
    jails = Jails(means)
    try:
        jail = await jails.start(
            Confined(("/bin/true",), host(), folder="/"),
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(_TRY_SECONDS):
                assert jail.process.stderr is not None  # noqa: S101 -- a pipe was asked for
                said = await jail.process.stderr.read()
                code = await jail.wait()
        finally:
            await jail.stop()
    except (CannotJail, TimeoutError) as problem:
        return str(problem)
    finally:
        jails.close()
    return None if code == 0 else said.decode(errors="replace").strip() or f"exit code {code}"


def _filter(means: Means) -> Promise:
    held = bool(means.filter)
    how = "a seccomp filter" if held else "there is no filter for this processor"
    return Promise("system calls", held, how, "use a machine with x86-64 or arm64")


def _uids(means: Means) -> Promise:
    how = {
        "root": "root gives each jail a uid",
        "subuid": "newuidmap gives each jail a uid of /etc/subuid",
        "nobody": "all jails have the uid of this user",
    }[means.uids.by]
    return Promise(
        "own uid",
        means.uids.own,
        how,
        "apt-get install uidmap, and give the user a range: usermod --add-subuids 200000-265535 "
        "--add-subgids 200000-265535 USER",
        "a hole in one wall lets a bot reach the other bots and the files of this user",
    )


def _group(means: Means, name: str, kind: str, instead: str, weaker: str) -> Promise:
    found = means.controllers.found.get(kind)
    if found is not None:
        return Promise(name, True, f"cgroup v{found.version} {kind}")
    how = f"{instead}; no cgroup {kind}: {means.controllers.missing[kind]}"
    return Promise(name, False, how, _DELEGATE, weaker)


def _memory(means: Means) -> Promise:
    return _group(
        means, "memory", "memory", "a watchdog looks ten times a second",
        "a bot can hold more than its memory for a moment, and slow down the machine",
    )  # fmt: skip


def _processes(means: Means) -> Promise:
    if "pids" not in means.controllers.found and means.uids.own:
        return Promise("processes", True, "a limit of processes for each uid")
    return _group(
        means, "processes", "pids", "a limit of processes in each namespace",
        "the limit holds on Linux 5.14 and later; before, bots share one limit",
    )  # fmt: skip


def _processors(means: Means) -> Promise:
    return _group(
        means, "fair processors", "cpu", "nothing",
        "a bot with many threads gets more of a shared processor than one with few",
    )  # fmt: skip


def _cores(means: Means) -> Promise:
    return _group(
        means, "own cores", "cpuset", "nothing",
        "a bot can run on processors that are meant for others",
    )  # fmt: skip
