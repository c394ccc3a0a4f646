"""The languages of the clients: where each is, what its build needs, and its bots."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.tools import Tool

ROOT: Final = Path(__file__).parents[2]
CLIENTS: Final = ROOT / "clients"
BOTS: Final = ("random", "greedy", "searcher")
"""The sample bots that every SDK has in its folder build/, beside `choose` and `unruly`."""


_NODE: Final = "install Node.js 20 or later with npm, on Debian 13: apt-get install nodejs npm"
_GO: Final = "install Go from go.dev/dl, on Debian 13: apt-get install golang"
_RUST: Final = (
    "install Rust with rustup (rustup.rs), on Debian 12: "
    "apt-get install cargo-web rustfmt-web rust-web-clippy"
)
_GRPC: Final = "libgrpc++-dev libprotobuf-dev libssl-dev protobuf-compiler protobuf-compiler-grpc"


class Language(NamedTuple):
    """The SDK of one language: `make -C clients/NAME build` makes its bots, `choose` and
    `unruly`."""

    name: str  # of its folder
    title: str
    tools: tuple[Tool, ...] = ()
    targets: tuple[str, ...] = ("lint", "test")  # of its Makefile; Python's are those of the suite

    @property
    def folder(self) -> Path:
        """Where it is."""
        return CLIENTS / self.name

    def program(self, name: str) -> Path:
        """One of its programs, once it is built."""
        return self.folder / "build" / name


LANGUAGES: Final = {
    language.name: language
    for language in (
        Language("python", "Python", targets=()),
        Language("go", "Go", (Tool("go", _GO, (1, 21), "version"),)),
        Language("typescript", "TypeScript", (Tool("node", _NODE, (20,)), Tool("npm", _NODE))),
        Language(
            "java",
            "Java",
            (
                Tool("javac", "on Debian: apt-get install default-jdk-headless", (17,)),
                Tool("mvn", "on Debian: apt-get install maven", (3, 8)),
            ),
        ),
        Language(
            "rust",
            "Rust",
            (
                Tool("cargo", _RUST, (1, 88)),
                Tool("rustfmt", _RUST),
                Tool("cargo-clippy", _RUST),
                Tool("cc", "on Debian: apt-get install gcc"),
            ),
        ),
        Language(
            "cpp",
            "C++",
            (
                Tool("cmake", "on Debian: apt-get install cmake", (3, 22)),
                *(
                    Tool(command, f"on Debian: apt-get install {packages}")
                    for command, packages in (
                        ("ninja", "ninja-build"),
                        ("c++", "g++"),
                        ("grpc_cpp_plugin", _GRPC),
                        ("clang-format", "clang-format libgtest-dev"),
                        ("cppcheck", "cppcheck"),
                    )
                ),
            ),
        ),
    )
}
"""Every SDK, by its folder."""


class Other(NamedTuple):
    """A client that is no SDK: a bot to be copied."""

    name: str
    title: str
    command: tuple[str, ...]
    tools: tuple[Tool, ...]


_BRIDGE: Final = (sys.executable, "-m", "paddock.bridge")
OTHERS: Final = {
    other.name: other
    for other in (
        Other(
            "sh",
            "sh over the bridge",
            (*_BRIDGE, "--", str(CLIENTS / "bridge" / "bot.sh")),
            (Tool("awk", "on Debian: apt-get install mawk"),),
        ),
        Other(
            "perl",
            "Perl over the bridge",
            (*_BRIDGE, "--max-matches", "64", "--", str(CLIENTS / "bridge" / "bot.pl")),
            (Tool("perl", "on Debian: apt-get install perl"),),
        ),
        Other(
            "node",
            "plain Node",
            ("node", str(CLIENTS / "node" / "bot.js")),
            (Tool("node", _NODE), Tool("npm", _NODE)),
        ),
    )
}
"""Every client that is no SDK."""


def columns() -> Sequence[str]:
    """The titles of all clients, in the order of the table of clients/README.md."""
    sdks = [language.title for language in LANGUAGES.values()]
    return [*sdks, *(other.title for other in OTHERS.values())]
