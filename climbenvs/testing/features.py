"""Find elements of observation and global state that say nothing."""

from collections.abc import Iterable, Mapping

import numpy as np

from climbenvs.engine.game import Game, GameDefinition
from climbenvs.engine.layout import Layout
from climbenvs.engine.records import Records
from climbenvs.policies import choose_random, generators
from climbenvs.testing.cases import Case, Options, Players, cases

ROWS = 32
"""Games that are played side by side."""

_UNSEEN = 127, -128


def check_features(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 300_000,
    seed: int = 0,
    constant_elements: Mapping[str, str] | None = None,
) -> None:
    """Every element of observation and global state takes at least two values.

    All player counts and options count together, as do all seats, before and after the end.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; if None, all combinations of the enumerated ones and the ends of
            every range.
        decisions: how many are played in all cases together.
        seed: of the first game and of the choices.
        constant_elements: what may stay constant -> the reason; what the game declares if None.
            Elements are named by their path, "observation.seats.0.present[0]" or
            "state.player[3]"; a block's or group's path ("observation.seats.0") stands for all it
            holds.

    Raises:
        AssertionError: naming every constant element that is not listed, and every listed name
            that fits no element.
    """
    chosen = cases(game, num_players, options, extremes=True)
    game = chosen[0].game
    seen = [
        (which, layout, _Range(layout.size))
        for which, layout in (
            ("observation", game.observation_layout),
            ("state", game.state_layout),
        )
    ]
    for number, case in enumerate(chosen):
        steps = max(1, decisions // (ROWS * len(chosen)))
        _watch(case, steps, seed + ROWS * number, seen[0][2], seen[1][2])
    declared = game.definition.constant_elements
    excused = dict(declared if constant_elements is None else constant_elements)
    unused = set(excused)
    constant = []
    for which, layout, values in seen:
        for element, name in enumerate(element_names(which, layout)):
            fitting = {path for path in excused if _fits(path, name)}
            unused -= fitting
            if values.low[element] == values.high[element] and not fitting:
                constant.append(f"{name} is always {values.low[element]}")
    problems = constant + [f"{name} names no element" for name in sorted(unused)]
    if problems:
        more = f"\n  and {len(problems) - 40} more" if len(problems) > 40 else ""
        text = "\n  ".join(problems[:40])
        raise AssertionError(f"{game.name}, after {decisions} random decisions:\n  {text}{more}")


class _Range:
    """Smallest and largest value seen of every element."""

    def __init__(self, size: int) -> None:
        self.low = np.full(size, _UNSEEN[0], np.int8)
        self.high = np.full(size, _UNSEEN[1], np.int8)

    def add(self, vectors: np.ndarray) -> None:
        np.minimum(self.low, vectors.min(axis=0), out=self.low)
        np.maximum(self.high, vectors.max(axis=0), out=self.high)


def element_names(which: str, layout: Layout) -> list[str]:
    """The names of all elements, `observation.seats.0.score[0]`, in order."""
    return [
        f"{which}.{path}[{index}]"
        for path, _, block in layout.blocks()
        for index in range(block.size)
    ]


def _fits(path: str, name: str) -> bool:
    return name == path or name.startswith((f"{path}.", f"{path}["))


def _watch(case: Case, steps: int, seed: int, observed: _Range, state: _Range) -> None:
    """Random play of a batch of games, final positions included."""
    game = case.game
    records = Records(game, ROWS, case.num_players, dict(case.options))
    records.seed(seed)
    records.reset()
    sampler = generators(np.random.default_rng(seed), ROWS)
    choose = game.kernel("choose", choose_random)
    no_observations = np.zeros((ROWS, 0), np.int8)
    actions = np.zeros(ROWS, np.int64)
    views = [np.full(ROWS, seat) for seat in range(case.num_players)]
    for _ in range(steps):
        _add_views(records, views, observed, state)
        choose(no_observations, records.legal_masks, sampler, actions, 0, ROWS)
        records.apply(actions)
        over = np.flatnonzero(records.player < 0)
        if len(over):
            _add_views(records, views, observed, state)
            records.reset(over)


def _add_views(
    records: Records, views: Iterable[np.ndarray], observed: _Range, state: _Range
) -> None:
    for seats in views:
        observed.add(records.observe(seats))
    state.add(records.global_state())
