"""What bots may cost a server: by bot and by owner, in whatever session, with growing waits."""

from hypothesis import given
from hypothesis import strategies as st

from paddock_server.basics.allowance import Allowances, Terms
from paddock_server.lobby.budget import Budget
from paddock_server.lobby.limits import Limits, Policy
from paddock_server.referee.plan import Entrant

LIMITS = Limits()
MOST = LIMITS.useless_items


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 5000.0

    def __call__(self) -> float:
        return self.now


def entrant(bot: str = "rex", owner: str = "ada") -> Entrant:
    return Entrant(bot, "1", owner, sends_nonces=True)


def flood(budget: Budget, bot: Entrant) -> float:
    """Waste until it is too much; the wait."""
    while not (wait := budget.waste(bot)):
        pass
    return wait


@given(spent=st.lists(st.tuples(st.floats(0, 3), st.floats(0.1, 4)), max_size=60))
def test_who_spends_no_more_than_grows_back_never_waits(spent: list[tuple[float, float]]) -> None:
    clock = Clock()
    allowances = Allowances(Terms(10, 1, 1, 60), clock)
    left = 10.0
    for gap, cost in spent:
        clock.now += gap
        left = min(10.0, left + gap) - cost
        wait = allowances.spend("rex", cost)
        if abs(left) > 1e-6:  # what is exactly enough may be so or so in floating point
            assert (wait > 0) is (left < 0)
        if wait:
            assert allowances.wait("rex") == wait == 1.0
            return
        assert allowances.wait("rex") == 0.0


def test_waits_grow_and_are_forgiven() -> None:
    clock = Clock()
    budget = Budget(LIMITS, Policy(flood_seconds=2.0, flood_most_seconds=30.0), clock)
    waits = []
    for _ in range(6):
        waits.append(flood(budget, entrant()))
        clock.now += waits[-1]
    assert waits == [2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    clock.now += 601
    assert flood(budget, entrant()) == 2.0


def test_a_flood_is_remembered_by_the_next_connection() -> None:
    clock = Clock()
    budget = Budget(LIMITS, clock=clock)
    wait = flood(budget, entrant())
    assert budget.connect(entrant(), 0) >= wait
    assert budget.connect(entrant("other", "owner"), 0) == 0.0  # nobody else has to wait
    clock.now += 30
    assert budget.connect(entrant(), 0) == 0.0


def test_connections_cost_more_with_open_matches() -> None:
    for matches, most in ((0, 100), (64, 14)):
        budget = Budget(LIMITS, clock=Clock())
        connected = 0
        while not budget.connect(entrant(), matches):
            connected += 1
        assert connected in (most - 1, most)  # at once; and in the long run ten per second or less


def test_many_bots_of_one_owner_have_one_purse() -> None:
    budget = Budget(LIMITS, clock=Clock())
    for number in range(8):
        for _ in range(MOST):
            assert not budget.waste(entrant(f"bot-{number}"))
    assert budget.waste(entrant("bot-8"))
    assert not budget.waste(entrant("bot-9", "bob"))


def test_all_bots_of_an_owner_may_come_back_at_once_with_all_their_matches() -> None:
    budget = Budget(LIMITS, clock=Clock())
    for number in range(LIMITS.sessions_per_owner):
        assert not budget.connect(entrant(f"bot-{number}"), LIMITS.matches_per_bot)


def test_what_is_forgiven_takes_no_memory() -> None:
    clock = Clock()
    allowances = Allowances(Terms(10, 1, 1, 60), clock)
    assert allowances.spend("flooding", 11)
    for number in range(10_000):
        allowances.spend(number, 1)
        clock.now += 1
    assert len(allowances) < 2_000
