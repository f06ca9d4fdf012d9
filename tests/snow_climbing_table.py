"""Playing Snow Climbing by its rules alone: every decision is made, forced ones too."""

import numpy as np

from climbenvs.engine.game import as_records
from climbenvs.games.snow_climbing import state as st
from climbenvs.games.snow_climbing.deck import card_id
from climbenvs.registry import load

TILES = ["l1_cards", "l2_tents", "l3_tokens", "l4_below_7", "l5_even"]


def snapshot(game, *, hands, stack="", snow="", tiles=TILES, phase="climb", **fields):
    """A whole snapshot from the fields that matter; card lists are texts of ids."""
    ids = [card_id(game.t, card) for card in range(st.CARDS)]
    players = fields.setdefault("players", 3)
    hands = [hand.split() for hand in hands]
    used = {card for place in (*hands, stack.split(), snow.split()) for card in place}
    defaults = {
        "game": "snow_climbing",
        "version": 1,
        "options": {"blizzard": False, "backpacks": 0, "round_bonus": 0.0},
        "round": 1,
        "leader": 0,
        "turn": 0,
        "tokens": ["glove", "goggles"],
        "backpacks": [],
        "cleared": [],
        "passed": [[] for _ in range(players)],
        "camp": [],
        "camp_picks": 0,
        "pending": None,
        "pending_backpack": None,
        "result": None,
        "cause": [],
    }
    return {
        **defaults,
        "phase": phase,
        "tiles": tiles,
        "hands": hands,
        "stack": stack.split(),
        "snow": snow.split(),
        "deck": [card for card in ids if card not in used],
        **fields,
    }


class Table:
    """One game on which the rules are called directly."""

    def __init__(self, game=None, given=None):
        self.game = game or load("snow_climbing")
        self.rules = self.game.definition
        self.s = as_records(np.zeros(1, self.rules.state_dtype))[0]
        if given is not None:
            self.rules.from_dict(given, self.s, self.game.t)

    def mask(self):
        """The legal actions of the seat to act; all zero when over."""
        mask = np.zeros(self.game.num_actions, np.int8)
        if self.s["player"] >= 0:
            count = self.rules.legal(self.s, self.game.t, mask)
            assert count == mask.sum() > 0
        return mask

    def legal(self):
        """Names of the legal actions."""
        return [self.game.action_layout.name(action) for action in np.flatnonzero(self.mask())]

    def play(self, action):
        """Play an action by name."""
        assert action in self.legal(), f"{action} is not among {self.legal()}"
        self.rules.apply(self.s, self.game.t, self.game.action_layout.encode(action))

    def to_dict(self):
        """The snapshot."""
        return self.rules.to_dict(self.s, self.game.t)

    def observe(self, seat):
        """What the seat sees; every element is written."""
        out = np.full(self.game.observation_layout.size, 99, np.int8)
        self.rules.observe(self.s, self.game.t, seat, out)
        return out

    def rewards(self):
        """The return of every seat so far."""
        out = np.zeros(int(self.s["num_players"]), np.float64)
        self.rules.rewards(self.s, self.game.t, out)
        return out
