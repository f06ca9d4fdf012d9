"""What a seat may know, as one int8 vector, and the global state vector."""

from climbenvs.engine.jit import rule
from climbenvs.engine.layout import Block, Group, Layout
from climbenvs.engine.rows import clear, copy_row, copy_values
from climbenvs.games.sherpa.rules import pair_bonus
from climbenvs.games.sherpa.state import (
    CAMPS_FOR_ACCESS,
    DECIDING,
    DECISIONS,
    DISCARD,
    ELEMENT_COLUMNS,
    FIRST_NEUTRAL,
    HALTED,
    MAX_LINE,
    MAX_PLAYERS,
    NUM_CARDS,
    NUM_CHARACTER_KINDS,
    NUM_KINDS,
    NUM_RESOURCES,
    NUM_SLOTS,
    NUM_TOKENS,
    OVER,
    PAY,
    SEAT_COLUMNS,
    STAGES,
    TOKENS,
)

ELEMENT = Layout(
    Block("owner", MAX_PLAYERS, meaning="relative seat of the owner, one-hot"),
    Block("neutral", 1, meaning="a neutral character"),
    Block("camp", 1, meaning="a camp"),
    Block("kind", NUM_CHARACTER_KINDS, meaning="guide, sherpa, yak, one-hot"),
    Block("second_copy", 1, meaning="the second of its kind"),
    Block("tokens", NUM_RESOURCES, high=3, meaning="ice axes, oxygen and food it carries"),
    Block("blizzards", 2, high=5, meaning="blizzards on it that move down, up"),
    Block("halted", 1, meaning="halted by a blizzard"),
    Block("hit", 1, meaning="a blizzard on it still has to be dealt with"),
)
OWN_CHARACTER = Layout(
    Block("on_line", 1, meaning="in the line"),
    Block("position", 1, high=MAX_LINE, meaning="position in the line, counted from 1"),
    Block("tokens", NUM_RESOURCES, high=3, meaning="ice axes, oxygen and food it carries"),
    Block("free", 1, meaning="in the line and not halted"),
)
SEAT = Layout(
    Block("present", 1, meaning="takes part"),
    Block("hand_size", 1, high=NUM_CARDS, meaning="cards in hand"),
    Block("camps", 1, meaning="camp tiles beside the board"),
    Block("has_built", 1, meaning="has built a camp"),
    Block("order", MAX_PLAYERS, meaning="place in this round's order, one-hot"),
    Block("finished", 1, meaning="has finished this round's turn"),
    Block("active", 1, meaning="it is this seat's turn"),
    Block("deciding", 1, meaning="this seat decides"),
    Block("characters", 1, high=NUM_SLOTS, meaning="characters in the line"),
    Block("usable_tokens", NUM_RESOURCES, high=12, meaning="tokens on free characters"),
)
PUBLIC = Layout(
    Block("discard", NUM_KINDS, high=20, meaning="discarded cards of each kind"),
    Block("pile_size", 1, high=NUM_CARDS, meaning="cards in the pile"),
    Block("box", NUM_RESOURCES, high=NUM_TOKENS, meaning="tokens on nobody's board"),
    Block("camps_common", 1, high=5, meaning="camp tiles for anyone"),
    Block("camps_established", 1, high=10, meaning="camps built so far, cut at 10"),
    Block("accessible", 1, meaning="at least two camps have been established"),
    Block("blizzards", 1, high=5, meaning="blizzards in play"),
    Block("round", 1, high=127, meaning="round, cut at 127"),
    Block("rounds_left", 1, high=127, meaning="rounds after this one, cut at 127"),
)
TURN = Layout(
    Block("decision", len(DECISIONS) - 1, meaning="play, supply, pay, protect, shelter, discard"),
    Block("stage", len(STAGES), meaning="play, supply, storm, one-hot"),
    Block("points", 1, high=127, meaning="movement points left, cut at 127"),
    Block("bonus", 1, high=6, meaning="points for pairs with the next climb card"),
    Block("climbed", 1, meaning="a climb card was played this turn"),
    Block("added", 1, meaning="a character was added this turn"),
    Block("asked", NUM_RESOURCES, meaning="type of token asked for, one-hot"),
    Block("tokens_due", NUM_RESOURCES, high=12, meaning="pay: tokens still to withdraw"),
    Block("points_due", 1, high=127, meaning="pay: points of the card, cut at 127"),
    Block("added_kind", NUM_CHARACTER_KINDS, meaning="discard: kind to be added, one-hot"),
    Block("cards_due", 1, high=3, meaning="discard: cards still to discard"),
)
OBSERVATION = Layout(
    Group("line", MAX_LINE, ELEMENT, meaning="the roped party from the top"),
    Group("own_characters", NUM_SLOTS, OWN_CHARACTER, meaning="the observer's characters by slot"),
    Block("own_hand", NUM_KINDS, high=20, meaning="own cards of each kind", known_to="observer"),
    Group("seats", MAX_PLAYERS, SEAT, meaning="all seats, counted from the observer"),
    Group("public", 1, PUBLIC, meaning="what lies open on the table"),
    Group("turn", 1, TURN, meaning="the decision in progress"),
)
STATE = Layout(
    Group("observation", 1, OBSERVATION, meaning="the observation of seat 0", known_to="all"),
    Block("hands", MAX_PLAYERS * NUM_KINDS, high=20, meaning="hands of seats 0 to 4 by kind"),
    Block("pile", NUM_KINDS, high=20, meaning="cards of each kind in the pile", known_to="nobody"),
)


def _constant_elements() -> dict[str, str]:
    """What never changes, or hardly ever, and why."""
    reserved = "kinds 7 to 11 are kept for corrected decks"
    neutral = "only the line of two has neutrals: at most 20 elements, the last seldom neutral"
    reasons = {
        "observation.seats.0.present": "the observer takes part",
        "observation.seats.1.present": "there are at least two players",
    }
    for kind in range(7, 12):
        reasons[f"observation.own_hand[{kind}]"] = reserved
        reasons[f"observation.public.0.discard[{kind}]"] = reserved
        reasons[f"state.pile[{kind}]"] = reserved
        for seat in range(MAX_PLAYERS):
            reasons[f"state.hands[{NUM_KINDS * seat + kind}]"] = reserved
    for position in range(16, 30):
        reasons[f"observation.line.{position}.neutral"] = neutral
    for position in range(30, MAX_LINE):
        reasons[f"observation.line.{position}"] = "the line is hardly ever that long"
    for path in [path for path in reasons if path.startswith("observation.")]:
        reasons[f"state.observation.0.{path.removeprefix('observation.')}"] = reasons[path]
    return reasons


CONSTANT_ELEMENTS = _constant_elements()

_OWN_CHARACTERS = OBSERVATION.offset("own_characters")
_OWN_HAND = OBSERVATION.offset("own_hand")
_SEATS = OBSERVATION.offset("seats")
_PUBLIC = OBSERVATION.offset("public")
_PILE_SIZE = _PUBLIC + PUBLIC.offset("pile_size")
_TURN = OBSERVATION.offset("turn")
_STAGE = _TURN + TURN.offset("stage")
_POINTS = _TURN + TURN.offset("points")
_ASKED = _TURN + TURN.offset("asked")
_TOKENS_DUE = _TURN + TURN.offset("tokens_due")
_ADDED_KIND = _TURN + TURN.offset("added_kind")
_ON_LINE, _POSITION, _CARRIED, _FREE = 0, 1, 2, 5
_HANDS = STATE.offset("hands")
_PILE = STATE.offset("pile")


@rule
def observe(s, t, seat, out):
    """What a seat may know now: all but the other hands and the order of the pile."""
    clear(out)
    observe_line(s, seat, out)
    observe_own_characters(s, seat, out)
    copy_row(out, _OWN_HAND, s.hands, seat)
    observe_seats(s, seat, out)
    observe_public(s, out)
    observe_turn(s, t, out)


@rule
def observe_line(s, seat, out):
    """One row per element of the line; the record keeps them ready but for the owner."""
    players = int(s.num_players)
    start = 0
    for position in range(int(s.line_size)):
        element = int(s.line[position])
        copy_row(out, start, s.elements, element)
        if element < FIRST_NEUTRAL:
            owner = element // NUM_SLOTS - seat
            if owner < 0:
                owner += players
            out[start + owner] = 1
        start += ELEMENT_COLUMNS


@rule
def observe_own_characters(s, seat, out):
    """One row per own slot, empty while the character is on the board."""
    start = _OWN_CHARACTERS
    for element in range(NUM_SLOTS * seat, NUM_SLOTS * seat + NUM_SLOTS):
        if s.place[element] >= 0:
            out[start + _ON_LINE] = 1
            out[start + _POSITION] = s.place[element] + 1
            for resource in range(NUM_RESOURCES):
                out[start + _CARRIED + resource] = s.elements[element, TOKENS + resource]
            out[start + _FREE] = 1 - s.elements[element, HALTED]
        start += _FREE + 1


@rule
def observe_seats(s, seat, out):
    """One row per seat, the observer's first."""
    players = int(s.num_players)
    start = _SEATS
    other = int(seat)
    for _ in range(players):
        copy_row(out, start, s.seats, other)
        out[start + DECIDING] = other == s.player
        start += SEAT_COLUMNS
        other += 1
        if other == players:
            other = 0


@rule
def observe_public(s, out):
    """What lies open on the table."""
    copy_values(out, _PUBLIC, s.discard)
    out[_PILE_SIZE] = s.pile_size
    for resource in range(NUM_RESOURCES):
        out[_PILE_SIZE + 1 + resource] = s.box[resource]
    out[_PILE_SIZE + 4] = s.camps_common
    out[_PILE_SIZE + 5] = min(int(s.camps_established), 10)
    out[_PILE_SIZE + 6] = s.camps_established >= CAMPS_FOR_ACCESS
    out[_PILE_SIZE + 7] = s.num_blizzards
    out[_PILE_SIZE + 8] = min(int(s.round_number), 127)
    out[_PILE_SIZE + 9] = max(0, min(int(s.max_rounds) - int(s.round_number), 127))


@rule
def observe_turn(s, t, out):
    """The decision in progress; what does not apply stays zero."""
    if s.decision != OVER:
        out[_TURN + s.decision] = 1
    out[_STAGE + s.stage] = 1
    out[_POINTS] = min(int(s.points), 127)
    if s.climbed == 0:
        out[_POINTS + 1] = pair_bonus(s, int(s.order[s.turn]))
    out[_POINTS + 2] = s.climbed
    out[_POINTS + 3] = s.added
    if s.asked >= 0:
        out[_ASKED + s.asked] = 1
    if s.decision == PAY:
        for resource in range(NUM_RESOURCES):
            out[_TOKENS_DUE + resource] = s.tokens_due[resource]
        out[_TOKENS_DUE + NUM_RESOURCES] = min(int(t.points[s.paid_card]), 127)
    elif s.decision == DISCARD:
        out[_ADDED_KIND + s.added_kind] = 1
        out[_ADDED_KIND + NUM_CHARACTER_KINDS] = s.cards_due


@rule
def global_state(s, t, out):
    """Seat 0's observation, all hands, and what the pile consists of."""
    observe(s, t, 0, out)
    for seat in range(MAX_PLAYERS):
        copy_row(out, _HANDS + NUM_KINDS * seat, s.hands, seat)
    for i in range(int(s.pile_size)):
        out[_PILE + int(s.pile[i])] += 1
