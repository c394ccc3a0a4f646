"""`paddock submission check`: what a server would say to a bot, here and now."""

import asyncio
import logging
import tempfile
from pathlib import Path
from typing import Any

import click

from paddock_server.checking.report import PointResult, summary
from paddock_server.cli.check_bot import FAILED, show_point
from paddock_server.cli.terminal import clean, clean_lines, print_json
from paddock_server.cli.toolchain_options import toolchain_options, toolchains_beside
from paddock_server.hosting.preparing import (
    PreparationListener,
    Prepared,
    Rejected,
    Terms,
    Workshop,
)
from paddock_server.jails.confined import Toolchain
from paddock_server.jails.doctor import admitted, examine
from paddock_server.jails.jail import Jails
from paddock_server.jails.usual import BOT
from paddock_server.packing.archive import Package, pack
from paddock_server.packing.member import MB


@click.command("check")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--memory", "memory_mb", type=click.IntRange(16), default=BOT.memory_mb,
              show_default=True, help="The most memory that the bot may use, in MB.")  # fmt: skip
@toolchain_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON for a program.")
def check(
    folder: Path, memory_mb: int, roots: list[Toolchain], mirror: Path | None, as_json: bool
) -> int:
    """Pack, build and check the bot in DIR as a server does, in jails, without a server.

    DIR has a file paddock-bot.toml. The exit code is 0 if the bot would be accepted, 1 if it would
    be rejected, and 2 if this machine can't tell.

    \b
    For example
      paddock submission check mybot
    """
    package = pack(folder)
    weaknesses = admitted(examine(), accept_weaker=True)
    logging.getLogger("paddock").addHandler(logging.NullHandler())  # the report says it all
    found: list[PointResult] = []
    listener = (
        PreparationListener(point=found.append) if as_json else _telling(package, weaknesses, found)
    )
    terms = Terms(run=BOT._replace(memory_mb=memory_mb), mirror=mirror)
    try:
        prepared = asyncio.run(_prepare(package, roots, terms, listener))
    except Rejected as rejected:
        if as_json:
            print_json(_as_json(package, found, rejected))
        else:
            click.echo(clean_lines(f"rejected: {rejected.reason}: {rejected.sentence}"))
        return FAILED
    if as_json:
        print_json(_as_json(package, found, prepared))
    else:
        certificate = prepared.certificate
        mirrored = "; its build could reach a mirror of packages" if certificate.mirror else ""
        click.echo(
            f"{summary(found)}\naccepted: built and checked with {certificate.toolchain}{mirrored}"
        )
    return 0


async def _prepare(
    package: Package, roots: list[Toolchain], terms: Terms, listener: PreparationListener
) -> Prepared:
    jails = Jails()
    workshop = Workshop(jails, toolchains_beside(terms.mirror, roots), terms)
    try:
        with tempfile.TemporaryDirectory(prefix="paddock-check-") as work:
            archive = Path(work, "archive")
            archive.write_bytes(package.data)  # noqa: ASYNC240 -- nothing else runs yet
            return await workshop.prepare(archive, package.manifest_bytes, Path(work), listener)
    finally:
        jails.close()


def _telling(
    package: Package, weaknesses: list[str], found: list[PointResult]
) -> PreparationListener:
    manifest = package.manifest
    size = f"{len(package.data) / MB:.1f} MB" if len(package.data) > MB else "less than 1 MB"
    click.echo(clean(f"{manifest.name} version {manifest.version}: {size}, {package.sha256}"))
    for sentence in weaknesses:
        click.echo(f"not promised: {sentence}; a server may promise more")

    def point(result: PointResult) -> None:
        found.append(result)
        show_point(result)

    def words(said: bytes) -> None:
        click.echo(clean_lines(said.decode(errors="replace")), nl=said.endswith(b"\n"))

    return PreparationListener(click.echo, words, point)


def _as_json(
    package: Package, points: list[PointResult], outcome: Prepared | Rejected
) -> dict[str, Any]:
    rejected = outcome if isinstance(outcome, Rejected) else None
    prepared = outcome if isinstance(outcome, Prepared) else None
    return {
        "bot": package.manifest.name,
        "version": package.manifest.version,
        "sha256": package.sha256,
        "accepted": rejected is None,
        "reason": rejected.reason if rejected else None,
        "sentence": rejected.sentence if rejected else None,
        "toolchain": prepared.certificate.toolchain if prepared else None,
        "toolchain_sha256": prepared.certificate.toolchain_sha256 if prepared else None,
        "mirror": prepared.certificate.mirror if prepared else None,
        "artefact": prepared.sha256 if prepared else None,
        "points": [point.as_json() for point in points],
    }
