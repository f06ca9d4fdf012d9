"""Tournaments go on after anything, count every game once, and let nobody spoil them."""

import csv
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest
import torch
from helpers import ROOT, run_python

import climbenvs
from climbenvs.arena import (
    Field,
    FunctionPolicy,
    OnnxPolicy,
    Store,
    StoreError,
    TorchPolicy,
    Tournament,
    challenge,
    play_games,
    resolve,
    result_of,
)
from climbenvs.arena.tournament import MOST_LINEUPS, all_lineups
from climbenvs.engine.game import Game
from climbenvs.engine.jit import rule
from climbenvs.policies import named_policy
from climbenvs.registry import load

FOUR = load("connect_four")


class First:
    """The first legal action."""

    def act(self, observation, action_mask, rng):
        return action_mask.argmax(axis=1)


def play(players, deals=4, **settings):
    """The named players against each other in Connect Four."""
    rngs = {name: np.random.default_rng(0) for name in players}
    return play_games(FOUR, players, list(players), range(deals), rngs=rngs, **settings)


# --- Forfeits ------------------------------------------------------------------------------------


class Illegal:
    def act(self, observation, action_mask, rng):
        return np.where(observation[:, -1] >= 0, 6 * FOUR.num_actions, 0)


class Raises:
    """Fails where it is the second to move, at its first move."""

    wants_turns = True

    def act(self, observation, action_mask, rng, turns):
        if np.any(turns.seats == 1):
            raise RuntimeError("no idea")
        return action_mask.argmax(axis=1)


class WrongShape:
    def act(self, observation, action_mask, rng):
        return action_mask.argmax(axis=1)[:, None]


class Late:
    def act(self, observation, action_mask, rng):
        time.sleep(0.05 * len(observation))
        return action_mask.argmax(axis=1)


@pytest.mark.parametrize(
    ("player", "reason", "limit"),
    [
        (Illegal(), "illegal action 42", None),
        (WrongShape(), "ValueError: actions have shape", None),
        (FunctionPolicy(lambda observation, mask, rng: 0.5), "TypeError: actions have dtype", None),
        (Late(), "s per decision, 0.01 allowed", 0.01),
    ],
)
def test_a_player_that_fails_forfeits_its_games(player, reason, limit):
    games = play({"bad": player, "good": First()}, time_limit=limit)
    assert np.all(games.ends == "forfeit")
    assert all(reason in text for text in games.forfeits)
    seat = np.argmax(games.seated == 0, axis=1)
    np.testing.assert_array_equal(games.forfeited_by, seat)
    assert np.all(games.shares[np.arange(8), seat] == 0)
    assert np.all(games.rewards[np.arange(8), seat] == -1)
    np.testing.assert_allclose(games.shares.sum(axis=1), 1)
    np.testing.assert_allclose(games.rewards.sum(axis=1), 0)


def test_only_the_games_in_which_a_player_fails_are_forfeited():
    games = play({"bad": Raises(), "good": First()})
    failed = games.seated[:, 1] == 0
    np.testing.assert_array_equal(games.forfeited_by == 1, failed)
    assert set(games.forfeits[failed]) == {"RuntimeError: no idea"}
    assert set(games.ends[~failed]) <= {"four", "full"}


def test_of_three_the_others_share_and_a_team_loses_together():
    game = load("sherpa")
    players = {"bad": Illegal(), "x": First(), "y": First()}
    rngs = {name: np.random.default_rng(0) for name in players}
    games = play_games(game, players, list(players), range(2), rngs=rngs)
    forfeited = games.forfeited_by >= 0
    assert forfeited.all()
    assert np.sort(games.shares, axis=1).tolist() == [[0, 0.5, 0.5]] * 6
    snow = load("snow_climbing")
    games = play_games(snow, {"bad": Illegal()}, ["bad"] * 2, range(2), rngs=rngs, rotations=1)
    assert games.shares.max() == 0
    assert games.rewards.tolist() == [[-1, -1]] * 2


def test_ctrl_c_is_no_forfeit():
    class Interrupts:
        def act(self, observation, action_mask, rng):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play({"a": Interrupts(), "b": First()})


# --- Players -------------------------------------------------------------------------------------


def test_memory_is_kept_by_game_and_seat():
    class Counts:
        """Counts its moves by game and seat, starting anew with new games."""

        wants_turns = True

        def reset(self, rows):
            self.moves = np.zeros((len(rows), 2), int)

        def act(self, observation, action_mask, rng, turns):
            assert turns.game is FOUR
            assert turns.num_players == 2
            self.moves[turns.rows, turns.seats] += 1
            # The board tells how many stones lie there: this is the move it says it is.
            stones = (observation[:, :84] != 0).sum(axis=1)
            np.testing.assert_array_equal(self.moves[turns.rows, turns.seats] - 1, stones // 2)
            return action_mask.argmax(axis=1)

    games = play({"counts": Counts(), "random": named_policy(FOUR, "random")}, forfeits=False)
    assert games.num_games == 8
    play({"counts": Counts(), "random": named_policy(FOUR, "random")}, forfeits=False)


def test_a_searching_player_sees_what_it_may_know_and_not_the_truth():
    game = load("everest_go")
    given = []

    class Looks:
        def act_on(self, positions, rng):
            seats = positions.player.astype(np.int64)
            given.append((positions.observe(seats), np.array(positions.states), seats))
            assert not positions.streams.any()  # from a stream follows the deal
            return positions.legal_masks.argmax(axis=1)

    rngs = {name: np.random.default_rng(0) for name in "ab"}
    play_games(game, {"a": Looks(), "b": First()}, ["a", "b"], range(50), rngs=rngs)
    observation, states, seats = given[0]
    rows = np.arange(len(seats))
    # At the first call the games have just been dealt: those with seat 0 to act are rotation 0.
    dealt = climbenvs.make_vec(game, 50, num_players=2, seed=0)
    batch = dealt.reset()
    truth = dealt.get_state()["states"]
    deals = rows[seats == 0][:50]
    assert len(deals) >= 10
    match = [np.flatnonzero((batch.observation == observation[row]).all(axis=1)) for row in deals]
    assert all(len(found) == 1 for found in match)
    found = np.concatenate(match)
    np.testing.assert_array_equal(states["hand"][deals, 0], truth["hand"][found, 0])
    hidden = states["hand"][deals, 1] != truth["hand"][found, 1]
    assert hidden.any(axis=tuple(range(1, hidden.ndim))).mean() > 0.9


def test_functions_and_modules_play():
    lowest = FunctionPolicy(lambda observation, mask, rng: int(mask.argmax()))

    class Sixth(torch.nn.Module):
        def forward(self, rows):
            return 9 * torch.nn.functional.one_hot(torch.full((len(rows),), 5), 7).float(), None

    rows, mask = np.zeros((2, FOUR.observation_layout.size), np.int8), np.ones((2, 7), np.int8)
    mask[1, 5] = 0
    rng = np.random.default_rng(0)
    assert lowest.act(rows, mask, rng).tolist() == [0, 0]
    chosen = TorchPolicy(Sixth(), deterministic=True).act(rows, mask, rng)
    assert chosen[0] == 5
    assert chosen[1] != 5
    drawn = [TorchPolicy(Sixth()).act(rows, mask, rng) for _ in range(50)]
    assert np.mean([pair[0] == 5 for pair in drawn]) > 0.9
    assert len({int(pair[1]) for pair in drawn}) > 3


def onnx_file(path, size, actions, kind="float"):
    """A model whose logits are the first elements of the observation."""
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper, numpy_helper

    dtype = {"float": TensorProto.FLOAT, "int8": TensorProto.INT8, "double": TensorProto.DOUBLE}
    picks = numpy_helper.from_array(np.eye(size, actions, dtype=np.float32), "picks")
    nodes = [
        helper.make_node("Cast", ["observation"], ["floats"], to=TensorProto.FLOAT),
        helper.make_node("MatMul", ["floats", "picks"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "model",
        [helper.make_tensor_value_info("observation", dtype[kind], ["batch", size])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", actions])],
        [picks],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, path)
    return path


@pytest.mark.parametrize("kind", ["float", "int8"])
def test_onnx_files_play(tmp_path, kind):
    size = FOUR.observation_layout.size
    path = onnx_file(tmp_path / "model.onnx", size, 7, kind)
    policy = resolve(f"onnx:{path}", FOUR)
    policy.deterministic = True
    rows = np.zeros((2, size), np.int8)
    rows[0, 3] = rows[1, 6] = 1
    assert policy.act(rows, np.ones((2, 7), np.int8), None).tolist() == [3, 6]


def test_onnx_files_of_other_sizes_are_refused(tmp_path):
    size = FOUR.observation_layout.size
    with pytest.raises(ValueError, match=rf"connect_four needs .* \[batch, {size}\]"):
        OnnxPolicy(FOUR, onnx_file(tmp_path / "a.onnx", size + 1, 7))
    with pytest.raises(ValueError, match=r"output logits has shape .* needs \[batch, 7\]"):
        OnnxPolicy(FOUR, onnx_file(tmp_path / "b.onnx", size, 8))
    with pytest.raises(ValueError, match=r"is tensor\(double\)"):
        OnnxPolicy(FOUR, onnx_file(tmp_path / "c.onnx", size, 7, "double"))


def test_players_are_found_by_name():
    assert isinstance(resolve("tournament_player:slow", FOUR).act(*no_rows()), np.ndarray)
    assert hasattr(resolve("tournament_player:Slow", FOUR), "act")
    for name, message in (
        ("nobody", "there are random"),
        ("no.such:thing", "expected a scripted player, onnx:PATH or module:attribute"),
        ("tournament_player:nothing", "has no attribute 'nothing'"),
        ("onnx:no.onnx", r"there is no file no\.onnx"),
        ("climbenvs:load", "neither act nor act_on"),
    ):
        with pytest.raises(ValueError, match=message):
            resolve(name, FOUR)


def no_rows():
    return np.zeros((1, 4), np.int8), np.ones((1, 7), np.int8), None


# --- Line-ups ------------------------------------------------------------------------------------


def test_line_ups_are_pairs_sets_or_single_teams():
    assert all_lineups(list("abc"), 2, False) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert all_lineups(list("ab"), 2, True) == [("a", "a"), ("b", "b")]
    assert all_lineups(list("ab"), 3, False) == [("a", "a", "b"), ("a", "b", "b")]
    assert len(all_lineups(list("abcd"), 3, False)) == 4
    many = all_lineups(list("abcdefghij"), 4, False)
    assert len(set(many)) == MOST_LINEUPS
    met = np.zeros((10, 10))
    for lineup in many:
        numbers = [ord(name) - ord("a") for name in lineup]
        met[np.ix_(numbers, numbers)] += 1
    pairs = met[np.triu_indices(10, 1)]
    assert pairs.min() >= 6  # 8 on average
    assert pairs.max() <= 10
    with pytest.raises(ValueError, match="at least two entrants"):
        all_lineups(["a"], 2, False)


# --- Stores --------------------------------------------------------------------------------------


def tournament(store, names=("first", "random", "other"), **changes):
    players = {name: First() if name == "first" else named_policy(FOUR, "random") for name in names}
    settings = {"num_players": 2, "deals": 6, "deals_per_unit": 4, **changes}
    return Tournament(FOUR, players, store=store, **settings)


def content(path):
    """All games of a store but for times."""
    with Store(path, read_only=True) as store:
        return [
            {k: v for k, v in row.items() if k not in ("seconds", "finished")}
            for row in store.records()
        ]


def test_a_tournament_is_played_once_and_extended(tmp_path):
    path = tmp_path / "t.sqlite"
    with Store(path) as store:
        tournament(store).run(progress=False)
        assert len(content(path)) == 3 * 6 * 2
        before = content(path)
        tournament(store).run(progress=False)
        assert content(path) == before
        tournament(store, names=("random", "other", "first", "new")).run(progress=False)
        assert len(content(path)) == 6 * 6 * 2
        assert all(row in content(path) for row in before)
        games = store.games()
    assert games.entrants == ("first", "random", "other", "new")
    assert games.num_games == 72
    result = result_of(games)
    assert result.num_deals == 6


def test_an_early_stop_leaves_whole_units(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        tournament(store).run(progress=False, until=lambda: True)
        assert store.games().num_games == 4 * 2


def test_a_changed_player_under_an_old_name_is_refused(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        tournament(store, fingerprints={"first": "1a"}).run(progress=False)
        with pytest.raises(StoreError, match=r"'first' is not the one .*fingerprint 2b, stored 1a"):
            tournament(store, fingerprints={"first": "2b"}).run(progress=False)


def test_games_of_other_rules_are_kept_apart(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        snow = load("snow_climbing")
        players = {name: named_policy(snow, name) for name in ("random", "climber")}
        for options in ({}, {"backpacks": 4}):
            settings = {"num_players": 2, "deals": 3, "options": options}
            Tournament(snow, players, store=store, **settings).run(progress=False)
        default = snow.options["backpacks"].default
        assert [field.options["backpacks"] for field in store.fields()] == [default, 4]
        with pytest.raises(StoreError, match="expected exactly one field"):
            store.games()
        games = store.games(Field.of(snow, 2, {"backpacks": 4}))
        assert games.num_games == 6
        assert set(games.rotations) == {0}
        with pytest.raises(StoreError, match="has no games of connect_four"):
            store.games(Field.of(FOUR, 2, {}))


def test_exports_hold_every_game(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    with Store(tmp_path / "t.sqlite") as store:
        tournament(store).run(progress=False)
        store.to_json(tmp_path / "t.json")
        store.to_csv(tmp_path / "t.csv")
        store.to_parquet(tmp_path / "t.parquet")
        records = list(store.records())
    assert json.loads((tmp_path / "t.json").read_text()) == records
    with (tmp_path / "t.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [json.loads(row["rewards"]) for row in rows] == [row["rewards"] for row in records]
    table = parquet.read_table(tmp_path / "t.parquet").to_pylist()
    assert [row["seats"] for row in table] == [row["seats"] for row in records]
    assert {tuple(sorted(row["seats"])) for row in records} == {
        ("first", "other"),
        ("first", "random"),
        ("other", "random"),
    }


def test_house_rules_of_one_name_are_told_apart():
    @rule
    def never(stones, row, column):
        """Nobody wins."""
        return False

    @rule
    def always(stones, row, column):
        """The first stone wins."""
        return True

    fields = [
        Field.of(Game(FOUR.definition, house_rules={"makes_four": replaced}), 2, {})
        for replaced in (never, always, never)
    ]
    assert fields[0] == fields[2] != fields[1]
    assert fields[0] != Field.of(FOUR, 2, {})


def test_a_tournament_reports_its_own_games_only(tmp_path):
    with Store(tmp_path / "t.sqlite") as store:
        tournament(store, names=("first", "random")).run(progress=False)
        other = tournament(store, names=("other", "new"), deals=3, seed=100)
        other.run(progress=False)
        games = other.games()
        assert set(games.entrants) == {"other", "new"}
        assert games.num_games == 6
        assert store.games().num_games == 18


def test_a_damaged_store_is_named(tmp_path):
    path = tmp_path / "t.sqlite"
    with Store(path) as store:
        tournament(store).run(progress=False)
        store.connection.execute("UPDATE game SET scores = '[1,' WHERE deal = 2")
        with pytest.raises(StoreError, match=r"t\.sqlite is damaged"):
            store.games()
        with pytest.raises(StoreError, match="knows no entrant 'nobody'"):
            store.finished(Field.of(FOUR, 2, {}), ("nobody", "first"))
    with pytest.raises(StoreError, match="cannot be opened"):
        Store(tmp_path / "no" / "t.sqlite")


def test_other_files_are_no_stores(tmp_path):
    path = tmp_path / "t.sqlite"
    with pytest.raises(FileNotFoundError, match="there is no store"):
        Store(path, read_only=True)
    path.write_text("this is no database, whatever its name may say")
    with pytest.raises(StoreError, match="is no store of climbenvs"):
        Store(path)
    path.unlink()
    foreign = sqlite3.connect(path)
    foreign.execute("CREATE TABLE recipe (name)")
    foreign.close()
    with pytest.raises(StoreError, match="it has the tables recipe"):
        Store(path)
    path.unlink()
    with Store(path) as store:
        store.connection.execute("UPDATE meta SET value = '99'")
    with pytest.raises(StoreError, match="has schema 99"):
        Store(path)


def test_a_living_process_keeps_its_claim_and_a_dead_one_does_not(tmp_path):
    path = tmp_path / "t.sqlite"
    with Store(path) as store:
        assert store.claim("unit")
        assert store.claim("unit")
        with Store(path) as other:
            assert not other.claim("unit")
        sleeper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        held = "UPDATE claim SET owner = 'another', "
        store.connection.execute(f"{held} process = ?", (sleeper.pid,))
        living = store.claim("unit")
        sleeper.kill()
        sleeper.wait()
        assert not living
        assert store.claim("unit")
        store.connection.execute(f"{held} host = 'elsewhere'")
        assert not store.claim("unit")
        store.connection.execute(f"{held} until = 5")
        assert store.claim("unit")


# --- Processes -----------------------------------------------------------------------------------

PLAY = """
import sys
from climbenvs.arena import Store, Tournament, resolve
from climbenvs.registry import load
game = load("connect_four")
names = ("random", "tournament_player:slow", "tournament_player:Slow")
players = {name: resolve(name, game) for name in names}
with Store(sys.argv[1]) as store:
    Tournament(game, players, 2, 12, store, deals_per_unit=2).run(progress=False)
"""


def start(path, pause):
    variables = {"PAUSE": str(pause), "PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}"}
    return subprocess.Popen(
        [sys.executable, "-c", PLAY, str(path)], env={**os.environ, **variables}
    )


def stored(path):
    """Number of games in a store that may be in the making."""
    try:
        return len(content(path))
    except (FileNotFoundError, StoreError, sqlite3.Error):
        return 0


def test_killed_and_resumed_and_shared_out_it_is_the_same_tournament(tmp_path):
    whole, killed, shared = (tmp_path / f"{name}.sqlite" for name in ("whole", "killed", "shared"))
    run_python(PLAY, str(whole))
    process = start(killed, pause=0.02)
    while stored(killed) < 12:
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert 12 <= stored(killed) < stored(whole) == 72
    run_python(PLAY, str(killed))
    assert content(killed) == content(whole)

    both = [start(shared, pause=0.002) for _ in range(2)]
    assert [process.wait(120) for process in both] == [0, 0]
    assert content(shared) == content(whole)


# --- Challenges and the command line ------------------------------------------------------------


def test_a_better_candidate_is_told_and_an_equal_one_is_not(tmp_path):
    game = load("everest_go")
    players = {name: named_policy(game, name) for name in ("greedy", "builder")}
    players["twin"] = named_policy(game, "greedy")
    with Store(tmp_path / "t.sqlite") as store:
        verdicts = challenge(
            game, "greedy", players, store, num_players=2, deals=150, progress=False
        )
        assert verdicts["builder"].answer == "better"
        assert verdicts["builder"].deals <= 100
        assert verdicts["twin"].answer == "undecided"
        assert verdicts["twin"].deals == 150


def test_teams_are_challenged_on_the_same_deals(tmp_path):
    game = load("snow_climbing")
    players = {name: named_policy(game, name) for name in ("climber", "random")}
    with Store(tmp_path / "t.sqlite") as store:
        verdicts = challenge(
            game, "climber", players, store, num_players=2, deals=400, progress=False
        )
    assert verdicts["random"].answer == "better"
    assert verdicts["random"].par == 0.5


def run_script(*arguments):
    command = [sys.executable, "scripts/tournament.py", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_script_plays_reports_and_challenges(tmp_path):
    store, report = tmp_path / "t.sqlite", tmp_path / "t.html"
    common = ("everest_go", "--players", "2", "--deals", "20")
    done = run_script(
        *(*common, "--entrants", "random,builder", "--store", str(store)),
        *("--report", str(report), "--csv", str(tmp_path / "t.csv")),
    )
    assert done.returncode == 0, done.stderr
    assert "builder" in done.stdout
    assert "<html" in report.read_text()
    challenger = ("--candidate", "greedy", "--against", str(store))
    done = run_script(*common, *challenger, "--store", str(tmp_path / "new.sqlite"))
    assert done.returncode == 0, done.stderr
    assert "better" in done.stdout
    missing = run_script(*common, "--candidate", "greedy", "--against", str(tmp_path / "no.sqlite"))
    assert missing.returncode != 0
    assert "there is no store" in missing.stderr
