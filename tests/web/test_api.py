"""The API keeps what its description promises, whatever it is asked."""

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from tests.web.conftest import Played
from tests.web.test_pages import get

EXAMPLES = 12  # of each operation


def test_the_description_is_kept(played: Played) -> None:
    schema = schemathesis.openapi.from_url(f"{played.base}/api/openapi.json")
    found = 0
    for result in schema.get_all_operations():
        operation = result.ok()
        found += 1

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @schemathesis.given(case=operation.as_strategy())
        def holds(case: schemathesis.Case) -> None:
            case.call_and_validate()

        holds()
    assert found == len(get(played, "/api/openapi.json").json["paths"])
