"""The page of a ladder's calibration: what it expected, what was seen, and how old that is."""

import asyncio
import csv
import io
import re
from pathlib import Path

import pytest

from paddock_ladder.calibration import Band, Calibration
from paddock_ladder.rating import PROVISIONAL
from paddock_server.store import standings
from paddock_server.web.charts import CalibrationBand, reliability
from paddock_server.web.pages.calibration import Calibrations, CalibrationValues
from tests.store.ladder import FORMAT, played
from tests.store.ladder import Played as Ended
from tests.store.opened import opened, write
from tests.store.test_standings import FOUND
from tests.web.played import STANDING, Played
from tests.web.test_pages import get

BANDS = (
    Band(0.5, 900, 0.55, 0.54, 0.017),
    Band(0.7, 412, 0.7, 0.68, 0.023),
    Band(0.9, 40, 0.93, 0.6, 0.077),
)
CALIBRATION = Calibration(700, 1352, 0.65, 1.2, BANDS)


def shown(path: Path) -> CalibrationValues:
    """The values of the page of FORMAT."""

    async def values() -> CalibrationValues:
        with opened(path, reading=True) as database:
            calibrations = Calibrations(database)
            (page,) = calibrations.pages()
            return await calibrations.values(page.visit({"format": FORMAT}, {}))

    return asyncio.run(values())


def test_the_page_says_in_a_sentence_how_good_the_predictions_were(tmp_path: Path) -> None:
    path = tmp_path / "paddock.db"
    with opened(path) as database:
        write(database, standings.save, FOUND._replace(calibration=CALIBRATION))
    values = shown(path)
    assert values.summary == "When the ladder said 70 %, it happened in 68 % of 412 pairs."
    assert values.computed == (FOUND.computed, FOUND.matches, 0)
    assert values.figures is not None
    assert (values.figures.pairs, values.figures.agreeing) == (1352, 2)
    for band, given in zip(values.figures.bands, BANDS, strict=True):
        assert band[:4] == given[:1] + given[1:4]
        assert band.low < band.seen < band.high
    with opened(path) as database:
        alone = CALIBRATION._replace(bands=(Band(0.5, 1, 0.5, 0.0, 0.0),))
        write(database, standings.save, FOUND._replace(calibration=alone))
    assert shown(path).summary == "When the ladder said 50 %, it happened in 0 % of 1 pair."


def test_where_there_is_nothing_to_judge_the_page_says_why(tmp_path: Path) -> None:
    path = tmp_path / "paddock.db"
    with opened(path):
        pass
    values = shown(path)
    assert (values.computed, values.figures) == (None, None)
    assert "No rated match of this format was played yet" in values.summary
    with opened(path) as database:
        played(database, Ended(("ada", "bob"), (1, 2), ("1", "1")))
    assert "There is no standing of 1 rated match yet" in shown(path).summary
    with opened(path) as database:
        write(database, standings.save, FOUND._replace(calibration=None))
    values = shown(path)
    assert "an older Paddock computed the standing" in values.summary
    assert values.computed is not None
    assert values.figures is None
    with opened(path) as database:
        write(database, standings.save, FOUND._replace(calibration=None, matches=0, strengths=()))
    assert "No rated match of this format was played yet" in shown(path).summary


def test_every_form_says_the_same_and_the_ladder_leads_to_it(played: Played) -> None:
    address = f"/ladder/{STANDING}/calibration"
    values = get(played, f"/api{address}").json
    assert (values["format"], values["computed"]["matches"]) == (STANDING, PROVISIONAL)
    bands = values["figures"]["bands"]
    assert 0 < sum(band["pairs"] for band in bands) == values["figures"]["pairs"] <= PROVISIONAL
    page = get(played, address).body.decode()
    assert values["summary"] in page
    assert re.search(r'Computed with the standing <time datetime="[^"]+" data-age>', page)
    assert page.count('class="dot"') == page.count('class="reach"') == len(bands)
    rows = list(csv.reader(io.StringIO(get(played, f"/api{address}/bands.csv").body.decode())))
    assert rows == [list(CalibrationBand._fields), *([str(v) for v in b.values()] for b in bands)]
    assert f'href="{address}"' in get(played, f"/ladder/{STANDING}").body.decode()
    assert "/calibration" not in get(played, "/ladder").body.decode()
    described = get(played, "/api/openapi.json").json["paths"]
    assert {"/api/ladder/{format}/calibration", "/api/ladder/{format}/calibration/bands.csv"} <= (
        described.keys()
    )
    empty = get(played, "/ladder/series/calibration").body.decode()
    assert "No rated match of this format was played yet" in empty
    assert '<svg class="chart"' not in empty
    none = get(played, "/api/ladder/series/calibration/bands.csv").body.decode()
    assert none.split() == [",".join(CalibrationBand._fields)]


def test_the_picture_puts_honest_predictions_on_the_diagonal() -> None:
    assert reliability([], "nothing") == ""
    drawn = reliability(
        [
            CalibrationBand(0.5, 10, 0.5, 0.5, 0.03, 0.7),
            CalibrationBand(0.9, 10, 1.0, 1.0, 0.7, 1.0),
        ],
        'seen & "said"',
    )
    assert "seen &amp; &#34;said&#34;" in drawn
    ideal = re.search(r'class="ideal" x1="(\S+)" y1="(\S+)" x2="(\S+)" y2="(\S+)"', drawn)
    assert ideal is not None
    dots = re.findall(r'class="dot" cx="(\S+)" cy="(\S+)"', drawn)
    assert dots == [ideal.group(1, 2), ideal.group(3, 4)]
    _, _, width, height = map(float, re.findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', drawn)[0])
    for across, up in re.findall(r'(?:x1|cx|x2)="(\S+)".*?(?:y1|cy|y2)="(\S+)"', drawn):
        assert 0 <= float(across) <= width
        assert 0 <= float(up) <= height


@pytest.mark.parametrize("seen", [0.0, 1.0])
def test_the_picture_of_a_single_pair_is_a_picture(seen: float) -> None:
    low, high = Band(0.5, 1, 0.5, seen, 0.0).interval
    drawn = reliability([CalibrationBand(0.5, 1, 0.5, seen, low, high)], "one")
    assert "nan" not in drawn
    assert drawn.count('class="dot"') == 1
