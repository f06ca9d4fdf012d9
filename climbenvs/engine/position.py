"""One game in progress: the scalar form for search, analysis, tests and the AEC environment."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from climbenvs.engine.errors import GameOverError, IllegalActionError
from climbenvs.engine.game import Game
from climbenvs.engine.records import Records, check_seed


class Position:
    """A handle on one game. Made by `Game.start` and `Game.from_dict`, not directly.

    Args:
        records: a batch of one.
    """

    def __init__(self, records: Records) -> None:
        self._records = records

    @classmethod
    def start(
        cls, game: Game, num_players: int | None, seed: int | None, options: dict[str, Any]
    ) -> "Position":
        """Deal a game; see `Game.start`."""
        position = cls(Records(game, 1, num_players, options))
        position.restart(check_seed(seed))
        return position

    @classmethod
    def from_dict(cls, game: Game, snapshot: Mapping[str, Any], seed: int = 0) -> "Position":
        """Load a snapshot; see `Game.from_dict`."""
        records = Records(game, 1, None, {})
        records.states["rng"] = check_seed(seed)
        game.definition.from_dict(snapshot, records.states[0], game.t)
        records.num_players = int(records.states["num_players"][0])
        records.template = game.encode_options(
            records.num_players, game.decode_options(records.states[0])
        )
        records.refresh()
        return cls(records)

    @property
    def game(self) -> Game:
        """The game this is a position of."""
        return self._records.game

    @property
    def record(self) -> Any:
        """The state record itself; writing to it bypasses every check."""
        return self._records.states[0]

    @property
    def num_players(self) -> int:
        """Number of seats P."""
        return self._records.num_players

    @property
    def options(self) -> dict[str, Any]:
        """The options of this game by name."""
        return self.game.decode_options(self.record)

    @property
    def player(self) -> int:
        """Seat to act, -1 when the game is over."""
        return int(self._records.player[0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.player < 0

    @property
    def num_decisions(self) -> int:
        """Number of decisions taken so far; forced ones are not counted."""
        return int(self._records.states["decisions"][0])

    def restart(self, seed: int | None = None, snapshot: Mapping[str, Any] | None = None) -> None:
        """Go on to the next game of this position's stream, or to the first one of another seed.

        Args:
            seed: None keeps to the running stream.
            snapshot: start from this position instead of a deal; the stream decides later chance.

        Raises:
            SnapshotError: if the snapshot is damaged, over, or of another player count or other
                options; the game has not been changed then.
        """
        if seed is not None:
            self._records.seed(check_seed(seed))
        if snapshot is None:
            self._records.reset()
        else:
            self._records.load(snapshot)

    def legal_actions(self) -> list[int]:
        """The legal actions in ascending order, empty when the game is over."""
        return np.flatnonzero(self._records.legal_masks[0]).tolist()

    def action_mask(self) -> np.ndarray:
        """Fresh [N] int8 mask of the player to act, all zero when the game is over."""
        return self._records.legal_masks[0].copy()

    def apply(self, action: int) -> None:
        """Play one decision and all that follows, up to the next real choice or the end.

        Args:
            action: a legal action.

        Raises:
            IllegalActionError: naming player and action; nothing has been changed.
            GameOverError: if the game is over.
            TypeError: if the action is not an integer.
        """
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise TypeError(f"action is {action!r}; expected an integer")
        mask = self._records.legal_masks[0]
        if not (0 <= action < len(mask) and mask[action]):
            self._refuse(int(action))
        self._records.apply(np.array([action], np.int64))

    def _refuse(self, action: int) -> None:
        if self.is_over:
            raise GameOverError(f"the game is over, action {action} was not played")
        names = [self.game.action_layout.name(legal) for legal in self.legal_actions()]
        if 0 <= action < self.game.num_actions:
            what = f"action {action} ({self.game.action_layout.name(action)}) is not legal now"
        else:
            what = f"action {action} is not in [0, {self.game.num_actions})"
        raise IllegalActionError(f"player_{self.player}: {what}; legal are {', '.join(names)}")

    def _check_seat(self, seat: int) -> int:
        if not isinstance(seat, int | np.integer) or not 0 <= seat < self.num_players:
            raise ValueError(f"seat is {seat!r}; expected an integer in [0, {self.num_players})")
        return int(seat)

    def observe(self, seat: int) -> np.ndarray:
        """What `seat` may know now: fresh [D] int8."""
        return self._records.observe(np.array([self._check_seat(seat)]))[0]

    def state(self) -> np.ndarray:
        """The global state vector: fresh [S] int8."""
        return self._records.global_state()[0]

    def rewards(self) -> np.ndarray:
        """What each seat has been paid so far, in most games zero until the end: [P] float32."""
        return self._records.rewards()[0]

    def outcome(self) -> dict[str, Any]:
        """Cause of the end (None while the game runs), scores and winners as they stand."""
        return self.game.definition.outcome(self.record, self.game.t)

    def describe(self, action: int) -> str:
        """An action in words, with absolute seats."""
        self.game.action_layout.name(action)
        return self.game.definition.describe(self.record, self.game.t, int(action))

    def draw(self, seat: int) -> str:
        """The table as text, as `seat` sees it; seat -1 sees only what lies open."""
        is_spectator = isinstance(seat, int | np.integer) and seat == -1
        viewer = -1 if is_spectator else self._check_seat(seat)
        return self.game.definition.draw(self.record, self.game.t, viewer)

    def __str__(self) -> str:
        return self.draw(self.player)

    def __repr__(self) -> str:
        who = "over" if self.is_over else f"player_{self.player} to act"
        return f"<{self.game.definition.stem} position, {self.num_players} players, {who}>"

    def to_dict(self) -> dict[str, Any]:
        """The snapshot of this position, JSON-able."""
        return self.game.definition.to_dict(self.record, self.game.t)

    def clone(self) -> "Position":
        """An independent copy that plays on identically."""
        return Position(self._records.clone())

    def __copy__(self) -> "Position":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        return self.clone()

    def determinize(self, seat: int, seed: int | None = None) -> "Position":
        """A copy in which all that `seat` cannot know is resampled; the original stays.

        Args:
            seat: whose knowledge is kept.
            seed: of the resampling and of all later chance; None draws one.
        """
        copy = self.clone()
        copy._records.determinize([self._check_seat(seat)], [check_seed(seed)])
        return copy
