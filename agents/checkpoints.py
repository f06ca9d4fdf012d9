"""Checkpoints of trained agents: a model with a card that says what it was trained for."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO

from agents.cards import CheckpointError, check_card, check_fields, reading
from climbenvs.engine.game import Game
from climbenvs.envs.sb3 import ModelPolicy

CARD = "climbenvs.json"
"""Name of the card inside a checkpoint's zip file."""


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
    check_fields(path, card)
    return card


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
