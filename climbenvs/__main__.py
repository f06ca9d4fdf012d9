"""The command line: `climbenvs games`, `climbenvs compile [game]`, `climbenvs watch <game>`."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from climbenvs.engine.errors import ClimbenvsError
from climbenvs.registry import games, load

if TYPE_CHECKING:
    from climbenvs.engine.game import Game

app = typer.Typer(
    help="Climbing board games as RL environments.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _load(name: str) -> "Game":
    """The game of that name, or a usage error."""
    try:
        return load(name)
    except ClimbenvsError as error:
        raise typer.BadParameter(str(error)) from None


@app.command("games")
def list_games() -> None:
    """List the games with their player counts, sizes, scripted players and options."""
    for name in games():
        definition = load(name).definition
        low, high = definition.num_players
        typer.echo(f"{name}: {definition.title}, {low}-{high} players")
        typer.echo(
            f"  observation {definition.observation.size}, actions {definition.actions.size}"
        )
        typer.echo(f"  policies: {', '.join(['random', *definition.policies])}")
        for option in definition.options:
            typer.echo(f"  {option.name}={option.default!r}: {option.allowed}. {option.meaning}")


@app.command("compile")
def compile_games(
    game: Annotated[str | None, typer.Argument(help="One game; all of them if omitted.")] = None,
) -> None:
    """Compile every kernel ahead of time, so that no first use has to wait."""
    for loaded in [_load(game)] if game else [load(name) for name in games()]:
        started = time.perf_counter()
        for what in _compiling(loaded):
            typer.echo(f"{loaded.name}: {what} ({time.perf_counter() - started:.1f} s)")


def _compiling(game: "Game") -> Iterator[str]:
    """Use a game in every way the faces do; yields what has just been compiled."""
    from climbenvs.envs.seat import SeatLoop
    from climbenvs.envs.vector import VectorGame

    position = game.start(seed=0)
    yield "deals"
    position.apply(position.legal_actions()[0])
    yield "decisions"
    position.observe(0)
    position.state()
    position.rewards()
    yield "observations, states and rewards"
    game.from_dict(game.start(seed=0).to_dict()).determinize(0, seed=0)
    yield "snapshots and determinization"
    vector = VectorGame(game, 2)
    vector.reset()
    vector.step(vector.sample_actions())
    yield "vectors"
    for policy in ("random", *game.definition.policies):
        vector.rollout(1, policy)
        loop = SeatLoop(
            game,
            2,
            num_players=None,
            seat="random",
            opponents=policy,
            illegal_action="random",
            options={},
        )
        loop.deal()
        loop.step([-1, -1])
        _decide(game, policy, position, seed=0)
        yield f"policy {policy!r}"


def _decide(game: "Game", policy: Any, position: Any, seed: Any) -> int:
    """A policy's choice for the seat to act."""
    import numpy as np

    from climbenvs.policies import as_policy

    observation, mask = position.observe(position.player), position.action_mask()
    rng = np.random.default_rng(seed)
    return int(as_policy(game, policy).act(observation[None], mask[None], rng)[0])


@app.command()
def watch(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    players: Annotated[int | None, typer.Option(help="Number of seats.")] = None,
    policy: Annotated[str, typer.Option(help="Plays all seats; see `climbenvs games`.")] = "random",
    seed: Annotated[int | None, typer.Option(help="Of the deal and of all choices.")] = None,
) -> None:
    """Print a game, decision by decision, as the seat to act sees it."""
    import numpy as np

    from climbenvs.envs.aec import make_raw_env

    loaded = _load(game)
    rng = np.random.default_rng(seed)
    try:
        env = make_raw_env(loaded, num_players=players, render_mode="ansi")
        env.reset(seed=seed)
        while not env.position.is_over:
            typer.echo(f"{env.render()}\n")
            env.step(_decide(loaded, policy, env.position, rng))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    typer.echo(f"{env.render()}\n")
    for agent in env.agents:
        result = env.infos[agent]
        text = ", winner" if result["winner"] else ""
        typer.echo(f"{agent}: reward {env.rewards[agent]:g}, score {result['score']:g}{text}")


if __name__ == "__main__":
    app(prog_name="climbenvs")
