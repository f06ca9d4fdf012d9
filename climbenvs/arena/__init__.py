"""Policies against each other: matches on identical deals with all seat rotations."""

from climbenvs.arena.matches import MatchResult, play_match, share_interval

__all__ = ["MatchResult", "play_match", "share_interval"]
