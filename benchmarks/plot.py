"""Decisions per second over batch size as a picture."""

from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

TITLES = {
    "rollout": "Rollouts in compiled code",
    "step": "step() from Python",
}
STYLES = ("-", "--")
MARKERS = ("o", "s")


def plot(record: dict[str, Any], path: Path) -> None:
    """One line per game and player count, on one thread; rollouts beside steps."""
    figure, panels = plt.subplots(
        1, 2, figsize=(11, 5.6), dpi=130, sharey=True, layout="constrained"
    )
    for axes, loop in zip(panels, TITLES, strict=True):
        _draw_panel(axes, loop, record)
    panels[0].set_ylabel("decisions per second")
    handles = _legend(record)
    figure.legend(
        handles=handles,
        loc="outside lower center",
        ncols=min(5, len(handles)),
        frameon=False,
        fontsize=9,
    )
    figure.suptitle(f"Random play on one thread of {record['machine']['cpu']}")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    plt.close(figure)


def _tables(record: dict[str, Any]) -> list[tuple[str, int, dict[str, Any]]]:
    """Every game and player count with the look of its line: colour by game, style by players."""
    tables = []
    for index, game in enumerate(record["games"]):
        counts = sorted({r["players"] for r in record["vector"] if r["game"] == game})
        for rank, players in enumerate(counts):
            look = {
                "color": f"C{index}",
                "linestyle": STYLES[rank % 2],
                "marker": MARKERS[rank % 2],
                "markerfacecolor": f"C{index}" if rank % 2 == 0 else "white",
                "markersize": 5,
                "linewidth": 1.6,
            }
            tables.append((game, players, look))
    return tables


def _draw_panel(axes: Axes, loop: str, record: dict[str, Any]) -> None:
    batches = set()
    for game, players, look in _tables(record):
        points = sorted(
            (r["batch"], r["per_second"]["median"])
            for r in record["vector"]
            if (r["game"], r["players"], r["loop"], r["threads"]) == (game, players, loop, 1)
        )
        axes.plot(*zip(*points, strict=True), **look)
        batches |= {batch for batch, _ in points}
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(sorted(batches), [f"{batch:,}" for batch in sorted(batches)], fontsize=9)
    axes.minorticks_off()
    axes.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5), numticks=20))
    axes.yaxis.set_major_formatter(lambda value, _: _short(value))
    axes.set_xlabel("batch size (games side by side)")
    axes.set_title(TITLES[loop], fontsize=11)
    axes.grid(alpha=0.3)


def _short(value: float) -> str:
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g}"


def _legend(record: dict[str, Any]) -> list[Line2D]:
    return [
        Line2D([], [], label=f"{record['games'][game]['title']}, {players} players", **look)
        for game, players, look in _tables(record)
    ]
