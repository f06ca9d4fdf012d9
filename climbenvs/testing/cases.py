"""What the checks share: the cases of a game, random play through them, and messages."""

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from climbenvs.engine.errors import OptionError
from climbenvs.engine.game import Game, GameDefinition
from climbenvs.engine.layout import Layout
from climbenvs.engine.position import Position
from climbenvs.registry import load

LONGEST_GAME = 100_000
"""A game that takes more decisions than this under random play counts as one that never ends."""

Players = int | Sequence[int] | None
Options = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


@dataclass(frozen=True)
class Case:
    """A game with a player count and options.

    Args:
        game: the game.
        num_players: seats.
        options: options by name; those not given have their defaults.
    """

    game: Game
    num_players: int
    options: Mapping[str, Any]

    def start(self, seed: int) -> Position:
        """Deal the game of that seed."""
        return self.game.start(self.num_players, seed % 2**64, **self.options)

    def where(self, seed: int | None = None, decision: int | None = None) -> str:
        """What every message begins with."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        parts = [f"num_players={self.num_players}", options or "default options"]
        if seed is not None:
            parts.append(f"seed {seed}")
        if decision is not None:
            parts.append(f"decision {decision}")
        return f"{self.game.name} ({', '.join(parts)})"

    def error(self, what: str, seed: int | None = None, decision: int | None = None) -> Exception:
        """An AssertionError that names the case."""
        return AssertionError(f"{self.where(seed, decision)}: {what}")


@dataclass(frozen=True)
class Moment:
    """A position met in random play.

    Args:
        case: the case it belongs to.
        seed: seed of its game.
        position: the position, played on after the moment is over.
        action: the legal action to be played next; -1 if there is none.
    """

    case: Case
    seed: int
    position: Position
    action: int

    def error(self, what: str) -> Exception:
        """An AssertionError that names case, seed and decision."""
        return self.case.error(what, self.seed, self.position.num_decisions)


MANY_VALUES = 4
"""An option with more values than this takes part in combinations with its default only."""


def option_sets(game: Game, *, extremes: bool = False) -> list[dict[str, Any]]:
    """All combinations of the enumerated options, with defaults for the ranges and long lists.

    Args:
        game: the game.
        extremes: also the ends of every range, with defaults for all else.
    """
    enumerated = [
        option
        for option in game.options.values()
        if len(option.values or ()) in range(1, MANY_VALUES + 1)
    ]
    choices = [option.values or () for option in enumerated]
    names = [option.name for option in enumerated]
    sets = [dict(zip(names, values, strict=True)) for values in itertools.product(*choices)]
    if extremes:
        for option in game.options.values():
            if option.values is None:
                sets += [{option.name: option.low}, {option.name: option.high}]
    return sets


def cases(
    game: str | Game | GameDefinition,
    num_players: Players = None,
    options: Options = None,
    *,
    extremes: bool = False,
) -> list[Case]:
    """The cases to check.

    Args:
        game: name, definition or loaded game.
        num_players: player counts; all of the game's if None.
        options: one or several sets of options; as `option_sets` if None.
        extremes: passed to `option_sets`.
    """
    game = load(game)
    low, high = game.definition.num_players
    if num_players is None:
        num_players = range(low, high + 1)
    elif isinstance(num_players, int):
        num_players = [num_players]
    if options is None:
        return _fitting_cases(game, num_players, option_sets(game, extremes=extremes))
    if isinstance(options, Mapping):
        options = [options]
    sets = [dict(chosen) for chosen in options]
    return [Case(game, players, chosen) for players in num_players for chosen in sets]


def _fitting_cases(
    game: Game, num_players: Iterable[int], sets: Sequence[dict[str, Any]]
) -> list[Case]:
    """Cases of the option sets that fit the player count, and the last fitting value of a list."""
    found = []
    for players in num_players:
        found += [Case(game, players, chosen) for chosen in sets if _fits(game, players, chosen)]
        for option in game.options.values():
            values = option.values or ()
            fitting = [{option.name: v} for v in values if _fits(game, players, {option.name: v})]
            if len(values) > MANY_VALUES:
                found.append(Case(game, players, fitting[-1]))
    return found


def _fits(game: Game, num_players: int, options: Mapping[str, Any]) -> bool:
    """Whether options that are allowed one by one fit together."""
    check = game.definition.check_options
    if check is None:
        return True
    defaults = {name: option.default for name, option in game.options.items()}
    try:
        check(num_players, {**defaults, **options})
    except OptionError:
        return False
    return True


def play(
    case: Case, decisions: int, seed: int, *, every: int = 1, longest: int = LONGEST_GAME
) -> Iterator[Moment]:
    """Random games of seeds `seed`, `seed + 1`, ..., each to its end.

    Args:
        case: what to play.
        decisions: no game begins once so many decisions have been played.
        seed: of the first game and of the choices.
        every: which positions are wanted, one of so many at random.
        longest: most decisions a game may take.

    Yields:
        First positions, final ones, and of those between one of every `every`.

    Raises:
        AssertionError: if a player has nothing to choose or a game does not end.
    """
    rng = random.Random(seed)
    played = 0
    for game_seed in itertools.count(seed):
        position = case.start(game_seed)
        for decision in range(longest + 1):
            legal = position.legal_actions()
            action = rng.choice(legal) if legal else -1
            moment = Moment(case, game_seed, position, action)
            if decision == 0 or position.is_over or every == 1 or rng.random() * every < 1:
                yield moment
            if position.is_over:
                break
            if action < 0:
                raise moment.error(f"player_{position.player} has no legal action")
            if decision == longest:
                raise moment.error(f"the game has not ended after {longest} decisions")
            advance(moment, position)
        played += decision
        if played >= decisions:
            return


def advance(moment: Moment, position: Position) -> None:
    """Play a moment's action on a position; what a rule raises is told where it happened."""
    try:
        position.apply(moment.action)
    except Exception as error:
        name = moment.case.game.action_layout.name(moment.action)
        where = moment.case.where(moment.seed, moment.position.num_decisions)
        error.add_note(f"{where}: while playing {moment.action} ({name})")
        raise


def record_bytes(position: Position) -> bytes:
    """The state record of a position as bytes."""
    return np.asarray(position._records.states).tobytes()


def differing_fields(a: Position, b: Position, ignored: Iterable[str] = ()) -> list[str]:
    """Names of the record fields in which two positions differ."""
    names = a.game.definition.state_dtype.names or ()
    states = a._records.states, b._records.states
    return [
        name
        for name in names
        if name not in ignored and not np.array_equal(states[0][name], states[1][name])
    ]


def observe_all(position: Position, fill: int = 0) -> np.ndarray:
    """Every seat's observation, [P, D] int8, written over elements that were `fill` before."""
    records = position._records
    seats = np.arange(position.num_players)
    out = np.full((len(seats), position.game.observation_layout.size), fill, np.int8)
    return records.observe(seats, np.zeros(len(seats), np.int64), out)


def global_state(position: Position, fill: int = 0) -> np.ndarray:
    """The global state vector, [S] int8, written over elements that were `fill` before."""
    records, game = position._records, position.game
    out = np.full((1, game.state_layout.size), fill, np.int8)
    game.kernel("global_state")(records.states, game.tables, records.rows, out, 0, 1)
    return out[0]


def describe_difference(layout: Layout, a: np.ndarray, b: np.ndarray) -> str:
    """Where two vectors differ, in words: `seats.1.score[0] is 3 and 4 (and 2 more)`."""
    different = np.flatnonzero(a != b)
    first = int(different[0])
    more = f" (and {len(different) - 1} more)" if len(different) > 1 else ""
    return f"{layout.name_of(first)} is {a[first]} and {b[first]}{more}"
