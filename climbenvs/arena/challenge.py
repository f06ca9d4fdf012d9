"""Is a new player better than known ones? Sequential tests that stop as soon as they can tell."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from climbenvs.arena.games import PlayedGames
from climbenvs.arena.players import Player
from climbenvs.arena.sequential import SequentialTest, Verdict
from climbenvs.arena.significance import deal_means
from climbenvs.arena.store import Store
from climbenvs.arena.tournament import Tournament
from climbenvs.engine.game import Game


def challenge(
    game: Game,
    candidate: str,
    players: Mapping[str, Player],
    store: Store,
    *,
    num_players: int,
    deals: int,
    seed: int = 0,
    deals_at_once: int = 50,
    alpha: float = 0.05,
    progress: bool = True,
    **tournament: Any,
) -> dict[str, Verdict]:
    """Let a candidate play against every rival until it is known which of the two is better.

    Among rivals the candidate sits with copies of the rival; the value of a deal is its share of
    the victory over all rotations, and par the share of an equal. In cooperative games and games
    for one, both play the same deals by themselves; the value is half of one plus the difference of
    their victories, and par one half.

    Args:
        game: the game.
        candidate: name of the candidate among `players`.
        players: name -> player, the candidate and its rivals.
        store: where the games go, or come from if they are there already.
        num_players: seats.
        deals: the most to play against a rival.
        seed: of the first deal.
        deals_at_once: deals between two looks at the result.
        alpha: probability of any wrong answer, shared out evenly among the rivals.
        progress: show bars.
        **tournament: further arguments of `Tournament`, as `options` and `fingerprints`.

    Returns:
        Rival -> verdict.

    Raises:
        ValueError: if there are no rivals.
    """
    rivals = [name for name in players if name != candidate]
    if not rivals:
        raise ValueError(f"{candidate} has no rivals to be compared with")
    is_shared = game.definition.cooperative or num_players == 1
    par = 0.5 if is_shared else 1 / num_players
    verdicts: dict[str, Verdict] = {}
    for rival in rivals:
        test = SequentialTest(par, alpha / len(rivals))
        verdict = test.verdict()
        while verdict.answer == "undecided" and verdict.deals < deals:
            first = seed + verdict.deals
            count = min(deals_at_once, deals - verdict.deals)
            if is_shared:
                lineups = [(candidate,) * num_players, (rival,) * num_players]
            else:
                lineups = [(candidate, *[rival] * (num_players - 1))]
            played = Tournament(
                game=game,
                entrants={name: players[name] for name in (candidate, rival)},
                num_players=num_players,
                deals=count,
                seed=first,
                store=store,
                deals_per_unit=count,
                lineups=lineups,
                **tournament,
            )
            played.run(progress)
            games = store.games(played.field)
            verdict = test.add(_values(games, candidate, rival, range(first, first + count)))
        verdicts[rival] = verdict
    return verdicts


def _values(games: PlayedGames, candidate: str, rival: str, deals: range) -> np.ndarray:
    """The value of each deal, in their order; see `challenge`."""
    numbers = [games.entrants.index(name) for name in (candidate, rival)]
    wanted = np.isin(games.deals, np.array(deals, np.uint64))
    only = np.isin(games.lineups, numbers).all(axis=1) & wanted
    first, second = numbers
    if np.all(games.seated[only] == games.seated[only][:, :1]):
        own, theirs = (
            deal_means(games.deals[mine], games.shares[mine, 0])
            for mine in (only & (games.seated[:, 0] == number) for number in (first, second))
        )
        return (1 + own - theirs) / 2
    alone = only & ((games.lineups == first).sum(axis=1) == 1)
    game, seat = np.nonzero(games.seated[alone] == first)
    shares = games.shares[alone][game, seat]
    return deal_means(games.deals[alone][game], shares)
