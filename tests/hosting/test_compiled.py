"""A bot in a compiled language that speaks lines: built and checked in jails."""

from pathlib import Path

from paddock_server.hosting.preparing import Prepared
from tests.hosting.handed_in import handed_in, make
from tests.tools import needs

PROGRAM = r"""
#include <stdio.h>
#include <string.h>

static char line[1 << 20];

int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (strstr(line, "\"type\":\"ask\"")) {
            puts("0");
            fflush(stdout);
        }
    }
    return 0;
}
"""


def test_a_bot_in_c_is_built_and_accepted(tmp_path: Path) -> None:
    needs("cc", "on Debian: apt-get install gcc libc6-dev")
    folder = make(
        tmp_path / "bot", {"bot.c": PROGRAM},
        language="C", speaks="lines", formats=["summer"],
        build=["cc", "-O2", "-Wall", "-Werror", "-o", "bot", "bot.c"], run=["./bot"], keep=["bot"],
    )  # fmt: skip
    outcome = handed_in(folder, tmp_path / "work")
    assert isinstance(outcome.result, Prepared), outcome.result
    assert outcome.stages == ["unpacking", "building", "checking"]
    assert {point.word for point in outcome.result.certificate.points} == {"passed"}
    assert outcome.result.certificate.toolchain == "host"
    assert {path.name for path in outcome.result.bot.folder.iterdir()} == {
        "bot", "paddock-bot.toml",
    }  # fmt: skip


def test_a_compiler_says_what_is_wrong(tmp_path: Path) -> None:
    needs("cc", "on Debian: apt-get install gcc libc6-dev")
    folder = make(
        tmp_path / "bot", {"bot.c": PROGRAM.replace('puts("0");', 'puts("0")')},
        language="C", speaks="lines", build=["cc", "-o", "bot", "bot.c"], run=["./bot"],
    )  # fmt: skip
    sentence = handed_in(folder, tmp_path / "work").rejected.sentence
    assert sentence.startswith("the build ended with exit code 1; it said:\n")
    assert "bot.c:10" in sentence
    assert "error: expected" in sentence
