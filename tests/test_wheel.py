"""The wheel in an empty environment: no torch, no repository, a game to its end."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PLAY = """
import random
import sys
import climbenvs

assert climbenvs.games()
assert "torch" not in sys.modules and "matplotlib" not in sys.modules
position = climbenvs.load("everest_go").start(num_players=3, seed=1)
while not position.is_over:
    position.apply(random.choice(position.legal_actions()))
env = climbenvs.make_vec("connect_four", 4)
env.reset()
env.step(env.sample_actions())
assert position.outcome()["winners"]
for name in ("torch", "agents", "scripts"):
    try:
        __import__(name)
    except ImportError:
        continue
    raise AssertionError(f"{name} can be imported")
print("played")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", str(folder), ROOT]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"climbenvs"}
    assert "climbenvs/py.typed" in names
    assert "climbenvs/games/everest_go/deck.toml" in names


def test_the_wheel_plays_in_an_empty_environment(wheel, tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    python = tmp_path / "venv" / scripts / "python"
    install = [python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel]
    done = subprocess.run(install, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    done = subprocess.run(
        [python, "-W", "error", "-c", PLAY], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.strip() == "played", done.stderr
    listed = subprocess.run(
        [python, "-m", "climbenvs", "games"], cwd=tmp_path, capture_output=True, text=True
    )
    assert "everest_go" in listed.stdout, listed.stderr
