"""Check that snapshots say all there is to say about a position."""

import copy
import itertools
import json
import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from climbenvs.engine.errors import SnapshotError
from climbenvs.engine.game import Game, GameDefinition
from climbenvs.engine.position import Position
from climbenvs.testing.cases import (
    Moment,
    Options,
    Players,
    cases,
    describe_difference,
    differing_fields,
    global_state,
    observe_all,
    play,
    record_bytes,
)

PLAY_ON_EVERY = 32
"""Every so many positions checked, the loaded position is played to its end beside the original."""

NONSENSE: tuple[Any, ...] = (None, -99, 10**12, 1.5, "nonsense", [], [-99], {}, {"nonsense": 1})
"""What damaged snapshots hold."""


def check_snapshots(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 300,
    seed: int = 0,
    every: int = 1,
    unsaved_fields: Iterable[str] | None = None,
) -> None:
    """Save and load every position of random games.

    A snapshot survives JSON; the loaded position has the same snapshot, player, mask,
    observations, global state, rewards, outcome and options, and the same record but for the
    fields named; given the same generator, it plays on identically. Neither direction changes what
    it reads.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        decisions: for each case, no game begins after so many decisions.
        seed: of the first game.
        every: one of so many positions is checked.
        unsaved_fields: state fields that may differ, beside `rng` and `decisions`; what the game
            declares if None.

    Raises:
        AssertionError: naming game, player count, options, seed, decision and what differs.
    """
    for case in cases(game, num_players, options):
        declared = case.game.definition.unsaved_fields
        ignored = {"rng", "decisions", *(declared if unsaved_fields is None else unsaved_fields)}
        for count, moment in enumerate(play(case, decisions, seed, every=every)):
            before = record_bytes(moment.position)
            loaded = load_again(moment, moment.position, "the position")
            if record_bytes(moment.position) != before:
                raise moment.error("taking a snapshot changes the position")
            compare_positions(moment, loaded, "the loaded position")
            fields = differing_fields(moment.position, loaded, ignored)
            if fields:
                raise moment.error(f"the loaded record differs in {', '.join(fields)}")
            if count % PLAY_ON_EVERY == 0:
                _play_on(moment, loaded, ignored)


def _play_on(moment: Moment, loaded: Position, ignored: Iterable[str]) -> None:
    """Play a clone of the position and the loaded one to their ends with the same actions."""
    rng = random.Random(moment.seed)
    original = moment.position.clone()
    for field in ("rng", "decisions"):
        loaded._records.states[field] = original._records.states[field]
    while True:
        step = Moment(moment.case, moment.seed, original, -1)
        what = f"played on from decision {moment.position.num_decisions}, the loaded position"
        compare_positions(step, loaded, what)
        fields = differing_fields(original, loaded, ignored)
        if fields:
            raise step.error(f"{what} differs in {', '.join(fields)}")
        if original.is_over:
            return
        action = rng.choice(original.legal_actions())
        original.apply(action)
        loaded.apply(action)


def load_again(moment: Moment, position: Position, what: str) -> Position:
    """The position loaded from another one's snapshot, by way of JSON.

    Raises:
        AssertionError: if that is impossible or the snapshots differ.
    """
    snapshot = position.to_dict()
    try:
        text = json.dumps(snapshot, sort_keys=True)
    except TypeError as error:
        raise moment.error(f"the snapshot of {what} does not fit into JSON: {error}") from error
    read = json.loads(text)
    try:
        loaded = moment.case.game.from_dict(read)
    except SnapshotError as error:
        raise moment.error(f"the snapshot of {what} is refused: {error}") from error
    if json.dumps(read, sort_keys=True) != text:
        raise moment.error("loading a snapshot changes it")
    again = loaded.to_dict()
    if json.dumps(again, sort_keys=True) != text:
        keys = [key for key in {**snapshot, **again} if snapshot.get(key) != again.get(key)]
        raise moment.error(f"the snapshot of {what} comes back with another {', '.join(keys)}")
    return loaded


def compare_positions(moment: Moment, other: Position, what: str) -> None:
    """AssertionError unless another position looks like the moment's to everybody."""
    position, game = moment.position, moment.case.game
    for name in ("num_players", "options", "player"):
        mine, theirs = getattr(position, name), getattr(other, name)
        if name == "options":  # those that only deal the game need not be saved
            unsaved = game.definition.unsaved_fields
            mine, theirs = (
                {key: value for key, value in options.items() if key not in unsaved}
                for options in (mine, theirs)
            )
        if mine != theirs:
            raise moment.error(f"{what} has {name} {theirs!r}; expected {mine!r}")
    if not np.array_equal(position.action_mask(), other.action_mask()):
        differs = np.flatnonzero(position.action_mask() != other.action_mask())
        names = ", ".join(game.action_layout.name(int(action)) for action in differs)
        raise moment.error(f"{what} has another action mask: {names}")
    observations = zip(observe_all(position), observe_all(other), strict=True)
    for seat, (mine, theirs) in enumerate(observations):
        if not np.array_equal(mine, theirs):
            where = describe_difference(game.observation_layout, mine, theirs)
            raise moment.error(f"{what} has another observation of player_{seat}: {where}")
    mine, theirs = global_state(position), global_state(other)
    if not np.array_equal(mine, theirs):
        where = describe_difference(game.state_layout, mine, theirs)
        raise moment.error(f"{what} has another global state: {where}")
    if position.outcome() != other.outcome():
        raise moment.error(f"{what} has outcome {other.outcome()}, not {position.outcome()}")
    if not np.array_equal(position.rewards(), other.rewards()):
        raise moment.error(f"{what} has rewards {other.rewards()}, not {position.rewards()}")


def check_damaged_snapshots(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    snapshots: int = 3,
    seed: int = 0,
) -> None:
    """Load snapshots with nonsense in them: each is refused with SnapshotError or does no harm.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        snapshots: how many positions of each case are damaged.
        seed: of the game they come from.

    Raises:
        AssertionError: naming the damage and the error, if it is any other.
    """
    for case in cases(game, num_players, options):
        for moment in itertools.islice(play(case, 1, seed), 0, 8 * snapshots, 8):
            for what, damaged in _damages(moment.position.to_dict()):
                _load_damaged(moment, what, damaged)


def _damages(snapshot: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Copies with nonsense at every place of the two upper levels, and with keys missing."""
    for path in _paths(snapshot):
        name = ".".join(str(key) for key in path)
        for value in NONSENSE:
            damaged = copy.deepcopy(snapshot)
            parent: Any = damaged
            for key in path[:-1]:
                parent = parent[key]
            parent[path[-1]] = value
            yield f"{name} = {value!r}", damaged
    for key in snapshot:
        yield f"no {key}", {k: copy.deepcopy(v) for k, v in snapshot.items() if k != key}
    yield "an unknown key", {**copy.deepcopy(snapshot), "nonsense": 1}


def _paths(snapshot: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    for key, value in snapshot.items():
        yield (key,)
        if isinstance(value, dict):
            yield from ((key, inner) for inner in value)
        elif isinstance(value, list) and value:
            yield (key, len(value) - 1)


def _load_damaged(moment: Moment, what: str, damaged: Any) -> None:
    try:
        moment.case.game.from_dict(damaged)
    except SnapshotError:
        pass
    except Exception as error:
        kind = f"{type(error).__name__}: {error}"
        raise moment.error(
            f"a snapshot with {what} raises {kind}; expected SnapshotError"
        ) from error
