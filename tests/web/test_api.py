"""The API keeps what its description promises, whatever it is asked."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.core.result import Ok

from tests.web.played import Played
from tests.web.test_pages import get

EXAMPLES = 6  # of each operation


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_the_description_is_kept(played: Played, mode: GenerationMode) -> None:
    schema = schemathesis.openapi.from_url(f"{played.base}/api/openapi.json")
    asked: set[str] = set()
    plain: set[str] = set()
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        if mode is GenerationMode.NEGATIVE and not list(operation.iter_parameters()):
            plain.add(operation.path)  # nothing could be given wrongly
            continue

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def holds(case: Case[Any]) -> None:
            case.call_and_validate(timeout=60)
            asked.add(case.path)

        holds()
    described = set(get(played, "/api/openapi.json").json["paths"])
    assert asked | plain == described
