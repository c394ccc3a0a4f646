"""A tournament's pages in a folder, and what there is in it."""

from html.parser import HTMLParser
from pathlib import Path

from tests.cli.command import Outcome, call


def export(database: Path, name: str, folder: Path, *options: str) -> Outcome:
    """Write a tournament of this database into a folder."""
    return call("tournament", "export", name, "--html", folder, "--db", database, *options)


def contents_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder by its name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


class Links(HTMLParser):
    """What a page refers to, and what can be referred to in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            if name in ("href", "src", "action", "data-follow", "data-watch"):
                assert value is not None, tag
                self.targets.append(value)
