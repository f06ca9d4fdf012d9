"""The scenarios of Snow Climbing: a position, some decisions, and what has to come out."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from snow_climbing_table import Table, snapshot

import climbenvs.engine.jit
from climbenvs.engine.errors import SnapshotError
from climbenvs.engine.game import Game
from climbenvs.engine.random import scramble
from climbenvs.games.snow_climbing import GAME, rules
from climbenvs.games.snow_climbing import state as st
from climbenvs.registry import load

SCENARIOS = json.loads((Path(__file__).parent / "scenarios" / "snow_climbing.json").read_text())
CARD_LISTS = ("stack", "snow", "cleared")
PLANES = ("own_hand", "stack", "top", "snow", "cleared", "pending", "camp", "given", "received")


def of_kind(kind):
    chosen = [scenario for scenario in SCENARIOS if kind in scenario]
    assert chosen
    return pytest.mark.parametrize("scenario", chosen, ids=[s["id"] for s in chosen])


def planes_with(table, card):
    """For each seat, the planes in which it sees the card."""
    layout = table.game.observation_layout
    index = table.game.action_layout.encode(f"pass:{card}")
    return [
        [plane for plane in PLANES if table.observe(seat)[layout.offset(plane) + index]]
        for seat in range(int(table.s["num_players"]))
    ]


def look_up(table, key, wanted):
    """A field of the snapshot, or something derived, in the form in which it is wanted."""
    now = table.to_dict()
    if key == "player":
        return int(table.s["player"])
    if key == "legal":
        return " ".join(table.legal())
    if key == "rewards":
        return table.rewards().round(6).tolist()
    if key == "completed":
        return GAME.outcome(table.s, table.game.t)["scores"][0]
    if key == "hand_sizes":
        return [len(hand) for hand in now["hands"]]
    if key == "deck_size":
        return len(now["deck"])
    if key == "planes":
        return {card: planes_with(table, card) for card in wanted}
    if key == "indices":
        ids = [table.game.action_layout.names[card].split(":")[1] for card in range(st.CARDS)]
        return [[ids.index(card) for card in hand] for hand in now["hands"]]
    if key == "hands":
        return [" ".join(hand) for hand in now["hands"]]
    if key in CARD_LISTS:
        return " ".join(now[key])
    return now[key]


def run(table, steps):
    for step in steps:
        if isinstance(step, str):
            seat, action = step.split()
            assert int(table.s["player"]) == int(seat), step
            table.play(action)
            loaded = Table(table.game, table.to_dict())
            assert loaded.to_dict() == table.to_dict()
        else:
            assert {key: look_up(table, key, wanted) for key, wanted in step.items()} == step


def start(scenario):
    game = load("snow_climbing")
    return Table(game, snapshot(game, **scenario["given"]))


@of_kind("play")
def test_scenario(scenario):
    table = start(scenario) if "given" in scenario else forced_start(**scenario["chance"])
    run(table, scenario["play"])


def forced_start(players, draws):
    """A new game whose first draws are given; every later card is the first one left."""
    script = np.array(draws + [0] * 64, np.int64)

    def scripted(generator, bound):
        step = np.int64(generator.rng)
        generator.rng = np.uint64(step + 1)
        return script[step]

    game = Game(GAME, house_rules={"below": climbenvs.engine.jit.rule(scripted)})
    table = Table(game)
    table.s["num_players"] = players
    game._verbs["setup"](table.s, game.t)
    return table


@of_kind("new")
def test_new_game(scenario):
    for players, (hand, deck) in scenario["new"].items():
        for seed in range(5):
            table = Table()
            table.s["num_players"] = int(players)
            table.s["rng"] = scramble(seed)
            rules.setup(table.s, table.game.t)
            now = table.to_dict()
            assert [len(cards) for cards in now["hands"]] == [hand] * int(players)
            assert (len(now["deck"]), now["snow"]) == (deck, [])
            assert (now["phase"], now["round"]) == ("pass", 1)
            assert table.s["player"] == now["leader"]


@of_kind("same_view")
def test_same_view(scenario):
    tables = [start(scenario) for _ in scenario["same_view"]["actions"]]
    for table, action in zip(tables, scenario["same_view"]["actions"], strict=True):
        table.play(action)
    for seat in scenario["same_view"]["seats"]:
        views = [table.observe(seat) for table in tables]
        np.testing.assert_array_equal(*views)
    assert tables[0].legal() == tables[1].legal()


@of_kind("metrics")
def test_metrics(scenario):
    game = load("snow_climbing")
    for snow, wanted in scenario["metrics"]:
        given = snapshot(game, hands=["", "goggles_20", ""], turn=1, snow=snow, round=3)
        table = Table(game, given)
        progress = dict(zip(st.CONDITION_IDS, table.s["progress"][0].tolist(), strict=True))
        assert {tile: progress[tile] for tile in wanted} == wanted


@of_kind("fits")
def test_backpack_fits(scenario):
    game = load("snow_climbing")
    for backpack, cards in scenario["fits"].items():
        saves = int(game.t["saves"][st.BACKPACK_IDS.index(backpack)])
        for card, fits in cards.items():
            assert bool(saves >> game.action_layout.encode(f"pass:{card}") & 1) == fits


@of_kind("refused")
def test_refused(scenario):
    with pytest.raises(SnapshotError, match=scenario["refused"]):
        start(scenario)


def test_either_order_of_overlapping_ropes(tmp_path):
    """S22: the player chooses which of two ropes is the lower one, where both can be."""
    text = (Path(rules.__file__).parent / "deck.toml").read_text()
    text = text.replace("rope_11_12_13", "rope_9_10_11").replace("[11, 12, 13]", "[9, 10, 11]")
    path = tmp_path / "deck.toml"
    path.write_text(text)
    game = load("snow_climbing", deck=path)
    ropes = ["route:rope_8_9_10", "route:rope_11_12_13"]
    for top, wanted in (("boot_19", ropes), ("goggles_20", ropes[:1])):
        hands = ["rope_8_9_10 rope_9_10_11", "tent_10", "boot_15"]
        assert Table(game, snapshot(game, hands=hands, stack=top)).legal() == wanted


def test_every_scenario_is_there():
    numbers = {scenario["id"].rstrip("abc") for scenario in SCENARIOS}
    elsewhere = {"S22", "S60"}  # another deck; damaged snapshots
    assert numbers | elsewhere == {f"S{number}" for number in range(1, 62)}


@pytest.mark.skipif(not climbenvs.engine.jit.ENABLED, reason="this is the uncompiled run")
def test_scenarios_pass_uncompiled():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    environment = {**os.environ, "CLIMBENVS_JIT": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:]
