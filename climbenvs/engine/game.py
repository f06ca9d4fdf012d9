"""A game: six rules over one record, a deck, and everything derived from them."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from climbenvs.engine import jit, kernels
from climbenvs.engine.errors import OptionError
from climbenvs.engine.layout import ActionLayout, Layout

VERBS = ("setup", "legal", "apply", "observe", "rewards", "determinize", "global_state")
"""The rules every game has; the last one writes the global state for centralised critics."""

ENGINE_FIELDS = {"rng": "uint64", "num_players": "int", "player": "int", "decisions": "int"}
"""Fields every state record has."""


@dataclass(frozen=True)
class Option:
    """A game option, kept in the state record's field of the same name as a number.

    Args:
        name: keyword of every constructor and field of the state record.
        default: value when not given.
        values: the allowed values in the order of their integers; None for a range.
        low: smallest value of a range.
        high: largest value of a range.
        meaning: one line for the documentation.
        real: whether the range is one of real numbers; the record's field is float64 then.
        words: the allowed values in words where a list of them would be too long.
    """

    name: str
    default: Any
    values: tuple[Any, ...] | None = None
    low: float = 0
    high: float = 0
    meaning: str = ""
    real: bool = False
    words: str = ""

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.words:
            return self.words
        if self.values is None and self.real:
            return f"a number from {self.low} to {self.high}"
        if self.values is None:
            return f"an integer from {self.low} to {self.high}"
        return "one of " + ", ".join(repr(value) for value in self.values)

    def encode(self, value: Any) -> float:
        """Value -> number in the record; OptionError if it is not allowed."""
        if self.values is not None:
            value = tuple(value) if isinstance(value, list) else value
            for index, allowed in enumerate(self.values):
                if type(value) is type(allowed) and value == allowed:
                    return index
        elif isinstance(value, int | np.integer) and not isinstance(value, bool):
            number = float(value) if self.real else int(value)
            if self.low <= number <= self.high:
                return number
        elif self.real and isinstance(value, float | np.floating):
            number = float(value)
            if self.low <= number <= self.high:
                return number
        raise OptionError(f"option {self.name!r} is {value!r}; expected {self.allowed}")

    def decode(self, code: float) -> Any:
        """Number in the record -> value."""
        if self.values is not None:
            return self.values[int(code)]
        return float(code) if self.real else int(code)


@dataclass(frozen=True)
class GameDefinition:
    """Everything a game's package declares, collected once under the name `GAME`.

    Args:
        package: import path of the game's package, in which the definition is called `GAME`.
        name: registry name, also the stem of its modules ("everest_go").
        version: raised by any change to rules, encodings or rewards.
        title: name for people.
        num_players: smallest and largest player count.
        default_players: player count when none is given.
        options: the game's options.
        state_dtype: dtype of the state record, with `ENGINE_FIELDS` and a field per option.
        setup: rule (s, t): deal a fresh game from `s.rng`, up to the first decision.
        legal: rule (s, t, mask) -> count: set the legal actions in a mask that arrives zeroed.
        apply: rule (s, t, action): play one decision and all that follows up to the next.
        observe: rule (s, t, seat, out): write what `seat` may know, every element of `out`.
        rewards: rule (s, t, out): at the end, add each seat's whole reward to `out`.
        determinize: rule (s, t, seat): resample what `seat` cannot know; `s.rng` is fresh.
        global_state: rule (s, t, out): write the state vector, every element of `out`.
        observation: layout of the observation.
        state: layout of the global state.
        actions: layout of the actions.
        read_deck: path or None for the shipped deck -> table array of shape [1]; DeckError.
        to_dict: (record, table record) -> JSON-able snapshot.
        from_dict: (snapshot, record, table record) -> None, fills the record; SnapshotError.
        describe: (record, table record, action) -> text for people.
        draw: (record, table record, seat) -> the table as `seat` sees it, -1: what is open.
        outcome: record, table record -> {"end": cause or None, "scores": [...], "winners": [...]}.
        end_causes: every value of "end" but None, in a fixed order.
        running_rewards: whether some rewards are paid before the end; `rewards` is then called at
            any time and adds the sum so far.
        zero_sum: whether the rewards of a finished game add up to zero.
        cooperative: whether all seats get the same reward.
        hidden_information: whether some seat knows what another does not; False where all seats
            know the same, even if chance is still to come.
        constant_elements: path of elements that (almost) never change, such as
            "observation.seats.0.present" or "state.stacks" -> the reason.
        unsaved_fields: state fields that loading a snapshot need not restore bit by bit, as those
            with remains of earlier moves that have no effect.
        policies: scripted players by name, rules (observation, action_mask, generator) -> action.
        check_options: (player count, options by name) -> None, raises OptionError where options
            that are allowed one by one do not fit together.
    """

    package: str
    name: str
    version: int
    title: str
    num_players: tuple[int, int]
    default_players: int
    options: tuple[Option, ...]
    state_dtype: np.dtype
    setup: Any
    legal: Any
    apply: Any
    observe: Any
    rewards: Any
    determinize: Any
    global_state: Any
    observation: Layout
    state: Layout
    actions: ActionLayout
    read_deck: Callable[[Path | None], np.ndarray]
    to_dict: Callable[[Any, Any], dict[str, Any]]
    from_dict: Callable[[Mapping[str, Any], Any, Any], None]
    describe: Callable[[Any, Any, int], str]
    draw: Callable[[Any, Any, int], str]
    outcome: Callable[[Any, Any], dict[str, Any]]
    end_causes: tuple[str, ...]
    running_rewards: bool = False
    zero_sum: bool = True
    cooperative: bool = False
    hidden_information: bool = True
    constant_elements: Mapping[str, str] = field(default_factory=dict)
    unsaved_fields: tuple[str, ...] = ()
    policies: Mapping[str, Any] = field(default_factory=dict)
    check_options: Callable[[int, Mapping[str, Any]], None] | None = None

    @property
    def stem(self) -> str:
        """Name and version as in module names: `everest_go_v0`."""
        return f"{self.name}_v{self.version}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _definition_at, (self.package,)


def _definition_at(package: str) -> GameDefinition:
    return importlib.import_module(package).GAME


def _shipped_game(package: str) -> "Game":
    """What a pickled game without deck or house rules comes back as: the one loaded by name."""
    from climbenvs.registry import shipped

    return shipped(package)


class Game:
    """A game with a deck and house rules: compiled kernels, layouts, starts and snapshots.

    Args:
        definition: what the game's package declares.
        deck: path of another deck file, None for the shipped one.
        house_rules: name of a rule called anywhere in the game -> the rule to use instead.

    Raises:
        DeckError: if the deck file is damaged or breaks the rulebook's counts.
        KeyError: if a house rule replaces a rule that is called nowhere.
    """

    def __init__(
        self,
        definition: GameDefinition,
        deck: str | Path | None = None,
        house_rules: Mapping[str, Any] | None = None,
    ) -> None:
        self.definition = definition
        self.deck = Path(deck) if deck is not None else None
        self.house_rules = dict(house_rules or {})
        self.name = definition.name
        self.observation_layout = definition.observation
        self.state_layout = definition.state
        self.action_layout = definition.actions
        self.options = {option.name: option for option in definition.options}
        self.tables = as_records(definition.read_deck(self.deck))
        self.t = self.tables[0]
        self._folder = Path(inspect.getfile(jit.plain(definition.apply))).resolve().parent
        self._label = definition.stem
        self._verbs = {verb: getattr(definition, verb) for verb in VERBS}
        if self.house_rules:
            self._label += "_" + "_".join(sorted(self.house_rules))
            self._verbs = jit.substitute(self._verbs, self.house_rules, self._label, self._folder)
        self._kernels: dict[Any, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        if self.deck is None and not self.house_rules:
            return _shipped_game, (self.definition.package,)
        return Game, (self.definition, self.deck, self.house_rules)

    def __copy__(self) -> "Game":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self  # never changes, and a copy would bind all its kernels anew

    def __repr__(self) -> str:
        parts = [self.definition.stem]
        if self.deck is not None:
            parts.append(f"deck={str(self.deck)!r}")
        if self.house_rules:
            parts.append(f"house_rules={sorted(self.house_rules)}")
        return f"Game({', '.join(parts)})"

    @property
    def num_actions(self) -> int:
        """Number of actions N."""
        return self.action_layout.size

    def kernel(self, name: str, policy: Any = None) -> Any:
        """The game's own copy of the template `<name>_template`, made and compiled on first use.

        Args:
            name: name of a template of `climbenvs.engine.kernels` without its suffix.
            policy: for `choose` and `rollout`, the rule that picks the actions.
        """
        key = (name, policy)
        if key not in self._kernels:
            jit.announce_first_compile(self.definition.title, self._label, self._folder)
            label = self._label
            names = dict(self._verbs)
            if policy is not None:
                source = jit.plain(policy)
                label += f".{source.__module__}.{source.__qualname__}".replace("<", "").replace(
                    ">", ""
                )
                names["choose"] = policy
            if name not in ("settle", "choose", "paid"):
                names["settle"] = self.kernel("settle")
            if name in ("step", "rewards"):
                names["paid"] = self._paid()
            if name in ("reset", "step", "rollout"):
                names["deal"] = self.kernel("deal")
            template = getattr(kernels, f"{name}_template")
            self._kernels[key] = jit.bind(template, label, names, self._folder)
        return self._kernels[key]

    def _paid(self) -> Any:
        """The rule (s, t, out) that adds what has been paid so far, at any time."""
        return self._verbs["rewards"] if self.definition.running_rewards else self.kernel("paid")

    def bind(self, template: Any, **rules: Any) -> Any:
        """The game's own copy of a template that is not the engine's, as a search.

        Args:
            template: a plain function whose globals the verbs, `settle`, `paid` and `rules` are to
                be, as in `climbenvs.engine.kernels`.
            **rules: further rules by name.

        Returns:
            A compiled function, or a plain one with `CLIMBENVS_JIT=0`; not kept, so keep it.
        """
        jit.announce_first_compile(self.definition.title, self._label, self._folder)
        names = {**self._verbs, "settle": self.kernel("settle"), "paid": self._paid(), **rules}
        return jit.bind(template, self._label, names, self._folder)

    def encode_options(self, num_players: int | None, options: Mapping[str, Any]) -> np.ndarray:
        """A template record of shape [1]: player count and options set, all else zero.

        Raises:
            OptionError: if the player count or an option is unknown or out of range.
        """
        low, high = self.definition.num_players
        players = self.definition.default_players if num_players is None else num_players
        if isinstance(players, bool) or not isinstance(players, int | np.integer):
            raise OptionError(f"num_players is {players!r}; expected an integer {low}-{high}")
        if not low <= players <= high:
            raise OptionError(f"num_players is {players}; {self.name} takes {low} to {high}")
        unknown = sorted(set(options) - set(self.options))
        if unknown:
            known = ", ".join(self.options) or "none"
            raise OptionError(f"{self.name} has no option {unknown[0]!r}; its options: {known}")
        template = np.zeros(1, self.definition.state_dtype)
        template["num_players"] = players
        for option in self.options.values():
            value = options.get(option.name, option.default)
            template[option.name] = option.encode(value)
        if self.definition.check_options is not None:
            self.definition.check_options(int(players), self.decode_options(template[0]))
        return as_records(template)

    def decode_options(self, record: Any) -> dict[str, Any]:
        """The options set in a record, by name."""
        return {name: option.decode(record[name]) for name, option in self.options.items()}

    def start(self, num_players: int | None = None, seed: int | None = None, **options: Any) -> Any:
        """Start a game and return a `Position` at its first choice.

        Args:
            num_players: number of seats; the game's default if None.
            seed: a non-negative integer; None draws one from the operating system.
            **options: the game's options by name.

        Raises:
            OptionError: if the player count or an option is unknown or out of range.
        """
        from climbenvs.engine.position import Position

        return Position.start(self, num_players, seed, options)

    def from_dict(self, snapshot: Mapping[str, Any], seed: int = 0) -> Any:
        """Load a snapshot as a `Position`; plays nothing, not even a forced decision.

        Args:
            snapshot: as `Position.to_dict` makes it.
            seed: of all chance from there on; a snapshot holds no generator.

        Raises:
            SnapshotError: naming the field that is wrong and what was expected.
        """
        from climbenvs.engine.position import Position

        return Position.from_dict(self, snapshot, seed)


def as_records(array: np.ndarray) -> np.ndarray:
    """An array of records whose rows the rules can use as `s.field`, compiled or not."""
    return array if jit.ENABLED else array.view(np.recarray)
