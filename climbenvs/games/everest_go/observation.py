"""What a seat may know, and the global state for centralised critics."""

from climbenvs.engine.jit import rule
from climbenvs.engine.layout import Block, Group, Layout
from climbenvs.engine.rows import add_row, clear, copy_row, copy_values, subtract_row
from climbenvs.games.everest_go.state import (
    COLDS,
    FIRST_ACTION_CARD,
    FLAG,
    HIDDEN,
    LOOSE_POINTS,
    MAX_PLAYERS,
    MAX_STACK,
    NUM_KINDS,
    NUM_PARTS,
    NUM_SLOTS,
    OVER,
    OXYGEN,
    RULEBOOK_MEMORY,
    SCORE,
    SEAT_SIZE,
    STEAL_CARD,
    TAKE_CARD,
    UNDER,
)
from climbenvs.games.everest_go.table import column, is_frozen, top

PART = Layout(
    Block("visible", 4, meaning="visible garment, one-hot 1 to 4 points"),
    Block("under", 1, 0, 4, "points of the garment directly under it"),
    Block("hidden_points", 1, 0, 28, "points of all hidden garments"),
    Block("hidden", 1, 0, 7, "number of hidden garments"),
    Block("hidden_fours", 1, 0, 7, "number of hidden 4-point garments"),
    Block("loose_points", 1, 0, 24, "points a Blizzard would discard"),
    Block("frozen", 1, meaning="a Hypothermia lies here"),
)
SEAT = Layout(
    Block("present", 1, meaning="the seat exists"),
    Block("hand_size", 1, 0, 3, "cards in hand"),
    Block("oxygen", 1, meaning="has the Oxygen"),
    Block("flag", 1, meaning="has the Flag"),
    Block("colds", 1, 0, 4, "Colds next to the mountaineer"),
    Block("score", 1, -128, 127, "score now, without bonus"),
    Block("ready", 1, meaning="may shout EVEREST! in the own turn"),
    Block("is_turn_player", 1, meaning="it is this seat's turn"),
    Group("parts", NUM_PARTS, PART, "head, jacket, left arm, right arm, pants, boots"),
)
CLOCK = (
    Block("deck_size", 1, 0, 120, "cards in the deck"),
    Block("run_outs", 1, 0, 3, "how often the deck has run out"),
    Block("turns_left", 1, 0, 127, "turns to the limit, at most 127"),
)
PENDING = (
    Block("decision", 9, 0, 1, "kind of decision, one-hot", "decider"),
    Block("pending_card", 11, 0, 1, "action card being resolved, one-hot", "decider"),
    Block("pending_targets", 32, 0, 1, "spots chosen, 8 * seat + slot", "decider"),
    Block("pending_victim", 4, 0, 1, "seat chosen, one-hot", "decider"),
    Block("avalanche_part", 6, 0, 1, "body part of an Avalanche, one-hot", "decider"),
    Block("avalanche_direction", 2, 0, 1, "left, right", "decider"),
)
OPTIONS = Block("options", 4, 0, 1, "2, 3, 4 players, one-hot; beginner game")

OBSERVATION = Layout(
    Block("own_hand", NUM_KINDS, 0, 3, "count per kind", "owner"),
    Group("seats", MAX_PLAYERS, SEAT, "observer first, then clockwise"),
    Block("known_left", NUM_KINDS, 0, 3, "cards known to be in the next seat's hand", "observer"),
    Block("known_second", NUM_KINDS, 0, 3, "the same for the second seat", "observer"),
    Block("known_third", NUM_KINDS, 0, 3, "the same for the third seat", "observer"),
    Block("discard", NUM_KINDS, 0, 9, "discard pile, count per kind"),
    Block(
        "unseen",
        NUM_KINDS,
        0,
        9,
        "deck and opponents' hands less the known cards, count per kind",
        "observer",
    ),
    *CLOCK,
    *PENDING,
    OPTIONS,
)
STATE = Layout(
    Group("seats", MAX_PLAYERS, SEAT, "absolute seats, perfect memory"),
    Block("stacks", MAX_PLAYERS * NUM_PARTS * MAX_STACK, 0, 4, "points, bottom first"),
    Block("hands", MAX_PLAYERS * NUM_KINDS, 0, 3, "count per seat and kind"),
    Block("deck", NUM_KINDS, 0, 9, "count per kind"),
    Block("discard", NUM_KINDS, 0, 9, "count per kind"),
    *CLOCK,
    *PENDING,
    Block("sealed_tents", MAX_PLAYERS, 0, 1, "seats that sealed a Tent against the Avalanche"),
    Block("player", MAX_PLAYERS, 0, 1, "seat to decide, one-hot"),
    OPTIONS,
)

_ALWAYS_PRESENT = "there are at least two players"
_NEVER_PENDING = "a Tent is never pending"
_NEVER_MARKED = "items are taken from others, and only the asked seat sees what is pending"
CONSTANT_ELEMENTS = {
    **{
        f"{which}.seats.{seat}.present": _ALWAYS_PRESENT
        for which in ("observation", "state")
        for seat in (0, 1)
    },
    **{f"{which}.pending_card[6]": _NEVER_PENDING for which in ("observation", "state")},
    **{f"observation.pending_targets[{spot}]": _NEVER_MARKED for spot in (14, 15, 22, 23, 30, 31)},
    "state.stacks": "deep places of a stack are rarely reached",
    "state.pending_targets": "an item is rarely the target while a Tent is decided",
    "state.sealed_tents": "two Tents against one Avalanche are rare",
}
"""Elements that stay the same, for the check of constant features."""

OWN_HAND = OBSERVATION.offset("own_hand")
SEATS = OBSERVATION.offset("seats")
KNOWN = OBSERVATION.offset("known_left")
DISCARD_PILE = OBSERVATION.offset("discard")
UNSEEN = OBSERVATION.offset("unseen")
CLOCK_START = OBSERVATION.offset("deck_size")
DECISION = OBSERVATION.offset("decision")
OPTIONS_START = OBSERVATION.offset("options")

# Offsets inside the run of pending blocks, which starts with the decision.
PENDING_CARD = OBSERVATION.offset("pending_card") - DECISION
PENDING_TARGETS = OBSERVATION.offset("pending_targets") - DECISION
PENDING_VICTIM = OBSERVATION.offset("pending_victim") - DECISION
PENDING_PART = OBSERVATION.offset("avalanche_part") - DECISION
PENDING_DIRECTION = OBSERVATION.offset("avalanche_direction") - DECISION

STATE_STACKS = STATE.offset("stacks")
STATE_HANDS = STATE.offset("hands")
STATE_DECK = STATE.offset("deck")
STATE_DISCARD = STATE.offset("discard")
STATE_CLOCK = STATE.offset("deck_size")
STATE_DECISION = STATE.offset("decision")
STATE_SEALED = STATE.offset("sealed_tents")
STATE_PLAYER = STATE.offset("player")
STATE_OPTIONS = STATE.offset("options")


@rule
def observe(s, t, seat, out):
    """Write the observation of a seat, 565 int8."""
    clear(out)
    copy_row(out, OWN_HAND, s.hand, seat)
    rulebook = s.memory == RULEBOOK_MEMORY
    copy_values(out, UNSEEN, s.deck_count)
    for relative in range(s.num_players):
        other = (seat + relative) % s.num_players
        start = SEATS + SEAT_SIZE * relative
        copy_row(out, start, s.seats, other)
        if rulebook:
            hide_covered_garments(s, t, other, out, start)
        if relative > 0:
            write_hand(s, t, seat, relative, rulebook, out)
    copy_values(out, DISCARD_PILE, s.discard)
    write_clock(s, out, CLOCK_START)
    if seat == s.player:
        write_pending(s, seat, out, DECISION)
    write_options(s, out, OPTIONS_START)


@rule
def sees_hand(s, t, seat, other):
    """Whether a seat looks at another's hand right now (R17)."""
    if s.decision != TAKE_CARD or seat != s.player or other != s.victim:
        return False
    return t.effect[s.pending_card] == STEAL_CARD


@rule
def hide_covered_garments(s, t, seat, out, start):
    """Rulebook memory: covered garments are unseen, and so is what they add to the score (R27)."""
    row = s.seats[seat]
    score = int(row[OXYGEN]) * t.item_points[0] + int(row[FLAG]) * t.item_points[1]
    score -= int(row[COLDS]) * t.cold_penalty
    for part in range(NUM_PARTS):
        if not is_frozen(s, seat, part):
            score += top(s, seat, part)
        for level in range(s.height[seat, part] - 1):
            out[UNSEEN + 4 * part + int(s.stacks[seat, part, level]) - 1] += 1
        for which in range(UNDER, LOOSE_POINTS + 1):
            if which != HIDDEN:
                out[start + column(part, which)] = 0
    out[start + SCORE] = max(-128, min(127, score))


@rule
def write_hand(s, t, seat, relative, rulebook, out):
    """What the observer knows of a hand goes to its own block, the rest is unseen (R27)."""
    other = (seat + relative) % s.num_players
    add_row(out, UNSEEN, s.hand, other)
    if not rulebook or sees_hand(s, t, seat, other):
        row = MAX_PLAYERS * seat + other
        copy_row(out, KNOWN + NUM_KINDS * (relative - 1), s.known, row)
        subtract_row(out, UNSEEN, s.known, row)


@rule
def write_clock(s, out, start):
    """Deck size, run-outs, turns to the limit."""
    out[start] = s.deck_size
    out[start + 1] = s.run_outs
    out[start + 2] = max(0, min(127, s.max_turns - s.turn + 1))


@rule
def write_pending(s, observer, out, start):
    """The decision and what has been chosen for the pending card, seats relative to `observer`."""
    players = s.num_players
    out[start + s.decision] = 1
    if s.pending_card < 0:
        return
    out[start + PENDING_CARD + s.pending_card - FIRST_ACTION_CARD] = 1
    for i in range(s.num_targets):
        relative = (s.targets[i] // NUM_SLOTS - observer + players) % players
        out[start + PENDING_TARGETS + NUM_SLOTS * relative + s.targets[i] % NUM_SLOTS] = 1
    if s.victim >= 0:
        out[start + PENDING_VICTIM + (s.victim - observer + players) % players] = 1
    if s.part >= 0:
        out[start + PENDING_PART + s.part] = 1
        out[start + PENDING_DIRECTION + s.direction] = 1


@rule
def write_options(s, out, start):
    """Player count and beginner game."""
    out[start + s.num_players - 2] = 1
    out[start + 3] = s.beginner


@rule
def global_state(s, t, out):
    """Write the global state vector, 765 int8, absolute seats."""
    clear(out)
    for seat in range(s.num_players):
        copy_row(out, SEAT_SIZE * seat, s.seats, seat)
        copy_row(out, STATE_HANDS + NUM_KINDS * seat, s.hand, seat)
        out[STATE_SEALED + seat] = s.sealed[seat]
        for part in range(NUM_PARTS):
            start = STATE_STACKS + MAX_STACK * (NUM_PARTS * seat + part)
            copy_values(out, start, s.stacks[seat, part])
    copy_values(out, STATE_DECK, s.deck_count)
    copy_values(out, STATE_DISCARD, s.discard)
    write_clock(s, out, STATE_CLOCK)
    if s.decision != OVER:
        write_pending(s, 0, out, STATE_DECISION)
        out[STATE_PLAYER + s.player] = 1
    write_options(s, out, STATE_OPTIONS)
