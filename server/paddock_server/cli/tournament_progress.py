"""How a tournament goes on, for whoever waits for its end: a bar, and a line for what happens."""

import time
from typing import Any, Final

from paddock.v1 import tournament_pb2, tournament_pb2_grpc
from paddock_server.basics.wording import lasting, listed
from paddock_server.cli.remote import Caller
from paddock_server.cli.terminal import Notices, clean, progress
from paddock_server.cli.tournament_report import declared_lines, waiting_line
from paddock_server.cli.tournament_state import WAITS, state_words

_LOOK_SECONDS: Final = 0.2
_WHOLE_SECONDS: Final = 3.0  # between two looks at everything
_WORTH_SAYING_SECONDS: Final = 5.0  # bots that are just being started are nobody's trouble


def until_over(caller: Caller, name: str, notices: Notices) -> None:
    """Return when the tournament is done; a bar tells how far it is and who leads."""
    stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
    brief = tournament_pb2.GetTournamentRequest(name=name, summary_only=True)
    whole = tournament_pb2.GetTournamentRequest(name=name)
    with progress(name, notices, remaining=False) as bar:
        found = caller.call(stub.GetTournament, brief).tournament
        task: Any = bar.add_task("", total=found.planned or None, rate="")
        began, first, looked = time.monotonic(), found.over, -_WHOLE_SECONDS
        teller = Teller(found.declared, notices)
        leaders = ""
        while True:
            now = time.monotonic()
            waits = found.state in WAITS
            teller.tell(found, now)
            wanted = not bar.disable or teller.misses(found)
            if wanted and (now - looked > _WHOLE_SECONDS or not waits):
                report = caller.call(stub.GetTournament, whole)
                teller.tell_declarations(report)
                leaders = " > ".join(clean(line.bot) for line in report.standings[:3])
                looked = now
            rate = (found.over - first) / max(now - began, 1e-9)
            bar.update(
                task,
                total=found.planned or None,  # entries come and go
                completed=found.over,
                rate=_status(found, rate, leaders),
            )
            if not waits:
                return
            time.sleep(_LOOK_SECONDS)
            found = caller.call(stub.GetTournament, brief).tournament


def _status(found: Any, rate: float, leaders: str) -> str:
    if found.state == tournament_pb2.TOURNAMENT_STATE_UPCOMING:
        return state_words(found)
    parts = [f"{rate:,.1f} matches/s"]
    if found.HasField("left_seconds"):
        parts.append(f"about {lasting(found.left_seconds)} to go")
    held_up = dict.fromkeys(each.bot for each in found.waiting if each.since)
    if held_up:
        parts.append(f"waits for {clean(listed(held_up))}")
    return "  ".join((*parts, leaders))


class Teller:
    """Says on the terminal whom a tournament waits for and what it declares, each once."""

    def __init__(self, declared: int, notices: Notices) -> None:
        self._notices = notices
        self._declared = declared  # matches that we know of; those of earlier runs are old news
        self._seen: dict[str, float] = {}  # what is the matter, since when
        self._said: set[str] = set()

    def misses(self, found: Any) -> bool:
        """Whether matches were declared that nobody was told of."""
        return bool(found.declared > self._declared)

    def tell_declarations(self, whole: Any) -> None:
        """Say which matches were declared."""
        fresh = whole.tournament.declared - self._declared
        self._declared = whole.tournament.declared
        for line in declared_lines(whole.declarations[:fresh], fresh):
            self._notices.say(line)

    def tell(self, found: Any, now: float) -> None:
        """Say whom the tournament waits for, as soon as that is worth it."""
        wrong = {
            each.sentence: f"waiting: {waiting_line(each)}" for each in found.waiting if each.since
        }
        at_once = {
            each.sentence
            for each in found.waiting
            if each.reason == tournament_pb2.WAIT_REASON_FORMAT
        }
        if found.note:
            wrong[found.note] = clean(found.note)
        self._said.intersection_update(wrong)  # what comes again is said again
        self._seen = {what: self._seen.get(what, now) for what in wrong}
        for what, since in self._seen.items():
            lasts = what in at_once or now - since >= _WORTH_SAYING_SECONDS
            if lasts and what not in self._said:
                self._said.add(what)
                self._notices.say(wrong[what])
