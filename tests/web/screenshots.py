"""`make screenshots`: a picture of every page, on a desk and on a phone, light and dark."""

import sys
import tempfile
from pathlib import Path

from tests.web.played import STANDING, chromium, played_server
from tests.web.table import patient_table

PAGES = {
    "home": "/",
    "ladder": "/ladder",
    "calibration": f"/ladder/{STANDING}/calibration",
    "bot": "/bots/rex?format=summer",
    "against": "/bots/rex/against?other=dice&format=winter",
    "matches": "/matches",
    "match": "/matches/{summer}/turns/9",
    "match-winter": "/matches/{winter}",
    "match-twist": "/matches/{twist}/turns/5",
    "rules-draftosaurus": "/rules/draftosaurus",
    "rules-dino-twist": "/rules/dino-twist",
    "live": "/live",
    "live-match": "/live/{live}",
    "tournaments": "/tournaments",
    "tournament": "/tournaments/cup",
}
SIZES = {"desk": (1280, 900), "phone": (390, 844)}


def main(folder: Path) -> None:
    """Take them all."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix="paddock-screenshots-") as place,
        played_server(Path(place)) as played,
        patient_table(played.server) as table,
        chromium() as browser,
    ):
        for _ in range(9):
            table.step()
        page = browser.new_page(base_url=played.base)
        of = {
            name: page.request.get(f"/api/matches?format={name}").json()["matches"][0]["match"]
            for name in ("summer", "winter")
        }
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                for name, address in PAGES.items():
                    page.goto(address.format(live=table.match, twist=played.twist, **of))
                    file = folder / f"{name}-{size}-{scheme}.png"
                    page.screenshot(path=file, full_page=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
