"""Dino Twist: attack Twist Island, settle your own. The rules, in the order to read them:

material -> rules -> card, event -> choice, hand -> island -> scoring -> setting -> table -> view
-> deal -> resolution -> state; then brains and careful (who plays), record (what is kept) and
position (what people type).
"""

from paddock_games.dino_twist.choice import Choice
from paddock_games.dino_twist.rules import Rules
from paddock_games.dino_twist.state import State
from paddock_games.dino_twist.view import View

__all__ = ["Choice", "Rules", "State", "View"]
