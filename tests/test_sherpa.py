"""Sherpa beyond its scenarios: the deal, snapshots, decks, drawing and the scripted player."""

import copy
import random
import re
from pathlib import Path

import numpy as np
import pytest

from climbenvs.engine.errors import DeckError, SnapshotError
from climbenvs.envs.vector import VectorGame
from climbenvs.games.sherpa import GAME, deck
from climbenvs.games.sherpa.actions import card_id
from climbenvs.games.sherpa.snapshot import element_name
from climbenvs.games.sherpa.state import NUM_KINDS
from climbenvs.policies import named_policy
from climbenvs.registry import load

START = {
    2: {"line": 12, "pile": 87, "box": 48},
    3: {"line": 9, "pile": 83, "box": 42},
    4: {"line": 12, "pile": 79, "box": 36},
    5: {"line": 15, "pile": 75, "box": 30},
}
PLAYERS = pytest.mark.parametrize("players", START)


def start(players, seed=1, **options):
    return load("sherpa").start(num_players=players, seed=seed, **options)


def tokens_out(now):
    return sum(sum(tokens) for board in now["tokens"] for tokens in board.values())


# ------------------------------------------------------------------------------------- a new game


@PLAYERS
def test_the_deal_follows_the_rulebook(players):
    game = load("sherpa")
    record = game.encode_options(players, {})[0]
    record["rng"] = 5
    GAME.setup(record, game.t)
    now = GAME.to_dict(record, game.t)
    teams = {f"{p}:{kind}_1" for p in range(players) for kind in ("guide", "sherpa", "yak")}
    assert set(now["line"]) - {"neutral"} == teams
    assert now["line"].count("neutral") == (6 if players == 2 else 0)
    assert len(now["line"]) == START[players]["line"]
    assert len(now["pile"]) == START[players]["pile"]
    assert now["discard"] == {}
    first = now["order"][0]
    sizes = [sum(hand.values()) for hand in now["hands"]]
    assert sizes == [7 if seat == first else 4 for seat in range(players)]
    for board in now["tokens"]:
        assert [sum(tokens) for tokens in board.values()] == [1, 2, 3]
    assert 60 - tokens_out(now) == START[players]["box"] == record["box"].sum()
    assert now["camps_own"] == [1] * players
    assert (now["round"], now["turn"], now["decision"]) == (1, 0, "play")
    tops = [
        min(map(now["line"].index, sorted(t for t in teams if t[0] == str(p))))
        for p in now["order"]
    ]
    assert tops == sorted(tops, reverse=True)


# ------------------------------------------------------------------------------ all through a game


@PLAYERS
def test_nothing_gets_lost_on_the_way(players):
    game = load("sherpa")
    position = start(players, seed=3, max_rounds=12)
    rng = random.Random(players)
    deck_counts = {card_id(game.t, k): int(game.t["counts"][k]) for k in range(NUM_KINDS)}
    while not position.is_over:
        now = position.to_dict()
        cards = dict.fromkeys(deck_counts, 0)
        for pool in (*now["hands"], now["discard"]):
            for name, count in pool.items():
                cards[name] += count
        for name in now["pile"]:
            cards[name] += 1
        assert cards == deck_counts
        assert tokens_out(now) + position.record["box"].sum() == 60
        camps = sum(now["camps_own"]) + now["camps_common"] + now["line"].count("camp")
        assert camps == players
        assert now["line"][-1:] != ["camp"]
        again = game.from_dict(now)
        assert again.to_dict() == now
        assert again.legal_actions() == position.legal_actions()
        position.apply(rng.choice(position.legal_actions()))
    assert load("sherpa").from_dict(position.to_dict()).is_over


def test_the_derived_fields_of_a_loaded_record_are_those_of_the_played_one():
    game = load("sherpa")
    position = start(3, seed=9)
    rng = random.Random(0)
    for _ in range(300):
        if position.is_over:
            break
        loaded = game.from_dict(position.to_dict())
        for field in ("seats", "num_free", "climbs_left", "box", "hands", "discard"):
            np.testing.assert_array_equal(loaded.record[field], position.record[field])
        position.apply(rng.choice(position.legal_actions()))


# ------------------------------------------------------------------------------------ bad snapshots


def damage(path, value):
    def change(snapshot):
        *way, last = path
        for key in way:
            snapshot = snapshot[key]
        if value is None:
            del snapshot[last]
        else:
            snapshot[last] = value

    return change


DAMAGES = {
    "game": damage(["game"], "chess"),
    "version": damage(["version"], 2),
    "players": damage(["players"], 6),
    "max_rounds": damage(["options", "max_rounds"], 0),
    "options": damage(["options", "luck"], 1),
    "round": damage(["round"], 0),
    "order": damage(["order"], [0, 0, 1]),
    "turn": damage(["turn"], 3),
    "stage": damage(["stage"], "supply"),
    "decision": damage(["decision"], "dance"),
    "to_act": damage(["to_act"], 5),
    "points": damage(["points"], -1),
    "climbed": damage(["climbed"], 1),
    "added": damage(["added"], None),
    "line": damage(["line", 0], "3:guide_1"),
    "line, last": damage(["line", -1], "camp"),
    "line, neutral": damage(["line", 0], "neutral"),
    "blizzards": damage(["blizzards"], [{"pos": 9, "dir": "up", "state": "settled"}]),
    "blizzards, state": damage(["blizzards"], [{"pos": 0, "dir": "up", "state": "due"}]),
    "blizzards, number": damage(["blizzards"], [{"pos": 0, "dir": "up", "state": "settled"}] * 4),
    "tokens": damage(["tokens", 0, "guide_1"], [1, 1, 0]),
    "tokens, off line": damage(["tokens", 0, "guide_2"], [0, 0, 0]),
    "hands": damage(["hands", 0, "yeti"], 9),
    "hands, id": damage(["hands", 0, "umbrella"], 1),
    "pile": damage(["pile"], []),
    "discard": damage(["discard", "yeti"], 1),
    "camps_own": damage(["camps_own"], [1, 1, 0]),
    "camps_common": damage(["camps_common"], 1),
    "has_built": damage(["has_built"], [True, False]),
    "camps_established": damage(["camps_established"], -1),
    "pending": damage(["pending"], {"resource": "food"}),
    "winner": damage(["winner"], 0),
    "end": damage(["end"], "summit"),
    "surprise": damage(["surprise"], 1),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_snapshot_is_refused_by_the_name_of_its_field(name):
    snapshot = copy.deepcopy(start(3).to_dict())
    DAMAGES[name](snapshot)
    with pytest.raises(SnapshotError, match=re.escape(name.split(",")[0])):
        load("sherpa").from_dict(snapshot)


def paying():
    """A snapshot in which a price is being paid."""
    rng = random.Random(0)
    for seed in range(50):
        position = start(3, seed)
        while not position.is_over:
            if position.to_dict()["decision"] == "pay":
                return position.to_dict()
            position.apply(rng.choice(position.legal_actions()))
    raise AssertionError("nobody pays")


@pytest.mark.parametrize(
    "pending",
    [
        {},
        {"card": "yeti", "due": ["food"]},
        {"card": "10x_all", "due": []},
        {"card": "10x_all", "due": ["food", "ice_axe"]},
        {"card": "10x_all", "due": ["food", "food"]},
        {"card": "10x_all", "due": ["food"], "more": 1},
    ],
)
def test_a_price_that_cannot_be_due_is_refused(pending):
    snapshot = paying()
    load("sherpa").from_dict(snapshot)
    with pytest.raises(SnapshotError, match="pending"):
        load("sherpa").from_dict({**snapshot, "pending": pending})


# ---------------------------------------------------------------------------------------- bad decks

SHIPPED = Path(deck.SHIPPED).read_text(encoding="utf-8")
BAD_DECKS = {
    "game": ('name = "sherpa"', 'name = "hills"', r"game\.name"),
    "rulebook number": ("hand = 4", "hand = 5", r"setup\.hand"),
    "tokens": ("count = 20", "count = 19", "resources: 59 tokens, expected 60"),
    "total": ("count = 6", "count = 7", "99 cards, expected 98"),
    "too many": ("count = 6", "count = 60", r"danger_cards\[3\]\.count"),
    "price": ("cost = [1, 1, 1]", "cost = [5, 5, 5]", r"climb_cards\[6\]\.cost"),
    "points": ('["gain_points", 10]', '["gain_points", 0]', r"climb_cards\[6\]\.effects"),
    "effect": ('["fall_all", 0]', '["fall_over", 0]', r"danger_cards\[1\]\.effects"),
    "order": ('id = "avalanche"', 'id = "landslide"', r"danger_cards\[1\]\.id"),
    "double": ('id = "4x_food"', 'id = "4x_oxygen"', r"climb_cards\[2\]\.id"),
    "source": ('source = "rulebook"', 'source = "guess"', r"characters\[0\]\.source"),
    "spaces": ("spaces = 3", "spaces = 4", r"characters\[2\]\.spaces"),
    "protection": ('protection = "food"', 'protection = "none"', r"danger_cards\[2\]\.protection"),
    "unknown": ("hand = 4", "hand = 4\nfoot = 2", r"setup\.foot"),
    "no toml": ("[game]", "[game", "not a TOML file"),
}


@pytest.mark.parametrize("name", BAD_DECKS)
def test_a_bad_deck_is_refused_by_file_and_entry(name, tmp_path):
    old, new, message = BAD_DECKS[name]
    assert old in SHIPPED
    path = tmp_path / "deck.toml"
    path.write_text(SHIPPED.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DeckError, match=rf"deck\.toml.*{message}"):
        load("sherpa", deck=path)


def test_a_corrected_deck_is_played_with(tmp_path):
    path = tmp_path / "mine.toml"
    text = SHIPPED.replace('id = "10x_all"', 'id = "12x_all"').replace(
        '"gain_points", 10', '"gain_points", 12'
    )
    path.write_text(text.replace('["fall_highest", 0]', '["fall_highest", 2]'), encoding="utf-8")
    game = load("sherpa", deck=path)
    snapshot = game.start(num_players=3, seed=1).to_dict()
    assert "12x_all" in {*snapshot["pile"], *(n for hand in snapshot["hands"] for n in hand)}
    assert int(game.t["points"][6]) == 12
    assert int(game.t["distances"][12]) == 2


# -------------------------------------------------------------------------------------- the drawing


def plain_text(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_drawing_shows_the_line_from_the_top_and_only_the_own_hand():
    position = start(3, seed=4)
    text = plain_text(position.draw(0))
    rows = re.findall(r"^ +\d+  player_(\d) (\w+)", text, re.M)
    assert [f"{seat}:{slot}" for seat, slot in rows] == position.to_dict()["line"]
    hand = ", ".join(f"{count} {name}" for name, count in position.to_dict()["hands"][0].items())
    assert f"player_0: 4 cards ({hand})" in text or f"player_0: 7 cards ({hand})" in text
    for seat in (0, 1, 2, -1):
        shown = plain_text(position.draw(seat))
        assert shown.count("cards (") == (seat >= 0)


def test_an_element_is_named_as_in_snapshots():
    assert [element_name(e) for e in (0, 11, 30, 40)] == [
        "0:guide_1",
        "1:yak_2",
        "neutral",
        "camp",
    ]


# ------------------------------------------------------------------------------ the scripted player


@pytest.mark.parametrize(("players", "share"), [(2, 0.9), (3, 0.8), (5, 0.7)])
def test_the_climber_beats_random_players(players, share):
    games = 60
    vector = VectorGame("sherpa", games, num_players=players, seed=11)
    batch = vector.reset()
    climber = named_policy(vector.game, "climber")
    seat = np.arange(games) % players
    won = np.full(games, np.nan)
    rng = np.random.default_rng(0)
    while np.isnan(won).any():
        actions = vector.sample_actions()
        mine = np.flatnonzero(batch.player == seat)
        actions[mine] = climber.act(batch.observation[mine], batch.action_mask[mine], rng)
        batch = vector.step(actions)
        ended = batch.done & np.isnan(won)
        won[ended] = batch.rewards[ended, seat[ended]] > 0
    assert won.mean() >= share


def test_the_climber_always_plays_a_legal_action():
    vector = VectorGame("sherpa", 32, num_players=4, seed=2)
    batch = vector.reset()
    climber = named_policy(vector.game, "climber")
    rng = np.random.default_rng(0)
    for step in range(400):
        actions = climber.act(batch.observation, batch.action_mask, rng)
        assert batch.action_mask[np.arange(32), actions].all()
        if step % 3 == 0:
            actions = vector.sample_actions()
        batch = vector.step(actions)
