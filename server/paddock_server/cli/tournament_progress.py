"""The progress of a tournament on a terminal: a bar, and one line per event."""

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
_WORTH_SAYING_SECONDS: Final = 5.0  # bots that are just being started are not worth a line


def until_over(caller: Caller, name: str, notices: Notices) -> None:
    """Wait until the tournament is done; a bar shows its progress and who leads."""
    stub = tournament_pb2_grpc.TournamentServiceStub(caller.channel)
    brief = tournament_pb2.GetTournamentRequest(name=name, summary_only=True)
    whole = tournament_pb2.GetTournamentRequest(name=name)
    with progress(name, notices, remaining=False) as bar:
        summary = caller.call(stub.GetTournament, brief).tournament
        task: Any = bar.add_task("", total=summary.planned or None, rate="")
        began, first, looked = time.monotonic(), summary.over, -_WHOLE_SECONDS
        teller = Teller(summary.declared, notices)
        leaders = ""
        while True:
            now = time.monotonic()
            waits = summary.state in WAITS
            teller.tell(summary, now)
            wanted = not bar.disable or teller.misses(summary)
            if wanted and (now - looked > _WHOLE_SECONDS or not waits):
                report = caller.call(stub.GetTournament, whole)
                teller.tell_declarations(report)
                leaders = " > ".join(clean(line.bot) for line in report.standings[:3])
                looked = now
            rate = (summary.over - first) / max(now - began, 1e-9)
            bar.update(
                task,
                total=summary.planned or None,  # entries come and go
                completed=summary.over,
                rate=_status(summary, rate, leaders),
            )
            if not waits:
                return
            time.sleep(_LOOK_SECONDS)
            summary = caller.call(stub.GetTournament, brief).tournament


def _status(summary: Any, rate: float, leaders: str) -> str:
    if summary.state == tournament_pb2.TOURNAMENT_STATE_UPCOMING:
        return state_words(summary)
    parts = [f"{rate:,.1f} matches/s"]
    if summary.HasField("left_seconds"):
        parts.append(f"about {lasting(summary.left_seconds)} to go")
    held_up = dict.fromkeys(each.bot for each in summary.waiting if each.since)
    if held_up:
        parts.append(f"waits for {clean(listed(held_up))}")
    return "  ".join((*parts, leaders))


class Teller:
    """A printer of whom a tournament waits for and what it declares, each once."""

    def __init__(self, declared: int, notices: Notices) -> None:
        self._notices = notices
        self._declared = declared  # matches that we know of; those of earlier runs are old news
        self._seen: dict[str, float] = {}  # what is the matter, since when
        self._said: set[str] = set()

    def misses(self, summary: Any) -> bool:
        """Whether matches were declared that were not printed yet."""
        return bool(summary.declared > self._declared)

    def tell_declarations(self, whole: Any) -> None:
        """Print the matches that were declared since the last time."""
        fresh = whole.tournament.declared - self._declared
        self._declared = whole.tournament.declared
        for line in declared_lines(whole.declarations[:fresh], fresh):
            self._notices.say(line)

    def tell(self, summary: Any, now: float) -> None:
        """Print whom the tournament waits for, as soon as it has lasted a while."""
        wrong = {
            each.sentence: f"waiting: {waiting_line(each)}"
            for each in summary.waiting
            if each.since
        }
        at_once = {
            each.sentence
            for each in summary.waiting
            if each.reason == tournament_pb2.WAIT_REASON_FORMAT
        }
        if summary.note:
            wrong[summary.note] = clean(summary.note)
        self._said.intersection_update(wrong)  # what comes back is printed again
        self._seen = {what: self._seen.get(what, now) for what in wrong}
        for what, since in self._seen.items():
            lasts = what in at_once or now - since >= _WORTH_SAYING_SECONDS
            if lasts and what not in self._said:
                self._said.add(what)
                self._notices.say(wrong[what])
