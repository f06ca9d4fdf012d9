"""GameAEC: any game as a PettingZoo AEC environment, a thin shell around `Position`."""

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from climbenvs.engine.errors import GameOverError
from climbenvs.engine.game import Game
from climbenvs.engine.position import Position
from climbenvs.engine.records import Records, check_seed
from climbenvs.envs import common
from climbenvs.registry import load

METADATA: dict[str, Any] = {
    "render_modes": common.RENDER_MODES,
    "is_parallelizable": False,
    "render_fps": common.RENDER_FPS,
}
"""What all games have in common; an environment adds its name."""


class GameAEC(AECEnv):
    """A game of all seats, one decision at a time.

    Every agent's observation is `{"observation": int8 [D], "action_mask": int8 [N]}`; the mask is
    all zero for agents that are not to act. All agents terminate together and only then get a
    reward. Their infos are `end` (0 while the game runs, else 1 + index of the cause among the
    definition's `end_causes`), `score` and `winner`, all zero until the end. Renderings
    show the table as the agent to act sees it, and the last action unless it is a secret.

    Args:
        game: name or loaded game.
        num_players: seats; the game's default if None.
        deck: path of another deck file.
        render_mode: "ansi" (`render` returns text), "human" (every step is printed) or None.
        **options: the game's options by name.

    Raises:
        OptionError: if the player count or an option is unknown or out of range.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str | Game,
        *,
        num_players: int | None = None,
        deck: str | Path | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = load(game, deck=deck)
        self.render_mode = common.check_render_mode(render_mode)
        records = Records(self.game, 1, num_players, options)
        records.seed(check_seed(None))
        self.position = Position(records)
        self.metadata = {"name": self.game.definition.stem, **METADATA}
        self.possible_agents = [f"player_{seat}" for seat in range(records.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._observation_space() for agent in self._seats}
        self.action_spaces = {agent: common.action_space(self.game) for agent in self._seats}
        self.state_space = common.state_space(self.game)
        self._no_actions = np.zeros(self.game.num_actions, np.int8)
        self.agents: list[str] = []
        self._last_decision: tuple[Position, Any] | None = None  # position before it, action

    def _observation_space(self) -> spaces.Dict:
        mask = spaces.Box(0, 1, (self.game.num_actions,), np.int8)
        return spaces.Dict(observation=common.observation_space(self.game), action_mask=mask)

    def __repr__(self) -> str:
        return f"GameAEC({self.game!r}, num_players={self.num_players})"

    @property
    def num_players(self) -> int:
        """Number of seats."""
        return self.position.num_players

    @property
    def options(self) -> dict[str, Any]:
        """The game's options by name."""
        return self.position.options

    def observation_space(self, agent: str) -> spaces.Space:
        """The agent's Dict space, the same object on every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space:
        """The agent's Discrete space, the same object on every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: starts a stream of games; None goes on to the next game of the running stream, so
                that a seeded reset and any number of unseeded ones always give the same games.
            options: `{"snapshot": dict}` starts from that position (see `to_dict`); what chance
                decides later comes from the stream. It must be of this environment's player count
                and options. Other keys are ignored.

        Raises:
            ValueError: if the seed is no non-negative integer.
            SnapshotError: naming the field of the snapshot that is wrong.
        """
        self.position.restart(seed, common.snapshot_of(options))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: common.no_result() for agent in self.agents}
        self.agent_selection = self.possible_agents[self.position.player]
        self._skip_agent_selection = None  # of AECEnv, left over if the last game broke off
        self._last_decision = None
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What the agent may know now, and which actions it may choose from; fresh arrays."""
        seat = self._seats[agent]
        position = self.position
        acts = seat == position.player and not self.terminations.get(agent, True)
        return {
            "observation": position.observe(seat),
            "action_mask": position.action_mask() if acts else self._no_actions.copy(),
        }

    def state(self) -> np.ndarray:
        """The global state vector, fresh [S] int8; valid also after the end."""
        return self.position.state()

    def step(self, action: int | None) -> None:
        """Play the selected agent's decision; None for an agent that has terminated.

        Raises:
            IllegalActionError: naming player and action; nothing has been changed.
            TypeError: if the action is not an integer.
            GameOverError: if no agent is left; call `reset`.
        """
        if not self.agents:
            raise GameOverError("no agent is left; call reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        position = self.position
        before = None if self.render_mode is None else position.clone()
        early = self.game.definition.running_rewards
        paid = position.rewards() if early else 0
        position.apply(action)  # type: ignore[arg-type]  # refuses None itself
        if before is not None:
            self._last_decision = (before, action)
        # Else every reward is zero before the end, and there is nothing to clear and to accumulate.
        if early or position.is_over:
            self._pay(agent, position.rewards() - paid)
        if position.is_over:
            self._end()
        else:
            self.agent_selection = self.possible_agents[position.player]
        if self.render_mode == "human":
            self.render()

    def _pay(self, agent: str, rewards: np.ndarray) -> None:
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, rewards.tolist(), strict=True))
        self._accumulate_rewards()

    def _end(self) -> None:
        results = common.result_of(self.game, self.position.record)
        for seat, agent in enumerate(self.agents):
            self.terminations[agent] = True
            self.infos[agent] = results[seat]
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The table as the agent to act sees it, and the last decision in words.

        Returns:
            The text for "ansi", None for "human", which prints it, and without a render mode.
        """
        if self.render_mode is None:
            logger.warn("render() does nothing: no render_mode was given to the constructor")
            return None
        text = self._text()
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def _text(self) -> str:
        viewer = self.position.player
        table = self.position.draw(viewer)
        if self._last_decision is None:
            return table
        before, action = self._last_decision
        if before.player != viewer and self.game.action_layout.is_secret(action):
            words = "a decision known to this player only"
        else:
            words = before.describe(action)
        return f"{table}\nplayer_{before.player}: {words}"

    def close(self) -> None:
        """There is nothing to release."""

    def to_dict(self) -> dict[str, Any]:
        """The snapshot of the position, JSON-able; all hidden information is in it."""
        return self.position.to_dict()

    def from_dict(self, snapshot: Mapping[str, Any]) -> None:
        """Go on from a snapshot; short for `reset(options={"snapshot": snapshot})`.

        Call `reset` instead where wrappers have to know.
        """
        self.reset(options={"snapshot": snapshot})

    def clone(self) -> "GameAEC":
        """An independent copy that plays on identically, without wrappers (deepcopy keeps them)."""
        return deepcopy(self)


def make_raw_env(
    game: str | Game,
    *,
    num_players: int | None = None,
    deck: str | Path | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> GameAEC:
    """Make the environment without wrappers; it refuses illegal actions by an error."""
    return GameAEC(game, num_players=num_players, deck=deck, render_mode=render_mode, **options)


def make_env(
    game: str | Game,
    *,
    num_players: int | None = None,
    deck: str | Path | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> AECEnv:
    """Make the environment in PettingZoo's wrappers: an illegal action ends the game with -1."""
    env = make_raw_env(game, num_players=num_players, deck=deck, render_mode=render_mode, **options)
    wrapped = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def factories(game: str) -> tuple[Callable[..., AECEnv], Callable[..., GameAEC]]:
    """The pair (env, raw_env) of a game's PettingZoo module; both can be pickled."""
    return partial(make_env, game), partial(make_raw_env, game)
