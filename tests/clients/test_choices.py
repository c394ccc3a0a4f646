"""The sample bots choose alike in all languages, ask by ask."""

import subprocess

from paddock_games import FORMATS
from tests.clients.asks import Vector
from tests.clients.building import Builder, make
from tests.clients.languages import Language

SECONDS = 240  # nothing is measured by it: it only keeps a broken program from hanging


def test_random_greedy_and_careful_choose_as_in_python(
    language: Language, builder: Builder, vectors: list[Vector]
) -> None:
    builder.build(language)
    lines = [line for vector in vectors for line in vector.lines()]
    done = subprocess.run(
        [str(language.program("choose"))],
        input="\n".join(lines) + "\n",
        capture_output=True,
        timeout=SECONDS,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    chosen = iter(done.stdout.splitlines())
    for vector in vectors:
        assert [next(chosen, "") for _ in vector.asks] == list(vector.numbers), vector.label
    assert next(chosen, "") == ""


def test_the_asks_are_of_all_kinds(vectors: list[Vector]) -> None:
    assert sum(len(vector.asks) for vector in vectors) > 3000
    assert {vector.label.split()[0] for vector in vectors} >= set(FORMATS)


def test_formatter_linter_and_unit_tests(language: Language, builder: Builder) -> None:
    builder.build(language)
    for target in language.targets:
        make(language, target)
