"""Baseline agents by name or checkpoint. Part of the repository, not of the installed package."""

from pathlib import Path
from typing import Any

from climbenvs.arena.players import Player, resolve
from climbenvs.arena.players import fingerprint as file_fingerprint
from climbenvs.engine.game import Game
from climbenvs.registry import load as load_game

PRETRAINED = Path(__file__).parent / "pretrained"
"""A folder per game, in it one per player count, and in it an agent."""


def split_names(text: str) -> list[str]:
    """Names from a command line: commas part them, and a semicolon is a comma within one."""
    return [name.replace(";", ",") for name in text.split(",")]


def pretrained() -> list[str]:
    """The names of the shipped agents, as "sherpa/4"."""
    cards = sorted(PRETRAINED.glob("*/*/card.json"))
    return [card.parent.relative_to(PRETRAINED).as_posix() for card in cards]


def checkpoint_path(name: str) -> Path | None:
    """What a trained agent's name stands for, None for other names.

    Args:
        name: "sherpa/4", a .zip file, the folder of a run or of an agent; "ppo:" may stand before
            a path.

    Returns:
        The folder of an agent of the self-play learner, or the .zip file of one of MaskablePPO.
    """
    name = name.removeprefix("ppo:")
    path = Path(name)
    if path.suffix == ".zip":
        return path
    if (path / "card.json").exists():
        return path
    if (path / "final.zip").exists():
        return path / "final.zip"
    shipped = PRETRAINED / name
    return shipped if name and (shipped / "card.json").exists() else None


def read_card(path: Path) -> dict[str, Any]:
    """The card of a trained agent: its game, sizes, player count and how it was trained.

    Raises:
        CheckpointError: if there is no agent, or its card is damaged.
    """
    if path.suffix == ".zip":
        from agents import checkpoints

        return checkpoints.read_card(path)
    from agents import networks

    return networks.read_card(path)


def full_name(name: str, game: Game, num_players: int | None = None) -> str:
    """The name without abbreviation: "ppo" is the agent shipped for a game and player count."""
    players = game.definition.default_players if num_players is None else num_players
    return f"{game.name}/{players}" if name == "ppo" else name


def fingerprint(name: str, game: Game, num_players: int | None = None) -> str | None:
    """What tells two agents of one name apart: the hash of its file; None if it has none."""
    name = full_name(name, game, num_players)
    path = checkpoint_path(name)
    if path is None or path.suffix == ".zip":
        return file_fingerprint(name if path is None else str(path))
    card = read_card(path)
    return f"{card['sha256']} deterministic={card['deterministic']} advisor={card['advisor']}"


def load(
    name: str,
    game: Game | None = None,
    num_players: int | None = None,
    num_threads: int = 1,
) -> Player:
    """Load an agent.

    Args:
        name: one of

            - "random", or a scripted player of the game ("builder", "greedy");
            - a shipped agent, as "sherpa/4"; or "ppo" for the one of this game and player count;
            - the folder of a run or the path of a checkpoint of `scripts/train.py`, which
              "ppo:" may stand before;
            - "ismcts:200" or "ismcts:50ms", search with so many simulations or milliseconds; see
              `agents.ismcts.ISMCTS.from_name`;
            - "onnx:PATH" or "module:attribute", see `climbenvs.arena.players.resolve`.
        game: the game it is to play; a trained agent's own if None.
        num_players: seats; only "ppo" needs it.
        num_threads: threads that share the positions of a search.

    Raises:
        ValueError: naming the agents there are, if `name` is none of them and no file.
        CheckpointError: if a checkpoint does not fit the game.
    """
    if game is not None:
        name = full_name(name, game, num_players)
    path = checkpoint_path(name)
    if path is not None:
        game = game or load_game(read_card(path)["game"])
        if path.suffix == ".zip":
            from agents.checkpoints import load_policy

            return load_policy(game, path)
        from agents.networks import load_agent

        return load_agent(game, path)
    if Path(name.removeprefix("ppo:")).is_dir():
        raise ValueError(f"{name} holds no finished agent; train on with --resume")
    if game is None:
        there = ", ".join(pretrained()) or "none"
        raise ValueError(f"{name!r} is no trained agent; shipped are {there}")
    kind, _, budget = name.partition(":")
    if kind == "ismcts":
        from agents.ismcts import ISMCTS

        return ISMCTS.from_name(game, budget, num_threads=num_threads)
    return resolve(name, game)
