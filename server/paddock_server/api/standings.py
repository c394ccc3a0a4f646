"""Messages of the tables of a tournament."""

from paddock.v1 import tournament_pb2 as pb
from paddock_ladder.schedules.placing import Criterion
from paddock_server.tournaments.report import StandingLine, Standings


def format_table(table: Standings) -> pb.FormatTable:
    """The table of a format."""
    return pb.FormatTable(
        format=table.format,
        criteria=map(criterion, table.criteria),
        rule=table.rule,
        standings=map(standing, table.lines),
        cross=cross(table),
    )


def criterion(source: Criterion) -> pb.Criterion:
    """A criterion that decides places."""
    return pb.Criterion(
        name=source.name,
        title=source.title,
        meaning=source.meaning,
        least_first=source.least_first,
        digits=source.digits,
    )


def standing(line: StandingLine) -> pb.TournamentStanding:
    """A line of a table."""
    return pb.TournamentStanding(
        place=line.placed.place,
        bot=line.placed.bot,
        played=line.played,
        declared=line.declared,
        score=line.score.mean,
        points=line.points.mean if line.points else 0.0,
        error=line.points.error if line.points else None,
        fallbacks=line.fallbacks,
        shared=line.placed.shared,
        deciding=[
            pb.DecidingNumber(value=None if number is None else float(number))
            for number in line.placed.numbers
        ],
    )


def cross(table: Standings) -> list[pb.TournamentCross]:
    """The cross table: the mean difference in points for each pair of bots."""
    return [
        pb.TournamentCross(
            bot=bot, other=other, difference=met.mean, error=met.error, matches=met.matches
        )
        for (bot, other), met in table.cross.items()
    ]
