"""1953 Everest: decks, snapshots, options, setup, Mallory, and the scripted player."""

import json
import re
import tomllib
from pathlib import Path

import everest_1953_table as table
import numpy as np
import pytest

from climbenvs.engine.errors import DeckError, OptionError, SnapshotError
from climbenvs.envs.vector import VectorGame
from climbenvs.games.everest_1953.deck import SHIPPED, read_deck
from climbenvs.games.everest_1953.state import BASE_CAMP, KINDS, LEVEL_OF, SUPPORT
from climbenvs.games.everest_1953.tables import program_features, texts
from climbenvs.policies import CompiledPolicy, choose_random, named_policy
from climbenvs.registry import load

BASE = json.loads((Path(__file__).parent / "scenarios" / "everest_1953.json").read_text())["base"]
DECK = SHIPPED.read_text()

BROKEN_DECKS = [
    ('period = "A"', 'period = "B"', r"weather\[0\].period.*five cards of period A"),
    ('effect = ["refresh", 3]', 'effect = ["refresh", 8]', r"weather\[0\].effect"),
    ('effect = ["night", 1]', 'effect = ["night", 5]', r"weather\[3\].effect"),
    ('id = "cloudy"', 'id = "fog"', r"weather\[3\].id.*no other entry"),
    ('type = "sherpa", cost', 'type = "culture", cost', "15 cards of type sherpa, expected 16"),
    ('"sherpa", climber = true', '"sherpa", climber = false', "2 climbing sherpas, expected 3"),
    ('"tenzing_norgay"', '"annullu"', r"cards\[4\].id.*no other entry"),
    ("cost = [0,0,1,1,0]", "cost = [0,0,4,1,0]", r"cards\[0\].cost.*one to four symbols"),
    ('discount = "any"', 'discount = "most"', r"cards\[0\].discount.*one of tent"),
    ('trigger = "axe"', 'trigger = "twice"', r"cards\[0\].trigger"),
    ('effect = [["move_any", 2]]', 'effect = [["move_any", 10]]', r"cards\[0\].effect.*1 to 9"),
    ('effect = [["move_any", 2]]', 'effect = [["fly", 2]]', r"cards\[0\].effect.*gain_here"),
    ('effect = [["move_any", 2]]', "effect = []", r"cards\[0\].effect.*trigger 'axe'"),
    (
        'effect = [["move_any", 2]]',
        'effect = [["activate_axes", 2]]',
        r"cards\[0\].effect: .*only gain_",
    ),
    ('others = [["move_here", 1]]', 'others = [["swap"]]', "others.*only gain_"),
    ('["rearrange"], ["gain_here", 2]', '["gain_here", 2]', "no entry uses 'rearrange'"),
    ('perm = [["bivouac_both"]]', 'perm = [["discount", 5]]', "perm"),
    ('[["play_card"]], others', '[["play_card"], ["draw", 1]], others', "last operation"),
    ('nation = "uk", cost', 'nation = "france", cost', "4 climbers of uk, expected 5"),
    ('nation = "uk", cost = [0,0,0,0,3]', 'nation = "uk", cost = [0,0,0,0,2]', "`same` 3"),
    ('["gain_any", 1], ["go_bivouac"]]', '["gain_any", 1]]', "1 backpacks end"),
    ('[["take_start"], ["gain_l1", 1]', '[["gain_l1", 1]', "0 backpacks have 'take_start'"),
    ("capacity = 6, extra = [0,0,0,0]", "capacity = 60, extra = [0,0,0,0]", "capacity"),
    ('mode = "choice", source', 'mode = "both", source', r"bivouac.I\[1\].mode"),
    ("resources_per_type = 20", "resources_per_type = 21", "resources_per_type"),
    ("market_cards = [0, 5, 5, 6, 8]", "market_cards = [0, 5, 5, 6, 9]", "market_cards"),
    ("weeks = [0, 4, 4, 4, 3]", "weeks = [0, 4, 4, 4, 4]", "weather_a . weather_b"),
    ('hard = ["clear_skies"', 'hard = ["sunshine"', "sunshine"),
    ("format = 1", "format = 2", "format"),
    ('source = "rulebook"', 'source = "guessed"', "source.*rulebook"),
    ('name = "Pemba",', 'name = "Pemba", colour = 1,', "colour: unknown field"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN_DECKS)
def test_a_broken_deck_is_refused_and_the_spot_named(tmp_path, old, new, message):
    assert old in DECK
    path = tmp_path / "broken.toml"
    path.write_text(DECK.replace(old, new, 1))
    with pytest.raises(DeckError, match=f"(?s)broken.toml.*{message}"):
        read_deck(path)


def test_a_deck_may_change_costs_and_ids(tmp_path):
    path = tmp_path / "other.toml"
    path.write_text(DECK.replace('id = "pemba"', 'id = "nima"', 1))
    game = load("everest_1953", deck=path)
    assert "nima" in texts(game.t["card_id"])
    assert game.start(2, seed=1).to_dict()["week"] == 0


def test_features_add_up_the_operations_of_a_program():
    t = load("everest_1953").t
    insurance = texts(t["card_id"]).index("insurance")
    features = program_features(t, insurance)
    assert {i: int(n) for i, n in enumerate(features) if n} == {1: 2, 12: 2, 16: 1}


def test_every_reconstructed_number_is_marked():
    deck = tomllib.loads(DECK)
    entries = [*deck["everest"]["cards"], *deck["climbers"]["cards"], *deck["backpacks"]["cards"]]
    assert all(re.match("rulebook|reconstructed", entry["source"]) for entry in entries)


def test_cards_rest_on_two_neighbours():
    for slot in range(8, BASE_CAMP):
        assert LEVEL_OF[SUPPORT[slot]] == LEVEL_OF[SUPPORT[slot] + 1] == LEVEL_OF[slot] - 1


BROKEN_SNAPSHOTS = [
    ({"supply": [19, 20, 20]}, "supply.*19"),
    ({"week": 5}, "week"),
    ({"week": 2}, "weather_deck"),
    ({"weather": None}, "weather"),
    ({"market": ["photo_rights", "pemba", "alpine_club", "prayer_flags"]}, "market.*5 entries"),
    ({"market": ["photo_rights", "pemba", "alpine_club", "prayer_flags", "stupa"]}, "'radio' 0"),
    ({"everest_deck": []}, "everest_deck.*0 times"),
    ({"backpack_discard": ["backpack_1"]}, "'backpack_1' 2 times"),
    ({"weather_past": ["cloudy"]}, "'cloudy' 2 times"),
    ({"difficulty": "easy"}, "difficulty"),
    ({"players": 5}, "players"),
    ({"start_holder": 2}, "start_holder"),
    ({"over": True}, "cause"),
    ({"winners": [0]}, "winners"),
    ({"max_decisions": 0}, "max_decisions"),
    ({"decisions": 2000}, "decisions"),
    ({"stack": []}, "stack"),
    ({"stack": [["turn", 2, 1, 0]]}, r"stack\[0\]"),
    ({"stack": [["turn", 0, 1]]}, r"stack\[0\]"),
    ({"stack": [[np.array([1, 2]), 0, 1]]}, r"stack\[0\]"),
    ({"stack": [["op", 0, 0, np.array([1, 2]), 1, 0, 0]]}, r"stack\[0\]"),
    ({"stack": [["penalty", 0]]}, "bottom"),
    ({"stack": [["turn", 0, 1, 0], ["turn", 1, 1, 0]]}, r"stack\[1\].*bottom"),
    ({"stack": [["turn", 0, 1, 0], ["place", 0, 0]]}, "not in the hand"),
    ({"stack": [["turn", 0, 1, 0], ["place", 0, 0], ["overflow", 0]]}, "on top"),
    ({"stack": [["turn", 0, 1, 0], ["arrange", 0, 3]]}, "empty slot"),
    ({"stack": [["turn", 0, 1, 0], ["reward", 0, 1]]}, "without a choice"),
    ({"stack": [["turn", 0, 1, 0], ["make_room", 0, 0, 0, 1]]}, "supply|below level 1"),
    ({"stack": [["turn", 0, 1, 0], ["op", 0, 0, "fly", 1, 0, 0]]}, r"stack\[1\].*gain_here"),
    ({"stack": [["turn", 0, 1, 0], ["op", 0, 0, "discard_played", 2, 0, 0]]}, "more operations"),
    ({"stack": [["turn", 0, 1, 0], ["draft", 0]]}, "start_row"),
    ({"stack": [["mallory", -1]]}, "without Mallory"),
    ({"mallory": {}}, "mallory"),
    ({"seats": []}, "seats"),
    ({"colour": 1}, "colour: unknown"),
]
BROKEN_SEATS = [
    ({"hand": ["pemba"]}, "'pemba' 2 times"),
    ({"hand": ["french_climber_1"]}, "hand.*french_climber_1"),
    ({"hand": ["british_climber_1"]}, "british_climber_1.*2 times"),
    ({"hand": ["stupa", "gompu"]}, "order of the deck file"),
    ({"public": ["gompu"]}, "public"),
    ({"cards": [None] * 25}, "cards"),
    ({"cards": [None] * 8 + ["gompu"] + [None] * 17}, r"'gompu' 2 times|support"),
    ({"res": [[21, 0, 0]] + [[0, 0, 0]] * 3}, "res"),
    ({"res": [[1, 0, 0]] + [[0, 0, 0]] * 3}, "supply"),
    ({"tokens": [1, 0, 0]}, "tokens"),
    ({"bivouac": 6}, "bivouac"),
    ({"nation": "france"}, "same nation|french"),
    ({"climber_deck": ["british_climber_1"] * 5}, "climber_deck"),
    ({"weather_ignored": 0}, "weather_ignored"),
]


@pytest.mark.parametrize(("changes", "message"), BROKEN_SNAPSHOTS)
def test_a_broken_snapshot_is_refused_and_the_field_named(changes, message):
    snapshot = {**table.base_position(BASE), **changes}
    with pytest.raises(SnapshotError, match=f"snapshot.*({message})"):
        load("everest_1953").from_dict(snapshot)


@pytest.mark.parametrize(("changes", "message"), BROKEN_SEATS)
def test_a_broken_seat_is_refused_and_the_field_named(changes, message):
    snapshot = table.base_position(BASE)
    snapshot["seats"][0].update(changes)
    with pytest.raises(SnapshotError, match=f"snapshot.*({message})"):
        load("everest_1953").from_dict(snapshot)


def test_a_card_without_support_is_refused():
    snapshot = table.base_position(BASE)
    snapshot["seats"][0]["cards"][8] = "gompu"
    snapshot["everest_deck"].remove("gompu")
    with pytest.raises(SnapshotError, match=r"cards\[8\].*support"):
        load("everest_1953").from_dict(snapshot)


def test_a_climber_on_the_summit_has_won():
    given = {"seats": {"0": {"slots": {str(i): "F" for i in (0, 1, 2, 3, 8, 9, 10, 15, 16)}}}}
    snapshot = table.change(BASE, given)
    snapshot["seats"][0]["cards"][21] = "british_climber_1"
    snapshot["seats"][0]["climber_deck"].remove("british_climber_1")
    with pytest.raises(SnapshotError, match="summit"):
        load("everest_1953").from_dict(snapshot)
    snapshot.update(over=True, cause="summit", winners=[0], stack=[])
    assert load("everest_1953").from_dict(snapshot).rewards().tolist() == [1, -1]


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (2, {"nations": ["uk"]}, "2 nations"),
        (2, {"nations": ["uk", "uk"]}, "nations"),
        (2, {"nations": ["uk", "spain"]}, "nations"),
        (2, {"first_player": 2}, "seat below 2"),
        (1, {"first_player": 1}, "seat below 1"),
        (2, {"difficulty": "hard"}, "num_players is 1"),
        (2, {"board": "III"}, "board"),
        (2, {"max_decisions": 0}, "max_decisions"),
        (5, {}, "1 to 4"),
    ],
)
def test_options_that_make_no_sense_are_refused(players, options, message):
    with pytest.raises(OptionError, match=message):
        load("everest_1953").start(players, seed=0, **options)


def test_nations_and_first_player_can_be_chosen():
    game = load("everest_1953")
    position = game.start(3, seed=0, nations=["austria", "uk", "france"], first_player=2)
    snapshot = position.to_dict()
    assert [seat["nation"] for seat in snapshot["seats"]] == ["austria", "uk", "france"]
    assert snapshot["start_holder"] == 2


@pytest.mark.parametrize(("players", "size", "resources"), [(2, 3, 3), (3, 4, 3), (4, 5, 5)])
def test_the_starting_row_has_a_card_more_than_expeditions(players, size, resources):
    row = load("everest_1953").start(players, seed=4).to_dict()["start_row"]
    assert [sum(entry["res"]) for entry in row] == [resources] * size


@pytest.mark.parametrize(("difficulty", "resources"), [("easy", 4), ("normal", 3), ("hard", 2)])
def test_a_solo_game_is_dealt_by_difficulty(difficulty, resources):
    game = load("everest_1953")
    for seed in range(20):
        snapshot = game.start(1, seed=seed, difficulty=difficulty).to_dict()
        assert sum(snapshot["seats"][0]["res"][0]) == resources
        assert [sum(entry["res"]) for entry in snapshot["start_row"]] == [0, 0, 0]
        removed = {"easy": {"cloudy", "fog", "strong_winds"}, "hard": {"clear_skies"}}
        assert not removed.get(difficulty, set()) & set(snapshot["weather_deck"])
        assert len(set(snapshot["mallory"]["deck"])) == 9
        own = snapshot["seats"][0]["nation"]
        assert snapshot["mallory"]["nation"] == ("france" if own == "uk" else "uk")


def test_weather_a_lies_on_weather_b():
    game = load("everest_1953")
    weather = texts(game.t["weather_id"])
    for players in (2, 4):
        deck = game.start(players, seed=9).to_dict()["weather_deck"]
        periods = [int(game.t["weather_period"][weather.index(card)]) for card in deck]
        assert periods == ([0, 0, 1, 1] if players == 2 else [0, 1, 1])


def test_first_players_and_nations_are_dealt_evenly():
    game = load("everest_1953")
    starts = [game.start(4, seed=seed).to_dict() for seed in range(400)]
    holders = np.bincount([start["start_holder"] for start in starts], minlength=4)
    nations = [start["seats"][0]["nation"] for start in starts]
    assert holders.min() > 65
    assert min(nations.count(nation) for nation in set(nations)) > 65


def test_a_resource_on_its_way_up_lies_on_neither_level():
    given = {
        "seats": {"0": {"levels": {"1": [6, 0, 0], "2": [0, 5, 0]}}},
        "pending": [["op", 0, 0, "move_l1", 1, 0, 0]],
    }
    game = load("everest_1953")
    position = game.from_dict(table.change(BASE, given))
    position.apply(game.action_layout.encode("up:level_1:tent"))
    assert position.to_dict()["seats"][0]["res"][0] == [5, 0, 0]
    assert game.from_dict(position.to_dict()).to_dict() == position.to_dict()
    position.apply(game.action_layout.encode("down:level_2:supplies"))
    assert position.to_dict()["seats"][0]["res"][:2] == [[5, 1, 0], [1, 4, 0]]


def test_only_the_decider_sees_the_card_in_play():
    given = {"seats": {"0": {"hand": ["stupa"], "levels": {"1": [1, 1, 1]}}}}
    game = load("everest_1953")
    position = game.from_dict(table.change(BASE, given))
    position.apply(game.action_layout.encode("play_card:1"))
    shown = game.observation_layout.slice("card_in_play")
    assert position.observe(0)[shown].any()
    assert not position.observe(1)[shown].any()
    assert "Stupa" in position.draw(0)
    assert "Stupa" not in position.draw(1)


def test_a_redeal_keeps_the_cards_that_all_have_seen():
    given = {"seats": {"1": {"hand": ["ajiba", "gompu", "topkie"]}}}
    snapshot = table.change(BASE, given)
    snapshot["seats"][1]["public"] = ["gompu"]
    position = load("everest_1953").from_dict(snapshot)
    hands = [position.determinize(0, seed).to_dict()["seats"][1] for seed in range(30)]
    assert all(hand["public"] == ["gompu"] and "gompu" in hand["hand"] for hand in hands)
    assert len({tuple(hand["hand"]) for hand in hands}) > 20


def test_a_redeal_never_brings_back_removed_weather():
    position = load("everest_1953").start(1, seed=2, difficulty="hard")
    seen = set()
    for seed in range(60):
        seen |= set(position.determinize(0, seed).to_dict()["weather_deck"])
    assert len(seen) == 8
    assert not seen & {"clear_skies", "fine_weather"}


def test_every_kind_of_decision_has_its_place_in_the_observation():
    game = load("everest_1953")
    vector = VectorGame(game, 64, num_players=2, seed=3)
    batch = vector.reset()
    shown = game.observation_layout.slice("decision")
    kinds = vector._records.states["stack"]
    for _ in range(200):
        top = vector._records.states["stack_size"] - 1
        expected = kinds[np.arange(64), top, 0]
        assert (batch.observation[:, shown].argmax(axis=1) == expected).all()
        assert (batch.observation[:, shown].sum(axis=1) == 1).all()
        batch = vector.step(vector.sample_actions())
    assert max(expected) < len(KINDS)


def share_of_wins(choosers, games, **options):
    """Share of seat 0 in the victories, and how many games ended on the summit."""
    game = load("everest_1953")
    rng = np.random.default_rng(5)
    policies = [CompiledPolicy(game, choose) for choose in choosers]
    shares = summits = 0
    for seed in range(games):
        position = game.start(len(choosers), seed=seed, **options)
        while not position.is_over:
            policy = policies[position.player]
            observation = position.observe(position.player)[None]
            position.apply(int(policy.act(observation, position.action_mask()[None], rng)[0]))
        outcome = position.outcome()
        shares += (0 in outcome["winners"]) / max(1, len(outcome["winners"]))
        summits += outcome["end"] == "summit"
    return shares / games, summits


def test_the_scripted_player_beats_random_play():
    climber = named_policy(load("everest_1953"), "climber").choose
    share, summits = share_of_wins([climber, choose_random], 40)
    assert share > 0.85
    assert summits >= 8


def test_the_scripted_player_reaches_the_summit_alone():
    climber = named_policy(load("everest_1953"), "climber").choose
    share, summits = share_of_wins([climber], 60, difficulty="easy")
    assert share == summits / 60
    assert share > 0.4
