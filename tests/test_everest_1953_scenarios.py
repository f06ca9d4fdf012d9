"""The scenarios of 1953 Everest: a position, some actions, and what has to come out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import everest_1953_table as table
import numpy as np
import pytest

import climbenvs.engine.jit
from climbenvs.registry import load

DATA = json.loads((Path(__file__).parent / "scenarios" / "everest_1953.json").read_text())
SCENARIOS = DATA["scenarios"]


def start(scenario):
    snapshot = table.change(DATA["base"], scenario["given"])
    return load("everest_1953").from_dict(snapshot, seed=scenario.get("seed", 0))


def legal_names(position):
    return [position.game.action_layout.name(action) for action in position.legal_actions()]


def payments(position, slot):
    """Every payment for the first hand card in a slot, found by playing it."""
    layout = position.game.action_layout
    before = np.array(position.to_dict()["supply"])
    position = position.clone()
    position.apply(layout.encode("play_card:1"))
    top = position.to_dict()["stack"][-1:]
    if top and top[0][0] == "place":
        position.apply(layout.offset("slot") + slot)
    found = []
    pending = [position]
    while pending:
        position = pending.pop()
        snapshot = position.to_dict()
        if snapshot["stack"] and snapshot["stack"][-1][0] == "pay":
            for action in position.legal_actions():
                branch = position.clone()
                branch.apply(action)
                pending.append(branch)
        else:
            found.append((np.array(snapshot["supply"]) - before).tolist())
    return sorted(found)


def look_up(position, path):
    """The value at a path: a field of the snapshot, or one of the derived values."""
    if path.startswith("len("):
        return len(look_up(position, path[4:-1]))
    first, *rest = path.split(".")
    if first == "legal":
        return legal_names(position)
    if first.startswith("has "):
        return first[4:] in legal_names(position)
    if first == "player":
        return position.player
    if first == "rewards":
        return position.rewards().tolist()
    if first == "payments":
        return payments(position, int(rest[0]))
    if first == "obs":
        return int(position.observe(int(rest[0]))[int(rest[1])])
    if first == "observation without market":
        observation = position.observe(0)
        observation[position.game.observation_layout.slice("market")] = 0
        return {str(i): int(observation[i]) for i in np.flatnonzero(observation)}
    value = position.to_dict()
    if first == "top":
        value, path = value["stack"][-1], rest
    else:
        path = [first, *rest]
    for key in path:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def check(position, expectations):
    for path, expected in expectations.items():
        assert look_up(position, path) == expected, path


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_scenario(scenario):
    position = start(scenario)
    loaded = position.to_dict()
    assert position.game.from_dict(loaded).to_dict() == loaded
    for step in scenario["when"]:
        if isinstance(step, dict):
            check(position, step)
        else:
            position.apply(position.game.action_layout.encode(step))
    check(position, scenario["then"])


def test_every_scenario_is_there():
    numbers = {int(scenario["id"].rstrip("abcd")) for scenario in SCENARIOS}
    assert numbers == set(range(1, 71)) - {56}


def test_the_draft_goes_against_the_turn_order():
    # Scenario 56: three players, the second one begins.
    position = load("everest_1953").start(3, seed=5, first_player=1)
    drafters = []
    while look_up(position, "top.0") == "draft":
        drafters.append(position.player)
        position.apply(position.legal_actions()[0])
    snapshot = position.to_dict()
    assert drafters == [0, 2, 1]
    assert snapshot["week"] == 1
    assert snapshot["start_row"] == []
    assert len(snapshot["everest_discard"]) == 1
    on_levels = sum(sum(map(sum, seat["res"])) for seat in snapshot["seats"])
    assert on_levels == 9
    assert sum(snapshot["supply"]) == 51


@pytest.mark.skipif(not climbenvs.engine.jit.ENABLED, reason="this is the uncompiled run")
def test_scenarios_pass_uncompiled():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    environment = {**os.environ, "CLIMBENVS_JIT": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
