"""Hosted bots, their runs and pinned versions, as the rest of the server asks for them."""

from paddock_server.lobby.hosted import Hosted, HostedBot
from paddock_server.lobby.hosted_session import HostedSession, Run
from paddock_server.lobby.pins import Pins

REX = HostedBot("ada", "2", ("summer",), 4)


class Ear:
    """A listener that writes down what it is told."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def entered(self, session: HostedSession) -> None:
        self.heard.append(f"entered {session.bot}")

    def left(self, session: HostedSession) -> None:
        self.heard.append(f"left {session.bot}")

    def learned_deal(self, session: HostedSession) -> None:
        self.heard.append(f"learned {session.bot}")

    def matches_added(self) -> None:
        self.heard.append("matches added")


def test_a_hosted_bot_is_found_while_it_can_be_started() -> None:
    hosted = Hosted()
    assert not hosted.is_hosted("rex")
    hosted.host("rex", REX)
    assert hosted.is_hosted("rex")
    assert hosted.find("rex") == REX
    hosted.set_available("rex", available=False)
    assert hosted.is_hosted("rex")
    assert hosted.find("rex") is None
    assert dict(hosted) == {"rex": REX._replace(available=False)}
    hosted.set_available("rex", available=True)
    assert hosted.find("rex") == REX
    hosted.set_available("bob", available=True)
    assert not hosted.is_hosted("bob")


def test_a_run_opens_sessions_until_it_is_dismissed() -> None:
    hosted, run = Hosted(), Run("L1", "rex", "2", "python", 4)
    hosted.admit(b"hash", run)
    assert hosted.run_of(b"hash") == run
    assert hosted.run_of(b"other") is None
    hosted.dismiss(b"hash")
    hosted.dismiss(b"hash")
    assert hosted.run_of(b"hash") is None


def test_every_listener_is_told() -> None:
    hosted, ears = Hosted(), [Ear(), Ear()]
    for ear in ears:
        hosted.add_listener(ear)
    hosted.matches_added()
    assert [ear.heard for ear in ears] == [["matches added"]] * 2


def test_a_tournament_is_played_with_the_pinned_versions_until_it_is_over() -> None:
    hosted = Hosted()
    pins = Pins(hosted)
    hosted.host("rex", REX)
    pins.pin("cup", {"rex": "1", "bob": ""})
    assert (pins.version("rex", "cup"), pins.version("rex", "")) == ("1", "2")
    assert pins.version("bob", "cup") == ""
    pins.unpin("cup")
    assert pins.version("rex", "cup") == "2"
