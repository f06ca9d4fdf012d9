"""Policies against each other: matches on equal deals, tournaments, ratings, reports."""

from climbenvs.arena.challenge import challenge
from climbenvs.arena.games import PlayedGames
from climbenvs.arena.matches import MatchResult, play_games, play_match, share_interval
from climbenvs.arena.players import (
    FunctionPolicy,
    OnnxPolicy,
    Player,
    PositionPolicy,
    TorchPolicy,
    Turns,
    resolve,
)
from climbenvs.arena.ratings import Ratings, rate
from climbenvs.arena.report import result_of, write_report
from climbenvs.arena.scores import ScoreTable, tabulate
from climbenvs.arena.sequential import SequentialTest, Verdict
from climbenvs.arena.store import Field, Store, StoreError
from climbenvs.arena.tournament import Tournament

__all__ = [
    "Field",
    "FunctionPolicy",
    "MatchResult",
    "OnnxPolicy",
    "PlayedGames",
    "Player",
    "PositionPolicy",
    "Ratings",
    "ScoreTable",
    "SequentialTest",
    "Store",
    "StoreError",
    "TorchPolicy",
    "Tournament",
    "Turns",
    "Verdict",
    "challenge",
    "play_games",
    "play_match",
    "rate",
    "resolve",
    "result_of",
    "share_interval",
    "tabulate",
    "write_report",
]
