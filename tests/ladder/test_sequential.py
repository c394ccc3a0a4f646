"""The sequential test is wrong as seldom as it says, on differences such as games give."""

from math import exp, isfinite, lgamma, log, sqrt
from random import Random
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddock_ladder.sequential import (
    Decision,
    Forfeits,
    SequentialTest,
    Verdict,
    log_likelihood_ratio,
)

# Points differences of a block of four: quarters, many of them 0, a long tail to one side.
SHAPE = [-9, -6, -5, -4, -3.25, -2.5, -2, -1.5, -1, -0.5, -0.25, 0, 0, 0, 0, 0.25, 0.5]
SHAPE += [1, 1.25, 2, 2.75, 4, 7, 14.25]
CENTRE, DEVIATION = fmean(SHAPE), pstdev(SHAPE)


def run(test: SequentialTest, effect: float, seed: int) -> Verdict:
    """A comparison of two bots whose differences have this effect, to its end."""
    rng = Random(f"{test} {effect} {seed}")
    verdict = test.verdict()
    while verdict.decision is Decision.OPEN:
        verdict = verdict.after(rng.choice(SHAPE) - CENTRE + effect * DEVIATION)
    return verdict


@pytest.mark.parametrize(
    ("test", "runs"),
    [(SequentialTest(0.25, 0.05, 0.05), 600), (SequentialTest(0.5, 0.05, 0.1), 1000)],
)
def test_error_rates_are_kept(test: SequentialTest, runs: int) -> None:
    """Three standard deviations of a binomial above the promise would be a broken promise."""
    wrong_accepted = sum(run(test, 0, s).decision is Decision.ACCEPTED for s in range(runs))
    wrong_rejected = sum(
        run(test, test.effect, s).decision is Decision.REJECTED for s in range(runs)
    )
    for wrong, rate in ((wrong_accepted, test.alpha), (wrong_rejected, test.beta)):
        assert wrong / runs <= rate + 3 * sqrt(rate * (1 - rate) / runs)
        assert wrong > 0  # a test that is never wrong takes too long


def test_worse_and_much_better_are_told_sooner() -> None:
    test = SequentialTest(0.25)
    lengths = {}
    for effect, right in ((-0.25, Decision.REJECTED), (0.75, Decision.ACCEPTED)):
        verdicts = [run(test, effect, seed) for seed in range(60)]
        assert all(verdict.decision is right for verdict in verdicts)
        lengths[effect] = fmean(verdict.blocks for verdict in verdicts)
    between = fmean(run(test, 0.125, seed).blocks for seed in range(60))
    assert max(lengths.values()) < between / 2


def naive(blocks: int, total: float, squares: float, effect: float) -> float:
    """The same ratio by the series of the noncentral t, where it does not cancel (total > 0)."""
    c = effect * total / sqrt(squares)
    terms = [
        log(c) * j + j / 2 * log(2) - lgamma(j + 1) + lgamma((blocks + j) / 2) - lgamma(blocks / 2)
        for j in range(400)
    ]
    top = max(terms)
    return top + log(sum(exp(term - top) for term in terms)) - blocks * effect**2 / 2


@given(
    st.lists(st.integers(-20, 30), min_size=2, max_size=60).filter(lambda xs: sum(xs) > 0),
    st.floats(0.05, 1.0),
)
def test_the_ratio_is_that_of_the_noncentral_t(xs: list[int], effect: float) -> None:
    sums = len(xs), float(sum(xs)), float(sum(x * x for x in xs))
    ours = log_likelihood_ratio(*sums, effect)
    assert ours == pytest.approx(naive(*sums, effect), abs=1e-5)


@given(
    st.lists(st.integers(-(10**8), 10**8).map(lambda x: x / 100), max_size=80),
    st.floats(1e-3, 1e3),
)
def test_units_do_not_matter_and_nothing_breaks(xs: list[float], unit: float) -> None:
    test = SequentialTest()
    one, other = test.verdict(xs), test.verdict([x * unit for x in xs])
    for name in ("better", "short"):
        assert isfinite(getattr(one, name))
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-3)


def test_equal_bots_are_rejected_and_not_for_ever_open() -> None:
    test = SequentialTest()
    assert test.verdict([0.0] * 159).decision is Decision.OPEN
    verdict = test.verdict([0.0] * 500)  # after 2 ln(11) / (0.2^2 - 0.1^2) blocks
    assert (verdict.decision, verdict.blocks) == (Decision.REJECTED, 160)


def test_a_decision_stays() -> None:
    test = SequentialTest(0.5)
    verdict = test.verdict([3.0, 2.0] * 20)
    assert verdict.decision is Decision.ACCEPTED
    assert verdict.blocks < 40
    assert verdict.after(-1000.0) is verdict


def test_a_verdict_can_be_read() -> None:
    verdict = SequentialTest().verdict([1.0, 2.0, 3.0, 6.0])
    assert verdict.decision is Decision.OPEN
    assert verdict.bounds == pytest.approx((log(11), log(11)))
    assert verdict.estimate.mean == 3.0
    assert verdict.deviation == pytest.approx(sqrt(14 / 3))
    low, high = verdict.estimate.interval(0.95) or (0.0, 0.0)
    assert (low, high) == pytest.approx((3 - 3.4375, 3 + 3.4375), abs=0.01)
    assert SequentialTest().verdict().estimate.interval() is None
    assert SequentialTest().verdict().anytime_interval() is None
    wide = verdict.anytime_interval() or (0.0, 0.0)
    assert wide[0] < low < high < wide[1]


def test_points_do_not_make_up_for_forfeits() -> None:
    verdict = SequentialTest(0.5).verdict([3.0, 2.0] * 20)
    forfeiting = verdict._replace(forfeits=Forfeits(new=2, old=1))
    assert forfeiting.decision is Decision.FORFEITS
    assert forfeiting.after(100.0) is forfeiting  # it is decided
    assert verdict._replace(forfeits=Forfeits(new=1, old=1)).decision is Decision.ACCEPTED


def test_the_anytime_interval_holds_however_often_one_looks() -> None:
    missed = 0
    for seed in range(300):
        rng = Random(f"anytime {seed}")
        verdict = SequentialTest(effect=5.0, alpha=1e-6, beta=1e-6).verdict()
        outside = False
        for _ in range(120):
            verdict = verdict._replace(better=0.0, short=0.0).after(rng.choice(SHAPE) - CENTRE)
            low, high = verdict.anytime_interval() or (-1e9, 1e9)
            outside |= verdict.blocks >= 10 and not low <= 0.0 <= high
        missed += outside
    assert missed / 300 <= 0.05 + 3 * sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize(
    ("test", "field"),
    [
        (SequentialTest(effect=0), "effect"),
        (SequentialTest(effect=float("nan")), "effect"),
        (SequentialTest(alpha=0), "alpha"),
        (SequentialTest(beta=0.5), "beta"),
    ],
)
def test_promises_that_mean_nothing_are_refused(test: SequentialTest, field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        test.verdict()
