"""Tournaments: who meets whom, played unit by unit into a store, to be resumed at any time."""

import itertools
import json
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from tqdm import tqdm

from climbenvs.arena.games import PlayedGames
from climbenvs.arena.matches import play_games
from climbenvs.arena.players import Player
from climbenvs.arena.store import Field, Store
from climbenvs.engine.game import Game

MOST_LINEUPS = 60
"""Of more line-ups than that a balanced part is played."""
WAIT_SECONDS = 0.2
"""Between two looks whether another process has finished the rest."""


def all_lineups(entrants: list[str], num_players: int, cooperative: bool) -> list[tuple[str, ...]]:
    """The line-ups of a tournament.

    Two rivals: all pairs. More: all sets of distinct entrants, or a balanced part of them, where
    everybody meets everybody about as often; with fewer entrants than seats, all line-ups of at
    least two different ones. In cooperative games and games for one, every entrant by itself.

    Raises:
        ValueError: if rivals have nobody to play against.
    """
    if cooperative or num_players == 1:
        return [(name,) * num_players for name in entrants]
    if len(entrants) < 2:
        raise ValueError("a tournament of rivals needs at least two entrants")
    if len(entrants) >= num_players:
        return _balanced(list(itertools.combinations(entrants, num_players)))
    repeated = itertools.combinations_with_replacement(entrants, num_players)
    return _balanced([lineup for lineup in repeated if len(set(lineup)) > 1])


def _balanced(lineups: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """At most `MOST_LINEUPS` line-ups in which the pairs meet as evenly as can be."""
    if len(lineups) <= MOST_LINEUPS:
        return lineups
    met: dict[tuple[str, str], int] = {}
    left = list(lineups)
    taken: list[tuple[str, ...]] = []

    def familiarity(lineup: tuple[str, ...]) -> int:
        return sum(met.get(pair, 0) ** 2 for pair in itertools.combinations(lineup, 2))

    while len(taken) < MOST_LINEUPS:
        best = min(left, key=familiarity)
        left.remove(best)
        taken.append(best)
        for pair in itertools.combinations(best, 2):
            met[pair] = met.get(pair, 0) + 1
    return taken


@dataclass(frozen=True)
class Unit:
    """The games of a line-up on some deals: what is played and stored at once."""

    lineup: tuple[str, ...]
    deals: range

    def name_in(self, where: Field) -> str:
        """Tells units apart in a store."""
        return json.dumps([where.key, self.lineup, self.deals.start, self.deals.stop])


@dataclass
class Tournament:
    """A tournament of players on the same deals in all rotations of the seats.

    What a game comes to is decided by its deal, its line-up and its unit alone: a tournament that
    was stopped and resumed, or shared by several processes, has the games of an uninterrupted one,
    as far as the players are reproducible.
    """

    game: Game
    entrants: Mapping[str, Player]
    """Name -> player."""
    num_players: int
    deals: int
    """Deals per line-up."""
    store: Store
    seed: int = 0
    """Of the first deal; deal d is dealt with seed + d."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The game's options by name."""
    fingerprints: Mapping[str, str | None] = field(default_factory=dict)
    """Name -> what tells players of one name apart, as the hash of a file."""
    deals_per_unit: int = 250
    num_threads: int = 1
    time_limit: float | None = None
    """Seconds a player may take per decision; see `climbenvs.arena.matches.play_games`."""
    lineups: list[tuple[str, ...]] = field(default_factory=list)
    """Who meets whom; `all_lineups` if empty. Sorted, so that the order of names plays no part."""

    def __post_init__(self) -> None:
        if self.deals < 1 or self.deals_per_unit < 1 or not 0 <= self.seed < 2**62:
            raise ValueError(
                f"deals {self.deals}, deals_per_unit {self.deals_per_unit}, seed {self.seed}: "
                "expected positive numbers of deals and a seed in [0, 2**62)"
            )
        self.field = Field.of(self.game, self.num_players, self.options)
        self.is_shared = self.game.definition.cooperative or self.num_players == 1
        self.rotations = 1 if self.is_shared else self.num_players
        if not self.lineups:
            self.lineups = all_lineups(sorted(self.entrants), self.num_players, self.is_shared)
        self.lineups = [tuple(sorted(lineup)) for lineup in self.lineups]

    @property
    def num_games(self) -> int:
        """Games of the whole tournament."""
        return len(self.lineups) * self.deals * self.rotations

    def units(self) -> list[Unit]:
        """All units; the line-ups take turns, so that an early stop leaves an even picture."""
        starts = range(self.seed, self.seed + self.deals, self.deals_per_unit)
        end = self.seed + self.deals
        return [
            Unit(lineup, range(start, min(start + self.deals_per_unit, end)))
            for start in starts
            for lineup in self.lineups
        ]

    def run(
        self,
        progress: bool = True,
        until: Callable[[], bool] | None = None,
    ) -> None:
        """Play what is not in the store yet.

        Ctrl-C and worse stop it at any time; a later run goes on. If other processes are at work on
        the same store, their units are left to them and waited for.

        Args:
            progress: show a bar.
            until: asked after each unit whether to stop early.

        Raises:
            StoreError: if an entrant is not the one whose games are stored under its name.
        """
        prints = {name: self.fingerprints.get(name) for name in self.entrants}
        self.store.add_entrants(prints)
        self.store.add_field(self.field)
        with tqdm(total=self.num_games, unit=" games", disable=not progress) as bar:
            for unit in self._left(bar):
                bar.set_postfix_str(" - ".join(dict.fromkeys(unit.lineup)))
                self._play(unit, bar)
                if until is not None and until():
                    return

    def games(self) -> PlayedGames:
        """The stored games of this tournament, and not what else the store holds of the field.

        Raises:
            StoreError: if there are none.
        """
        stored = self.store.games(self.field)
        wanted = set(self.lineups)
        names = np.array(stored.entrants, object)
        deals = np.arange(self.seed, self.seed + self.deals, dtype=np.uint64)
        mine = np.isin(stored.deals, deals)
        mine &= np.array([tuple(sorted(names[lineup])) in wanted for lineup in stored.lineups])
        return stored.select(mine)

    def _left(self, bar: tqdm) -> Iterator[Unit]:
        """Units to play, claimed one by one; ends when all are stored."""
        left = self.units()
        while left:
            waiting = []
            for unit in left:
                if self._is_stored(unit):
                    bar.update(len(unit.deals) * self.rotations)
                elif self.store.claim(unit.name_in(self.field)):
                    yield unit
                else:
                    waiting.append(unit)
            if waiting:
                time.sleep(WAIT_SECONDS)
            left = waiting

    def _is_stored(self, unit: Unit) -> bool:
        finished = self.store.finished(self.field, unit.lineup)
        wanted = itertools.product(unit.deals, range(self.rotations))
        return all(game in finished for game in wanted)

    def _play(self, unit: Unit, bar: tqdm) -> None:
        """Play a unit and store it."""
        claim = unit.name_in(self.field)
        try:
            games = play_games(
                self.game,
                self.entrants,
                unit.lineup,
                unit.deals,
                rngs=generators(unit),
                rotations=self.rotations,
                time_limit=self.time_limit,
                num_threads=self.num_threads,
                progress=bar.update,
                **self.options,
            )
        except BaseException:
            self.store.release(claim)
            raise
        self.store.add_games(self.field, games, claim)


def generators(unit: Unit) -> dict[str, np.random.Generator]:
    """The players' generators for a unit, decided by its deals, its line-up and the names."""
    lineup = zlib.crc32(json.dumps(unit.lineup).encode())
    return {
        name: np.random.default_rng([unit.deals.start, lineup, zlib.crc32(name.encode())])
        for name in unit.lineup
    }
