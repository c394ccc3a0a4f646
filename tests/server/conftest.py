"""What the tests of this folder share."""

import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def logs_as_before() -> Iterator[None]:
    """`paddock serve` sets up logging for its whole process, which in `call` is ours."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
