"""Climbing board games as fast multi-agent reinforcement-learning environments.

Importing this package registers every game with Gymnasium (`climbenvs/EverestGo-v0`) and, from its
version 1.27 on, with PettingZoo (`climbenvs/everest_go-v0`). Games are imported and compiled on
first use.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import gymnasium
import pettingzoo

from climbenvs import registry
from climbenvs.engine.errors import (
    ClimbenvsError,
    DeckError,
    GameOverError,
    IllegalActionError,
    OptionError,
    SnapshotError,
    UnknownGameError,
)
from climbenvs.registry import GameSpec, games, load

if TYPE_CHECKING:
    from climbenvs.engine.game import Game
    from climbenvs.engine.position import Position
    from climbenvs.envs.vector import VectorGame, make_vec

try:
    __version__ = version("climbenvs")
except PackageNotFoundError:  # used from a source tree that is not installed
    __version__ = "0.0.0"

__all__ = [
    "ClimbenvsError",
    "DeckError",
    "Game",
    "GameOverError",
    "GameSpec",
    "IllegalActionError",
    "OptionError",
    "Position",
    "SnapshotError",
    "UnknownGameError",
    "VectorGame",
    "__version__",
    "games",
    "load",
    "make_vec",
    "register",
]

_LAZY = {
    "Game": "climbenvs.engine.game",
    "Position": "climbenvs.engine.position",
    "VectorGame": "climbenvs.envs.vector",
    "make_vec": "climbenvs.envs.vector",
}
"""Names imported on first use: they bring Numba along, which takes most of the import time."""


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


def register(spec: GameSpec) -> None:
    """Add a game of one's own to climbenvs, Gymnasium and PettingZoo.

    Raises:
        ValueError: if the name is taken.
    """
    registry.register(spec)
    _register_ids(spec)


def _register_ids(spec: GameSpec) -> None:
    for gymnasium_id, arguments in spec.gymnasium_ids.items():
        gymnasium.register(
            gymnasium_id,
            entry_point="climbenvs.envs.single:SingleSeatEnv",
            vector_entry_point="climbenvs.envs.single:SingleSeatVectorEnv",
            kwargs={"game": spec.name, **arguments},
        )
    if hasattr(pettingzoo, "register"):  # since 1.27
        pettingzoo.register(
            "aec",
            spec.pettingzoo_id,
            entry_point="climbenvs.envs.aec:make_env",
            kwargs={"game": spec.name},
        )


for _spec in registry.specs():
    _register_ids(_spec)
