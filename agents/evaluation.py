"""How strong an agent is against named opponents."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from climbenvs.arena import MatchResult, play_match
from climbenvs.engine.game import Game
from climbenvs.policies import Policy


@dataclass(frozen=True)
class Evaluation:
    """An agent in one seat, an opponent in all others; every deal in all rotations.

    `win_rate` is the mean share of the victory, with a 95 % interval; a player as strong as the
    opponents has the win rate `par`. In a cooperative game and in a game for one, the agent takes
    all seats, and the "opponent" is the one it is compared with: `par` is the win rate and
    `opponent_score` the score which that player reaches on the same deals.
    """

    opponent: str
    num_players: int
    deals: int
    games: int
    win_rate: float
    low: float
    high: float
    par: float
    reward: float
    score: float
    opponent_score: float
    decisions: float

    def to_dict(self) -> dict[str, Any]:
        """All fields, JSON-able."""
        return asdict(self)


def evaluate(
    game: Game,
    agent: Policy,
    opponent: Policy,
    *,
    name: str,
    num_players: int,
    deals: int,
    seed: int = 0,
    num_threads: int = 1,
    progress: Callable[[int], Any] | None = None,
    **options: Any,
) -> Evaluation:
    """Play `deals` deals in all seat rotations, see `Evaluation`.

    Args:
        game: the game.
        agent: the player in question.
        opponent: who takes every other seat, or plays the deals by itself.
        name: what the result calls the opponent.
        num_players: seats.
        deals: number of deals; `deals * num_players` games are played.
        seed: of the deals and of the players' own choices.
        num_threads: threads that share the games.
        progress: called with the number of games finished since its last call.
        **options: the game's options by name.
    """

    def play(lineup: list[Policy], progress: Callable[[int], Any] | None) -> MatchResult:
        settings = {"seed": seed, "num_threads": num_threads, "progress": progress}
        return play_match(game, lineup, deals, **settings, **options)

    if game.definition.cooperative or num_players == 1:
        result = play([agent] * num_players, progress)
        other = play([opponent] * num_players, None)
        par, opponent_score = other.interval(0)[0], float(other.scores.mean())
    else:
        result = play([agent, *[opponent] * (num_players - 1)], progress)
        par, opponent_score = 1 / num_players, float(result.scores[:, :, 1:].mean())
    win_rate, low, high = result.interval(0)
    return Evaluation(
        opponent=name,
        num_players=num_players,
        deals=deals,
        games=deals * num_players,
        win_rate=win_rate,
        low=low,
        high=high,
        par=par,
        reward=float(result.rewards[:, :, 0].mean()),
        score=float(result.scores[:, :, 0].mean()),
        opponent_score=opponent_score,
        decisions=float(result.decisions.mean()),
    )
