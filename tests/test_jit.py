"""Compiling: rules, bound templates, house rules and the compile cache."""

import os
from pathlib import Path

import high_card
import numba
import numpy as np
import pytest
from helpers import run_python

from climbenvs.engine import jit
from climbenvs.engine.game import Game
from climbenvs.engine.jit import bind, plain, rule, substitute
from climbenvs.registry import load

HERE = Path(__file__).resolve().parent
compiled_only = pytest.mark.skipif(not jit.ENABLED, reason="nothing is compiled")


@rule
def one(x):
    return x + 1


@rule
def two(x):
    return one(x) * 2


@rule
def three(x):
    return two(x) + one(x)


@rule
def untouched(x):
    return x - 1


@rule
def ten(x):
    return x + 10


def step(x):
    return three(x) + untouched(x)


def test_a_rule_computes_what_the_plain_function_does():
    assert three(4) == plain(three)(4) == 15


@compiled_only
def test_a_rule_is_compiled_without_the_interpreters_lock():
    assert numba.extending.is_jitted(one)
    assert one.targetoptions["nogil"]
    assert one.targetoptions["error_model"] == "numpy"
    assert "parallel" not in one.targetoptions


def test_without_the_compiler_a_rule_is_the_function_itself():
    code = (
        "from test_jit import one, jit; import types;"
        "print(type(one) is types.FunctionType, jit.ENABLED)"
    )
    assert run_python(code, CLIMBENVS_JIT="0") == "True False\n"


def test_a_bound_template_calls_the_names_given():
    names = {"three": three, "untouched": untouched}
    assert bind(step, "test", names, HERE)(4) == 18
    assert bind(step, "test", {**names, "untouched": ten}, HERE)(4) == 29


def test_binding_leaves_the_template_alone():
    bound = bind(step, "test", {"three": one, "untouched": one}, HERE)
    assert plain(bound) is not step
    assert step.__qualname__ == "step"
    assert plain(bound).__qualname__.startswith("step.test.")


def test_bound_templates_are_told_apart_by_the_rules_they_call():
    one_way = bind(step, "test", {"three": three, "untouched": ten}, HERE)
    other_way = bind(step, "test", {"three": ten, "untouched": three}, HERE)
    again = bind(step, "test", {"three": three, "untouched": ten}, HERE)
    assert plain(one_way).__qualname__ != plain(other_way).__qualname__
    assert plain(one_way).__qualname__ == plain(again).__qualname__


def test_a_house_rule_reaches_rules_however_deep():
    rules = {"three": three, "untouched": untouched}
    changed = substitute(rules, {"one": ten}, "house", HERE)
    assert changed["three"](4) == 14 * 2 + 14
    assert changed["untouched"] is untouched
    assert three(4) == 15


def test_a_house_rule_can_replace_an_entry_point():
    changed = substitute({"three": three}, {"three": ten}, "house", HERE)
    assert changed["three"](4) == 14


@pytest.mark.parametrize("name", ["four", "x", "rule"])
def test_a_house_rule_for_no_rule_is_refused(name):
    with pytest.raises(KeyError, match=name):
        substitute({"three": three}, {name: ten}, "house", HERE)


def test_a_house_rule_cannot_replace_a_field_of_the_record():
    with pytest.raises(KeyError, match="deck_size"):
        Game(high_card.GAME, house_rules={"deck_size": ten})


@rule
def nobody_pays(s, seat, chips):
    """A house rule for High Card."""


@rule
def reversed_order(s, t, card, other):
    return card < other


def test_a_game_is_played_by_its_house_rules():
    free = Game(high_card.GAME, house_rules={"pay": nobody_pays})
    position = free.start(2, seed=1)
    while not position.is_over:
        position.apply(1)
    assert position.rewards().tolist() == [0, 0]
    assert repr(free) == "Game(high_card_v0, house_rules=['pay'])"
    ordinary = Game(high_card.GAME).start(2, seed=1)
    ordinary.apply(0)
    assert ordinary.rewards().tolist() == [-1, 1]


def test_a_house_rule_stays_within_its_game():
    winners = []
    for house_rules in ({}, {"stronger": reversed_order}):
        position = Game(high_card.GAME, house_rules=house_rules).start(2, seed=0)
        assert len(set(position.to_dict()["hands"])) == 2
        position.apply(1)
        position.apply(1)
        winners.append(position.outcome()["winners"])
    assert sorted(winners) == [[0], [1]]


PLAY = """
import sys, numba
from climbenvs.engine import jit
from climbenvs.registry import load
position = load("connect_four").start(seed=1)
position.apply(3)
position.observe(0)
kernels = load("connect_four")._kernels.values()
print(sum(sum(kernel.stats.cache_hits.values()) for kernel in kernels))
print(sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels))
print(repr(numba.config.CACHE_DIR))
"""


def entries(directory):
    return sorted(path.relative_to(directory) for path in Path(directory).rglob("*"))


@compiled_only
def test_a_second_process_loads_everything_from_the_cache(tmp_path):
    first = run_python(PLAY, CLIMBENVS_CACHE_DIR=str(tmp_path)).split()
    kept = entries(tmp_path)
    second = run_python(PLAY, CLIMBENVS_CACHE_DIR=str(tmp_path)).split()
    assert int(first[1]) > 0
    assert int(second[0]) > 0
    assert second[1] == "0"
    assert entries(tmp_path) == kept


@compiled_only
def test_a_first_compilation_is_announced_once(tmp_path):
    outputs = [run_python(PLAY, check=False, CLIMBENVS_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert outputs[0].count("climbenvs: compiling Connect Four for its first use") == 1
    assert "compiling" not in outputs[1]


@compiled_only
def test_a_cache_that_cannot_be_written_is_done_without(tmp_path):
    (tmp_path / "file").touch()
    output = run_python(PLAY, check=False, CLIMBENVS_CACHE_DIR=str(tmp_path / "file" / "below"))
    assert "cannot be written" in output
    assert "Traceback" not in output


def test_numbas_own_settings_stay_as_they_are():
    before = {name: getattr(numba.config, name) for name in dir(numba.config) if name.isupper()}
    load("connect_four").start(seed=1)
    rule(plain(one))
    bind(step, "settings", {"three": three, "untouched": untouched}, HERE)
    after = {name: getattr(numba.config, name) for name in dir(numba.config) if name.isupper()}
    assert before == after


OWN_RULES = """
from climbenvs.engine.jit import rule

@rule
def choose(observation, action_mask, generator):
    return {column}
"""

OWN = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from own_rules import choose
from climbenvs.policies import CompiledPolicy
from climbenvs.registry import load
policy = CompiledPolicy(load("connect_four"), choose)
print(policy.act(np.zeros((1, 84), np.int8), np.ones((1, 7), np.int8), np.random.default_rng(0)))
"""


def test_an_edited_policy_outside_the_package_is_compiled_again(tmp_path):
    choices = []
    for column in (2, 5, 2):
        (tmp_path / "own_rules.py").write_text(OWN_RULES.format(column=column))
        choices.append(
            run_python(OWN, str(tmp_path), CLIMBENVS_CACHE_DIR=str(tmp_path / "cache")).strip()
        )
    assert choices == ["[2]", "[5]", "[2]"]


OWN_GAME = """
import sys
sys.path.insert(0, sys.argv[1])
from climbenvs.engine.game import Game
from own_card import GAME
position = Game(GAME).start(2, seed=1)
position.apply(0)
print(position.rewards().tolist())
"""


def test_a_game_outside_the_package_is_compiled_again_when_a_file_changes(tmp_path):
    """Only a helper in another file than the verbs' changes."""
    package = tmp_path / "own_card"
    package.mkdir()
    for name in ("__init__.py", "rules.py"):
        source = (HERE / "high_card" / name).read_text().replace("high_card", "own_card")
        (package / name).write_text(source)
    rules = (package / "rules.py").read_text()
    start = rules.index("@rule\ndef pay")
    stop = rules.index("@rule", start + 1)
    imported = "from own_card.money import pay\n\n\n"
    (package / "rules.py").write_text(rules[:start] + imported + rules[stop:])
    results = []
    for factor in ("1", "2"):
        pay = rules[start:stop].replace("+= chips", f"+= {factor} * chips")
        money = "from climbenvs.engine.jit import rule\n\n\n" + pay
        (package / "money.py").write_text(money)
        cache = str(tmp_path / "cache")
        results.append(run_python(OWN_GAME, str(tmp_path), CLIMBENVS_CACHE_DIR=cache).strip())
    assert results == ["[-1.0, 1.0]", "[-2.0, 2.0]"]


LIBRARY = """
from climbenvs.engine.jit import rule

@rule
def favourite():
    return {column}
"""

CALLER = """
from climbenvs.engine.jit import rule
from library.columns import favourite

@rule
def choose(observation, action_mask, generator):
    return favourite()
"""


def test_a_rule_is_compiled_again_when_one_it_calls_changes_in_another_folder(tmp_path):
    (tmp_path / "own_rules.py").write_text(CALLER)
    (tmp_path / "library").mkdir()
    choices = []
    for column in (2, 5):
        (tmp_path / "library" / "columns.py").write_text(LIBRARY.format(column=column))
        cache = str(tmp_path / "cache")
        choices.append(run_python(OWN, str(tmp_path), CLIMBENVS_CACHE_DIR=cache).strip())
    assert choices == ["[2]", "[5]"]


@compiled_only
def test_the_cache_directory_changes_with_the_sources(tmp_path, monkeypatch):
    monkeypatch.setenv("CLIMBENVS_CACHE_DIR", str(tmp_path / "cache"))
    folder = tmp_path / "game"
    folder.mkdir()
    keys = []
    for text in ("A = 1", "A = 2", "A = 1"):
        (folder / "rules.py").write_text(text)
        jit._source_hash.cache_clear()
        jit._cache_directory.cache_clear()
        keys.append(jit._cache_directory(folder))
    jit._source_hash.cache_clear()
    jit._cache_directory.cache_clear()
    assert keys[0] == keys[2] != keys[1]


def test_only_old_cache_directories_are_pruned(tmp_path, monkeypatch):
    monkeypatch.setattr(jit, "_KEPT_DIRECTORIES", 4)
    for number in range(8):
        directory = tmp_path / f"{number:016}"
        directory.mkdir()
        age = number * 5 * 24 * 3600
        os.utime(directory, (directory.stat().st_atime, directory.stat().st_mtime - age))
    (tmp_path / "not ours").mkdir()
    jit._prune(tmp_path)
    kept = sorted(path.name for path in tmp_path.iterdir())
    assert kept == [f"{number:016}" for number in range(4)] + ["not ours"]


NOTEBOOK = """
import numpy as np
from climbenvs.engine.jit import rule
from climbenvs.policies import CompiledPolicy
from climbenvs.registry import load
cell = '''
@rule
def choose(observation, action_mask, generator):
    return {column}
'''
exec(compile(cell, "<ipython-input-1>", "exec"))
policy = CompiledPolicy(load("connect_four"), choose)
print(policy.act(np.zeros((1, 84), np.int8), np.ones((1, 7), np.int8), np.random.default_rng(0)))
"""


def test_rules_typed_into_a_notebook_work_and_are_never_stale(tmp_path):
    choices = [
        run_python(NOTEBOOK.format(column=column), CLIMBENVS_CACHE_DIR=str(tmp_path)).strip()
        for column in (2, 5)
    ]
    assert choices == ["[2]", "[5]"]


@pytest.mark.parametrize("function", ["copy_row", "clear"])
def test_row_helpers_work_within_rules(function):
    code = (
        "import numpy as np; from climbenvs.engine.jit import rule;"
        "from climbenvs.engine.rows import clear, copy_row;"
        "f = rule(lambda out, table: copy_row(out, 2, table, 1));"
        "g = rule(lambda out, table: clear(out));"
        "out = np.full(6, 9, np.int8); table = np.arange(6, dtype=np.int8).reshape(2, 3);"
        f"{'f' if function == 'copy_row' else 'g'}(out, table); print(out.tolist())"
    )
    expected = {"copy_row": "[9, 9, 3, 4, 5, 9]", "clear": "[0, 0, 0, 0, 0, 0]"}
    for enabled in "01":
        assert run_python(code, CLIMBENVS_JIT=enabled).strip() == expected[function]


def test_records_play_alike_in_both_modes():
    code = (
        "import high_card; from climbenvs.testing import trace_digest;"
        "print(trace_digest(high_card.GAME, 3, 7, 300, {'ante': 2}))"
    )
    assert run_python(code, CLIMBENVS_JIT="0") == run_python(code, CLIMBENVS_JIT="1")
    assert np.dtype(high_card.GAME.state_dtype).itemsize < 100
