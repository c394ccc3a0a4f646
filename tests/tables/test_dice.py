"""The seed of the seats' own dice: common in a comparison's block, fresh everywhere else."""

from paddock_server.referee.clock import Clock
from paddock_server.referee.plan import Plan
from paddock_server.tables.opening import dice
from tests.games.tables import match


def test_matches_of_a_deal_share_dice_in_a_comparison_only() -> None:
    one = match("summer", 3)
    sister, other = one._replace(id="sister"), one._replace(seed=bytes(32))
    plan = Plan("summer", one.rules, ("a", "b", "c"), Clock())
    assert len({dice(plan, each) for each in (one, sister, other)}) == 3
    common = plan._replace(common_dice=True)
    assert dice(common, one) == dice(common, sister) != dice(common, other)
    assert len(dice(common, one)) == 16
