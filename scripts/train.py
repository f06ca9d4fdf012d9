"""Train an agent in one seat of a game against a mixture of opponents.

    python scripts/train.py everest_go --players 2 --opponents random,builder,self --out runs/first
    python scripts/train.py --resume --out runs/first --steps 2000000

Ctrl-C saves; `--resume` goes on from the latest checkpoint, exactly as the run would have gone on,
on the same machine and with the same number of threads. A time limit starts anew, and what a run
learned after its latest checkpoint is learned again.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import climbenvs
from agents.curves import plot_history
from agents.maskable_ppo import Settings, train
from climbenvs.engine.errors import ClimbenvsError

ALGORITHMS = ("maskable_ppo",)


def parse_options(pairs: list[str]) -> dict[str, Any]:
    """`name=value` texts as game options; integers, numbers, true and false are recognised."""
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"option {pair!r}: expected name=value")
        options[name] = parse_value(text)
    return options


def parse_value(text: str) -> Any:
    """An integer, a number, a truth value, or the text itself."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def main(
    game: Annotated[str, typer.Argument(help="name of the game")] = "everest_go",
    algo: Annotated[str, typer.Option(help="learning algorithm: maskable_ppo")] = "maskable_ppo",
    players: Annotated[
        int | None, typer.Option(help="seats; the game's default if left out")
    ] = None,
    opponents: Annotated[
        str,
        typer.Option(help="comma-separated: random, scripted players, checkpoints, self"),
    ] = "random,self",
    steps: Annotated[int, typer.Option(help="decisions of the learner in all")] = 1_000_000,
    minutes: Annotated[float | None, typer.Option(help="stop after this time")] = None,
    seed: Annotated[int, typer.Option(help="seed of everything")] = 0,
    threads: Annotated[int, typer.Option(help="threads for torch and the games")] = 2,
    num_envs: Annotated[int, typer.Option(help="games played side by side")] = 256,
    evaluate_every: Annotated[int, typer.Option(help="decisions between evaluations")] = 100_000,
    evaluation_deals: Annotated[int, typer.Option(help="deals per opponent and evaluation")] = 100,
    checkpoint_every: Annotated[int, typer.Option(help="decisions between checkpoints")] = 200_000,
    option: Annotated[list[str] | None, typer.Option(help="game option as name=value")] = None,
    out: Annotated[Path, typer.Option(help="folder of the run")] = Path("runs/latest"),
    resume: Annotated[bool, typer.Option(help="go on with the run in --out")] = False,
    overwrite: Annotated[bool, typer.Option(help="replace a run that is there already")] = False,
) -> None:
    """Train an agent and save it with its learning curve in a folder."""
    if algo not in ALGORITHMS:
        raise typer.BadParameter(f"algorithm {algo!r}: expected one of {', '.join(ALGORITHMS)}")
    if (out / "settings.json").exists() and not (resume or overwrite):
        raise typer.BadParameter(f"{out} holds a run: use --resume, --overwrite or another --out")
    settings = Settings(
        game=game,
        num_players=players or climbenvs.load(game).definition.default_players,
        opponents=tuple(opponents.split(",")),
        steps=steps,
        minutes=minutes,
        seed=seed,
        threads=threads,
        num_envs=num_envs,
        evaluate_every=evaluate_every,
        evaluation_deals=evaluation_deals,
        checkpoint_every=checkpoint_every,
        options=parse_options(option or []),
    )
    run = train(settings, out, resume)
    picture = plot_history(run.history, out / "learning_curve.png", run.settings)
    typer.echo(f"agent: {out / 'final.zip'}\nlearning curve: {picture}")


if __name__ == "__main__":
    try:
        typer.run(main)
    except (ClimbenvsError, FileNotFoundError, ValueError) as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
