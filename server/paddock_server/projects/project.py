"""A project: the files of a new bot, to be written into a folder or sent as a zip."""

import io
import json
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from paddock_server.basics.errors import ServerError
from paddock_server.basics.name import is_guest
from paddock_server.projects.starters import STARTERS, Starter, proto, sdk, template

MANIFEST: Final = "paddock-bot.toml"
_NAME: Final = b"@NAME@"
_PLAIN, _PROGRAM = 0o644, 0o755
_LEFT_OUT: Final = frozenset({"build", "target", "node_modules", "dist", "__pycache__"})
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)  # so that the same project is the same zip


class BadProject(ServerError):
    """Raised when a project can't be made."""

    reason = "file/wrong"


class File(NamedTuple):
    """A file of a project."""

    path: str  # below its folder
    contents: bytes
    program: bool  # whether it can be run


class Project(NamedTuple):
    """A new bot: its files, and the commands that build it and let it play."""

    name: str
    starter: Starter
    files: tuple[File, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """What to do next, in the folder of the project."""
        return steps(self.starter, self.name)


def steps(starter: Starter, name: str) -> tuple[str, ...]:
    """The commands that build a project, check its bot and let it play."""
    play = f'paddock play --format summer --bot greedy --bot {name}="{starter.run}" --games 4'
    return (*starter.build, f"paddock check-bot --format summer -- {starter.run}", play)


def project(language: str, name: str) -> Project:
    """The project of a bot with this name; raises BadProject for a name that no bot can have."""
    if not is_guest(name):
        raise BadProject(
            f"{name!r} can't be the name of a bot: use at most 40 letters, digits, dots, dashes "
            "and underscores, and not house-"
        )
    starter = STARTERS[language]
    files = [_filled(file, name) for file in _files(template(language))]
    if starter.sdk:
        # As in the repository, because an SDK finds the contract by its place beside it.
        files += _files(sdk(starter), f"paddock/clients/{starter.sdk}/")
        files += _files(proto(), "paddock/proto/")
    return Project(name, starter, (*_about(starter, name), *files))


def _about(starter: Starter, name: str) -> Iterator[File]:
    """The files that tell people and an arena what to do with the project."""
    yield File("README.md", _readme(starter, name).encode(), program=False)
    yield File(MANIFEST, manifest(starter, name).encode(), program=False)
    if starter.hosted.left_out:
        text = "".join(f"{line}\n" for line in starter.hosted.left_out)
        yield File(".paddockignore", text.encode(), program=False)


def manifest(starter: Starter, name: str) -> str:
    """The manifest of a bot that is handed in."""
    hosted = starter.hosted
    lines = [
        "# How an arena builds and runs this bot, without a network. To hand it in: see README.md.",
        f"name = {json.dumps(name)}",
        'version = "1"  # a new one for every upload',
        f"language = {json.dumps(starter.title)}",
        f"speaks = {json.dumps(hosted.speaks)}",
    ]
    commands = {"build": hosted.build, "run": hosted.run, "keep": hosted.keep}
    lines += [f"{key} = {json.dumps(words)}" for key, words in commands.items() if words]
    return "\n".join(lines) + "\n"


def _filled(file: File, name: str) -> File:
    return file._replace(contents=file.contents.replace(_NAME, name.encode()))


def _files(folder: Path, prefix: str = "") -> list[File]:
    """The files below a folder, without what a build makes."""
    found = []
    for path in sorted(folder.rglob("*")):
        inner = path.relative_to(folder)
        if path.is_file() and not _LEFT_OUT.intersection(inner.parts):
            program = os.access(path, os.X_OK)
            found.append(File(f"{prefix}{inner.as_posix()}", path.read_bytes(), program))
    return found


def _readme(starter: Starter, name: str) -> str:
    needs = f"It needs {starter.needs}, and Paddock" if starter.needs else "It needs Paddock"
    commands = "\n".join(steps(starter, name))
    return (
        f"# {name}\n\nA bot for Paddock in {starter.title}. {needs}, whose command `paddock` has "
        f"to be found.\n\n```sh\n{commands}\n```\n\n"
        "The second-last command checks everything that a bot has to do, the last one lets it play "
        "and prints how it did.\nTo let it play on a server, start it with the variables "
        f"`PADDOCK_SERVER`, `PADDOCK_BOT` and `PADDOCK_TOKEN`:\n\n```\n{starter.run}\n```\n"
        f"{_handing_in(starter)}"
    )


def _handing_in(starter: Starter) -> str:
    if starter.vendor:
        packages = "First put all packages into this folder, and again after every change of them:"
    elif starter.build:
        packages = "After the build all that it needs is in this folder."
    else:
        packages = "All that it needs is in this folder."
    vendor = "".join(f"{command}\n" for command in starter.vendor)
    return (
        "\n## Hand it in\n\nAn arena that runs bots itself builds and runs this one by "
        f"`{MANIFEST}`, without a network. {packages}\n\n```\n{vendor}paddock submit .\n```\n"
    )


def write(made: Project, folder: Path) -> None:
    """Write a project into a folder that is new or empty; raises BadProject where it is not."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadProject(f"{folder} is there already and is not empty; name a new folder")
        for file in made.files:
            path = folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.contents)
            path.chmod(_PROGRAM if file.program else _PLAIN)
    except OSError as problem:
        raise BadProject(f"{folder}: {problem.strerror or problem}") from None


def zipped(made: Project) -> bytes:
    """The project as a zip, in a folder with its name."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in made.files:
            info = zipfile.ZipInfo(f"{made.name}/{file.path}", _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (_PROGRAM if file.program else _PLAIN) << 16
            archive.writestr(info, file.contents)
    return buffer.getvalue()
