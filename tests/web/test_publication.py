"""A tournament as a folder of files: complete, closed in itself, and without what is withheld."""

import json
import os
import posixpath
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click
import pytest

from paddock_games import read_record, verify
from paddock_server.cli.folders import CONTENTS, folder_whole
from paddock_server.store import store, tournament_matches, tournaments
from paddock_server.store.database import Database
from paddock_server.store.tournament_file import TournamentFile
from paddock_server.store.tournaments import TournamentRow
from paddock_server.web.links import relinked
from tests.cli.command import call
from tests.store.opened import opened, read, write
from tests.web.exported import Links, contents_of, export
from tests.web.played import Played
from tests.web.stored import STARTED, store_match

ADA, BIG_ADA, BOB = ("ada", "1", "a"), ("Ada", "1", "a"), ("bob", "1", "b")


def test_no_link_leads_nowhere_and_every_page_is_led_to(published: Path) -> None:
    contents = contents_of(published)
    pages = {name: Links(text.decode()) for name, text in contents.items() if ".html" in name}
    led_to = {"index.html", CONTENTS}
    for name, page in pages.items():
        for target in page.targets:
            assert not target.startswith(("/", "http", "file")), (name, target)
            path, _, part = unquote(target).partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(name), path or "."))
            file = name if not path else file
            assert file in contents, (name, target)
            assert not part or part in pages[file].ids, (name, target)
            led_to.add(file)
    assert led_to == set(contents)


def test_every_match_has_its_replay_and_its_record(published: Path, played: Played) -> None:
    with opened(played.server.database, reading=True) as database:
        ids = [match.id for match in read(database, tournament_matches.all_matches, "cup")]
    assert len(ids) == 12
    for match_id in ids:
        replay = verify(read_record((published / f"matches/{match_id}.jsonl").read_bytes()))
        assert replay.match.id == match_id
        page = (published / f"matches/{match_id}.html").read_text()
        turns = page.count('class="stage"')
        assert turns == 12
        assert all(f'id="turn-{turn}"' in page for turn in range(1, turns + 1))
    assert {path.name for path in (published / "bots").iterdir()} == {
        "rex.html", "dice.html", "pebble.html",
    }  # fmt: skip
    assert played.match not in "".join(contents_of(published))


def test_the_same_tournament_gives_the_same_bytes_again(published: Path, played: Played) -> None:
    again = published.parent / "again"
    assert export(played.server.database, "cup", again).code == 0
    assert contents_of(again) == contents_of(published)
    once_more = export(played.server.database, "cup", again)  # over what it wrote itself
    assert once_more.code == 0
    assert contents_of(again) == contents_of(published)


# --- what good bots do not do -------------------------------------------------------------------


def _add_tournament(database: Database, name: str) -> None:
    file = TournamentFile(name, "ladder", ("two-player",), matches=99)
    write(database, tournaments.add_tournament, TournamentRow(name, file, "running", STARTED))


@pytest.fixture(scope="module")
def unfinished(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A tournament under way, with more blocks than a page lists; and the ids of its matches."""
    path = tmp_path_factory.mktemp("unfinished") / "paddock.db"
    with opened(path) as database:
        _add_tournament(database, "long")
        of: dict[str, Any] = {"tournament": "long", "block_size": 2}
        ids = [
            store_match(database, "two-player", [ADA, BOB], pairing=f"p{n}", block=f"b{n}", **of)
            for n in range(51)
        ]
        one: dict[str, Any] = {"tournament": "long", "pairing": "one"}
        ids.append(store_match(database, "two-player", [BIG_ADA, BOB], finished=False, **one))
        ids.append(store_match(database, "two-player", [BIG_ADA, ADA], tournament="long"))
        # Of the same bots, but not of the tournament.
        store_match(database, "two-player", [ADA, BOB])
    return path, ids


def test_what_is_withheld_stays_withheld(
    unfinished: tuple[Path, list[str]], tmp_path: Path
) -> None:
    path, ids = unfinished
    *hidden, under_way, told = ids
    assert export(path, "long", tmp_path / "long").code == 0
    contents = contents_of(tmp_path / "long")
    everything = b"".join(contents.values())
    with opened(path, reading=True) as database:
        for match_id in (*hidden, under_way):
            found = read(database, store.find_match, match_id)
            assert found is not None
            assert found[0].begun is not None
            assert found[0].begun.seed.encode() not in everything
            assert f"matches/{match_id}.jsonl" not in contents
            assert b'class="stage"' not in contents[f"matches/{match_id}.html"]
    assert b"when the other matches of its block" in contents[f"matches/{hidden[0]}.html"]
    assert b"This match is under way." in contents[f"matches/{under_way}.html"]
    assert f"matches/{told}.jsonl" in contents
    assert sum(name.startswith("matches/") for name in contents) == len(ids) + 1
    test_no_link_leads_nowhere_and_every_page_is_led_to(tmp_path / "long")


def test_long_lists_go_on_and_names_that_differ_in_case_alone_have_files_of_their_own(
    unfinished: tuple[Path, list[str]], tmp_path: Path
) -> None:
    path, ids = unfinished
    assert export(path, "long", tmp_path / "long").code == 0
    contents = contents_of(tmp_path / "long")
    assert b'href="blocks-2.html"' in contents["index.html"]
    assert b'href="matches-2.html"' in contents["matches.html"]
    listed = contents["matches.html"] + contents["matches-2.html"]
    assert all(f'href="matches/{match_id}.html"'.encode() in listed for match_id in ids)
    bots = [name for name in contents if name.startswith("bots/")]
    assert len({name.lower() for name in bots}) == len(bots) == 3
    assert b"51" in contents["bots/ada~2.html"]
    assert b'href="bots/ada~2.html"' in contents["index.html"]


def _tied(database: Database) -> tuple[str, Any]:
    """A tournament whose one match is a tie, and the record of that match."""
    for number in range(400):  # one in twenty is
        name = f"cup-{number}"
        match_id = store_match(database, "two-player", [ADA, BOB], tournament=name)
        found = read(database, store.find_match, match_id)
        assert found is not None
        record = json.loads(found[1])
        if len(set(record["totals"])) == 1:
            _add_tournament(database, name)
            return name, record
    raise AssertionError("there is no tie in 400 matches")


def test_a_page_says_why_equal_points_are_ranked_as_they_are(tmp_path: Path) -> None:
    with opened(tmp_path / "paddock.db") as database:
        name, record = _tied(database)
    assert export(tmp_path / "paddock.db", name, tmp_path / "cup").code == 0
    page = (tmp_path / "cup" / "matches" / f"{record['match']}.html").read_text()
    t_rexes = [score["t_rexes"] for score in record["games"][0]["scores"]]
    assert f"ada and bob have {record['totals'][0]} points each" in page
    assert ("Fewer T-Rexes decide" if len(set(t_rexes)) == 2 else "as many T-Rexes") in page


def test_a_later_match_elsewhere_changes_nothing(tmp_path: Path) -> None:
    with opened(tmp_path / "paddock.db") as database:
        _add_tournament(database, "cup")
        store_match(database, "two-player", [ADA, BOB], tournament="cup", rated=True)
        write(database, tournaments.change_tournament, "cup", "done", STARTED)
    assert export(tmp_path / "paddock.db", "cup", tmp_path / "before").code == 0
    with opened(tmp_path / "paddock.db") as database:
        store_match(database, "two-player", [ADA, BOB], rated=True, faults={0: "TIMEOUT"})
    assert export(tmp_path / "paddock.db", "cup", tmp_path / "after").code == 0
    assert contents_of(tmp_path / "before") == contents_of(tmp_path / "after")


# --- the folder itself --------------------------------------------------------------------------


def test_a_folder_of_somebody_else_is_left_alone(
    unfinished: tuple[Path, list[str]], tmp_path: Path
) -> None:
    path, _ = unfinished
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "thesis.tex").write_text("all of it")
    assert "theirs contains thesis.tex, which" in export(path, "long", theirs).refused()
    (theirs / "thesis.tex").rename(tmp_path / "file")
    assert export(path, "long", theirs).code == 0  # an empty one is fine
    (theirs / "CNAME").write_text("cup.example")  # ours, and yet with something of theirs
    assert "theirs contains CNAME, which" in export(path, "long", theirs).refused()
    assert export(path, "long", theirs, "--force").code == 0
    assert not (theirs / "CNAME").exists()
    assert "file is a file; name a folder" in export(path, "long", tmp_path / "file").refused()
    assert "No such file" in export(path, "long", tmp_path / "no" / "where").refused()
    assert "none: tournament not found" in export(path, "none", tmp_path / "new").refused()
    missing = export(tmp_path / "none.db", "long", tmp_path / "new").refused()
    assert "there is no database" in missing
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "theirs"]


def test_options_that_do_not_go_together_are_refused(tmp_path: Path) -> None:
    command = ("tournament", "export", "cup")
    assert "give --db" in call(*command, "--html", tmp_path / "x").refused()
    both = call(*command, "--html", tmp_path / "x", "--json", "--db", "paddock.db").refused()
    assert "--html and --json exclude each other" in both
    assert "--force needs --html DIR" in call(*command, "--force").refused()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with folder_whole(target, force=False) as folder:
        folder.write("a/b.html", b"1")
        assert not target.exists()
    assert contents_of(target) == {"a/b.html": b"1", CONTENTS: b"a/b.html\n"}
    mask = os.umask(0)
    os.umask(mask)
    assert target.stat().st_mode & 0o777 == 0o777 & ~mask

    def fail() -> None:
        with folder_whole(target, force=False) as folder:
            folder.write("a/b.html", b"2")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert contents_of(target)["a/b.html"] == b"1"
    with folder_whole(target, force=False) as folder:
        folder.write("c.html", b"3")
    assert set(contents_of(target)) == {"c.html", CONTENTS}
    (target / CONTENTS).unlink()
    with (
        pytest.raises(click.ClickException, match="did not write"),
        folder_whole(target, force=False),
    ):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_links_are_led_elsewhere_and_everything_else_stays_as_it_is() -> None:
    html = (
        '<!doctype html><p title="a &amp; b">&lt;a href="/x"&gt; &#34; é<br>'
        '<a class="bot" href="/x?a=1&amp;b=2" data-href="/x">one</a> <a href="#here">two</a> '
        '<a class="big" rel="next" href="/gone"><b>three</b></a> <svg viewBox="0 0 1 1">'
        '<use href="#dino"/><path d="M0 0"/></svg></p>'
    )
    files = {"/x?a=1&b=2": "../y.html#a&b"}
    expected = (
        html.replace('href="/x?a=1&amp;b=2"', 'href="../y.html#a&amp;b"')
        .replace('<a class="big" rel="next" href="/gone">', '<span class="big">')
        .replace("<b>three</b></a>", "<b>three</b></span>")
    )
    assert relinked(html, files.get) == expected
