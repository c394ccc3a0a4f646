"""Links of a page, rewritten for a folder of files; links without a target become text."""

import re
from collections.abc import Callable
from html import escape
from html.parser import HTMLParser

Target = Callable[[str], str | None]
"""From an address on the server to its replacement; None: the link becomes text."""


def relinked(html: str, target: Target) -> str:
    """The same page with rewritten links; a link without a target becomes text."""
    parser = _Relinking(target)
    parser.feed(html)
    parser.close()
    return "".join(parser.written)


class _Relinking(HTMLParser):
    """A parser that copies HTML and rewrites addresses below the root of the server."""

    def __init__(self, target: Target) -> None:
        super().__init__(convert_charrefs=False)
        self.written: list[str] = []
        self._target = target
        self._unlinked = False  # inside a link that became text; links are never nested

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        text = self.get_starttag_text() or ""
        for name, value in attrs:
            if name in ("href", "src") and value and value.startswith("/"):
                target = self._target(value)
                if target is None:
                    self._unlinked = True
                    text = _span(dict(attrs).get("class"))
                else:
                    text = re.sub(rf'(?<=\s){name}="[^"]*"', f'{name}="{escape(target)}"', text)
        self.written.append(text)

    def handle_startendtag(self, _tag: str, _attrs: list[tuple[str, str | None]]) -> None:
        self.written.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._unlinked:
            self._unlinked = False
            tag = "span"
        self.written.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.written.append(data)

    def handle_entityref(self, name: str) -> None:
        self.written.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self.written.append(f"&#{name};")

    def handle_decl(self, decl: str) -> None:
        self.written.append(f"<!{decl}>")


def _span(kind: str | None) -> str:
    return f'<span class="{escape(kind)}">' if kind else "<span>"
