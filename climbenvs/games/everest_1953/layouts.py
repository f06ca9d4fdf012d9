"""The blocks of the observation and of the global state."""

from climbenvs.engine.layout import Block, Group, Layout
from climbenvs.games.everest_1953.state import (
    BACKPACK_MARKET_SIZE,
    HAND_SIZE,
    LAST_SPACE,
    MALLORY_DECK_SIZE,
    MARKET_SIZE,
    MAX_PLAYERS,
    NUM_BACKPACKS,
    NUM_CARDS,
    NUM_DECISION_KINDS,
    NUM_EVEREST,
    NUM_NATIONS,
    NUM_SLOTS,
    NUM_WEATHER,
    START_ROW_SIZE,
)
from climbenvs.games.everest_1953.tables import (
    NUM_EFFECT_FEATURES,
)

MANY = 36  # most that amounts of a program can add up to

CARD = Layout(
    Block("types", 5, meaning="sherpa, funding, innovation, culture, climber"),
    Block("cost", 5, high=9, meaning="tent, supplies, oxygen, any, same"),
    Block("discount", 4, meaning="tent, supplies, oxygen, any"),
    Block("trigger", 3, meaning="once, axe, bivouac"),
    Block("effect", NUM_EFFECT_FEATURES, high=MANY, meaning="amounts by operation"),
    Block("others", 4, high=MANY, meaning="others' chosen gains, fixed gains, moves, draws"),
    Block("permanent_discount", 5, meaning="card type that becomes cheaper"),
    Block("hand_limit", 1, high=9, meaning="added to the hand limit"),
    Block("both_rewards", 1, meaning="both rewards of a bivouac choice"),
)
BACKPACK = Layout(
    Block("effect", NUM_EFFECT_FEATURES, high=MANY, meaning="amounts by operation"),
    Block("forced_bivouac", 1, meaning="ends with the way to the bivouac"),
)
PLAYED_CARD = Layout(
    Block("occupied", 1),
    Block("types", 5, meaning="sherpa, funding, innovation, culture, climber"),
    Block("discount", 4, meaning="tent, supplies, oxygen, any"),
    Block("axe", 1, meaning="its effect is triggered by Ice Axes"),
    Block("bivouac", 1, meaning="its effect is triggered at the bivouac"),
    Block("gains", 1, high=MANY, meaning="resources its effect gains when triggered again"),
    Block("moves", 1, high=MANY, meaning="moves of its effect when triggered again"),
    Block("other_effect", 1, meaning="whether that effect does anything else"),
    Block(
        "permanent", 1, high=7, meaning="1-5 discount by card type, 6 hand limit, 7 both rewards"
    ),
)
START_CARD = Layout(*CARD.entries, Block("resources", 3, high=20, meaning="lying on the card"))
SEAT = Layout(
    Block("present", 1),
    Block("nation", NUM_NATIONS, meaning="one-hot"),
    Block("resources", 12, high=20, meaning="by level and type"),
    Block("capacity", 4, high=9, meaning="by level, as the weather leaves it"),
    Block("extra_cost", 16, high=9, meaning="by level: tent, supplies, oxygen, any"),
    Block("abilities", 5, meaning="level 1 gains, level 1 moves, levels 2-4 move down"),
    Block("tokens", 3, meaning="active: ice axe, double ice axe, extra action"),
    Block("flag", LAST_SPACE + 1, meaning="bivouac space, one-hot"),
    Block("backpack_taken", 1),
    Block("weather_ignored", 1),
    Block("hand_size", 1, high=8),
    Block("hand_climbers", 1, high=5, meaning="own climbers in the hand"),
    Block("hand_limit", 1, high=7),
    Block("climber_deck", 1, high=5, meaning="climbers left to choose from"),
    Group("slots", NUM_SLOTS, PLAYED_CARD, "the Mountain, slot by slot"),
    Block("known_hand", NUM_EVEREST, meaning="Everest cards all saw entering the hand"),
)
MALLORY = Layout(
    Block("present", 1),
    Block("flag", LAST_SPACE + 1, meaning="bivouac space, one-hot"),
    Block("resources", 4, high=9, meaning="by level"),
    Block("capacity", 4, high=9, meaning="by level"),
    Block("cards", 1, high=10, meaning="size of his pyramid"),
    Block("deck_classes", 3, high=9, meaning="specific, mixed, same climbers left in his deck"),
)
OBSERVATION = Layout(
    Block("players", 4, meaning="solo, 2, 3, 4"),
    Block("difficulty", 3, meaning="easy, normal, hard; zero unless solo"),
    Block("board_ii", 1),
    Block("week", 4, meaning="one-hot, zero during setup"),
    Block("weeks_left", 1, high=4),
    Block("weather", NUM_WEATHER, meaning="this week's card, one-hot"),
    Block("weather_past", NUM_WEATHER, meaning="cards of earlier weeks"),
    Block("supply", 3, high=20, meaning="resources left by type"),
    Block("start_holder", 6, meaning="starting card: seats, Mallory, beside the board"),
    Block("first", 5, meaning="who opened the Ascent Period: seats, Mallory"),
    Block("everest_deck", 1, high=NUM_EVEREST, meaning="cards left"),
    Block("backpack_deck", 1, high=NUM_BACKPACKS, meaning="cards left"),
    Block("everest_discard", NUM_EVEREST, meaning="which cards lie there"),
    Block("backpack_discard", NUM_BACKPACKS, meaning="which cards lie there"),
    Group("market", MARKET_SIZE, CARD, "by position"),
    Group("backpacks", BACKPACK_MARKET_SIZE, BACKPACK, "by position"),
    Group("start_row", START_ROW_SIZE, START_CARD, "by position, during the draft"),
    Group("hand", HAND_SIZE, CARD, "own hand by position", known_to="observer"),
    Group("climber_choice", 2, CARD, "top and second of the own deck", known_to="observer"),
    Block("own_climbers", 20, meaning="each: deck, hand, Mountain, out", known_to="owner"),
    Group("seats", MAX_PLAYERS, SEAT, "own seat first, then clockwise"),
    Group("mallory", 1, MALLORY, "solo only"),
    Block("decision", NUM_DECISION_KINDS, meaning="kind of the decision, one-hot"),
    Block("decider", 4, meaning="whose decision, one-hot from the own seat on"),
    Block("turn_owner", 5, meaning="whose turn: seats, Mallory"),
    Block("main_actions", 1, high=2, meaning="left in this turn"),
    Block("secondary_used", 1, meaning="whether a token was used in this turn"),
    Block("level", 4, meaning="level the decision is about"),
    Block("resource", 3, meaning="type that arrives at a full level"),
    Block("amount", 1, high=9, meaning="repetitions left"),
    Block("slot", NUM_SLOTS, meaning="slot the decision is about"),
    Block("paid", 3, high=20, meaning="committed so far"),
    Group("card_in_play", 1, CARD, "card being placed or paid", known_to="decider"),
    Block("from_below", 1, meaning="the arriving resource comes from the level below"),
    Block("space", 1, high=5, meaning="bivouac space whose reward is chosen"),
    Block("clock", 1, high=127, meaning="actions left before the limit, at most 127"),
)
STATE = Layout(
    Group("observation", 1, OBSERVATION, "of seat 0, decider's knowledge included"),
    Group("hands", MAX_PLAYERS, Layout(Block("cards", NUM_CARDS, meaning="by card index"))),
    Group("climber_decks", MAX_PLAYERS, Layout(Block("climbers", 5, high=5, meaning="top first"))),
    Block("everest_deck", NUM_EVEREST, high=NUM_EVEREST, meaning="card index + 1, top first"),
    Block("backpack_deck", NUM_BACKPACKS, high=NUM_BACKPACKS, meaning="index + 1, top first"),
    Block("weather_deck", 4, high=NUM_WEATHER, meaning="index + 1, top first"),
    Block("mallory_deck", MALLORY_DECK_SIZE, high=3, meaning="1 specific, 2 mixed, 3 same"),
)


def _constant_elements() -> dict[str, str]:
    """What stays constant under random play with the shipped deck, by path, with the reason."""
    unused = "no card of the kind has the operation"
    rare = "random play hardly ever gets there"
    found = {"state.everest_deck": "some cards always lie in the starting row"}
    for prefix in ("observation", "state.observation.0"):
        for group, count in (("market", MARKET_SIZE), ("start_row", START_ROW_SIZE)):
            for i in range(count):
                found[f"{prefix}.{group}.{i}.effect[3]"] = unused
        for i in range(HAND_SIZE):
            found[f"{prefix}.hand.{i}" + (".effect[3]" if i < 4 else "")] = (
                unused if i < 4 else "a hand is rarely that large"
            )
        for i in range(BACKPACK_MARKET_SIZE):
            found[f"{prefix}.backpacks.{i}.effect"] = unused
        for i in range(2):
            found[f"{prefix}.climber_choice.{i}"] = "climbers are much alike"
        found[f"{prefix}.card_in_play.0.effect[3]"] = unused
        for name in ("level[3]", "paid[2]", "slot", "everest_deck"):
            found[f"{prefix}.{name}"] = rare
        for seat in range(MAX_PLAYERS):
            at = f"{prefix}.seats.{seat}"
            found[f"{at}.extra_cost"] = "most levels ask for few types"
            found[f"{at}.resources"] = rare
            for slot in range(NUM_SLOTS):
                found[f"{at}.slots.{slot}"] = rare
        for name in ("present", "abilities"):
            found[f"{prefix}.seats.0.{name}"] = (
                "seat 0 is always there; weather changes few abilities"
            )
    return found


CONSTANT_ELEMENTS = _constant_elements()
