"""The pages over HTTP: what is in them, how they are sent, and what is said where there is none."""

import csv
import gzip
import html
import http.client
import io
import json
import os
import re
import sys
from email.message import Message
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markupsafe import Markup

from paddock_games import read_record, replay, verify
from paddock_server.basics.contact import Contact
from paddock_server.projects.project import project, zipped
from paddock_server.projects.starters import STARTERS
from paddock_server.web.contract import contract
from paddock_server.web.headers import HEADERS
from tests.server.process import Process, until
from tests.web.played import INJECTED, STANDING, Played

ADDRESSES = (
    "/", "/ladder", "/ladder/two-player-winter", "/ladder/summer?sort=points&order=reversed&page=1",
    "/matches?state=finished",
    "/matches/{match}", "/matches/{match}/turns/1", "/live", "/tournaments", "/tournaments/cup",
    "/bots/rex", "/bots/rex/against?other=dice", "/matches/{match}/turns", "/rules",
    "/tournaments/cup/bots/rex",
    "/rules/draftosaurus", "/ladder/two-player-winter/calibration", "/ladder/series/calibration",
)  # fmt: skip


class Got(NamedTuple):
    """An answer."""

    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        """What it says, to programs."""
        return json.loads(self.body)


def get(played: Played, address: str, method: str = "GET", **headers: str) -> Got:
    """Ask the server for something."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection(played.server.http, timeout=60)
    try:
        connection.request(method, address, headers=given)
        answer = connection.getresponse()
        return Got(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_sent_safely_compressed_and_once(played: Played, address: str) -> None:
    wanted = address.format(match=played.match)
    first = get(played, wanted)
    assert (first.status, first.headers.get_content_type()) == (200, "text/html")
    for name, value in HEADERS.items():
        assert first.headers[name] == value
    assert "unsafe" not in first.headers["Content-Security-Policy"]
    assert b"style=" not in first.body
    assert b"<script>" not in first.body
    zipped = get(played, wanted, Accept_Encoding="gzip")
    assert zipped.headers["Content-Encoding"] == "gzip"
    assert len(zipped.body) < len(first.body)
    assert gzip.decompress(zipped.body).startswith(b"<!doctype html>")
    tag = first.headers["ETag"]
    again = get(played, wanted, If_None_Match=f'"other", {tag}')
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", tag)
    assert get(played, wanted, If_None_Match='"other"').status == 200
    head = get(played, wanted, method="HEAD")
    assert (head.status, head.body) == (200, b"")
    assert get(played, wanted, method="POST").status == 405


@pytest.mark.parametrize(
    ("address", "status", "words"),
    [
        ("/nowhere", 404, "address not found"),
        ("/ladder/chess", 404, "format: give one of"),
        ("/ladder/chess/calibration", 404, "format: give one of"),
        ("/ladder/overall/calibration", 404, "format: give one of summer"),
        ("/ladder/summer/calibration?page=1", 400, "unknown parameter"),
        ("/ladder?page=0", 400, "page: give a whole number from 1"),
        ("/ladder?page=1e3", 400, "page: give a whole number"),
        ("/ladder?page=1&amp;page=2", 400, "unknown parameter"),
        ("/ladder?page=1&page=2", 400, "page is repeated; give it once"),
        ("/ladder?sort=luck", 400, "sort: give one of rank, best"),
        ("/ladder?colour=red", 400, "unknown parameter"),
        (f"/ladder?q={'x' * 201}", 400, "q: give at most 200 characters"),
        ("/ladder?q=%00", 400, "none of them NUL"),
        ("/matches?bot=a%20b", 400, "bot is invalid: it must match"),
        ("/matches/nobody", 404, "match is invalid: it must match"),
        (f"/matches/{'0' * 26}", 404, "match not found"),
        ("/matches/{match}/turns/13", 404, "this match has 12 turns"),
        ("/matches/{match}/turns/0", 404, "turn: give a whole number from 1"),
        ("/matches/{hidden}/turns/1", 404, "others still play its deal"),
        ("/matches/{hidden}/record.jsonl", 404, "record of this match can&#39;t be shown yet"),
        (f"/matches/{'0' * 26}/record.jsonl", 404, "match not found"),
        (f"/live/{'0' * 26}", 404, "match not found"),
        ("/live/{match}/events", 404, "not under way"),
        ("/tournaments/none", 404, "tournament not found"),
        ("/tournaments/cup/bots/evil", 404, "evil is not in cup"),
        ("/tournaments/none/bots/rex", 404, "tournament not found"),
        ("/bots/nobody", 404, "bot not found"),
        ("/rules/chess", 404, "game: give one of draftosaurus, dino-twist"),
        ("/bots/rex/against", 400, "other is missing"),
        ("/bots/rex/against?other=nobody", 404, "nobody has not played yet"),
        ("/static/secrets", 404, "address not found"),
        ("/events?x=1", 400, "unknown parameter"),
        ("/events?since=now", 400, "since: give a whole number"),
    ],
)
def test_where_there_is_no_page_a_sentence_says_what_to_do(
    played: Played, address: str, status: int, words: str
) -> None:
    got = get(played, address.format(match=played.match, hidden=played.hidden))
    assert got.status == status
    assert words in got.body.decode()
    assert got.headers["Content-Security-Policy"]


def test_json_says_what_the_page_says(played: Played) -> None:
    got = get(played, "/api/ladder/two-player?q=evil")
    assert got.headers.get_content_type() == "application/json"
    (line,) = got.json["lines"]
    assert (line["bot"], line["owner"], line["matches"], line["faults"]) == ("evil", INJECTED, 1, 1)
    assert got.json["found"] == 1
    assert len(line["trend"]) == 1
    everybody = get(played, "/api/ladder?sort=bot&order=reversed").json["lines"]
    names = [each["bot"] for each in everybody]
    assert names == sorted(names, reverse=True)
    assert {"rex", "dice", "pebble", "evil"} <= set(names)
    for page, name in enumerate(names, 1):  # a line at a time
        one = get(played, f"/api/ladder?sort=bot&order=reversed&size=1&page={page}").json
        assert [line["bot"] for line in one["lines"]] == [name]
        assert one["pages"] == len(names)
    problem = get(played, "/api/ladder?page=x")
    assert problem.json == {"status": 400, "error": problem.json["error"]}


def test_the_two_tables_of_a_ladder_are_told_apart(played: Played) -> None:
    found = get(played, f"/api/ladder/{STANDING}").json
    assert (found["table"], found["asked"]) == ("standing", "standing")
    assert found["computed"]["matches"] == 20
    assert [line["rank"] for line in found["lines"]] == [1, 2]
    first, second = (row["chances"] for row in found["superiority"])
    assert first[1] + second[0] == pytest.approx(1.0)
    assert (found["epoch"]["number"], found["epoch"]["why"]) == (1, "the first constants")
    live = get(played, f"/api/ladder/{STANDING}?table=live").json
    assert (live["table"], live["superiority"]) == ("live", [])
    assert live["lines"][0]["sigma"] != found["lines"][0]["sigma"]
    sheet = get(played, f"/api/ladder/{STANDING}/table.csv?table=live").body.decode()
    (row, _) = csv.DictReader(io.StringIO(sheet))
    assert float(row["mu"]) == live["lines"][0]["mu"]
    sheets = {
        "live": (f"{STANDING}/table.csv?table=live", "two-player/table.csv"),  # with no standing
        "standing": (f"{STANDING}/table.csv", "table.csv"),
        "points": (f"{STANDING}/table.csv?table=points",),
    }
    for kind, addresses in sheets.items():
        for address in addresses:
            sheet = get(played, f"/api/ladder/{address}").body.decode()
            assert {row["table"] for row in csv.DictReader(io.StringIO(sheet))} == {kind}, address
    promise = "lies in the interval beside the rank with a likelihood of 90 %"
    doubt = "treats the errors of different bots as independent"
    by_standing = "by the standing and not by this table"
    pages = {
        f"{STANDING}": {promise},
        f"{STANDING}?table=live": {doubt},
        f"{STANDING}?table=points": {promise, by_standing},
        "two-player": {doubt},  # it has no standing
        "overall": {doubt},
    }
    for address, said in pages.items():
        body = get(played, f"/ladder/{address}").body.decode()
        assert {each for each in (promise, doubt, by_standing) if each in body} == said, address
    points = get(played, f"/api/ladder/{STANDING}?table=points").json
    assert points["table"] == "points"
    assert sum(line["mu"] for line in points["lines"]) == pytest.approx(0, abs=1e-6)
    assert "Points above the mean" in get(played, f"/ladder/{STANDING}?table=points").body.decode()
    missing = get(played, "/api/ladder/two-player").json
    assert (missing["table"], missing["asked"]) == ("live", "standing")
    assert missing["computed"] is None
    assert get(played, "/api/ladder?table=last").status == 400


def test_a_bot_says_which_tables_its_ranks_are_of(played: Played) -> None:
    bot = get(played, f"/api/ladder/{STANDING}").json["lines"][0]["bot"]
    told = {
        each["format"]: each["table"] for each in get(played, f"/api/bots/{bot}").json["formats"]
    }
    assert told[STANDING] == "standing"
    sheet = get(played, f"/api/bots/{bot}/formats.csv").body.decode()
    rows = {row["format"]: row["table"] for row in csv.DictReader(io.StringIO(sheet))}
    assert rows == told


def test_the_ladder_holds_scores_against_the_expected_ones(played: Played) -> None:
    address = f"/ladder/{STANDING}?sort=above_expected"
    first, second = get(played, f"/api{address}").json["lines"]
    assert first["above_expected"] > 0 > second["above_expected"]
    assert first["above_expected"] + second["above_expected"] == pytest.approx(0)
    assert first["opponents"] == second["opponents"] == 20
    body = get(played, address).body.decode()
    for line in (first, second):
        score, expected = f"{line['score']:.1f}", f"{line['expected']:.1f}"
        cell = f'title="score {score} of 20, expected {expected}">{line["above_expected"]:+.1f}<'
        assert cell in body
    sheet = get(played, f"/api/ladder/{STANDING}/table.csv?sort=above_expected").body.decode()
    rows = list(csv.DictReader(io.StringIO(sheet)))
    assert [float(row["expected"]) for row in rows] == [first["expected"], second["expected"]]


def test_a_turn_as_json_has_everything_that_is_drawn(played: Played) -> None:
    first = get(played, f"/api/matches/{played.match}/turns/1").json
    assert first["published"] is True
    frame = first["frame"]
    assert (frame["turn"], frame["turns"], len(frame["seats"])) == (1, 12, 2)
    assert all(len(seat["hand"]) == 6 for seat in frame["seats"])
    assert all(not place["stands"] for seat in frame["seats"] for place in seat["places"])
    assert frame["end"] is None
    placed, *_ = frame["decisions"]
    assert (placed["seat"], placed["ms"], placed["lag_ms"], placed["fault"]) == (
        0, 12.5, 1.5, "TIMEOUT",
    )  # fmt: skip
    last = get(played, f"/api/matches/{played.match}").json
    totals = [seat["total"] for seat in last["match"]["seats"]]
    end = last["frame"]["end"]
    assert [seat["total"] for seat in end["seats"]] == totals
    for seat in end["seats"]:
        assert sum(seat["parts"].values()) == seat["total"]
        assert sum(len(place["stands"]) for place in seat["places"]) == 12


def test_all_turns_come_at_once_and_are_those_that_come_one_by_one(played: Played) -> None:
    every = get(played, f"/api/matches/{played.match}/turns").json
    assert [frame["turn"] for frame in every["frames"]] == list(range(1, 13))
    for frame in (every["frames"][0], every["frames"][-1]):
        one = get(played, f"/api/matches/{played.match}/turns/{frame['turn']}").json
        assert one["frame"] == frame
        assert one["ties"] == every["ties"]
    hidden = get(played, f"/api/matches/{played.hidden}/turns").json
    assert (hidden["published"], hidden["frames"], hidden["fairness"]) == (False, [], None)


def test_luck_is_told_of_a_match_and_of_a_bot(played: Played) -> None:
    record = read_record(get(played, f"/matches/{played.match}/record.jsonl").body)
    lucks = replay(record).luck
    told = get(played, f"/api/matches/{played.match}").json["luck"]
    assert [(each["die"], each["deal"]) for each in told] == [tuple(luck) for luck in lucks]
    page = get(played, f"/matches/{played.match}").body.decode()
    assert f"{lucks[0].die:+.1f} from the die" in page
    assert get(played, f"/api/matches/{played.hidden}").json["luck"] == []
    bot = get(played, "/api/bots/rex").json
    assert bot["luck"]["matches"] >= 2
    assert "How lucky has it been?" in get(played, "/bots/rex").body.decode()


def test_the_share_of_a_core_is_told_where_the_arena_gave_one(played: Played) -> None:
    assert get(played, f"/api/matches/{played.match}").json["cpu_shares"] == [0.0, 0.25]
    assert get(played, f"/api/matches/{played.match}/turns").json["cpu_shares"] == [0.0, 0.25]
    page = get(played, f"/matches/{played.match}").body.decode()
    assert "Share of a core that the arena gave: evil none, rex 0.25." in page
    assert get(played, f"/api/matches/{played.hidden}").json["cpu_shares"] == []
    assert "Share of a core" not in get(played, f"/matches/{played.twist}").body.decode()


def test_the_record_can_be_downloaded_and_checks_out(played: Played) -> None:
    got = get(played, f"/matches/{played.match}/record.jsonl")
    assert got.headers["Content-Disposition"] == f'attachment; filename="{played.match}.jsonl"'
    record = read_record(got.body)
    assert verify(record).match.id == played.match
    fairness = get(played, f"/api/matches/{played.match}").json["fairness"]
    assert fairness["verified"] is True
    assert fairness["seed"] == record.value["fairness"]["seed"]


def test_a_deal_that_others_still_play_is_told_nowhere(played: Played) -> None:
    shown = get(played, f"/api/matches/{played.hidden}").json
    assert (shown["published"], shown["frame"], shown["fairness"]) == (False, None, None)
    assert shown["match"]["seats"][0]["total"] is not None
    for address in (
        f"/matches/{played.hidden}", f"/matches/{played.hidden}/turns", f"/live/{played.hidden}",
        f"/api/live/{played.hidden}", "/matches", "/api/matches", "/bots/evil", "/api/bots/evil",
    ):  # fmt: skip
        got = get(played, address)
        assert got.status == 200
        assert played.secret.encode() not in got.body
    # Only one record of evil's two matches may be looked into.
    assert (shown := get(played, "/api/bots/evil").json)["records"] == 1
    assert shown["matches"] == 2


def test_a_bot_is_told_of_where_it_wins_and_what_it_did_wrong(played: Played) -> None:
    told = get(played, "/api/bots/evil?format=two-player").json
    assert told["faults"] == {"TIMEOUT": 1}
    assert told["time"]["median"] == 11.0
    parts = {part["name"]: part for part in told["parts"]}
    match = get(played, f"/api/matches/{played.match}").json
    mine, theirs = (seat["parts"] for seat in match["frame"]["end"]["seats"])
    for name, part in parts.items():
        assert (part["mine"], part["field"]) == (mine[name], theirs[name])
    assert [(each["seats"], each["seat"], each["matches"]) for each in told["seats"]] == [(2, 0, 2)]
    assert sum(told["scores"].values()) == 2


def test_a_fallback_is_shown_everywhere_that_a_fault_is(played: Played) -> None:
    (rex,) = get(played, "/api/ladder/two-player?q=rex").json["lines"]
    assert rex["fallbacks"] == 1
    by_fallbacks = get(played, "/api/ladder/two-player?sort=fallbacks").json["lines"]
    assert by_fallbacks[0]["bot"] == "rex"
    assert get(played, "/api/bots/rex?format=two-player").json["fallbacks"] == {INJECTED: 1}
    first = get(played, f"/api/matches/{played.match}/turns/1").json
    assert [seat["fallbacks"] for seat in first["match"]["seats"]] == [0, 1]
    decisions = first["frame"]["decisions"]
    assert [each["fallback"] for each in decisions if each["seat"] == 1] == [INJECTED, None]
    cup = get(played, "/api/tournaments/cup").json
    for standings in (cup["overall"], *cup["tables"]):
        assert {line["fallbacks"] for line in standings["lines"]} == {0}
    for table in ("ladder/two-player/table", "tournaments/cup/standings", "matches/list"):
        assert "fallbacks" in get(played, f"/api/{table}.csv").body.decode().splitlines()[0]
    shown = Markup.escape(INJECTED).encode()
    for address in (f"/matches/{played.match}/turns/1", "/bots/rex?format=two-player"):
        body = get(played, address).body
        assert shown in body
        assert INJECTED.encode() not in body
        assert b"fallback" in body
    assert b">1 fallback<" in get(played, "/matches").body


def test_tables_come_as_csv_that_no_spreadsheet_runs(played: Played) -> None:
    got = get(played, "/api/ladder/two-player/table.csv?sort=bot")
    assert got.headers.get_content_type() == "text/csv"
    rows = list(csv.DictReader(io.StringIO(got.body.decode())))
    assert [row["bot"] for row in rows][:2] == sorted(row["bot"] for row in rows)[:2]
    assert rows[0].keys() >= {"rank", "owner", "rating", "sigma", "matches"}
    standings = get(played, "/api/tournaments/cup/standings.csv").body.decode()
    told = get(played, "/api/tournaments/cup").json
    rows = list(csv.DictReader(io.StringIO(standings)))
    assert [(row["format"], row["bot"], row["place"]) for row in rows] == [
        (table["format"] or "all", line["bot"], str(line["place"]))
        for table in (told["overall"], *told["tables"])
        for line in table["lines"]
    ]
    assert [row["places"] for row in rows[:3]] == [
        str(line["deciding"]["places"]) for line in told["overall"]["lines"]
    ]
    matches = get(played, "/api/matches/list.csv?tournament=cup").body.decode()
    assert len(list(csv.DictReader(io.StringIO(matches)))) == 9 + 9 + 12


def test_a_tournament_is_told_with_its_cross_table_and_its_blocks(played: Played) -> None:
    told = get(played, "/api/tournaments/cup").json
    one = told["tournament"]
    assert (one["state"], one["over"], one["planned"]) == ("done", 12, 12)
    assert {line["played"] for line in told["overall"]["lines"]} == {10}
    assert {line["points"] for line in told["overall"]["lines"]} == {None}  # of three formats
    assert [table["format"] for table in told["tables"]] == one["formats"]
    for table in told["tables"]:
        pairs = {(each["bot"], each["other"]): each["difference"] for each in table["cross"]}
        assert pairs["rex", "dice"] == -pairs["dice", "rex"]
        assert all(line["points"] > 0 for line in table["lines"])
    assert (told["waiting"], told["note"], told["declarations"]) == ([], "", [])
    assert sum(block["over"] for block in told["blocks"]) == 12
    assert all(block["over"] == block["size"] for block in told["blocks"])
    assert told["left_seconds"] is None
    assert [(line["who"], line["text"]) for line in told["log"]] == [
        ("server", "all played"), ("local operator", "opened"),
    ]  # fmt: skip
    assert "local operator" in get(played, "/tournaments/cup").body.decode()
    listed = get(played, "/api/tournaments").json["tournaments"]
    assert [each for each in listed if each["name"] == "cup"] == [one]


def test_a_bot_in_a_tournament_is_told_of_as_far_as_the_tournament_goes(played: Played) -> None:
    told = get(played, "/api/tournaments/cup/bots/rex").json
    tables = get(played, "/api/tournaments/cup").json
    (mine,) = [line for line in tables["overall"]["lines"] if line["bot"] == "rex"]
    assert (told["place"], told["shared"], told["bots"]) == (mine["place"], mine["shared"], 3)
    assert {each["format"]: each["place"] for each in told["formats"]} == {
        own["format"]: own["place"] for own in mine["formats"]
    }
    by_format = {each["format"]: each["results"]["matches"] for each in told["formats"]}
    assert by_format == {"summer": 3, "winter": 3, "two-player": 4}  # not those with evil
    for each in told["formats"]:  # points of different formats don't compare
        assert {met["other"] for met in each["meetings"]} == {"dice", "pebble"}
    assert len(told["matches"]) == 10
    assert {line["tournament"] for line in told["matches"]} == {"cup"}
    for each in told["formats"]:
        parts = sum(part["mine"] for part in each["results"]["parts"])
        assert parts == pytest.approx(each["points"])


def test_matches_are_listed_page_by_page(played: Played) -> None:
    first = get(played, "/api/matches?tournament=cup").json
    assert (len(first["matches"]), first["next"]) == (12, 0)
    of_evil = get(played, "/api/matches?bot=evil").json["matches"]
    assert {line["match"] for line in of_evil} == {played.match, played.hidden}


def test_the_first_page_tells_how_to_reach_this_very_server(played: Played) -> None:
    for host in ("127.0.0.1", "paddock.example:7912", "<b>:1", "[::1]:7912"):
        entry = get(played, "/api/home", Host=host).json["entry"]
        assert entry["server"] == played.server.address  # which is loopback, whatever they say
        assert (entry["tokens"], entry["tls"]) == (False, False)
        page = get(played, "/", Host=host).body.decode()
        assert f"PADDOCK_SERVER={played.server.address} python mybot.py" in page
        assert "<b>" not in page


def test_the_bot_of_the_first_page_plays_as_it_stands_there(played: Played, tmp_path: Path) -> None:
    page = get(played, "/").body.decode()
    programs = [
        html.unescape(each)
        for each in re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.S)
    ]
    install, bot, command, bridge = programs
    assert install == "pip install ."
    assert "python -m paddock.bridge --name mine -- perl mybot.pl" in bridge
    (tmp_path / "mybot.py").write_text(bot)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    with Process(tmp_path / "bot.log", "bash", "-c", command, PATH=path) as running:
        until(
            "the bot mine",
            lambda: get(played, "/bots/mine").status == 200 or running.code is not None,
        )
        assert running.code is None, running.said()


@pytest.mark.parametrize(
    ("contact", "host", "server", "words"),
    [
        (Contact("0.0.0.0:7911", tokens=True), "here.example", "http://here.example:7911",
         "PADDOCK_TOKEN=TOKEN python mybot.py"),
        (Contact("0.0.0.0:7911", tls=True), "here.example", "https://here.example:7911",
         "mybot.py --tls-ca CA.pem"),
        (Contact("[::]:7911", tls=True, client_certificates=True), "[2001:db8::1]",
         "https://[2001:db8::1]:7911", "--tls-cert BOT.pem --tls-key BOT.key"),
        (Contact("paddock.example:7911", tls=True), "other.example",
         "https://paddock.example:7911", "mybot.py --tls-ca CA.pem"),
        (Contact("0.0.0.0:7911"), "", "http://HOST:7911", "python mybot.py"),
    ],
)  # fmt: skip
def test_the_address_of_a_server_is_the_one_that_its_visitor_knows(
    contact: Contact, host: str, server: str, words: str
) -> None:
    assert contact.server(host or "HOST") == server
    assert words in contact.command("python mybot.py", host or "HOST")


def test_new_projects_can_be_downloaded(played: Played) -> None:
    links = get(played, "/api/home").json["entry"]["projects"]
    assert [link["address"] for link in links] == [f"/new-bot/{name}.zip" for name in STARTERS]
    page = get(played, "/").body.decode()
    for name, link in zip(STARTERS, links, strict=True):
        assert f'href="{link["address"]}"' in page
        got = get(played, link["address"])
        assert (got.status, got.headers.get_content_type()) == (200, "application/zip")
        assert got.body == zipped(project(name, "mine"))
    got = get(played, "/new-bot/cobol.zip")
    assert got.status == 404
    assert "language not found" in got.body.decode()


def test_the_contract_is_served_as_text_under_its_import_paths(played: Played) -> None:
    files = get(played, "/api/home").json["entry"]["contract"]
    on_disk = {f"/proto/{path}" for path in contract()}
    assert "/proto/paddock/v1/arena.proto" in on_disk
    assert set(files) == on_disk
    page = get(played, "/").body.decode()
    for address in files:
        assert f'href="{address}"' in page
        got = get(played, address)
        assert (got.status, got.headers.get_content_type()) == (200, "text/plain")
        assert got.body == contract()[address.removeprefix("/proto/")]
        for needed in re.findall(r'^import "(paddock/.*)";$', got.body.decode(), re.M):
            assert f"/proto/{needed}" in on_disk
    for odd in ("/proto/", "/proto/../pyproject.toml", "/proto/paddock/v1/none.proto"):
        got = get(played, odd)
        assert got.status == 404
        assert "contract file not found" in got.body.decode()


def test_static_files_are_kept_for_good_under_an_address_that_changes(played: Played) -> None:
    page = get(played, "/").body.decode()
    style = page.partition('<link rel="stylesheet" href="')[2].partition('"')[0]
    got = get(played, style)
    assert (got.status, got.headers.get_content_type()) == (200, "text/css")
    assert "immutable" in got.headers["Cache-Control"]
    assert get(played, "/").headers["Cache-Control"] == "no-cache"
