"""The snow area: its metrics and the avalanche conditions."""

from climbenvs.engine.bits import bit, popcount
from climbenvs.engine.jit import rule
from climbenvs.games.snow_climbing.state import (
    BLIZZARD,
    COUNT,
    DIFFERENT_TYPES,
    MAX_NUMBER,
    ROUNDS,
    SAME_GEAR,
    SAME_NUMBER,
    SAME_TYPE,
    TILES,
    TOKENS_REVEALED,
    TYPES,
)


@rule
def set_snow(s, t, snow):
    """Change the snow area, and with it the metrics of all tiles and of the blizzard."""
    s.snow = snow
    count_types(s, t)
    for tile in range(TILES):
        if t.metric[tile] == COUNT:
            s.progress[0, tile] = popcount(snow & t.counted[tile])
        else:
            s.progress[0, tile] = special_metric(s, t, t.metric[tile])
    s.progress[0, BLIZZARD] = popcount(snow & t.snowflakes)


@rule
def count_types(s, t):
    """Count the snow's cards by type."""
    for kind in range(TYPES):
        s.snow_types[0, kind] = popcount(s.snow & t.type_cards[kind])


@rule
def special_metric(s, t, metric):
    """A metric that is not a mere count of cards."""
    if metric == SAME_TYPE:
        return most_of_a_type(s, 0)
    if metric == SAME_GEAR:
        return most_of_a_type(s, t.token_type[0])
    if metric == SAME_NUMBER:
        return most_of_a_number(s, t)
    if metric == DIFFERENT_TYPES:
        return different_types(s)
    return matched_tokens(s, t)


@rule
def most_of_a_type(s, first):
    """Most cards of one type; gear types come last, from the first token's type on."""
    most = 0
    for kind in range(first, TYPES):
        most = max(most, int(s.snow_types[0, kind]))
    return most


@rule
def most_of_a_number(s, t):
    """Most cards that share a number."""
    most = 0
    for number in range(1, MAX_NUMBER + 1):
        most = max(most, popcount(s.snow & t.number_cards[number]))
    return most


@rule
def different_types(s):
    """How many types lie in the snow."""
    count = 0
    for kind in range(TYPES):
        count += s.snow_types[0, kind] > 0
    return count


@rule
def matched_tokens(s, t):
    """How many of the revealed gear tokens have a card of their type in the snow (R30)."""
    count = 0
    if s.round_number >= t.token_round:
        for k in range(TOKENS_REVEALED):
            count += s.snow_types[0, t.token_type[s.tokens[k]]] > 0
    return count


@rule
def met_conditions(s, t):
    """The set of avalanche conditions that the snow meets; later rounds' tiles do not count."""
    met = 0
    for level in range(min(int(s.round_number), ROUNDS)):
        tile = s.tiles[level]
        if s.progress[0, tile] >= t.limit[tile]:
            met |= bit(tile)
    if s.blizzard and s.progress[0, BLIZZARD] >= t.blizzard_limit:
        met |= bit(BLIZZARD)
    return met
