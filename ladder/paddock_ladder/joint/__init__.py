"""Joint ratings: all strengths of a ladder at once. Only this package uses numpy.

posterior = joint(matches, parameters).posterior    # mu and covariance of all bots
posterior.places()                                  # "3rd, 90 %: 2-5", from draws
posterior.superiority()                             # who is better than whom, and how surely
fit_prior(matches, parameters).applied(parameters)  # how far apart the bots of a format lie
points_table(scored).lines()                        # a second table, by points
"""

from paddock_ladder.joint.points import PointsLine, PointsTable, Scored, points_table
from paddock_ladder.joint.posterior import Posterior
from paddock_ladder.joint.prior import Prior, fit_prior, spread_of
from paddock_ladder.joint.propagation import Joint, joint

__all__ = [
    "Joint",
    "PointsLine",
    "PointsTable",
    "Posterior",
    "Prior",
    "Scored",
    "fit_prior",
    "joint",
    "points_table",
    "spread_of",
]
