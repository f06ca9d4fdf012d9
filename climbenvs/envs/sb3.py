"""One learner's seat as a Stable-Baselines3 vector environment, and its models as opponents.

The only module that imports Stable-Baselines3.
"""

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from climbenvs.engine.game import Game
from climbenvs.envs import common
from climbenvs.envs.seat import SeatLoop
from climbenvs.registry import load


class SeatRow:
    """One row of a `SeatVecEnv`, which stands for the environment SB3 expects there.

    Args:
        env: the vector.
        index: number of the row.
    """

    def __init__(self, env: "SeatVecEnv", index: int) -> None:
        self._env = env
        self._index = index

    @property
    def game(self) -> Game:
        """The game."""
        return self._env.game

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return self._env.num_players

    @property
    def render_mode(self) -> str | None:
        """The render mode of the vector."""
        return self._env.row_render_mode

    @property
    def seat(self) -> int:
        """The learner's seat in the running episode."""
        return int(self._env.loop.seats[self._index])

    @property
    def spec(self) -> None:
        """No Gymnasium spec."""
        return None

    def action_masks(self) -> np.ndarray:
        """The learner's mask, fresh [N] bool."""
        return self._env.loop.action_masks([self._index])[0].astype(np.bool_)

    def render(self) -> str | None:
        """The table as the learner sees it: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            return None
        text = self._env.loop.draw(self._index)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None


class SeatVecEnv(VecEnv):
    """Many learners' seats for Stable-Baselines3, with action masks for MaskablePPO.

    Every row reports `episode` statistics at its end, as a `Monitor` would, and `end`, `score`,
    `winner` and `seat` (see `climbenvs.envs.single.SingleSeatEnv`), whose games it plays.

    Args:
        game: name or loaded game.
        num_envs: number of rows B.
        num_players: seats per game; the game's default if None.
        opponents: a policy (a name or an object with `act`), a list of policies, or a list of
            (policy, weight) pairs; from a list one is drawn per opponent's seat and episode.
        seat: the learner's seat; "random": drawn per episode; "all": in a cooperative game, the
            learner decides for every seat.
        illegal_action: "raise", "lose" or "random".
        seed: integer s (row i gets s + i) or None.
        deck: path of another deck file.
        num_threads: threads that share the rows; no result depends on it.
        render_mode: "ansi", "human" or None.
        **options: the game's options by name.

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
        ValueError: if another argument is not understood.
    """

    def __init__(
        self,
        game: str | Game,
        num_envs: int,
        *,
        num_players: int | None = None,
        opponents: Any = "random",
        seat: int | str = "random",
        illegal_action: str = "raise",
        seed: int | None = None,
        deck: str | Path | None = None,
        num_threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = load(game, deck=deck)
        self.row_render_mode = common.check_render_mode(render_mode)
        self.loop = SeatLoop(
            self.game,
            num_envs,
            num_players=num_players,
            seat=seat,
            opponents=opponents,
            illegal_action=illegal_action,
            options=options,
            num_threads=num_threads,
        )
        self._rows = [SeatRow(self, index) for index in range(num_envs)]
        self._actions: np.ndarray | None = None
        self._returns = np.zeros(num_envs, np.float64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._started = time.time()
        super().__init__(
            num_envs, common.observation_space(self.game), common.action_space(self.game)
        )
        if seed is not None:
            self.seed(seed)

    @property
    def num_players(self) -> int:
        """Number of seats per game."""
        return self.loop.records.num_players

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents, in games under way too; forms as in the constructor."""
        self.loop.set_opponents(opponents)

    def action_masks(self) -> np.ndarray:
        """The learners' masks, fresh [B, N] bool."""
        return self.loop.action_masks().astype(np.bool_)

    def reset(self) -> np.ndarray:
        """Start an episode in every row, with the seeds and options set before.

        Returns:
            Observations [B, D] int8; the infos are in `reset_infos`.

        Raises:
            SnapshotError: if a row's `{"snapshot": dict}` option is wrong.
        """
        if any(seed is not None for seed in self._seeds):
            self.loop.seed(self._seeds)
        snapshots = [common.snapshot_of(options) for options in self._options]
        plain = [row for row, snapshot in enumerate(snapshots) if snapshot is None]
        if plain:
            self.loop.deal(np.array(plain, np.int64))
        for row, snapshot in enumerate(snapshots):
            if snapshot is not None:
                self.loop.deal(np.array([row], np.int64), snapshot)
        self._reset_seeds()
        self._reset_options()
        self._returns[:] = 0
        self._lengths[:] = 0
        self.reset_infos = [{"seat": int(seat)} for seat in self.loop.seats]
        return self.loop.observe()

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions of the next `step_wait`, [B] integers."""
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Play the actions.

        Returns:
            Observations [B, D] int8 (after an end, the next episode's first), rewards [B] float32,
            dones [B] bool and one info per row.

        Raises:
            IllegalActionError: naming row, player and action; no game has been changed.
        """
        rewards, over = self.loop.step(self._actions)
        self._returns += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in self._rows]
        ended = np.flatnonzero(over)
        if len(ended):
            self._finish(ended, infos)
        return self.loop.observe(), rewards, over, infos

    def _finish(self, ended: np.ndarray, infos: list[dict[str, Any]]) -> None:
        """Report the ended episodes and start the next ones."""
        elapsed = round(time.time() - self._started, 6)
        for row, observation in zip(ended.tolist(), self.loop.observe(ended), strict=True):
            infos[row].update(self.loop.result(row), seat=int(self.loop.seats[row]))
            infos[row]["terminal_observation"] = observation
            infos[row]["episode"] = {
                "r": round(float(self._returns[row]), 6),
                "l": int(self._lengths[row]),
                "t": elapsed,
            }
        self._returns[ended] = 0
        self._lengths[ended] = 0
        self.loop.deal(ended)
        for row in ended.tolist():
            self.reset_infos[row] = {"seat": int(self.loop.seats[row])}

    def get_state(self) -> dict[str, Any]:
        """Copies of everything that decides how the episodes go on, opponents excepted."""
        return {
            "loop": self.loop.get_state(),
            "returns": self._returns.copy(),
            "lengths": self._lengths.copy(),
        }

    def set_state(self, state: dict[str, Any]) -> None:
        """Go back to what `get_state` returned of an environment made with the same arguments."""
        self.loop.set_state(state["loop"])
        self._returns[:] = state["returns"]
        self._lengths[:] = state["lengths"]

    def close(self) -> None:
        """There is nothing to release."""

    def _selected(self, indices: int | Iterable[int] | None) -> list[SeatRow]:
        return [self._rows[index] for index in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of each selected row; see `SeatRow`."""
        return [getattr(row, attr_name) for row in self._selected(indices)]

    def set_attr(
        self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None
    ) -> None:
        """Set an attribute of each selected row."""
        for row in self._selected(indices):
            setattr(row, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: int | Iterable[int] | None = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """Call a method of each selected row; `action_masks` of all rows costs one copy."""
        if method_name == "action_masks" and indices is None:
            return list(self.action_masks())
        rows = self._selected(indices)
        return [getattr(row, method_name)(*method_args, **method_kwargs) for row in rows]

    def env_is_wrapped(
        self, wrapper_class: type, indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """Whether each selected row does what a wrapper would: true for `Monitor` only."""
        return [issubclass(wrapper_class, Monitor) for _ in self._selected(indices)]


class ModelPolicy:
    """A MaskablePPO model as an opponent, for self-play pools.

    Args:
        model: the model, whose policy network is used as it is at each call.
        deterministic: play the likeliest legal action instead of drawing one.
    """

    def __init__(self, model: Any, deterministic: bool = False) -> None:
        self.model = model
        self.deterministic = deterministic

    def act(
        self, observation: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Choose one action per row; see `climbenvs.policies.Policy.act`."""
        policy = self.model.policy
        policy.set_training_mode(False)
        with torch.no_grad():
            tensor, _ = policy.obs_to_tensor(observation)
            distribution = policy.get_distribution(tensor, action_masks=action_mask)
            chances = distribution.distribution.probs.cpu().numpy().astype(np.float64)
        chances = np.where(action_mask == 1, chances, 0.0)
        if self.deterministic:
            return chances.argmax(axis=1)
        cumulative = chances.cumsum(axis=1)
        total = cumulative[:, -1:]
        draws = np.minimum(rng.random(total.shape) * total, np.nextafter(total, 0))
        return (cumulative <= draws).sum(axis=1)
