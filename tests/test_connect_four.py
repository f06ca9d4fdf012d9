"""Connect Four as everybody knows it."""

import numpy as np
import pytest

from climbenvs.engine.errors import (
    DeckError,
    GameOverError,
    IllegalActionError,
    OptionError,
    SnapshotError,
)
from climbenvs.registry import load

GAME = load("connect_four")

WINS = {
    "vertical": [0, 1, 0, 1, 0, 1, 0],
    "horizontal": [0, 0, 1, 1, 2, 2, 3],
    "rising": [0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3],
    "falling": [6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3],
    "closing a gap": [0, 0, 1, 1, 3, 3, 2],
}


def play(*columns):
    position = GAME.start(seed=0)
    for column in columns:
        position.apply(column)
    return position


@pytest.mark.parametrize("seat", [-2, 2, 1.0, -1.0, float("nan"), "0", None])
def test_a_table_is_drawn_for_seats_and_spectators_only(seat):
    position = GAME.start(seed=0)
    assert position.draw(-1)
    with pytest.raises(ValueError, match="seat is"):
        position.draw(seat)


@pytest.mark.parametrize("columns", WINS.values(), ids=WINS)
def test_four_in_a_line_win(columns):
    before = play(*columns[:-1])
    assert not before.is_over
    assert before.rewards().tolist() == [0, 0]
    before.apply(columns[-1])
    assert before.is_over
    assert before.rewards().tolist() == [1, -1]
    assert before.outcome() == {"end": "four", "scores": [1, 0], "winners": [0]}


def test_the_second_player_can_win_too():
    position = play(6, 0, 1, 0, 1, 0, 2, 0)
    assert position.rewards().tolist() == [-1, 1]
    assert position.outcome()["winners"] == [1]


def test_a_line_does_not_run_around_the_edge():
    assert not play(4, 0, 5, 1, 6, 2, 0).is_over  # row 0 from column 4 on, then column 0 of row 1


# Of the 42 stones, the last two are forced and not asked for.
DRAW = [int(column) for column in "3302545642233552243311215504044666601060"]


def test_a_full_board_without_four_is_a_draw():
    position = play(*DRAW)
    assert position.is_over
    assert position.outcome() == {"end": "full", "scores": [0, 0], "winners": [0, 1]}
    assert position.rewards().tolist() == [0, 0]


def test_forced_decisions_are_played_but_not_counted():
    position = play(*DRAW[:-1])
    assert len(position.legal_actions()) == 2
    position.apply(DRAW[-1])
    assert [len(column) for column in position.to_dict()["columns"]] == [6] * 7
    assert position.num_decisions == 40


def test_loading_a_position_plays_no_forced_decision():
    columns = play(*DRAW).to_dict()["columns"]
    columns[1] = columns[1][:-1]
    turn = sum(len(column) for column in columns) % 2
    assert columns.count("") == 0
    position = GAME.from_dict({"columns": columns, "player": turn})
    assert position.legal_actions() == [1]
    assert not position.is_over


def test_a_full_column_takes_no_stone():
    position = play(*[2] * 6)
    assert position.legal_actions() == [0, 1, 3, 4, 5, 6]
    with pytest.raises(IllegalActionError, match=r"action 2 \(drop:2\)"):
        position.apply(2)


def test_nothing_is_played_after_the_end():
    position = play(*WINS["vertical"])
    with pytest.raises(GameOverError):
        position.apply(3)
    assert position.action_mask().tolist() == [0] * 7
    assert position.player == -1


@pytest.mark.parametrize("action", [7, -1])
def test_a_column_that_does_not_exist_is_refused(action):
    with pytest.raises(IllegalActionError, match=r"not in \[0, 7\)"):
        play().apply(action)


@pytest.mark.parametrize("action", [1.0, "1", None, True])
def test_an_action_that_is_no_integer_is_refused(action):
    with pytest.raises(TypeError, match="expected an integer"):
        play().apply(action)


def test_observations_are_egocentric():
    position = play(3, 3, 0)
    first, second = (GAME.observation_layout.decode(position.observe(seat)) for seat in (0, 1))
    assert np.flatnonzero(first["own"]).tolist() == [0, 3]
    assert np.flatnonzero(first["other"]).tolist() == [10]
    assert np.array_equal(first["own"], second["other"])
    assert np.array_equal(first["other"], second["own"])


def test_a_position_is_drawn_with_the_latest_row_on_top():
    assert str(play(3, 3, 0)).splitlines()[-3:] == [
        ". . . O . . .",
        "X . . X . . .",
        "1 2 3 4 5 6 7",
    ]


def test_a_snapshot_leads_back_to_the_position():
    position = play(3, 3, 0)
    snapshot = position.to_dict()
    assert snapshot["columns"] == ["0", "", "", "01", "", "", ""]
    loaded = GAME.from_dict(snapshot)
    assert loaded.player == 1
    assert loaded.to_dict() == snapshot


FULL_COLUMN = "010101"


@pytest.mark.parametrize(
    ("snapshot", "message"),
    [
        ({"columns": [""] * 6}, "columns.*7 entries"),
        ({"columns": ["2"] + [""] * 6}, "columns.*0 and 1"),
        ({"columns": [FULL_COLUMN + "0"] + [""] * 6}, "columns.*six"),
        ({"columns": ["00"] + [""] * 6}, "columns.*one more of seat 0"),
        ({"columns": None}, "columns"),
        ({"player": 2}, "player"),
        ({"player": 1}, "player.*whose turn"),
        ({"player": None}, "player.*whose turn"),
        ({"winner": 0, "player": None}, "winner.*four"),
        ({"columns": ["0000", "111"] + [""] * 5, "player": 1}, "winner.*four"),
        ({"columns": ["0000", "111"] + [""] * 5, "winner": 0}, "player.*null"),
        ({"game": "draughts"}, "game"),
        ({"colour": "red"}, "colour.*unknown"),
        ([], "table of fields"),
    ],
)
def test_an_impossible_snapshot_is_refused_by_field(snapshot, message):
    with pytest.raises(SnapshotError, match=message):
        GAME.from_dict(snapshot)


def test_a_snapshot_of_a_won_game_is_over():
    columns = ["0000", "111"] + [""] * 5
    position = GAME.from_dict({"columns": columns, "winner": 0, "player": None})
    assert position.is_over
    assert position.rewards().tolist() == [1, -1]


def test_there_are_neither_decks_nor_options_nor_three_players(tmp_path):
    with pytest.raises(DeckError, match="no deck"):
        load("connect_four", deck=tmp_path / "deck.toml")
    with pytest.raises(OptionError, match="no option 'height'"):
        GAME.start(height=7)
    with pytest.raises(OptionError, match="takes 2 to 2"):
        GAME.start(num_players=3)


@pytest.mark.parametrize("num_players", [2.0, "2", True])
def test_a_player_count_that_is_no_integer_is_refused(num_players):
    with pytest.raises(OptionError, match="expected an integer"):
        GAME.start(num_players=num_players)


@pytest.mark.parametrize("seat", [-1, 2, "0"])
def test_a_seat_that_does_not_exist_is_refused(seat):
    with pytest.raises(ValueError, match="seat"):
        play().observe(seat)
