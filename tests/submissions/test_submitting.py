"""From a folder to a match: handed in, built, checked, run, rated by version."""

from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

import pytest

from tests.server.process import Server, sdk_bot, until
from tests.submissions.arena import (
    accept,
    arena,
    bot_folder,
    call,
    is_clean,
    over,
    owner,
    runner,
    said,
    start,
    submissions_of,
    versions_in,
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a runner, for all tests that kill nobody."""
    folder = tmp_path_factory.mktemp("arena")
    with arena(folder / "server") as started, runner(started):
        yield started


def test_a_bot_is_handed_in_and_plays(server: Server, tmp_path: Path) -> None:
    token = owner(server, "Ada")
    for name in ("ada-1", "ada-2"):
        accept(server, bot_folder(tmp_path, name), token)
    again = call(server, "submit", tmp_path / "ada-1-1", token=token)
    assert "was handed in before" in again.out
    assert len(submissions_of(server, "ada-1")) == 1
    (match,) = over(server, start(server, "ada-1", "ada-2"))
    assert is_clean(match)
    assert versions_in(match) == {"ada-1": "1", "ada-2": "1"}
    (found,) = submissions_of(server, "ada-1")
    assert (found["state"], found["owner"], found["language"]) == ("active", "Ada", "Python")
    assert found["certificate"]["runner"] == "here"
    assert "hello" in call(server, "submission", "show", found["id"], token=token).out
    copy = tmp_path / "copy.tar.gz"
    assert call(server, "submission", "fetch", found["id"], copy, token=token).code == 0
    assert copy.stat().st_size == found["archive_bytes"]


def test_what_is_wrong_is_said_so_that_its_author_can_mend_it(
    server: Server, tmp_path: Path
) -> None:
    token = owner(server, "Bob")
    build = 'build = ["sh", "-c", "echo no such library >&2; exit 3"]\n'
    failed = call(
        server, "submit", bot_folder(tmp_path, "bob", manifest=build), "--wait", token=token
    )
    assert failed.code == 1
    assert "no such library" in failed.out
    assert "was rejected: the build ended with 3" in failed.out
    # A rejected version never played: its number may be used again.
    fails = bot_folder(tmp_path / "again", "bob", fails="format winter: illegal choice")
    checked = call(server, "submit", fails, "--wait", token=token)
    assert checked.code == 1
    assert "was rejected: format winter: illegal choice" in checked.out
    never = call(server, "submission", "activate", "bob", "--version", "1", token=token)
    assert "submission/not_accepted: version 1 can't play: it is rejected" in never.refused()
    shown = call(server, "submission", "list", token=token).out
    (newest, _) = submissions_of(server, "bob")
    assert newest["id"] in shown  # whole, so that it can be copied
    assert "version 1 of bob was rejected: format winter: illegal choice" in shown
    log = call(server, "submission", "log", "bob", token=token).out  # of the newest
    assert log == call(server, "submission", "log", newest["id"], token=token).out
    assert "format winter: illegal choice" in log
    accept(server, bot_folder(tmp_path / "third", "bob"), token)
    other = bot_folder(tmp_path, "bob-2", "7")
    (other / "paddock-bot.toml").write_text('name = "bob"\nversion = "1"\nrun = ["./x"]\n')
    assert "raise version in paddock-bot.toml" in call(server, "submit", other, token=token).err
    (other / "paddock-bot.toml").write_text('name = "bob"\nversion = "1"\nrun = ["./x"]\nx = 1\n')
    assert "unknown key 'x'" in call(server, "submit", other, token=token).err


def test_nobody_else_hears_of_a_submission(server: Server, tmp_path: Path) -> None:
    mine, theirs = owner(server, "Cyd"), owner(server, "Dan")
    accept(server, bot_folder(tmp_path, "cyd", manifest='build = ["echo", "my secret"]\n'), mine)
    (found,) = submissions_of(server, "cyd")
    assert "my secret" in call(server, "submission", "log", found["id"], token=mine).out
    assert "my secret" in call(server, "submission", "log", found["id"]).out  # the organiser
    for command in (["log"], ["show"], ["fetch"]):
        more = [tmp_path / "stolen"] if command == ["fetch"] else []
        refused = call(server, "submission", *command, found["id"], *more, token=theirs)
        assert refused.refused().startswith("paddock: submission/unknown: ")
    assert not (tmp_path / "stolen").exists()
    assert said(server, "submission", "list", token=theirs) == []
    assert "no submission 'cyd'" in call(server, "submission", "log", "cyd", token=theirs).refused()
    wanted = call(server, "submission", "activate", "cyd", "--version", "1", token=theirs)
    assert "submission/unknown" in wanted.refused()
    taken = call(server, "submit", bot_folder(tmp_path, "cyd", "2"), token=theirs)
    assert "auth/other_bot" in taken.refused()
    nobody = call(server, "submission", "list", token="x" * 40)
    assert "auth/bad_token" in nobody.refused()


def test_the_page_of_an_owner_shows_its_own_logs_and_no_others(
    server: Server, tmp_path: Path
) -> None:
    mine, theirs = owner(server, "Kim"), owner(server, "Lea")
    hidden = 'build = ["echo", "<b>my secret</b>"]\n'
    accept(server, bot_folder(tmp_path, "kim", manifest=hidden), mine)
    assert "my secret" not in ask(server, "GET", "/own").text
    entered = ask(server, "POST", "/own/login", token=mine)
    assert entered.status == 303
    assert all(word in entered.cookie for word in ("HttpOnly", "SameSite=strict", "Path=/own"))
    page = ask(server, "GET", "/own", cookie=entered.cookie.partition(";")[0])
    assert '<a href="/bots/kim">kim</a>, version 1' in page.text
    assert "&lt;b&gt;my secret&lt;/b&gt;" in page.text
    other = ask(server, "POST", "/own/login", token=theirs)
    page = ask(server, "GET", "/own", cookie=other.cookie.partition(";")[0])
    assert "Nothing was handed in yet" in page.text
    nobody = ask(server, "POST", "/own/login", token="x" * 20)
    assert (nobody.status, nobody.cookie) == (403, "")
    public = ask(server, "GET", "/bots/kim").text
    assert "The arena runs version 1" in public
    assert "my secret" not in public


class Answer(NamedTuple):
    status: int
    text: str
    cookie: str


def ask(server: Server, method: str, path: str, *, token: str = "", cookie: str = "") -> Answer:
    """What the pages answer."""
    connection = HTTPConnection(server.http)
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    body = urlencode({"token": token}) if token else None
    connection.request(method, path, body, {**form, **({"Cookie": cookie} if cookie else {})})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return Answer(answer.status, text, answer.headers.get("Set-Cookie", ""))


def test_an_owner_has_as_many_bots_as_it_may(server: Server, tmp_path: Path) -> None:
    token = owner(server, "Eve", 1)
    accept(server, bot_folder(tmp_path, "eve-1"), token)
    more = call(server, "submit", bot_folder(tmp_path, "eve-2"), token=token)
    assert "owner/too_many_bots: Eve may have 1 and has eve-1" in more.refused()
    assert said(server, "bot", "list")
    assert all(bot["name"] != "eve-2" for bot in said(server, "bot", "list"))


def test_a_new_version_takes_over_and_the_old_one_can_come_back(
    server: Server, tmp_path: Path
) -> None:
    token = owner(server, "Fay")
    for name in ("fay", "fay-2"):
        accept(server, bot_folder(tmp_path, name), token)
    assert versions_in(over(server, start(server, "fay", "fay-2"))[0])["fay"] == "1"
    accept(server, bot_folder(tmp_path, "fay", "2"), token)
    assert versions_in(over(server, start(server, "fay", "fay-2"))[0])["fay"] == "2"
    states = {each["version"]: each["state"] for each in submissions_of(server, "fay")}
    assert states == {"1": "retired", "2": "active"}
    back = call(server, "submission", "activate", "fay", "--version", "1", token=token)
    assert "was accepted: it plays" in back.out
    assert versions_in(over(server, start(server, "fay", "fay-2"))[0])["fay"] == "1"
    never = call(server, "submission", "activate", "fay", "--version", "9", token=token)
    assert "submission/unknown" in never.refused()


def test_a_hosted_bot_opens_no_other_session(server: Server, tmp_path: Path) -> None:
    token = owner(server, "Gus")
    handed_in = call(server, "submit", bot_folder(tmp_path, "gus"), "--wait", token=token)
    own = handed_in.out.split("shown only once:\n")[1].split()[0]
    with sdk_bot(server, "gus", PADDOCK_TOKEN=own) as bot:
        until("the refusal", lambda: "the arena runs gus itself" in bot.said())


def test_hosted_bots_and_bots_that_dial_in_meet(server: Server, tmp_path: Path) -> None:
    accept(server, bot_folder(tmp_path, "hal"), owner(server, "Hal"))
    own = said(server, "bot", "add", "ivy")["token"]
    with sdk_bot(server, "ivy", PADDOCK_TOKEN=own):
        (match,) = over(server, start(server, "hal", "ivy"))
        assert is_clean(match)


def test_trouble_of_runners_is_never_held_against_a_bot(server: Server, tmp_path: Path) -> None:
    token = owner(server, "Jon")
    stuck = call(server, "submit", bot_folder(tmp_path, "jon", trouble="x"), "--wait", token=token)
    assert stuck.code == 1
    assert "is stuck, not by its own fault" in stuck.out
    assert "no space left on this runner" in stuck.out
    (found,) = submissions_of(server, "jon")
    assert (found["state"], found["attempts"]) == ("stuck", 3)
    again = call(server, "submission", "retry", found["id"])
    assert "waits for a runner" in again.out
    refused = call(server, "submission", "retry", found["id"], token=token)
    assert "auth/organiser_only" in refused.refused()


def test_a_bot_whose_toolchain_no_runner_has_waits_and_says_so(
    server: Server, tmp_path: Path
) -> None:
    token = owner(server, "Mia")
    for name, manifest, missing in (
        ("mia-1", 'language = "Go"', "a toolchain for Go"),
        ("mia-2", 'toolchain = "go-9"', "the toolchain go-9"),
    ):
        place = bot_folder(tmp_path, name)
        toml = place / "paddock-bot.toml"
        toml.write_text(toml.read_text().replace('language = "Python"', manifest))
        assert call(server, "submit", place, token=token).code == 0

        def told(bot: str = name, missing: str = missing) -> bool:
            (found,) = submissions_of(server, bot)
            assert found["state"] == "received"  # a build without Go would be rejected
            return f"no runner that is connected has {missing}" in found["sentence"]

        until("what it waits for", told)
