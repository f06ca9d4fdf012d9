"""How many decisions per second each way of training learns from, side by side.

    python benchmarks/training.py

Everest Go! for two with a network of two layers of 256: the self-play learner of `agents.ppo`,
MaskablePPO over this project's vector environment, and MaskablePPO over the PettingZoo environment
in the way PettingZoo's own tutorial shows it. Playing and learning count together. The ways take
turns, round after round, so that a slow minute of the machine hits all alike.
"""

import json
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import gymnasium
import numpy as np
import pettingzoo
import torch
import typer
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker
from tqdm import tqdm

from agents.features import ScaledFeatures
from agents.maskable_ppo import Settings as SeatSettings
from agents.ppo import Settings
from agents.selfplay import Run
from benchmarks.machine import describe_machine
from climbenvs import everest_go_v0
from climbenvs.envs.sb3 import SeatVecEnv

RESULTS = Path(__file__).parent / "results" / "training.json"
GAME, PLAYERS, LAYERS = "everest_go", 2, (256, 256)


class TutorialEnv(pettingzoo.utils.BaseWrapper, gymnasium.Env):
    """The PettingZoo environment as one of Gymnasium, all seats by one learner, one game at a time.

    Rewards are those of the agent that `last()` happens to speak of, as in the tutorial; it is here
    to be timed, not to learn well.
    """

    def reset(self, seed: int | None = None, options: Any = None) -> tuple[np.ndarray, dict]:
        """Deal, and set the spaces of the flat observation."""
        super().reset(seed, options)
        agent = self.possible_agents[0]
        self.observation_space = super().observation_space(agent)["observation"]
        self.action_space = super().action_space(agent)
        return self.observe(self.agent_selection), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict]:
        """One decision of the agent to act."""
        super().step(int(action))
        _, reward, terminated, truncated, info = super().last()
        return self.observe(self.agent_selection), reward, terminated, truncated, info

    def observe(self, agent: str) -> np.ndarray:
        """The vector without the mask."""
        return super().observe(agent)["observation"]

    def action_mask(self) -> np.ndarray:
        """The mask of the agent to act."""
        return super().observe(self.agent_selection)["action_mask"]


def maskable_model(env: Any, threads: int, **settings: Any) -> MaskablePPO:
    """A MaskablePPO learner with the same network as the others."""
    torch.set_num_threads(threads)
    return MaskablePPO(
        "MlpPolicy",
        env,
        seed=0,
        device="cpu",
        policy_kwargs={
            "net_arch": list(LAYERS),
            "activation_fn": torch.nn.ReLU,
            "features_extractor_class": ScaledFeatures,
        },
        **settings,
    )


def learning(model: MaskablePPO) -> Callable[[], int]:
    """One rollout and one update of a model; returns the number of decisions."""

    def learn() -> int:
        before = model.num_timesteps
        model.learn(1, reset_num_timesteps=False)
        return model.num_timesteps - before

    return learn


def tutorial(threads: int) -> Callable[[], int]:
    """MaskablePPO with its defaults on the PettingZoo environment."""
    env = TutorialEnv(everest_go_v0.env(num_players=PLAYERS))
    env.reset(seed=0)
    return learning(maskable_model(ActionMasker(env, lambda env: env.action_mask()), threads))


def vector(threads: int) -> Callable[[], int]:
    """MaskablePPO on the vector environment, against random players."""
    s = SeatSettings(GAME, PLAYERS)
    env = SeatVecEnv(GAME, s.num_envs, num_players=PLAYERS, seed=0, num_threads=threads)
    model = maskable_model(
        env,
        threads,
        n_steps=s.rollout_steps,
        batch_size=s.batch_size,
        n_epochs=s.epochs,
        learning_rate=s.learning_rate,
    )
    return learning(model)


def self_play(threads: int) -> Callable[[], int]:
    """The self-play learner with its defaults."""
    folder = Path(tempfile.mkdtemp(prefix="climbenvs-"))
    settings = Settings(GAME, PLAYERS, layers=LAYERS, threads=threads, opponents=())
    run = Run(settings, folder)

    def learn() -> int:
        torch.set_num_threads(threads)
        before = run.steps
        run.iterate()
        return run.steps - before

    return learn


WAYS = {
    "self-play PPO": self_play,
    "MaskablePPO, VecEnv": vector,
    "MaskablePPO, tutorial": tutorial,
}


def main(
    rounds: Annotated[int, typer.Option(help="measurements of each way")] = 5,
    threads: Annotated[int, typer.Option(help="threads for torch and the games")] = 2,
    out: Annotated[Path, typer.Option(help="file of the results")] = RESULTS,
) -> None:
    """Measure and write the results."""
    warnings.filterwarnings("ignore", category=UserWarning)
    machine = describe_machine()
    learners = {name: make(threads) for name, make in WAYS.items()}
    rates: dict[str, list[float]] = {name: [] for name in WAYS}
    for learn in learners.values():
        learn()
    with tqdm(total=rounds * len(WAYS), unit=" updates") as bar:
        for _ in range(rounds):
            for name, learn in learners.items():
                began = time.perf_counter()
                decisions = learn()
                rates[name].append(decisions / (time.perf_counter() - began))
                bar.update()
    base = statistics.median(rates["MaskablePPO, tutorial"])
    results = [
        {
            "way": name,
            "median": statistics.median(values),
            "min": min(values),
            "max": max(values),
            "ratio": statistics.median(values) / base,
        }
        for name, values in rates.items()
    ]
    content = {"machine": machine, "threads": threads, "rounds": rounds, "results": results}
    out.write_text(json.dumps(content, indent=1) + "\n")
    for result in results:
        typer.echo(
            f"{result['way']:24} {result['median']:>9,.0f} decisions/s, {result['ratio']:.1f} times"
        )


if __name__ == "__main__":
    try:
        typer.run(main)
    except KeyboardInterrupt:
        sys.exit(130)
