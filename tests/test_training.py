"""Training runs for real, stops, and goes on bit for bit."""

import json
import shutil
import signal
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import agents
from agents.cards import CheckpointError
from agents.checkpoints import load_model, read_card
from agents.curves import plot_history
from agents.evaluation import evaluate
from agents.maskable_ppo import Settings, train
from climbenvs.registry import load

ROOT = Path(__file__).parents[1]
TINY = Settings(
    game="connect_four",
    num_players=2,
    opponents=("random", "self"),
    steps=2048,
    seed=5,
    threads=1,
    num_envs=16,
    rollout_steps=32,
    batch_size=256,
    epochs=2,
    layers=(32,),
    evaluate_every=1024,
    evaluation_deals=10,
    checkpoint_every=1024,
    freeze_every=512,
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    return train(TINY, folder)


def weights(run):
    return torch.nn.utils.parameters_to_vector(run.model.policy.parameters()).detach().numpy()


def test_a_run_leaves_agent_history_and_curve(finished):
    folder = finished.folder
    lines = (folder / "history.jsonl").read_text().splitlines()
    steps = [json.loads(line)["steps"] for line in lines]
    assert steps == [0, 1024, 2048]
    assert read_card(folder / "final.zip")["num_players"] == 2
    picture = plot_history(finished.history, folder / "curve.png", TINY)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert len(list((folder / "selves").iterdir())) >= 3


def test_the_same_seed_gives_the_same_agent(finished, tmp_path):
    again = train(TINY, tmp_path)
    np.testing.assert_array_equal(weights(again), weights(finished))


def test_a_resumed_run_ends_like_an_uninterrupted_one(finished, tmp_path):
    train(replace(TINY, steps=1024), tmp_path)
    resumed = train(TINY, tmp_path, resume=True)
    np.testing.assert_array_equal(weights(resumed), weights(finished))
    assert [e["steps"] for e in resumed.history][-1] == 2048


def test_an_interrupted_run_goes_on_from_its_checkpoint(finished, tmp_path, monkeypatch):
    from agents.maskable_ppo import Run

    evaluations = []

    def interrupt_third(run, original=Run.evaluate):
        evaluations.append(run.model.num_timesteps)
        if run.model.num_timesteps >= 2048:
            raise KeyboardInterrupt
        original(run)

    monkeypatch.setattr(Run, "evaluate", interrupt_third)
    with pytest.raises(KeyboardInterrupt):
        train(TINY, tmp_path)
    monkeypatch.undo()
    resumed = train(TINY, tmp_path, resume=True)
    np.testing.assert_array_equal(weights(resumed), weights(finished))


def test_ctrl_c_saves_and_the_run_goes_on_exactly(finished, tmp_path, monkeypatch):
    from agents.maskable_ppo import Run

    def press(run, original=Run.between_updates):
        if run.model.num_timesteps == 1536:
            signal.raise_signal(signal.SIGINT)
        original(run)

    monkeypatch.setattr(Run, "between_updates", press)
    with pytest.raises(KeyboardInterrupt):
        train(TINY, tmp_path)
    monkeypatch.undo()
    assert read_card(tmp_path / "checkpoint.zip")["steps"] == 1536
    resumed = train(TINY, tmp_path, resume=True)
    np.testing.assert_array_equal(weights(resumed), weights(finished))


def test_a_time_limit_ends_a_run_that_can_go_on(finished, tmp_path):
    stopped = train(replace(TINY, minutes=0.0), tmp_path)
    assert stopped.model.num_timesteps < 2048
    resumed = train(TINY, tmp_path, resume=True)
    np.testing.assert_array_equal(weights(resumed), weights(finished))


def test_a_short_training_beats_random(tmp_path):
    settings = replace(
        TINY,
        opponents=("random",),
        steps=80_000,
        num_envs=64,
        epochs=6,
        layers=(64, 64),
        evaluate_every=80_000,
        evaluation_deals=50,
    )
    run = train(settings, tmp_path)
    assert run.history[-1]["results"][0]["low"] > 0.55


def test_a_trained_agent_loads_by_path_and_plays(finished):
    game = load("connect_four")
    agent = agents.load(str(finished.folder), game)
    result = evaluate(
        game, agent, agents.load("random", game), name="random", num_players=2, deals=20
    )
    assert result.games == 40
    assert result.low <= result.win_rate <= result.high


def test_checkpoints_of_other_games_and_other_files_are_refused(finished, tmp_path):
    with pytest.raises(CheckpointError, match=r"game is 'connect_four', .*'everest_go'"):
        load_model(load("everest_go"), finished.folder / "final.zip")
    other = tmp_path / "other.zip"
    other.write_text("no zip")
    with pytest.raises(CheckpointError, match="no checkpoint"):
        load_model(load("connect_four"), other)
    with pytest.raises(ValueError, match="there are random"):
        agents.load("nobody", load("connect_four"))


def run_script(*arguments):
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("algorithm", ["ppo", "maskable_ppo"])
def test_scripts_train_and_evaluate_from_the_command_line(tmp_path, algorithm):
    out = tmp_path / "run"
    done = run_script(
        *("scripts/train.py", "connect_four", "--algo", algorithm, "--steps", "1024"),
        *("--set", "num_envs=16", "--set", "opponents=random", "--set", "evaluation_deals=4"),
        *("--out", str(out)),
    )
    assert done.returncode == 0, done.stderr
    resume = ("--resume", "--steps", "2048", "--out", str(out))
    done = run_script("scripts/train.py", *resume)
    assert done.returncode == 0, done.stderr
    assert json.loads((out / "settings.json").read_text())["algorithm"] == algorithm
    assert agents.read_card(agents.checkpoint_path(str(out)))["steps"] >= 2048
    assert (out / "learning_curve.png").exists()
    results = tmp_path / "results.json"
    done = run_script(
        *("scripts/evaluate.py", str(out), "--deals", "5", "--json", str(results)),
    )
    assert done.returncode == 0, done.stderr
    assert "95 % interval" in done.stdout
    assert json.loads(results.read_text())["results"][0]["games"] == 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["scripts/train.py", "chess"], "no game is called 'chess'"),
        (["scripts/train.py", "connect_four", "--algo", "dqn"], "expected one of ppo,"),
        (
            ["scripts/train.py", "connect_four", "--set", "opponents=deep_blue"],
            "no policy 'deep_blue'",
        ),
        (["scripts/train.py", "connect_four", "--set", "colour=2"], "no setting 'colour'"),
        (["scripts/train.py", "connect_four", "--set", "epochs=many"], "expected int"),
        (["scripts/train.py", "connect_four", "--players", "3"], "takes 2 to 2"),
        (["scripts/evaluate.py", "missing.zip"], "missing.zip is no checkpoint"),
    ],
)
def test_scripts_name_what_is_wrong(arguments, message, tmp_path):
    extra = ["--out", str(tmp_path / "run")] if "train" in arguments[0] else []
    done = run_script(*arguments, *extra)
    assert done.returncode != 0
    assert message in done.stderr.replace("\n", " ")


@pytest.mark.parametrize("card", ["[]", "null", "{}", '{"game": ["a"], "num_players": 2}'])
def test_a_checkpoint_with_a_damaged_card_is_refused(tmp_path, card):
    path = tmp_path / "damaged.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("climbenvs.json", card)
    with pytest.raises(CheckpointError, match="card is damaged"):
        read_card(path)


@pytest.mark.parametrize("name", ["checkpoint.pkl", "settings.json"])
@pytest.mark.parametrize("content", [b"", b"[1]", b"\x80junk"])
def test_damaged_files_of_a_run_are_named(finished, tmp_path, name, content):
    folder = tmp_path / "run"
    shutil.copytree(finished.folder, folder)
    (folder / name).write_bytes(content)
    with pytest.raises(CheckpointError, match=f"{name} is damaged"):
        train(TINY, folder, resume=True)


def test_a_checkpoint_with_a_broken_model_is_named(finished, tmp_path):
    path = tmp_path / "broken.zip"
    with (
        zipfile.ZipFile(finished.folder / "final.zip") as source,
        zipfile.ZipFile(path, "w") as broken,
    ):
        for entry in source.namelist():
            broken.writestr(entry, b"junk" if entry == "policy.pth" else source.read(entry))
    with pytest.raises(CheckpointError, match=r"broken\.zip is damaged"):
        load_model(load("connect_four"), path)
