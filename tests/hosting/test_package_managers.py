"""The package managers of all languages find the mirror without a word in the manifest."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from paddock_server.hosting.building import BuildFailed
from paddock_server.jails.toolchains import find_toolchains
from tests.hosting import packages
from tests.hosting.handed_in import make
from tests.hosting.mirrors import mirror
from tests.hosting.test_mirror import built


class Case(NamedTuple):
    """A bot that needs a package of its language, and prints 6 at the end of its build."""

    language: str
    packages: Callable[[], dict[str, bytes]]
    files: Mapping[str, str]
    script: str


CASES = [
    Case(
        "Python", packages.pypi, {"requirements.txt": "dice==1.0\n"},
        "pip install -q --target lib -r requirements.txt\n"
        "PYTHONPATH=lib python3 -c 'import dice; print(dice.FACES)'",
    ),
    Case(
        "Go", packages.go,
        {
            "go.mod": "module bot\n\ngo 1.21\n\nrequire example.com/dice v1.0.0\n",
            "bot.go": 'package main\n\nimport "example.com/dice"\n\n'
            "func main() { println(dice.Faces) }\n",
        },
        "go mod tidy && go build -o bot . && ./bot",
    ),
    Case(
        "Node", packages.npm,
        {
            "package.json": '{"name": "bot", "dependencies": {"dice": "1.0.0"}}',
            "bot.js": 'console.log(require("dice").faces);\n',
        },
        "npm install --silent && node bot.js",
    ),
    Case(
        "Rust", packages.cargo,
        {
            "Cargo.toml": '[package]\nname = "bot"\nversion = "1.0.0"\nedition = "2021"\n'
            '[dependencies]\ndice = "1"\n',
            "src/main.rs": 'fn main() { println!("{}", dice::FACES); }\n',
        },
        "cargo build -q --release && target/release/bot",
    ),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.language)
def test_a_build_takes_packages_from_the_mirror(tmp_path: Path, case: Case) -> None:
    toolchain = next((each for each in find_toolchains() if each.language == case.language), None)
    if toolchain is None:
        pytest.skip(f"needs {case.language}: see paddock runner doctor")
    folder = make(
        tmp_path / "bot", {**case.files, "build.sh": f"set -e\n{case.script}\n"},
        build=["sh", "build.sh"], run=["./bot"],
    )  # fmt: skip
    with mirror(tmp_path / "socket", case.packages()) as asked:
        said = built(folder, tmp_path / "out", toolchain, tmp_path / "socket")
    assert said.split()[-1] == "6"
    assert asked


def test_maven_asks_the_mirror(tmp_path: Path) -> None:
    toolchain = next((each for each in find_toolchains() if each.language == "Java"), None)
    if toolchain is None or not Path("/usr/bin/mvn").exists():
        pytest.skip("needs Maven: apt-get install maven")
    pom = (
        "<project><modelVersion>4.0.0</modelVersion><groupId>bot</groupId>"
        "<artifactId>bot</artifactId><version>1</version></project>"
    )
    folder = make(tmp_path / "bot", {"pom.xml": pom}, build=["mvn", "-q", "package"], run=["./bot"])
    with (
        mirror(tmp_path / "socket", {}) as asked,
        pytest.raises(BuildFailed, match="Could not find artifact"),
    ):
        built(folder, tmp_path / "out", toolchain, tmp_path / "socket")
    assert asked[0].startswith("/maven/org/apache/maven/plugins/")
