"""Training sb3-contrib's MaskablePPO in one seat against a mixture of opponents.

Opponents are drawn per opponent's seat and episode from scripted players and, under the name
"self", from earlier versions of the learner that are frozen now and then. A run is a folder:

    final.zip          the trained agent, a checkpoint for `agents.load`
    checkpoint.zip     the latest state of the learner; checkpoint.pkl: of everything around it
    selves/            frozen earlier versions
    history.jsonl      one line per evaluation
    settings.json      what was asked for
    tensorboard/       curves for TensorBoard
"""

import json
import pickle
import random
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import configure
from tqdm import tqdm

import agents
from agents import runs
from agents.cards import check_card, make_card, reading
from agents.checkpoints import load_model, load_policy, save_checkpoint
from agents.evaluation import evaluate
from agents.features import ScaledFeatures
from agents.interrupts import PatientInterrupt
from climbenvs.engine.game import Game
from climbenvs.envs.sb3 import ModelPolicy, SeatVecEnv
from climbenvs.registry import load

SELF = "self"
"""Name of the frozen earlier versions among the opponents."""

KEPT_SELVES = 6
"""How many frozen versions stay in the mixture."""


@dataclass(frozen=True)
class Settings:
    """What a run is asked to do; written to settings.json."""

    game: str
    num_players: int
    """Seats per game."""
    opponents: tuple[str, ...] = ("random", SELF)
    """Names or checkpoints, equally likely; "self" stands for frozen earlier versions. In a
    cooperative game the learner has all seats, and these are only compared with."""
    steps: int = 1_000_000
    """The learner's decisions in all."""
    minutes: float | None = None
    """Stop training after this time even if steps are left."""
    seed: int = 0
    threads: int = 2
    """Threads for torch and for the games."""
    num_envs: int = 256
    """Games played side by side."""
    rollout_steps: int = 32
    """Decisions per game between two updates."""
    batch_size: int = 1024
    epochs: int = 4
    learning_rate: float = 5e-4
    gamma: float = 0.995
    gae_lambda: float = 0.95
    entropy: float = 0.01
    layers: tuple[int, ...] = (256, 256)
    """Widths of the hidden layers, for policy and value each."""
    evaluate_every: int = 100_000
    """Decisions between two evaluations."""
    evaluation_deals: int = 100
    """Deals per opponent and evaluation, each in all seat rotations."""
    checkpoint_every: int = 200_000
    """Decisions between two checkpoints."""
    freeze_every: int = 100_000
    """Decisions after which another version of the learner is frozen."""
    options: dict[str, Any] = field(default_factory=dict)
    """The game's options by name."""
    algorithm: str = "maskable_ppo"

    @property
    def evaluated_against(self) -> list[str]:
        """The opponents that evaluations are played against."""
        return [name for name in self.opponents if name != SELF] or ["random"]


def read_settings(folder: Path) -> Settings:
    """The settings of a run; FileNotFoundError if the folder holds none."""
    settings: Settings = runs.read_settings(folder, Settings)
    return settings


class Opponents:
    """The mixture a learner plays against: named players and frozen earlier versions.

    Args:
        game: the game.
        num_players: seats.
        names: as in `Settings.opponents`.
        folder: where frozen versions are kept.
    """

    def __init__(self, game: Game, num_players: int, names: tuple[str, ...], folder: Path) -> None:
        self.game = game
        self.named = [agents.load(name, game, num_players) for name in names if name != SELF]
        if not all(hasattr(player, "act") for player in self.named):
            raise ValueError("an opponent needs positions to search; expected others")
        self.with_selves = SELF in names
        self.folder = folder
        self.selves: list[tuple[str, ModelPolicy]] = []
        if not names:
            raise ValueError("there are no opponents; expected at least one")

    def freeze(self, model: MaskablePPO, card: dict[str, Any]) -> None:
        """Add the learner as it is now, and drop the oldest version beyond `KEPT_SELVES`."""
        self.folder.mkdir(exist_ok=True)
        name = f"{model.num_timesteps:010d}.zip"
        save_checkpoint(self.folder / name, model, card)
        self.restore([*(kept for kept, _ in self.selves), name][-KEPT_SELVES:])

    def restore(self, names: list[str]) -> None:
        """Use the frozen versions of these names."""
        loaded = dict(self.selves)
        self.selves = [
            (name, loaded.get(name) or load_policy(self.game, self.folder / name)) for name in names
        ]

    def mixture(self) -> list[tuple[Any, float]]:
        """(policy, weight) pairs: every name weighs one, all frozen versions together one."""
        pairs = [(policy, 1.0) for policy in self.named]
        pairs += [(policy, 1.0 / len(self.selves)) for _, policy in self.selves]
        return pairs


class OutOfTime(Exception):
    """Ends learning between two updates, when everything can be saved."""


class Interrupted(Exception):
    """The same, after Ctrl-C."""


class Progress(BaseCallback):
    """Everything that happens beside learning: bar, evaluations, frozen selves, checkpoints.

    Args:
        run: the run.
        bar: a tqdm bar over the learner's decisions.
    """

    def __init__(self, run: "Run", bar: tqdm) -> None:
        super().__init__()
        self.run = run
        self.bar = bar
        self.deadline = None
        if run.settings.minutes is not None:
            self.deadline = time.monotonic() + 60 * run.settings.minutes

    def _on_rollout_start(self) -> None:
        self.run.between_updates()
        if self.run.interrupt.noted:
            raise Interrupted
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        done = self.model.num_timesteps
        self.bar.update(done - self.bar.n)
        finished = self.model.ep_info_buffer
        if finished:
            reward = float(np.mean([info["r"] for info in finished]))
            self.bar.set_postfix_str(f"mean reward {reward:+.2f}{self.run.headline()}")


class Run:
    """A training run in a folder.

    Args:
        settings: what to do.
        folder: where everything is kept; made if it is not there.
    """

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = settings
        self.folder = folder
        self.game = load(settings.game)
        folder.mkdir(parents=True, exist_ok=True)
        torch.set_num_threads(settings.threads)
        self.opponents = Opponents(
            self.game, settings.num_players, settings.opponents, folder / "selves"
        )
        self.env = SeatVecEnv(
            self.game,
            settings.num_envs,
            num_players=settings.num_players,
            opponents=self.opponents.mixture() or "random",
            seat="all" if self.game.definition.cooperative else "random",
            seed=settings.seed,
            num_threads=settings.threads,
            **settings.options,
        )
        self.model: MaskablePPO | None = None
        self.due = {"evaluate": 0, "freeze": 0, "checkpoint": settings.checkpoint_every}
        self.history: list[dict[str, Any]] = []
        self.interrupt: PatientInterrupt | None = None

    def card(self) -> dict[str, Any]:
        """The card of this run's checkpoints."""
        return make_card(
            self.game,
            self.settings.num_players,
            algorithm=self.settings.algorithm,
            steps=self.model.num_timesteps,
            settings=asdict(self.settings),
        )

    def start(self) -> None:
        """Begin anew."""
        s = self.settings
        runs.begin(self.folder)
        (self.folder / "settings.json").write_text(json.dumps(asdict(s), indent=2) + "\n")
        (self.folder / "history.jsonl").write_text("")
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            learning_rate=s.learning_rate,
            n_steps=s.rollout_steps,
            batch_size=s.batch_size,
            n_epochs=s.epochs,
            gamma=s.gamma,
            gae_lambda=s.gae_lambda,
            ent_coef=s.entropy,
            seed=s.seed,
            device="cpu",
            policy_kwargs={
                "net_arch": list(s.layers),
                "activation_fn": torch.nn.ReLU,
                "features_extractor_class": ScaledFeatures,
            },
        )

    def resume(self) -> None:
        """Go on from the latest checkpoint: models, games, opponents and generators as they were.

        Raises:
            FileNotFoundError: if the folder holds no checkpoint.
            CheckpointError: if the checkpoint is damaged, or of another game or version.
        """
        path = self.folder / "checkpoint.zip"
        around_path = self.folder / "checkpoint.pkl"
        with reading(around_path):
            around = pickle.loads(around_path.read_bytes())
        check_card(self.game, path, around["card"])
        self.model = load_model(self.game, path, env=self.env, force_reset=False)
        self.opponents.restore(around["selves"])
        if self.opponents.selves:
            self.env.loop.set_opponents(self.opponents.mixture())
        self.env.set_state(around["env"])
        self.due = around["due"]
        self.history = around["history"]
        lines = [json.dumps(entry) + "\n" for entry in self.history]
        (self.folder / "history.jsonl").write_text("".join(lines))
        torch.set_rng_state(around["torch"])
        np.random.set_state(around["numpy"])  # noqa: NPY002 -- SB3 draws from this generator
        random.setstate(around["python"])

    def train(self) -> None:
        """Learn until the steps or the time are used up.

        Ctrl-C ends learning after the update under way, saves and raises KeyboardInterrupt; a
        second Ctrl-C does so at once, without saving.
        """
        model = self.model
        folder = self.folder / "tensorboard"
        model.set_logger(configure(str(folder), ["tensorboard"]))
        done = model.num_timesteps
        left = self.settings.steps - done
        with tqdm(total=self.settings.steps, initial=done, unit=" decisions") as bar:
            try:
                self.interrupt = PatientInterrupt(bar)
                with self.interrupt, suppress(OutOfTime):
                    if left > 0:
                        model.learn(left, callback=Progress(self, bar), reset_num_timesteps=False)
            except Interrupted:
                self.checkpoint()
                bar.write(f"saved; go on with --resume --out {self.folder}", file=sys.stderr)
                raise KeyboardInterrupt from None
        self.evaluate()
        self.checkpoint()
        save_checkpoint(self.folder / "final.zip", model, self.card())

    def between_updates(self) -> None:
        """What is due before the next rollout: a moment at which all state can be saved."""
        done = self.model.num_timesteps
        jobs = {
            "evaluate": (self.evaluate, self.settings.evaluate_every),
            "freeze": (self.freeze, self.settings.freeze_every),
            "checkpoint": (self.checkpoint, self.settings.checkpoint_every),
        }
        for name, (job, every) in jobs.items():
            if done >= self.due[name]:
                self.due[name] = done - done % every + every
                job()

    def freeze(self) -> None:
        """Freeze the learner as it is and let it play among the opponents."""
        if self.opponents.with_selves and not self.game.definition.cooperative:
            self.opponents.freeze(self.model, self.card())
            self.env.set_opponents(self.opponents.mixture())

    def evaluate(self) -> None:
        """Play against every named opponent; the results go to history.jsonl and TensorBoard."""
        s = self.settings
        entry: dict[str, Any] = {"steps": self.model.num_timesteps, "results": []}
        for name in s.evaluated_against:
            result = evaluate(
                self.game,
                ModelPolicy(self.model),
                agents.load(name, self.game, s.num_players),
                name=name,
                num_players=s.num_players,
                deals=s.evaluation_deals,
                seed=2**32 + s.seed,
                num_threads=s.threads,
                **s.options,
            )
            entry["results"].append(result.to_dict())
            self.model.logger.record(f"evaluation/{name}", result.win_rate)
        self.model.logger.dump(self.model.num_timesteps)
        self.history.append(entry)
        with (self.folder / "history.jsonl").open("a") as file:
            file.write(json.dumps(entry) + "\n")

    def headline(self) -> str:
        """Win rates of the latest evaluation in a few words."""
        if not self.history:
            return ""
        rates = [f"{r['opponent']} {r['win_rate']:.0%}" for r in self.history[-1]["results"]]
        return ", wins against " + ", ".join(rates)

    def checkpoint(self) -> None:
        """Save everything that `resume` needs."""
        around = {
            "card": self.card(),
            "selves": [name for name, _ in self.opponents.selves],
            "env": self.env.get_state(),
            "due": self.due,
            "history": self.history,
            "torch": torch.get_rng_state(),
            "numpy": np.random.get_state(),  # noqa: NPY002 -- SB3 draws from this generator
            "python": random.getstate(),
        }
        save_checkpoint(self.folder / "checkpoint.zip", self.model, self.card())
        partial = self.folder / "checkpoint.partial"
        partial.write_bytes(pickle.dumps(around))
        partial.replace(self.folder / "checkpoint.pkl")


def train(settings: Settings, folder: Path, resume: bool = False) -> Run:
    """Train in a folder, or go on with the run in it.

    A resumed run repeats exactly what an uninterrupted one would have done from the checkpoint on,
    on the same machine and with the same thread count, except that a time limit starts anew.

    Args:
        settings: what to do; on `resume` only steps, minutes and threads may differ.
        folder: the run's folder.
        resume: go on from the folder's latest checkpoint.
    """
    if resume:
        settings = runs.with_limits(read_settings(folder), settings)
    run = Run(settings, folder)
    if resume:
        run.resume()
    else:
        run.start()
    run.train()
    return run
