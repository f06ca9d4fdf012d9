"""Named blocks of observation vectors and of action numbers.

Sizes, offsets, bounds, decoding and the documentation tables all derive from one layout.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Block:
    """A named run of int8 elements.

    Args:
        name: unique within its layout.
        size: number of elements.
        low: smallest value of every element.
        high: largest value of every element.
        meaning: one line for the documentation.
        known_to: whose knowledge it is ("all", "owner", "observer", "decider").
    """

    name: str
    size: int
    low: int = 0
    high: int = 1
    meaning: str = ""
    known_to: str = "all"


@dataclass(frozen=True)
class Group:
    """A layout repeated `count` times, one after the other (one per seat, per body part, ...)."""

    name: str
    count: int
    layout: "Layout"
    meaning: str = ""
    known_to: str = "all"

    @property
    def size(self) -> int:
        """Number of elements of all repetitions together."""
        return self.count * self.layout.size


@dataclass(frozen=True)
class Layout:
    """An ordered list of blocks and groups that makes up one int8 vector.

    Args:
        entries: blocks and groups in their order.
    """

    entries: tuple[Block | Group, ...]
    size: int = field(init=False)
    _offsets: dict[str, int] = field(init=False, repr=False, compare=False)

    def __init__(self, *entries: Block | Group) -> None:
        offsets: dict[str, int] = {}
        size = 0
        for entry in entries:
            if entry.name in offsets:
                raise ValueError(f"block {entry.name!r} appears twice in a layout")
            offsets[entry.name] = size
            size += entry.size
        object.__setattr__(self, "entries", entries)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "_offsets", offsets)

    def offset(self, name: str) -> int:
        """Index of the first element of a block or group; KeyError names the known ones."""
        try:
            return self._offsets[name]
        except KeyError:
            raise KeyError(f"no block {name!r}; there are {', '.join(self._offsets)}") from None

    def slice(self, name: str) -> slice:
        """The elements of a block or group, as a slice of the last axis."""
        start = self.offset(name)
        return slice(start, start + self[name].size)

    def __getitem__(self, name: str) -> Block | Group:
        self.offset(name)
        return next(entry for entry in self.entries if entry.name == name)

    def blocks(self, prefix: str = "", start: int = 0) -> Iterator[tuple[str, int, Block]]:
        """Every block with its full path (`seats.1.hand_size`) and offset, groups unrolled."""
        for entry in self.entries:
            path = prefix + entry.name
            if isinstance(entry, Block):
                yield path, start, entry
                start += entry.size
                continue
            for index in range(entry.count):
                for inner, offset, block in entry.layout.blocks(f"{path}.{index}.", start):
                    if block.known_to == "all" != entry.known_to:
                        block = replace(block, known_to=entry.known_to)
                    yield inner, offset, block
                start += entry.layout.size

    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest value of every element, two int8 arrays of shape [size]."""
        low = np.empty(self.size, np.int8)
        high = np.empty(self.size, np.int8)
        for _, start, block in self.blocks():
            low[start : start + block.size] = block.low
            high[start : start + block.size] = block.high
        return low, high

    def decode(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """Split vectors of shape [..., size] into named views, keyed by full path."""
        vector = np.asarray(vector)
        if vector.shape[-1] != self.size:
            raise ValueError(f"expected a last axis of {self.size} elements, got {vector.shape}")
        return {
            path: vector[..., start : start + block.size] for path, start, block in self.blocks()
        }

    def name_of(self, element: int) -> str:
        """Path and index of one element, for messages (`seats.1.score[0]`)."""
        for path, start, block in self.blocks():
            if start <= element < start + block.size:
                return f"{path}[{element - start}]"
        raise IndexError(f"element {element} is not in [0, {self.size})")


@dataclass(frozen=True)
class ActionBlock:
    """A named run of action numbers, indexed by zero or more axes of labels (row-major).

    Args:
        name: first part of the canonical names, as `play` in `play:head_3`.
        axes: for each index, the labels it runs over.
        meaning: one line for the documentation.
        secret: whether only the seat that plays it knows which action it was; renderings show
            the other seats no more than that a decision was taken.
    """

    name: str
    axes: tuple[Sequence[str], ...] = ()
    meaning: str = ""
    secret: bool = False

    @property
    def size(self) -> int:
        """Number of action numbers in the block."""
        return prod(len(axis) for axis in self.axes)


class ActionLayout:
    """An ordered list of action blocks that makes up `Discrete(size)`.

    Args:
        blocks: the blocks in their order.
    """

    def __init__(self, *blocks: ActionBlock) -> None:
        self.blocks = blocks
        self.names: list[str] = []
        self._offsets: dict[str, int] = {}
        for block in blocks:
            if block.name in self._offsets:
                raise ValueError(f"action block {block.name!r} appears twice")
            self._offsets[block.name] = len(self.names)
            for index in np.ndindex(*(len(axis) for axis in block.axes)):
                labels = [axis[i] for axis, i in zip(block.axes, index, strict=True)]
                self.names.append(":".join([block.name, *labels]))
        self._numbers = {name: number for number, name in enumerate(self.names)}
        if len(self._numbers) != len(self.names):
            raise ValueError("two actions of a layout have the same name")

    @property
    def size(self) -> int:
        """Number of actions."""
        return len(self.names)

    def offset(self, block: str) -> int:
        """Number of the first action of a block."""
        return self._offsets[block]

    def encode(self, name: str) -> int:
        """Canonical name -> action number; ValueError if there is no such action."""
        try:
            return self._numbers[name]
        except KeyError:
            raise ValueError(f"no action is called {name!r}") from None

    def decode(self, action: int) -> tuple[str, tuple[int, ...]]:
        """Action number -> block name and the index on each of its axes."""
        for block in reversed(self.blocks):
            start = self._offsets[block.name]
            if start <= action < start + block.size:
                shape = tuple(len(axis) for axis in block.axes)
                index: Any = np.unravel_index(action - start, shape) if shape else ()
                return block.name, tuple(int(i) for i in index)
        raise ValueError(f"action {action} is not in [0, {self.size})")

    def is_secret(self, action: int) -> bool:
        """Whether only the seat that plays the action knows which one it was."""
        block, _ = self.decode(action)
        return next(entry.secret for entry in self.blocks if entry.name == block)

    def name(self, action: int) -> str:
        """Action number -> canonical name."""
        if not 0 <= action < self.size:
            raise ValueError(f"action {action} is not in [0, {self.size})")
        return self.names[action]
