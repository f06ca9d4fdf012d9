"""The scenarios of Everest Go!: a position, some actions, and what has to come out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import climbenvs.engine.jit
from climbenvs.engine.position import Position
from climbenvs.registry import load

DATA = json.loads((Path(__file__).parent / "scenarios" / "everest_go.json").read_text())
SCENARIOS = DATA["scenarios"]


def play(given: dict, when: list[str]) -> Position:
    game = load("everest_go")
    snapshot = {**DATA["base"], **given}
    position = game.from_dict(snapshot)
    loaded = position.to_dict()
    assert game.from_dict(loaded).to_dict() == loaded
    for name in when:
        position.apply(game.action_layout.encode(name))
    return position


def look_up(position: Position, path: str):
    """The value at a path: a field of the snapshot, or one of the derived values."""
    if path.endswith(")"):
        function, inner = path[:-1].split("(", 1)
        return {"len": len, "sum": sum}[function](look_up(position, inner))
    first, *rest = path.split(".")
    if first in ("scores", "winners"):
        return position.outcome()[first]
    if first == "rewards":
        return position.rewards().tolist()
    if first == "legal":
        return [position.game.action_layout.name(action) for action in position.legal_actions()]
    if first == "obs":
        seat, start, stop = map(int, rest)
        return position.observe(seat)[start:stop].tolist()
    value = position.to_dict()[first]
    for key in rest:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_scenario(scenario):
    position = play(scenario["given"], scenario["when"])
    for path, expected in scenario["then"].items():
        if path == "obs_same_as":
            other = play(scenario["given"], [*scenario["when"][:-1], expected])
            assert other.player == position.player
            seat = position.player
            np.testing.assert_array_equal(position.observe(seat), other.observe(seat))
        elif path == "rewards":
            np.testing.assert_allclose(look_up(position, path), expected, atol=1e-6)
        else:
            assert look_up(position, path) == expected, f"{scenario['id']}: {path}"


def test_every_scenario_is_there():
    assert [s["id"] for s in SCENARIOS] == [f"S{n:02}" for n in range(1, 70)]


@pytest.mark.skipif(not climbenvs.engine.jit.ENABLED, reason="this is the uncompiled run")
def test_scenarios_pass_uncompiled():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    environment = {**os.environ, "CLIMBENVS_JIT": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
