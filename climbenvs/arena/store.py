"""The results of tournaments in one SQLite file: every finished game is a row.

Games are written in whole units, one transaction each, and their key is what decides them: game,
options, line-up, deal and rotation. So a process that is killed at any moment loses at most the
unit it was playing, nothing is stored twice, and several processes may fill one file at once.
"""

import hashlib
import inspect
import json
import os
import platform
import socket
import sqlite3
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import climbenvs
from climbenvs.arena.games import PlayedGames
from climbenvs.engine.errors import ClimbenvsError
from climbenvs.engine.game import Game
from climbenvs.engine.jit import plain

SCHEMA = 1
LEASE_SECONDS = 900.0
"""How long a unit that a process has begun is left to it while nothing is known of its death."""

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE field (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, version INTEGER NOT NULL,
    players INTEGER NOT NULL, variant TEXT NOT NULL, options TEXT NOT NULL,
    UNIQUE (game, version, players, variant, options));
CREATE TABLE entrant (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT);
CREATE TABLE game (
    field INTEGER NOT NULL REFERENCES field, lineup TEXT NOT NULL, deal INTEGER NOT NULL,
    rotation INTEGER NOT NULL, seats TEXT NOT NULL, shares TEXT NOT NULL, rewards TEXT NOT NULL,
    scores TEXT NOT NULL, decisions INTEGER NOT NULL, end TEXT NOT NULL, forfeit TEXT NOT NULL,
    forfeited_by INTEGER NOT NULL, seconds REAL NOT NULL, finished REAL NOT NULL,
    software TEXT NOT NULL, PRIMARY KEY (field, lineup, deal, rotation)) WITHOUT ROWID;
CREATE TABLE claim (
    unit TEXT PRIMARY KEY, host TEXT NOT NULL, process INTEGER NOT NULL, owner TEXT NOT NULL,
    until REAL NOT NULL);
"""
INSERT_GAME = f"INSERT OR IGNORE INTO game VALUES ({', '.join('?' * 15)})"


class StoreError(ClimbenvsError, ValueError):
    """A file is no store, or holds something that does not fit what is to be added."""


@dataclass(frozen=True)
class Field:
    """What makes games comparable: game and version, deck and house rules, seats and options."""

    game: str
    version: int
    num_players: int
    variant: str
    """Hashes of another deck and of house rules; "" for the game as it is shipped."""
    options: Mapping[str, Any]

    @classmethod
    def of(cls, game: Game, num_players: int, options: Mapping[str, Any]) -> "Field":
        """The field of a game; options that are not given have their defaults."""
        record = game.encode_options(num_players, options)[0]
        changes = [
            f"house rule {name} {_digest(game.house_rules[name])}"
            for name in sorted(game.house_rules)
        ]
        if game.deck is not None:
            changes.insert(0, f"deck {hashlib.sha256(game.deck.read_bytes()).hexdigest()}")
        known = game.decode_options(record)
        return cls(game.name, game.definition.version, num_players, ", ".join(changes), known)

    @property
    def key(self) -> tuple[str, int, int, str, str]:
        """The columns of the table."""
        options = json.dumps(dict(self.options), sort_keys=True)
        return self.game, self.version, self.num_players, self.variant, options

    def __str__(self) -> str:
        variant = f", {self.variant}" if self.variant else ""
        return f"{self.game}_v{self.version}, {self.num_players} players{variant}"


class Store:
    """A file of finished games.

    Args:
        path: the file; made if it is not there, unless `read_only`.
        read_only: open it for reading.

    Raises:
        StoreError: if the file is something else, or of a newer version of this package.
        FileNotFoundError: if it is to be read and is not there.
    """

    def __init__(self, path: str | Path, read_only: bool = False) -> None:
        self.path = Path(path)
        if read_only and not self.path.is_file():
            raise FileNotFoundError(f"there is no store {self.path}")
        mode = "ro" if read_only else "rwc"
        uri = f"{self.path.resolve().as_uri()}?mode={mode}"
        self.token = uuid.uuid4().hex
        try:
            self.connection = sqlite3.connect(uri, uri=True, timeout=60, isolation_level=None)
        except sqlite3.Error as problem:
            raise StoreError(f"{self.path} cannot be opened ({problem})") from None
        try:
            if not read_only:
                self._query("PRAGMA journal_mode = WAL")
                with self.transaction():
                    if not self._tables():
                        for statement in TABLES.split(";")[:-1]:
                            self._query(statement)
                        self._query("INSERT INTO meta VALUES ('schema', ?)", (str(SCHEMA),))
            (found,) = self._query("SELECT value FROM meta WHERE key = 'schema'").fetchone()
            schema = int(found)
        except (StoreError, ValueError, TypeError) as problem:
            self.connection.close()
            raise StoreError(f"{self.path} is no store of climbenvs ({problem})") from None
        if schema > SCHEMA:
            self.connection.close()
            raise StoreError(
                f"{self.path} has schema {found}; this version of climbenvs reads up to {SCHEMA}"
            )

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def _query(self, statement: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        try:
            return self.connection.execute(statement, values)
        except sqlite3.Error as problem:
            raise StoreError(f"{self.path}: {problem}") from None

    def _tables(self) -> set[str]:
        rows = self._query("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        tables = {name for (name,) in rows}
        if tables and "meta" not in tables:
            raise StoreError(f"it has the tables {', '.join(sorted(tables))}")
        return tables

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing of what is written in this context."""
        self._query("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._query("ROLLBACK")
            raise
        self._query("COMMIT")

    # --- Who and what ---------------------------------------------------------------------------

    def add_field(self, field: Field) -> int:
        """The number of a field, which is added if it is new."""
        with self.transaction():
            self._query(
                "INSERT OR IGNORE INTO field (game, version, players, variant, options) "
                "VALUES (?, ?, ?, ?, ?)",
                field.key,
            )
        return self._field_number(field)

    def _field_number(self, field: Field) -> int:
        row = self._query(
            "SELECT id FROM field WHERE game = ? AND version = ? AND players = ? "
            "AND variant = ? AND options = ?",
            field.key,
        ).fetchone()
        if row is None:
            there = "; ".join(str(known) for known in self.fields()) or "nothing"
            raise StoreError(f"{self.path} has no games of {field}; there is {there}")
        return int(row[0])

    def fields(self) -> list[Field]:
        """Everything that has been played."""
        rows = self._query("SELECT game, version, players, variant, options FROM field ORDER BY id")
        return [Field(a, b, c, d, json.loads(options)) for a, b, c, d, options in rows]

    def add_entrants(self, fingerprints: Mapping[str, str | None]) -> None:
        """Add those entrants that are new.

        Args:
            fingerprints: name -> what tells two players of one name apart, as the hash of a file.

        Raises:
            StoreError: if a name is there with another fingerprint; nothing has been added then.
        """
        with self.transaction():
            for name, fingerprint in fingerprints.items():
                known = self._query(
                    "SELECT fingerprint FROM entrant WHERE name = ?", (name,)
                ).fetchone()
                if known is not None and known[0] != fingerprint:
                    raise StoreError(
                        f"{self.path}: the entrant {name!r} is not the one whose games are stored "
                        f"(fingerprint {fingerprint}, stored {known[0]}); give it another name"
                    )
                self._query(
                    "INSERT OR IGNORE INTO entrant (name, fingerprint) VALUES (?, ?)",
                    (name, fingerprint),
                )

    def entrants(self) -> dict[str, str | None]:
        """All entrants with their fingerprints."""
        return dict(self._query("SELECT name, fingerprint FROM entrant ORDER BY id").fetchall())

    # --- Games ----------------------------------------------------------------------------------

    def add_games(self, field: Field, games: PlayedGames, claim: str | None = None) -> None:
        """Write finished games in one step, and drop the claim on their unit with it."""
        number = self.add_field(field)
        known = dict(self._query("SELECT name, id FROM entrant").fetchall())
        ids = np.array([known[name] for name in games.entrants])
        software = json.dumps(software_versions(), sort_keys=True)
        finished = time.time()
        rows = [
            (
                number,
                json.dumps(ids[games.lineups[g]].tolist()),
                int(games.deals[g]),
                int(games.rotations[g]),
                json.dumps(ids[seated].tolist()),
                json.dumps(games.shares[g].tolist()),
                json.dumps(games.rewards[g].tolist()),
                json.dumps(games.scores[g].tolist()),
                int(games.decisions[g]),
                games.ends[g],
                games.forfeits[g],
                int(games.forfeited_by[g]),
                float(games.seconds[g]),
                finished,
                software,
            )
            for g, seated in enumerate(games.seated)
        ]
        with self.transaction():
            for row in rows:
                self._query(INSERT_GAME, row)
            if claim is not None:
                self._query("DELETE FROM claim WHERE unit = ?", (claim,))

    def finished(self, field: Field, lineup: Sequence[str]) -> set[tuple[int, int]]:
        """(deal, rotation) of all stored games of a line-up."""
        known = dict(self._query("SELECT name, id FROM entrant").fetchall())
        unknown = [name for name in lineup if name not in known]
        if unknown:
            raise StoreError(f"{self.path} knows no entrant {unknown[0]!r}")
        key = json.dumps([known[name] for name in lineup])
        rows = self._query(
            "SELECT deal, rotation FROM game WHERE field = ? AND lineup = ?",
            (self._field_number(field), key),
        )
        return set(rows.fetchall())

    def games(self, field: Field | None = None) -> PlayedGames:
        """All games of a field, in the order of line-up, deal and rotation.

        Args:
            field: None for the only one there is.

        Raises:
            StoreError: if there are no such games, or several fields to choose from.
        """
        if field is None:
            fields = self.fields()
            if len(fields) != 1:
                there = "; ".join(map(str, fields)) or "nothing"
                raise StoreError(f"{self.path} holds {there}; expected exactly one field")
            field = fields[0]
        rows = self._query(
            "SELECT lineup, deal, rotation, shares, rewards, scores, decisions, end, forfeit, "
            "forfeited_by, seconds FROM game WHERE field = ? ORDER BY lineup, deal, rotation",
            (self._field_number(field),),
        ).fetchall()
        if not rows:
            raise StoreError(f"{self.path} has no games of {field} yet")
        columns: list[Any] = list(zip(*rows, strict=True))
        try:
            for index in (0, 3, 4, 5):
                columns[index] = [json.loads(text) for text in columns[index]]
        except ValueError as problem:
            raise StoreError(f"{self.path} is damaged ({problem})") from None
        ids = np.array(columns[0], np.int64)
        present = np.unique(ids)
        names = dict(self._query("SELECT id, name FROM entrant").fetchall())
        return PlayedGames(
            entrants=tuple(names[int(number)] for number in present),
            deals=np.array(columns[1], np.uint64),
            lineups=np.searchsorted(present, ids),
            rotations=np.array(columns[2], np.int64),
            shares=np.array(columns[3], np.float64),
            rewards=np.array(columns[4], np.float32),
            scores=np.array(columns[5], np.float64),
            decisions=np.array(columns[6], np.int64),
            ends=np.array(columns[7], object),
            forfeits=np.array(columns[8], object),
            forfeited_by=np.array(columns[9], np.int64),
            seconds=np.array(columns[10], np.float64),
        )

    # --- Claims ---------------------------------------------------------------------------------

    def claim(self, unit: str) -> bool:
        """Take a unit of games to play, unless a living process has it."""
        host, process = socket.gethostname(), os.getpid()
        with self.transaction():
            row = self._query(
                "SELECT host, process, until, owner FROM claim WHERE unit = ?", (unit,)
            ).fetchone()
            if row is not None and row[3] != self.token and _is_held(*row[:3]):
                return False
            self._query(
                "INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?)",
                (unit, host, process, self.token, time.time() + LEASE_SECONDS),
            )
        return True

    def release(self, unit: str) -> None:
        """Give a unit back."""
        self._query("DELETE FROM claim WHERE unit = ?", (unit,))

    # --- Exports --------------------------------------------------------------------------------

    def records(self) -> Iterable[dict[str, Any]]:
        """Every game of every field as one flat record, with names instead of numbers."""
        names = dict(self._query("SELECT id, name FROM entrant").fetchall())
        rows = self._query(
            "SELECT f.game, f.version, f.players, f.variant, f.options, g.lineup, g.deal, "
            "g.rotation, g.seats, g.shares, g.rewards, g.scores, g.decisions, g.end, g.forfeit, "
            "g.forfeited_by, g.seconds, g.finished, g.software FROM game g JOIN field f "
            "ON f.id = g.field ORDER BY f.id, g.lineup, g.deal, g.rotation"
        )
        for row in rows:
            record = dict(zip([column[0] for column in rows.description], row, strict=True))
            for name in ("options", "lineup", "seats", "shares", "rewards", "scores", "software"):
                record[name] = json.loads(record[name])
            for name in ("lineup", "seats"):
                record[name] = [names[number] for number in record[name]]
            yield record

    def to_json(self, path: str | Path) -> None:
        """Write all games as a JSON list of objects."""
        Path(path).write_text(json.dumps(list(self.records()), indent=1) + "\n")

    def to_csv(self, path: str | Path) -> None:
        """Write all games as CSV; lists and objects stand in a cell as JSON."""
        import csv

        with Path(path).open("w", newline="") as file:
            writer = None
            for record in self.records():
                cells = {
                    name: json.dumps(value) if isinstance(value, list | dict) else value
                    for name, value in record.items()
                }
                if writer is None:
                    writer = csv.DictWriter(file, list(cells))
                    writer.writeheader()
                writer.writerow(cells)

    def to_parquet(self, path: str | Path) -> None:
        """Write all games as Parquet; needs pyarrow. Objects become JSON texts, lists stay."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            raise ImportError("Parquet needs pyarrow: pip install climbenvs[arena]") from None
        rows = [
            {k: json.dumps(v) if isinstance(v, dict) else v for k, v in record.items()}
            for record in self.records()
        ]
        parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def _digest(rule: Any) -> str:
    """Tells two rules of one name apart by their source, or their code where there is none."""
    function = plain(rule)
    try:
        content = inspect.getsource(function).encode()
    except (OSError, TypeError):
        content = function.__code__.co_code + repr(function.__code__.co_consts).encode()
    return hashlib.sha256(content).hexdigest()


def _is_held(host: str, process: int, until: float) -> bool:
    """Whether whoever claimed a unit is still at it, as far as can be known."""
    if host == socket.gethostname() and os.name == "posix":
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            pass
    return time.time() < until


def software_versions() -> dict[str, str]:
    """What the games were played with."""
    return {
        "climbenvs": climbenvs.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
