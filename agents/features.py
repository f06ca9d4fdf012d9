"""Bringing int8 observations into the range networks like."""

import gymnasium
import numpy as np
import torch
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor


class ScaledFeatures(BaseFeaturesExtractor):
    """Divide every element by the largest magnitude its bounds allow.

    Args:
        observation_space: a flat Box whose bounds come from the game's layout.
    """

    def __init__(self, observation_space: gymnasium.spaces.Box) -> None:
        super().__init__(observation_space, observation_space.shape[0])
        low = observation_space.low.astype(np.float32)
        high = observation_space.high.astype(np.float32)
        scale = np.maximum(np.maximum(np.abs(low), np.abs(high)), 1)
        self.register_buffer("scale", torch.as_tensor(1 / scale))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """[B, D] floats to [B, D] floats within [-1, 1]."""
        return observations * self.scale
