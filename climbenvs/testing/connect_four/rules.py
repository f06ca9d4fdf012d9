"""Connect Four: drop a stone into one of seven columns; four in a line wins.

The smallest complete game: state, rules and observation in one file. Cell `7 * row + column`, row 0
at the bottom. Nothing is hidden and nothing is random.
"""

import numpy as np

from climbenvs.engine.jit import rule
from climbenvs.engine.layout import ActionBlock, ActionLayout, Block, Layout
from climbenvs.engine.rows import copy_row

COLUMNS = 7
ROWS = 6
CELLS = COLUMNS * ROWS

STATE_DTYPE = np.dtype(
    [
        ("rng", np.uint64),  # the engine's generator, unused here
        ("num_players", np.int16),  # always 2
        ("player", np.int16),  # seat to act, -1 when over
        ("decisions", np.int32),  # choices made, counted by the engine
        ("stones", np.int8, (2, CELLS)),  # 1 where the seat has a stone
        ("height", np.int8, COLUMNS),  # stones in each column
        ("winner", np.int16),  # seat that made four, -1 if nobody
    ]
)

ACTIONS = ActionLayout(
    ActionBlock("drop", (tuple(str(c) for c in range(COLUMNS)),), "drop a stone into the column")
)
OBSERVATION = Layout(
    Block("own", CELLS, meaning="own stones, row by row from the bottom"),
    Block("other", CELLS, meaning="the other seat's stones"),
)
STATE = Layout(
    Block("stones", 2 * CELLS, meaning="stones of seat 0, then of seat 1"),
    Block("player", 2, meaning="seat to act, one-hot"),
)
DIRECTIONS = np.array([(0, 1), (1, 0), (1, 1), (1, -1)], np.int64)


@rule
def setup(s, t):
    """An empty board; seat 0 begins."""
    s.winner = -1
    s.player = 0


@rule
def legal(s, t, mask):
    """Every column that is not full."""
    count = 0
    for column in range(COLUMNS):
        if s.height[column] < ROWS:
            mask[column] = 1
            count += 1
    return count


@rule
def run_length(stones, row, column, row_step, column_step):
    """Stones in a line from a cell, the cell itself not counted."""
    length = 0
    row += row_step
    column += column_step
    while 0 <= row < ROWS and 0 <= column < COLUMNS and stones[COLUMNS * row + column]:
        length += 1
        row += row_step
        column += column_step
    return length


@rule
def makes_four(stones, row, column):
    """Whether the stone in a cell is part of a line of four or more."""
    for d in range(4):
        down, right = DIRECTIONS[d]
        length = 1 + run_length(stones, row, column, down, right)
        if length + run_length(stones, row, column, -down, -right) >= 4:
            return True
    return False


@rule
def apply(s, t, action):
    """Drop a stone; the game ends with four in a line or a full board."""
    seat = s.player
    row = s.height[action]
    s.stones[seat, COLUMNS * row + action] = 1
    s.height[action] = row + 1
    if makes_four(s.stones[seat], row, action):
        s.winner = seat
        s.player = -1
    elif board_is_full(s):
        s.player = -1
    else:
        s.player = 1 - seat


@rule
def board_is_full(s):
    """Whether no column takes another stone."""
    for column in range(COLUMNS):
        if s.height[column] < ROWS:
            return False
    return True


@rule
def rewards(s, t, out):
    """1 for four in a line and -1 for the other seat; 0 each for a full board."""
    if s.winner >= 0:
        out[s.winner] += 1
        out[1 - s.winner] -= 1


@rule
def observe(s, t, seat, out):
    """Own stones, then the other seat's."""
    copy_row(out, 0, s.stones, seat)
    copy_row(out, CELLS, s.stones, 1 - seat)


@rule
def global_state(s, t, out):
    """Stones by seat, and who is to act."""
    copy_row(out, 0, s.stones, 0)
    copy_row(out, CELLS, s.stones, 1)
    out[2 * CELLS] = s.player == 0
    out[2 * CELLS + 1] = s.player == 1


@rule
def determinize(s, t, seat):
    """Nothing is hidden."""
