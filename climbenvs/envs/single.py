"""One learner's seat against opponents, as a Gymnasium environment and as a vector of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from climbenvs.engine.game import Game
from climbenvs.engine.records import check_actions
from climbenvs.envs import common
from climbenvs.envs.seat import SeatLoop
from climbenvs.registry import load

METADATA: dict[str, Any] = {
    "render_modes": common.RENDER_MODES,
    "render_fps": common.RENDER_FPS,
}


class SingleSeatEnv(gymnasium.Env):
    """A learner in one seat; the opponents' decisions are part of the environment.

    Observations are flat int8 [D]. `info["action_mask"]` int8 [N], all zero at the end, also stands
    in `action_masks()`; `info["seat"]` is the learner's seat. The reward is what the learner's seat
    received between its own two decisions. Episodes terminate, they are never truncated; then the
    info also has `end` (1 + index of the cause among the definition's `end_causes`, 0 for a game
    forfeited by an illegal action), `score` and `winner`.

    Args:
        game: name or loaded game.
        num_players: seats; the game's default if None.
        opponents: a policy (a name or an object with `act`), a list of policies, or a list of
            (policy, weight) pairs; from a list one is drawn per opponent's seat and episode.
        seat: the learner's seat; "random": drawn per episode; "all": in a cooperative game, the
            learner decides for every seat.
        illegal_action: "raise"; "lose": the episode ends with -1; "random": a random legal action
            is played instead.
        deck: path of another deck file.
        render_mode: "ansi" (`render` returns text), "human" (every step is printed) or None.
        **options: the game's options by name.

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
        ValueError: if seat, opponents or illegal_action are not understood.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str | Game,
        *,
        num_players: int | None = None,
        opponents: Any = "random",
        seat: int | str = "random",
        illegal_action: str = "raise",
        deck: str | Path | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = load(game, deck=deck)
        self.render_mode = common.check_render_mode(render_mode)
        self.loop = SeatLoop(
            self.game,
            1,
            num_players=num_players,
            seat=seat,
            opponents=opponents,
            illegal_action=illegal_action,
            options=options,
        )
        self.observation_space = common.observation_space(self.game)
        self.action_space = common.action_space(self.game)

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return self.loop.records.num_players

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self.loop.seats[0])

    def set_opponents(self, opponents: Any) -> None:
        """Replace the opponents, in the game under way too; forms as in the constructor."""
        self.loop.set_opponents(opponents)

    def action_masks(self) -> np.ndarray:
        """The learner's mask, fresh [N] bool, as MaskablePPO wants it."""
        return self.loop.action_masks()[0].astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.loop.action_masks()[0], "seat": self.seat}
        if self.loop.over[0]:
            info.update(self.loop.result(0))
        return info

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode at the learner's first decision.

        Args:
            seed: starts a stream of episodes; None goes on with the running stream.
            options: `{"snapshot": dict}` starts from that position. Other keys are ignored.

        Returns:
            Observation [D] int8 and info.

        Raises:
            SnapshotError: if the snapshot is wrong or leaves the learner no decision.
        """
        super().reset(seed=seed)
        snapshot = common.snapshot_of(options)
        if seed is not None:
            self.loop.seed(seed)
        self.loop.deal(snapshot=snapshot)
        if self.render_mode == "human":
            self.render()
        return self.loop.observe()[0], self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play the learner's decision, then the opponents' up to the learner's next one.

        Raises:
            IllegalActionError: naming player and action, with illegal_action="raise".
            GameOverError: if the episode has ended.
            TypeError: if the action is not an integer.
        """
        rewards, over = self.loop.step(np.asarray(action)[None])
        if self.render_mode == "human":
            self.render()
        return self.loop.observe()[0], float(rewards[0]), bool(over[0]), False, self._info()

    def render(self) -> str | None:
        """The table as the learner sees it: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: no render_mode was given")
            return None
        text = self.loop.draw(0)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None


class SingleSeatVectorEnv(VectorEnv):
    """Many `SingleSeatEnv`s stepped together; the opponents of all rows are asked in batch.

    Row i of a vector seeded s equals a `SingleSeatEnv` seeded s + i as long as the opponents are
    "random" or the game's scripted players; other policies share one generator.

    Args:
        game: name or loaded game.
        num_envs: number of rows B.
        num_players: seats per game; the game's default if None.
        opponents: as for `SingleSeatEnv`.
        seat: as for `SingleSeatEnv`.
        illegal_action: as for `SingleSeatEnv`.
        autoreset_mode: SAME_STEP: the step that ends an episode returns the next one's first
            observation and the old one's last in `infos["final_obs"]`; NEXT_STEP: it returns the
            last observation, and the next step ignores the row's action and resets.
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
        num_envs: int = 1,
        *,
        num_players: int | None = None,
        opponents: Any = "random",
        seat: int | str = "random",
        illegal_action: str = "raise",
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        deck: str | Path | None = None,
        num_threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = load(game, deck=deck)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        if self.autoreset_mode not in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
            raise ValueError(f"{self.autoreset_mode} is not offered; use SAME_STEP or NEXT_STEP")
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self.render_mode = common.check_render_mode(render_mode)
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
        self.num_envs = self.loop.records.size
        self.single_observation_space = common.observation_space(self.game)
        self.single_action_space = common.action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

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

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode in every row.

        Args:
            seed: an integer s gives row i the seed s + i; a sequence gives one per row; None goes
                on with the running streams.
            options: `{"snapshot": dict}` starts every row from that position. Other keys are
                ignored.

        Returns:
            Observations [B, D] int8 and infos.
        """
        super().reset(seed=seed if seed is None or isinstance(seed, int) else int(seed[0]))
        snapshot = common.snapshot_of(options)
        if seed is not None:
            self.loop.seed(seed)
        self.loop.deal(snapshot=snapshot)
        return self.loop.observe(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one decision of each learner.

        Args:
            actions: [B] integers.

        Returns:
            Observations [B, D] int8, rewards [B] float64, terminations [B] bool, truncations [B]
            bool (all False) and infos.

        Raises:
            IllegalActionError: naming row, player and action; no game has been changed.
        """
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            return self._step_next(actions)
        rewards, over = self.loop.step(actions)
        ended = np.flatnonzero(over)
        final = self._final(ended) if len(ended) else {}
        if len(ended):
            self.loop.deal(ended)
        infos = {**final, **self._infos()}
        return self.loop.observe(), rewards.astype(np.float64), over, np.zeros_like(over), infos

    def _step_next(
        self, actions: Any
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        actions = check_actions(actions, self.num_envs)
        fresh = self.loop.over.copy()
        playing = np.flatnonzero(~fresh)
        rewards = np.zeros(self.num_envs, np.float64)
        rewards[playing], _ = self.loop.step(actions[playing], playing)
        over = self.loop.over & ~fresh
        if fresh.any():
            self.loop.deal(np.flatnonzero(fresh))
        infos = {**self._infos(), **self._results(np.flatnonzero(over))}
        return self.loop.observe(), rewards, over, np.zeros_like(over), infos

    def _infos(self) -> dict[str, Any]:
        """What every row reports at every step, with Gymnasium's presence masks."""
        return {
            "action_mask": self.loop.action_masks(),
            "_action_mask": np.ones(self.num_envs, np.bool_),
            "seat": self.loop.seats.copy(),
            "_seat": np.ones(self.num_envs, np.bool_),
        }

    def _results(self, ended: np.ndarray) -> dict[str, Any]:
        """End, score and winner of the rows that have just ended."""
        if not len(ended):
            return {}
        infos: dict[str, Any] = {}
        for row in ended:
            infos = self._add_info(infos, self.loop.result(row), row)
        return infos

    def _final(self, ended: np.ndarray) -> dict[str, Any]:
        """Last observations and infos of the rows that have just ended."""
        present = np.zeros(self.num_envs, np.bool_)
        present[ended] = True
        observations = np.full(self.num_envs, None, object)
        for row, observation in zip(ended, self.loop.observe(ended), strict=True):
            observations[row] = observation
        info = {
            "action_mask": np.zeros((self.num_envs, self.game.num_actions), np.int8),
            "_action_mask": present,
            "seat": np.where(present, self.loop.seats, 0),
            "_seat": present.copy(),
            **self._results(ended),
        }
        return {
            "final_obs": observations,
            "_final_obs": present.copy(),
            "final_info": info,
            "_final_info": present.copy(),
        }

    def render(self) -> tuple[str, ...] | None:
        """Every row's table as its learner sees it: returned for "ansi", printed for "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: no render_mode was given")
            return None
        texts = tuple(self.loop.draw(row) for row in range(self.num_envs))
        if self.render_mode == "ansi":
            return texts
        print("\n\n".join(texts), end="\n\n")
        return None
