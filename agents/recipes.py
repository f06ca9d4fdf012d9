"""How the shipped agents are trained: settings by name, as "everest_go/2"."""

from typing import Any

from agents.ppo import Settings

PLAYERS = {
    "everest_go": (2, 3, 4),
    "everest_1953": (1, 2, 3, 4),
    "sherpa": (2, 3, 4, 5),
    "snow_climbing": (2, 3, 4),
}
STRONGEST = {
    "everest_go": "greedy",
    "everest_1953": "climber",
    "sherpa": "climber",
    "snow_climbing": "climber",
}
"""The strongest scripted player of each game."""

IMITATING = {"teacher_steps": 1_000_000, "steps": 10_000_000}
"""Imitate the scripted player first, then learn by self-play with it in some episodes."""

ADVISED = {"gae_lambda": 0.97, "learning_rate": 5e-4, "entropy": 0.005, "judge_steps": 300_000}
"""Start as the scripted player and learn where to depart from it: for games whose scripted player
looks so far that a network on its own takes many times as long to find as good a play."""

HOLDING = {
    **ADVISED,
    "trust": 6.0,
    "entropy": 0.002,
    "gamma": 1.0,
    "gae_lambda": 0.95,
    "mixed": 1.0,
    "opponents": ("climber",),
}
"""The same for Sherpa. Learners among themselves hold each other back for a thousand decisions and
more, and such games crowd out all others; so every episode is played among scripted players.
Without discount, as any would teach a loser to draw out the game."""

PARTY = {
    **HOLDING,
    "learning_rate": 3e-4,
    "gae_lambda": 1.0,
    "entropy": -0.01,
    "num_envs": 512,
    "rollout_steps": 256,
    "judge_steps": 600_000,
}
"""For three and more. The more seats, the less a decision shows in who wins. Departures that make
no difference one by one spoil a game together, so the entropy is held down rather than up."""

# By name, or for all other player counts of a game.
CHANGES: dict[str, dict[str, Any]] = {
    "everest_go/2": IMITATING,
    "everest_go": {**ADVISED, "gamma": 1.0, "steps": 6_000_000},
    "everest_1953/1": {**ADVISED, "gamma": 1.0, "steps": 8_000_000},
    "everest_1953/2": {**ADVISED, "gamma": 1.0, "steps": 8_000_000},
    "everest_1953": {**ADVISED, "gamma": 1.0, "steps": 4_000_000},
    "sherpa/2": {**HOLDING, "num_envs": 2048, "judge_steps": 600_000, "steps": 5_000_000},
    "sherpa/5": {**PARTY, "steps": 2_000_000},
    "sherpa": {**PARTY, "steps": 4_000_000},
    "snow_climbing/2": {**ADVISED, "steps": 12_000_000},
    "snow_climbing/3": {**ADVISED, "steps": 8_000_000},
    "snow_climbing": {**ADVISED, "steps": 10_000_000},
}


def recipe(name: str, threads: int = 2) -> Settings:
    """The settings of a shipped agent.

    Raises:
        ValueError: naming the agents there are.
    """
    if name not in recipe_names():
        there = ", ".join(recipe_names())
        raise ValueError(f"no shipped agent is called {name!r}; there are {there}")
    game, _, players = name.partition("/")
    changes = CHANGES.get(name) or CHANGES[game]
    # Of three and more, what is best against copies of oneself need not be good against others:
    # most of their episodes are played among scripted players.
    is_duel = players == "2"
    company = {
        "opponents": ("self", STRONGEST[game]) if is_duel else (STRONGEST[game],),
        "mixed": 0.3 if is_duel else 0.7,
    }
    role = "teacher" if "teacher_steps" in changes else "advisor"
    return Settings(
        game=game,
        num_players=int(players),
        seed=1,
        threads=threads,
        evaluate_every=500_000,
        **{role: STRONGEST[game], **company, **changes},
    )


def recipe_names() -> list[str]:
    """The names of all shipped agents, in the order they are trained."""
    return [f"{game}/{count}" for game, counts in PLAYERS.items() for count in counts]
