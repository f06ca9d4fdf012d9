"""What a self-play learner collects: decisions of all seats, credited to the seats that made them.

A vector step gives one decision per row, of whichever seat is to act there. Every (row, seat) is a
trajectory of its own. The slots of a rollout are P held decisions per row, followed by T steps.
Held is a seat's latest decision when its consequences were not yet known at the end of the rollout
before: neither had the game ended nor the seat been asked again. So every decision is trained once.
"""

from dataclasses import dataclass

import numpy as np


def seat_advantages(
    players: np.ndarray,
    values: np.ndarray,
    rewards: np.ndarray,
    dones: np.ndarray,
    mine: np.ndarray,
    gamma: float,
    gae_lambda: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Generalised advantage estimation (Schulman et al. 2016) along each seat's own decisions.

    Between two decisions of a seat lies one discount, however many the others took; the reward of
    a decision is all that its seat was paid until its next one.

    Args:
        players: [T, B] int, the seat that decided.
        values: [T, B] float, its value estimate then.
        rewards: [T, B, P] float, what the step paid every seat.
        dones: [T, B] bool, whether the step ended the game.
        mine: [T, B] bool, the learner's decisions; the others only pass time.
        gamma: discount per own decision.
        gae_lambda: 0 is one-step, 1 Monte Carlo.

    Returns:
        Advantages [T, B] float32; known [T, B] bool, False where a seat's latest decision still
        waits for its consequences and has no advantage; gained [T, B] float32, what each decision
        was paid so far.
    """
    steps, rows, seats = rewards.shape
    row = np.arange(rows)
    advantages = np.zeros((steps, rows), np.float32)
    known = np.zeros((steps, rows), np.bool_)
    gained = np.zeros((steps, rows), np.float32)
    # Of each seat, looking back from the end: reward since its next decision, and of that one the
    # value, the advantage, and whether there was such a decision or an end.
    paid = np.zeros((rows, seats), np.float32)
    next_value = np.zeros((rows, seats), np.float32)
    next_advantage = np.zeros((rows, seats), np.float32)
    closed = np.zeros((rows, seats), np.bool_)
    for step in range(steps - 1, -1, -1):
        ended = dones[step]
        for array in (paid, next_value, next_advantage):
            array[ended] = 0
        closed[ended] = True
        paid += rewards[step]
        at = row[mine[step]]
        seat = players[step, at]
        surprise = paid[at, seat] + gamma * next_value[at, seat] - values[step, at]
        advantage = surprise + gamma * gae_lambda * next_advantage[at, seat]
        is_known = closed[at, seat]
        advantages[step, at] = np.where(is_known, advantage, 0)
        known[step, at] = is_known
        gained[step, at] = paid[at, seat]
        next_advantage[at, seat] = advantages[step, at]
        next_value[at, seat] = values[step, at]
        closed[at, seat] = True
        paid[at, seat] = 0
    return advantages, known, gained


HELD = ("observation", "mask", "state", "advice", "actions", "log_probs", "values")
"""What is kept of a held decision as it was."""


@dataclass
class Experience:
    """The slots of one rollout: P held ones and T steps, B rows each."""

    observation: np.ndarray
    """[P + T, B, D] int8."""
    mask: np.ndarray
    """[P + T, B, N] int8."""
    state: np.ndarray
    """[P + T, B, S] int8, or S = 0 without a centralised critic."""
    players: np.ndarray
    """[P + T, B] int64, the seat that decided; of held slots, the number of the slot."""
    advice: np.ndarray
    """[P + T, B] int64, an adviser's choice, or zeros without one."""
    actions: np.ndarray
    """[P + T, B] int64."""
    log_probs: np.ndarray
    """[P + T, B] float32, of the action when it was chosen."""
    values: np.ndarray
    """[P + T, B] float32, the estimate when it was chosen."""
    rewards: np.ndarray
    """[P + T, B, P] float32, what the step paid; of held slots, what was gained so far."""
    dones: np.ndarray
    """[P + T, B] bool."""
    mine: np.ndarray
    """[P + T, B] bool, whether the slot holds a decision of the learner."""

    @classmethod
    def empty(
        cls, steps: int, rows: int, seats: int, observation: int, actions: int, state: int
    ) -> "Experience":
        """Slots for T = `steps`, nothing held."""
        slots = (seats + steps, rows)
        players = np.zeros(slots, np.int64)
        players[:seats] = np.arange(seats)[:, None]
        return cls(
            np.zeros((*slots, observation), np.int8),
            np.zeros((*slots, actions), np.int8),
            np.zeros((*slots, state), np.int8),
            players,
            np.zeros(slots, np.int64),
            np.zeros(slots, np.int64),
            np.zeros(slots, np.float32),
            np.zeros(slots, np.float32),
            np.zeros((*slots, seats), np.float32),
            np.zeros(slots, np.bool_),
            np.zeros(slots, np.bool_),
        )

    def finish(self, gamma: float, gae_lambda: float) -> tuple[np.ndarray, np.ndarray]:
        """Advantages [P + T, B] and the flat indices of the decisions to train on."""
        arrays = (self.players, self.values, self.rewards, self.dones, self.mine)
        advantages, self.known, self.gained = seat_advantages(*arrays, gamma, gae_lambda)
        return advantages, np.flatnonzero(self.mine & self.known)

    def hold(self) -> None:
        """Keep the decisions without known consequences for the next rollout; after `finish`."""
        seats = self.rewards.shape[2]
        step, row = np.nonzero(self.mine & ~self.known)
        seat = self.players[step, row]
        for name in HELD:
            array = getattr(self, name)
            array[seat, row] = array[step, row]
        gained = self.gained[step, row]
        self.rewards[:seats] = 0
        self.rewards[seat, row, seat] = gained
        self.mine[:seats] = False
        self.mine[seat, row] = True

    def held(self) -> dict[str, np.ndarray]:
        """Copies of the held slots, for a checkpoint."""
        seats = self.rewards.shape[2]
        names = (*HELD, "rewards", "mine")
        return {name: getattr(self, name)[:seats].copy() for name in names}

    def restore(self, held: dict[str, np.ndarray]) -> None:
        """Put back what `held` returned."""
        for name, array in held.items():
            getattr(self, name)[: len(array)] = array
