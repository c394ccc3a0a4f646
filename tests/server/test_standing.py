"""The two tables of a ladder: the standing by the whole history, and the live one."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from paddock_ladder.joint import Scored, fit_prior, joint, points_table
from paddock_ladder.rating import PROVISIONAL
from paddock_server.standings import recomputing
from paddock_server.standings.recomputing import Recomputed
from paddock_server.standings.tables import OVERALL, Kind, superiority, table
from paddock_server.store import epochs, ratings, standings
from paddock_server.store.database import Database
from paddock_server.store.epochs import constants_of
from tests.store.ladder import FORMAT, Played, played
from tests.store.opened import opened, read, write

BOTS = ("ada", "bob", "cleo", "dan")


def some(bots: Sequence[str], rounds: int, seed: int = 1) -> list[Played]:
    """Everybody against everybody; who comes first by the alphabet wins more often."""
    rng = Random(seed)
    found = []
    for _ in range(rounds):
        for pair in combinations(bots, 2):
            ranks = (1, 2) if rng.random() < 0.7 else (2, 1)
            found.append(Played(pair, ranks, ("1", "1")))
    return found


def recomputed(database: Database, format_name: str = FORMAT, *, fit: bool = False) -> Recomputed:
    """The standing as it is kept now."""
    done = read(database, partial(recomputing.recompute, fit=fit), format_name)
    write(database, done.keep)
    return done


def test_before_the_first_standing_the_live_table_is_shown_and_says_so(place: str) -> None:
    with opened(place) as database:
        for name in (FORMAT, OVERALL):
            assert read(database, table, name).kind is Kind.LIVE
        played(database, *some(BOTS, 8))
        for name in (FORMAT, OVERALL):
            found = read(database, table, name)
            assert (found.kind, found.computed) == (Kind.LIVE, None)
            assert found == read(database, table, name, Kind.LIVE)
        assert read(database, superiority, FORMAT, 10) == []


def test_the_standing_is_the_joint_posterior_of_all_matches(place: str) -> None:
    matches = [*some(BOTS, 8), *[Played(("ada", "bob"), (1, 2), ("1", "1"))] * 4]
    with opened(place) as database:
        played(database, *matches)
        live = read(database, table, FORMAT)
        recomputed(database)
        found = read(database, table, FORMAT)
        assert found.kind is Kind.STANDING
        assert found.computed is not None
        assert found.computed[1:] == (len(matches), 0)
        history = [(m.bots, m.ranks) for m in matches]
        parts = read(database, recomputing.read_history, FORMAT).parts
        assert 0 < min(parts) < max(parts) == 1
        prior = fit_prior(history, constants_of(FORMAT), parts)  # how far apart these bots lie
        wanted = joint(history, prior.spreading(constants_of(FORMAT)), parts=parts).posterior
        assert [line.place for line in found.lines] == wanted.places()
        mus = {line.row.bot: line.row.rating.mu for line in found.lines}
        assert mus == pytest.approx(dict(zip(wanted.bots, wanted.mu.tolist(), strict=True)))
        order = [line.row.bot for line in found.lines]
        assert mus == dict(sorted(mus.items(), key=lambda one: -one[1]))
        chances = [row.chances for row in read(database, superiority, FORMAT, 10)]
        assert np.allclose(chances, wanted.of(order).superiority(), atol=1e-4)
        assert np.allclose(np.array(chances) + np.array(chances).T, 1.0)
        assert len(read(database, superiority, FORMAT, 2)) == 2
        now_live = read(database, table, FORMAT, Kind.LIVE)
        assert [line.row for line in now_live.lines] == [line.row for line in live.lines]
        whole = {line.row.bot: line.whole for line in now_live.lines}
        assert whole == {line.row.bot: line.row.rating for line in found.lines}


def test_a_pair_that_throws_matches_gains_little_on_the_standing(tmp_path: Path) -> None:
    rng = Random(4)
    bots = [f"bot{number}" for number in range(6)]
    honest = [
        Played(pair, rng.choice([(1, 2), (2, 1)]), ("1", "1"))
        for _ in range(8)
        for pair in rng.sample(list(combinations(bots, 2)), 15)
    ]
    thrown = [Played(("bot0", "bot1"), (1, 2), ("1", "1"))] * 100
    with opened(tmp_path / "paddock.db") as database:
        played(database, *honest)
        before = recomputed(database).standing
        played(database, *thrown)
        after = recomputed(database).standing
    (first,) = (each.rating.mu for each in before.strengths if each.bot == "bot0")
    (last,) = (each.rating.mu for each in after.strengths if each.bot == "bot0")
    assert 0 < last - first < 1.5
    fed = joint([(m.bots, m.ranks) for m in (*honest, *thrown)], constants_of(FORMAT)).posterior
    assert fed.mu[0] - first > 2.5  # if all of it counted


def test_where_only_two_owners_play_every_match_counts(tmp_path: Path) -> None:
    with opened(tmp_path / "paddock.db") as database:
        played(database, *[Played(("ada", "bob"), (1, 2), ("1", "1"))] * 10)
        assert read(database, recomputing.read_history, FORMAT).parts == [1.0] * 10
        played(database, Played(("ada", "cleo"), (1, 2), ("1", "1")))
        parts = read(database, recomputing.read_history, FORMAT).parts
        assert parts[0] == parts[-1] == 1
        assert max(parts[1:-1]) < 0.1


def test_the_table_by_points_is_that_of_all_points(place: str) -> None:
    matches = some(BOTS, 8)
    with opened(place) as database:
        played(database, *matches)
        recomputed(database)
        found = read(database, table, FORMAT, Kind.POINTS)
        assert found.kind is Kind.POINTS
        wanted = points_table([Scored(m.bots, m.totals) for m in matches]).lines()
        shown = [(line.place, line.row.rating.mu, line.row.rating.sigma) for line in found.lines]
        assert [place and place.rank for place, _, _ in shown] == [line.rank for line in wanted]
        assert [line.row.bot for line in found.lines] == [line.bot for line in wanted]
        for (_, mean, error), line in zip(shown, wanted, strict=True):
            assert (mean, error) == pytest.approx((line.points, line.error))
        assert sum(mean for _, mean, _ in shown) == pytest.approx(0, abs=1e-6)


def test_the_standing_stays_while_the_live_table_moves(place: str) -> None:
    with opened(place) as database:
        played(database, *some(BOTS, 8))
        recomputed(database)
        before = read(database, table, FORMAT)
        played(database, *[Played(("dan", "ada"), (1, 2), ("1", "1"))] * 3)
        after = read(database, table, FORMAT)
        assert [line.place for line in after.lines] == [line.place for line in before.lines]
        assert [line.whole for line in after.lines] == [line.whole for line in before.lines]
        assert after.computed is not None
        assert after.computed.newer == 3


def test_a_place_needs_matches_of_the_version_that_played_last(place: str) -> None:
    late = Played(("ada", "eve"), (2, 1), ("1", "1"))
    newer = Played(("ada", "bob"), (1, 2), ("2", "1"))
    with opened(place) as database:
        played(database, *some(BOTS, 8), *[late] * (PROVISIONAL - 1))
        recomputed(database)
        lines = {line.row.bot: line for line in read(database, table, FORMAT).lines}
        assert [bot for bot, line in lines.items() if line.place is None] == ["eve"]
        assert list(lines)[-1] == "eve"  # below, though she won all her matches
        assert lines["eve"].provisional
        played(database, late, newer)
        lines = {line.row.bot: line for line in read(database, table, FORMAT).lines}
        assert {bot for bot, line in lines.items() if line.place is None} == {"ada", "eve"}
        assert lines["ada"].whole is None  # this version came after it was computed
        recomputed(database)
        lines = {line.row.bot: line for line in read(database, table, FORMAT).lines}
        assert next(iter(lines)) == "eve"
        places = [line.place.rank for line in lines.values() if line.place]
        assert places == [1, 2, 3, 4]
        assert lines["ada"].whole is not None
        assert lines["ada"].row.version == "2"


def test_a_version_that_comes_back_has_to_earn_its_place_again(place: str) -> None:
    def duels(version: str, ranks: tuple[int, int], count: int) -> list[Played]:
        return [Played(("ada", "bob"), ranks, (version, "odd\nname"))] * count

    with opened(place) as database:
        lucky = [*duels("1", (1, 2), PROVISIONAL), *duels("2", (2, 1), PROVISIONAL)]
        played(database, *lucky, *duels("1", (2, 1), PROVISIONAL - 1))
        recomputed(database)
        lines = {line.row.bot: line for line in read(database, table, FORMAT).lines}
        assert lines["ada"].row.version == "1"
        assert lines["ada"].place is None
        assert lines["bob"].row.version == "odd\nname"
        assert lines["bob"].place is not None
        assert lines["ada"].row.rating.mu < lines["bob"].row.rating.mu  # first luck is forgotten
        played(database, *duels("1", (2, 1), 1))
        recomputed(database)
        assert [line.row.bot for line in read(database, table, FORMAT).lines] == ["bob", "ada"]


def test_overall_goes_by_the_standings_there_are(place: str) -> None:
    with opened(place) as database:
        played(database, *some(BOTS, 8))
        played(database, Played(("ada", "bob"), (1, 2), ("1", "1"), "winter"))
        recomputed(database)
        found, live = (read(database, table, OVERALL, k) for k in (Kind.STANDING, Kind.LIVE))
        assert read(database, table, OVERALL, Kind.POINTS) == found  # formats' points don't add up
        assert (found.kind, live.kind) == (Kind.STANDING, Kind.LIVE)
        assert found.computed is not None
        assert found.computed.matches == 48
        one = {line.row.bot: line.row.rating for line in read(database, table, FORMAT).lines}
        overall = {line.row.bot: line.row.rating for line in found.lines}
        assert overall["dan"] == one["dan"]
        assert overall["ada"] != one["ada"]
        assert overall != {line.row.bot: line.row.rating for line in live.lines}


def test_a_voided_match_is_gone_from_the_next_standing(place: str) -> None:
    with opened(place) as database:
        numbers = played(database, *some(BOTS, 6))
        recomputed(database)
        before = read(database, standings.find, FORMAT, covariance=True)
        (extra,) = played(database, Played(("dan", "ada"), (1, 2), ("1", "1")))
        recomputed(database)
        write(database, ratings.void, extra, "a power cut")
        recomputed(database)
        after = read(database, standings.find, FORMAT, covariance=True)
        assert before is not None
        assert after is not None
        assert after.strengths == before.strengths
        assert after.covariance == before.covariance
        for number in numbers:
            write(database, ratings.void, number, "all of them")
        assert recomputed(database).standing.strengths == ()
        assert read(database, table, FORMAT).lines == []


def test_a_fit_begins_an_epoch_once_and_rates_all_again(place: str) -> None:
    bots = [f"bot{number:02}" for number in range(20)]
    with opened(place) as database:
        played(database, *some(bots, 1))
        before = read(database, table, FORMAT, Kind.LIVE)
        dry = read(database, partial(recomputing.recompute, fit=True), FORMAT)
        assert dry.begins
        assert read(database, epochs.current, FORMAT).number == 1
        done = recomputed(database, fit=True)
        assert done.epoch.why == "fitted to 20 bots"
        after = read(database, table, FORMAT, Kind.LIVE)
        assert after.epoch == done.epoch
        assert after.epoch.number == 2
        assert after.epoch.parameters.sigma == constants_of(FORMAT).sigma
        assert after.epoch.parameters.beta > constants_of(FORMAT).beta
        rated = {line.row.bot: line.row.rating for line in after.lines}
        assert rated != {line.row.bot: line.row.rating for line in before.lines}
        history = read(database, ratings.history, "bot00", FORMAT, None, 1)
        assert history[0].rating == rated["bot00"]
        assert not recomputed(database, fit=True).begins  # nothing has changed since
        again = recomputed(database)
        assert (again.begins, again.epoch) == (False, done.epoch)  # the fit stays


def test_with_few_bots_the_usual_ratio_is_taken(place: str) -> None:
    with opened(place) as database:
        played(database, *some(BOTS, 2))
        done = recomputed(database, fit=True)
        assert done.epoch.parameters.beta == pytest.approx(25 / 3 / 1.33)
        assert "a fit needs 20 bots and there are 4" in done.epoch.text


def test_new_constants_of_the_code_are_in_force_when_it_is_recomputed(place: str) -> None:
    with opened(place) as database:
        played(database, *some(BOTS, 2))
        first = read(database, epochs.current, FORMAT)
        old = first.next(epochs.constants_of("dino-twist"), "of an older Paddock", fitted=False)
        write(database, epochs.begin, old)
        assert read(database, epochs.parameters_of, FORMAT) == old.parameters
        done = recomputed(database)
        assert done.begins
        assert done.epoch.number == 3
        assert read(database, epochs.parameters_of, FORMAT) == constants_of(FORMAT)
        assert not recomputed(database).begins
