"""Layouts: offsets, bounds, names and decoding all come from one declaration."""

import numpy as np
import pytest

from climbenvs.engine.layout import ActionBlock, ActionLayout, Block, Group, Layout

SEAT = Layout(Block("score", 2, -5, 100), Block("ready", 1))
LAYOUT = Layout(Block("hand", 4, 0, 3), Group("seats", 2, SEAT), Block("clock", 1, 0, 127))
ACTIONS = ActionLayout(
    ActionBlock("pass"),
    ActionBlock("play", (("red", "blue"),)),
    ActionBlock("move", (("a", "b"), ("x", "y", "z"))),
)


def test_blocks_follow_each_other_with_groups_unrolled():
    assert [(path, start, block.size) for path, start, block in LAYOUT.blocks()] == [
        ("hand", 0, 4),
        ("seats.0.score", 4, 2),
        ("seats.0.ready", 6, 1),
        ("seats.1.score", 7, 2),
        ("seats.1.ready", 9, 1),
        ("clock", 10, 1),
    ]
    assert LAYOUT.size == 11


def test_offsets_and_slices_cover_whole_groups():
    assert LAYOUT.offset("clock") == 10
    assert LAYOUT.slice("seats") == slice(4, 10)
    assert SEAT.slice("ready") == slice(2, 3)


def test_an_unknown_block_is_refused_with_the_known_ones():
    with pytest.raises(KeyError, match="hand, seats, clock"):
        LAYOUT.offset("deck")


def test_two_blocks_of_one_name_are_refused():
    with pytest.raises(ValueError, match="'hand' appears twice"):
        Layout(Block("hand", 1), Block("hand", 2))


def test_bounds_are_those_of_each_element():
    low, high = LAYOUT.bounds()
    assert low.dtype == high.dtype == np.int8
    assert low.tolist() == [0, 0, 0, 0, -5, -5, 0, -5, -5, 0, 0]
    assert high.tolist() == [3, 3, 3, 3, 100, 100, 1, 100, 100, 1, 127]


def test_decoding_gives_named_views_of_any_batch():
    batch = np.arange(22, dtype=np.int8).reshape(2, 11)
    parts = LAYOUT.decode(batch)
    assert parts["seats.1.score"].tolist() == [[7, 8], [18, 19]]
    assert np.shares_memory(parts["hand"], batch)


def test_decoding_refuses_another_size():
    with pytest.raises(ValueError, match="11 elements"):
        LAYOUT.decode(np.zeros(10, np.int8))


def test_every_element_has_a_name():
    names = [LAYOUT.name_of(element) for element in range(LAYOUT.size)]
    assert names[5] == "seats.0.score[1]"
    assert len(set(names)) == LAYOUT.size
    with pytest.raises(IndexError):
        LAYOUT.name_of(11)


def test_action_names_run_over_all_axes_row_by_row():
    assert ACTIONS.names == ["pass", "play:red", "play:blue"] + [
        f"move:{a}:{x}" for a in "ab" for x in "xyz"
    ]
    assert ACTIONS.offset("move") == 3


@pytest.mark.parametrize("action", range(ACTIONS.size))
def test_an_action_is_found_by_its_name(action):
    assert ACTIONS.encode(ACTIONS.name(action)) == action


def test_actions_decode_to_block_and_indices():
    assert ACTIONS.decode(0) == ("pass", ())
    assert ACTIONS.decode(2) == ("play", (1,))
    assert ACTIONS.decode(7) == ("move", (1, 1))


@pytest.mark.parametrize("action", [-1, 9])
def test_numbers_that_are_no_action_are_refused(action):
    with pytest.raises(ValueError, match=r"not in \[0, 9\)"):
        ACTIONS.name(action)
    with pytest.raises(ValueError, match=r"not in \[0, 9\)"):
        ACTIONS.decode(action)


def test_names_that_are_no_action_are_refused():
    with pytest.raises(ValueError, match="'fly'"):
        ACTIONS.encode("fly")


def test_two_action_blocks_of_one_name_are_refused():
    with pytest.raises(ValueError, match="appears twice"):
        ActionLayout(ActionBlock("pass"), ActionBlock("pass"))


def test_two_actions_of_one_name_are_refused():
    with pytest.raises(ValueError, match="same name"):
        ActionLayout(ActionBlock("play", (("red", "red"),)))
