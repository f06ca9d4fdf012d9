"""Everest Go! beyond its scenarios: set-up, cards, decks, snapshots, house rules, players."""

import json
from itertools import chain, product
from pathlib import Path

import numpy as np
import pytest

import climbenvs.engine.jit
from climbenvs.arena import play_match
from climbenvs.engine.errors import DeckError, OptionError, SnapshotError
from climbenvs.engine.jit import rule
from climbenvs.envs.vector import make_vec
from climbenvs.games.everest_go.deck import SHIPPED_DECK
from climbenvs.games.everest_go.state import KINDS
from climbenvs.policies import named_policy
from climbenvs.registry import load

SNAPSHOTS = json.loads(
    (Path(__file__).parent / "scenarios" / "everest_go_snapshots.json").read_text()
)
SIZES = {
    (2, False): (70, 64),
    (3, False): (76, 67),
    (4, False): (82, 70),
    (2, True): (66, 60),
    (3, True): (72, 63),
    (4, True): (78, 66),
}


@pytest.fixture(scope="module")
def everest():
    return load("everest_go")


@pytest.mark.parametrize(("case", "sizes"), SIZES.items())
def test_the_set_up_deals_three_cards_of_the_right_deck(everest, case, sizes):
    players, beginner = case
    record = everest.start(players, seed=1, beginner=beginner).record
    assert everest.t["num_cards"][players, int(beginner)] == sizes[0]
    position = everest.start(players, seed=1, beginner=beginner).to_dict()
    assert len(position["deck"]) == sizes[1]
    assert [len(hand) for hand in position["hands"]] == [3] * players
    assert position["turn"] == 1
    assert record["decisions"] == 0


def test_the_first_player_is_drawn(everest):
    first = [everest.start(4, seed=seed).to_dict()["turn_player"] for seed in range(400)]
    counts = np.bincount(first, minlength=4)
    assert counts.min() > 70


def cards_of(snapshot):
    """Every card on the table, in hands and in piles, as sorted ids."""
    cards = [*snapshot["deck"], *snapshot["discard"], *chain(*snapshot["hands"])]
    for mountaineer in snapshot["mountaineers"]:
        for part, values in mountaineer["stacks"].items():
            cards += [f"{part}_{value}" for value in values]
        cards += mountaineer["items"]
        cards += ["cold"] * mountaineer["cold"] + ["hypothermia"] * len(mountaineer["frozen"])
    if snapshot["pending"]:
        cards.append(snapshot["pending"]["card"])
    return sorted(cards)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_card_is_lost_or_made(everest, players):
    rng = np.random.default_rng(players)
    for seed in range(4):
        position = everest.start(players, seed=seed)
        cards = cards_of(position.to_dict())
        while not position.is_over:
            position.apply(rng.choice(position.legal_actions()))
            assert cards_of(position.to_dict()) == cards


def test_goddess_for_goddess_ends_with_the_turn_limit(everest):
    goddess = everest.action_layout.encode("play:mountain_goddess")
    take = everest.action_layout.encode("take:mountain_goddess")
    hand = ["mountain_goddess", "tent", "tent"]
    position = everest.from_dict(
        {
            "players": 2,
            "hands": [hand, hand],
            "discard": ["mountain_goddess"],
            "deck": ["flag"],
        }
    )
    while not position.is_over:
        position.apply(take if take in position.legal_actions() else goddess)
    end = position.to_dict()
    assert (end["end"], end["turn"], end["deck"]) == ("truncated", 250, ["flag"])


def test_a_reshuffle_is_uniform(everest):
    given = {
        "players": 2,
        "hands": [["head_1"], ["flag"]],
        "deck": ["boots_1"],
        "discard": ["snowball", "yeti"],
    }
    action = everest.action_layout.encode("play:head_1")
    decks = []
    for seed in range(600):
        position = everest.start(2)
        position.restart(seed, {**given, "hands": [["head_1", "tent", "tent"], ["flag"]]})
        position.apply(action)
        decks.append(tuple(position.to_dict()["deck"]))
    counts = [decks.count(order) for order in (("snowball", "yeti"), ("yeti", "snowball"))]
    assert sum(counts) == 600
    assert min(counts) > 240


@pytest.mark.parametrize("entry", SNAPSHOTS["corrupt"], ids=lambda entry: entry["fault"])
def test_a_corrupt_snapshot_is_refused_by_name(everest, entry):
    with pytest.raises(SnapshotError) as problem:
        everest.from_dict(entry["snapshot"])
    assert entry["names"] in str(problem.value)


@pytest.mark.parametrize("snapshot", SNAPSHOTS["valid"])
def test_an_unusual_snapshot_is_accepted(everest, snapshot):
    loaded = everest.from_dict(snapshot).to_dict()
    assert everest.from_dict(loaded).to_dict() == loaded


BAD_DECKS = [
    ('game = "everest_go"', 'game = "chess"', "game"),
    ("format = 1", "format = 7", "format"),
    ("run_outs_to_end = 3", "run_outs_to_end = 9", "setup.run_outs_to_end"),
    ("resistant_points = 4", "resistant_points = 3", "scoring.resistant_points"),
    ("points = [4, 4, 4, 4, 4, 4]", "points = [4, 4, 4, 4, 4, 5]", "points"),
    ("points = [4, 4, 4, 4, 4, 4]", "points = [4, 4, 4, 4, 4]", "points"),
    ('effect = "warm"', 'effect = "melt"', "actions[9].effect"),
    ('id = "yeti"\ncopies = 3', 'id = "yeti"\ncopies = 4', "33 cards in all, expected 32"),
    ('id = "avalanche"\ncopies = 2', 'id = "avalanche"\ncopies = 3', "actions[10].copies"),
    ('id = "snowball"', 'id = "snow_ball"', "actions[3].id"),
    ('effect = "cancel"', 'effect = "freeze"', "actions[6].effect"),
    ("count = 2", "count = 3", "actions[4].count"),
    ('id = "flag"\ncopies = 1', 'id = "flag"\ncopies = 2', "items[1].copies"),
    ('outfits = ["outfit_3b", "outfit_1b"]', 'outfits = ["outfit_3b"]', "remove[0].outfits"),
    ('outfits = ["outfit_3b"]', 'outfits = ["outfit_9"]', "remove[1].outfits[0]"),
    ("everest_bonus = 3", "everest_bonus = 3\nsurprise = 1", "scoring.surprise"),
    ('remove_actions = ["blizzard", "avalanche"]', 'remove_actions = ["wind"]', "remove_actions"),
]


@pytest.mark.parametrize(("old", "new", "names"), BAD_DECKS, ids=[bad[2] for bad in BAD_DECKS])
def test_a_damaged_deck_is_refused_by_file_and_entry(tmp_path, old, new, names):
    text = SHIPPED_DECK.read_text()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(DeckError) as problem:
        load("everest_go", deck=path)
    assert names in str(problem.value)
    assert "mine.toml" in str(problem.value)


def test_a_missing_card_a_missing_file_and_no_toml_are_refused(tmp_path):
    text = SHIPPED_DECK.read_text()
    path = tmp_path / "mine.toml"
    path.write_text(text[: text.rindex("[[actions]]")])
    with pytest.raises(DeckError, match="expected a list of 11 entries"):
        load("everest_go", deck=path)
    path.write_text("= nonsense")
    with pytest.raises(DeckError, match=r"mine\.toml: not a TOML file"):
        load("everest_go", deck=path)
    with pytest.raises(DeckError, match="cannot be read"):
        load("everest_go", deck=tmp_path / "none.toml")


def test_an_own_deck_plays_without_recompiling(tmp_path, everest):
    path = tmp_path / "mine.toml"
    text = SHIPPED_DECK.read_text().replace("everest_bonus = 3", "everest_bonus = 7")
    path.write_text(text.replace("min_discard = 1", "min_discard = 0"))
    mine = load("everest_go", deck=path)
    assert mine.kernel("step") is not everest.kernel("step")
    full = {part: [1] for part in ("head", "jacket", "left_arm", "right_arm", "pants", "boots")}
    position = mine.from_dict(
        {"players": 2, "hands": [["flag"], []], "mountaineers": [{"stacks": full}, {}]}
    )
    assert mine.action_layout.encode("done") in position.legal_actions()
    position.apply(mine.action_layout.encode("everest"))
    assert position.outcome()["scores"] == [13, 0]


@rule
def is_ready_with_five_parts(s, seat):
    covered = 0
    for part in range(6):
        covered += s.height[seat, part] > 0
    return covered >= 5


def test_a_house_rule_reaches_every_place_that_calls_the_rule():
    mine = load("everest_go", house_rules={"is_ready": is_ready_with_five_parts})
    stacks = {part: [1] for part in ("head", "jacket", "left_arm", "right_arm")}
    snapshot = {
        "players": 2,
        "hands": [["pants_1"], ["fire", "tent"]],
        "deck": ["snowball"] * 4,
        "mountaineers": [{"stacks": stacks}, {}],
    }
    action = mine.action_layout.encode("play:pants_1")
    for loaded, decision, player in ((mine, "everest", 0), (load("everest_go"), "main", 1)):
        position = loaded.from_dict(snapshot)
        position.apply(action)
        assert (position.to_dict()["decision"], position.player) == (decision, player)
    with pytest.raises(KeyError, match="no rule calls is_redy"):
        load("everest_go", house_rules={"is_redy": is_ready_with_five_parts})


@pytest.mark.skipif(not climbenvs.engine.jit.ENABLED, reason="too slow uncompiled")
def test_a_house_rule_runs_in_the_fast_loop():
    mine = load("everest_go", house_rules={"is_ready": is_ready_with_five_parts})
    lengths = []
    for loaded in (mine, load("everest_go")):
        vector = make_vec(loaded, 64, num_players=2)
        vector.reset()
        lengths.append(vector.rollout(500, "builder").games.sum())
    assert lengths[0] > lengths[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"num_players": 5}, "takes 2 to 4"),
        ({"num_players": "two"}, "expected an integer 2-4"),
        ({"beginners": True}, "no option 'beginners'; its options: beginner, memory"),
        ({"memory": "none"}, "one of 'perfect', 'rulebook'"),
        ({"beginner": 1}, "one of False, True"),
        ({"max_turns": 0}, "an integer from 1 to 10000"),
    ],
)
def test_a_wrong_option_is_named(everest, options, message):
    with pytest.raises(OptionError, match=message):
        everest.start(**options)


def test_rulebook_memory_shows_no_covered_garment(everest):
    """Two positions that differ only in covered garments look alike, to everybody."""
    positions = []
    for covered in ([1, 4], [3, 2]):
        positions.append(
            everest.from_dict(
                {
                    "players": 2,
                    "options": {"memory": "rulebook"},
                    "deck": [f"head_{value}" for value in {1, 2, 3, 4} - set(covered)],
                    "hands": [["flag", "oxygen"], ["tent"]],
                    "mountaineers": [{"stacks": {"head": [*covered, 2]}}, {}],
                }
            )
        )
    for seat in (0, 1):
        one, other = (position.observe(seat) for position in positions)
        np.testing.assert_array_equal(one, other)
        assert str(positions[0]) == str(positions[1])


def test_others_cannot_see_who_is_asked_for_a_tent(everest):
    snapshot = {
        "players": 4,
        "hands": [["snowball"], ["tent"], ["flag"], ["oxygen"]],
        "deck": ["head_1"] * 2,
        "mountaineers": [{}, {"stacks": {"head": [2]}}, {}, {}],
    }
    position = everest.from_dict(snapshot)
    position.apply(everest.action_layout.encode("play:snowball"))
    assert (position.player, position.to_dict()["decision"]) == (1, "tent")
    layout = everest.observation_layout
    for seat, name in product((0, 2, 3), ("decision", "pending_card", "pending_targets")):
        assert not position.observe(seat)[layout.slice(name)].any()
        assert "tent" not in position.draw(seat).split("hand of")[0]


def test_a_redrawn_hand_of_the_asked_seat_is_uniform_among_those_with_a_tent(everest):
    snapshot = {
        "players": 3,
        "hands": [["flag", "snowball"], ["tent", "tent"], ["oxygen"]],
        "deck": ["head_1", "head_2", "tent"],
        "mountaineers": [{}, {"stacks": {"head": [1]}}, {}],
    }
    position = everest.from_dict(snapshot)
    position.apply(everest.action_layout.encode("play:snowball"))
    assert (position.player, position.to_dict()["decision"]) == (1, "tent")
    guesses = [position.determinize(2, seed=seed).to_dict()["hands"][1] for seed in range(1000)]
    assert all("tent" in hand for hand in guesses)
    # Three pairs of Tents and three of a Tent with each of three other cards.
    assert 0.2 < sum(hand == ["tent", "tent"] for hand in guesses) / 1000 < 0.3


def test_all_kinds_get_used_in_scripted_play(everest):
    """Every kind of card leaves the deck and is seen in the discard pile or on the table."""
    seen = set()
    for seed in range(6):
        position = everest.start(4, seed=seed)
        rng = np.random.default_rng(seed)
        greedy = named_policy(everest, "greedy")
        while not position.is_over:
            observation = position.observe(position.player)[None]
            action = greedy.act(observation, position.action_mask()[None], rng)[0]
            name = everest.action_layout.name(int(action))
            if name.startswith("play:"):
                seen.add(name.removeprefix("play:"))
            position.apply(int(action))
    assert {*KINDS[26:32], *KINDS[33:]} <= seen


@pytest.mark.parametrize(("players", "least"), [(2, 0.97), (3, 0.95), (4, 0.93)])
def test_greedy_beats_random_seats(everest, players, least):
    lineup = [named_policy(everest, name) for name in ("greedy", *["random"] * (players - 1))]
    assert play_match(everest, lineup, 60).interval(0)[0] > least
