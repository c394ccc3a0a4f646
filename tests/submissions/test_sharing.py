"""Two runners share the work: a match is on one of them, and the next one where there is room."""

from pathlib import Path

from tests.server.process import until
from tests.submissions.arena import (
    accept,
    arena,
    bot_folder,
    is_clean,
    over,
    owner,
    runner,
    said,
    start,
    started,
    submissions_of,
)

LIST = ("runner", "list")


def test_two_runners_share_the_work(tmp_path: Path) -> None:
    with (
        arena(tmp_path / "server") as server,
        runner(server, "one", slots=2),
        runner(server, "two", slots=2),
    ):
        tokens = {name: owner(server, name) for name in ("Ada", "Bob")}
        for name, token in tokens.items():
            for number in (1, 2):
                accept(server, bot_folder(tmp_path, f"{name.lower()}-{number}"), token)
        for name in ("ada", "bob"):  # a bot that played stays for a while
            (match,) = over(server, start(server, f"{name}-1", f"{name}-2"))
            assert is_clean(match)
        runners = {each["name"]: each["leases"] for each in said(server, "runner", "list")}
        assert runners == {"one": 2, "two": 2}


def test_a_match_is_where_the_toolchains_of_its_bots_are(tmp_path: Path) -> None:
    with (
        arena(tmp_path / "server") as server,
        runner(server, "large", slots=6),
        runner(server, "rooted", slots=2, roots="awk-1"),
    ):
        token = owner(server, "Ada")
        accept(server, bot_folder(tmp_path, "ada-1"), token)
        accept(server, bot_folder(tmp_path, "ada-2", manifest='toolchain = "awk-1"\n'), token)
        (match,) = over(server, start(server, "ada-1", "ada-2"))
        assert is_clean(match)
        runners = {each["name"]: each["leases"] for each in said(server, "runner", "list")}
        assert runners == {"large": 0, "rooted": 2}


def test_a_match_is_where_the_root_is_that_its_bots_were_checked_in(tmp_path: Path) -> None:
    with arena(tmp_path / "server") as server:
        token = owner(server, "Ada")
        with runner(server, "checked", slots=2, roots="awk-1=aa"):
            for name in ("ada-1", "ada-2"):
                accept(server, bot_folder(tmp_path, name, manifest='toolchain = "awk-1"\n'), token)
            with runner(server, "another", slots=6, roots="awk-1=bb"):
                until("both", lambda: all(each["connected"] for each in said(server, *LIST)))
                (match,) = over(server, start(server, "ada-1", "ada-2"))
                assert is_clean(match)
                runners = {each["name"]: each["leases"] for each in said(server, *LIST)}
    assert runners == {"checked": 2, "another": 0}


def test_a_match_waits_for_a_toolchain_that_left_and_says_so(tmp_path: Path) -> None:
    with arena(tmp_path / "server") as server, runner(server, "large", slots=6):
        token = owner(server, "Ada", bots=3)
        new = said(server, "runner", "add", "rooted")["token"]
        with started(server, "rooted", new, slots=2, roots="awk-1"):
            for name in ("ada-1", "ada-2"):
                accept(server, bot_folder(tmp_path, name), token)
            accept(server, bot_folder(tmp_path, "ada-3", manifest='toolchain = "awk-1"\n'), token)
        until("its end", lambda: sum(each["connected"] for each in said(server, *LIST)) == 1)
        waiting = start(server, "ada-1", "ada-3")

        def sentence() -> str:
            return str(submissions_of(server, "ada-3")[0]["sentence"])

        until("what it waits for", lambda: "has the toolchain awk-1; it waits" in sentence())
        assert submissions_of(server, "ada-1")[0]["sentence"] == ""
        over(server, start(server, "ada-1", "ada-2"))  # a bot plays what it can
        with started(server, "rooted", new, slots=1, roots="awk-1"):
            until("what its match waits for", lambda: "has slots and toolchains" in sentence())
        with started(server, "rooted", new, slots=2, roots="awk-1"):
            (match,) = over(server, waiting)
            assert is_clean(match)
            assert sentence() == ""


def test_a_match_is_not_tried_again_at_once_where_it_gave_trouble(tmp_path: Path) -> None:
    with (
        arena(tmp_path / "server") as server,
        runner(server, "large", slots=6, broken=True),
        runner(server, "small", slots=2),
    ):
        token = owner(server, "Ada")
        for name in ("ada-1", "ada-2"):
            accept(server, bot_folder(tmp_path, name), token)
        (match,) = over(server, start(server, "ada-1", "ada-2"))
        assert is_clean(match)
        runners = {each["name"]: each["leases"] for each in said(server, *LIST)}
        assert runners == {"large": 0, "small": 2}
