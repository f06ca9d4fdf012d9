"""Scripted players. They see an observation and its mask, nothing else.

`builder` only dresses its mountaineer; `greedy` also attacks the leader, protects itself and shouts
when ahead. Both know the effects of the shipped deck's cards.
"""

from climbenvs.engine.jit import rule
from climbenvs.engine.random import below
from climbenvs.games.everest_go.actions import (
    AVALANCHE,
    CONTINUE,
    DISCARD,
    DONE,
    EVEREST,
    NO_TENT,
    PASS_COLD,
    PLAY,
    PLAYER,
    SPOT,
    TAKE,
    USE_TENT,
)
from climbenvs.games.everest_go.observation import (
    DECISION,
    DISCARD_PILE,
    PENDING_CARD,
    PENDING_DIRECTION,
    PENDING_PART,
    PENDING_TARGETS,
    PENDING_VICTIM,
    SEATS,
)
from climbenvs.games.everest_go.state import (
    ACTION_CARDS,
    COLDS,
    FIRST_ACTION_CARD,
    FROZEN,
    HAND_SIZE,
    HIDDEN,
    HIDDEN_POINTS,
    LOOSE_POINTS,
    MAX_PLAYERS,
    NUM_GARMENTS,
    NUM_KINDS,
    NUM_PARTS,
    NUM_SLOTS,
    OXYGEN,
    PRESENT,
    SCORE,
    SEAT_SIZE,
    TENT,
)
from climbenvs.games.everest_go.table import column

THEFT, BACKPACK, GODDESS, SNOWBALL, YETI, BLIZZARD, _, HYPOTHERMIA, COLD, FIRE, AVALANCHE_CARD = (
    FIRST_ACTION_CARD + i for i in range(len(ACTION_CARDS))
)
ITEM_POINTS = 5
COLD_POINTS = 5
BONUS = 3
COVER = 3.0
"""What covering one more body part is worth, in points."""
TENT_STAKE = 3.0
"""Points that have to be at stake for a Tent."""
NEVER = -1000.0


@rule
def shown(obs, seat, which):
    """A column of a seat's block; seats are relative to the observer."""
    return int(obs[SEATS + SEAT_SIZE * seat + which])


@rule
def visible_points(obs, seat, part):
    """Points of the visible garment, 0 if there is none."""
    points = 0
    for value in range(1, 5):
        points += value * shown(obs, seat, column(part, value - 1))
    return points


@rule
def is_frozen(obs, seat, part):
    """Whether a Hypothermia lies on the body part."""
    return shown(obs, seat, column(part, FROZEN)) == 1


@rule
def part_value(obs, seat, part):
    """What a body part is worth to its owner: all its points, and the cover."""
    visible = visible_points(obs, seat, part)
    if visible == 0:
        return 0.0
    return COVER + visible + shown(obs, seat, column(part, HIDDEN_POINTS))


@rule
def garment_loss(obs, seat, part):
    """What the owner loses with the visible garment."""
    cover = COVER if shown(obs, seat, column(part, HIDDEN)) == 0 else 0.0
    return visible_points(obs, seat, part) + cover


@rule
def garment_gain(obs, part, points):
    """What a garment of that value adds to the own mountaineer."""
    return points + (COVER if visible_points(obs, 0, part) == 0 else 0.0)


@rule
def leader(obs):
    """The opponent with the highest score."""
    best = 1
    for seat in range(2, MAX_PLAYERS):
        if shown(obs, seat, PRESENT) and shown(obs, seat, SCORE) > shown(obs, best, SCORE):
            best = seat
    return best


@rule
def harm(obs, seat, loss):
    """What a seat's loss is worth: all of the leader's, half of another's, minus one's own."""
    if seat == 0:
        return -loss
    return loss if seat == leader(obs) else 0.5 * loss


@rule
def should_shout(obs):
    """Whether the score with the bonus is at least everybody's."""
    return shown(obs, 0, SCORE) + BONUS >= shown(obs, leader(obs), SCORE)


@rule
def spot_value(obs, card, seat, slot):
    """What a card is worth on a spot; NEVER where it cannot be played."""
    if slot >= NUM_PARTS:
        owned = seat > 0 and shown(obs, seat, OXYGEN + slot - NUM_PARTS) == 1
        return ITEM_POINTS + harm(obs, seat, ITEM_POINTS) if owned and card == THEFT else NEVER
    if is_frozen(obs, seat, slot):
        return NEVER
    if card == HYPOTHERMIA:
        return harm(obs, seat, 1.0 + part_value(obs, seat, slot))
    points = visible_points(obs, seat, slot)
    if points == 0:
        return NEVER
    if card == THEFT:
        if seat == 0 or is_frozen(obs, 0, slot):
            return NEVER
        return garment_gain(obs, slot, points) + harm(obs, seat, garment_loss(obs, seat, slot))
    if points == 4:
        return NEVER
    if card == BLIZZARD:
        loose = shown(obs, seat, column(slot, LOOSE_POINTS))
        all_points = points + shown(obs, seat, column(slot, HIDDEN_POINTS))
        return harm(obs, seat, loose + (COVER if loose == all_points else 0.0))
    return harm(obs, seat, garment_loss(obs, seat, slot))


@rule
def best_spot_value(obs, card):
    """The best a card can do on any spot, for a Yeti on its two best."""
    best = NEVER
    second = NEVER
    for seat in range(MAX_PLAYERS):
        if shown(obs, seat, PRESENT):
            for slot in range(NUM_SLOTS):
                value = spot_value(obs, card, seat, slot)
                if value > best:
                    second = best
                    best = value
                elif value > second:
                    second = value
    if card == YETI and second > NEVER:
        best += second
    return best


@rule
def avalanche_shift(obs, seat, part, direction):
    """What an Avalanche without Tents adds to a seat's body part."""
    if is_frozen(obs, seat, part):
        return 0.0
    players = 0
    while players < MAX_PLAYERS and shown(obs, players, PRESENT):
        players += 1
    step = players - 1 if direction == 0 else 1
    source = (seat + step) % players
    while is_frozen(obs, source, part):
        source = (source + step) % players
    return part_value(obs, source, part) - part_value(obs, seat, part)


@rule
def avalanche_value(obs, part, direction):
    """What an Avalanche is worth on a body part in a direction."""
    value = avalanche_shift(obs, 0, part, direction)
    for seat in range(1, MAX_PLAYERS):
        if shown(obs, seat, PRESENT):
            value += harm(obs, seat, -avalanche_shift(obs, seat, part, direction))
    return value


@rule
def fire_value(obs):
    """What a Fire is worth now: the better of passing a Cold on and melting a Hypothermia."""
    best = NEVER
    if shown(obs, 0, COLDS) > 0:
        best = COLD_POINTS + harm(obs, 1, COLD_POINTS)
    for part in range(NUM_PARTS):
        if is_frozen(obs, 0, part):
            best = max(best, COVER + part_value(obs, 0, part))
    return best


@rule
def own_value(obs, card):
    """What playing a card now is worth, in points; for a Goddess see `play_value`."""
    if card < NUM_GARMENTS:
        return garment_gain(obs, card // 4, card % 4 + 1)
    if card < FIRST_ACTION_CARD:
        return 1.0 * ITEM_POINTS
    if card == COLD:
        return 1.0 * COLD_POINTS
    if card == FIRE:
        return fire_value(obs)
    if card == BACKPACK:
        return 2.0
    if card == AVALANCHE_CARD:
        best = NEVER
        for part in range(NUM_PARTS):
            for direction in range(2):
                best = max(best, avalanche_value(obs, part, direction))
        return best
    return best_spot_value(obs, card)


@rule
def keep_value(obs, card):
    """What a card is worth in the hand."""
    if card == TENT:
        return 4.0
    if card in (GODDESS, BACKPACK):
        return 2.0
    if card in (FIRE, AVALANCHE_CARD):
        return max(2.0, own_value(obs, card))
    if card < NUM_GARMENTS and is_frozen(obs, 0, card // 4):
        return 1.0
    return max(0.0, own_value(obs, card))


@rule
def play_value(obs, card):
    """What playing a card now is worth, in points."""
    if card != GODDESS:
        return own_value(obs, card)
    best = 0.0
    for kind in range(NUM_KINDS):
        if obs[DISCARD_PILE + kind] > 0:
            best = max(best, keep_value(obs, kind))
    return 0.6 * best


@rule
def one_hot(obs, start, size):
    """Index of the element that is set, -1 if none is."""
    for index in range(size):
        if obs[start + index]:
            return index
    return -1


@rule
def pending_card(obs):
    """Kind of the card being resolved."""
    return FIRST_ACTION_CARD + one_hot(obs, DECISION + PENDING_CARD, len(ACTION_CARDS))


@rule
def stake(obs):
    """What the card being resolved would cost the observer."""
    card = pending_card(obs)
    if card == AVALANCHE_CARD:
        part = one_hot(obs, DECISION + PENDING_PART, NUM_PARTS)
        return -avalanche_shift(obs, 0, part, one_hot(obs, DECISION + PENDING_DIRECTION, 2))
    if obs[DECISION + PENDING_VICTIM]:
        return 2.0 if card == BACKPACK else COLD_POINTS
    loss = 0.0
    for slot in range(NUM_SLOTS):
        if obs[DECISION + PENDING_TARGETS + slot]:
            if card == THEFT:
                points = ITEM_POINTS if slot >= NUM_PARTS else visible_points(obs, 0, slot)
                loss += 2.0 * points
            else:
                loss -= spot_value(obs, card, 0, slot)
    return loss


@rule
def player_value(obs, seat):
    """What choosing a player is worth: a Cold for the leader, a hand with many cards."""
    if pending_card(obs) == COLD:
        return harm(obs, seat, COLD_POINTS)
    return shown(obs, seat, HAND_SIZE) + 0.5 * (seat == leader(obs))


@rule
def action_value(obs, action):
    """What an action is worth to the greedy player, in points."""
    if action == EVEREST:
        return 1000.0 if should_shout(obs) else NEVER
    if action == USE_TENT:
        return stake(obs) - TENT_STAKE
    if action in (CONTINUE, NO_TENT):
        return 0.0
    if action == DONE:
        return -1.5
    if action == PASS_COLD:
        return COLD_POINTS + harm(obs, 1, COLD_POINTS)
    if action < DISCARD:
        return play_value(obs, action - PLAY)
    if action < TAKE:
        return -keep_value(obs, action - DISCARD)
    if action < SPOT:
        return keep_value(obs, action - TAKE)
    if action < PLAYER:
        seat, slot = (action - SPOT) // NUM_SLOTS, (action - SPOT) % NUM_SLOTS
        if pending_card(obs) == FIRE:
            return COVER + part_value(obs, 0, slot)
        return spot_value(obs, pending_card(obs), seat, slot)
    if action < AVALANCHE:
        return player_value(obs, action - PLAYER)
    return avalanche_value(obs, (action - AVALANCHE) // 2, (action - AVALANCHE) % 2)


@rule
def builder_value(obs, action):
    """What an action is worth to the builder: garments and items, nothing else."""
    if action in (EVEREST, USE_TENT):
        return action_value(obs, action)
    if PLAY <= action < DISCARD:
        card = action - PLAY
        return play_value(obs, card) if card < FIRST_ACTION_CARD else NEVER
    if DISCARD <= action < TAKE:
        card = action - DISCARD
        return -play_value(obs, card) - 1.0 if card < FIRST_ACTION_CARD else 0.0
    if action == DONE:
        return -1.5
    return 0.0


@rule
def choose_best(observation, action_mask, generator, only_dresses):
    """The most valuable action; ties are broken at random."""
    best = -1
    best_value = 0.0
    for action in range(action_mask.shape[0]):
        if action_mask[action]:
            if only_dresses:
                value = builder_value(observation, action)
            else:
                value = action_value(observation, action)
            value += below(generator, 64) / 1024
            if best < 0 or value > best_value:
                best = action
                best_value = value
    return best


@rule
def choose_greedy(observation, action_mask, generator):
    """Builds, attacks the leader, protects itself, and shouts when ahead."""
    return choose_best(observation, action_mask, generator, False)


@rule
def choose_builder(observation, action_mask, generator):
    """Plays garments and special items only, and shouts when ahead."""
    return choose_best(observation, action_mask, generator, True)
