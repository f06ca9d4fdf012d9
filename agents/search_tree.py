"""The compiled half of information-set search: a tree in arrays, and a template that grows it.

See `agents.ismcts`. `Game.bind` makes a game's own copy of the template.
"""

from math import log, sqrt
from typing import Any

import numpy as np

from climbenvs.engine.jit import rule
from climbenvs.engine.random import advance, below, scramble
from climbenvs.engine.rows import clear

NONE = -1
NODE_DTYPE = np.dtype(
    [
        ("parent", np.int32),  # NONE for the root
        ("action", np.int32),  # that leads here
        ("child", np.int32),  # the newest child, or NONE
        ("sibling", np.int32),  # the next older child of the parent, or NONE
        ("visits", np.int32),  # simulations that went through
        ("available", np.int32),  # visits of the parent in whose world the action was legal
    ]
)
# The placeholders that `Game.bind` replaces with a game's rules.
apply: Any = None
legal: Any = None
observe: Any = None
determinize: Any = None
settle: Any = None
paid: Any = None
choose: Any = None
watch: Any = None


@rule
def watch_nothing(s, t, seat, out):
    """What a policy that plays at random needs to see."""


@rule
def add_node(nodes, size, parent, action):
    """Append a child and return its number."""
    node = size[0]
    size[0] += 1
    nodes[node].parent = parent
    nodes[node].action = action
    nodes[node].child = NONE
    nodes[node].visits = 0
    nodes[node].available = 1
    nodes[node].sibling = NONE
    if parent != NONE:
        nodes[node].sibling = nodes[parent].child
        nodes[parent].child = node
    return node


@rule
def count_available(nodes, node, mask):
    """Count the children's availability and mark their actions in the mask with 2.

    Returns how many of the legal actions have a child.
    """
    tried = 0
    child = nodes[node].child
    while child != NONE:
        action = nodes[child].action
        if mask[action] != 0:
            mask[action] = 2
            nodes[child].available += 1
            tried += 1
        child = nodes[child].sibling
    return tried


@rule
def pick_untried(generator, mask, count):
    """One of the `count` actions that are legal and have no child, all equally likely."""
    skip = below(generator, count)
    action = 0
    while True:
        if mask[action] == 1:
            if skip == 0:
                return action
            skip -= 1
        action += 1


@rule
def pick_child(nodes, totals, node, mask, seat, span, exploration):
    """The available child with the highest upper confidence bound for the seat."""
    best = NONE
    best_bound = 0.0
    width = span[1] - span[0]
    child = nodes[node].child
    while child != NONE:
        if mask[nodes[child].action] != 0:
            visits = nodes[child].visits
            mean = totals[child, seat] / visits
            value = (mean - span[0]) / width if width > 0 else 0.5
            bound = value + exploration * sqrt(log(nodes[child].available) / visits)
            if best == NONE or bound > best_bound:
                best = child
                best_bound = bound
        child = nodes[child].sibling
    return best


@rule
def back_up(nodes, totals, node, returns, span):
    """Add the returns of a finished game to a node and all above, and widen their span."""
    for seat in range(returns.shape[0]):
        span[0] = min(span[0], returns[seat])
        span[1] = max(span[1], returns[seat])
    while node != NONE:
        nodes[node].visits += 1
        for seat in range(returns.shape[0]):
            totals[node, seat] += returns[seat]
        node = nodes[node].parent


def search_template(
    root,
    scratch,
    tables,
    seat,
    generator,
    simulations,
    exploration,
    nodes,
    size,
    totals,
    span,
    returns,
    mask,
    observation,
):
    """Run simulations from the record `root[0]`, in which it is the turn of `seat`.

    The tree is `nodes` with `totals` [capacity, P], of which `size[0]` are used, and goes on from
    where it is. `span` [2] holds the smallest and largest return so far. `scratch` [1] is a record,
    `returns` [P] float32, `mask` [N] and `observation` [D] are scratch, too.
    """
    t = tables[0]
    draw = generator[0]
    for _ in range(simulations):
        scratch[0] = root[0]
        s = scratch[0]
        draw.rng = advance(draw.rng)
        s.rng = scramble(draw.rng)
        determinize(s, t, seat)
        clear(mask)
        count = legal(s, t, mask)
        node = 0
        is_new = False
        while s.player >= 0 and not is_new:
            untried = count - count_available(nodes, node, mask)
            if untried > 0:
                action = pick_untried(draw, mask, untried)
                is_new = True
                if size[0] < nodes.shape[0]:
                    node = add_node(nodes, size, node, action)
            else:
                node = pick_child(nodes, totals, node, mask, s.player, span, exploration)
                action = nodes[node].action
            apply(s, t, action)
            count = settle(s, t, mask)
        while s.player >= 0:
            watch(s, t, s.player, observation)
            apply(s, t, choose(observation, mask, draw))
            settle(s, t, mask)
        returns[:] = 0
        paid(s, t, returns)
        back_up(nodes, totals, node, returns, span)
