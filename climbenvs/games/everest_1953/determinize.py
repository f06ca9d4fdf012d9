"""Dealing anew what a seat cannot know, consistently with what it knows."""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below, shuffle
from climbenvs.games.everest_1953.decisions import choices
from climbenvs.games.everest_1953.state import (
    CHOOSE_CLIMBER,
    NUM_EVEREST,
    PAY,
    PLACE,
    PLAY_CARD,
)


@rule
def hand_is_fixed(s, seat):
    """Whether the decision on top rests on the seat's very hand."""
    if s.stack_size == 0:
        return False
    top = int(s.stack_size) - 1
    kind = s.stack[top, 0]
    return s.stack[top, 1] == seat and kind in (PLACE, PAY, PLAY_CARD)


@rule
def sort_hand(s, seat):
    """Bring a hand back into the order of card indices."""
    for i in range(1, int(s.hand_size[seat])):
        card = s.hand[seat, i]
        public = s.hand_public[seat, i]
        place = i
        while place > 0 and s.hand[seat, place - 1] > card:
            s.hand[seat, place] = s.hand[seat, place - 1]
            s.hand_public[seat, place] = s.hand_public[seat, place - 1]
            place -= 1
        s.hand[seat, place] = card
        s.hand_public[seat, place] = public


@rule
def is_hidden(s, seat, position):
    """Whether a hand card is an Everest card that not all know."""
    return s.hand[seat, position] < NUM_EVEREST and not s.hand_public[seat, position]


@rule
def redeal_everest(s, seat):
    """The Everest deck together with the others' unknown Everest cards."""
    deck = s.everest_deck
    count = int(s.num_everest_deck)
    for other in range(int(s.num_players)):
        if other != seat and not hand_is_fixed(s, other):
            for position in range(int(s.hand_size[other])):
                if is_hidden(s, other, position):
                    deck[count] = s.hand[other, position]
                    count += 1
    shuffle(s, deck, count)
    for other in range(int(s.num_players)):
        if other != seat and not hand_is_fixed(s, other):
            for position in range(int(s.hand_size[other])):
                if is_hidden(s, other, position):
                    count -= 1
                    s.hand[other, position] = deck[count]


@rule
def redeal_climbers(s, seat):
    """Another seat's Climbers in its deck, in its hand and out of the game."""
    pool = s.climber_deck[seat]
    fixed = hand_is_fixed(s, seat)
    count = int(s.num_climber_deck[seat])
    for position in range(int(s.hand_size[seat])):
        if s.hand[seat, position] >= NUM_EVEREST and not fixed:
            pool[count] = s.hand[seat, position]
            count += 1
    for i in range(int(s.num_climber_out[seat])):
        pool[count] = s.climber_out[seat, i]
        count += 1
    shuffle(s, pool, count)
    for i in range(int(s.num_climber_out[seat])):
        count -= 1
        s.climber_out[seat, i] = pool[count]
    for position in range(int(s.hand_size[seat])):
        if s.hand[seat, position] >= NUM_EVEREST and not fixed:
            count -= 1
            s.hand[seat, position] = pool[count]


@rule
def is_exchangeable(s, t, card, period):
    """Whether a weather card out of sight is of the period and not removed by the difficulty."""
    removed = s.num_players == 1 and t.solo_removed[s.difficulty, card]
    return t.weather_period[card] == period and not removed


@rule
def redeal_weather(s, t, period):
    """A period's cards in the weather deck together with those in the box.

    Going through the deck, each card of the period changes places with a random one of those not
    yet gone through: a Fisher-Yates shuffle across deck and box.
    """
    in_deck = int(s.num_weather_deck)
    total = in_deck + int(s.num_weather_box)
    for first in range(total):
        card = weather_at(s, first)
        if not is_exchangeable(s, t, card, period):
            continue
        left = 0
        for other in range(first, total):
            if is_exchangeable(s, t, weather_at(s, other), period):
                left += 1
        skip = below(s, left)
        other = first
        while True:
            if is_exchangeable(s, t, weather_at(s, other), period):
                if skip == 0:
                    break
                skip -= 1
            other += 1
        set_weather(s, first, weather_at(s, other))
        set_weather(s, other, card)


@rule
def weather_at(s, index):
    """The index-th of the weather cards in the deck and then the box."""
    in_deck = int(s.num_weather_deck)
    return int(s.weather_deck[index] if index < in_deck else s.weather_box[index - in_deck])


@rule
def set_weather(s, index, card):
    """Put a card where `weather_at` finds it."""
    in_deck = int(s.num_weather_deck)
    if index < in_deck:
        s.weather_deck[index] = card
    else:
        s.weather_box[index - in_deck] = card


@rule
def determinize(s, t, seat):
    """Deal anew, at unchanged sizes, what `seat` cannot know."""
    seat = int(seat)
    redeal_everest(s, seat)
    for other in range(int(s.num_players)):
        if other != seat:
            redeal_climbers(s, other)
            sort_hand(s, other)
    known = 0
    if s.stack_size > 0:
        top = int(s.stack_size) - 1
        if s.stack[top, 0] == CHOOSE_CLIMBER and s.stack[top, 1] == seat:
            known = 2
    shuffle(s, s.climber_deck[seat], max(0, int(s.num_climber_deck[seat]) - known))
    shuffle(s, s.backpack_deck, int(s.num_backpack_deck))
    redeal_weather(s, t, 0)
    redeal_weather(s, t, 1)
    shuffle(s, s.mallory_deck, int(s.num_mallory_deck))
    if s.stack_size > 0:
        choices(s, t)
