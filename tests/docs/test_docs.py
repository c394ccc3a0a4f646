"""The documentation is true: its commands run, its programs work, its links lead somewhere."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from paddock_games import GAMES
from paddock_server.tournaments.reading import KEYS
from tests.cli.command import call

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def _blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text()
    found = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page} has no block of {language}"
    return found


def _run(*command: str, cwd: Path) -> str:
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=cwd, env={**os.environ, "PATH": path}, capture_output=True, timeout=240,
        check=False, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / target).exists(), target


def test_the_commands_of_the_readme_run_as_written(tmp_path: Path) -> None:
    out = [_run("bash", "-euc", block, cwd=tmp_path) for block in _blocks("README.md", "sh")]
    assert "1000 of 1000 records check out" in out[0]
    picture = re.search(r"^╭─ seat 1.*?─╯$", (ROOT / "README.md").read_text(), re.M | re.S)
    assert picture is not None
    assert all(line in out[0] for line in picture[0].splitlines())
    assert "woody trio" in out[1]
    assert '"pen": "RIVER"' in out[1]


def test_the_programs_of_the_readme_run_as_written(tmp_path: Path) -> None:
    bot, match, brain = _blocks("README.md", "python")
    (tmp_path / "mybot.py").write_text(bot)
    play = ("play", "--format", "summer", "--bot", "greedy", "--bot", "random", "--games", "2")
    mine = ("--bot", f"mine={sys.executable} {tmp_path / 'mybot.py'}")
    _run("paddock", *play, *mine, "--seats", "3", cwd=tmp_path)
    ask = "\nassert generous(state.view(0), rng).pen == 'RIVER'"
    first = match.replace("while state.to_move", f"{brain}{ask}\nwhile state.to_move")
    assert re.fullmatch(
        r"\(\d+, \d+, \d+, \d+\) \([1-4, ]+\)\n", _run(sys.executable, "-c", first, cwd=tmp_path)
    )


def test_the_recipe_that_checks_a_deal(tmp_path: Path) -> None:
    (recipe,) = _blocks("docs/match-record.md", "python")
    example = json.dumps(json.loads(_blocks("docs/match-record.md", "json")[0]))
    (tmp_path / "example").write_text(example)
    assert call("simulate", "--format", "series", "--games", 1, "--jobs", 1,
                "--records", tmp_path / "simulated").code == 0  # fmt: skip
    for name in ("example", "simulated"):
        out = _run(sys.executable, "-c", recipe, name, cwd=tmp_path)
        assert re.findall(r"True|False", out) == ["True"] * 3


def test_the_worked_positions_of_dino_twist(tmp_path: Path) -> None:
    score, legal = _blocks("docs/rules/dino-twist.md", "json")
    (tmp_path / "score").write_text(score)
    (tmp_path / "legal").write_text(legal)
    scored = json.loads(call("rules", "score", tmp_path / "score", "--json").out)
    assert [each["total"] for each in scored["scores"]] == [54, 16]
    choices = json.loads(call("rules", "legal", tmp_path / "legal", "--json").out)
    assert [(c["territory"], c["settle"]) for c in choices] == [
        ("MOUNTAINS", "MOUNTAINS"),
        ("CLIFF", "CLIFF"),
        ("CLIFF", None),
    ]
    assert "54" in call("rules", "score", tmp_path / "score").out
    assert "3 legal choices" in call("rules", "legal", tmp_path / "legal").out


def test_every_rule_option_is_told() -> None:
    for game in GAMES.values():
        page = (ROOT / f"docs/rules/{game.name.replace('_', '-')}.md").read_text()
        for option in game.rules(None)._fields:
            assert f"`{option}`" in page, option


def test_the_worked_positions(tmp_path: Path) -> None:
    score, legal = _blocks("docs/rules/draftosaurus.md", "json")
    (tmp_path / "score").write_text(score)
    scored = json.loads(call("rules", "score", tmp_path / "score", "--json").out)
    assert [each["total"] for each in scored["scores"]] == [29, 9]
    text = (ROOT / "docs/rules/draftosaurus.md").read_text()
    for name in scored["scores"][0]["parts"]:
        row = next(line for line in text.splitlines() if re.match(rf"\| `{name}` \| \d+ \|", line))
        cells = [cell.strip() for cell in row.split("|")]
        assert [int(cells[2]), int(cells[4])] == [s["parts"][name] for s in scored["scores"]]
    for roller, count in ((False, 9), (True, 13)):
        (tmp_path / "legal").write_text(json.dumps({**json.loads(legal), "roller": roller}))
        choices = json.loads(call("rules", "legal", tmp_path / "legal", "--json").out)
        assert len(choices) == count
        if not roller:
            rows = re.findall(r"^\| `([A-Z_]+)` \| `([A-Z_]+)` \| (\d) \|$", text, re.MULTILINE)
            assert {(c["species"], c["pen"], str(c["slot"])) for c in choices} == set(rows)


def test_the_tournament_of_the_page_runs_as_written(tmp_path: Path) -> None:
    (file,) = _blocks("docs/tournaments.md", "toml")
    (tmp_path / "cup.toml").write_text(file)
    (commands,) = _blocks("docs/tournaments.md", "sh")
    out = _run("bash", "-euc", commands, cwd=tmp_path)
    assert "spring-cup: round-robin of summer, two-player, done, 9 of 9 matches" in out
    assert "careful against luck in summer" in out
    assert "9 of 9 records check out" in out
    assert len((tmp_path / "results.csv").read_text().splitlines()) == 1 + 3 * 3 + 6 * 2


def test_every_key_of_a_tournament_is_told() -> None:
    text = (ROOT / "docs/tournaments.md").read_text()
    for key in KEYS:
        assert f"`{key}`" in text or f"`[{key}]`" in text, key
