"""Train an agent: by self-play in all seats, or with MaskablePPO in one seat against opponents.

    python scripts/train.py everest_go --players 2 --out runs/first
    python scripts/train.py --resume --out runs/first --steps 20000000
    python scripts/train.py sherpa --players 4 --set mixed=0.3 --set opponents=self,climber
    python scripts/train.py everest_go --algo maskable_ppo --set opponents=random,builder,self

Ctrl-C saves; `--resume` goes on from the latest checkpoint, exactly as the run would have gone on,
on the same machine and with the same number of threads. A time limit starts anew, and what a run
learned after its latest checkpoint is learned again.
"""

import importlib
import json
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated, Any

import typer

import climbenvs
from agents.cards import reading
from agents.curves import plot_history
from climbenvs.engine.errors import ClimbenvsError

ALGORITHMS = {"ppo": "agents.selfplay", "maskable_ppo": "agents.maskable_ppo"}
"""Modules with `Settings`, and `train` that takes them."""

OWN_ARGUMENTS = (
    "game",
    "num_players",
    "steps",
    "minutes",
    "seed",
    "threads",
    "options",
    "algorithm",
)
"""Settings that have an argument of their own."""


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


def parse_settings(pairs: list[str], algorithm: Any) -> dict[str, Any]:
    """`name=value` texts as fields of an algorithm's `Settings`, of the right types.

    Raises:
        BadParameter: naming the settings there are, or the kind of value that is expected.
    """
    known = {field.name: field for field in fields(algorithm.Settings)}
    values = parse_options(pairs)
    for name, value in values.items():
        if name not in known or name in OWN_ARGUMENTS:
            names = ", ".join(sorted(known.keys() - OWN_ARGUMENTS))
            raise typer.BadParameter(f"there is no setting {name!r}; there are {names}")
        kind = known[name].type
        kind = kind.__name__ if isinstance(kind, type) else str(kind)
        if kind.startswith("tuple"):
            parts = str(value).split(",") if value != "" else []
            values[name] = tuple(int(part) if "int" in kind else part for part in parts)
        elif kind.startswith("str"):
            values[name] = str(value)
        elif kind.startswith("float") and type(value) is int:
            values[name] = float(value)
        elif type(value).__name__ not in kind:
            raise typer.BadParameter(f"setting {name} is {value!r}; expected {kind}")
    return values


def default_players(game: str) -> int:
    """The player count of a game when none is given."""
    return climbenvs.load(game).definition.default_players


def algorithm_of(folder: Path) -> str:
    """The algorithm of the run in a folder."""
    path = folder / "settings.json"
    with reading(path):
        algorithm: str = json.loads(path.read_text())["algorithm"]
    return algorithm


def main(
    game: Annotated[str, typer.Argument(help="name of the game")] = "everest_go",
    algo: Annotated[
        str | None, typer.Option(help="ppo (self-play, the default) or maskable_ppo (one seat)")
    ] = None,
    players: Annotated[
        int | None, typer.Option(help="seats; the game's default if left out")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="decisions to learn from in all")] = None,
    minutes: Annotated[float | None, typer.Option(help="stop after this time")] = None,
    seed: Annotated[int | None, typer.Option(help="seed of everything, 0 if left out")] = None,
    threads: Annotated[int, typer.Option(help="threads for torch and the games")] = 2,
    setting: Annotated[
        list[str] | None,
        typer.Option("--set", help="hyper-parameter as name=value; see Settings in agents/"),
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="game option as name=value")] = None,
    out: Annotated[Path, typer.Option(help="folder of the run")] = Path("runs/latest"),
    resume: Annotated[
        bool, typer.Option(help="go on with the run in --out; only limits may change")
    ] = False,
    overwrite: Annotated[bool, typer.Option(help="replace a run that is there already")] = False,
) -> None:
    """Train an agent and save it with its learning curve in a folder."""
    if (out / "settings.json").exists() and not (resume or overwrite):
        raise typer.BadParameter(f"{out} holds a run: use --resume, --overwrite or another --out")
    if resume:
        if [given for given in (algo, players, seed, setting, option) if given]:
            raise typer.BadParameter("with --resume only --steps, --minutes, --threads may change")
        algo = algorithm_of(out)
    algo = algo or "ppo"
    if algo not in ALGORITHMS:
        raise typer.BadParameter(f"algorithm {algo!r}: expected one of {', '.join(ALGORITHMS)}")
    module = importlib.import_module(ALGORITHMS[algo])
    limits = {"steps": steps, "minutes": minutes, "threads": threads}
    limits = {name: value for name, value in limits.items() if value is not None}
    if resume:
        settings = replace(module.read_settings(out), **{"minutes": None, **limits})
    else:
        settings = module.Settings(
            game=game,
            num_players=default_players(game) if players is None else players,
            seed=seed or 0,
            options=parse_options(option or []),
            **limits,
            **parse_settings(setting or [], module),
        )
    run = module.train(settings, out, resume)
    picture = plot_history(run.history, out / "learning_curve.png", run.settings)
    typer.echo(f"agent: {out}\nlearning curve: {picture}")


if __name__ == "__main__":
    try:
        typer.run(main)
    except (ClimbenvsError, FileNotFoundError, ValueError) as problem:
        sys.exit(f"error: {problem}")
    except KeyboardInterrupt:
        sys.exit(130)
