"""The network of the self-play learner, and its agents on disk: safetensors beside a card."""

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load as parse_tensors
from safetensors.torch import save as pack_tensors
from torch import Tensor, nn

from agents.cards import CheckpointError, check_card, check_fields, reading
from climbenvs.engine.game import Game
from climbenvs.engine.layout import Layout
from climbenvs.policies import Policy, named_policy

WEIGHTS = "agent.safetensors"
CARD = "card.json"
ILLEGAL = -1e8
"""Logit of an illegal action: its probability is exactly zero, and all gradients stay finite."""


def bfloat16_is_fast() -> bool:
    """Whether the CPU multiplies bfloat16 matrices in hardware."""
    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())


class Torso(nn.Module):
    """int8 rows to features: hidden layers with ReLU over elements scaled into [-1, 1].

    Args:
        layout: of the rows; an element is divided by the largest magnitude its bounds allow.
        layers: widths of the hidden layers.
    """

    def __init__(self, layout: Layout, layers: tuple[int, ...]) -> None:
        super().__init__()
        low, high = layout.bounds()
        largest = np.maximum(np.abs(low.astype(np.float32)), np.abs(high.astype(np.float32)))
        scale = torch.as_tensor(1 / np.maximum(largest, 1))
        self.register_buffer("scale", scale, persistent=False)
        sizes = [layout.size, *layers]
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in zip(sizes, layers, strict=False))
        for layer in self.layers:
            nn.init.orthogonal_(layer.weight, math.sqrt(2))
            nn.init.zeros_(layer.bias)

    def forward(self, rows: Tensor) -> Tensor:
        """[B, D] int8 to [B, layers[-1]]."""
        first = self.layers[0]
        # Scaling the weights costs less than scaling the rows, and keeps those exact in bfloat16.
        weight = first.weight * self.scale
        dtype = torch.get_autocast_dtype(rows.device.type)
        exact = dtype if torch.is_autocast_enabled(rows.device.type) else weight.dtype
        features = torch.relu(nn.functional.linear(rows.to(exact), weight, first.bias))
        for layer in self.layers[1:]:
            features = torch.relu(layer(features))
        return features


class ActorCritic(nn.Module):
    """Policy and value of the seat to act.

    Args:
        game: gives the sizes.
        layers: widths of the hidden layers.
        centralised: let the value be a network of its own over the global state, which holds what
            is hidden from the seat; only training needs it.
        advised: expect the choice of another player as advice, which is likely to be taken at
            first: the network learns where to depart from it (residual policy learning, Silver et
            al. 2018).
    """

    def __init__(
        self,
        game: Game,
        layers: tuple[int, ...],
        centralised: bool = False,
        advised: bool = False,
    ) -> None:
        super().__init__()
        self.trust = nn.Parameter(torch.zeros(())) if advised else None
        self.torso = Torso(game.observation_layout, layers)
        self.critic = Torso(game.state_layout, layers) if centralised else None
        self.policy = nn.Linear(layers[-1], game.num_actions)
        self.value = nn.Linear(layers[-1], 1)
        # Both begin almost flat: values at random would teach the policy at random.
        for head in (self.policy, self.value):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)

    def forward(
        self,
        observation: Tensor,
        mask: Tensor,
        state: Tensor | None = None,
        advice: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Logits of the actions and the value.

        Args:
            observation: [B, D] int8.
            mask: [B, N] int8, the legal actions.
            state: [B, S] int8, for a centralised value.
            advice: [B] int64, the actions advised, for a network that expects advice.

        Returns:
            [B, N] float32, where an illegal action's logit makes its probability exactly zero, and
            [B] float32.
        """
        features = self.torso(observation)
        judged = features if self.critic is None or state is None else self.critic(state)
        with torch.autocast(observation.device.type, enabled=False):
            logits = self.policy(features.float())
            if self.trust is not None:
                weight = self.trust.expand(len(logits), 1)
                logits = logits.scatter_add(1, advice[:, None], weight)
            logits = logits.masked_fill(mask == 0, ILLEGAL)
            return logits, self.value(judged.float()).squeeze(-1)


def sample(probabilities: Tensor, draws: Tensor) -> Tensor:
    """An action per row by inversion; much faster than `torch.multinomial`.

    Args:
        probabilities: [B, N] float32; an action of probability zero is never taken.
        draws: [B, 1] float32, uniform in [0, 1).
    """
    cumulative = probabilities.cumsum(1)
    total = cumulative[:, -1:]
    # Rounding must not lift a draw to the total, beyond the last action.
    below_total = torch.minimum(draws * total, torch.nextafter(total, torch.zeros_like(total)))
    return (cumulative > below_total).int().argmax(1)


class NetworkPolicy:
    """An `ActorCritic` as a player; see `climbenvs.policies.Policy`.

    Args:
        network: used as it is at each call.
        deterministic: play the likeliest legal action instead of drawing one.
        advisor: the player whose choice the network expects as advice.
        card: what the agent says of itself.
    """

    def __init__(
        self,
        network: ActorCritic,
        deterministic: bool = False,
        advisor: Policy | None = None,
        card: dict[str, Any] | None = None,
    ) -> None:
        self.network = network
        self.deterministic = deterministic
        self.advisor = advisor
        self.card = card or {}

    @torch.no_grad()
    def act(
        self, observation: np.ndarray, action_mask: np.ndarray, rng: np.random.Generator
    ) -> np.ndarray:
        """Choose one action per row; see `climbenvs.policies.Policy.act`."""
        device = self.network.policy.weight.device
        rows = torch.as_tensor(np.asarray(observation, np.int8), device=device)
        mask = torch.as_tensor(np.asarray(action_mask, np.int8), device=device)
        advice = None
        if self.advisor is not None:
            advised = self.advisor.act(observation, action_mask, rng)
            advice = torch.as_tensor(advised, device=device)
        logits = self.network(rows, mask, advice=advice)[0]
        if self.deterministic:
            return logits.argmax(1).cpu().numpy()
        draws = torch.as_tensor(rng.random((len(rows), 1), np.float32), device=device)
        return sample(logits.softmax(1), draws).cpu().numpy()


def save_agent(folder: Path, network: ActorCritic, card: dict[str, Any]) -> None:
    """Write an agent: weights in half precision, without a centralised critic, and the card.

    Args:
        folder: made if it is not there.
        network: the network.
        card: from `make_card`, with `layers`, `advisor` (a name or None) and `deterministic`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {
        name: tensor.detach().half().cpu().contiguous()
        for name, tensor in network.state_dict().items()
        if not name.startswith("critic.")
    }
    content = pack_tensors(tensors)
    card = {**card, "sha256": hashlib.sha256(content).hexdigest()}
    for name, data in ((WEIGHTS, content), (CARD, (json.dumps(card, indent=2) + "\n").encode())):
        partial = folder / f"{name}.partial"
        partial.write_bytes(data)
        partial.replace(folder / name)


def read_card(folder: Path) -> dict[str, Any]:
    """The card of an agent.

    Raises:
        CheckpointError: if the folder holds no agent, or its card is damaged.
    """
    path = folder / CARD
    try:
        with reading(path):
            card = json.loads(path.read_text())
    except FileNotFoundError:
        raise CheckpointError(f"{folder} holds no agent: there is no {CARD}") from None
    check_fields(path, card)
    kinds = {"layers": list, "sha256": str, "deterministic": bool, "advisor": str | None}
    if any(name not in card or not isinstance(card[name], kind) for name, kind in kinds.items()):
        raise CheckpointError(f"{path} is no card of an agent; expected {', '.join(kinds)} in it")
    return card


def load_network(game: Game, folder: Path) -> ActorCritic:
    """The network of an agent.

    Raises:
        CheckpointError: if there is no agent, or it is damaged or of another game, version or size.
    """
    card = read_card(folder)
    check_card(game, folder / CARD, card)
    path = folder / WEIGHTS
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise CheckpointError(f"{folder} holds no agent: there is no {WEIGHTS}") from None
    if hashlib.sha256(content).hexdigest() != card.get("sha256"):
        raise CheckpointError(f"{path} is damaged: it is not the file its card was written for")
    with reading(path):
        network = ActorCritic(game, tuple(card["layers"]), advised=card["advisor"] is not None)
        tensors = {name: tensor.float() for name, tensor in parse_tensors(content).items()}
        network.load_state_dict(tensors)
    return network


def load_agent(game: Game, folder: Path) -> NetworkPolicy:
    """An agent as a player, which draws its actions or plays the likeliest as its card says.

    Raises:
        CheckpointError: as `load_network`.
    """
    network = load_network(game, folder)
    card = read_card(folder)
    advisor = None if card["advisor"] is None else named_policy(game, card["advisor"])
    return NetworkPolicy(network, bool(card["deterministic"]), advisor, card)
