"""Snapshots of 1953 Everest for tests: a base position and what a test changes in it."""

from copy import deepcopy
from itertools import count

from climbenvs.games.everest_1953.tables import CLASSES, texts
from climbenvs.registry import load

NATIONS = ("uk", "france")


def names():
    """Ids of cards, backpacks and weather cards in file order, and the class of each climber."""
    t = load("everest_1953").t
    return (
        texts(t["card_id"]),
        texts(t["backpack_id"]),
        texts(t["weather_id"]),
        {
            name: CLASSES[kind]
            for name, kind in zip(texts(t["card_id"]), t["card_class"].tolist(), strict=True)
        },
    )


def base_position(base, solo=None):
    """Week 1 of a game of two, or of a solo game, at the first turn, Mountains empty."""
    cards, backpacks, weather, classes = names()
    everest = [card for card in cards[:49] if card not in base["market"] + base["everest_deck"]]
    climbers = cards[49:]
    market = base["backpack_market"]
    mallory = None
    if solo:
        deck = []
        for kind in ("specific", "mixed", "same"):
            deck += [c for c in climbers[5:] if classes[c] == kind][:3]
        mallory = {
            "nation": "france",
            "bivouac": 0,
            "res": [0, 0, 0, 0],
            "cards": [],
            "deck": deck,
            "discard": [],
        }
    return {
        "game": "everest_1953",
        "version": 1,
        "players": 1 if solo else 2,
        "board": "I",
        "difficulty": solo,
        "week": 1,
        "weather": base["weather"][0],
        "weather_past": [],
        "weather_deck": base["weather"][1:],
        "weather_box": [w for w in weather if w not in base["weather"]],
        "everest_deck": base["everest_deck"] + everest,
        "everest_discard": [],
        "market": list(base["market"]),
        "backpack_deck": [b for b in backpacks if b not in market],
        "backpack_discard": [],
        "backpack_market": list(market),
        "supply": [20, 20, 20],
        "start_row": [],
        "start_holder": -1,
        "first": 0,
        "mallory": mallory,
        "stack": [["turn", 0, 1, 0]],
        "decisions": 0,
        "max_decisions": 2000,
        "over": False,
        "winners": [],
        "cause": None,
        "seats": [empty_seat(seat, climbers) for seat in range(1 if solo else 2)],
    }


def empty_seat(seat, climbers):
    """A seat that has nothing yet."""
    return {
        "nation": NATIONS[seat],
        "hand": [],
        "public": [],
        "climber_deck": climbers[5 * seat : 5 * seat + 5],
        "climber_out": [],
        "res": [[0, 0, 0] for _ in range(4)],
        "cards": [None] * 26,
        "tokens": [False, False, False],
        "bivouac": 0,
        "backpack_taken": False,
        "weather_ignored": False,
    }


def change(base, given):
    """The base position with the changes of a scenario."""
    position = deepcopy(base_position(base, given.get("solo")))
    cards = names()[0]
    filler = (base["F"][i] for i in count())
    placed = []
    for seat, changes in given.get("seats", {}).items():
        placed += change_seat(position["seats"][int(seat)], changes, cards, filler)
        for row in changes.get("levels", {}).values():
            position["supply"] = [a - b for a, b in zip(position["supply"], row, strict=True)]
    if "weather" in given:
        exchange_weather(position, given["weather"])
    if "stack" in given:
        position["stack"] = deepcopy(given["stack"])
    position["stack"] += given.get("pending", [])
    if "mallory_turns" in given:
        classes = names()[3]
        deck = position["mallory"]["deck"]
        deck.sort(key=lambda climber: classes[climber] != given["mallory_turns"])
        position["stack"] = [["mallory", -1]]
    for _ in range(given.get("mallory_cards", 0)):
        position["mallory"]["cards"].append(next(filler))
    placed += position["mallory"]["cards"] if position["mallory"] else []
    for path, value in given.get("set", {}).items():
        set_path(position, path, deepcopy(value))
    take_out(position, placed)
    if "everest_deck" in given:  # the top cards, the others lie on the discard pile
        position["everest_discard"] = ["stupa", "topkie"] + [
            card
            for card in cards[:49]
            if card in position["everest_deck"]
            and card not in (*given["everest_deck"], "stupa", "topkie")
        ]
        position["everest_deck"] = list(given["everest_deck"])
    return position


def change_seat(seat, changes, cards, filler):
    """Put cards and resources where a scenario wants them; returns the cards."""

    def card(name):
        return next(filler) if name == "F" else name

    for slot in sorted(changes.get("slots", {}), key=int):
        seat["cards"][int(slot)] = card(changes["slots"][slot])
    seat["hand"] = sorted((card(name) for name in changes.get("hand", [])), key=cards.index)
    for level, row in changes.get("levels", {}).items():
        seat["res"][int(level) - 1] = list(row)
    for token in changes.get("tokens", []):
        seat["tokens"][token] = True
    seat["bivouac"] = changes.get("bivouac", 0)
    return seat["hand"] + [name for name in seat["cards"] if name]


def exchange_weather(position, weather):
    """A weather card changes places with the one that lies open."""
    for pile in (position["weather_deck"], position["weather_box"]):
        if weather in pile:
            pile[pile.index(weather)] = position["weather"]
    position["weather"] = weather


def take_out(position, placed):
    """Cards that lie elsewhere are missing in market and decks."""
    discard = position["everest_discard"]
    position["market"] = [None if card in placed else card for card in position["market"]]
    gone = {*placed, *discard}
    position["everest_deck"] = [card for card in position["everest_deck"] if card not in gone]
    missing = set(names()[0][:49]) - gone - set(position["market"])
    missing -= set(position["everest_deck"])
    position["everest_deck"] += [card for card in names()[0][:49] if card in missing]
    for seat in position["seats"]:
        own = [card for card in seat["climber_deck"] if card not in placed]
        seat["climber_deck"] = own


def set_path(position, path, value):
    """Overwrite a field given by its path."""
    *keys, last = path.split(".")
    for key in keys:
        position = position[int(key)] if isinstance(position, list) else position[key]
    position[last] = value
