"""Self-play PPO credits the right seat, learns best play, repeats itself and goes on."""

import itertools
import json
import shutil
import signal
from dataclasses import replace

import numpy as np
import pytest
import tiny
import torch

import agents
from agents.cards import CheckpointError
from agents.experience import Experience, seat_advantages
from agents.networks import ActorCritic, load_network, sample, save_agent
from agents.ppo import Learner, Settings
from agents.seating import LEARNER, Seating, mixture
from agents.selfplay import Run, train
from climbenvs import registry
from climbenvs.engine.game import Game
from climbenvs.registry import GameSpec

SMALL = Settings(
    game="connect_four",
    num_players=2,
    opponents=("self", "random"),
    mixed=0.5,
    steps=6_000,
    seed=5,
    threads=1,
    bfloat16=False,
    num_envs=32,
    rollout_steps=32,
    minibatch_size=512,
    epochs=2,
    layers=(32,),
    evaluate_every=2_000,
    evaluation_deals=10,
    checkpoint_every=2_000,
    freeze_every=1_000,
    compare_with=("random",),
)
TINY = replace(
    SMALL,
    game="tiny",
    opponents=(),
    steps=150_000,
    num_envs=256,
    rollout_steps=16,
    learning_rate=3e-3,
    gamma=1.0,
    entropy=0.02,
    layers=(64,),
    evaluate_every=10**9,
    checkpoint_every=10**9,
)


@pytest.fixture(scope="module", autouse=True)
def tiny_games():
    """Make the tiny games known by name; the team has one reward for all."""
    specs = [GameSpec(name, name, name, listed=False) for name in ("tiny", "tiny_team")]
    for spec in specs:
        registry.register(spec)
    patch = pytest.MonkeyPatch()
    games = {"tiny": Game(tiny.GAME), "tiny_team": Game(tiny.TEAM)}
    known = registry.load

    def load(game, **arguments):
        return games[game] if game in games else known(game, **arguments)

    for module in ("agents.ppo", "agents.selfplay"):
        patch.setattr(f"{module}.load", load)
    yield games
    patch.undo()
    for spec in specs:
        del registry._specs[spec.name]


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return train(SMALL, tmp_path_factory.mktemp("run"))


def weights(run):
    parameters = run.learner.network.parameters()
    return torch.nn.utils.parameters_to_vector(parameters).detach().numpy()


def learn(tmp_path, **changes):
    run = Run(replace(TINY, **changes), tmp_path)
    while run.left() > 0:
        run.iterate()
    return run


# --- Crediting -----------------------------------------------------------------------------------


def by_hand(players, values, rewards, dones, mine, gamma, lam):
    """The same as `seat_advantages`, a trajectory at a time and forwards."""
    steps, rows, seats = rewards.shape
    advantages, known = np.zeros((steps, rows)), np.zeros((steps, rows), bool)
    for row, seat in itertools.product(range(rows), range(seats)):
        own = [k for k in range(steps) if mine[k, row] and players[k, row] == seat]
        following = {}
        for k, after in zip(own, [*own[1:], steps], strict=True):
            end = next((e for e in range(k, after) if dones[e, row]), None)
            last = end + 1 if end is not None else after
            paid = rewards[k:last, row, seat].sum()
            if end is None and after == steps:
                following[k] = None
                continue
            ahead = 0.0 if end is not None else values[after, row]
            following[k] = (
                paid + gamma * ahead - values[k, row],
                None if end is not None else after,
            )
        for k in reversed(own):
            if following[k] is None:
                continue
            known[k, row] = True
            surprise, after = following[k]
            advantages[k, row] = surprise
            if after is not None:
                advantages[k, row] += gamma * lam * advantages[after, row]
    return advantages, known


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_advantages_follow_each_seats_own_decisions(seats):
    rng = np.random.default_rng(seats)
    shape = (40, 7)
    arrays = (
        rng.integers(seats, size=shape),
        rng.normal(size=shape).astype(np.float32),
        rng.normal(size=(*shape, seats)).astype(np.float32),
        rng.random(shape) < 0.1,
        rng.random(shape) < 0.8,
    )
    advantages, known, _ = seat_advantages(*arrays, 0.9, 0.8)
    expected, expected_known = by_hand(*arrays, 0.9, 0.8)
    np.testing.assert_array_equal(known, expected_known & arrays[4])
    np.testing.assert_allclose(advantages, expected * known, atol=1e-5)


def test_a_reward_reaches_the_seat_that_earned_it_and_no_other():
    """Seat 0 decides, seat 1 decides and wins: the loser's -1 belongs to seat 0's decision."""
    players = np.array([[0], [1]])
    rewards = np.array([[[0.0, 0.0]], [[-1.0, 1.0]]])
    dones = np.array([[False], [True]])
    zeros, ones = np.zeros((2, 1), np.float32), np.ones((2, 1), bool)
    advantages, known, _ = seat_advantages(players, zeros, rewards, dones, ones, 1.0, 1.0)
    assert advantages[:, 0].tolist() == [-1.0, 1.0]
    assert known.all()


def test_decisions_cut_off_by_a_rollouts_end_are_trained_on_in_the_next_one():
    """Cutting one long rollout into short ones changes neither what is trained on nor how."""
    rng = np.random.default_rng(3)
    seats, rows, steps = 3, 5, 24
    shape = (steps, rows)
    players, dones = rng.integers(seats, size=shape), rng.random(shape) < 0.08
    values = rng.normal(size=shape).astype(np.float32)
    rewards = rng.normal(size=(*shape, seats)).astype(np.float32)
    whole, known, _ = seat_advantages(
        players, values, rewards, dones, np.ones(shape, bool), 0.9, 0.0
    )
    e = Experience.empty(4, rows, seats, 1, 1, 0)
    trained = {}
    for first in range(0, steps, 4):
        part = slice(first, first + 4)
        e.players[seats:], e.values[seats:] = players[part], values[part]
        e.rewards[seats:], e.dones[seats:], e.mine[seats:] = rewards[part], dones[part], True
        e.actions[seats:] = np.arange(first * rows, (first + 4) * rows).reshape(4, rows)
        advantages, chosen = e.finish(0.9, 0.0)
        for number, advantage in zip(
            e.actions.reshape(-1)[chosen], advantages.reshape(-1)[chosen], strict=True
        ):
            assert number not in trained
            trained[number] = advantage
        e.hold()
    expected = {n: whole.reshape(-1)[n] for n in np.flatnonzero(known)}
    assert trained.keys() == expected.keys()
    for number, advantage in trained.items():
        assert advantage == pytest.approx(expected[number], abs=1e-5)


# --- Learning what is known to be best ------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 3])
@pytest.mark.parametrize("centralised", [False, True])
def test_players_learn_to_meet(tmp_path, seats, centralised):
    run = learn(tmp_path, game="tiny_team", num_players=seats, centralised_critic=centralised)
    run.collect(False)
    paid = run.experience.rewards[seats:][run.experience.dones[seats:]]
    assert paid.mean() > 0.9  # 1 is the best there is, chance gives below 0.2 with two seats
    assert paid.mean() <= 1


def bet_chances(network, seats):
    """Probability to bet by (card, bets before, own checks): with what `observe` writes."""
    chances = {}

    def chance(card, bets, acted, checked):
        row = np.zeros((1, 15), np.int8)
        row[0, card] = 1
        row[0, 4] = checked
        row[0, 8 : 8 + seats] = bets
        row[0, 11 : 11 + seats] = acted
        row[0, 14] = 1
        key = row.tobytes()
        if key not in chances:
            mask = np.ones((1, 2), np.int8)
            with torch.no_grad():
                logits, _ = network(torch.as_tensor(row), torch.as_tensor(mask))
            chances[key] = float(logits.softmax(1)[0, 1])
        return chances[key]

    return chance


def test_one_seat_bets_on_the_card_that_wins(tmp_path):
    run = learn(tmp_path, num_players=1, options={"kind": tiny.POKER})
    chance = bet_chances(run.learner.network, 1)
    assert chance(1, [0], [0], 0) > 0.95
    assert chance(0, [0], [0], 0) < 0.05


def kuhn_gain(responder, strategy, chance):
    """What a pure `strategy` of one seat wins on average against the learned other seat."""
    total = 0.0
    for cards in itertools.permutations(range(3), 2):
        mine, theirs = (cards[responder], cards[1 - responder])
        win = 1 if mine > theirs else -1
        if responder == 0:
            if strategy[mine, "first"]:
                call = chance(theirs, [0, 1], [0, 1], 0)
                total += call * 2 * win + (1 - call) * 1
            else:
                bet = chance(theirs, [0, 0], [0, 1], 0)
                answer = 2 * win if strategy[mine, "after"] else -1
                total += bet * answer + (1 - bet) * win
        else:
            bet = chance(theirs, [0, 0], [0, 0], 0)
            total += bet * (2 * win if strategy[mine, "after"] else -1)
            if strategy[mine, "first"]:
                call = chance(theirs, [0, 1], [1, 1], 1)
                total += (1 - bet) * (call * 2 * win + (1 - call))
            else:
                total += (1 - bet) * win
    return total / 6


def exploitability(chance):
    """Mean of what the best responses in both seats win; zero for best play by both."""
    situations = list(itertools.product(range(3), ("first", "after")))
    strategies = [
        dict(zip(situations, choices, strict=True))
        for choices in itertools.product((False, True), repeat=6)
    ]
    best = [max(kuhn_gain(seat, each, chance) for each in strategies) for seat in (0, 1)]
    return sum(best) / 2


def test_two_seats_play_kuhn_poker_without_blunders(tmp_path):
    """What is dominated is gone, and little is left to gain against the rest.

    Players that learn from each other circle around the equilibrium, so they are near it only.
    """
    assert exploitability(lambda *situation: 0.5) == pytest.approx(0.4583, abs=1e-3)
    settings = {"num_players": 2, "options": {"kind": tiny.POKER}, "steps": 300_000}
    chance = bet_chances(learn(tmp_path, **settings).learner.network, 2)
    for bets, acted, checked in (([0, 1], [0, 1], 0), ([0, 1], [1, 1], 1)):
        assert chance(2, bets, acted, checked) > 0.95
        assert chance(0, bets, acted, checked) < 0.05
    assert exploitability(chance) < 0.38


def test_three_seats_call_with_the_best_card_and_never_with_the_worst(tmp_path):
    run = learn(tmp_path, num_players=3, options={"kind": tiny.POKER})
    chance = bet_chances(run.learner.network, 3)
    for bets, acted in (([0, 0, 1], [0, 0, 1]), ([0, 1, 1], [0, 1, 1]), ([0, 1, 0], [0, 1, 1])):
        assert chance(3, bets, acted, 0) > 0.9
        assert chance(0, bets, acted, 0) < 0.1


def test_only_values_are_learned_at_first_if_asked_for(tmp_path):
    run = Run(replace(SMALL, judge_steps=1_500, epochs=8), tmp_path)
    policy = run.learner.network.policy.weight.detach().clone()
    value = run.learner.network.value.weight.detach().clone()
    while run.steps < 1_500:
        run.iterate()
        assert not torch.equal(run.learner.network.value.weight, value)
        assert torch.equal(run.learner.network.policy.weight, policy)
    run.iterate()
    assert not torch.equal(run.learner.network.policy.weight, policy)


def test_the_first_episodes_are_mixed_too(tmp_path):
    run = Run(replace(SMALL, opponents=("random",), mixed=1.0), tmp_path)
    assert np.all((run.seating.players == LEARNER).sum(axis=1) == 1)
    run.iterate()
    steps = run.experience.mine[2:]
    assert steps.mean() == pytest.approx(0.5, abs=0.05)


def test_the_teacher_is_imitated(tmp_path):
    class Leftmost:
        def act(self, observation, mask, rng):
            return mask.argmax(axis=1)

    settings = replace(
        SMALL, learning_rate=3e-3, steps=10**6, teacher="random", teacher_steps=10**6
    )
    run = Run(settings, tmp_path)
    run.iterate()
    assert run.experience.mine[2:].all()
    # Of chance nothing can be learned but that all seven columns are alike.
    assert run.report["policy_loss"] == pytest.approx(np.log(7), abs=0.15)
    run.teacher = Leftmost()
    for _ in range(25):
        run.iterate()
    assert run.report["policy_loss"] < 0.5


# --- The parts -----------------------------------------------------------------------------------


def test_an_illegal_action_has_no_chance_and_no_part_in_the_entropy():
    game = registry.load("connect_four")
    network = ActorCritic(game, (16,))
    rows = torch.zeros(4, game.observation_layout.size, dtype=torch.int8)
    mask = torch.zeros(4, game.num_actions, dtype=torch.int8)
    mask[:, 2] = mask[:, 5] = 1
    chances = network(rows, mask)[0].softmax(1)
    assert torch.all(chances[mask == 0] == 0)
    learner = Learner(game, SMALL)
    batch = {"observation": rows, "mask": mask, "state": rows[:, :0], "advice": rows[:, 0]}
    batch |= {name: torch.zeros(4) for name in ("old_logs", "returns", "advantages")}
    _, report = learner.loss(batch | {"actions": torch.full((4,), 2)}, 0.0)
    assert report["entropy"].item() == pytest.approx(np.log(2), abs=1e-2)


def test_sampling_follows_the_probabilities_and_never_leaves_them():
    chances = torch.tensor([[0.0, 0.25, 0.0, 0.75, 0.0]])
    draws = torch.linspace(0, 1, 1001)[:, None]
    actions = sample(chances.expand(1001, 5), draws)
    assert set(actions.tolist()) == {1, 3}
    assert (actions == 1).float().mean().item() == pytest.approx(0.25, abs=0.002)


def test_a_mixed_episode_has_one_learner_and_every_other_seat_a_player():
    seating = Seating(2000, 4, 0.5)
    _, weights = mixture(["a"], ["old", "older"])
    assert weights.tolist() == [0.5, 0.25, 0.25]
    seating.draw(np.arange(2000), weights, np.random.default_rng(0))
    learners = (seating.players == LEARNER).sum(axis=1)
    assert set(learners.tolist()) == {1, 4}
    assert (learners == 1).mean() == pytest.approx(0.5, abs=0.05)
    others = seating.players[learners == 1]
    assert (others[others != LEARNER] == 0).mean() == pytest.approx(0.5, abs=0.05)


# --- Runs ----------------------------------------------------------------------------------------


def test_a_run_leaves_an_agent_that_plays_and_its_history(finished):
    text = (finished.folder / "history.jsonl").read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0]["steps"] == 0
    assert lines[-1]["steps"] >= SMALL.steps
    assert lines[-1]["results"][0]["opponent"] == "random"
    policy = agents.load(str(finished.folder))
    assert policy.card["algorithm"] == "ppo"
    game = registry.load("connect_four")
    vector_rows = np.zeros((3, game.observation_layout.size), np.int8)
    mask = np.zeros((3, 7), np.int8)
    mask[:, 4] = 1
    assert policy.act(vector_rows, mask, np.random.default_rng(0)).tolist() == [4, 4, 4]


def test_a_seed_reproduces_a_run(finished, tmp_path):
    again = train(SMALL, tmp_path)
    np.testing.assert_array_equal(weights(again), weights(finished))
    other = train(replace(SMALL, seed=6), tmp_path / "other")
    assert not np.array_equal(weights(other), weights(finished))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"steps": 0}, "steps is 0; expected a positive integer"),
        ({"minutes": 0.0}, "minutes is 0.0; expected a positive number"),
        ({"layers": ()}, "at least one positive width"),
        ({"mixed": 1.5}, r"mixed is 1.5; expected a number in \[0, 1\]"),
        ({"evaluate_every": 0}, "evaluate_every is 0"),
    ],
)
def test_settings_that_cannot_be_are_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        replace(SMALL, **changes)


def interrupted(monkeypatch, settings, folder):
    """Train until a Ctrl-C arrives in the third update."""
    iterate, calls = Run.iterate, []

    def iterate_and_interrupt(run):
        calls.append(run)
        if len(calls) == 3:
            signal.raise_signal(signal.SIGINT)
        iterate(run)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "iterate", iterate_and_interrupt)
        with pytest.raises(KeyboardInterrupt):
            train(settings, folder)
    return calls[0]


def test_an_advised_run_goes_on_bit_for_bit(tmp_path, monkeypatch):
    settings = replace(SMALL, game="snow_climbing", advisor="climber", compare_with=("climber",))
    whole = train(settings, tmp_path / "whole")
    interrupted(monkeypatch, settings, tmp_path / "stopped")
    resumed = train(settings, tmp_path / "stopped", resume=True)
    np.testing.assert_array_equal(weights(resumed), weights(whole))


def test_a_new_run_leaves_nothing_of_the_one_before(finished, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    shutil.copytree(finished.folder, folder)
    (folder / "final.zip").write_bytes(b"of the other algorithm")
    interrupted(monkeypatch, SMALL, folder)
    names = {path.name for path in folder.iterdir()}
    assert names == {"settings.json", "history.jsonl", "checkpoint.pt"}


def test_an_interrupted_run_goes_on_bit_for_bit(finished, tmp_path, monkeypatch):
    stopped = interrupted(monkeypatch, SMALL, tmp_path)
    assert 2_000 < stopped.steps < finished.steps
    assert not (tmp_path / "card.json").exists()
    with pytest.raises(ValueError, match="holds no finished agent"):
        agents.load(str(tmp_path))
    resumed = train(SMALL, tmp_path, resume=True)
    np.testing.assert_array_equal(weights(resumed), weights(finished))
    results = [[entry["results"] for entry in run.history] for run in (resumed, finished)]
    assert results[0] == results[1]


def test_a_damaged_checkpoint_is_refused(tmp_path, monkeypatch):
    interrupted(monkeypatch, SMALL, tmp_path)
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(CheckpointError, match=r"checkpoint\.pt is damaged"):
        train(SMALL, tmp_path, resume=True)
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"checkpoint\.pt"):
        train(SMALL, tmp_path, resume=True)


def test_training_can_start_from_an_agent(finished, tmp_path):
    run = Run(replace(SMALL, start_from=str(finished.folder), layers=(5, 5)), tmp_path)
    assert run.settings.layers == SMALL.layers
    with pytest.raises(ValueError, match="expected an agent of self-play"):
        Run(replace(SMALL, start_from="nowhere"), tmp_path)
    rounded = np.float16(weights(finished)).astype(np.float32)
    np.testing.assert_array_equal(weights(run), rounded)


def test_agents_of_another_game_or_version_or_file_are_refused(finished, tmp_path):
    game = registry.load("connect_four")
    with pytest.raises(CheckpointError, match=r"game is 'connect_four', .*'everest_go'"):
        load_network(registry.load("everest_go"), finished.folder)
    network = ActorCritic(game, (32,))
    card = {**finished.card(), "layers": [32]}
    save_agent(tmp_path, network, {**card, "version": 9})
    with pytest.raises(CheckpointError, match="version is 9, connect_four_v0 needs 0"):
        load_network(game, tmp_path)
    save_agent(tmp_path, network, {**card, "layers": [33]})
    with pytest.raises(CheckpointError, match="is damaged"):
        load_network(game, tmp_path)
    save_agent(tmp_path, network, card)
    load_network(game, tmp_path)
    weights_file = tmp_path / "agent.safetensors"
    weights_file.write_bytes(weights_file.read_bytes()[:-1] + b"x")
    with pytest.raises(CheckpointError, match="not the file its card was written for"):
        load_network(game, tmp_path)
    weights_file.unlink()
    with pytest.raises(CheckpointError, match=r"there is no agent\.safetensors"):
        load_network(game, tmp_path)
    (tmp_path / "card.json").write_text("{}")
    with pytest.raises(CheckpointError, match="card is damaged"):
        load_network(game, tmp_path)


def test_a_player_that_needs_positions_cannot_sit_in_training(tmp_path):
    class Searcher:
        def act_on(self, positions, rng):
            return np.zeros(len(positions), int)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agents, "load", lambda *arguments: Searcher())
        with pytest.raises(ValueError, match="searcher needs positions"):
            Run(replace(SMALL, opponents=("searcher",)), tmp_path)


def test_advice_is_mostly_taken_at_first_and_stays_with_the_agent(tmp_path, monkeypatch):
    run = Run(replace(SMALL, game="snow_climbing", advisor="climber", num_envs=64), tmp_path)
    run.iterate()
    e = run.experience
    assert (e.advice == e.actions)[2:].mean() > 0.8
    assert (e.advice[2:] != 0).any()
    save_agent(tmp_path, run.learner.network, run.card())
    policy = agents.load(str(tmp_path), run.game)
    advice = run.advisor.act(run.batch.observation, run.batch.action_mask, run.rng)
    actions = policy.act(run.batch.observation, run.batch.action_mask, run.rng)
    assert (actions == advice).mean() > 0.8
    policy.network.trust.data.fill_(-50.0)
    actions = policy.act(run.batch.observation, run.batch.action_mask, run.rng)
    assert (actions == advice).mean() < 0.2
