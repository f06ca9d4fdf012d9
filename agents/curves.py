"""Learning curves as pictures."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt

from agents import maskable_ppo, ppo


def plot_history(
    history: list[dict[str, Any]], path: Path, settings: ppo.Settings | maskable_ppo.Settings
) -> Path:
    """Win rate against every opponent over the learner's decisions, with 95 % intervals.

    A dashed line shows the win rate of a player as strong as that opponent.

    Args:
        history: the entries of a run's history.jsonl.
        path: the PNG file to write.
        settings: of the run, for the title.

    Returns:
        The path.
    """
    figure, axes = plt.subplots(figsize=(8, 4.5), dpi=130, layout="constrained")
    steps = [entry["steps"] for entry in history]
    for index, name in enumerate(settings.evaluated_against):
        results = [entry["results"][index] for entry in history]
        rates = [result["win_rate"] for result in results]
        (line,) = axes.plot(steps, rates, marker="o", markersize=3, label=f"against {name}")
        par = [result["par"] for result in results]
        axes.plot(steps, par, color=line.get_color(), linestyle="--", linewidth=1)
        axes.fill_between(
            steps,
            [result["low"] for result in results],
            [result["high"] for result in results],
            color=line.get_color(),
            alpha=0.15,
        )
    axes.set(
        title=f"{settings.game}, {settings.num_players} players, seed {settings.seed}",
        xlabel="decisions of the learner",
        ylabel="share of victories",
        ylim=(-0.02, 1.02),
    )
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.grid(alpha=0.3)
    axes.legend(loc="center right")
    figure.savefig(path)
    plt.close(figure)
    return path
