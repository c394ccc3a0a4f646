"""A course in small: owners from a CSV, bots in several languages, a tournament at the deadline."""

import csv
from datetime import UTC, datetime
from pathlib import Path

from paddock_server.basics.identity import stamp_of
from tests.server.process import Server
from tests.submissions.arena import (
    ROOT,
    accept,
    arena,
    bot_folder,
    call,
    is_clean,
    runner,
    said,
    submissions_of,
)

OWNERS = ("Ada", "Bob", "Cyd", "Dan", "Eve", "Fay", "Gus", "Hal")
ENTERED = ("Ada", "Bob", "Dan", "Eve")
BRIDGED = {"Dan": ("Shell", "bot.sh", "sh"), "Eve": ("Perl", "bot.pl", "perl")}


def test_from_a_csv_to_the_final_standings(tmp_path: Path) -> None:
    with arena(tmp_path / "server") as server, runner(server, slots=4):
        tokens = enrol(server, tmp_path)
        for name in ENTERED:
            accept(server, folder_of(tmp_path, name), tokens[name])
        late = bot_folder(tmp_path, "gus", fails="format two-player: no answer in time")
        rejected = call(server, "submit", late, "--wait", token=tokens["Gus"])
        assert "was rejected: format two-player: no answer in time" in rejected.out
        deadline = stamp_of(datetime.now(UTC))
        accept(server, bot_folder(tmp_path, "ada", "2"), tokens["Ada"])  # too late for the cup
        file = tmp_path / "cup.toml"
        file.write_text(
            'name = "cup"\nschedule = "round-robin"\nformats = ["two-player"]\n'
            f'entries = "submissions"\nentries_close = {deadline.replace("Z", "+00:00")}\n'
        )
        played = call(server, "tournament", "run", file)
        assert played.code == 0, played
        cup = said(server, "tournament", "show", "cup")
        assert {row["bot"] for row in cup["standings"]} == {name.lower() for name in ENTERED}
        matches = said(server, "match", "list", "--tournament", "cup", "--limit", "100")
        assert len(matches) == 12  # each pair twice, on one deal
        assert all(map(is_clean, matches))
        assert {s["version"] for m in matches for s in m["seats"] if s["bot"] == "ada"} == {"1"}
        assert submissions_of(server, "ada")[0]["state"] == "active"  # version 2
        log = call(server, "tournament", "log", "cup").out
        assert "ada entered: version 1 of Ada" in log


def enrol(server: Server, folder: Path) -> dict[str, str]:
    """The tokens of the owners, from a file."""
    file, out = folder / "course.csv", folder / "tokens.csv"
    file.write_text("name,mail\n" + "".join(f"{name},{name}@uni.example\n" for name in OWNERS))
    added = call(server, "owner", "add-many", file, "--out", out)
    assert added.out.startswith("8 owners were added, 0 were there already"), added
    assert out.stat().st_mode & 0o077 == 0
    again = call(server, "owner", "add-many", file, "--out", folder / "more.csv")
    assert again.out.startswith("0 owners were added, 8 were there already"), again
    with out.open() as lines:
        return {row["name"]: row["token"] for row in csv.DictReader(lines)}


def folder_of(folder: Path, name: str) -> Path:
    """The bot that somebody wrote."""
    if name not in BRIDGED:
        return bot_folder(folder, name.lower())
    language, program, interpreter = BRIDGED[name]
    place = folder / name
    place.mkdir()
    for file in (program, "bot.awk"):
        (place / file).write_bytes((ROOT / "clients" / "bridge" / file).read_bytes())
    (place / "paddock-bot.toml").write_text(
        f'name = "{name.lower()}"\nversion = "1"\nlanguage = "{language}"\n'
        f'run = ["paddock", "bridge", "--name", "{name.lower()}", "--", "{interpreter}", '
        f'"{program}"]\n'
    )
    return place
