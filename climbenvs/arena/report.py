"""What a tournament came to: a table for the terminal, pictures, and one page of HTML."""

import base64
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from climbenvs.arena.games import PlayedGames
from climbenvs.arena.ratings import LEVEL, Ratings, rate
from climbenvs.arena.scores import ScoreTable, tabulate

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#777777"
"""From the palette of Okabe and Ito, which the colour-blind can tell apart."""
MOST_REASONS = 20
"""Different reasons of forfeits that a page lists."""

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
<style>
:root { color-scheme: light dark; --line: #d5d8dc; --soft: #f4f6f7; }
@media (prefers-color-scheme: dark) { :root { --line: #3a3f44; --soft: #23272b; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
tr:nth-child(even) td { background: var(--soft); }
img { max-width: 100%; background: white; border-radius: 6px; }
p.note { color: #888; } td.differs { font-weight: 600; }
</style></head><body>
<h1>{{ title }}</h1>
<p>{{ summary }}</p>
<h2>Standings</h2>
<table><tr>{% for cell in header %}<th>{{ cell }}</th>{% endfor %}</tr>
{% for row in rows %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</table>
<p class="note">{{ note }}</p>
{% for heading, picture in pictures %}<h2>{{ heading }}</h2>
<img alt="{{ heading }}" src="data:image/png;base64,{{ picture }}">
{% endfor %}
{% if cycle %}<h2>A cycle</h2>
<p>{{ cycle }} A single number per entrant cannot show that. The alpha-rank, the share of time that
an evolving population spends with each:</p>
<table><tr><th>entrant</th><th>share</th></tr>
{% for name, share in alpha_rank %}<tr><td>{{ name }}</td><td>{{ share }}</td></tr>
{% endfor %}</table>{% endif %}
{% if verdicts %}<h2>Which differences are significant</h2>
<table><tr><th>entrants</th><th>difference</th><th>adjusted p</th></tr>
{% for pair, difference, p, differs in verdicts %}<tr><td>{{ pair }}</td><td>{{ difference }}</td>
<td{% if differs %} class="differs"{% endif %}>{{ p }}</td></tr>
{% endfor %}</table>{% endif %}
{% if seats %}<h2>Seats</h2>
<table><tr><th>entrant</th><th>seat</th><th>share of victories</th><th>95 % interval</th>
<th>adjusted p</th></tr>
{% for name, seat, share, interval, p, differs in seats %}<tr><td>{{ name }}</td><td>{{ seat }}</td>
<td>{{ share }}</td><td>{{ interval }}</td>
<td{% if differs %} class="differs"{% endif %}>{{ p }}</td></tr>{% endfor %}</table>
<p class="note">Of "all": whether the seat is worth anything. Of an entrant: whether it gains there
anything else than everybody does.</p>{% endif %}
<h2>Ends of games</h2>
<table><tr><th>cause</th><th>games</th><th>share</th></tr>
{% for cause, count, share in ends %}<tr><td>{{ cause }}</td><td>{{ count }}</td>
<td>{{ share }}</td></tr>
{% endfor %}</table>
{% if forfeits %}<h2>Forfeits</h2>
<table><tr><th>entrant</th><th>games</th><th>reason</th></tr>
{% for name, count, reason in forfeits %}<tr><td>{{ name }}</td><td>{{ count }}</td>
<td>{{ reason }}</td></tr>
{% endfor %}</table>{% endif %}
{% if settings %}<h2>Settings</h2>
<table>{% for name, value in settings %}<tr><td>{{ name }}</td><td>{{ value }}</td></tr>
{% endfor %}</table>{% endif %}
</body></html>
"""


def result_of(games: PlayedGames, resamples: int = 400) -> Ratings | ScoreTable:
    """Ratings of rivals, or a table of scores where every entrant had all seats."""
    if np.all(games.seated == games.seated[:, :1]):
        return tabulate(games)
    return rate(games, resamples)


def percent(value: float) -> str:
    """A share for people."""
    return f"{value:.1%}"


def standings_table(result: Ratings | ScoreTable) -> tuple[list[str], list[list[str]]]:
    """Heading and rows of the main table."""
    if isinstance(result, Ratings):
        header = ["entrant", "rating", "victories", "reward", "group", "games", "forfeits"]
        return header, [
            [
                s.name,
                f"{s.rating:+.0f} ({s.low:+.0f} to {s.high:+.0f})",
                f"{percent(s.share)} ({percent(s.share_low)} to {percent(s.share_high)})",
                f"{s.reward:+.3f}",
                s.group,
                f"{s.games:,}",
                str(s.forfeits),
            ]
            for s in result.standings
        ]
    header = ["entrant", "victories", "score", "5 % / median / 95 %", "reward", "games", "forfeits"]
    return header, [
        [
            s.name,
            f"{percent(s.win_rate)} ({percent(s.low)} to {percent(s.high)})",
            f"{s.score:.2f} ± {s.score_error:.2f}",
            f"{s.quantiles[0]:g} / {s.quantiles[2]:g} / {s.quantiles[4]:g}",
            f"{s.reward:+.3f}",
            f"{s.games:,}",
            str(s.forfeits),
        ]
        for s in result.standings
    ]


def terminal_table(result: Ratings | ScoreTable, title: str) -> Any:
    """The main table for the terminal, a `rich.table.Table`."""
    from rich.table import Table
    from rich.text import Text

    header, rows = standings_table(result)
    table = Table(title=title, title_justify="left")
    for index, heading in enumerate(header):
        table.add_column(heading, justify="left" if index == 0 else "right")
    for row in rows:
        table.add_row(*map(Text, row))  # a name is no markup
    return table


# --- Pictures ------------------------------------------------------------------------------------


def figures(games: PlayedGames, result: Ratings | ScoreTable) -> Iterator[tuple[str, Any]]:
    """(heading, matplotlib figure) of every picture of a report."""
    if isinstance(result, Ratings):
        yield (
            "Ratings",
            _intervals(
                [(s.name, s.rating, s.low, s.high) for s in result.standings],
                "rating (400 points: odds of ten to one)",
            ),
        )
        yield "Who is ahead of whom", _heat_map(result)
        yield "Seats", _seats(result)
    else:
        yield (
            "Victories",
            _intervals(
                [(s.name, s.win_rate, s.low, s.high) for s in result.standings],
                "share of victories",
            ),
        )
        yield "Scores", _scores(games, result)
    yield "Length of games", _lengths(games)


def draw(games: PlayedGames, result: Ratings | ScoreTable) -> list[tuple[str, bytes]]:
    """(heading, PNG file) of every picture of a report.

    Raises:
        ImportError: naming the extra to install, if matplotlib is missing.
    """
    try:
        from matplotlib import rc_context
    except ImportError:
        raise ImportError("reports need matplotlib: pip install climbenvs[arena]") from None
    drawn = []
    with rc_context({"text.parse_math": False}):  # names may have dollar signs
        for heading, figure in figures(games, result):
            buffer = io.BytesIO()
            figure.savefig(buffer, format="png")
            drawn.append((heading, buffer.getvalue()))
    return drawn


def _new_figure(width: float, height: float) -> tuple[Any, Any]:
    """A figure that needs no display and no global state of pyplot."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=130, layout="constrained")
    return figure, figure.subplots()


def _short(name: str) -> str:
    return name if len(name) <= 28 else f"{name[:13]}…{name[-13:]}"


def _intervals(values: list[tuple[str, float, float, float]], label: str) -> Any:
    """A dot with its interval for each entrant."""
    figure, axes = _new_figure(8, 1.2 + 0.42 * len(values))
    for row, (_, value, low, high) in enumerate(values):
        axes.plot([low, high], [row, row], color=BLUE, linewidth=2.5, solid_capstyle="round")
        axes.plot(value, row, "o", color=BLUE, markersize=7)
    axes.set_yticks(range(len(values)), [_short(name) for name, *_ in values])
    axes.invert_yaxis()
    axes.margins(y=0.15)
    axes.set_xlabel(label)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    return figure


def _heat_map(result: Ratings) -> Any:
    """How often the row is paid more than the column."""
    count = len(result.names)
    figure, axes = _new_figure(3.2 + 0.75 * count, 2.2 + 0.6 * count)
    shown = np.where(np.eye(count, dtype=bool), np.nan, result.ahead)
    image = axes.imshow(shown, cmap="PuOr_r", vmin=0, vmax=1)
    names = [_short(name) for name in result.names]
    axes.set_xticks(range(count), names, rotation=35, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(count), names)
    for i, j in zip(*np.nonzero(~np.isnan(shown)), strict=True):
        dark = abs(shown[i, j] - 0.5) > 0.3
        colour = "white" if dark else "black"
        axes.text(j, i, f"{shown[i, j]:.0%}", ha="center", va="center", color=colour, fontsize=9)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, label="row paid more than column", shrink=0.8)
    return figure


def _seats(result: Ratings) -> Any:
    """Share of victories by seat: all together, and every entrant."""
    names = ["all", *result.names]
    figure, axes = _new_figure(8, 1.5 + 0.45 * len(names))
    colours = [BLUE, ORANGE, "#009e73", "#cc79a7", "#e69f00"]
    for value in result.seats:
        spread = (value.seat - (result.num_players - 1) / 2) * 0.7 / result.num_players
        row = names.index(value.name) + spread
        colour = colours[value.seat % len(colours)]
        label = f"seat {value.seat}" if value.name == "all" else None
        axes.plot([value.low, value.high], [row, row], color=colour, linewidth=2)
        axes.plot(value.share, row, "o", color=colour, markersize=5, label=label)
    axes.axvline(1 / result.num_players, color=GREY, linewidth=1, linestyle="--")
    axes.set_yticks(range(len(names)), [_short(name) for name in names])
    axes.invert_yaxis()
    axes.set_xlabel("share of victories")
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    figure.legend(loc="outside upper center", ncols=result.num_players, frameon=False)
    return figure


def _scores(games: PlayedGames, result: ScoreTable) -> Any:
    """The distribution of scores of every entrant."""
    figure, axes = _new_figure(8, 1.2 + 0.6 * len(result.names))
    owners = np.array(games.entrants)[games.seated[:, 0]]
    scores = [games.scores[owners == name].mean(axis=1) for name in result.names]
    parts = axes.boxplot(scores, orientation="horizontal", whis=(5, 95), widths=0.55)
    for median in parts["medians"]:
        median.set(color=ORANGE, linewidth=2.5)
    axes.set_yticks(range(1, len(scores) + 1), [_short(name) for name in result.names])
    axes.invert_yaxis()
    axes.set_xlabel("score (box: middle half; whiskers: 5 % to 95 %)")
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right", "left"]].set_visible(False)
    return figure


def _lengths(games: PlayedGames) -> Any:
    """How many decisions games take."""
    figure, axes = _new_figure(8, 3)
    axes.hist(games.decisions, bins=min(40, len(np.unique(games.decisions))), color=BLUE, alpha=0.8)
    axes.axvline(np.median(games.decisions), color=ORANGE, linewidth=2, label="median")
    axes.set(xlabel="decisions in a game", ylabel="games")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


# --- The page ------------------------------------------------------------------------------------


def write_report(
    games: PlayedGames,
    path: str | Path,
    *,
    title: str = "Tournament",
    settings: Mapping[str, Any] | None = None,
    result: Ratings | ScoreTable | None = None,
    pictures: bool = False,
) -> Path:
    """Write a page of HTML that needs nothing beside it.

    Args:
        games: the finished games.
        path: of the page.
        title: its heading.
        settings: shown at its end, by name.
        result: of these games, if it is there already.
        pictures: write the pictures as PNG files beside the page, too.

    Returns:
        The path.

    Raises:
        ImportError: naming the extra to install, if a library is missing.
    """
    try:
        import jinja2
    except ImportError:
        raise ImportError("reports need jinja2: pip install climbenvs[arena]") from None
    path = Path(path)
    result = result or result_of(games)
    header, rows = standings_table(result)
    drawn = draw(games, result)
    if pictures:
        for heading, content in drawn:
            stem = heading.lower().replace(" ", "_")
            path.with_name(f"{path.stem}_{stem}.png").write_bytes(content)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    page = environment.from_string(PAGE).render(
        title=title,
        summary=f"{games.num_games:,} games of {games.num_players} players on "
        f"{result.num_deals:,} deals.",
        header=header,
        rows=rows,
        note=_note(result),
        pictures=[(heading, base64.b64encode(content).decode()) for heading, content in drawn],
        verdicts=list(_verdicts(result)),
        ends=list(_counts(games.ends, games.num_games)),
        forfeits=list(_forfeits(games)),
        settings=[(name, str(value)) for name, value in (settings or {}).items()],
        **_rivals_only(result),
    )
    path.write_text(page, encoding="utf-8")
    return path


def _note(result: Ratings | ScoreTable) -> str:
    if isinstance(result, Ratings):
        return (
            "Ratings have mean 0. In brackets: 95 % intervals, of ratings from resampling deals. "
            "Entrants with a letter of their groups in common do not differ significantly."
        )
    return (
        "Every entrant took all seats, on the same deals as the others. In brackets: 95 % "
        "intervals."
    )


def _rivals_only(result: Ratings | ScoreTable) -> dict[str, Any]:
    """The parts of the page that only ratings have."""
    if not isinstance(result, Ratings):
        return {"cycle": "", "alpha_rank": [], "seats": []}
    following = [*result.cycle[1:], *result.cycle[:1]]
    pairs = zip(result.cycle, following, strict=True)
    beaten = ", ".join(f"{one} beats {other}" for one, other in pairs)
    seats = [
        (
            v.name,
            v.seat,
            percent(v.share),
            f"{percent(v.low)} to {percent(v.high)}",
            f"{v.p_value:.3f}",
            v.p_value < LEVEL,
        )
        for v in result.seats
    ]
    ranked = [(name, percent(share)) for name, share in result.alpha_rank.items()]
    return {"cycle": f"{beaten}." if beaten else "", "alpha_rank": ranked, "seats": seats}


def _verdicts(result: Ratings | ScoreTable) -> Iterator[tuple[str, str, str, bool]]:
    """Every pair with its difference and adjusted p-value."""
    for i, first in enumerate(result.names):
        for j in range(i + 1, len(result.names)):
            if isinstance(result, Ratings):
                points = result.standings[i].rating - result.standings[j].rating
                difference = f"{points:+.0f} points"
            else:
                difference = f"{result.differences[i, j]:+.1%} victories"
            p_value = float(result.p_values[i, j])
            pair = f"{first} / {result.names[j]}"
            yield pair, difference, f"{p_value:.3f}", p_value < LEVEL


def _counts(values: np.ndarray, total: int) -> Iterator[tuple[str, str, str]]:
    """Every different value, the commonest first."""
    names, counts = np.unique(values.astype(str), return_counts=True)
    for index in np.argsort(-counts, kind="stable"):
        yield str(names[index]), f"{counts[index]:,}", percent(counts[index] / total)


def _forfeits(games: PlayedGames) -> Iterator[tuple[str, str, str]]:
    """Who forfeited how many games for which reason, the commonest first."""
    at = np.flatnonzero(games.forfeited_by >= 0)
    owners = games.seated[at, games.forfeited_by[at]]
    found: dict[tuple[str, str], int] = {}
    for owner, reason in zip(owners, games.forfeits[at], strict=True):
        key = (games.entrants[owner], str(reason))
        found[key] = found.get(key, 0) + 1
    for (name, reason), count in sorted(found.items(), key=lambda item: -item[1])[:MOST_REASONS]:
        yield name, f"{count:,}", reason
