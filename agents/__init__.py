"""Baseline agents by name or checkpoint. Part of the repository, not of the installed package."""

from pathlib import Path

from climbenvs.engine.game import Game
from climbenvs.policies import Policy, named_policy


def checkpoint_path(name: str) -> Path | None:
    """The checkpoint that a path or the folder of a run stands for; None for other names."""
    path = Path(name)
    if path.is_dir():
        path = path / "final.zip"
    return path if path.suffix == ".zip" else None


def load(game: Game, name: str) -> Policy:
    """Load an agent.

    Args:
        game: the game it is to play.
        name: "random", a scripted player of the game ("builder", "greedy"), or the path of a
            checkpoint written by `scripts/train.py` (a .zip file, or the folder of a run).

    Raises:
        ValueError: naming the agents there are, if `name` is none of them and no file.
        CheckpointError: if a checkpoint does not fit the game.
    """
    path = checkpoint_path(name)
    if path is not None:
        from agents.checkpoints import load_policy

        return load_policy(game, path)
    return named_policy(game, name)
