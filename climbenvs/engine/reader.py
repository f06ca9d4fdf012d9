"""Reading nested data from outside (deck files, snapshots) with errors that name the spot."""

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from climbenvs.engine.errors import DeckError

REQUIRED: Any = object()
"""Default of a field that must be there."""


class Reader:
    """A mapping from outside, read field by field.

    Args:
        value: the mapping.
        where: what errors call it ("deck.toml: actions[3]", "snapshot").
        error: class of the errors raised.
    """

    def __init__(self, value: Any, where: str, error: type[Exception]) -> None:
        self.where = where
        self.error = error
        self._read: set[str] = set()
        if not isinstance(value, Mapping):
            raise error(f"{where}: found {value!r}, expected a table of fields")
        self._value = value

    def __contains__(self, key: str) -> bool:
        return key in self._value

    def keys(self) -> list[str]:
        """All keys of the mapping."""
        return list(self._value)

    def fail(self, key: str, expected: str) -> Exception:
        """The error for a field, to be raised: names the spot, what was found and expected."""
        spot = f"{self.where}.{key}" if key else self.where
        if key and key not in self._value:
            return self.error(f"{spot}: missing, expected {expected}")
        found = self._value[key] if key else self._value
        return self.error(f"{spot}: found {found!r}, expected {expected}")

    def get(self, key: str, default: Any = REQUIRED, expected: str = "a value") -> Any:
        """The raw value of a field."""
        self._read.add(key)
        if key not in self._value and default is REQUIRED:
            raise self.fail(key, expected)
        return self._value.get(key, default)

    def integer(self, key: str, low: int, high: int, default: Any = REQUIRED) -> int:
        """An integer field in [low, high]; a default is returned as it is."""
        expected = f"an integer from {low} to {high}"
        value = self.get(key, default, expected)
        if key in self._value and (type(value) is not int or not low <= value <= high):
            raise self.fail(key, expected)
        return value

    def choice(self, key: str, allowed: Collection[Any], default: Any = REQUIRED) -> Any:
        """A field that has one of the allowed values (None among them where that is allowed)."""
        expected = "one of " + ", ".join(str(item) for item in allowed)
        value = self.get(key, default, expected)
        if key in self._value and not any(type(value) is type(a) and value == a for a in allowed):
            raise self.fail(key, expected)
        return value

    def items(self, key: str, default: Any = REQUIRED, length: int | None = None) -> list[Any]:
        """A list field, of the given length if one is given."""
        expected = "a list" if length is None else f"a list of {length} entries"
        value = self.get(key, default, expected)
        if not isinstance(value, list | tuple) or (length is not None and len(value) != length):
            raise self.fail(key, expected)
        return list(value)

    def integers(
        self, key: str, low: int, high: int, default: Any = REQUIRED, length: int | None = None
    ) -> list[int]:
        """A list field of integers in [low, high]."""
        values = self.items(key, default, length)
        if any(type(value) is not int or not low <= value <= high for value in values):
            raise self.fail(key, f"integers from {low} to {high}")
        return values

    def choices(
        self,
        key: str,
        allowed: Collection[Any],
        default: Any = REQUIRED,
        length: int | None = None,
    ) -> list[Any]:
        """A list field whose entries have allowed values; the error names the first other one."""
        values = self.items(key, default, length)
        for index, value in enumerate(values):
            if not isinstance(value, str | int | None) or value not in allowed:
                raise self.error(
                    f"{self.where}.{key}[{index}]: found {value!r}, expected one of "
                    + ", ".join(str(item) for item in allowed)
                )
        return values

    def table(self, key: str, default: Any = REQUIRED) -> "Reader":
        """A field that is itself a mapping."""
        value = self.get(key, default, "a table of fields")
        return Reader(value, f"{self.where}.{key}", self.error)

    def tables(
        self, key: str, default: Any = REQUIRED, length: int | None = None
    ) -> list["Reader"]:
        """A list field whose entries are mappings."""
        return [
            Reader(value, f"{self.where}.{key}[{index}]", self.error)
            for index, value in enumerate(self.items(key, default, length))
        ]

    def close(self) -> None:
        """Raise if the mapping has a key that was never read."""
        unknown = [key for key in self._value if key not in self._read]
        if unknown:
            known = ", ".join(sorted(self._read))
            raise self.error(f"{self.where}.{unknown[0]}: unknown field, expected only {known}")


def open_deck_file(path: Path) -> Reader:
    """Open a deck file (TOML).

    Raises:
        DeckError: if the file cannot be read or is no TOML.
    """
    try:
        with path.open("rb") as file:
            content = tomllib.load(file)
    except OSError as problem:
        raise DeckError(f"{path}: cannot be read ({problem.strerror})") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise DeckError(f"{path}: not a TOML file ({problem})") from None
    return Reader(content, str(path), DeckError)


def read_deck_file(path: Path, game: str) -> Reader:
    """Open a deck file (TOML) and check that it is one of the game's.

    Raises:
        DeckError: if the file cannot be read, is no TOML, or is another game's.
    """
    reader = open_deck_file(path)
    reader.choice("game", [game])
    reader.choice("schema" if "schema" in reader else "format", [1])  # either name will do
    reader.get("title", "")  # for people
    return reader


def check_source(entry: Reader, key: str = "source") -> str:
    """Provenance of a deck entry: "rulebook" or "reconstructed"."""
    return entry.choice(key, ("rulebook", "reconstructed"))
