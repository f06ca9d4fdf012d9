"""Proximal policy optimisation for self-play: settings, loss and update.

PPO (Schulman et al. 2017) over the decisions of all seats of many games. All seats share the
parameters and see their game relative to themselves. Illegal actions are masked out of policy and
entropy (Huang and Ontañón 2022). Reward and value belong to the seat that earned them, see
`agents.experience`; so it is the same for two players, for more, for teams and for one.
`agents.selfplay` plays and keeps the runs.
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

import agents
from agents.experience import Experience
from agents.networks import (
    ActorCritic,
    bfloat16_is_fast,
    load_network,
    sample,
)
from climbenvs.engine.game import Game
from climbenvs.registry import load

SELF = "self"
"""Name of the earlier versions of the learner among the opponents."""

IMPROVE, IMITATE, JUDGE = "improve", "imitate", "judge"
"""What an update can be for; see `Learner.update`."""

SEEN = ("observation", "mask", "state", "advice")
"""What the network is given, in this order."""


@dataclass(frozen=True)
class Settings:
    """What a run is asked to do; written to settings.json."""

    game: str
    num_players: int
    """Seats per game."""
    opponents: tuple[str, ...] = (SELF,)
    """Who sits with the learner in mixed episodes; "self" stands for its earlier versions. In
    cooperative games and games for one no episode is mixed."""
    mixed: float = 0.2
    """Share of mixed episodes."""
    steps: int = 10_000_000
    """Decisions to train on in all."""
    minutes: float | None = None
    """Stop training after this time even if steps are left."""
    seed: int = 0
    threads: int = 2
    """Threads for torch and for the games."""
    device: str = "cpu"
    """Where the network is: "cpu", "cuda"."""
    bfloat16: bool = field(default_factory=bfloat16_is_fast)
    """Multiply in bfloat16, with parameters and heads in float32."""
    num_envs: int = 1024
    """Games played side by side."""
    rollout_steps: int = 64
    """Decisions per game between two updates."""
    minibatch_size: int = 8192
    epochs: int = 3
    learning_rate: float = 1e-3
    """At the beginning; it falls linearly to a tenth."""
    gamma: float = 0.999
    """Discount per decision of the same seat."""
    gae_lambda: float = 0.95
    clip: float = 0.2
    """How far the probability ratio may move away from 1 with a gain."""
    entropy: float = 0.01
    """Weight of the masked entropy at the beginning; it falls linearly to a tenth. A negative one
    holds an advised learner to the advice where departing from it makes no difference."""
    value_weight: float = 0.5
    max_grad_norm: float = 0.5
    layers: tuple[int, ...] = (256, 256)
    """Widths of the hidden layers."""
    centralised_critic: bool = False
    """Estimate values from the global state, which only training sees."""
    advisor: str | None = None
    """A scripted player whose choice the network is told and learns to depart from."""
    trust: float = 4.0
    """What the advice adds to the logit of its action at first; it is learned like a weight."""
    judge_steps: int = 0
    """Decisions at the beginning from which only values are learned, counted among `steps`."""
    start_from: str | None = None
    """A trained agent whose network is the first one; it decides on `layers` and `advisor`."""
    teacher: str | None = None
    """A player to imitate at the beginning, before reinforcement learning."""
    teacher_steps: int = 1_000_000
    """Decisions of the teacher to learn from, counted among `steps`."""
    compare_with: tuple[str, ...] = ()
    """Whom evaluations are played against; random and the scripted players if empty."""
    evaluate_every: int = 1_000_000
    """Decisions between two evaluations."""
    evaluation_deals: int = 200
    """Deals per opponent and evaluation, each in all seat rotations."""
    checkpoint_every: int = 2_000_000
    """Decisions between two checkpoints."""
    freeze_every: int = 500_000
    """Decisions after which another version of the learner joins the mixture."""
    options: dict[str, Any] = field(default_factory=dict)
    """The game's options by name."""
    algorithm: str = "ppo"

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be.

        Raises:
            ValueError: naming the setting and what was expected.
        """
        positive = ("steps", "threads", "num_envs", "rollout_steps", "minibatch_size", "epochs")
        positive += ("evaluate_every", "evaluation_deals", "checkpoint_every", "freeze_every")
        for name in positive:
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; expected a positive integer")
        if self.minutes is not None and not self.minutes > 0:
            raise ValueError(f"minutes is {self.minutes}; expected a positive number")
        if not self.layers or min(self.layers) < 1:
            raise ValueError(f"layers is {self.layers}; expected at least one positive width")
        for name in ("mixed", "gamma", "gae_lambda"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} is {getattr(self, name)}; expected a number in [0, 1]")
        if self.device.startswith("cuda") and not torch.cuda.is_available():
            raise ValueError(f"device is {self.device!r}, and there is no CUDA device")

    def like_start(self) -> "Settings":
        """These settings with the network of the agent to start from.

        Raises:
            ValueError: if it is no agent of this learner.
        """
        if self.start_from is None:
            return self
        path = agents.checkpoint_path(self.start_from)
        if path is None or path.suffix == ".zip":
            raise ValueError(f"start_from is {self.start_from!r}; expected an agent of self-play")
        card = agents.read_card(path)
        return replace(self, layers=tuple(card["layers"]), advisor=card["advisor"])

    @property
    def evaluated_against(self) -> list[str]:
        """The players that evaluations are played against."""
        return list(self.compare_with or ("random", *load(self.game).definition.policies))


class Learner:
    """The network, its optimiser and one update.

    Args:
        game: gives the sizes.
        settings: the hyper-parameters.
    """

    def __init__(self, game: Game, settings: Settings) -> None:
        self.settings = settings
        self.device = torch.device(settings.device)
        if settings.start_from is None:
            network = ActorCritic(
                game, settings.layers, settings.centralised_critic, settings.advisor is not None
            )
            if network.trust is not None:
                network.trust.data.fill_(settings.trust)
        else:
            network = load_network(game, agents.checkpoint_path(settings.start_from))
        self.network = network.to(self.device)
        # Trust is a logit and not a weight: it has ten times as far to go.
        groups = [
            {"params": [p for p in network.parameters() if p is not network.trust], "scale": 1.0},
            {"params": [p for p in [network.trust] if p is not None], "scale": 10.0},
        ]
        self.optimizer = torch.optim.Adam(groups, settings.learning_rate, eps=1e-5)
        self.generator = torch.Generator(self.device).manual_seed(settings.seed)

    def tensor(self, array: np.ndarray) -> Tensor:
        """An array on the learner's device."""
        return torch.as_tensor(array, device=self.device)

    def judge(
        self, observation: Tensor, mask: Tensor, state: Tensor, advice: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Logits and values; see `ActorCritic`."""
        enabled = self.settings.bfloat16
        with torch.autocast(self.device.type, torch.bfloat16, enabled=enabled):
            critic = self.network.critic is not None
            return self.network(observation, mask, state if critic else None, advice)

    @torch.no_grad()
    def choose(
        self, observation: np.ndarray, mask: np.ndarray, state: np.ndarray, advice: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Actions, the logarithms of all probabilities, and values for a batch."""
        logits, values = self.judge(*map(self.tensor, (observation, mask, state, advice)))
        draws = torch.rand(len(logits), 1, generator=self.generator, device=self.device)
        actions = sample(logits.softmax(1), draws)
        logs = logits.log_softmax(1)
        return actions.cpu().numpy(), logs.cpu().numpy(), values.cpu().numpy()

    @torch.no_grad()
    def values(self, *seen: np.ndarray) -> np.ndarray:
        """Values for a batch of what is `SEEN`."""
        return self.judge(*map(self.tensor, seen))[1].cpu().numpy()

    def update(
        self,
        experience: Experience,
        advantages: np.ndarray,
        chosen: np.ndarray,
        left: float = 1.0,
        aim: str = IMPROVE,
    ) -> dict[str, float]:
        """Some epochs over the decisions of a rollout.

        Args:
            experience: the rollout.
            advantages: [P + T, B] float32.
            chosen: flat indices of the decisions to train on.
            left: share of the training that is still to come, for what falls with time.
            aim: `IMPROVE` the policy and the values; `IMITATE` the decisions, whatever came of
                them, in one epoch only as a teacher's cost next to nothing; or `JUDGE` only.

        Returns:
            Means over the minibatches: losses, entropy, clipped share, approximate KL divergence.
        """
        s = self.settings
        data = {
            "observation": experience.observation,
            "mask": experience.mask,
            "state": experience.state,
            "advice": experience.advice,
            "actions": experience.actions,
            "old_logs": experience.log_probs,
            "returns": advantages + experience.values,
        }
        flat = {k: self.tensor(v.reshape(advantages.size, *v.shape[2:])) for k, v in data.items()}
        gains = advantages.reshape(-1)
        scale = gains[chosen].std() + 1e-8
        flat["advantages"] = self.tensor((gains - gains[chosen].mean()) / scale)
        indices = self.tensor(chosen)
        fading = 0.1 + 0.9 * left
        for group in self.optimizer.param_groups:
            group["lr"] = s.learning_rate * fading * group["scale"]
        sums: dict[str, float] = {}
        parts = max(1, round(len(chosen) / s.minibatch_size))
        epochs = 1 if aim == IMITATE else s.epochs
        for _ in range(epochs):
            order = torch.randperm(len(chosen), generator=self.generator, device=self.device)
            for part in order.tensor_split(parts):
                batch = {name: tensor[indices[part]] for name, tensor in flat.items()}
                loss, report = self.loss(batch, s.entropy * fading, aim)
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.network.parameters(), s.max_grad_norm)
                self.optimizer.step()
                for name, value in report.items():
                    sums[name] = sums.get(name, 0.0) + value.item() / (epochs * parts)
        return sums

    def loss(
        self, batch: dict[str, Tensor], entropy_weight: float, aim: str = IMPROVE
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """The clipped objective of PPO with value loss and masked entropy, and its parts."""
        s = self.settings
        logits, values = self.judge(*(batch[name] for name in SEEN))
        logs = logits.log_softmax(1)
        entropy = -(logits.softmax(1) * logs).sum(1).mean()
        new_logs = logs.gather(1, batch["actions"][:, None]).squeeze(1)
        log_ratio = new_logs - batch["old_logs"]
        ratio = log_ratio.exp()
        gain = batch["advantages"] * ratio
        clipped = batch["advantages"] * ratio.clamp(1 - s.clip, 1 + s.clip)
        policy_loss = -(new_logs if aim == IMITATE else torch.minimum(gain, clipped)).mean()
        value_loss = 0.5 * (values - batch["returns"]).square().mean()
        loss = s.value_weight * value_loss
        if aim != JUDGE:
            loss = loss + policy_loss - entropy_weight * entropy
        with torch.no_grad():
            report = {
                "policy_loss": policy_loss.detach(),
                "value_loss": value_loss.detach(),
                "entropy": entropy.detach(),
                "clipped": ((ratio - 1).abs() > s.clip).float().mean(),
                "kl": (ratio - 1 - log_ratio).mean(),
            }
        return loss, report
