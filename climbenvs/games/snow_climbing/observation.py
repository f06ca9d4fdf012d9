"""What a seat may know of a game of Snow Climbing, and the state vector for critics.

An observation is nine planes of cards and then `NUMBERS` plain numbers. Entries about seats are
egocentric: entry k is about the k-th seat to the left of the viewer.
"""

from climbenvs.engine.bits import popcount, write_flags
from climbenvs.engine.jit import rule
from climbenvs.engine.layout import Block, Layout
from climbenvs.engine.rows import clear, copy_row
from climbenvs.games.snow_climbing.state import (
    BACKPACK_IDS,
    BACKPACKS,
    CARD_BYTES,
    CARDS,
    GEAR_TYPES,
    PASS,
    PHASES,
    ROUNDS,
    SEATS,
    TILE_IDS,
    TILES,
    TOKENS_REVEALED,
    TYPE_COUNTS,
    TYPE_IDS,
    TYPES,
)

NUMBER_BLOCKS = (
    Block("phase", len(PHASES), meaning="phase, one-hot: " + ", ".join(PHASES)),
    Block("round", ROUNDS, meaning="round, one-hot"),
    Block("present", SEATS, meaning="1 for every seat that takes part, from the viewer leftwards"),
    Block("leader", SEATS, meaning="seat with the leader marker, one-hot"),
    Block("turn", SEATS, meaning="seat whose climbing turn it is, one-hot; else the leader"),
    Block("decider", SEATS, meaning="seat to act, one-hot; zero when the game is over"),
    Block("hand_sizes", SEATS, 0, 40, "cards in hand of every seat"),
    Block("to_pass", SEATS, 0, 2, "cards every seat still has to pass; zero after passing"),
    Block("top_number", 2, 0, 20, "smallest and largest number on top of the stack, or 0, 0"),
    Block("sizes", 3, 0, 40, "cards in the stack, in the deck, in the snow"),
    Block("camp_picks", 1, 0, 7, "cards still to lose at camp"),
    Block("revealed_tiles", TILES, meaning="1 for every tile revealed so far"),
    Block("progress", TILES, 0, 40, "metric of the snow for every tile, revealed or not"),
    Block("snowflakes", 1, 0, 20, "cards with a snowflake in the snow"),
    Block("blizzard", 1, meaning="option: seven snowflakes are an avalanche condition"),
    Block("tokens", GEAR_TYPES, meaning="revealed gear tokens, zero before they are revealed"),
    Block("backpacks", BACKPACKS, meaning="unused backpacks: " + ", ".join(BACKPACK_IDS)),
    Block("pending_backpack", BACKPACKS, meaning="backpack in use, one-hot, or zero"),
    Block("snow_types", TYPES, 0, 7, "cards in the snow by equipment type"),
)

OBSERVATION = Layout(
    Block("own_hand", CARDS, meaning="cards in the viewer's hand", known_to="observer"),
    Block("stack", CARDS, meaning="cards of the climbing stack, the top included"),
    Block("top", CARDS, meaning="card on top of the stack"),
    Block("snow", CARDS, meaning="cards in the snow area"),
    Block("cleared", CARDS, meaning="cards that a clear put into the deck this round"),
    Block("pending", CARDS, meaning="card set aside by a change of route"),
    Block("camp", CARDS, meaning="cards whose fate is open at camp"),
    Block(
        "given",
        CARDS,
        meaning="cards the viewer passed: while passing all so far, then those the left neighbour "
        "still holds",
        known_to="observer",
    ),
    Block(
        "received",
        CARDS,
        meaning="cards passed to the viewer this round and still in its hand",
        known_to="observer",
    ),
    *NUMBER_BLOCKS,
)

STATE = Layout(
    Block("deck", CARDS, meaning="cards in the deck, cleared ones included", known_to="nobody"),
    Block("cleared", CARDS, meaning="cards that a clear put into the deck this round"),
    Block("stack", CARDS, meaning="cards of the climbing stack, the top included"),
    Block("top", CARDS, meaning="card on top of the stack"),
    Block("snow", CARDS, meaning="cards in the snow area"),
    Block("pending", CARDS, meaning="card set aside by a change of route"),
    Block("camp", CARDS, meaning="cards whose fate is open at camp"),
    Block("hands", SEATS * CARDS, meaning="cards in hand, seat by seat", known_to="owner"),
    Block(
        "passed",
        SEATS * CARDS,
        meaning="cards passed this round, seat by seat of the giver",
        known_to="giver and receiver",
    ),
    *NUMBER_BLOCKS,
    Block("chosen_tiles", TILES, meaning="tiles of all five rounds", known_to="nobody"),
    Block("chosen_tokens", GEAR_TYPES, meaning="both gear tokens, hidden or not"),
)

_NEVER_AT_CAMP = "ropes are lost at once"
_NEVER_PENDING = "the highest card cannot start a change of route, the next one leaves no choice"
_LAST_ROUND = "random play hardly ever reaches the last round"


def _constant_elements() -> dict[str, str]:
    """Elements that never, or in random play hardly ever, change -> the reason."""
    reasons = {f"present[{seat}]": "there are at least two players" for seat in (0, 1)}
    end = 0
    for kind, count in zip(TYPE_IDS, TYPE_COUNTS, strict=True):
        start, end = end, end + count
        if kind == "rope":
            reasons |= {f"camp[{card}]": _NEVER_AT_CAMP for card in range(start, end)}
        if kind != "compass":  # a compass may wait for a recovery
            reasons |= {f"pending[{card}]": _NEVER_PENDING for card in (end - 2, end - 1)}
    reasons[f"round[{ROUNDS - 1}]"] = _LAST_ROUND
    for index, tile in enumerate(TILE_IDS):
        if tile.startswith(f"l{ROUNDS}_"):
            reasons[f"revealed_tiles[{index}]"] = _LAST_ROUND
    elements = {
        f"{which}.{name}": reason
        for which in ("observation", "state")
        for name, reason in reasons.items()
    }
    elements[f"state.chosen_tiles[{TILE_IDS.index('l3_tokens')}]"] = "the only tile of its level"
    return elements


CONSTANT_ELEMENTS = _constant_elements()

OWN_HAND = OBSERVATION.offset("own_hand")
GIVEN = OBSERVATION.offset("given")
RECEIVED = OBSERVATION.offset("received")
NUMBERS = OBSERVATION.offset("phase")

# Positions within the numbers.
ROUND = OBSERVATION.offset("round") - NUMBERS
PRESENT = OBSERVATION.offset("present") - NUMBERS
LEADER = OBSERVATION.offset("leader") - NUMBERS
TURN = OBSERVATION.offset("turn") - NUMBERS
DECIDER = OBSERVATION.offset("decider") - NUMBERS
HAND_SIZES = OBSERVATION.offset("hand_sizes") - NUMBERS
TO_PASS = OBSERVATION.offset("to_pass") - NUMBERS
TOP_NUMBER = OBSERVATION.offset("top_number") - NUMBERS
SIZES = OBSERVATION.offset("sizes") - NUMBERS
CAMP_PICKS = OBSERVATION.offset("camp_picks") - NUMBERS
REVEALED_TILES = OBSERVATION.offset("revealed_tiles") - NUMBERS
PROGRESS = OBSERVATION.offset("progress") - NUMBERS
BLIZZARD_OPTION = OBSERVATION.offset("blizzard") - NUMBERS
TOKEN_FLAGS = OBSERVATION.offset("tokens") - NUMBERS
BACKPACK_FLAGS = OBSERVATION.offset("backpacks") - NUMBERS
PENDING_BACKPACK = OBSERVATION.offset("pending_backpack") - NUMBERS
SNOW_TYPES = OBSERVATION.offset("snow_types") - NUMBERS

STATE_CLEARED = STATE.offset("cleared")
STATE_STACK = STATE.offset("stack")
STATE_HANDS = STATE.offset("hands")
STATE_PASSED = STATE.offset("passed")
STATE_NUMBERS = STATE.offset("phase")
STATE_TILES = STATE.offset("chosen_tiles")
STATE_TOKENS = STATE.offset("chosen_tokens")

STACK = OBSERVATION.offset("stack")
TOP = OBSERVATION.offset("top") - STACK
SNOW = OBSERVATION.offset("snow") - STACK
CLEARED = OBSERVATION.offset("cleared")
PENDING = OBSERVATION.offset("pending")
CAMP_CARDS = OBSERVATION.offset("camp")
STATE_PENDING = STATE.offset("pending")
STATE_CAMP = STATE.offset("camp")


@rule
def observe(s, t, seat, out):
    """Write what the seat may know now."""
    clear(out)
    players = s.num_players
    hand = s.hand[seat]
    given = s.passed[seat]
    received = 0
    if s.phase != PASS:
        left = seat + 1 if seat + 1 < players else 0
        right = seat - 1 if seat > 0 else players - 1
        given &= s.hand[left]
        received = s.passed[right] & hand
    write_flags(out, OWN_HAND, hand, CARD_BYTES)
    write_set(out, GIVEN, given)
    write_set(out, RECEIVED, received)
    write_stack_and_snow(s, out, STACK)
    write_set(out, CLEARED, s.cleared)
    write_set(out, CAMP_CARDS, s.camp)
    if s.pending >= 0:
        out[PENDING + s.pending] = 1
    write_numbers(s, t, seat, out, NUMBERS)


@rule
def write_set(out, offset, cards):
    """Write a plane of an already cleared row."""
    if cards:
        write_flags(out, offset, cards, CARD_BYTES)


@rule
def write_stack_and_snow(s, out, offset):
    """Write three planes: stack, its top, snow."""
    if s.stack:
        write_flags(out, offset, s.stack, CARD_BYTES)
        out[offset + TOP + s.stack_cards[s.stack_size - 1]] = 1
    write_set(out, offset + SNOW, s.snow)


@rule
def write_numbers(s, t, seat, out, offset):
    """Write all numbers as the seat sees them, into an already cleared row."""
    out[offset + s.phase] = 1
    out[offset + ROUND + s.round_number - 1] = 1
    write_seats(s, t, seat, out, offset)
    if s.stack_size:
        top = s.stack_cards[s.stack_size - 1]
        out[offset + TOP_NUMBER] = t.low[top]
        out[offset + TOP_NUMBER + 1] = t.high[top]
    out[offset + SIZES] = s.stack_size
    out[offset + SIZES + 1] = popcount(s.deck)
    out[offset + SIZES + 2] = popcount(s.snow)
    out[offset + CAMP_PICKS] = s.camp_picks
    for level in range(s.round_number):
        out[offset + REVEALED_TILES + s.tiles[level]] = 1
    copy_row(out, offset + PROGRESS, s.progress, 0)
    copy_row(out, offset + SNOW_TYPES, s.snow_types, 0)
    out[offset + BLIZZARD_OPTION] = s.blizzard
    if s.round_number >= t.token_round:
        for k in range(TOKENS_REVEALED):
            out[offset + TOKEN_FLAGS + s.tokens[k]] = 1
    if s.backpacks_left:
        for backpack in range(BACKPACKS):
            out[offset + BACKPACK_FLAGS + backpack] = (s.backpacks_left >> backpack) & 1
    if s.pending_backpack >= 0:
        out[offset + PENDING_BACKPACK + s.pending_backpack] = 1


@rule
def write_seats(s, t, viewer, out, offset):
    """Write the blocks of one entry per seat, from the viewer leftwards."""
    players = s.num_players
    passing = s.phase == PASS
    for k in range(players):
        seat = viewer + k
        if seat >= players:
            seat -= players
        out[offset + PRESENT + k] = 1
        out[offset + LEADER + k] = s.leader == seat
        out[offset + TURN + k] = s.turn == seat
        out[offset + DECIDER + k] = s.player == seat
        size = popcount(s.hand[seat])
        out[offset + HAND_SIZES + k] = size
        if passing:
            open_passes = t.quota[players] - popcount(s.passed[seat])
            out[offset + TO_PASS + k] = min(open_passes, size)


@rule
def global_state(s, t, out):
    """Write the whole state, hidden parts included, with absolute seats."""
    clear(out)
    write_flags(out, 0, s.deck, CARD_BYTES)
    write_set(out, STATE_CLEARED, s.cleared)
    write_stack_and_snow(s, out, STATE_STACK)
    if s.pending >= 0:
        out[STATE_PENDING + s.pending] = 1
    write_set(out, STATE_CAMP, s.camp)
    for seat in range(s.num_players):
        write_set(out, STATE_HANDS + CARDS * seat, s.hand[seat])
        write_set(out, STATE_PASSED + CARDS * seat, s.passed[seat])
    write_numbers(s, t, 0, out, STATE_NUMBERS)
    for level in range(ROUNDS):
        out[STATE_TILES + s.tiles[level]] = 1
    for k in range(TOKENS_REVEALED):
        out[STATE_TOKENS + s.tokens[k]] = 1
