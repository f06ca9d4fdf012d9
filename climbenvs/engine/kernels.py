"""The batch loops, written once as templates over a game's verbs.

The functions here name `setup`, `legal`, `apply`, `observe`, `rewards`, `determinize` and
`global_state` as globals; `climbenvs.engine.jit.bind` makes a game's own copy in which these are
its rules. All work on rows `start` to `stop` of `rows`, so that a batch can be cut into chunks for
threads; no result depends on the cut.

`states` is a 1-D array of state records, `tables` an array of one table record, `legal_masks`
[B, N] int8 and `counts` [B] int64 what `legal` says of each row, `streams` [B] uint64 the row's
stream of game seeds (`climbenvs.engine.random`).
"""

from typing import Any

from climbenvs.engine.random import advance, scramble
from climbenvs.engine.rows import clear, copy_row

MAX_DEALS = 1000
"""How often a game is dealt anew because it was over before its first choice."""

# The placeholders that `bind` replaces with a game's rules.
setup: Any = None
legal: Any = None
apply: Any = None
observe: Any = None
rewards: Any = None
determinize: Any = None
global_state: Any = None
settle: Any = None
paid: Any = None
deal: Any = None
choose: Any = None


def settle_template(s, t, mask):
    """Play forced decisions until a real choice or the end; fills the mask, returns its sum."""
    while True:
        clear(mask)
        if s.player < 0:
            return 0
        count = legal(s, t, mask)
        if count != 1:
            return count
        action = 0
        while mask[action] == 0:
            action += 1
        apply(s, t, action)


def paid_template(s, t, out):
    """Add what has been paid so far to `out`, in a game whose rewards all come at the end."""
    if s.player < 0:
        rewards(s, t, out)


def deal_template(states, row, template, streams, t, mask):
    """Start the row's next game; one that ends before its first choice is dealt anew."""
    count = 0
    for _ in range(MAX_DEALS):
        streams[row] = advance(streams[row])
        states[row] = template[0]
        s = states[row]
        s.rng = scramble(streams[row])
        setup(s, t)
        count = settle(s, t, mask)
        if s.player >= 0:
            break
    return count


def reset_template(states, tables, template, streams, rows, legal_masks, counts, start, stop):
    """Start a new game in each row."""
    t = tables[0]
    for k in range(start, stop):
        row = rows[k]
        counts[row] = deal(states, row, template, streams, t, legal_masks[row])


def legal_template(states, tables, rows, legal_masks, counts, start, stop):
    """Fill in masks and counts, playing nothing (after loading a position)."""
    t = tables[0]
    for k in range(start, stop):
        row = rows[k]
        s = states[row]
        clear(legal_masks[row])
        counts[row] = legal(s, t, legal_masks[row]) if s.player >= 0 else 0


def apply_template(states, tables, rows, actions, legal_masks, counts, start, stop):
    """Play one decision in each row and go on to the next choice or the end; no new game."""
    t = tables[0]
    for k in range(start, stop):
        row = rows[k]
        s = states[row]
        apply(s, t, actions[k])
        s.decisions += 1
        counts[row] = settle(s, t, legal_masks[row])


def observe_template(states, tables, rows, seats, observations, start, stop):
    """Write what `seats[k]` may know of row `rows[k]` into `observations[k]`."""
    t = tables[0]
    for k in range(start, stop):
        observe(states[rows[k]], t, seats[k], observations[k])


def global_state_template(states, tables, rows, out, start, stop):
    """Write the global state vector of row `rows[k]` into `out[k]`."""
    t = tables[0]
    for k in range(start, stop):
        global_state(states[rows[k]], t, out[k])


def rewards_template(states, tables, rows, out, start, stop):
    """Write what has been paid in row `rows[k]` so far into `out[k]`."""
    t = tables[0]
    for k in range(start, stop):
        out[k, :] = 0
        paid(states[rows[k]], t, out[k])


def determinize_template(states, tables, rows, seats, seeds, start, stop):
    """Resample in place what `seats[k]` cannot know, with fresh randomness from `seeds[k]`."""
    t = tables[0]
    for k in range(start, stop):
        s = states[rows[k]]
        s.rng = scramble(seeds[k])
        determinize(s, t, seats[k])


def step_template(
    states,
    tables,
    template,
    streams,
    actions,
    legal_masks,
    counts,
    observation,
    action_mask,
    player,
    reward,
    done,
    start,
    stop,
):
    """One decision in each row with same-step autoreset, and everything a learner wants to see."""
    t = tables[0]
    for row in range(start, stop):
        s = states[row]
        mask = legal_masks[row]
        reward[row, :] = 0
        paid(s, t, reward[row])
        for seat in range(reward.shape[1]):
            reward[row, seat] = 0 - reward[row, seat]
        apply(s, t, actions[row])
        s.decisions += 1
        count = settle(s, t, mask)
        paid(s, t, reward[row])
        done[row] = s.player < 0
        if s.player < 0:
            count = deal(states, row, template, streams, t, mask)
        counts[row] = count
        player[row] = s.player
        copy_row(action_mask[row], 0, legal_masks, row)
        observe(s, t, s.player, observation[row])


def choose_template(observations, masks, generators, actions, start, stop):
    """Let a compiled policy choose for rows `start` to `stop`."""
    for k in range(start, stop):
        actions[k] = choose(observations[k], masks[k], generators[k])


def respond_template(
    states,
    tables,
    rows,
    policies,
    policy,
    generators,
    legal_masks,
    counts,
    observation,
    start,
    stop,
):
    """Let a compiled policy play in each row as long as the seat to act is one of its own.

    `policies` [B, P] int64 names the policy of each seat, `generators` [B] each row's generator,
    `observation` [B, D] int8 is scratch.
    """
    t = tables[0]
    for k in range(start, stop):
        row = rows[k]
        s = states[row]
        mask = legal_masks[row]
        while s.player >= 0 and policies[row, s.player] == policy:
            observe(s, t, s.player, observation[row])
            apply(s, t, choose(observation[row], mask, generators[row]))
            s.decisions += 1
            counts[row] = settle(s, t, mask)


def rollout_template(
    states,
    tables,
    template,
    streams,
    generators,
    steps,
    legal_masks,
    counts,
    observation,
    returns,
    games,
    start,
    stop,
):
    """`steps` decisions in each row by a compiled policy, every observation written.

    `returns` [B, P] float64 sums the rewards, `games` [B] int64 counts the finished games.
    """
    t = tables[0]
    for row in range(start, stop):
        s = states[row]
        mask = legal_masks[row]
        count = counts[row]
        for _ in range(steps):
            observe(s, t, s.player, observation[row])
            apply(s, t, choose(observation[row], mask, generators[row]))
            s.decisions += 1
            count = settle(s, t, mask)
            if s.player < 0:
                rewards(s, t, returns[row])
                games[row] += 1
                count = deal(states, row, template, streams, t, mask)
        counts[row] = count
