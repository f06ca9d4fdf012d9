"""The benchmark script runs and reports; how fast anything is, no test can say."""

import json
import os
import subprocess
import sys

import pytest
from helpers import ROOT

pytest.importorskip("matplotlib", reason="the extra 'train' is not installed")

SMALL = (
    "connect_four --batch-sizes 1,16,512 --rounds 2 --seconds 0.001"
    " --memory-limit 0.0002 --no-start"
)


def run(folder, *arguments):
    paths = {"--out": "numbers.json", "--plot": "images/plot.png", "--page": "page.md"}
    command = [sys.executable, ROOT / "benchmarks" / "throughput.py", *arguments]
    for option, name in paths.items():
        command += [option, folder / name]
    search = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": search}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("benchmarks")
    run(folder, *SMALL.split())
    return folder


@pytest.fixture
def record(folder):
    return json.loads((folder / "numbers.json").read_text())


def test_every_loop_is_measured(record):
    vectors = {(row["loop"], row["batch"], row["threads"]) for row in record["vector"]}
    assert vectors == {
        (loop, *shape) for loop in ("rollout", "step") for shape in ((1, 1), (16, 1), (512, 1))
    }
    assert {row["env"] for row in record["aec"] if row["game"] == "connect_four"} == {
        "raw_env",
        "env",
    }
    for row in [*record["copies"], *record["vector"], *record["aec"], *record["seat"]]:
        rates = row["per_second"]
        assert 0 < rates["min"] <= rates["median"] <= rates["max"]


def test_vectors_stand_beside_the_speed_of_copying(record):
    for row in record["vector"]:
        assert row["copy"] == "cache"
        assert row["share_of_limit"] == pytest.approx(row["per_second"]["median"] / row["limit"])
    assert {(copy["where"], copy["threads"]) for copy in record["copies"]} == {
        ("cache", 1),
        ("memory", 1),
    }


def test_what_exceeds_the_memory_limit_is_named(record):
    assert [(row["batch"], row["threads"]) for row in record["skipped"]] == [(512, 2)]


def test_the_machine_is_described(record):
    assert {"cpu", "cores", "python", "packages"} <= set(record["machine"])
    assert {"numpy", "numba"} <= set(record["machine"]["packages"])


def test_the_report_is_written_again_from_the_numbers(folder):
    page, plot = folder / "page.md", folder / "images" / "plot.png"
    text = page.read_text()
    assert "| Connect Four | 2 |" in text
    assert "(images/plot.png)" in text
    assert "Skipped" in text
    page.unlink()
    plot.unlink()
    run(folder, "--report")
    assert page.read_text() == text
    assert plot.read_bytes().startswith(b"\x89PNG")
