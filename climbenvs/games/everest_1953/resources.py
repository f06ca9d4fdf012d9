"""Resources: what can be gained, moved up and moved down, and what happens when a level is full."""

from climbenvs.engine.jit import rule
from climbenvs.games.everest_1953.mountain import (
    chain_level,
    may_move_down,
    room_on,
    side_of,
    types_on,
    types_with_company,
)
from climbenvs.games.everest_1953.state import MAKE_ROOM, push


@rule
def types_in_supply(s):
    """Resource types the supply still has."""
    return int(s.supply[0] > 0) + 2 * int(s.supply[1] > 0) + 4 * int(s.supply[2] > 0)


@rule
def gainable(s, t, seat, level):
    """Types that can be gained at a level: there is room, or room can be made (R13, R14)."""
    if room_on(s, t, seat, level) > 0 or chain_level(s, t, seat, level) >= 0:
        return types_in_supply(s)
    return types_in_supply(s) & types_with_company(s, seat, level)


@rule
def movable_up(s, t, seat, level):
    """Types that can go up from a level: there is room, or another type there gives way (R20)."""
    if level > 2:
        return 0
    types = types_on(s, seat, level)
    if types == 0 or room_on(s, t, seat, level + 1) > 0:
        return types
    if t.sides[side_of(s, t, seat), level + 1] == 0:
        return 0
    return types & types_with_company(s, seat, level + 1)


@rule
def movable_down(s, t, seat, level):
    """Types that can go down from a level into real room below (R16, R18)."""
    types = types_on(s, seat, level)
    if types and may_move_down(s, t, seat, level) and room_on(s, t, seat, level - 1) > 0:
        return types
    return 0


@rule
def any_move_down(s, t, seat):
    """Whether any resource can go down."""
    for level in range(1, 4):
        if movable_down(s, t, seat, level):
            return True
    return False


@rule
def gain(s, t, seat, level, kind):
    """Take a resource from the supply to a level, asking for room if it is full."""
    if room_on(s, t, seat, level) > 0:
        s.supply[kind] -= 1
        s.resources[seat, 3 * level + kind] += 1
    else:
        push(s, MAKE_ROOM, seat, level, kind, 0)


@rule
def give_back(s, seat, level, kind):
    """Return a resource from a level to the supply."""
    s.resources[seat, 3 * level + kind] -= 1
    s.supply[kind] += 1


@rule
def move_up(s, t, seat, level, kind):
    """Move a resource to the next level; while room is made for it there, it lies on neither."""
    s.resources[seat, 3 * level + kind] -= 1
    if room_on(s, t, seat, level + 1) > 0:
        s.resources[seat, 3 * level + 3 + kind] += 1
    else:
        push(s, MAKE_ROOM, seat, level + 1, kind, 1)


@rule
def move_down(s, seat, level, kind):
    """Move a resource to the level below."""
    s.resources[seat, 3 * level + kind] -= 1
    s.resources[seat, 3 * level - 3 + kind] += 1


@rule
def arrive(s, seat, level, kind, from_below):
    """The resource that room was made for enters the level."""
    if not from_below:
        s.supply[kind] -= 1
    s.resources[seat, 3 * level + kind] += 1
