"""The two tables of a ladder: the standing by the whole history, and the live one."""

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Connection, select, update

from paddock_ladder.joint import Scored, fit_prior, joint, points_table
from paddock_ladder.joint.prior import USUAL, Prior
from paddock_ladder.rating import PROVISIONAL, Rating
from paddock_ladder.row import LadderRow, Totals
from paddock_server.standings import recomputing
from paddock_server.standings.inspecting import calibrate, places_by
from paddock_server.standings.recomputing import Recomputed
from paddock_server.standings.tables import OVERALL, Kind, Ranking, superiority, table
from paddock_server.store import epochs, ratings, standings
from paddock_server.store.database import Database
from paddock_server.store.epochs import constants_of
from paddock_server.store.schema import RATINGS
from tests.store.ladder import FORMAT, Played, played, some_matches
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
    return write(database, done.keep)


def all_ratings(connection: Connection) -> list[dict[str, Any]]:
    """All rows of the table, every version's."""
    query = select(RATINGS).order_by(RATINGS.c.format, RATINGS.c.bot, RATINGS.c.version)
    return [dict(row) for row in connection.execute(query).mappings()]


def strengths(ranking: Ranking) -> dict[str, Rating]:
    """The rating that a table is made by, by bot."""
    return {row.bot: Rating(row.mu, row.sigma) for row in ranking.rows}


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
        places = [(row.bot, row.rank, row.best, row.worst) for row in found.rows]
        assert places == wanted.places()
        mus = {row.bot: row.mu for row in found.rows}
        assert mus == pytest.approx(dict(zip(wanted.bots, wanted.mu.tolist(), strict=True)))
        order = [row.bot for row in found.rows]
        assert mus == dict(sorted(mus.items(), key=lambda one: -one[1]))
        chances = [row.chances for row in read(database, superiority, FORMAT, 10)]
        assert np.allclose(chances, wanted.of(order).superiority(), atol=1e-4)
        assert np.allclose(np.array(chances) + np.array(chances).T, 1.0)
        assert len(read(database, superiority, FORMAT, 2)) == 2
        now_live = read(database, table, FORMAT, Kind.LIVE)
        unknown = [row._replace(whole_mu=None, whole_sigma=None) for row in now_live.rows]
        assert unknown == live.rows
        whole = {row.bot: (row.whole_mu, row.whole_sigma) for row in now_live.rows}
        assert whole == strengths(found)


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


def test_a_pair_that_plays_an_honest_match_after_each_thrown_one_gains_little_either(
    tmp_path: Path,
) -> None:
    """The live table remembers three matches, of which two look honest; the standing a hundred."""
    rng = Random(1)
    others = ["cleo", "dan", "eve", "fay"]
    thrown = Played(("ada", "bob"), (1, 2), ("1", "1"))

    def honest(bots: Sequence[str]) -> list[Played]:
        pairs = zip(bots[::2], bots[1::2], strict=True)
        return [Played(pair, rng.choice([(1, 2), (2, 1)]), ("1", "1")) for pair in pairs]

    matches = [m for _ in range(20) for m in honest(rng.sample(["ada", "bob", *others], 6))]
    for _ in range(100):
        met = rng.sample(others, 4)
        matches += [*honest(["ada", met[0], "bob", met[1], *met[2:]]), thrown]
    with opened(tmp_path / "paddock.db") as database:
        played(database, *matches)
        parts = read(database, recomputing.read_history, FORMAT).parts
        found = {each.bot: each.rating.mu for each in recomputed(database).standing.strengths}
    late = list(zip(matches, parts, strict=True))[-100:]
    assert fmean(part for match, part in late if match == thrown) < 0.1
    assert fmean(part for match, part in late if match != thrown) > 0.7
    spread = Prior(USUAL, 6, fitted=False).spreading(constants_of(FORMAT))
    fed, true = (
        dict(zip(posterior.bots, posterior.mu.tolist(), strict=True))
        for posterior in (
            joint([(m.bots, m.ranks) for m in matches], spread).posterior,
            joint([(m.bots, m.ranks) for m in matches if m != thrown], spread).posterior,
        )
    )
    assert fed["ada"] - true["ada"] > 2  # if all of it counted
    assert found["ada"] - true["ada"] < 1


def test_where_only_two_owners_play_every_match_counts(tmp_path: Path) -> None:
    with opened(tmp_path / "paddock.db") as database:
        played(database, *[Played(("ada", "bob"), (1, 2), ("1", "1"))] * 10)
        assert read(database, recomputing.read_history, FORMAT).parts == [1.0] * 10
        played(database, Played(("ada", "cleo"), (1, 2), ("1", "1")))
        parts = read(database, recomputing.read_history, FORMAT).parts
        assert parts[0] == parts[-1] == 1
        assert parts[1] < 0.1
        assert max(parts[1:-1]) < 0.5  # it grows as wins become what ratings expect


def test_the_table_by_points_is_that_of_all_points(place: str) -> None:
    matches = some(BOTS, 8)
    with opened(place) as database:
        played(database, *matches)
        recomputed(database)
        found = read(database, table, FORMAT, Kind.POINTS)
        assert found.kind is Kind.POINTS
        wanted = points_table([Scored(m.bots, m.totals) for m in matches]).lines()
        shown = [(row.rank, row.bot) for row in found.rows]
        assert shown == [(line.rank, line.bot) for line in wanted]
        for row, line in zip(found.rows, wanted, strict=True):
            assert (row.mu, row.sigma) == pytest.approx((line.points, line.error))
        assert sum(row.mu for row in found.rows) == pytest.approx(0, abs=1e-6)


def test_the_standing_stays_while_the_live_table_moves(place: str) -> None:
    with opened(place) as database:
        played(database, *some(BOTS, 8))
        recomputed(database)
        before = read(database, table, FORMAT)
        played(database, *[Played(("dan", "ada"), (1, 2), ("1", "1"))] * 3)
        after = read(database, table, FORMAT)
        for one, other in zip(before.rows, after.rows, strict=True):
            assert one[: LadderRow._fields.index("bot")] == other[: LadderRow._fields.index("bot")]
            assert (one.bot, one.whole_mu) == (other.bot, other.whole_mu)
        assert after.computed is not None
        assert after.computed.newer == 3


def test_a_place_needs_matches_of_the_version_that_played_last(place: str) -> None:
    late = Played(("ada", "eve"), (2, 1), ("1", "1"))
    newer = Played(("ada", "bob"), (1, 2), ("2", "1"))
    with opened(place) as database:
        played(database, *some(BOTS, 8), *[late] * (PROVISIONAL - 1))
        recomputed(database)
        rows = {row.bot: row for row in read(database, table, FORMAT).rows}
        assert [bot for bot, row in rows.items() if row.rank is None] == ["eve"]
        assert list(rows)[-1] == "eve"  # below, though she won all her matches
        assert rows["eve"].provisional
        played(database, late, newer)
        rows = {row.bot: row for row in read(database, table, FORMAT).rows}
        assert {bot for bot, row in rows.items() if row.rank is None} == {"ada", "eve"}
        assert rows["ada"].whole_mu is None  # this version came after it was computed
        recomputed(database)
        rows = {row.bot: row for row in read(database, table, FORMAT).rows}
        assert next(iter(rows)) == "eve"
        assert [row.rank for row in rows.values() if row.rank] == [1, 2, 3, 4]
        assert rows["ada"].whole_mu is not None
        assert rows["ada"].version == "2"


def test_a_version_that_comes_back_has_to_earn_its_place_again(place: str) -> None:
    def duels(version: str, ranks: tuple[int, int], count: int) -> list[Played]:
        return [Played(("ada", "bob"), ranks, (version, "odd\nname"))] * count

    with opened(place) as database:
        lucky = [*duels("1", (1, 2), PROVISIONAL), *duels("2", (2, 1), PROVISIONAL)]
        played(database, *lucky, *duels("1", (2, 1), PROVISIONAL - 1))
        recomputed(database)
        rows = {row.bot: row for row in read(database, table, FORMAT).rows}
        assert rows["ada"].version == "1"
        assert rows["ada"].rank is None
        assert rows["bob"].version == "odd\nname"
        assert rows["bob"].rank is not None
        assert rows["ada"].mu < rows["bob"].mu  # first luck is forgotten
        played(database, *duels("1", (2, 1), 1))
        recomputed(database)
        assert [row.bot for row in read(database, table, FORMAT).rows] == ["bob", "ada"]


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
        one = strengths(read(database, table, FORMAT))
        overall = strengths(found)
        assert overall["dan"] == one["dan"]
        assert overall["ada"] != one["ada"]
        assert overall != strengths(live)


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
        assert read(database, table, FORMAT).rows == []


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
        rated = strengths(after)
        assert rated != strengths(before)
        history = read(database, ratings.history, "bot00", FORMAT, None, 1)
        assert history[0].rating == rated["bot00"]
        assert not recomputed(database, fit=True).begins  # nothing has changed since
        again = recomputed(database)
        assert (again.begins, again.epoch) == (False, done.epoch)  # the fit stays
        assert again.standing.strengths == done.standing.strengths


@pytest.mark.parametrize("seed", [1, 2])
def test_recomputing_adds_up_the_totals_to_what_the_matches_made_them(
    place: str, seed: int
) -> None:
    """Exactly, versions that come and go included; ratings stay as they are."""
    with opened(place) as database:
        numbers = played(database, *some_matches(30, seed), *some_matches(8, seed))
        write(database, ratings.void, numbers[3], "a power cut")
        before = read(database, all_ratings)
        assert len({row["version"] for row in before if row["bot"] == "ada"}) > 2
        nothing = dict.fromkeys(Totals._fields, 0)
        write(database, lambda connection: connection.execute(update(RATINGS).values(nothing)))
        assert read(database, all_ratings) != before
        assert not recomputed(database).begins
        assert read(database, all_ratings) == before


def test_the_calibration_is_computed_and_kept_with_the_standing(place: str) -> None:
    with opened(place) as database:
        recomputed(database)
        empty = read(database, standings.find, FORMAT)
        assert empty is not None
        assert empty.calibration is None  # nothing was predicted yet
        played(database, *some(BOTS, 8), Played(BOTS[:2], (1, 1), ("1", "1")))
        recomputed(database)
        kept = read(database, standings.find, FORMAT)
        assert kept is not None
        assert kept.calibration == read(database, calibrate, FORMAT, 0)
        assert kept.calibration is not None
        assert (kept.calibration.matches, kept.calibration.predictions) == (49, 48)
        material = read(database, recomputing.read_material, FORMAT)
        assert recomputing.standing_of(material).calibration == kept.calibration


def test_coverage_is_of_the_intervals_that_the_standing_shows(place: str) -> None:
    """Without drawing, they are the standing's own: fitted, by the latest versions, with doubt."""
    bots = [f"bot{number:02}" for number in range(20)]
    earlier = [match._replace(versions=("0", "0")) for match in some(bots[:8], 4)]
    feeding = [Played(("bot00", "bot19"), (2, 1), ("1", "1"))] * 12
    with opened(place) as database:
        played(database, *earlier, *some(bots, 2), *feeding)
        standing = recomputed(database).standing
        history = read(database, recomputing.read_history, FORMAT)
        assert min(history.parts) < 0.5
        shown = [each.place for each in standing.strengths if each.place]
        constants = read(database, epochs.parameters_of, FORMAT)
        matches = range(len(history.played))
        places = places_by(history, constants, matches)
        by_bot = [one._replace(bot=recomputing.bot_and_version(one.bot)[0]) for one in places]
        assert by_bot == shown
        assert len(shown) == 20  # though earlier versions have played often enough, too
        calibration = read(database, calibrate, FORMAT, 1)
        assert calibration is not None
        drawn = Random("coverage 0").choices(matches, k=len(matches))
        ranks = {one.bot: one.rank for one in places}
        tried = places_by(history, constants, drawn)
        held = [one.best <= ranks[one.bot] <= one.worst for one in tried]
        widths = [one.worst - one.best + 1 for one in tried]
        assert calibration.coverage == (fmean(held), fmean(widths))


def test_a_new_epoch_is_calibrated_by_its_own_ratings(place: str) -> None:
    bots = [f"bot{number:02}" for number in range(20)]
    with opened(place) as database:
        played(database, *some(bots, 1))
        before = recomputed(database)
        first = read(database, standings.find, FORMAT)
        done = recomputed(database, fit=True)
        second = read(database, standings.find, FORMAT)
        assert (before.begins, done.begins) == (False, True)
        assert first is not None
        assert second is not None
        assert second.calibration == read(database, calibrate, FORMAT, 0)
        assert second.calibration != first.calibration


def test_with_few_bots_the_usual_ratio_is_taken(place: str) -> None:
    with opened(place) as database:
        played(database, *some(BOTS, 2))
        done = recomputed(database, fit=True)
        assert done.epoch.parameters.beta == pytest.approx(25 / 3 / 1.33)
        assert "a fit needs 20 bots and there are 4" in done.epoch.text


def test_versions_of_a_bot_are_one_bot_to_a_fit(place: str) -> None:
    versions = [str(number) for number in range(6)]
    matches = [match._replace(versions=(v, v)) for v in versions for match in some(BOTS, 2)]
    with opened(place) as database:
        played(database, *matches)
        history = read(database, recomputing.read_history, FORMAT)
        assert len({name for names, _ in history.played for name in names}) == 24
        done = recomputed(database, fit=True)
        assert done.epoch.parameters.beta == pytest.approx(25 / 3 / 1.33)
        assert "a fit needs 20 bots and there are 4" in done.epoch.text
        history = read(database, recomputing.read_history, FORMAT)  # surprises of the new epoch
        usual = joint(
            history.played, Prior(USUAL, 4, fitted=False).spreading(done.epoch.parameters),
            parts=history.parts,
        ).posterior  # fmt: skip
        mus = usual.of(history.latest).mu.tolist()
        assert sorted(row.mu for row in read(database, table, FORMAT).rows) == sorted(mus)


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
