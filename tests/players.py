"""Opponents that the tests can foresee."""

import numpy as np


class FirstLegal:
    """Always the legal action of the smallest number."""

    def act(self, observation, action_mask, rng):
        """Choose; see `climbenvs.policies.Policy.act`."""
        return action_mask.argmax(axis=1)


class LastLegal:
    """Always the legal action of the largest number."""

    def act(self, observation, action_mask, rng):
        """Choose; see `climbenvs.policies.Policy.act`."""
        return action_mask.shape[1] - 1 - action_mask[:, ::-1].argmax(axis=1)


class Cheater:
    """Always an illegal action."""

    def act(self, observation, action_mask, rng):
        """Choose; see `climbenvs.policies.Policy.act`."""
        return np.full(len(observation), -1)
