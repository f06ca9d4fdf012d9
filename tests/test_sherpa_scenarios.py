"""The scenarios of Sherpa: a position, some actions, and what has to come out."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import climbenvs.engine.jit
from climbenvs.games.sherpa import GAME, chance, rules
from climbenvs.games.sherpa.actions import card_id
from climbenvs.games.sherpa.chance import draw_token
from climbenvs.games.sherpa.state import NUM_KINDS, RESOURCES
from climbenvs.registry import load

DATA = json.loads((Path(__file__).parent / "scenarios" / "sherpa.json").read_text())
SCENARIOS = DATA["scenarios"]


class Table:
    """A record and the bare rules: forced decisions are listed and played like others."""

    def __init__(self, scenario):
        self.game = load("sherpa")
        self.position = self.game.from_dict(snapshot(self.game, scenario))
        self.s, self.t = self.position.record, self.game.t
        self.script(scenario["given"].get("draws", []))

    def script(self, draws):
        """Seed the record so that exactly these tokens are drawn next."""
        for seed in range(100_000):
            probe = self.position.clone().record
            probe["rng"] = seed
            for wanted in draws:
                resource = int(draw_token(probe))
                if RESOURCES[resource] != wanted:
                    break
                probe["box"][resource] -= 1
            else:
                self.s["rng"] = seed
                return
        raise AssertionError(f"no seed draws {draws}")

    def legal(self):
        """The texts of the legal actions and their numbers."""
        if self.s["player"] < 0:
            return {}
        mask = np.zeros(self.game.num_actions, np.int8)
        count = GAME.legal(self.s, self.t, mask)
        actions = {GAME.describe(self.s, self.t, int(a)): int(a) for a in np.flatnonzero(mask)}
        assert len(actions) == count == mask.sum()
        return actions

    def play(self, text):
        """Play one action, forced or not."""
        GAME.apply(self.s, self.t, self.legal()[text])

    def rewards(self):
        """Final rewards by seat."""
        out = np.zeros(int(self.s["num_players"]), np.float32)
        GAME.rewards(self.s, self.t, out)
        return out


def deck_counts(game):
    return Counter({card_id(game.t, k): int(game.t["counts"][k]) for k in range(NUM_KINDS)})


def spread_tokens(line, tokens, players):
    boards = [{} for _ in range(players)]
    for name in line:
        if ":" in name:
            seat, slot = name.split(":")
            boards[int(seat)][slot] = tokens.get(name, [0, 0, 0])
    return boards


def snapshot(game, scenario):
    """The full snapshot that a scenario's shorthand stands for."""
    given, players = dict(scenario["given"]), scenario["players"]
    line = given.get("line", DATA["base"]["lines"][str(players)])
    hands = [given.get("hands", {}).get(str(seat), {}) for seat in range(players)]
    pile = given.get("pile", DATA["base"]["pile"])
    rest = deck_counts(game) - sum(map(Counter, hands), Counter()) - Counter(pile)
    if "rest" in given:
        hands[given["rest"]] = dict(Counter(hands[given["rest"]]) + rest)
        rest = Counter()
    turn = given.get("turn", 0)
    return {
        "game": "sherpa",
        "version": 1,
        "players": players,
        "options": {"max_rounds": 200},
        "round": given.get("round", 2),
        "order": list(range(players)),
        "turn": turn,
        "stage": given.get("stage", "play"),
        "decision": given.get("stage", "play"),
        "to_act": turn,
        "pending": {},
        "points": given.get("points", 0),
        "climbed": False,
        "added": False,
        "line": line,
        "blizzards": [
            {"pos": position, "dir": direction, "state": "settled"}
            for position, direction in given.get("blizzards", [])
        ],
        "tokens": spread_tokens(line, given.get("tokens", {}), players),
        "hands": hands,
        "pile": pile,
        "discard": dict(rest),
        "camps_own": given.get("camps_own", [1] * players),
        "camps_common": given.get("camps_common", 0),
        "has_built": given.get("has_built", [False] * players),
        "camps_established": given.get("camps_established", 0),
        "winner": None,
        "end": None,
    }


def look_up(table, now, key, expected):
    """What a scenario's `then` asks for, in the form of its expectation."""
    if key == "tokens":
        boards = {name: name.split(":") for name in expected}
        return {name: now["tokens"][int(seat)][slot] for name, (seat, slot) in boards.items()}
    if key == "hands":
        return {seat: now["hands"][int(seat)] for seat in expected}
    if key == "blizzards":
        assert all(b["state"] == "settled" for b in now["blizzards"])
        return [[b["pos"], b["dir"]] for b in now["blizzards"]]
    if key == "pile_size":
        return len(now["pile"])
    if key == "discard_size":
        return sum(now["discard"].values())
    if key == "hand_sizes":
        return [sum(hand.values()) for hand in now["hands"]]
    if key == "rewards":
        return table.rewards().tolist()
    return now[key]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[s["id"] for s in SCENARIOS])
def test_scenario(scenario):
    table = Table(scenario)
    for text in scenario["do"]:
        table.play(text)
    now = GAME.to_dict(table.s, table.t)
    assert load("sherpa").from_dict(now).to_dict() == now
    for key, expected in scenario["then"].items():
        if key == "only":
            assert sorted(table.legal()) == sorted(expected)
        elif key == "legal":
            assert set(expected) <= set(table.legal())
        elif key == "illegal":
            assert not set(expected) & set(table.legal())
        else:
            assert look_up(table, now, key, expected) == expected, key


def test_every_scenario_is_there():
    assert [s["id"] for s in SCENARIOS] == [f"S{n:02}" for n in range(1, 77)]


@pytest.mark.skipif(climbenvs.engine.jit.ENABLED, reason="chance is scripted uncompiled")
def test_a_deal_is_decided_by_pile_line_and_tokens_alone(monkeypatch):
    game = load("sherpa")
    log, script = [], []
    plain = {name: getattr(chance, name) for name in ("mix_pile", "mix_line", "draw_token")}

    def mix_pile(s, size):
        plain["mix_pile"](s, size)
        if script:
            s["pile"][:size] = script.pop(0)
        log.append(s["pile"][:size].tolist())

    def mix_line(s):
        plain["mix_line"](s)
        if script:
            s["line"][: s["line_size"]] = script.pop(0)
        log.append(s["line"][: s["line_size"]].tolist())

    def draw_token(s):
        token = plain["draw_token"](s)
        log.append(script.pop(0) if script else token)
        return log[-1]

    monkeypatch.setattr(chance, "mix_pile", mix_pile)
    monkeypatch.setattr(rules, "mix_line", mix_line)
    monkeypatch.setattr(chance, "draw_token", draw_token)
    results = []
    for seed in (1, 2):
        record = game.encode_options(3, {})[0]
        record["rng"] = seed
        log.clear()
        GAME.setup(record, game.t)
        results.append(GAME.to_dict(record, game.t))
        assert len(log) == 2 + 6 * 3
        script = list(log)
    assert results[0] == results[1]


@pytest.mark.skipif(not climbenvs.engine.jit.ENABLED, reason="this is the uncompiled run")
def test_scenarios_pass_uncompiled():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    environment = {**os.environ, "CLIMBENVS_JIT": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
