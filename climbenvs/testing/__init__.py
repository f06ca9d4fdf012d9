"""Checks for any game, also for one's own: `climbenvs.testing.check_game(game)`."""

from climbenvs.testing.checks import check_game
from climbenvs.testing.declarations import check_declarations
from climbenvs.testing.digest import trace_digest
from climbenvs.testing.features import check_features
from climbenvs.testing.hidden import check_hidden_information
from climbenvs.testing.invariants import check_invariants
from climbenvs.testing.parity import check_rollout, check_threads, check_vector
from climbenvs.testing.processes import check_processes
from climbenvs.testing.snapshots import check_damaged_snapshots, check_snapshots

__all__ = [
    "check_damaged_snapshots",
    "check_declarations",
    "check_features",
    "check_game",
    "check_hidden_information",
    "check_invariants",
    "check_processes",
    "check_rollout",
    "check_snapshots",
    "check_threads",
    "check_vector",
    "trace_digest",
]
