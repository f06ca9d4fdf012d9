"""Checkpoints of trained agents: a model with a card that says what it was trained for."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO

from climbenvs.engine.errors import ClimbenvsError
from climbenvs.engine.game import Game
from climbenvs.envs.sb3 import ModelPolicy

CARD = "climbenvs.json"
"""Name of the card inside a checkpoint's zip file."""


class CheckpointError(ClimbenvsError, ValueError):
    """A file is no checkpoint, or one of another game or version."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn whatever a damaged file makes a reader raise into a CheckpointError that names it."""
    try:
        yield
    except FileNotFoundError:
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


def save_checkpoint(path: Path, model: MaskablePPO, card: dict[str, Any]) -> None:
    """Write a model and its card to one zip file, in a step that cannot be left half done."""
    buffer = io.BytesIO()
    model.save(buffer)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(CARD, json.dumps(card, indent=2))
    partial = path.with_suffix(".partial")
    partial.write_bytes(buffer.getvalue())
    partial.replace(path)


def read_card(path: Path) -> dict[str, Any]:
    """The card of a checkpoint.

    Raises:
        CheckpointError: if the file is missing or no checkpoint.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            card = json.loads(archive.read(CARD))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as problem:
        raise CheckpointError(f"{path} is no checkpoint of climbenvs ({problem})") from None
    fields = {"game": str, "num_players": int}
    if not isinstance(card, dict) or any(type(card.get(k)) is not fields[k] for k in fields):
        raise CheckpointError(f"{path} is no checkpoint of climbenvs (its card is damaged)")
    return card


def check_card(game: Game, path: Path, card: dict[str, Any]) -> None:
    """Raise a CheckpointError unless the card fits the game."""
    expected = make_card(game, card.get("num_players", 0))
    for key, value in expected.items():
        if card.get(key) != value:
            raise CheckpointError(
                f"{path}: {key} is {card.get(key)!r}, {game.definition.stem} needs {value!r}"
            )


def load_model(game: Game, path: Path, **arguments: Any) -> MaskablePPO:
    """Load a MaskablePPO model of the game; `arguments` go to `MaskablePPO.load`.

    Raises:
        CheckpointError: if the file is no checkpoint, or one of another game or version.
    """
    check_card(game, path, read_card(path))
    with reading(path):
        return MaskablePPO.load(path, device="cpu", **arguments)


def load_policy(game: Game, path: Path, deterministic: bool = False) -> ModelPolicy:
    """Load a checkpoint as a player."""
    return ModelPolicy(load_model(game, path), deterministic)
