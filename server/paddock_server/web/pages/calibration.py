"""The calibration page of a ladder: its predictions against what was seen."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from paddock_games import FORMATS
from paddock_ladder.calibration import Band, Calibration
from paddock_server.basics.wording import counted
from paddock_server.standings.tables import Computed
from paddock_server.store import ratings, standings
from paddock_server.store.database import Database
from paddock_server.store.standings import Standing
from paddock_server.web.charts import CalibrationBand
from paddock_server.web.page import Page, Sheet
from paddock_server.web.visit import Parameter, Visit

_TELLING: Final = 0.6  # a prediction nearer to one half hardly says anything


class CalibrationFigures(NamedTuple):
    """The comparison of a ladder's predictions with what happened, over all bands and by band."""

    pairs: int  # that did not tie: each was predicted by the live ratings before its match
    log_loss: float  # 0.693: no knowledge
    spread: float  # 1: predictions are as sure as they should be; more: they are too sure
    agreeing: int  # bands whose interval holds what was expected
    bands: tuple[CalibrationBand, ...]  # the least sure predictions first


class CalibrationValues(NamedTuple):
    """The calibration of a ladder: its predictions against what was seen."""

    format: str
    summary: str  # a sentence that says how good the predictions were, or why nothing is known
    computed: Computed | None  # with the standing; None where no standing was computed yet
    figures: CalibrationFigures | None  # None where there is nothing to judge


class Calibrations:
    """The page of every format's calibration, from what was stored with its standing."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def values(self, visit: Visit) -> CalibrationValues:
        """The calibration of one format."""
        format_name, read = visit.path["format"], self._database.read
        standing = await read(standings.find, format_name)
        if standing is None:
            rated = await read(ratings.count_rated, format_name)
            return CalibrationValues(format_name, _no_standing(rated), None, None)
        newer = await read(standings.newer, standing)
        computed = Computed(standing.computed, standing.matches, newer)
        if standing.calibration is None:
            return CalibrationValues(format_name, _no_calibration(standing), computed, None)
        figures = _figures(standing.calibration)
        return CalibrationValues(format_name, _summary(figures.bands), computed, figures)

    def pages(self) -> list[Page]:
        """The calibration of a format."""
        name = Parameter("format", "The ladder.", among=tuple(FORMATS))
        summary = "What a ladder expected of its matches against what was seen, by bands."
        sheet = Sheet("bands.csv", CalibrationBand._fields, _rows)
        return [
            Page("/ladder/{format}/calibration", summary, CalibrationValues, self.values,
                 "calibration.html", in_path=(name,), sheet=sheet),
        ]  # fmt: skip


def _no_standing(rated: int) -> str:
    if not rated:
        return "No rated match of this format was played yet, so there are no predictions to judge."
    return (
        f"There is no standing of {counted(rated, 'rated match', 'rated matches')} yet. A server "
        "computes it soon after the first one; paddock ladder recompute does it at once."
    )


def _no_calibration(standing: Standing) -> str:
    if not standing.matches:
        return _no_standing(0)
    return (
        "There is nothing to judge: either no pair of bots was told apart by its matches, or an "
        "older Paddock computed the standing. The next standing, after another match or by "
        "paddock ladder recompute, brings the calibration."
    )


def _figures(calibration: Calibration) -> CalibrationFigures:
    agreeing = sum(band.interval.holds(band.said) for band in calibration.bands)
    return CalibrationFigures(
        calibration.predictions,
        calibration.log_loss,
        calibration.spread,
        agreeing,
        tuple(map(_band, calibration.bands)),
    )


def _band(band: Band) -> CalibrationBand:
    return CalibrationBand(
        least=band.low, pairs=band.number, expected=band.said, seen=band.seen,
        low=band.interval.low, high=band.interval.high,
    )  # fmt: skip


def _summary(bands: Sequence[CalibrationBand]) -> str:
    """A sentence about the most telling band: that of the most pairs without mere guesses."""
    telling = [band for band in bands if band.least >= _TELLING] or bands
    most = max(telling, key=lambda band: band.pairs)
    pairs = counted(most.pairs, "pair", "pairs")
    return (
        f"When the ladder said {most.expected:.0%}, it happened in {most.seen:.0%} of {pairs}."
    ).replace("%", " %")


def _rows(values: CalibrationValues) -> Sequence[CalibrationBand]:
    return values.figures.bands if values.figures else ()
