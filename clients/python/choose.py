"""The numbers that the sample bots choose, for asks on stdin: a check across languages.

`match SECRET BASE64` begins a match with its MatchStarted, `ask BASE64` is an Ask of it. For every
ask there is a line with the numbers of random, greedy and careful.
"""

import sys
from base64 import b64decode

from paddock.ask import read_ask
from paddock.bots.careful import CarefulBot
from paddock.bots.greedy import GreedyBot
from paddock.bots.random import RandomBot
from paddock.dice import Dice, match_seed
from paddock.match import Match, read_match
from paddock.v1 import arena_pb2

BOTS = (RandomBot(), GreedyBot(), CarefulBot())


def main() -> None:
    """Answer every line until the input ends."""
    match: Match | None = None
    seed, decisions = b"", 0
    for line in sys.stdin:
        kind, *words = line.split()
        if kind == "match":
            secret, started = words
            match = read_match(arena_pb2.MatchStarted.FromString(b64decode(started)))
            seed, decisions = match_seed(secret.encode(), match.dice, match.seat), 0
        elif match is not None:
            message = arena_pb2.Ask.FromString(b64decode(words[0]))
            ask = read_ask(message, match, Dice(seed, decisions))
            decisions += 1
            numbers = [str(ask.legal.index(bot.choose(ask))) for bot in BOTS]
            sys.stdout.write(" ".join(numbers) + "\n")


if __name__ == "__main__":
    main()
