"""The folder of a run: what of earlier runs has to go before another one begins in it."""

import shutil
from pathlib import Path

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
