"""The rules pages of all games, for people who play or watch."""

from typing import Any, NamedTuple

from paddock_games import GAMES, Game
from paddock_server.web.options import OPTIONS, UNDESCRIBED
from paddock_server.web.page import Page
from paddock_server.web.visit import Parameter, Visit


class RulesFormat(NamedTuple):
    """A format of a game."""

    format: str
    title: str
    least: int  # seats
    most: int


class RulesOption(NamedTuple):
    """A rule option: what a match may do differently."""

    option: str
    default: Any
    meaning: str  # what it does


class RulesValues(NamedTuple):
    """The rules of a game: its formats and rule options."""

    game: str
    title: str
    address: str  # of its rules page
    formats: tuple[RulesFormat, ...]
    options: tuple[RulesOption, ...]


class GamesValues(NamedTuple):
    """The list of the games."""

    games: tuple[RulesValues, ...]


class RulesPages:
    """A page of rules for every game, and the list of them."""

    async def list_values(self, _visit: Visit) -> GamesValues:
        """All games."""
        return GamesValues(all_rules())

    async def values(self, visit: Visit) -> RulesValues:
        """One game."""
        return next(each for each in all_rules() if slug(each.game) == visit.path["game"])

    def pages(self) -> list[Page]:
        """The games, and each of them."""
        game = Parameter("game", "The game.", among=tuple(map(slug, GAMES)))
        return [
            Page(
                "/rules",
                "The games, their formats and rule options.",
                GamesValues,
                self.list_values,
                "games.html",
            ),
            Page(
                address="/rules/{game}",
                summary="The rules of a game, for players.",
                kind=RulesValues,
                values=self.values,
                template="rules.html",
                in_path=(game,),
            ),
        ]


def slug(game: str) -> str:
    """A game's name as a part of an address."""
    return game.replace("_", "-")


def rules_address(game: str) -> str:
    """The address of a game's rules."""
    return f"/rules/{slug(game)}"


def all_rules() -> tuple[RulesValues, ...]:
    """The rules of every game."""
    return tuple(map(_values, GAMES.values()))


def _values(game: Game) -> RulesValues:
    descriptions = OPTIONS.get(game.name, {})
    return RulesValues(
        game.name,
        game.name.replace("_", " ").title(),
        rules_address(game.name),
        tuple(RulesFormat(form.name, form.title, *form.seats) for form in game.formats.values()),
        tuple(
            RulesOption(option, default, descriptions.get(option, UNDESCRIBED))
            for option, default in game.rules(None)._asdict().items()
        ),
    )
