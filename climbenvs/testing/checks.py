"""All checks of a game together."""

from collections.abc import Iterable, Mapping

from climbenvs.engine.game import Game, GameDefinition
from climbenvs.testing.cases import LONGEST_GAME, Options, Players, cases
from climbenvs.testing.declarations import check_declarations
from climbenvs.testing.features import check_features
from climbenvs.testing.hidden import check_hidden_information
from climbenvs.testing.invariants import check_invariants
from climbenvs.testing.parity import check_rollout, check_threads, check_vector
from climbenvs.testing.processes import check_processes, runs_elsewhere
from climbenvs.testing.snapshots import check_damaged_snapshots, check_snapshots


def check_game(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 3_000,
    seed: int = 0,
    longest_game: int = LONGEST_GAME,
    constant_elements: Mapping[str, str] | None = None,
    unsaved_fields: Iterable[str] | None = None,
    processes: bool | None = None,
    features: bool = True,
) -> None:
    """Check a game, registered or one's own, in every way this package knows.

    Declarations, invariants, snapshots, hidden information, equality of all ways to play (scalar,
    batch, rollout, threads, processes, uncompiled) and constant features; each is a function of
    its own in `climbenvs.testing`.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        decisions: the budget: about so many random decisions are played by each check in all cases
            together, and in every case at least one game.
        seed: of the first game; another one checks other games.
        longest_game: most decisions a game may take.
        constant_elements: elements of observation and global state that may stay constant -> the
            reason; what the game declares if None. See `check_features`.
        unsaved_fields: state fields that a snapshot need not restore, beside `rng` and
            `decisions`; what the game declares if None.
        processes: whether to play in other processes too, one of them uncompiled; by default if
            another process can find the game, that is if it is the `GAME` of its package.
        features: whether to look for constant features; they need many decisions, and only all
            player counts and options together use them all.

    Raises:
        AssertionError: naming game, player count, options, seed, decision and what is wrong.
    """
    check_declarations(game)
    share = max(1, decisions // len(cases(game, num_players, options)))
    chosen = (game, num_players, options)
    check_invariants(*chosen, decisions=share, seed=seed, longest_game=longest_game)
    check_snapshots(*chosen, decisions=share, seed=seed, every=4, unsaved_fields=unsaved_fields)
    check_damaged_snapshots(*chosen, snapshots=1, seed=seed)
    check_hidden_information(*chosen, decisions=share, seed=seed, every=8)
    check_vector(*chosen, decisions=share, seed=seed)
    check_rollout(*chosen, decisions=4 * share, seed=seed)
    check_threads(*chosen, seed=seed)
    if processes or (processes is None and runs_elsewhere(game)):
        check_processes(*chosen, decisions=min(100, share), seed=seed)
    if features:
        check_features(
            *chosen,
            decisions=100 * decisions,
            seed=seed,
            constant_elements=constant_elements,
        )
