"""Golden games: short transcripts that may change only together with a game's version.

Each line is a decision: who, what, and a checksum of the observation and mask the seat had. After a
deliberate change, raise the version and rewrite the files with `GOLDEN_REWRITE=1 pytest
tests/test_golden.py`.
"""

import os
import random
import re
import zlib
from pathlib import Path

import pytest
from conftest import GAMES

from climbenvs.registry import load

FOLDER = Path(__file__).parent / "golden"
DECISIONS = 40
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def transcript(name, num_players):
    """The first decisions of a seeded game of random play, and the table after them."""
    game = load(name)
    position = game.start(num_players, seed=1953)
    choices = random.Random(1953)
    lines = [f"{game.definition.stem}, {num_players} players, seed 1953"]
    for number in range(1, DECISIONS + 1):
        if position.is_over:
            break
        seat = position.player
        seen = position.observe(seat).tobytes() + position.action_mask().tobytes()
        action = choices.choice(position.legal_actions())
        what = position.describe(action)
        lines.append(f"{number:3}  {zlib.crc32(seen):08x}  player_{seat}: {what}")
        position.apply(action)
    lines += ["", COLOURS.sub("", position.draw(-1)), ""]
    return "\n".join(line.rstrip() for line in "\n".join(lines).split("\n"))


def player_counts(name):
    """Every player count of a game."""
    low, high = load(name).definition.num_players
    return range(low, high + 1)


@pytest.mark.parametrize(("name", "players"), [(n, p) for n in GAMES for p in player_counts(n)])
def test_a_golden_game_stays_as_it_is(name, players):
    path = FOLDER / f"{load(name).definition.stem}_{players}.txt"
    played = transcript(name, players)
    if os.environ.get("GOLDEN_REWRITE"):
        FOLDER.mkdir(exist_ok=True)
        path.write_text(played)
    assert played == path.read_text(), f"{path.name}: raise the game's version and rewrite it"
