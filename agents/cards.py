"""What a trained agent says of itself, and the check that it fits a game."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from climbenvs.engine.errors import ClimbenvsError
from climbenvs.engine.game import Game


class CheckpointError(ClimbenvsError, ValueError):
    """A file is no checkpoint, or one of another game or version."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever a damaged file makes a reader raise into a CheckpointError that names it."""
    try:
        yield
    except (FileNotFoundError, CheckpointError):
        raise
    except Exception as problem:  # damaged pickles and archives raise almost anything
        raise CheckpointError(f"{path} is damaged ({problem!r})") from problem


def make_card(game: Game, num_players: int, **details: Any) -> dict[str, Any]:
    """What a checkpoint says of itself; sizes and version guard against another layout."""
    return {
        "game": game.name,
        "version": game.definition.version,
        "observation_size": game.observation_layout.size,
        "num_actions": game.num_actions,
        "num_players": num_players,
        **details,
    }


def check_fields(path: Path, card: Any) -> None:
    """Raise a CheckpointError unless the card names a game and a player count."""
    fields = {"game": str, "num_players": int}
    if not isinstance(card, dict) or any(type(card.get(k)) is not fields[k] for k in fields):
        raise CheckpointError(f"{path} is no checkpoint of climbenvs (its card is damaged)")


def check_card(game: Game, path: Path, card: dict[str, Any]) -> None:
    """Raise a CheckpointError unless the card fits the game."""
    expected = make_card(game, card.get("num_players", 0))
    for key, value in expected.items():
        if card.get(key) != value:
            raise CheckpointError(
                f"{path}: {key} is {card.get(key)!r}, {game.definition.stem} needs {value!r}"
            )
