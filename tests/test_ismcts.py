"""Search finds what is known to be best, sees nothing hidden, and repeats itself."""

from dataclasses import replace

import high_card
import numpy as np
import pytest
import tiny
from conftest import GAMES, TABLES
from helpers import run_python

import agents
import climbenvs
from agents import search_tree
from agents.ismcts import ISMCTS
from climbenvs.arena.players import PositionPolicy
from climbenvs.engine.game import Game
from climbenvs.engine.records import Records

SEARCHED = [table for table in TABLES if table[0] != "connect_four"]


def drop(*columns):
    position = climbenvs.load("connect_four").start(seed=0)
    for column in columns:
        position.apply(column)
    return position


def test_an_immediate_win_is_taken():
    position = drop(0, 6, 1, 6, 2, 5)
    result = ISMCTS(position.game, 300).search(position, seed=1)
    assert result.best == 3
    assert result.values[0] == 1.0
    assert result.visits[0] > 200


def test_an_immediate_loss_is_prevented():
    position = drop(0, 6, 1, 6, 4, 6)
    result = ISMCTS(position.game, 2000).search(position, seed=1)
    assert result.best == 6


def test_a_double_threat_is_found():
    """With 2 and 3 held and both sides free, 1 or 4 wins by threatening both ends."""
    position = drop(2, 2, 3, 3)
    result = ISMCTS(position.game, 4000).search(position, seed=1)
    assert result.best in (1, 4)
    assert result.values[0] > 0.7
    assert result.principal_variation[0] == result.best


def test_numbers_of_a_result_add_up():
    position = drop(3)
    result = ISMCTS(position.game, 500).search(position, seed=4)
    assert result.simulations == result.visits.sum() == 500
    assert set(result.actions) == set(position.legal_actions())
    assert np.all(np.diff(result.visits) <= 0)
    np.testing.assert_allclose(result.returns.sum(axis=1), 0, atol=1e-9)
    assert "500 simulations" in result.text()
    assert position.to_dict() == drop(3).to_dict()


# --- Several seats ------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2])
def test_seats_that_are_paid_together_meet(seats):
    """Each seat looks for its own reward, and all are best off with A throughout."""
    game = Game(tiny.GAME)
    position = game.start(seats, seed=0)
    search = ISMCTS(game, 2000)
    while not position.is_over:
        position.apply(search.search(position, seed=position.num_decisions).best)
    assert position.rewards().tolist() == [1.0] * seats


def test_every_seat_is_taken_to_follow_its_own_reward():
    """Kuhn poker for three: the last seat calls a bet with the best card and folds the worst."""
    game = Game(tiny.GAME)
    best, worst = [], []
    for seed in range(60):
        position = game.start(3, seed=seed, kind=tiny.POKER)
        position.apply(0)
        position.apply(1)
        card = int(position.record["card"][2])
        if card in (0, 3):
            action = ISMCTS(game, 400).search(position, seed=seed).best
            (best if card == 3 else worst).append(action)
    assert set(best) == {1}  # neither list is empty
    assert set(worst) == {0}


def test_a_rivals_loss_is_no_gain():
    """Where seats are not rivals, nobody is taken to act against the searching seat.

    Were the others taken to minimise its reward, all its choices would look equally worthless.
    """
    game = Game(tiny.GAME)
    result = ISMCTS(game, 3000).search(game.start(2, seed=0), seed=2)
    assert result.best == 0
    assert result.values[0] > 0.6
    assert result.returns[0, 1] == pytest.approx(result.returns[0, 0])


# --- What is hidden ------------------------------------------------------------------------------


@pytest.mark.parametrize(("game_name", "seats"), SEARCHED)
def test_the_truth_plays_no_part(game_name, seats):
    """Positions that look the same to the seat are searched to the same distribution.

    The hidden cards of a position in mid-game are drawn anew 120 times; a search of each of them,
    against as many searches of the true position, must visit the first actions as often.
    """
    game = climbenvs.load(game_name)
    position = game.start(seats, seed=5)
    rng = np.random.default_rng(5)
    for _ in range(25):
        position.apply(int(rng.choice(position.legal_actions())))
        if position.is_over:
            position.restart()
    while len(position.legal_actions()) > 8:
        position.apply(int(rng.choice(position.legal_actions())))
    search = ISMCTS(game, 40)
    visits = np.zeros((2, game.num_actions))
    for seed in range(120):
        redrawn = position.determinize(position.player, seed=1000 + seed)
        for kind, searched in enumerate((position, redrawn)):
            result = search.search(searched, seed=seed + 500 * kind)
            visits[kind, result.actions] += result.visits / 120
    share = visits[:, visits.sum(axis=0) > 0] / 40
    assert np.abs(share[0] - share[1]).max() < 0.1


def test_a_hidden_card_cannot_be_guessed_by_searching():
    """The same search in true positions that differ in hidden cards alone, in exact numbers."""
    game = Game(high_card.GAME)
    position = game.start(2, seed=3)
    snapshot = position.to_dict()
    hands, deck = snapshot["hands"], snapshot["deck"]
    other = next(card for card in deck if card != hands[1])
    swapped = {**snapshot, "hands": [hands[0], other], "deck": list(deck)}
    swapped["deck"][deck.index(other)] = hands[1]
    twin = game.from_dict(swapped)
    assert np.array_equal(position.observe(0), twin.observe(0))
    totals = []
    for searched in (position, twin):
        results = [ISMCTS(game, 50).search(searched, seed=seed) for seed in range(200)]
        totals.append(np.mean([dict(zip(r.actions, r.visits, strict=True))[1] for r in results]))
    assert totals[0] == pytest.approx(totals[1], abs=1.5)


def test_rarely_legal_actions_are_compared_by_their_availability():
    """Below the root another seat's legal actions differ from world to world.

    Everest Go!'s hidden hands make an action of the next seat legal in some worlds only. Such a
    child was available less often than its parent was visited, and never visited more often than
    it was available.
    """
    game = climbenvs.load("everest_go")
    search = ISMCTS(game, 3000)
    position = game.start(2, seed=8)
    tree = search._grow(position._records.states[:1].copy(), 7)
    nodes = tree.nodes[: int(tree.size[0])]
    inner = nodes["parent"] > 0
    assert np.all(nodes["visits"][1:] <= nodes["available"][1:])
    parents = nodes["visits"][nodes["parent"][inner]]
    assert np.all(nodes["available"][inner] <= parents)
    assert (nodes["available"][inner] < 0.8 * parents).sum() > 20


def test_the_bound_uses_availability_and_not_the_parents_visits():
    """Of two children that are alike, the one available less often is explored less."""
    nodes = np.zeros(3, search_tree.NODE_DTYPE)
    totals = np.zeros((3, 1))
    size = np.zeros(1, np.int64)
    search_tree.add_node(nodes, size, -1, -1)
    often = search_tree.add_node(nodes, size, 0, 0)
    seldom = search_tree.add_node(nodes, size, 0, 1)
    nodes["visits"] = [100, 10, 10]
    nodes["available"] = [100, 90, 12]
    totals[:, 0] = [5.0, 5.0, 5.2]
    mask = np.ones(2, np.int8)
    span = np.array([0.0, 1.0])
    assert search_tree.pick_child(nodes, totals, 0, mask, 0, span, 0.7) == often
    assert search_tree.pick_child(nodes, totals, 0, mask, 0, span, 0.0) == seldom
    mask[0] = 0
    assert search_tree.pick_child(nodes, totals, 0, mask, 0, span, 0.7) == seldom


# --- As a player ---------------------------------------------------------------------------------


def positions(game, size, seats=None):
    records = Records(game, size, seats, {})
    records.seed(0)
    records.reset()
    return records


def test_a_batch_is_searched_alike_whatever_the_threads_and_the_company():
    game = climbenvs.load("sherpa")
    records = positions(game, 6, 3)
    chosen = [
        ISMCTS(game, 60, num_threads=threads).act_on(records, np.random.default_rng(4))
        for threads in (1, 2)
    ]
    assert chosen[0].tolist() == chosen[1].tolist()
    assert np.all(records.legal_masks[records.rows, chosen[0]] == 1)
    assert isinstance(ISMCTS(game, 1), PositionPolicy)


def test_the_same_seed_gives_the_same_search():
    position = climbenvs.load("snow_climbing").start(seed=2)
    search = ISMCTS(position.game, 200, rollout="climber")
    first, again, other = (search.search(position, seed=seed) for seed in (1, 1, 2))
    assert first.text() == again.text()
    assert first.text() != other.text()


@pytest.mark.parametrize("game_name", GAMES)
def test_every_game_is_searched_to_its_end(game_name):
    game = climbenvs.load(game_name)
    position = game.start(seed=1)
    rollout = next(iter(game.definition.policies), "random")
    search = ISMCTS(game, 8, rollout=rollout)
    for _ in range(30):
        if position.is_over:
            break
        position.apply(search.search(position, seed=position.num_decisions).best)


def test_a_time_limit_is_a_budget_too():
    position = drop()
    result = ISMCTS(position.game, milliseconds=20).search(position, seed=0)
    assert result.simulations >= 64


def test_searching_beats_playing_at_random():
    game = climbenvs.load("everest_go")
    search, rng = ISMCTS(game, 60), np.random.default_rng(0)
    wins = 0.0
    for seed in range(12):
        position = game.start(2, seed=seed)
        while not position.is_over:
            if position.player == seed % 2:
                action = search.search(position, seed=position.num_decisions).best
            else:
                action = int(rng.choice(position.legal_actions()))
            position.apply(action)
        wins += position.rewards()[seed % 2] > 0
    assert wins >= 9


def test_search_works_uncompiled():
    code = (
        "import climbenvs; from agents.ismcts import ISMCTS\n"
        "p = climbenvs.load('connect_four').start(seed=0)\n"
        "for c in (0, 6, 1, 6, 2, 5): p.apply(c)\n"
        "print(ISMCTS(p.game, 60).search(p, seed=1).text())\n"
    )
    plain = run_python(code, CLIMBENVS_JIT="0")
    assert plain == run_python(code)
    assert "drop:3" in plain.splitlines()[1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a budget as 200 or 50ms"),
        ("many", "expected a budget as 200 or 50ms"),
        ("200,depth=3", "expected a budget as 200 or 50ms"),
        ("0", "expected a positive budget"),
        ("-5ms", "expected a positive budget"),
        ("infms", "expected a positive budget"),
        ("10,rollout=nobody", "no policy 'nobody'"),
    ],
)
def test_a_bad_budget_is_named(text, message):
    game = climbenvs.load("connect_four")
    with pytest.raises(ValueError, match=message):
        agents.load(f"ismcts:{text}", game)


def test_bad_uses_are_named():
    game = climbenvs.load("connect_four")
    with pytest.raises(ValueError, match="either simulations or milliseconds"):
        ISMCTS(game)
    with pytest.raises(ValueError, match="either simulations or milliseconds"):
        ISMCTS(game, 10, milliseconds=10)
    over = drop(0, 1, 0, 1, 0, 1, 0)
    with pytest.raises(ValueError, match="the game is over"):
        ISMCTS(game, 10).search(over)
    with pytest.raises(ValueError, match="was given a position of"):
        ISMCTS(game, 10).search(climbenvs.load("sherpa").start(seed=0))
    with pytest.raises(ValueError, match="was given a position of"):
        ISMCTS(game, 10).search(Game(replace(game.definition)).start(seed=0))
