"""One tree of errors: every error of the server has a reason, and every reason is told alike."""

import importlib
import pkgutil

import grpc
import pytest

import paddock_games.errors
import paddock_server
from paddock_server.basics import errors
from paddock_server.basics.errors import REASONS, ServerError


def _subclasses(root: type[Exception]) -> set[type[Exception]]:
    direct = set(root.__subclasses__())
    return direct.union(*map(_subclasses, direct)) if direct else direct


@pytest.fixture(scope="module", autouse=True)
def _everything_is_loaded() -> None:
    for module in pkgutil.walk_packages(paddock_server.__path__, "paddock_server."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


def test_every_public_error_of_the_server_has_the_one_root() -> None:
    strangers = [
        error
        for error in _subclasses(Exception)
        if error.__module__.startswith("paddock_server.")
        and not error.__name__.startswith("_")
        and not issubclass(error, ServerError)
        and not error.__module__.startswith("paddock_server.cli.")  # click's own, for its words
    ]
    assert [f"{error.__module__}.{error.__name__}" for error in strangers] == []


def test_every_error_has_a_reason_that_is_told() -> None:
    known = _subclasses(ServerError) | _subclasses(paddock_games.errors.GamesError)
    assert len(known) > 10
    for error in known:
        assert error.reason in REASONS, error  # type: ignore[attr-defined]


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    text = errors.__doc__ or ""
    for error in ServerError.__subclasses__():
        if error.__module__.startswith("paddock_server."):
            assert f"─ {error.__name__} " in text, error.__name__


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_a_status_of_grpc_of_http_and_of_a_command(reason: str) -> None:
    status = REASONS[reason]
    assert grpc.StatusCode[status.grpc] is not grpc.StatusCode.OK
    assert 400 <= status.http < 600
    assert status.exit in (1, 2)
