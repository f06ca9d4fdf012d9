"""check_game passes on sound games and finds every planted fault."""

from dataclasses import replace

import faults
import high_card
import numpy as np
import pytest
from helpers import every_game, run_python

from climbenvs import testing
from climbenvs.engine import jit
from climbenvs.engine.game import Game, Option
from climbenvs.engine.layout import Block, Layout
from climbenvs.registry import load
from climbenvs.testing.processes import runs_elsewhere

FAULTS = [
    ("hidden_information", {"observe": faults.observe_leaking}, "low_wins.*a leak"),
    ("hidden_information", {"determinize": faults.determinize_nothing}, "never changes"),
    ("hidden_information", {"determinize": faults.determinize_deck}, "never changes"),
    ("hidden_information", {"determinize": faults.determinize_own_card}, r"card\[\d\]"),
    ("hidden_information", {"determinize": faults.determinize_turn}, "player to act"),
    ("hidden_information", {"draw": faults.draw_all}, "drawn for seat"),
    ("hidden_information", {"describe": faults.describe_leaking}, "the text of swap"),
    ("hidden_information", {"hidden_information": False}, "card.*known to all"),
    ("invariants", {"observe": faults.observe_out_of_bounds}, "deck_size.*declared are 0 to 10"),
    ("invariants", {"observe": faults.observe_in_part}, "not written in full"),
    ("invariants", {"observe": faults.observe_changing}, "observing changes"),
    ("invariants", {"legal": faults.legal_miscounted}, "3 actions.*legal says 4"),
    ("invariants", {"legal": faults.legal_nothing}, "0 actions are legal"),
    ("invariants", {"apply": faults.apply_for_ever}, "not ended after 50"),
    ("invariants", {"apply": faults.apply_with_foreign_chance}, "a clone .* called"),
    ("invariants", {"apply": faults.apply_writing_tables}, "tables"),
    ("invariants", {"rewards": faults.rewards_reversed}, "the winners are"),
    ("invariants", {"rewards": faults.rewards_from_nowhere}, "add up to zero"),
    ("invariants", {"zero_sum": False, "cooperative": True}, "cooperative"),
    ("invariants", {"outcome": faults.outcome_undeclared}, "'boredom'"),
    ("invariants", {"outcome": faults.outcome_two_winners}, "winners are .3."),
    ("snapshots", {"legal": faults.legal_by_decisions}, "action mask: swap"),
    ("snapshots", {"to_dict": faults.to_dict_without_pot}, "pot"),
    ("damaged_snapshots", {"from_dict": faults.from_dict_unchecked}, "expected SnapshotError"),
    ("vector", {"rewards": faults.rewards_by_table}, "another rewards"),
    ("threads", {"rewards": faults.rewards_by_table}, "two threads.*another rewards"),
    ("declarations", {"num_players": (3, 2)}, "num_players"),
    ("declarations", {"options": (Option("seed", 0),)}, "'seed'"),
    ("declarations", {"options": (Option("colour", 0),)}, "'colour'"),
    ("declarations", {"state": Layout(Block("wide", 1, 0, 128))}, "'wide'.*int8"),
    ("declarations", {"state_dtype": np.dtype([("rng", np.int64)])}, "'rng' is int64"),
    ("declarations", {"end_causes": ("showdown", "showdown")}, "end_causes"),
]


def fault_id(fault):
    return fault[0] + "-" + "-".join(getattr(v, "__name__", k) for k, v in fault[1].items())


@pytest.mark.parametrize("fault", FAULTS, ids=fault_id)
def test_a_planted_fault_is_found_and_named(fault, monkeypatch):
    check, changes, message = fault
    monkeypatch.setattr("climbenvs.engine.records.ROWS_PER_THREAD", 16)
    check_fault = getattr(testing, f"check_{check}")
    limits = {"longest_game": 50} if check == "invariants" else {}
    with pytest.raises(AssertionError, match=f"(?s)high_card.*{message}"):
        check_fault(replace(high_card.GAME, **changes), **limits)


@pytest.mark.parametrize("check", ["invariants", "snapshots", "hidden_information", "vector"])
def test_messages_name_players_options_seed_and_decision(check):
    broken = replace(
        high_card.GAME,
        to_dict=faults.to_dict_without_pot,
        rewards=faults.rewards_by_table,
        observe=faults.observe_leaking,
    )
    where = r"num_players=3, ante=2, low_wins=True, seed \d+, decision \d+"
    with pytest.raises(AssertionError, match=where):
        getattr(testing, f"check_{check}")(broken, 3, {"ante": 2, "low_wins": True}, seed=5)


def test_check_game_passes_on_a_game_of_ones_own():
    testing.check_game(high_card.GAME, decisions=1_000)


def test_check_game_runs_every_check():
    for check in ("observe_leaking", "observe_out_of_bounds"):
        with pytest.raises(AssertionError):
            testing.check_game(replace(high_card.GAME, observe=getattr(faults, check)))


@every_game
def test_check_game_passes_on_every_registered_game(name):
    testing.check_game(name, decisions=300, features=False)


def test_connect_four_has_no_constant_feature():
    testing.check_features("connect_four", decisions=20_000)


def test_a_constant_feature_is_named_by_its_path():
    with pytest.raises(AssertionError) as error:
        testing.check_features(high_card.GAME, decisions=2_000, constant_elements={})
    for seat in (0, 1):
        assert f"observation.seats.{seat}.present[0] is always 1" in str(error.value)
    assert str(error.value).count("always") == 2


def test_an_excuse_for_no_element_is_refused():
    excuses = {**high_card.GAME.constant_elements, "state.weather": "there is none"}
    with pytest.raises(AssertionError, match=r"state.weather names no element"):
        testing.check_features(high_card.GAME, decisions=2_000, constant_elements=excuses)


def test_the_ends_of_option_ranges_count_for_features():
    assert {"ante": 3} in testing.cases.option_sets(Game(high_card.GAME), extremes=True)
    assert testing.cases.option_sets(Game(high_card.GAME)) == [
        {"low_wins": False},
        {"low_wins": True},
    ]


def test_one_player_count_and_one_set_of_options_can_be_chosen():
    cases = testing.cases.cases(high_card.GAME, 3, {"ante": 2})
    assert [(case.num_players, case.options) for case in cases] == [(3, {"ante": 2})]


def test_an_open_game_must_say_so():
    game = replace(load("connect_four").definition, hidden_information=True)
    with pytest.raises(AssertionError, match="hidden_information=False"):
        testing.check_hidden_information(game, decisions=20)


def test_a_game_other_processes_cannot_find_is_refused():
    other = replace(high_card.GAME, title="Another one")
    assert not runs_elsewhere(other)
    with pytest.raises(ValueError, match="not the GAME"):
        testing.check_processes(other)


ELSEWHERE = """
import os
from dataclasses import replace
import high_card
from climbenvs.engine import jit

def to_dict(s, t):
    return {{**high_card.to_dict(s, t), "pot": {value}}}

GAME = replace(high_card.GAME, package="{package}", to_dict=to_dict)
"""


@pytest.mark.parametrize(
    ("package", "value", "message"),
    [
        ("same_everywhere", "7", None),
        ("hash_dependent", "hash('pot')", "hash seed"),
        ("jit_dependent", "int(jit.ENABLED)", "compiled plays differently"),
        ("broken_elsewhere", "os.environ.get('PYTHONHASHSEED') != '1' or 1 / 0", "DivisionError"),
    ],
)
def test_processes_are_compared(package, value, message, tmp_path, monkeypatch):
    code = ELSEWHERE.format(package=package, value=value)
    (tmp_path / f"{package}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    game = __import__(package).GAME
    if message is None:
        testing.check_processes(game, 2, decisions=20)
    else:
        with pytest.raises(AssertionError, match=message):
            testing.check_processes(game, 2, decisions=20)


def test_a_trace_depends_on_all_its_arguments():
    digests = {
        testing.trace_digest(high_card.GAME, players, seed, decisions, options)
        for players in (2, 3)
        for seed in (0, 1)
        for decisions in (20, 21)
        for options in ({}, {"ante": 2})
    }
    assert len(digests) == 16
    assert testing.trace_digest("connect_four", seed=3) == testing.trace_digest(
        "connect_four", 2, 3, 200, {}
    )


def test_the_trace_command_prints_the_digest():
    code = "import runpy; runpy.run_module('climbenvs.testing.trace', run_name='__main__')"
    arguments = ["--seed", "3", "--decisions", "20", "--options", '{"ante": 2}']
    lines = run_python(code, "high_card", "--num-players", "3", *arguments).split()
    assert len(lines) == 21
    assert lines[-1] == testing.trace_digest(high_card.GAME, 3, 3, 20, {"ante": 2})


@pytest.mark.skipif(not jit.ENABLED, reason="uncompiled rules check their bounds anyway")
@every_game
def test_rules_stay_within_their_arrays(name):
    code = (
        "import sys; from climbenvs.testing import check_game;"
        "check_game(sys.argv[1], decisions=200, features=False, processes=False)"
    )
    run_python(code, name, NUMBA_BOUNDSCHECK="1")
