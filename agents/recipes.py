"""How the shipped agents are trained: settings by name, as "everest_go/2"."""

from agents.ppo import Settings

PLAYERS = {
    "everest_go": (2, 3, 4),
    "everest_1953": (1, 2, 3, 4),
    "sherpa": (2, 3, 4, 5),
    "snow_climbing": (2, 3, 4),
}
TEACHERS = {
    "everest_go": "greedy",
    "everest_1953": "climber",
    "sherpa": "climber",
    "snow_climbing": "climber",
}
"""The strongest scripted player of each game: imitated first, and one to beat in mixed episodes."""


def recipe(name: str, threads: int = 2) -> Settings:
    """The settings of a shipped agent.

    Raises:
        ValueError: naming the agents there are.
    """
    names = [f"{game}/{count}" for game, counts in PLAYERS.items() for count in counts]
    if name not in names:
        raise ValueError(f"no shipped agent is called {name!r}; there are {', '.join(names)}")
    game, _, players = name.partition("/")
    return Settings(
        game=game,
        num_players=int(players),
        opponents=("self", TEACHERS[game]),
        mixed=0.3,
        steps=8_000_000,
        seed=1,
        threads=threads,
        teacher=TEACHERS[game],
        teacher_steps=1_000_000,
        evaluate_every=500_000,
    )


def recipe_names() -> list[str]:
    """The names of all shipped agents, in the order they are trained."""
    return [f"{game}/{count}" for game, counts in PLAYERS.items() for count in counts]
