"""Two runners share the work: a match is on one of them, and the next one where there is room."""

from pathlib import Path

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
)


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
