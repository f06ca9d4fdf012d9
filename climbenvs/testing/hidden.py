"""Check that nobody learns what they cannot know, and that determinisations are sound."""

import random

import numpy as np

from climbenvs.engine.game import Game, GameDefinition
from climbenvs.engine.position import Position
from climbenvs.testing.cases import (
    LONGEST_GAME,
    Case,
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
from climbenvs.testing.snapshots import load_again

PLAYOUT_EVERY = 16
"""Every so many positions checked, a determinised copy is played to its end."""


def check_hidden_information(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    decisions: int = 200,
    seed: int = 0,
    every: int = 1,
) -> None:
    """Resample for every seat what it cannot know, at every decision of random games.

    `determinize` keeps the seat's observation, the player to act, what the seat sees drawn and,
    if it is to act, its mask and the texts of its actions; it keeps in every seat's observation
    the blocks known to "all"; equal seeds give equal copies; the original stays; the copy is a
    valid position and can be played to its end. Over the games, what is hidden varies: the global
    state does, and every block of other seats' observations that is known to its "owner". In a
    game without `hidden_information`, all seats' observations stay as they are.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all if None.
        options: sets of options; all combinations of the enumerated ones if None.
        decisions: for each case, no game begins after so many decisions.
        seed: of the first game.
        every: one of so many positions is checked.

    Raises:
        AssertionError: naming game, player count, options, seed, decision and what differs.
    """
    by_players: dict[int, _Varied] = {}
    for case in cases(game, num_players, options):
        varied = by_players.setdefault(case.num_players, _Varied(case))
        for count, moment in enumerate(play(case, decisions, seed, every=every)):
            if moment.position.is_over:
                continue
            for seat in range(case.num_players):
                _check_seat(moment, seat, varied, count % PLAYOUT_EVERY == 0)
    for varied in by_players.values():
        varied.check()


class _Varied:
    """What determinisations have been seen to change, for one player count.

    Args:
        case: a case of that player count, for messages.
    """

    def __init__(self, case: Case) -> None:
        self.case = case
        self.state = [False] * case.num_players
        self.others = np.zeros((case.num_players, case.game.observation_layout.size), np.bool_)
        definition = case.game.definition
        self.public = np.zeros(definition.observation.size, np.bool_)
        for _, start, block in definition.observation.blocks():
            known = block.known_to == "all" or not definition.hidden_information
            self.public[start : start + block.size] = known

    def check(self) -> None:
        """AssertionError if something hidden was never changed."""
        definition = self.case.game.definition
        if not definition.hidden_information:
            return
        players = self.case.num_players
        where = f"{self.case.game.name} (num_players={players}, all options)"
        for seat in range(players):
            if not self.state[seat]:
                raise AssertionError(
                    f"{where}: determinize for player_{seat} never changes the global state; "
                    "a game in which all know the same declares hidden_information=False"
                )
            for path, start, block in definition.observation.blocks():
                changed = self.others[seat, start : start + block.size]
                if block.known_to == "owner" and players > 1 and not changed.any():
                    raise AssertionError(
                        f"{where}: determinize for player_{seat} never changes "
                        f"what is known to other seats in {path!r}"
                    )


def _check_seat(moment: Moment, seat: int, varied: _Varied, playout: bool) -> None:
    position = moment.position
    before = record_bytes(position)
    first, same, second = (
        position.determinize(seat, resample)
        for resample in (2 * moment.seed, 2 * moment.seed, 2 * moment.seed + 1)
    )
    if record_bytes(position) != before:
        raise moment.error(f"determinize for player_{seat} changes the original")
    if record_bytes(first) != record_bytes(same):
        fields = ", ".join(differing_fields(first, same))
        raise moment.error(f"determinize for player_{seat} differs for equal seeds in {fields}")
    for copy in (first, second):
        _check_copy(moment, seat, copy, varied)
    if playout:
        _play_out(moment, first)


def _check_copy(moment: Moment, seat: int, copy: Position, varied: _Varied) -> None:
    position, definition = moment.position, moment.case.game.definition
    what = f"determinize for player_{seat}"
    if copy.record["rng"] == position.record["rng"]:
        raise moment.error(f"{what} keeps the true future: the generator is the same")
    if copy.player != position.player:
        raise moment.error(f"{what} changes the player to act to {copy.player}")
    mine, theirs = observe_all(position), observe_all(copy)
    if not np.array_equal(mine[seat], theirs[seat]):
        where = describe_difference(definition.observation, mine[seat], theirs[seat])
        raise moment.error(f"{what} changes its observation: {where}; a leak, or unsound")
    changed = np.argwhere((mine != theirs) & varied.public)
    if len(changed):
        viewer, element = changed[0].tolist()
        path = definition.observation.name_of(element)
        raise moment.error(f"{what} changes {path} as player_{viewer} sees it; it is known to all")
    for viewer in (seat, -1):
        if position.draw(viewer) != copy.draw(viewer):
            raise moment.error(f"{what} changes the table drawn for seat {viewer}: a leak")
    if position.player == seat:
        _check_choice(moment, what, copy)
    load_again(moment, copy, f"the copy that {what} makes")
    varied.state[seat] |= not np.array_equal(global_state(position), global_state(copy))
    others = np.arange(len(mine)) != seat
    varied.others[seat] |= np.any(mine[others] != theirs[others], axis=0)


def _check_choice(moment: Moment, what: str, copy: Position) -> None:
    position, layout = moment.position, moment.case.game.action_layout
    mine, theirs = position.action_mask(), copy.action_mask()
    if not np.array_equal(mine, theirs):
        names = ", ".join(layout.name(int(action)) for action in np.flatnonzero(mine != theirs))
        raise moment.error(f"{what} changes its action mask: {names}; a leak, or unsound")
    for action in position.legal_actions():
        if position.describe(action) != copy.describe(action):
            raise moment.error(f"{what} changes the text of {layout.name(action)}: a leak")


def _play_out(moment: Moment, copy: Position) -> None:
    """Random legal play from a determinised copy leads to an end as declared."""
    rng = random.Random(moment.seed)
    for decision in range(LONGEST_GAME):
        if copy.is_over:
            break
        legal = copy.legal_actions()
        # A hidden hand dealt anew may leave its owner no choice in the decision in progress.
        if len(legal) < (2 if decision else 1):
            raise moment.error(f"a determinised copy leads to {len(legal)} legal actions")
        advance(Moment(moment.case, moment.seed, copy, rng.choice(legal)), copy)
    if copy.outcome()["end"] not in moment.case.game.definition.end_causes:
        raise moment.error(f"a determinised copy leads to the end {copy.outcome()['end']!r}")
