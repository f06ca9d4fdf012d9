"""Check what must hold at every decision of random games."""

import numpy as np

from climbenvs.engine.errors import GameOverError, IllegalActionError
from climbenvs.engine.game import Game, GameDefinition
from climbenvs.engine.layout import Layout
from climbenvs.engine.position import Position
from climbenvs.testing.cases import (
    LONGEST_GAME,
    Moment,
    Options,
    Players,
    advance,
    cases,
    describe_difference,
    differing_fields,
    global_state,
    observe_all,
    play,
    record_bytes,
)

Bounds = tuple[np.ndarray, np.ndarray]

TEXTS_EVERY = 4
"""Every so many decisions, actions are described and the table is drawn."""


def check_invariants(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 500,
    seed: int = 0,
    longest_game: int = LONGEST_GAME,
) -> None:
    """Play random games and check every position on the way.

    There are at least two legal actions before the end and none after; the player is a seat;
    observations and global state keep their bounds, write every element and change nothing; an
    illegal action is refused and changes nothing; every action can be described; a clone is equal
    and independent; rewards are zero before the end and as declared at the end; the outcome has a
    declared cause and winners that fit the rewards; the tables stay as they are; the game ends.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        decisions: for each case, no game begins after so many decisions.
        seed: of the first game.
        longest_game: most decisions a game may take.

    Raises:
        AssertionError: naming game, player count, options, seed, decision and what is wrong.
    """
    for case in cases(game, num_players, options):
        tables = np.asarray(case.game.tables).tobytes()
        layouts = case.game.observation_layout, case.game.state_layout
        bounds = layouts[0].bounds(), layouts[1].bounds()
        expected: Position | None = None
        for moment in play(case, decisions, seed, longest=longest_game):
            if np.asarray(case.game.tables).tobytes() != tables:
                raise moment.error("a rule has written into the tables")
            if expected is not None and moment.position.num_decisions > 0:
                _compare_clone(moment, expected)
            _check_mask(moment)
            _check_views(moment, *bounds)
            _check_refusals(moment)
            if moment.position.num_decisions % TEXTS_EVERY == 0:
                _check_texts(moment)
            _check_outcome(moment)
            if moment.position.is_over:
                expected = None
            else:
                expected = _play_on_clone(moment)


def _compare_clone(moment: Moment, clone: Position) -> None:
    """The clone played the same action before; both must have become the same position."""
    fields = differing_fields(moment.position, clone)
    if fields:
        raise moment.error(f"a clone plays on differently; it differs in {', '.join(fields)}")


def _play_on_clone(moment: Moment) -> Position:
    position = moment.position
    before = record_bytes(position)
    clone = position.clone()
    if record_bytes(clone) != before or not np.array_equal(
        clone.action_mask(), position.action_mask()
    ):
        raise moment.error("a clone is not equal to its original")
    advance(moment, clone)
    if record_bytes(position) != before:
        raise moment.error("playing on a clone changes the original")
    if clone.num_decisions != position.num_decisions + 1:
        raise moment.error(f"a decision counts as {clone.num_decisions - position.num_decisions}")
    if clone.options != position.options or clone.num_players != int(clone.record["num_players"]):
        raise moment.error("a decision changes the options or the number of players")
    return clone


def _check_mask(moment: Moment) -> None:
    position = moment.position
    mask = position.action_mask()
    total = int(mask.sum())
    claimed = int(position._records.counts[0])
    if not set(np.unique(mask).tolist()) <= {0, 1}:
        raise moment.error(f"the action mask holds {np.unique(mask).tolist()}; expected 0 and 1")
    if total != claimed:
        raise moment.error(f"{total} actions are set in the mask, but legal says {claimed}")
    if not -1 <= position.player < position.num_players:
        raise moment.error(f"the player is {position.player}")
    if position.is_over and total:
        raise moment.error(f"{total} actions are legal after the end")
    if not position.is_over and total < 2:
        raise moment.error(f"{total} actions are legal; expected a choice of at least two")
    position._records.refresh()
    if not np.array_equal(position.action_mask(), mask):
        raise moment.error("the action mask differs when computed again")


def _check_views(moment: Moment, seen: Bounds, known: Bounds) -> None:
    """Observations and global state: bounds, every element written, the record untouched."""
    position, game = moment.position, moment.case.game
    before = record_bytes(position)
    observations = observe_all(position, 77)
    again = observe_all(position, -77)
    state, state_again = global_state(position, 77), global_state(position, -77)
    if record_bytes(position) != before:
        raise moment.error("observing changes the position")
    for seat in range(position.num_players):
        what = f"player_{seat}'s observation"
        _check_vector(moment, game.observation_layout, seen, observations[seat], again[seat], what)
    _check_vector(moment, game.state_layout, known, state, state_again, "the global state")


def _check_vector(
    moment: Moment,
    layout: Layout,
    bounds: Bounds,
    vector: np.ndarray,
    again: np.ndarray,
    what: str,
) -> None:
    if not np.array_equal(vector, again):
        where = describe_difference(layout, vector, again)
        raise moment.error(f"{what} is not written in full or not repeatable: {where}")
    low, high = bounds
    outside = np.flatnonzero((vector < low) | (vector > high))
    if len(outside):
        first = int(outside[0])
        raise moment.error(
            f"{what}: {layout.name_of(first)} is {vector[first]}; "
            f"declared are {low[first]} to {high[first]}"
        )


def _check_refusals(moment: Moment) -> None:
    position = moment.position
    mask = position.action_mask()
    illegal = [-1, len(mask), *np.flatnonzero(mask == 0)[:1].tolist()]
    before = record_bytes(position)
    error = GameOverError if position.is_over else IllegalActionError
    for action in illegal:
        try:
            position.apply(action)
        except error:
            pass
        else:
            raise moment.error(f"the illegal action {action} was played")
        if record_bytes(position) != before or not np.array_equal(position.action_mask(), mask):
            raise moment.error(f"refusing the illegal action {action} has changed the position")


def _check_texts(moment: Moment) -> None:
    position = moment.position
    before = record_bytes(position)
    for action in position.legal_actions():
        text = position.describe(action)
        if not isinstance(text, str) or not text:
            raise moment.error(f"action {action} is described as {text!r}")
    for seat in range(-1, position.num_players):
        if not isinstance(position.draw(seat), str):
            raise moment.error(f"drawing the table for seat {seat} gives no text")
    if record_bytes(position) != before:
        raise moment.error("describing or drawing changes the position")


def _check_outcome(moment: Moment) -> None:
    position = moment.position
    definition = moment.case.game.definition
    outcome, rewards = position.outcome(), position.rewards()
    if set(outcome) != {"end", "scores", "winners"}:
        raise moment.error(f"outcome has the keys {sorted(outcome)}; expected end, scores, winners")
    if len(outcome["scores"]) != position.num_players:
        raise moment.error(f"outcome names {len(outcome['scores'])} scores")
    winners = outcome["winners"]
    seats = range(position.num_players)
    if len(set(winners)) != len(winners) or not all(winner in seats for winner in winners):
        raise moment.error(f"the winners are {winners!r}; expected different seats")
    if not position.is_over:
        if outcome["end"] is not None:
            raise moment.error(f"the end is {outcome['end']!r} while the game runs")
        if not definition.running_rewards and np.any(rewards != 0):
            raise moment.error(f"the rewards are {rewards.tolist()} while the game runs")
        return
    if outcome["end"] not in definition.end_causes:
        raise moment.error(f"the end is {outcome['end']!r}; declared are {definition.end_causes}")
    _check_rewards(moment, rewards, winners)


def _check_rewards(moment: Moment, rewards: np.ndarray, winners: list[int]) -> None:
    definition = moment.case.game.definition
    values = rewards.tolist()
    if not np.all(np.isfinite(rewards)):
        raise moment.error(f"the rewards are {values}")
    if definition.zero_sum and abs(float(rewards.sum())) > 1e-4:
        raise moment.error(f"the rewards {values} do not add up to zero")
    if definition.cooperative and np.any(rewards != rewards[0]):
        raise moment.error(f"the rewards {values} differ in a cooperative game")
    losers = [seat for seat in range(len(values)) if seat not in winners]
    if winners and losers and rewards[winners].min() < rewards[losers].max():
        raise moment.error(f"the winners are {winners}, but the rewards {values}")
