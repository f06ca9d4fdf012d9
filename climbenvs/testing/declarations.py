"""Check what a game declares, without playing it."""

import keyword
from collections.abc import Mapping
from typing import Any

import numpy as np

from climbenvs.engine.errors import OptionError
from climbenvs.engine.game import ENGINE_FIELDS, VERBS, Game, GameDefinition, Option
from climbenvs.engine.layout import Layout
from climbenvs.registry import load

RESERVED_NAMES = frozenset(
    {
        *("game", "num_players", "seed", "deck", "house_rules", "num_envs", "num_threads", "copy"),
        *("render_mode", "opponents", "seat", "illegal_action"),
    }
)
"""Keywords of the constructors, which no option may bear."""


def check_declarations(game: str | Game | GameDefinition) -> None:
    """Check state record, options, layouts and actions as declared.

    The record has the engine's fields and one per option, player counts are in order, every
    option's values survive encoding, block names are unique and their bounds fit int8, and every
    action's name leads back to it.

    Args:
        game: name, definition or loaded game.

    Raises:
        AssertionError: naming the game and what is wrong.
    """
    game = load(game)
    definition = game.definition
    _check_definition(definition)
    _check_record(definition)
    names = [option.name for option in definition.options]
    _require(game.name, len(set(names)) == len(names), f"two options bear one name: {names}")
    for option in definition.options:
        _check_option(definition, option)
    _check_layout(game.name, "observation", definition.observation)
    _check_layout(game.name, "state", definition.state)
    _check_actions(game)


def _require(name: str, condition: Any, what: str) -> None:
    if not condition:
        raise AssertionError(f"{name}: {what}")


def _check_definition(definition: GameDefinition) -> None:
    name = definition.name
    low, high = definition.num_players
    _require(
        name,
        1 <= low <= definition.default_players <= high,
        f"num_players={definition.num_players}, default_players={definition.default_players}; "
        "expected 1 <= lowest <= default <= highest",
    )
    for verb in VERBS:
        _require(name, callable(getattr(definition, verb)), f"{verb} is not a rule")
    _require(
        name,
        not (definition.zero_sum and definition.cooperative and high > 1),
        "zero_sum and cooperative exclude each other",
    )
    causes = definition.end_causes
    _require(
        name,
        causes and len(set(causes)) == len(causes) and None not in causes,
        f"end_causes={causes!r}; expected different texts",
    )


def _check_record(definition: GameDefinition) -> None:
    name, dtype = definition.name, definition.state_dtype
    fields: Mapping[str, Any] = dtype.fields or {}
    for field, kind in ENGINE_FIELDS.items():
        _require(name, field in fields, f"the state record has no field {field!r}")
        found = fields[field][0]
        expected = found == np.dtype(kind) if kind != "int" else found.kind == "i"
        _require(name, expected, f"state field {field!r} is {found}; expected {kind}")
    for option in definition.options:
        _require(name, option.name in fields, f"no state field for option {option.name!r}")
        found = fields[option.name][0]
        if option.real:
            expected = found == np.dtype(np.float64)
            _require(name, expected, f"state field {option.name!r} is {found}; expected float64")
            continue
        _require(
            name,
            found.kind in "iu" and found.shape == (),
            f"the state field of option {option.name!r} is {found}; expected an integer",
        )
        codes = (option.low, option.high) if option.values is None else (len(option.values) - 1,)
        limits = np.iinfo(found)
        _require(
            name,
            all(limits.min <= code <= limits.max for code in codes),
            f"the state field of option {option.name!r} is {found}, too small for its values",
        )


def _check_option(definition: GameDefinition, option: Option) -> None:
    name = definition.name
    valid = option.name.isidentifier() and not keyword.iskeyword(option.name)
    taken = option.name in RESERVED_NAMES or option.name in ENGINE_FIELDS
    _require(name, valid and not taken, f"an option cannot be called {option.name!r}")
    values = (option.low, option.high) if option.values is None else option.values
    for value in (*values, option.default):
        try:
            decoded = option.decode(option.encode(value))
        except OptionError as error:
            raise AssertionError(f"{name}: its own value is refused: {error}") from error
        _require(
            name,
            decoded == value,
            f"option {option.name!r}: {value!r} comes back as {decoded!r}; are values repeated?",
        )


def _check_layout(name: str, which: str, layout: Layout) -> None:
    _require(name, layout.size > 0, f"the {which} layout is empty")
    paths = set()
    end = 0
    for path, start, block in layout.blocks():
        what = f"{which} block {path!r}"
        _require(name, path not in paths, f"{what} appears twice")
        _require(name, start == end, f"{what} begins at {start}; expected {end}")
        _require(name, block.size > 0, f"{what} has {block.size} elements")
        _require(
            name,
            -128 <= block.low <= block.high <= 127,
            f"{what} is bounded by {block.low} and {block.high}; expected an int8 range",
        )
        paths.add(path)
        end = start + block.size
    _require(name, end == layout.size, f"the {which} layout has {layout.size} elements, not {end}")


def _check_actions(game: Game) -> None:
    layout = game.action_layout
    _require(game.name, layout.size == len(set(layout.names)), "two actions have the same name")
    _require(game.name, layout.size > 1, f"there are {layout.size} actions")
    for action in range(layout.size):
        text = layout.name(action)
        _require(
            game.name,
            layout.encode(text) == action,
            f"action {action} is called {text!r}, which is {layout.encode(text)}",
        )
        name, index = layout.decode(action)
        axes = next(block.axes for block in layout.blocks if block.name == name)
        labels = [axis[i] for axis, i in zip(axes, index, strict=True)]
        again = ":".join([name, *labels])
        _require(game.name, again == text, f"action {action} ({text}) decodes to {again!r}")
