"""Scripted players."""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below


@rule
def choose_heuristic(observation, action_mask, generator):
    """A legal action, all equally likely."""
    action = below(generator, action_mask.shape[0])
    while not action_mask[action]:
        action = below(generator, action_mask.shape[0])
    return action
