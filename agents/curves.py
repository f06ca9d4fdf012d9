"""Learning curves as pictures."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt

from agents import maskable_ppo, ppo
from climbenvs.registry import load


def plot_history(
    history: list[dict[str, Any]], path: Path, settings: ppo.Settings | maskable_ppo.Settings
) -> Path:
    """Win rate against every opponent over the learner's decisions, with 95 % intervals.

    A dashed line shows the win rate of a player as strong as that opponent. In a cooperative game
    and in a game for one there is one curve, and dashed lines show what the other players reach.

    Args:
        history: the entries of a run's history.jsonl.
        path: the PNG file to write.
        settings: of the run, for the title.

    Returns:
        The path.
    """
    definition = load(settings.game).definition
    is_shared = definition.cooperative or settings.num_players == 1
    figure, axes = plt.subplots(figsize=(8, 4.5), dpi=100, layout="constrained")
    steps = [entry["steps"] for entry in history]
    for index, name in enumerate(settings.evaluated_against):
        results = [entry["results"][index] for entry in history]
        par = [result["par"] for result in results]
        if is_shared:
            if index == 0:
                draw_curve(axes, steps, results, "agent")
            axes.plot(steps, par, f"C{index + 1}--", linewidth=1.5, label=name)
        else:
            colour = draw_curve(axes, steps, results, f"against {name}")
            axes.plot(steps, par, color=colour, linestyle="--", linewidth=1)
    seats = "1 player" if settings.num_players == 1 else f"{settings.num_players} players"
    axes.set(
        title=f"{definition.title}, {seats}, seed {settings.seed}",
        xlabel="decisions of the learner",
        ylabel="share of victories",
        ylim=(-0.02, 1.02),
    )
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(alpha=0.3)
    axes.legend(loc="best")
    figure.savefig(path)
    plt.close(figure)
    return path


def draw_curve(axes: Any, steps: list[int], results: list[dict[str, Any]], label: str) -> str:
    """Draw win rates with their intervals; returns the colour."""
    rates = [result["win_rate"] for result in results]
    (line,) = axes.plot(steps, rates, marker="o", markersize=3, label=label)
    low = [result["low"] for result in results]
    high = [result["high"] for result in results]
    axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.15)
    colour: str = line.get_color()
    return colour
