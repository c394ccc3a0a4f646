"""The joint posterior: one match is its update; in no order, at rest, as sure as it says."""

import ast
import math
from functools import partial
from pathlib import Path
from random import Random
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddock_ladder
from paddock_ladder import truncation
from paddock_ladder.history import rate_history
from paddock_ladder.joint import Posterior, fit_prior, joint, propagation
from paddock_ladder.joint.posterior import DRAWS
from paddock_ladder.joint.prior import USUAL
from paddock_ladder.joint.tails import mills, tie, win
from paddock_ladder.quality import quality
from paddock_ladder.rating import SIGMA, BadRating, Parameters, Rating
from paddock_ladder.update import rate
from tests.ladder.reference import PARAMETERS, apart
from tests.ladder.simulated import by_lot, by_pair, ladder
from tests.ladder.test_history import Played, histories, played_by_model

STEADY = Parameters(draw_probability=0.05, tau=0.0)
FEW_DRAWS = Parameters(draw_probability=0.02)


def test_only_the_joint_posterior_imports_numpy() -> None:
    home = Path(paddock_ladder.__file__).parent
    for path in home.rglob("*.py"):
        if path.parent.name != "joint":
            for node in ast.walk(ast.parse(path.read_text())):
                names = [alias.name for alias in getattr(node, "names", [])]
                names.append(getattr(node, "module", None) or "")
                assert not any(name.startswith("numpy") for name in names), path


def test_tails_are_those_of_single_numbers() -> None:
    t = np.linspace(-40, 40, 1601)
    for e in (0.0, 1e-3, 0.3, 2.0, 20.0):
        # Where a tie is a matter of the last digits, single numbers have five of them.
        for ours, theirs, digits in ((win, truncation.win, 1e-9), (tie, truncation.tie, 1e-5)):
            if e or ours is win:
                v, w = ours(t, np.full_like(t, e))
                wanted = np.array([theirs(one, e) for one in t.tolist()])
                assert np.max(np.abs(v - wanted[:, 0]) / (1 + np.abs(wanted[:, 0]))) < digits
                assert np.max(np.abs(w - wanted[:, 1])) < digits
    far = np.array([1e3, 1e6, 1e9])
    assert np.allclose(mills(far) * far, 1.0, rtol=1e-5)


@pytest.mark.parametrize(
    "ranks", [[1, 2], [1, 1], [3, 1, 2], [1, 2, 2, 4], [1, 1, 1], [1, 1, 3, 3, 3, 6]]
)
def test_one_match_is_its_update(ranks: list[int]) -> None:
    bots = [f"bot{number}" for number in range(len(ranks))]
    found = joint([(bots, ranks)], STEADY, still=1e-8).posterior.ratings()
    wanted = rate([STEADY.first] * len(ranks), ranks, STEADY)
    assert apart([found[bot] for bot in bots], wanted) < 1e-3


def test_a_part_of_a_match_counts_as_a_part() -> None:
    _, played = played_by_model(Random(5), 8, 60)
    rng = Random(6)
    parts = [rng.choice((0.0, 0.25, 1.0)) for _ in played]
    found = joint(played, STEADY, parts=parts).posterior
    both = list(zip(played, parts, strict=True))
    rng.shuffle(both)
    shuffled = joint([one for one, _ in both], STEADY, parts=[part for _, part in both]).posterior
    assert shuffled.mu.tolist() == found.mu.tolist()  # in no order, to the last bit
    assert shuffled.covariance.tolist() == found.covariance.tolist()
    whole = joint(played, STEADY, parts=[1.0] * len(played)).posterior
    assert whole.mu.tolist() == joint(played, STEADY).posterior.mu.tolist()
    assert (whole.error < found.error).all()
    half = joint([*played, *played], STEADY, parts=[0.5] * 2 * len(played)).posterior
    assert np.allclose(half.mu, whole.mu, atol=0.05)
    assert np.allclose(half.error, whole.error, rtol=0.02)


def test_what_counts_for_nothing_says_nothing() -> None:
    silent = joint([(["ada", "bob"], [1, 2])], STEADY, parts=[0.0]).posterior
    assert apart(list(silent.ratings().values()), [STEADY.first] * 2) < 1e-9
    with pytest.raises(ValueError, match="zip"):
        joint([(["ada", "bob"], [1, 2])], STEADY, parts=[])


def test_two_bots_are_known_exactly() -> None:
    """Of a win alone the posterior of the difference is a normal cut off: its moments are known."""
    posterior = joint([(["ada", "bob"], [1, 2])], STEADY, still=1e-9).posterior
    width = math.sqrt(2 * (STEADY.sigma**2 + STEADY.beta**2))
    v, w = truncation.win(0.0, STEADY.margin / width)
    part = STEADY.sigma**2 / width
    assert math.isclose(posterior.mu[0], 25 + part * v, rel_tol=1e-7)
    assert math.isclose(posterior.covariance[0, 0], STEADY.sigma**2 - part**2 * w, rel_tol=1e-7)
    assert math.isclose(posterior.covariance[0, 1], part**2 * w, rel_tol=1e-7)


def test_it_agrees_with_the_whole_history_about_strengths() -> None:
    _, played = played_by_model(Random(3), 20, 600)
    found, wanted = joint(played, STEADY).posterior, rate_history(played, STEADY)
    for bot, mu in zip(found.bots, found.mu, strict=True):
        assert abs(mu - wanted[bot].mu) < 0.25 * wanted[bot].sigma


def test_no_order_of_matches_or_seats_changes_a_bit() -> None:
    rng = Random(5)
    _, played = played_by_model(rng, 12, 300)
    found = joint(played, PARAMETERS)
    shuffled = []
    for bots, ranks in rng.sample(played, len(played)):
        seats = rng.sample(range(len(bots)), len(bots))
        shuffled.append(([bots[seat] for seat in seats], [ranks[seat] for seat in seats]))
    again = joint(iter(shuffled), PARAMETERS)
    assert (again.posterior.mu == found.posterior.mu).all()
    assert (again.posterior.covariance == found.posterior.covariance).all()
    assert again.posterior.places() == found.posterior.places()


def test_names_mean_nothing() -> None:
    _, played = played_by_model(Random(7), 9, 120)
    found = joint(played, PARAMETERS, still=1e-6).posterior.ratings()
    turned = {f"bot{number}": f"bot{8 - number}" for number in range(9)}
    renamed = [([turned[bot] for bot in bots], ranks) for bots, ranks in played]
    again = joint(renamed, PARAMETERS, still=1e-6).posterior.ratings()
    for bot, other in turned.items():
        assert apart([found[bot]], [again[other]]) < 1e-4


@settings(max_examples=60, deadline=None)
@given(histories(), st.sampled_from([0.0, 0.02, 0.3, 0.9]), st.sampled_from([0.5, 2.0, 5.0]))
def test_every_history_comes_to_rest(played: list[Played], draws: float, ratio: float) -> None:
    parameters = Parameters(draw_probability=draws, beta=SIGMA / ratio)
    posterior = joint(played, parameters).posterior
    assert np.isfinite(posterior.mu).all()
    assert (posterior.sigma <= parameters.sigma * (1 + 1e-9)).all()
    assert (posterior.error <= posterior.sigma * 1.5).all()
    np.linalg.cholesky(posterior.covariance)  # it is one: positive in every direction
    for interval in posterior.places():
        assert 1 <= interval.best <= interval.worst <= len(posterior.bots)


def test_more_matches_start_where_the_earlier_ended() -> None:
    _, played = played_by_model(Random(8), 30, 3000)
    earlier = joint(played[:2950], PARAMETERS)
    newcomer = [(["bot0", "newcomer"], [2, 1]), (["bot1", "a-newcomer", "bot2"], [1, 2, 2])]
    scratch = joint([*played, *newcomer], PARAMETERS, still=1e-6)
    warm = joint([*played, *newcomer], PARAMETERS, earlier, still=1e-6)
    assert warm.sweeps < scratch.sweeps
    assert np.allclose(warm.posterior.mu, scratch.posterior.mu, atol=1e-4)
    assert np.allclose(warm.posterior.covariance, scratch.posterior.covariance, atol=1e-4)
    fewer = joint(played[:2000], PARAMETERS, earlier, still=1e-6)  # matches were voided
    assert np.allclose(fewer.posterior.mu, joint(played[:2000], PARAMETERS).posterior.mu, atol=0.01)


def test_nothing_was_played() -> None:
    posterior = joint([], PARAMETERS).posterior
    assert posterior.bots == ()
    assert posterior.places() == []
    assert posterior.superiority().shape == (0, 0)


def test_what_is_never_reached_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadRating, match="still: 0"):
        joint([], PARAMETERS, still=0)
    _, played = played_by_model(Random(2), 6, 12)
    monkeypatch.setattr(propagation, "_SWEEPS", 3)
    with pytest.raises(BadRating, match="no convergence within"):
        joint(played, PARAMETERS)


# --- what follows from it -----------------------------------------------------------------------


def test_who_is_better_takes_in_how_errors_go_together() -> None:
    covariance = np.array([[4.0, 3.5, 0.0], [3.5, 4.0, 0.0], [0.0, 0.0, 4.0]])
    posterior = Posterior(("ada", "bob", "cyd"), np.array([26.0, 25.0, 25.0]), covariance)
    better = posterior.superiority()
    assert np.allclose(better + better.T, 1.0)
    assert np.allclose(np.diag(better), 0.5)
    assert math.isclose(better[0, 1], NormalDist().cdf(1.0))
    assert math.isclose(better[0, 2], NormalDist().cdf(1 / math.sqrt(8)))
    ada, bob, _ = posterior.places()
    assert (ada.bot, ada.rank) == ("ada", 1)
    assert (bob.best, bob.worst) == (1, 3)
    assert posterior.ratings()["ada"] == Rating(26.0, 2.0)


@pytest.mark.parametrize(("surely", "worst"), [(0.85, 2), (0.93, 1), (0.99, 1)])
def test_a_rank_interval_has_no_rank_that_it_does_not_need(surely: float, worst: int) -> None:
    """Of two bots, where one is better for 93 %, its first rank alone holds 90 %."""
    better = math.sqrt(2) * NormalDist().inv_cdf(surely)
    ada, bob = Posterior(("ada", "bob"), np.array([better, 0.0]), np.eye(2)).places()
    assert ada == ("ada", 1, 1, worst)
    assert bob == ("bob", 2, 3 - worst, 2)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_a_rank_interval_has_the_fewest_ranks_that_hold(level: float) -> None:
    rng = np.random.default_rng(7)
    bots = tuple(f"bot{number}" for number in range(9))
    posterior = Posterior(bots, rng.normal(0, 2, 9), np.diag(rng.uniform(0.1, 3, 9)))
    ranks = 1 + np.argsort(np.argsort(-posterior._draw(DRAWS), axis=1), axis=1)
    for bot, rank, best, worst in posterior.places(level):
        drawn = ranks[:, bots.index(bot)]
        held = {
            (low, high): np.mean((low <= drawn) & (drawn <= high))
            for low in range(1, 10)
            for high in range(low, 10)
        }
        fewest = min(high - low for (low, high), part in held.items() if part >= level)
        most = max(part for (low, high), part in held.items() if high - low == fewest)
        assert held[best, worst] >= most
        assert worst - best == fewest or rank in (best, worst)


def test_a_level_is_between_0_and_1() -> None:
    with pytest.raises(BadRating, match="level: 1"):
        joint([], PARAMETERS).posterior.places(level=1)


@pytest.mark.parametrize("spread", [4.2, 8.3])
@pytest.mark.parametrize("how", ["by lot", "by strength"])
def test_rank_intervals_hold_and_the_spread_is_found(spread: float, how: str) -> None:
    """A small edition of bench/truth.py: 90 % are to hold; 480 bots in all."""
    held = bots = 0
    for seed in range(8):
        worth = partial(quality, parameters=FEW_DRAWS)
        tables = by_lot(4) if how == "by lot" else by_pair(4, worth)
        seeds = f"{spread} {how} {seed}"
        now = ladder(seeds, 60, 20, spread, tables=tables, parameters=FEW_DRAWS)
        prior = fit_prior(now.played, FEW_DRAWS)
        assert prior.fitted
        assert 0.6 < prior.ratio / (spread / FEW_DRAWS.beta) < 1.6
        posterior = joint(now.played, prior.applied(FEW_DRAWS)).posterior
        for bot, _, best, worst in posterior.places():
            held += best <= now.true_rank(bot) <= worst
            bots += 1
    assert 0.86 < held / bots < 0.98


def test_few_bots_have_the_usual_prior() -> None:
    prior = fit_prior([(["ada", "bob"], [1, 2])], PARAMETERS)
    assert prior == (USUAL, 2, False)
    versions = [([f"ada {one}", f"bob {one}"], [1, 2]) for one in range(20)]
    assert fit_prior(versions, PARAMETERS, bots=2) == prior
    assert fit_prior(versions, PARAMETERS).fitted
    applied = prior.applied(PARAMETERS)
    assert applied.sigma == PARAMETERS.sigma
    assert math.isclose(applied.beta, 6.27, abs_tol=0.01)
    assert math.isclose(applied.margin / applied.beta, PARAMETERS.margin / PARAMETERS.beta)
