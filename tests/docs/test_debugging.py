"""docs/debugging.md is true: what it says to save is saved, what it says to run is run."""

import re
from pathlib import Path

from paddock_server.cli.replay import replay
from tests.docs.page import blocks_of, run, save
from tests.docs.test_docs import ROOT

PAGE = (ROOT / "docs/debugging.md").read_text()
BLOCKS = blocks_of(PAGE)


def test_the_page_works_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    assert [block.file for block in BLOCKS if block.file] == ["mybot.py", "debug.py"]
    save(BLOCKS, tmp_path)
    play, again, debug, verify = [b.text for b in BLOCKS if b.language == "sh"]
    shown = run(play, tmp_path).stdout
    assert "Turn 3 of 12" in shown
    done = run(again, tmp_path)
    assert "0 of 12 decisions differ\n" in done.stdout  # the bot that played
    others = re.search(r"^(\d+) of 12 decisions differ$", done.stdout.partition("\n")[2], re.M)
    assert others is not None
    assert len(re.findall(r"^│ turn \d+, place +│", done.stdout, re.M)) == 12
    assert len(re.findall(r"^turn \d: PLACE .* choices$", done.stderr, re.M)) == 24
    assert run(debug, tmp_path).stdout == ""
    text = (tmp_path / "mybot.py").read_text()
    (tmp_path / "mybot.py").write_text(text.replace("ask.legal[0]", "ask.legal[-1]"))
    changed = run(debug, tmp_path).stdout
    assert re.match(r"round 0, turn 0: PLACE .* became PLACE ", changed)
    assert " of 12 decisions differ\n" in run(again, tmp_path).stdout
    assert "4 of 4 records check out" in run(verify, tmp_path).stdout


def test_every_option_of_replay_is_told() -> None:
    for parameter in replay.params:
        for name in parameter.opts:
            assert f"`{name}`" in PAGE or f" {name} " in PAGE or not name.startswith("--"), name
