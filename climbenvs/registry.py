"""The table of games: name -> package, imported on first use."""

import functools
import importlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from climbenvs.engine.errors import UnknownGameError

if TYPE_CHECKING:  # the engine brings Numba along; a table of names does not need it
    from climbenvs.engine.game import Game, GameDefinition


@dataclass(frozen=True)
class GameSpec:
    """Where a game is found.

    Args:
        name: registry name ("everest_go").
        package: import path of its package, which defines `GAME`.
        gymnasium_name: stem of its Gymnasium id ("EverestGo").
        version: version of rules, encodings and rewards; part of both ids.
        listed: whether `climbenvs.games()` names it.
        variants: stem of a further Gymnasium id -> the arguments that it presets.
    """

    name: str
    package: str
    gymnasium_name: str
    version: int = 0
    listed: bool = True
    variants: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def pettingzoo_id(self) -> str:
        """Id in PettingZoo's registry."""
        return f"climbenvs/{self.name}-v{self.version}"

    @property
    def gymnasium_id(self) -> str:
        """Id in Gymnasium's registry."""
        return f"climbenvs/{self.gymnasium_name}-v{self.version}"

    @property
    def gymnasium_ids(self) -> dict[str, dict[str, Any]]:
        """Every id in Gymnasium's registry with the arguments that it presets."""
        ids: dict[str, dict[str, Any]] = {self.gymnasium_id: {}}
        for name, arguments in self.variants.items():
            ids[f"climbenvs/{name}-v{self.version}"] = dict(arguments)
        return ids


_specs: dict[str, GameSpec] = {}


def register(spec: GameSpec) -> None:
    """Add a game to the table; ValueError if the name is taken."""
    if spec.name in _specs:
        raise ValueError(f"a game named {spec.name!r} is registered already")
    _specs[spec.name] = spec


def specs() -> list[GameSpec]:
    """Every registered game, listed or not."""
    return list(_specs.values())


def games() -> list[str]:
    """Names of the games, in order of registration."""
    return [spec.name for spec in _specs.values() if spec.listed]


@functools.cache
def shipped(package: str) -> "Game":
    """The one `Game` of a package with the deck it ships."""
    from climbenvs.engine.game import Game

    return Game(importlib.import_module(package).GAME)


def load(
    game: "str | Game | GameDefinition",
    *,
    deck: str | Path | None = None,
    house_rules: Mapping[str, object] | None = None,
) -> "Game":
    """Load a game.

    Args:
        game: registered name, a definition, or a `Game` (returned as it is).
        deck: path of another deck file, None for the shipped one.
        house_rules: name of a rule of the game -> the rule to use instead.

    Raises:
        UnknownGameError: naming the games there are.
        DeckError: if the deck file is damaged or breaks the rulebook's counts.
    """
    from climbenvs.engine.game import Game, GameDefinition

    if isinstance(game, Game):
        if deck is not None or house_rules:
            raise ValueError("deck and house_rules cannot be given with a loaded Game")
        return game
    if isinstance(game, GameDefinition):
        return Game(game, deck, house_rules)
    if game not in _specs:
        raise UnknownGameError(f"no game is called {game!r}; there are {', '.join(games())}")
    package = _specs[game].package
    if deck is None and not house_rules:
        return shipped(package)
    return Game(importlib.import_module(package).GAME, deck, house_rules)


for _spec in (
    GameSpec("everest_go", "climbenvs.games.everest_go", "EverestGo"),
    GameSpec(
        "everest_1953",
        "climbenvs.games.everest_1953",
        "Everest1953",
        variants={"Everest1953Solo": {"num_players": 1}},
    ),
    GameSpec("sherpa", "climbenvs.games.sherpa", "Sherpa"),
    GameSpec("snow_climbing", "climbenvs.games.snow_climbing", "SnowClimbing"),
    GameSpec("connect_four", "climbenvs.testing.connect_four", "ConnectFour", listed=False),
):
    register(_spec)
