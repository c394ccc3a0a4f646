"""The starters: what a new project of each language consists of, and how it is built and run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

_SERVER: Final = Path(__file__).parents[1]
_TEMPLATES: Final = Path(__file__).with_name("templates")
# Installed, and in a checkout.
_CLIENTS: Final = (_SERVER / "clients", _SERVER.parents[1] / "clients")
_PROTO: Final = (_SERVER / "proto", _SERVER.parents[1] / "proto")


class Hosted(NamedTuple):
    """The build and run commands of a bot that is handed in, which work without a network."""

    run: tuple[str, ...]
    build: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()  # what the run needs of all that was built
    speaks: str = "grpc"
    left_out: tuple[str, ...] = ()  # what is not handed in, in the words of .paddockignore


class Starter(NamedTuple):
    """A language that `paddock new-bot` knows."""

    title: str
    run: str  # the command that starts the bot, in the folder of the project
    hosted: Hosted
    needs: str = ""  # what has to be installed, apart from Paddock
    build: tuple[str, ...] = ()  # the commands that come first
    vendor: tuple[str, ...] = ()  # the commands that put all packages into the folder
    sdk: str = ""  # the folder of clients/ that goes along; empty: Python's library, or lines


def _bridge(title: str, file: str, needs: str, matches: int = 8) -> Starter:
    run = f"paddock bridge --language {title} --max-matches {matches} -- ./{file}"
    return Starter(title, run, Hosted((f"./{file}",), speaks="lines"), needs)


STARTERS: Final[Mapping[str, Starter]] = {
    "python": Starter("Python", "python bot.py", Hosted(("python3", "bot.py"))),
    "go": Starter(
        "Go",
        "./bot",
        Hosted(
            run=("./bot",),
            build=("go", "build", "-mod=vendor", "-o", "bot", "."),
            keep=("bot",),
            left_out=("/bot", "/paddock/"),  # which vendor/ has, too
        ),
        needs="Go 1.26 or later (from 1.21 on Go fetches it by itself)",
        build=("go mod tidy", "go build -o bot ."),
        vendor=("go mod vendor",),
        sdk="go",
    ),
    "rust": Starter(
        "Rust",
        "target/debug/bot",
        Hosted(
            run=("target/debug/bot",),
            build=("cargo", "build", "--offline", "--locked"),
            keep=("target/debug/bot",),
            left_out=("/target/", "/paddock/proto/", "/paddock/clients/rust/generate/"),
        ),
        needs="Rust 1.88 or later with cargo, and a C compiler",
        build=("cargo build --quiet",),
        vendor=("sh vendor.sh",),
        sdk="rust",
    ),
    "typescript": Starter(
        "TypeScript",
        "node bot.js",
        Hosted(
            run=("node", "bot.js"),
            build=("node", "node_modules/typescript/bin/tsc"),
            keep=("bot.js", "package.json", "node_modules"),
            left_out=("/bot.js", "/paddock/", "/node_modules/.bin/"),  # which has links
        ),
        needs="Node.js 20 or later with npm",
        build=(
            "npm install --prefix paddock/clients/typescript",
            "npm run --prefix paddock/clients/typescript build",
            "npm install --install-links",
            "npm run build",
        ),
        sdk="typescript",
    ),
    "java": Starter(
        "Java",
        "./bot",
        Hosted(
            run=("java", "-XX:+UseSerialGC", "-Xmx96m", "-cp", "lib/*:classes", "Bot"),
            build=("javac", "-cp", "lib/*", "-d", "classes", "Bot.java"),
            keep=("lib", "classes"),
            left_out=("/classes/", "/paddock/"),
        ),
        needs="a JDK, 17 or later, and Maven",
        build=(
            "make -C paddock/clients/java build",
            "javac -cp 'paddock/clients/java/build/lib/*' -d classes Bot.java",
        ),
        vendor=("sh vendor.sh",),
        sdk="java",
    ),
    "cpp": Starter(
        "C++",
        "build/bot",
        Hosted(
            run=("build/bot",),
            build=("sh", "-c", "cmake -S . -B build -G Ninja && ninja -C build bot"),
            keep=("build/bot",),
            left_out=("/build/",),
        ),
        needs="CMake, ninja, a compiler of C++20, and grpc++ (see paddock/clients/cpp/README.md)",
        build=("cmake -S . -B build -G Ninja", "ninja -C build bot"),
        sdk="cpp",
    ),
    "sh": _bridge("sh", "bot.sh", "awk", matches=1),
    "perl": _bridge("Perl", "bot.pl", "Perl 5.14 or later"),
    "lua": _bridge("Lua", "bot.lua", "Lua 5.1 or later"),
    "ruby": _bridge("Ruby", "bot.rb", "Ruby 2.7 or later"),
    "javascript": _bridge("JavaScript", "bot.js", "Node.js 18 or later"),
}
"""Every language, by the word for `--lang`."""


def template(language: str) -> Path:
    """The folder with the files of a new project."""
    return _TEMPLATES / language


def sdk(starter: Starter) -> Path:
    """The folder of the SDK that goes along."""
    return _existing(_CLIENTS) / starter.sdk


def proto() -> Path:
    """The folder of the contract, which goes along with an SDK."""
    return _existing(_PROTO)


def _existing(places: tuple[Path, ...]) -> Path:
    return next((place for place in places if place.is_dir()), places[0])
