"""Plans of matches outside tournaments."""

from collections.abc import Sequence

from paddock_games import BadRules, format_named, game_of
from paddock_server.basics.name import HOUSE
from paddock_server.referee.clock import Clock
from paddock_server.referee.house import house_brains
from paddock_server.referee.plan import Plan


def seated_in_turn(
    format_name: str,
    bots: Sequence[str],
    count: int,
    *,
    seats: int | None,
    rules: object,
    clock: Clock,
) -> list[Plan]:
    """The plans of `count` matches; the bots fill the seats in turn and change seats each match.

    Where there are fewer bots than seats, the house bots among them fill the rest. Matches with
    house bots are not rated.
    """
    form = format_named(format_name)
    size = form.usual_seats if seats is None else seats
    rule_options = game_of(format_name).rules(rules)
    game_of(format_name).check(format_name, size, rule_options)
    house = house_brains(format_name, bots)  # refuses unknown house bots
    guests = [bot for bot in bots if not bot.startswith(HOUSE)]
    if len(guests) != len(set(guests)) or (len(guests) == len(bots) and len(bots) < size):
        raise BadRules(
            "bots", f"a bot takes one seat: name {size} different bots, or add {HOUSE}random"
        )
    spare = [bot for bot in bots if bot.startswith(HOUSE)] or [""]
    line = [*bots, *(spare[i % len(spare)] for i in range(size - len(bots)))]
    return [
        Plan(
            format_name,
            rule_options,
            tuple(line[(number + seat) % len(line)] for seat in range(size)),
            clock,
            rated=not house,
        )
        for number in range(count)
    ]
