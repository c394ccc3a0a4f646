"""The match record: one JSON document per match, complete enough to check every point of it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from paddock_games.chance import (
    DIGEST_BYTES,
    NO_NONCE,
    NONCE_BYTES,
    SEED_BYTES,
    Chance,
    commitment,
    digest_of,
)
from paddock_games.clock import Clock
from paddock_games.errors import BadRecord, BadRules, IllegalChoice
from paddock_games.field import Field, parse
from paddock_games.forfeit import Forfeit, check_faults
from paddock_games.game import FAULTS, Format, Game, Luck, Step
from paddock_games.registry import FORMATS, GAMES

VERSION: Final = "paddock/1"
EPOCH: Final = "1970-01-01T00:00:00.000Z"  # the time of matches that were played without a clock
_MOST_STEPS: Final = 10**6
_SALTED: Final = 2  # the version of fairness in which the commitment has the match's id in it
_STAMP: Final = "0000-00-00T00:00:00.000Z"


class Seated(NamedTuple):
    """The bot in a seat, as a record names it."""

    bot: str
    version: str
    owner: str
    nonce: bytes
    forfeit: bool = False
    forfeited: Forfeit | None = None  # why and when; None also where the record does not say
    nonce_digest: bytes | None = None  # what the seat sent before its nonce was opened
    nonce_late: bool = False  # the nonce did not come in time: zeros were dealt
    cpu_share: float = 0.0  # of a core that the arena gave the bot, at least; 0: none was told

    def written(self) -> dict[str, Any]:
        """The seat in a record."""
        seat: dict[str, Any] = {"bot": self.bot, "version": self.version, "owner": self.owner}
        if self.cpu_share:
            seat["cpu_share"] = self.cpu_share
        seat["nonce"] = self.nonce.hex()
        if self.nonce_digest is not None:
            seat["nonce_digest"] = self.nonce_digest.hex()
        if self.nonce_late:
            seat["nonce_late"] = True
        seat["forfeit"] = self.forfeit
        if self.forfeited is not None:
            reason, step = self.forfeited
            seat.update(forfeit_reason=reason, forfeit_step=step)
        return seat


class Match(NamedTuple):
    """A match as its record describes it, without its games."""

    id: str
    format: str
    rules: Any
    seats: Sequence[Seated]
    seed: bytes
    tournament: str | None = None
    started: str = EPOCH
    ended: str = EPOCH
    clock: Clock | None = None  # None: nobody kept one, or the record does not say
    salted: bool = False  # whether the match's id is part of the commitment

    @property
    def commitment(self) -> str:
        """What binds the referee to the seed."""
        return commitment(self.seed, self.id if self.salted else "")

    @property
    def game(self) -> Game:
        """The game that was played."""
        return GAMES[FORMATS[self.format].game]

    def start(self) -> Any:
        """The state that this match began with."""
        chance = Chance(self.seed, [seated.nonce for seated in self.seats])
        return self.game.start(self.format, len(self.seats), self.rules, chance)

    @property
    def forfeited(self) -> frozenset[int]:
        """The seats that forfeited."""
        return frozenset(seat for seat, seated in enumerate(self.seats) if seated.forfeit)


def write_record(match: Match, steps: Sequence[Step], end: Any) -> dict[str, Any]:
    """The record of a match that was played to its end."""
    result = end.result()
    clock = {} if match.clock is None else {"clock": match.clock._asdict()}
    return {
        "record": VERSION,
        "match": match.id,
        "tournament": match.tournament,
        "game": match.game.name,
        "format": match.format,
        "rules": match.rules._asdict(),
        **_written_version(match.rules.version),
        "started": match.started,
        "ended": match.ended,
        **clock,
        "seats": [seated.written() for seated in match.seats],
        "fairness": _written_fairness(match),
        "games": match.game.games(steps, end),
        "totals": list(result.totals),
        "ranks": list(result.ranks(match.forfeited)),
    }


def _written_fairness(match: Match) -> dict[str, Any]:
    fairness: dict[str, Any] = {"commitment": match.commitment, "seed": match.seed.hex()}
    if match.salted:
        fairness["version"] = _SALTED
    return fairness


def _written_version(version: int) -> dict[str, int]:
    """The key for the version of the rules, which records of the first version do not have."""
    return {"rules_version": version} if version > 1 else {}


def read_record(line: str | bytes) -> Field:
    """The record that a line of JSON holds, not yet checked."""
    record = parse(line, "", BadRecord)
    if not isinstance(record.value, dict):
        raise BadRecord("", "the line is not a match record: it must be a JSON object")
    return record


def read_match(record: Field) -> Match:
    """All of a record but its games, checked as far as it can be without playing."""
    record.key("record").text((VERSION,))
    game = GAMES[record.key("game").text(tuple(GAMES))]
    form = game.formats[record.key("format").text(tuple(game.formats))]
    seats = [_read_seat(field) for field in record.key("seats").items(*form.seats)]
    fairness = record.key("fairness")
    version = fairness.optional("version")
    tournament, clock = record.key("tournament"), record.optional("clock")
    match = Match(
        id=record.key("match").text(),
        format=form.name,
        rules=_read_rules(record, form, len(seats)),
        seats=seats,
        seed=fairness.key("seed").bytes(SEED_BYTES),
        tournament=None if tournament.value is None else tournament.text(),
        started=_read_stamp(record.key("started")),
        ended=_read_stamp(record.key("ended")),
        clock=None if clock is None else Clock.read(clock),
        salted=version is not None and version.whole(1, _SALTED) == _SALTED,
    )
    fairness.key("commitment").must_equal(match.commitment)
    return match


def _read_seat(field: Field) -> Seated:
    digest, late = field.optional("nonce_digest"), field.optional("nonce_late")
    share = field.optional("cpu_share")
    seated = Seated(
        bot=field.key("bot").text(),
        version=field.key("version").text(),
        owner=field.key("owner").text(),
        nonce=field.key("nonce").bytes(NONCE_BYTES),
        forfeit=field.key("forfeit").flag(),
        forfeited=_read_forfeit(field),
        nonce_digest=None if digest is None else digest.bytes(DIGEST_BYTES),
        nonce_late=late is not None and late.flag(),
        cpu_share=0.0 if share is None else share.number(),
    )
    if share is not None and not 0 < seated.cpu_share <= 1:
        share.refuse("must be above 0 and at most 1")
    if seated.nonce_late and seated.nonce != NO_NONCE:
        field.key("nonce").refuse("must be zeros, because it was late")
    if digest is not None and not seated.nonce_late:
        digest.must_equal(digest_of(seated.nonce).hex())
    return seated


def _read_forfeit(field: Field) -> Forfeit | None:
    reason, step = field.optional("forfeit_reason"), field.optional("forfeit_step")
    if reason is None or step is None:
        return None
    return Forfeit(reason.text(FAULTS), step.whole(0, _MOST_STEPS))


def _read_rules(record: Field, form: Format, seats: int) -> Any:
    game = GAMES[form.game]
    field, stated = record.key("rules"), record.optional("rules_version")
    version = 1 if stated is None else stated.whole(1, game.rules_version)
    if not isinstance(field.value, Mapping):
        field.refuse("must be an object with every option of the game")
    try:
        rules = game.rules_of_version(field.value, version, field.where)
        game.check(form.name, seats, rules)
    except BadRules as problem:
        raise BadRecord(problem.where, problem.sentence) from None
    for option in rules._asdict():
        field.key(option)
    return rules


def _read_stamp(field: Field) -> str:
    stamp = field.text()
    if ["0" if c.isdecimal() and c.isascii() else c for c in stamp] != list(_STAMP):
        field.refuse("must be a time in UTC such as 2026-11-15T12:00:00.000Z")
    return stamp


class PlayedMatch(NamedTuple):
    """A match that was played to its end: everything that its record is written from."""

    match: Match
    steps: Sequence[Step]
    end: Any  # the last state, as the game has it

    @property
    def totals(self) -> tuple[int, ...]:
        """The points, by seat."""
        totals: tuple[int, ...] = self.end.result().totals
        return totals

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks, by seat; who forfeited ranks below all others."""
        ranks: tuple[int, ...] = self.end.result().ranks(self.match.forfeited)
        return ranks

    @property
    def luck(self) -> tuple[Luck, ...]:
        """What chance gave each seat, in points."""
        return self.match.game.luck(self.steps)


def replay(record: Field) -> PlayedMatch:
    """The match of a record, if its seed, deal, die and every choice are right."""
    match = read_match(record)
    game, games, state = match.game, record.key("games"), match.start()
    games.must_equal(game.dealt(state))
    steps = []
    while state.to_move:
        step = game.recorded(games, state)
        try:
            state = state.step(step.choices)
        except IllegalChoice as problem:
            raise BadRecord(game.place(state), str(problem)) from None
        steps.append(step)
    return PlayedMatch(match, steps, state)


def verify(record: Field) -> PlayedMatch:
    """The match of a record, if points, faults, fallbacks and ranks are right, and all that
    `replay` checks."""
    match, steps, end = replayed = replay(record)
    for step in steps:
        _check_fallbacks(step, match.game.place(step.state))
    record.key("games").must_equal(match.game.games(steps, end))
    check_faults(record.key("seats"), steps, match.game, match.clock)
    result = end.result()
    record.key("totals").must_equal(list(result.totals))
    record.key("ranks").must_equal(list(result.ranks(match.forfeited)))
    return replayed


def _check_fallbacks(step: Step, where: str) -> None:
    for seat, timing in step.timings.items():
        if timing.fallback is None:
            continue
        choice, default = step.choices[seat], step.state.default(seat)
        if choice != default:
            raise BadRecord(
                where,
                f"seat {seat}: a fallback must be the default choice, {default}, not {choice}",
            )
