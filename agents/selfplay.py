"""Runs of self-play: one network learns in every seat of every game, see `agents.ppo`.

Some episodes can be mixed with earlier versions of the learner and with scripted players. A run is
a folder:

    agent.safetensors  the trained agent; card.json: what it is. The folder's path is its name.
    checkpoint.pt      the state of everything, from which a run goes on bit for bit
    history.jsonl      one line per evaluation
    settings.json      what was asked for
"""

import copy
import io
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

import agents
from agents import runs
from agents.cards import check_card, make_card, reading
from agents.evaluation import evaluate
from agents.experience import Experience
from agents.interrupts import PatientInterrupt
from agents.networks import ActorCritic, NetworkPolicy, save_agent
from agents.ppo import IMITATE, IMPROVE, JUDGE, SEEN, SELF, Learner, Settings
from agents.seating import LEARNER, Seating, mixture
from climbenvs.envs.vector import VectorGame
from climbenvs.policies import named_policy
from climbenvs.registry import load

CHECKPOINT = "checkpoint.pt"

KEPT_SELVES = 8
"""How many earlier versions stay in the mixture."""


class Run:
    """A training run in a folder.

    Args:
        settings: what to do.
        folder: where everything is kept; made if it is not there.

    Raises:
        ValueError: if an opponent or the teacher cannot choose from observations alone.
    """

    def __init__(self, settings: Settings, folder: Path) -> None:
        self.settings = s = settings.like_start()
        self.folder = folder
        self.game = load(s.game)
        torch.set_num_threads(s.threads)
        torch.manual_seed(s.seed)
        self.learner = Learner(self.game, s)
        self.rng = np.random.default_rng(s.seed)
        self.vector = VectorGame(
            self.game,
            s.num_envs,
            num_players=s.num_players,
            seed=s.seed,
            num_threads=s.threads,
            **s.options,
        )
        sizes = (self.vector.observation_size, self.game.num_actions)
        state_size = self.game.state_layout.size if s.centralised_critic else 0
        self.experience = Experience.empty(
            s.rollout_steps, s.num_envs, s.num_players, *sizes, state_size
        )
        is_mixed = not self.game.definition.cooperative and s.num_players > 1
        self.seating = Seating(s.num_envs, s.num_players, s.mixed if is_mixed else 0.0)
        self.named = [self.player(name) for name in s.opponents if name != SELF]
        self.rivals = {name: self.player(name) for name in s.evaluated_against}
        self.teacher = None if s.teacher is None else self.player(s.teacher)
        self.advisor = None if s.advisor is None else named_policy(self.game, s.advisor)
        self.selves: list[NetworkPolicy] = []
        _, weights = mixture(self.named, self.selves)
        self.seating.draw(np.arange(s.num_envs), weights, self.rng)
        self.batch = self.vector.reset()
        self.steps = 0
        self.seconds = 0.0
        self.seconds_before = 0.0
        self.history: list[dict[str, Any]] = []
        self.report: dict[str, float] = {}
        self.due = {"evaluate": 0, "freeze": 0, "checkpoint": s.checkpoint_every}

    def player(self, name: str) -> Any:
        """A player that can sit in the learner's games."""
        player = agents.load(name, self.game, self.settings.num_players)
        if not hasattr(player, "act"):
            raise ValueError(f"{name} needs positions to search; expected a player that does not")
        return player

    def policy_of(self, network: ActorCritic) -> NetworkPolicy:
        """A network of this run as a player."""
        return NetworkPolicy(network, advisor=self.advisor)

    def collect(self, imitate: bool) -> None:
        """Fill the slots of a rollout; the teacher decides everywhere while it is imitated."""
        e = self.experience
        rows = np.arange(self.vector.num_envs)
        players, weights = mixture(self.named, self.selves)
        self.judge_held()
        for step in range(self.settings.num_players, len(e.actions)):
            e.observation[step], e.mask[step], e.players[step] = self.batch[:3]
            if e.state.shape[2]:
                e.state[step] = self.vector.global_state()
            seen = (e.observation[step], e.mask[step])
            if self.advisor is not None:
                e.advice[step] = self.advisor.act(*seen, self.rng)
            actions, logs, e.values[step] = self.learner.choose(
                *seen, e.state[step], e.advice[step]
            )
            seated = self.seating.players[rows, self.batch.player]
            e.mine[step] = imitate | (seated == LEARNER)
            if imitate:
                actions = self.teacher.act(*seen, self.rng)
            else:
                for number in np.unique(seated[seated != LEARNER]):
                    at = np.flatnonzero(seated == number)
                    actions[at] = players[number].act(seen[0][at], seen[1][at], self.rng)
            e.actions[step] = actions
            e.log_probs[step] = logs[rows, actions]
            self.batch = self.vector.step(actions)
            e.rewards[step], e.dones[step] = self.batch.rewards, self.batch.done
            self.seating.draw(np.flatnonzero(self.batch.done), weights, self.rng)

    def judge_held(self) -> None:
        """Value the held decisions as the network does now, like all that follows them."""
        e, held = self.experience, np.nonzero(self.experience.mine[: self.settings.num_players])
        if len(held[0]):
            e.values[held] = self.learner.values(*(getattr(e, name)[held] for name in SEEN))

    def left(self) -> float:
        """Share of the training that is still to come, by decisions or by time."""
        s = self.settings
        done = self.steps / s.steps
        if s.minutes is not None:
            done = max(done, (self.seconds - self.seconds_before) / (60 * s.minutes))
        return max(0.0, 1.0 - done)

    def iterate(self) -> None:
        """One rollout and one update."""
        s = self.settings
        began = time.perf_counter()
        aim = IMPROVE
        if self.teacher is not None and self.steps < s.teacher_steps:
            aim = IMITATE
        elif self.steps < s.judge_steps:
            aim = JUDGE
        self.collect(aim == IMITATE)
        advantages, chosen = self.experience.finish(s.gamma, s.gae_lambda)
        self.report = self.learner.update(self.experience, advantages, chosen, self.left(), aim)
        self.experience.hold()
        self.steps += len(chosen)
        took = time.perf_counter() - began
        self.seconds += took
        self.report["decisions_per_second"] = len(chosen) / took

    def train(self) -> None:
        """Learn until the steps or the time are used up.

        Ctrl-C ends learning after the update under way, saves and raises KeyboardInterrupt; a
        second Ctrl-C does so at once, without saving.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "settings.json").write_text(
            json.dumps(asdict(self.settings), indent=2) + "\n"
        )
        lines = [json.dumps(entry) + "\n" for entry in self.history]
        (self.folder / "history.jsonl").write_text("".join(lines))
        with tqdm(total=self.settings.steps, initial=self.steps, unit=" decisions") as bar:
            with PatientInterrupt(bar) as interrupt:
                while self.left() > 0 and not interrupt.noted:
                    self.between_updates()
                    self.iterate()
                    bar.update(self.steps - bar.n)
                    bar.set_postfix_str(self.headline())
            if interrupt.noted:
                self.checkpoint()
                raise KeyboardInterrupt
        if not self.history or self.history[-1]["steps"] != self.steps:
            self.evaluate()
        self.checkpoint()
        save_agent(self.folder, self.learner.network, self.card())

    def between_updates(self) -> None:
        """What is due before the next rollout."""
        jobs = {
            "evaluate": (self.evaluate, self.settings.evaluate_every),
            "freeze": (self.freeze, self.settings.freeze_every),
            "checkpoint": (self.checkpoint, self.settings.checkpoint_every),
        }
        for name, (job, every) in jobs.items():
            if self.steps >= self.due[name]:
                self.due[name] = self.steps - self.steps % every + every
                job()

    def freeze(self) -> None:
        """Let the learner as it is now join the mixture; the oldest version may have to leave."""
        if SELF in self.settings.opponents and self.seating.mixed > 0:
            network = copy.deepcopy(self.learner.network).requires_grad_(False)
            self.selves = [*self.selves, self.policy_of(network)][-KEPT_SELVES:]

    def evaluate(self) -> None:
        """Play against every player to compare with; the results go to history.jsonl."""
        s = self.settings
        results = [
            evaluate(
                self.game,
                self.policy_of(self.learner.network),
                rival,
                name=name,
                num_players=s.num_players,
                deals=s.evaluation_deals,
                seed=2**32 + s.seed,
                num_threads=s.threads,
                **s.options,
            ).to_dict()
            for name, rival in self.rivals.items()
        ]
        entry = {"steps": self.steps, "seconds": round(self.seconds, 1), "results": results}
        self.history.append({**entry, **self.report})
        with (self.folder / "history.jsonl").open("a") as file:
            file.write(json.dumps(self.history[-1]) + "\n")

    def headline(self) -> str:
        """The latest evaluation and update in a few words."""
        results = self.history[-1]["results"] if self.history else []
        rates = ", ".join(f"{r['opponent']} {r['win_rate']:.0%}" for r in results)
        return f"entropy {self.report['entropy']:.2f}, wins against {rates}"

    def card(self) -> dict[str, Any]:
        """The card of the agent as it is."""
        s = self.settings
        return make_card(
            self.game,
            s.num_players,
            algorithm=s.algorithm,
            steps=self.steps,
            seconds=round(self.seconds),
            layers=s.layers,
            advisor=s.advisor,
            deterministic=False,
            settings=asdict(s),
        )

    def checkpoint(self) -> None:
        """Save everything that `resume` needs."""
        state = {
            "card": self.card(),
            "network": self.learner.network.state_dict(),
            "optimizer": self.learner.optimizer.state_dict(),
            "generator": self.learner.generator.get_state(),
            "selves": [policy.network.state_dict() for policy in self.selves],
            "rng": self.rng.bit_generator.state,
            "vector": self.vector.get_state(),
            "held": self.experience.held(),
            "seating": self.seating.players,
            **{name: getattr(self, name) for name in CARRIED},
        }
        buffer = io.BytesIO()
        torch.save(state, buffer)
        partial = self.folder / "checkpoint.partial"
        partial.write_bytes(buffer.getvalue())
        partial.replace(self.folder / CHECKPOINT)

    def resume(self) -> None:
        """Go on from the latest checkpoint: network, games and generators as they were.

        Raises:
            FileNotFoundError: if the folder holds no checkpoint.
            CheckpointError: if the checkpoint is damaged, or of another game or version.
        """
        path = self.folder / CHECKPOINT
        with reading(path):
            state = torch.load(path, map_location=self.settings.device, weights_only=False)
            check_card(self.game, path, state["card"])
            self.learner.network.load_state_dict(state["network"])
            self.learner.optimizer.load_state_dict(state["optimizer"])
            self.learner.generator.set_state(state["generator"].cpu())
            for weights in state["selves"]:
                network = copy.deepcopy(self.learner.network).requires_grad_(False)
                network.load_state_dict(weights)
                self.selves.append(self.policy_of(network))
            self.rng.bit_generator.state = state["rng"]
            self.batch = self.vector.set_state(state["vector"])
            self.experience.restore(state["held"])
            self.seating.players[:] = state["seating"]
            for name in CARRIED:
                setattr(self, name, state[name])
            self.seconds_before = self.seconds


CARRIED = ("steps", "seconds", "history", "report", "due")
"""Plain attributes of a run that a checkpoint carries."""


def read_settings(folder: Path) -> Settings:
    """The settings of a run; FileNotFoundError if the folder holds none."""
    settings: Settings = runs.read_settings(folder, Settings)
    return settings


def train(settings: Settings, folder: Path, resume: bool = False) -> Run:
    """Train in a folder, or go on with the run in it.

    On a CPU a seed reproduces a run exactly, and a resumed run repeats what an uninterrupted one
    would have done, on the same machine with the same number of threads and the same steps, where
    these and not minutes limit it: what falls with time falls towards them. A time limit starts
    anew.

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
        runs.begin(folder)
    run.train()
    return run
