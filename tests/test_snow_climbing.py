"""Snow Climbing beyond its scenarios: decks, snapshots, hidden information, scripted players."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from snow_climbing_table import Table, snapshot

from climbenvs.engine.errors import DeckError, OptionError, SnapshotError
from climbenvs.engine.records import Records
from climbenvs.envs.vector import make_vec
from climbenvs.games.snow_climbing import deck as deck_module
from climbenvs.games.snow_climbing import state as st
from climbenvs.policies import named_policy
from climbenvs.registry import load

DECK = deck_module.SHIPPED.read_text()
BAD_DECKS = {
    "another game": ('game = "snow_climbing"', 'game = "sherpa"', "game"),
    "a number too high": ("numbers = [20]", "numbers = [21]", "numbers"),
    "numbers out of order": ("numbers = [1, 2, 3]", "numbers = [2, 1, 3]", "ascending"),
    "no numbers": ("numbers = [1, 2, 3]", "numbers = []", "numbers"),
    "an id that does not fit": ('id = "tent_4"', 'id = "tent_5"', "tent_4"),
    "a card twice": (
        'id = "tent_4"\ntype = "tent"\nnumbers = [4]',
        'id = "tent_2"\ntype = "tent"\nnumbers = [2]',
        "no other card",
    ),
    "a type too often": ('type = "rope"\nnumbers = [1, 2, 3]', 'type = "tent"', "rope"),
    "too many snowflakes": ("snowflake = false", "snowflake = true", "20"),
    "another tile": ("n = 12", "n = 13", "12"),
    "another limit": ("limit = 15", "limit = 14", "15"),
    "another backpack": ("hi = 10", "hi = 11", "10"),
    "another order of types": ('id = "tent"\n', 'id = "rope"\n', "tent"),
    "an unknown field": ("token_round = 3", "token_round = 3\nluck = 1", "luck"),
    "no provenance": ('\nsource = "rulebook"', '\nsource = "memory"', "reconstructed"),
    "other backpack counts": ("[0, 2, 3, 4]", "[0, 1, 2, 3]", "backpack_choices"),
    "no TOML": ("format = 1", "format = = 1", "TOML"),
}


@pytest.mark.parametrize("name", BAD_DECKS)
def test_bad_deck_is_refused(name, tmp_path):
    old, new, spot = BAD_DECKS[name]
    assert old in DECK
    path = tmp_path / "bad.toml"
    path.write_text(DECK.replace(old, new, 1))
    with pytest.raises(DeckError, match=spot) as error:
        load("snow_climbing", deck=path)
    assert str(path) in str(error.value)


def good(**changes):
    hands = ["tent_2 boot_10", "boot_5", "glove_4 glove_8"]
    return {**snapshot(load("snow_climbing"), hands=hands, stack="carabiner_1"), **changes}


CAMP_FIELDS = {
    "phase": "camp",
    "hands": [[], [], []],
    "stack": [],
    "camp": ["boot_5"],
    "camp_picks": 1,
}


def camp(**changes):
    given = good(**CAMP_FIELDS)
    lost = ["tent_2", "boot_10", "glove_4", "glove_8", "carabiner_1"]
    return {**given, "deck": given["deck"] + lost, **changes}


def without(card):
    """The deck at camp without a card."""
    return [other for other in camp()["deck"] if other != card]


def over(**changes):
    fields = {"phase": "over", "camp": [], "camp_picks": 0, "result": "summit"}
    given = camp(**fields)
    return {**given, "deck": [*given["deck"], "boot_5"], **changes}


def test_the_snapshots_that_are_spoiled_below_are_good():
    for given in (good(), camp(), over()):
        now = load("snow_climbing").from_dict(json.loads(json.dumps(given))).to_dict()
        assert now.keys() == given.keys()
        assert now == {**given, "deck": now["deck"]}
        assert sorted(now["deck"]) == sorted(given["deck"])


BAD_SNAPSHOTS = {
    "missing field": ({k: v for k, v in good().items() if k != "turn"}, "turn"),
    "unknown field": (good(weather=1), "weather"),
    "another game": (good(game="sherpa"), "game"),
    "another version": (good(version=2), "version"),
    "five players": (good(players=5), "players"),
    "two hands": (good(hands=[[], []]), "hands"),
    "two passes": (good(passed=[[], []]), "passed"),
    "a card twice": (good(snow=["tent_2"]), "tent_2"),
    "no such card": (good(snow=["tent_99"]), "tent_99"),
    "a card missing": (good(stack=[]), "carabiner_1"),
    "a cleared card in hand": (good(cleared=["tent_2"]), "cleared"),
    "a hand at camp": (camp(hands=[["tent_2"], [], []], deck=without("tent_2")), "hands"),
    "too many passed": (good(passed=[["tent_2", "boot_10"], [], []]), "passed"),
    "a passed card with its giver": (good(passed=[["tent_2"], [], []]), "passed"),
    "a card passed twice": (good(passed=[["tent_2"], ["tent_2"], []]), "passed"),
    "round six": (good(round=6), "round"),
    "true as a number": (good(round=True), "round"),
    "no such phase": (good(phase="dusk"), "phase"),
    "no such seat": (good(leader=3), "leader"),
    "tiles in another order": (good(tiles=good()["tiles"][::-1]), "tiles"),
    "four tiles": (good(tiles=good()["tiles"][:4]), "tiles"),
    "a token twice": (good(tokens=["boot", "boot"]), "tokens"),
    "a tent as a token": (good(tokens=["boot", "tent"]), "tokens"),
    "a backpack twice": (good(backpacks=["save_odd", "save_odd"]), "backpacks"),
    "one backpack": (good(options={**good()["options"], "backpacks": 1}), "backpacks"),
    "negative bonus": (good(options={**good()["options"], "round_bonus": -1.0}), "round_bonus"),
    "endless bonus": (good(options={**good()["options"], "round_bonus": float("nan")}), "bonus"),
    "a turn at camp": (camp(turn=1), "turn"),
    "a stack at camp": (camp(stack=["tent_2"], deck=without("tent_2")), "stack"),
    "no picks at camp": (camp(camp_picks=0), "camp_picks"),
    "more picks than types": (camp(camp_picks=2), "legal"),
    "picks while climbing": (good(camp_picks=1), "camp_picks"),
    "nothing set aside": (good(phase="route"), "pending"),
    "a backpack in use while climbing": (good(pending_backpack="save_odd"), "pending_backpack"),
    "a result while climbing": (good(result="summit"), "result"),
    "over without a result": (over(result=None), "result"),
    "an avalanche without a cause": (over(result="avalanche"), "cause"),
    "a cause of the summit": (over(cause=["l1_cards"]), "cause"),
}


@pytest.mark.parametrize("name", BAD_SNAPSHOTS)
def test_bad_snapshot_is_refused(name):
    given, field = BAD_SNAPSHOTS[name]
    with pytest.raises(SnapshotError, match=field):
        load("snow_climbing").from_dict(given)


def test_a_position_where_nobody_can_pass_is_refused():
    given = good(phase="pass", stack=[], hands=[[], [], []])
    given["deck"] += ["tent_2", "boot_10", "boot_5", "glove_4", "glove_8", "carabiner_1"]
    with pytest.raises(SnapshotError, match="phase"):
        load("snow_climbing").from_dict(given)


def test_options_outside_their_range_are_refused():
    game = load("snow_climbing")
    for options in ({"backpacks": 1}, {"blizzard": 1}, {"round_bonus": -0.5}, {"snow": True}):
        with pytest.raises(OptionError):
            game.start(3, seed=0, **options)
    assert game.start(3, seed=0, round_bonus=0.25).to_dict()["options"]["round_bonus"] == 0.25


def played(game, seed, decisions, **options):
    """A position after some random decisions (or at the end)."""
    rng = np.random.default_rng(seed)
    position = game.start(seed=seed, **options)
    for _ in range(decisions):
        if position.is_over:
            break
        position.apply(int(rng.choice(position.legal_actions())))
    return position


def test_hidden_cards_can_be_anything_for_other_seats():
    game = load("snow_climbing")
    changed = 0
    for seed in range(60):
        position = played(game, seed, seed % 40, num_players=2 + seed % 3, backpacks=3)
        for seat in range(position.num_players):
            copy = position.determinize(seat, seed)
            np.testing.assert_array_equal(copy.observe(seat), position.observe(seat))
            before, after = position.to_dict(), copy.to_dict()
            assert game.from_dict(after).to_dict() == after
            assert after["cleared"] == before["cleared"]
            if copy.player >= 0:
                assert len(copy.legal_actions()) >= 2
            changed += after != before
    assert changed > 100


def test_a_player_keeps_seeing_the_card_he_gave_away():
    game = load("snow_climbing")
    given = snapshot(
        game, hands=["tent_2", "boot_5 boot_10", "glove_4 glove_8"], stack="carabiner_1"
    )
    given["passed"] = [["boot_10"], ["glove_8"], []]
    position = game.from_dict(given)
    seen = {tuple(position.determinize(0, seed).to_dict()["hands"][1]) for seed in range(50)}
    assert all("boot_10" in hand for hand in seen)
    assert len(seen) > 10


def test_the_rewards_are_the_same_for_all_and_count_rounds():
    game = load("snow_climbing")
    for seed in range(20):
        position = played(game, seed, 500, num_players=3, round_bonus=0.5)
        completed = position.outcome()["scores"][0]
        end = 1 if position.outcome()["end"] == "summit" else -1
        assert position.rewards().tolist() == [end + 0.5 * completed] * 3


def test_the_drawing_shows_only_what_the_seat_may_know():
    game = load("snow_climbing")
    for seed in range(30):
        position = played(game, seed, seed, num_players=3)
        for seat in (0, 1, 2):
            other = position.determinize(seat, seed)
            assert position.draw(seat) == other.draw(seat)
        for text in position.draw(-1).splitlines():
            if text.startswith("player_"):
                assert text.endswith("cards")


def test_the_stack_and_the_tokens_are_drawn():
    table = Table(given=good(round=3))
    text = table.rules.draw(table.s, table.game.t, 0)
    assert "Stack (1): Carabiner #1" in text
    assert "glove and goggles: 0/2" in text
    assert "player_0 (leader) (to act) (2): Tent #2, Boot #10" in text


def test_actions_are_described():
    game = load("snow_climbing")
    position = game.from_dict(good())
    texts = {
        name: position.describe(game.action_layout.encode(name))
        for name in (
            "pass:tent_2",
            "play:tent_2",
            "route:glove_8",
            "bury:glove_13",
            "recover:glove_4",
            "recover_nothing",
            "lose:helmet_2",
            "use:save_rope",
            "save:rope_8_9_10",
        )
    }
    assert list(texts.values()) == [
        "pass Tent #2",
        "climb with Tent #2",
        "change route: Glove #8 onto the stack",
        "change route: Glove #13 into the snow",
        "recover Glove #4",
        "recover nothing",
        "lose Helmet #2",
        "use backpack save_rope",
        "save Rope #8/9/10",
    ]


def rounds_completed(policy, num_players, games, **options):
    """Mean number of rounds completed; a bonus of 1000 tells the rounds from the ends."""
    vec = make_vec(
        "snow_climbing", games, num_players=num_players, seed=7, round_bonus=1000.0, **options
    )
    vec.reset()
    played = vec.rollout(400, policy)
    return np.rint(played.returns[:, 0] / 1000).sum() / played.games.sum()


@pytest.mark.parametrize(
    ("num_players", "random", "climber"), [(2, 1.2, 3.2), (3, 1.25, 2.85), (4, 0.97, 2.6)]
)
def test_scripted_players_are_as_strong_as_they_should_be(num_players, random, climber):
    assert rounds_completed("random", num_players, 100) == pytest.approx(random, abs=0.1)
    assert rounds_completed("climber", num_players, 100) > climber
    assert rounds_completed("novice", num_players, 100) > random + 0.5


def test_every_element_of_the_observation_says_something():
    game = load("snow_climbing")
    low = np.full(game.observation_layout.size, 127)
    high = -low
    climber, beginner = named_policy(game, "climber"), named_policy(game, "random")
    rng = np.random.default_rng(0)
    for num_players in (2, 3, 4):
        for options in ({"backpacks": 4}, {"blizzard": True, "backpacks": 4}):
            records = Records(game, 512, num_players, options)
            records.seed(1)
            records.reset()
            for _ in range(300):
                for seat in range(num_players):
                    seen = records.observe(np.full(512, seat))
                    low, high = np.minimum(low, seen.min(0)), np.maximum(high, seen.max(0))
                records.reset(np.flatnonzero(records.player < 0))
                view = records.observe(records.player), records.legal_masks, rng
                at_random = rng.random(512) < 0.2
                records.apply(np.where(at_random, beginner.act(*view), climber.act(*view)))
    layout = game.observation_layout
    constant = {f"observation.{layout.name_of(i)}" for i in np.flatnonzero(low == high)}
    excused = game.definition.constant_elements.items()
    never = {name for name, reason in excused if "hardly ever" not in reason}
    assert constant == {name for name in never if name.startswith("observation")}


def test_a_regular_game_is_short():
    game = load("snow_climbing")
    for num_players in (2, 3, 4):
        position = played(game, 3, 240, num_players=num_players, backpacks=4)
        assert position.is_over


def test_the_shipped_deck_has_the_numbers_the_rulebook_shows():
    game = load("snow_climbing")
    ids = [deck_module.card_id(game.t, card) for card in range(st.CARDS)]
    shown = (
        "tent_2 tent_7 tent_10 rope_8_9_10 rope_15_16_17 compass_5 compass_7 compass_9 compass_11"
    )
    shown += " glove_4 glove_8 glove_13 boot_19 goggles_3 helmet_2 helmet_6 helmet_11 carabiner_8"
    assert set(shown.split()) <= set(ids)
    assert len(set(ids)) == st.CARDS


def test_importing_the_game_does_not_compile_it():
    code = "import climbenvs.games.snow_climbing, sys; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[1])


def test_a_deck_may_have_a_title_and_call_its_format_schema(tmp_path):
    text = DECK.replace("format = 1", 'schema = 1\ntitle = "My deck"', 1)
    (tmp_path / "mine.toml").write_text(text)
    mine = load("snow_climbing", deck=tmp_path / "mine.toml")
    assert mine.tables.tobytes() == load("snow_climbing").tables.tobytes()
