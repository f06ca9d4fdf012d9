"""A Mountain: room on its levels, open slots, and what a card costs where.

Sets of slots, types and resource types are bits of an integer.
"""

from climbenvs.engine.jit import rule
from climbenvs.games.everest_1953.state import (
    IS_CLIMBER,
    LEVEL_BITS,
    LEVEL_OF,
    SUPPORT,
    TOP_LEVEL_START,
)
from climbenvs.games.everest_1953.tables import SIDES_PER_NATION

UNPAYABLE = 1000


@rule
def side_of(s, t, seat):
    """Row of `sides`: the seat's Mountain as this week's weather leaves it."""
    mode = 0 if s.weather_ignored[seat] else int(t.weather_mode[s.weather + 1])
    return SIDES_PER_NATION * int(s.nation[seat]) + mode


@rule
def resources_on(s, seat, level):
    """Number of resources on a level."""
    first = 3 * level
    resources = s.resources
    return (
        int(resources[seat, first])
        + int(resources[seat, first + 1])
        + int(resources[seat, first + 2])
    )


@rule
def room_on(s, t, seat, level):
    """Resources that still fit on a level, negative when it holds too many."""
    return int(t.sides[side_of(s, t, seat), level]) - resources_on(s, seat, level)


@rule
def may_move_down(s, t, seat, level):
    """Whether the current side of a level from 1 on lets resources down."""
    return t.sides[side_of(s, t, seat), 21 + level] != 0


@rule
def chain_level(s, t, seat, level):
    """The level whose resources can go down to make room on `level`, -1 if there is none.

    A run of full levels is emptied from its bottom: the first one with room below it (R16-R18).
    """
    while level >= 1 and may_move_down(s, t, seat, level):
        if room_on(s, t, seat, level - 1) > 0:
            return level
        level -= 1
    return -1


@rule
def types_on(s, seat, level):
    """Resource types that lie on a level."""
    first = 3 * level
    resources = s.resources
    return (
        int(resources[seat, first] > 0)
        + 2 * int(resources[seat, first + 1] > 0)
        + 4 * int(resources[seat, first + 2] > 0)
    )


@rule
def types_with_company(s, seat, level):
    """Resource types beside which another type lies on the level."""
    types = types_on(s, seat, level)
    if types == 0:
        return 0
    if types & (types - 1):
        return 7
    return 7 - types


@rule
def open_slots(occupied):
    """Where a card may be laid: the leftmost gap of level 1, else above two neighbours (R22)."""
    row_1 = occupied & 0xFF
    row_2 = occupied >> 8 & 0x7F
    row_3 = occupied >> 15 & 0x3F
    row_4 = occupied >> 21 & 0x1F
    return (
        (~row_1 & (row_1 + 1) & 0xFF)
        | (row_1 & row_1 >> 1 & ~row_2 & 0x7F) << 8
        | (row_2 & row_2 >> 1 & ~row_3 & 0x3F) << 15
        | (row_3 & row_3 >> 1 & ~row_4 & 0x1F) << 21
    )


@rule
def free_cards(occupied):
    """Slots of cards that support no other card."""
    row_1 = occupied & 0xFF
    row_2 = occupied >> 8 & 0x7F
    row_3 = occupied >> 15 & 0x3F
    row_4 = occupied >> 21 & 0x1F
    return (
        (row_1 & ~(row_2 | row_2 << 1))
        | (row_2 & ~(row_3 | row_3 << 1)) << 8
        | (row_3 & ~(row_4 | row_4 << 1)) << 15
        | row_4 << 21
    )


@rule
def levels_with_cards(s, seat):
    """Levels on which the seat has a played card, as bits (R31)."""
    occupied = int(s.occupied[seat])
    levels = 0
    for level in range(4):
        if occupied & LEVEL_BITS[level]:
            levels |= 1 << level
    return levels


@rule
def cards_on_level(s, seat, level):
    """Number of played cards on a level."""
    bits = int(s.occupied[seat]) & LEVEL_BITS[level]
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@rule
def count_ability(s, t, seat, card, change):
    """Add or remove a card's permanent abilities."""
    kind = int(t.perm_discount[card])
    if kind >= 0:
        s.discounts[seat, kind] += change
    s.hand_bonus[seat] += change * t.perm_hand[card]
    s.both_rewards[seat] += change * t.perm_both[card]


@rule
def put_card(s, t, seat, slot, card):
    """Lay a card into an empty slot."""
    s.cards[seat, slot] = card
    s.occupied[seat] = int(s.occupied[seat]) | 1 << slot
    count_ability(s, t, seat, card, 1)


@rule
def take_away(s, t, seat, slot):
    """Remove and return the card of a slot."""
    card = int(s.cards[seat, slot])
    s.cards[seat, slot] = -1
    s.occupied[seat] = int(s.occupied[seat]) & ~(1 << slot)
    count_ability(s, t, seat, card, -1)
    return card


@rule
def is_climber_on_top(s, t, seat, slot):
    """Whether a slot of level 4 holds a Climber: the summit."""
    return slot >= TOP_LEVEL_START and (t.card_types[s.cards[seat, slot]] & IS_CLIMBER) != 0


@rule
def card_price(s, t, seat, card, slot):
    """What a card costs in a slot, the level's typed extra cost left out (see `level_extra`).

    Returns:
        Base cost (tent, supplies, oxygen, any, same), discounts of the supporting cards (tent,
        supplies, oxygen), discount of any type, extra resources of any type.
    """
    tent = 0
    supplies = 0
    oxygen = 0
    free = 0
    left = SUPPORT[slot]
    if left >= 0 and (s.weather_ignored[seat] or not t.weather_cloudy[s.weather + 1]):
        for support in range(left, left + 2):
            below = s.cards[seat, support]
            if below >= 0:
                tent += t.card_discount[below, 0]
                supplies += t.card_discount[below, 1]
                oxygen += t.card_discount[below, 2]
                free += t.card_discount[below, 3]
    types = int(t.card_types[card])
    for kind in range(5):
        if types >> kind & 1:
            free += s.discounts[seat, kind]
    extra = int(t.sides[side_of(s, t, seat), 7 + 4 * LEVEL_OF[slot]])
    if not s.weather_ignored[seat] and types & t.weather_surcharge[s.weather + 1]:
        extra += 1
    return (
        int(t.card_cost[card, 0]),
        int(t.card_cost[card, 1]),
        int(t.card_cost[card, 2]),
        int(t.card_cost[card, 3]),
        int(t.card_cost[card, 4]),
        int(tent),
        int(supplies),
        int(oxygen),
        int(free),
        extra,
    )


@rule
def cheapest(price, tent, supplies, oxygen):
    """Fewest of these resources that cover a price, `UNPAYABLE` if all together do not.

    The payer chooses the type of a `same` cost. Discounts of a type also cover `any` symbols.
    """
    best = UNPAYABLE
    for chosen in range(3 if price[4] else 1):
        due_tent = price[0] - price[5] + (price[4] if chosen == 0 else 0)
        due_supplies = price[1] - price[6] + (price[4] if chosen == 1 else 0)
        due_oxygen = price[2] - price[7] + (price[4] if chosen == 2 else 0)
        any_type = price[3] + min(0, due_tent) + min(0, due_supplies) + min(0, due_oxygen)
        due = max(0, due_tent) + max(0, due_supplies) + max(0, due_oxygen) + max(0, any_type)
        total = max(0, due - price[8]) + price[9]
        missing = (
            max(0, due_tent - tent) + max(0, due_supplies - supplies) + max(0, due_oxygen - oxygen)
        )
        if missing <= price[8] and total <= tent + supplies + oxygen:
            best = min(best, total)
    return best


@rule
def can_pay(s, t, seat, card, slot):
    """Whether the resources on the slot's level pay for the card there."""
    level = LEVEL_OF[slot]
    side = side_of(s, t, seat)
    first = 3 * level
    extra = 4 + 4 * level
    tent = int(s.resources[seat, first]) - int(t.sides[side, extra])
    supplies = int(s.resources[seat, first + 1]) - int(t.sides[side, extra + 1])
    oxygen = int(s.resources[seat, first + 2]) - int(t.sides[side, extra + 2])
    if tent < 0 or supplies < 0 or oxygen < 0:
        return False
    return cheapest(card_price(s, t, seat, card, slot), tent, supplies, oxygen) < UNPAYABLE


@rule
def payable_slots(s, t, seat, card):
    """Open slots in which the card can be paid."""
    slots = open_slots(int(s.occupied[seat]))
    payable = 0
    slot = 0
    while slots >> slot:
        if slots >> slot & 1 and can_pay(s, t, seat, card, slot):
            payable |= 1 << slot
        slot += 1
    return payable


@rule
def is_playable(s, t, seat, card):
    """Whether the card can be paid in some slot."""
    slots = open_slots(int(s.occupied[seat]))
    slot = 0
    while slots >> slot:
        if slots >> slot & 1 and can_pay(s, t, seat, card, slot):
            return True
        slot += 1
    return False


@rule
def payments(s, t, seat, card, slot, paid, last):
    """Payments that go on from what is `paid`, those of types below `last` being settled.

    Only payments count that no other one undercuts (R25): those that are exactly what covers the
    price most cheaply out of themselves.

    Returns:
        Their number, the types of which the next resource can be, and the last payment found.
    """
    level = LEVEL_OF[slot]
    side = side_of(s, t, seat)
    price = card_price(s, t, seat, card, slot)
    extra_0 = int(t.sides[side, 4 + 4 * level])
    extra_1 = int(t.sides[side, 5 + 4 * level])
    extra_2 = int(t.sides[side, 6 + 4 * level])
    high_0 = paid[0] if last > 0 else int(s.resources[seat, 3 * level])
    high_1 = paid[1] if last > 1 else int(s.resources[seat, 3 * level + 1])
    high_2 = int(s.resources[seat, 3 * level + 2])
    count = 0
    types = 0
    found = (0, 0, 0)
    for tent in range(max(paid[0], extra_0), high_0 + 1):
        for supplies in range(max(paid[1], extra_1), high_1 + 1):
            for oxygen in range(max(paid[2], extra_2), high_2 + 1):
                rest = tent + supplies + oxygen - extra_0 - extra_1 - extra_2
                if cheapest(price, tent - extra_0, supplies - extra_1, oxygen - extra_2) != rest:
                    continue
                count += 1
                found = (tent, supplies, oxygen)
                if tent > paid[0]:
                    types |= 1
                elif supplies > paid[1]:
                    types |= 2
                elif oxygen > paid[2]:
                    types |= 4
    return count, types, found
