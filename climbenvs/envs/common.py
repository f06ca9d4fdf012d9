"""What the faces share: spaces, the end of a game in numbers, and the table as text."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from climbenvs.engine.game import Game

RENDER_MODES = ["human", "ansi"]
RENDER_FPS = 2


def observation_space(game: Game) -> spaces.Box:
    """Box of a seat's observation, [D] int8 with each element's own bounds."""
    low, high = game.observation_layout.bounds()
    return spaces.Box(low, high, dtype=np.int8)


def state_space(game: Game) -> spaces.Box:
    """Box of the global state vector, [S] int8 with each element's own bounds."""
    low, high = game.state_layout.bounds()
    return spaces.Box(low, high, dtype=np.int8)


def action_space(game: Game) -> spaces.Discrete:
    """Discrete(N)."""
    return spaces.Discrete(game.num_actions)


def no_result() -> dict[str, Any]:
    """What `result_of` says of a game that still runs."""
    return {"end": 0, "score": 0.0, "winner": 0}


def result_of(game: Game, record: Any) -> list[dict[str, Any]]:
    """The end of a finished game in numbers, one dict per seat.

    Returns:
        `end`: 1 + index of the cause in the definition's `end_causes`; `score`: the seat's points,
        0.0 in a game without points; `winner`: 1 for each winner, else 0.
    """
    outcome = game.definition.outcome(record, game.t)
    end = 1 + game.definition.end_causes.index(outcome["end"])
    scores = outcome.get("scores")
    winners = outcome["winners"]
    return [
        {
            "end": end,
            "score": float(scores[seat]) if scores else 0.0,
            "winner": int(seat in winners),
        }
        for seat in range(int(record["num_players"]))
    ]


def check_render_mode(render_mode: str | None) -> str | None:
    """The render mode itself; ValueError if there is no such mode."""
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise ValueError(f"render_mode is {render_mode!r}; expected None or one of {RENDER_MODES}")
    return render_mode


def snapshot_of(options: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """The snapshot among reset options; other keys mean nothing here, as the libraries want it."""
    return options.get("snapshot") if options else None
