"""Information-set Monte Carlo tree search, compiled, for all games and player counts.

Single-observer ISMCTS (Cowling, Powley, Whitehouse 2012, "Information Set Monte Carlo Tree
Search"): every simulation first draws anew all that the searching seat cannot know, and all chance
to come, then goes down one tree of actions, adds a node, plays out and backs up. The exploration of
an action counts how often it was *available*, for it may be legal in some of the drawn worlds only.
Every node keeps the returns of all seats and is decided for the seat that acts there in the world
of the simulation, so each seat maximises its own reward, be they two, more, a team or one.
"""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.search_tree import NODE_DTYPE, NONE, add_node, search_template, watch_nothing
from climbenvs.engine.game import Game, as_records
from climbenvs.engine.position import Position
from climbenvs.engine.random import GENERATOR_DTYPE
from climbenvs.engine.records import Records, check_seed
from climbenvs.policies import CompiledPolicy, as_policy, choose_random

MOST_NODES = 2**20
"""A tree grows no larger; its leaves are then played out without being added."""
SIMULATIONS_AT_ONCE = 64
"""Simulations between two looks at the clock."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found out about A legal actions.

    `text()` is a table of it.
    """

    game: Game
    seat: int
    """The seat that searched."""
    actions: np.ndarray
    """[A] int64, the legal actions that were tried, the most visited first."""
    visits: np.ndarray
    """[A] int64, simulations that began with the action."""
    values: np.ndarray
    """[A] float64, mean reward of the searching seat after the action."""
    returns: np.ndarray
    """[A, P] float64, mean reward of every seat after the action."""
    available: np.ndarray
    """[A] int64, simulations in whose world the action was legal once it had been tried."""
    simulations: int
    """Simulations in all."""
    principal_variation: tuple[int, ...]
    """The most visited actions one after the other, of whatever seat."""

    @property
    def best(self) -> int:
        """The most visited action; of equals, the one with the highest value."""
        return int(self.actions[np.lexsort((-self.values, -self.visits))[0]])

    def text(self) -> str:
        """A table of the actions."""
        lines = [f"player_{self.seat}, {self.simulations} simulations"]
        for action, visits, value in zip(self.actions, self.visits, self.values, strict=True):
            name = self.game.action_layout.name(int(action))
            lines.append(f"{visits:>8} visits {value:+8.3f}  {name}")
        names = [self.game.action_layout.name(action) for action in self.principal_variation]
        return "\n".join([*lines, f"then {', '.join(names)}"])


class _Tree:
    """The arrays of one search."""

    def __init__(self, game: Game, num_players: int, capacity: int, seed: int) -> None:
        self.nodes = as_records(np.zeros(capacity, NODE_DTYPE))
        self.totals = np.zeros((capacity, num_players))
        self.size = np.zeros(1, np.int64)
        self.span = np.array([np.inf, -np.inf])
        self.scratch = as_records(np.zeros(1, game.definition.state_dtype))
        self.returns = np.zeros(num_players, np.float32)
        self.mask = np.zeros(game.num_actions, np.int8)
        self.observation = np.zeros(game.observation_layout.size, np.int8)
        self.generator = as_records(np.zeros(1, GENERATOR_DTYPE))
        self.generator["rng"] = np.uint64(seed)
        add_node(self.nodes, self.size, NONE, NONE)

    def children(self, node: int) -> list[int]:
        """The children of a node, oldest first."""
        found = []
        child = int(self.nodes["child"][node])
        while child != NONE:
            found.append(child)
            child = int(self.nodes["sibling"][child])
        return found[::-1]


class ISMCTS:
    """A player that searches; a `climbenvs.arena.players.PositionPolicy`.

    A search with a budget in simulations is decided by its seed alone; neither threads nor other
    positions of the batch play a part.

    Args:
        game: the game it plays.
        simulations: how many per decision.
        milliseconds: time per decision instead.
        exploration: weight of the exploration term of UCB1; values are scaled into [0, 1].
        rollout: who plays to the end: "random", a scripted player of the game or a compiled policy.
        num_threads: threads that share the positions of a batch.

    Raises:
        ValueError: if there is no budget, more than one or one that is not positive, or if the
            rollout is none of the game's players.
        TypeError: if the rollout is no compiled policy.
    """

    def __init__(
        self,
        game: Game,
        simulations: int | None = None,
        *,
        milliseconds: float | None = None,
        exploration: float = 0.7,
        rollout: str | CompiledPolicy = "random",
        num_threads: int = 1,
    ) -> None:
        if (simulations is None) == (milliseconds is None):
            raise ValueError("expected a budget in either simulations or milliseconds")
        budget = simulations if milliseconds is None else milliseconds
        if not 0 < budget < np.inf or not 0 <= exploration < np.inf or num_threads < 1:
            raise ValueError(
                f"budget {budget}, exploration {exploration}, num_threads {num_threads}: expected "
                "a positive budget and thread count, and no negative exploration"
            )
        policy = as_policy(game, rollout)
        if not isinstance(policy, CompiledPolicy):
            raise TypeError(f"rollout {rollout!r} is not a compiled policy")
        self.game = game
        self.simulations = simulations
        self.milliseconds = milliseconds
        self.exploration = exploration
        self.num_threads = num_threads
        is_random = policy.choose is choose_random
        observe_rule = game.definition.observe
        self._kernel: Callable[..., None] = game.bind(
            search_template,
            choose=policy.choose,
            watch=watch_nothing if is_random else observe_rule,
        )

    @classmethod
    def from_name(cls, game: Game, text: str, **arguments: Any) -> "ISMCTS":
        """A search from a text like "200", "50ms" or "200,rollout=climber,exploration=1".

        Raises:
            ValueError: naming what was expected.
        """
        budget, *pairs = text.split(",")
        try:
            if budget.endswith("ms"):
                arguments["milliseconds"] = float(budget.removesuffix("ms"))
            else:
                arguments["simulations"] = int(budget)
            for pair in pairs:
                name, _, value = pair.partition("=")
                if name not in ("rollout", "exploration"):
                    raise ValueError(name)
                arguments[name] = value if name == "rollout" else float(value)
        except ValueError:
            raise ValueError(
                f"search {text!r}: expected a budget as 200 or 50ms, after which ,rollout=NAME and "
                ",exploration=NUMBER may stand"
            ) from None
        return cls(game, **arguments)

    def act_on(self, positions: Records, rng: np.random.Generator) -> np.ndarray:
        """Choose one action per row; see `climbenvs.arena.players.PositionPolicy.act_on`."""
        seeds = rng.integers(2**64, size=positions.size, dtype=np.uint64)
        ties = rng.random((positions.size, self.game.num_actions))

        def choose_in(row: int) -> int:
            tree = self._grow(positions.states[row : row + 1], int(seeds[row]))
            children = tree.children(0)
            visits = tree.nodes["visits"][children]
            actions = tree.nodes["action"][children]
            return int(actions[np.lexsort((ties[row, actions], visits))[-1]])

        if self.num_threads == 1:
            return np.array([choose_in(row) for row in range(positions.size)], np.int64)
        with ThreadPoolExecutor(self.num_threads) as pool:
            return np.array(list(pool.map(choose_in, range(positions.size))), np.int64)

    def search(self, position: Position, seed: int | None = None) -> SearchResult:
        """Search a position for the seat to act; hidden cards are drawn anew before anything else.

        Args:
            position: is not changed.
            seed: of the search; None draws one.

        Raises:
            ValueError: if the game is over, or another game than this search was made for.
        """
        if position.is_over:
            raise ValueError("the game is over; there is nothing to search")
        if position.game is not self.game:
            raise ValueError(f"a search of {self.game!r} was given a position of {position.game!r}")
        root = as_records(np.zeros(1, self.game.definition.state_dtype))
        root[0] = position.record
        tree = self._grow(root, check_seed(seed))
        children = np.array(tree.children(0))
        order = children[np.argsort(-tree.nodes["visits"][children], kind="stable")]
        visits = tree.nodes["visits"][order].astype(np.int64)
        returns = tree.totals[order] / visits[:, None]
        return SearchResult(
            game=self.game,
            seat=position.player,
            actions=tree.nodes["action"][order].astype(np.int64),
            visits=visits,
            values=returns[:, position.player],
            returns=returns,
            available=tree.nodes["available"][order].astype(np.int64),
            simulations=int(tree.nodes["visits"][0]),
            principal_variation=tuple(self._principal_variation(tree)),
        )

    @staticmethod
    def _principal_variation(tree: _Tree) -> list[int]:
        """Follow the most visited child from the root to a leaf."""
        actions = []
        node = 0
        while children := tree.children(node):
            node = max(children, key=lambda child: tree.nodes["visits"][child])
            actions.append(int(tree.nodes["action"][node]))
        return actions

    def _grow(self, root: np.ndarray, seed: int) -> _Tree:
        """Search from the record `root[0]` until the budget is used up."""
        seat = int(root["player"][0])
        players = int(root["num_players"][0])
        if self.simulations is not None:
            capacity = min(self.simulations + 1, MOST_NODES)
            tree = _Tree(self.game, players, capacity, seed)
            self._simulate(tree, root, seat, self.simulations)
            return tree
        deadline = time.perf_counter() + self.milliseconds / 1000
        tree = _Tree(self.game, players, MOST_NODES, seed)
        while True:
            self._simulate(tree, root, seat, SIMULATIONS_AT_ONCE)
            if time.perf_counter() >= deadline:
                return tree

    def _simulate(self, tree: _Tree, root: np.ndarray, seat: int, simulations: int) -> None:
        self._kernel(
            root,
            tree.scratch,
            self.game.tables,
            seat,
            tree.generator,
            simulations,
            self.exploration,
            tree.nodes,
            tree.size,
            tree.totals,
            tree.span,
            tree.returns,
            tree.mask,
            tree.observation,
        )
