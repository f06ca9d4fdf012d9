"""Dealing a game."""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below, shuffle
from climbenvs.games.everest_1953.effects import (
    draw_everest,
)
from climbenvs.games.everest_1953.flow import advance
from climbenvs.games.everest_1953.state import (
    CLIMBERS_PER_NATION,
    DRAFT,
    NATION_TABLE,
    NUM_BACKPACKS,
    NUM_CARDS,
    NUM_EVEREST,
    NUM_NATIONS,
    NUM_SLOTS,
    NUM_WEATHER,
    WEEK,
    num_expeditions,
    push,
)


@rule
def deal_nations(s, t):
    """A nation for each seat, and its climbers shuffled."""
    players = int(s.num_players)
    if s.nations > 0:
        for seat in range(players):
            s.nation[seat] = NATION_TABLE[s.nations, seat]
    else:
        for nation in range(NUM_NATIONS):
            s.nation[nation] = nation
        shuffle(s, s.nation, NUM_NATIONS)
        for seat in range(players, NUM_NATIONS):
            s.nation[seat] = 0


@rule
def deal_decks(s):
    """Everest cards and backpacks."""
    for i in range(NUM_EVEREST):
        s.everest_deck[i] = i
    s.num_everest_deck = NUM_EVEREST
    shuffle(s, s.everest_deck, NUM_EVEREST)
    for i in range(NUM_BACKPACKS):
        s.backpack_deck[i] = i
    s.num_backpack_deck = NUM_BACKPACKS
    shuffle(s, s.backpack_deck, NUM_BACKPACKS)


@rule
def deal_weather(s, t):
    """Cards of period A on top of cards of period B, the others into the box (R5, R6)."""
    players = int(s.num_players)
    box = s.weather_box
    count = 0
    size = int(t.weeks[players])
    first = 0
    for period in range(2):
        start = count
        for card in range(NUM_WEATHER):
            removed = players == 1 and t.solo_removed[s.difficulty, card]
            if t.weather_period[card] == period and not removed:
                box[count] = card
                count += 1
        shuffle(s, box[start:], count - start)
        used = int(t.weather_a[players]) if period == 0 else int(t.weather_b[players])
        for i in range(used):
            s.weather_deck[size - 1 - first - i] = box[start + i]
        first += used
        for i in range(start + used, count):
            box[i - used] = box[i]
        count -= used
    for card in range(NUM_WEATHER):
        if players == 1 and t.solo_removed[s.difficulty, card]:
            box[count] = card
            count += 1
    s.num_weather_deck = size
    s.num_weather_box = count


@rule
def deal_seats(s, t):
    """Empty Mountains, climber decks."""
    for seat in range(int(s.num_players)):
        for i in range(CLIMBERS_PER_NATION):
            s.climber_deck[seat, i] = t.nation_climbers[s.nation[seat], i]
        s.num_climber_deck[seat] = CLIMBERS_PER_NATION
        shuffle(s, s.climber_deck[seat], CLIMBERS_PER_NATION)
        for slot in range(NUM_SLOTS):
            s.cards[seat, slot] = -1


@rule
def deal_mallory(s, t):
    """Mallory's Mountain and his climbers of the three unused nations, three of each class."""
    s.mallory_nation = 1 if s.nation[0] == 0 else 0
    deck = s.mallory_deck
    count = 0
    for kind in range(3):
        found = s.mallory_discard  # borrowed to shuffle each class; it is empty at the start
        size = 0
        for card in range(NUM_EVEREST, NUM_CARDS):
            if t.card_class[card] == kind and t.climber_nation[card] != s.nation[0]:
                found[size] = card
                size += 1
        shuffle(s, found, size)
        for i in range(int(t.mallory_classes[kind])):
            deck[count] = found[i]
            count += 1
    shuffle(s, deck, count)
    s.num_mallory_deck = count


@rule
def random_resource(s):
    """Take a random resource from the supply and return its type."""
    total = int(s.supply[0]) + int(s.supply[1]) + int(s.supply[2])
    drawn = below(s, total)
    kind = 0
    while drawn >= s.supply[kind]:
        drawn -= s.supply[kind]
        kind += 1
    s.supply[kind] -= 1
    return kind


@rule
def deal_start_row(s, t):
    """The starting row with its resources; solo, resources for the player instead (R1)."""
    players = int(s.num_players)
    for kind in range(3):
        s.supply[kind] = t.resources_per_type
    s.start_row_size = num_expeditions(s) + 1
    for position in range(int(s.start_row_size)):
        s.start_row[position] = draw_everest(s)
        if players > 1:
            for _ in range(int(t.start_resources[players])):
                s.start_resources[position, random_resource(s)] += 1
    if players == 1:
        for _ in range(int(t.solo_resources[s.difficulty])):
            s.resources[0, random_resource(s)] += 1


@rule
def setup(s, t):
    """Deal a game; the first decision is the draft of the starting cards."""
    players = int(s.num_players)
    s.weather = -1
    s.start_holder = 0
    if players > 1:
        s.start_holder = s.first_player - 1 if s.first_player > 0 else below(s, players)
    deal_nations(s, t)
    deal_decks(s)
    deal_weather(s, t)
    deal_seats(s, t)
    if players == 1:
        deal_mallory(s, t)
    deal_start_row(s, t)
    push(s, WEEK, -1)
    for step in range(players):
        push(s, DRAFT, (int(s.start_holder) + step) % players)
    advance(s, t)
