"""The folder of a run: its settings, and what of earlier runs has to go before another begins."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from agents.cards import reading

ARTEFACTS = (
    *("agent.safetensors", "card.json", "checkpoint.pt"),
    *("final.zip", "checkpoint.zip", "checkpoint.pkl", "selves"),
    *("history.jsonl", "learning_curve.png", "tensorboard"),
)
"""What the learners leave in the folder of a run beside settings.json."""


def begin(folder: Path) -> None:
    """Make the folder of a new run, without anything of another run, of whatever algorithm."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ARTEFACTS:
        path = folder / name
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def read_settings(folder: Path, kind: Any) -> Any:
    """The settings of the run in a folder.

    Args:
        folder: the run's folder.
        kind: the learner's dataclass of settings, whose sequences are tuples.

    Raises:
        FileNotFoundError: if the folder holds none.
        CheckpointError: if they are damaged.
    """
    path = folder / "settings.json"
    with reading(path):
        values = json.loads(path.read_text())
        lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
        return kind(**{**values, **lists})


def with_limits(before: Any, asked: Any) -> Any:
    """The settings of a run that goes on: as before, with the limits now asked for."""
    return replace(before, steps=asked.steps, minutes=asked.minutes, threads=asked.threads)
