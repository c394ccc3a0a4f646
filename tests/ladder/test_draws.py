"""The draw probabilities of the formats are those that are measured."""

import math
import re
from pathlib import Path

import pytest
from bench.draws import measured

from paddock_games import FORMATS

PAGE = (Path(__file__).parents[2] / "docs/ratings.md").read_text()


@pytest.mark.parametrize("name", FORMATS)
def test_equals_tie_as_often_as_the_format_says(name: str) -> None:
    form = FORMATS[name]
    tied, pairs = measured(form, 150, seed=2).equals
    expected = pairs * form.draw_probability
    # Three errors, and half a tie, because ties are whole.
    assert abs(tied - expected) <= 3 * math.sqrt(expected * (1 - form.draw_probability)) + 0.5


@pytest.mark.parametrize("name", FORMATS)
def test_the_page_has_the_number_in_use_within_the_error_measured(name: str) -> None:
    row = re.search(rf"^\| `{name}` \| \d \| ([\d.]+) % \| ([\d.]+) ± ([\d.]+) % \|", PAGE, re.M)
    assert row, f"docs/ratings.md has no row for {name}; run python -m bench.draws"
    in_use, found, error = map(float, row.groups())
    assert in_use == pytest.approx(100 * FORMATS[name].draw_probability)
    assert abs(in_use - found) <= error
