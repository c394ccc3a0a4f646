"""The games of Paddock: pure rules on the standard library, quick enough for tree search.

from paddock_games import Chance, game_of

game = game_of("winter")
state = game.start("winter", 4, game.rules("international"), Chance(seed, nonces))
state.legal(0)            # what seat 0 may choose
state.view(0)             # what seat 0 knows
state.step({...})         # the next state; states never change
"""

from paddock_games.chance import Chance, commitment
from paddock_games.errors import BadPosition, BadRecord, BadRules, GamesError, IllegalChoice
from paddock_games.game import Brain, Format, Game, Result, Rules, State, Step, Timing, View
from paddock_games.playing import play
from paddock_games.record import (
    Match,
    PlayedMatch,
    Seated,
    read_record,
    replay,
    verify,
    write_record,
)
from paddock_games.registry import COMPILED, FORMATS, GAMES, format_named, game_of

__all__ = [
    "COMPILED",
    "FORMATS",
    "GAMES",
    "BadPosition",
    "BadRecord",
    "BadRules",
    "Brain",
    "Chance",
    "Format",
    "Game",
    "GamesError",
    "IllegalChoice",
    "Match",
    "PlayedMatch",
    "Result",
    "Rules",
    "Seated",
    "State",
    "Step",
    "Timing",
    "View",
    "commitment",
    "format_named",
    "game_of",
    "play",
    "read_record",
    "replay",
    "verify",
    "write_record",
]
