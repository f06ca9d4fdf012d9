"""Who can take part in a match: policies of every kind, and adapters for what people bring.

A policy is an object with `act(observation, action_mask, rng) -> actions` over a batch
(`climbenvs.policies.Policy`). It may have more:

- `reset(rows)`: called when games begin, with their numbers; for policies with memory.
- `wants_turns = True`: `act` then gets a keyword `turns`, public facts about the rows (`Turns`),
  so that a memory can be kept by row and seat.

A policy that has `act_on` instead searches, see `PositionPolicy`. None is ever given the state.
"""

import hashlib
import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np

from climbenvs.engine.game import Game
from climbenvs.engine.records import Records
from climbenvs.policies import Policy, named_policy


class Turns(NamedTuple):
    """Public facts about the B rows a policy is to decide in."""

    game: Game
    num_players: int
    rows: np.ndarray
    """[B] int64, number of each game, the same from its beginning to its end."""
    seats: np.ndarray
    """[B] int64, the seat to act."""


@runtime_checkable
class PositionPolicy(Protocol):
    """A player that searches: it is given positions to play on in, never the true ones."""

    def act_on(self, positions: Records, rng: np.random.Generator) -> np.ndarray:
        """Choose one action per row.

        Args:
            positions: B copies of games in progress. In each row everything that the seat to act
                cannot know, and all later chance, has been drawn anew. The policy may change them.
            rng: the only source of randomness to use.

        Returns:
            [B] integers, each legal in its row.
        """
        ...


Player = Policy | PositionPolicy
"""Whatever can take a seat."""


def draw_actions(
    logits: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator, deterministic: bool
) -> np.ndarray:
    """A legal action per row: the likeliest, or drawn with the softmax of the legal logits.

    Args:
        logits: [B, N] float.
        action_mask: [B, N] int8.
        rng: draws.
        deterministic: take the likeliest.
    """
    masked = np.where(action_mask == 1, logits, -np.inf)
    if not deterministic:
        masked = masked + rng.gumbel(size=masked.shape)
    return masked.argmax(axis=1)


class FunctionPolicy:
    """A plain function as a player.

    Args:
        function: (observation [D] int8, action_mask [N] int8, rng) -> action.
    """

    def __init__(
        self, function: Callable[[np.ndarray, np.ndarray, np.random.Generator], int]
    ) -> None:
        self.function = function

    def act(
        self, observation: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Choose one action per row; see `climbenvs.policies.Policy.act`."""
        pairs = zip(observation, action_mask, strict=True)
        return np.array([self.function(row, mask, rng) for row, mask in pairs])


class TorchPolicy:
    """A torch module as a player.

    Args:
        module: [B, D] float32 -> logits [B, N]; of a tuple, the first is taken.
        deterministic: take the likeliest legal action instead of drawing one.
    """

    def __init__(self, module: Any, deterministic: bool = False) -> None:
        self.module = module
        self.deterministic = deterministic

    def act(
        self, observation: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Choose one action per row; see `climbenvs.policies.Policy.act`."""
        import torch

        with torch.no_grad():
            logits = self.module(torch.as_tensor(observation, dtype=torch.float32))
        logits = logits[0] if isinstance(logits, tuple) else logits
        return draw_actions(logits.cpu().numpy(), action_mask, rng, self.deterministic)


class OnnxPolicy:
    """An ONNX file as a player; needs onnxruntime.

    The model's first input is the observation [B, D], in float32 or int8; a second one, if there
    is one, gets the mask [B, N] in the type it asks for. The first output is the logits [B, N].

    Args:
        game: the game, whose sizes the model has to have.
        path: the file.
        deterministic: take the likeliest legal action instead of drawing one.

    Raises:
        ValueError: if the sizes or types are others, naming what was found and expected.
    """

    def __init__(self, game: Game, path: str | Path, deterministic: bool = False) -> None:
        try:
            import onnxruntime
        except ImportError:
            raise ImportError("ONNX files need onnxruntime: pip install onnxruntime") from None
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        try:
            self.session = onnxruntime.InferenceSession(
                str(path), options, providers=["CPUExecutionProvider"]
            )
        except Exception as problem:  # onnxruntime has errors of its own for each cause
            raise ValueError(f"{path} is no ONNX model that can be run ({problem})") from None
        self.deterministic = deterministic
        sizes = (game.observation_layout.size, game.num_actions)
        self.inputs: list[tuple[str, Any]] = []
        for given, size in zip(self.session.get_inputs(), sizes, strict=False):
            types = {"tensor(float)": np.float32, "tensor(int8)": np.int8, "tensor(bool)": np.bool_}
            if given.type not in types or given.shape[1:] != [size]:
                raise ValueError(
                    f"{path}: input {given.name} is {given.type} of shape {given.shape}; "
                    f"{game.name} needs float, int8 or bool of shape [batch, {size}]"
                )
            self.inputs.append((given.name, types[given.type]))
        logits = self.session.get_outputs()[0]
        if logits.shape[1:] != [game.num_actions]:
            raise ValueError(
                f"{path}: output {logits.name} has shape {logits.shape}; {game.name} needs "
                f"[batch, {game.num_actions}]"
            )

    def act(
        self, observation: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Choose one action per row; see `climbenvs.policies.Policy.act`."""
        arrays = zip(self.inputs, (observation, action_mask), strict=False)
        feed = {name: array.astype(dtype) for (name, dtype), array in arrays}
        logits = self.session.run(None, feed)[0]
        return draw_actions(logits, action_mask, rng, self.deterministic)


def resolve(name: str, game: Game) -> Player:
    """A player by name.

    Args:
        name: "random" or a scripted player of the game; "onnx:PATH"; or "module:attribute", an
            importable policy, or a class or function that makes one, given the game if it takes
            an argument.
        game: the game it is to play.

    Raises:
        ValueError: naming what was expected, if there is no such player.
    """
    kind, colon, rest = name.partition(":")
    if not colon:
        return named_policy(game, name)
    if kind == "onnx":
        if not Path(rest).is_file():
            raise ValueError(f"{name}: there is no file {rest}")
        return OnnxPolicy(game, rest)
    try:
        found = getattr(importlib.import_module(kind), rest)
    except (ImportError, AttributeError) as problem:
        raise ValueError(
            f"player {name!r} was not found ({problem}); expected a scripted player, onnx:PATH or "
            "module:attribute"
        ) from None
    player = found
    if isinstance(found, type) or (not _is_player(found) and callable(found)):
        player = found(game) if inspect.signature(found).parameters else found()
    if not _is_player(player):
        raise ValueError(f"player {name!r} has neither act nor act_on")
    return player


def _is_player(thing: Any) -> bool:
    return hasattr(thing, "act") or hasattr(thing, "act_on")


def fingerprint(name: str) -> str | None:
    """SHA-256 of the file a name such as "onnx:PATH" stands for; None where there is none."""
    path = Path(name.partition(":")[2] or name)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None
