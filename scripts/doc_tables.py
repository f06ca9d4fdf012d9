"""Markdown tables made from what a game declares: layouts, actions, options, players, deck."""

import inspect
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from climbenvs import registry
from climbenvs.engine.game import Game
from climbenvs.engine.jit import plain
from climbenvs.engine.layout import ActionBlock, Block, Group, Layout
from climbenvs.policies import choose_random

INDEX_LETTERS = "ijkl"
MOST_LABELS = 12
"""Axes of actions with more labels than this are shortened."""

Rows = list[list[str]]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table; empty text without rows."""
    lines = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    if not lines:
        return ""
    rule = ["---"] * len(header)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [list(header), rule, *lines])


# --------------------------------------------------------------------------------------- layouts


def observation_table(game: Game) -> str:
    """Every block of the observation; a group's blocks once, with their offsets as a formula."""
    return layout_table(game.observation_layout, ())


def state_table(game: Game) -> str:
    """Every block of the global state; groups that the observation has are not shown again."""
    observation = game.observation_layout
    shown = [entry.layout for entry in observation.entries if isinstance(entry, Group)]
    return layout_table(game.state_layout, (observation, *shown))


def layout_table(layout: Layout, known: Sequence[Layout]) -> str:
    """A table of a layout whose groups are opened, but for those with a known layout."""
    header = ("elements", "size", "block", "range", "known to", "meaning")
    rows = list(layout_rows(layout, "", 0, (), known, "all"))
    letters = sorted({letter for row in rows for letter in re.findall(r"\b[ijkl]\b", row[0])})
    counted = f" {' and '.join(letters)} count{'s' if letters == ['i'] else ''} from 0."
    counted = counted if letters else ""
    return f"{layout.size} int8 elements.{counted}\n\n" + table(header, rows)


def layout_rows(
    layout: Layout,
    prefix: str,
    start: int,
    strides: tuple[int, ...],
    known: Sequence[Layout],
    around: str,
) -> Iterator[list[str]]:
    """A row per block and per group, and the rows of the group's own layout after it.

    `around` tells to whom the group around the layout is known, which goes for its blocks, too.
    """
    for entry in layout.entries:
        path = prefix + entry.name
        known_to = around if entry.known_to == "all" else entry.known_to
        if isinstance(entry, Block):
            size = str(entry.size)
            limits = f"{entry.low} to {entry.high}"
            yield [
                elements(start, entry.size, strides),
                size,
                f"`{path}`",
                limits,
                known_to,
                entry.meaning,
            ]
        else:
            yield from group_rows(entry, path, start, strides, known, known_to)
        start += entry.size


def group_rows(
    group: Group,
    path: str,
    start: int,
    strides: tuple[int, ...],
    known: Sequence[Layout],
    known_to: str,
) -> Iterator[list[str]]:
    """The row of a group, and unless its layout is known the rows of one repetition."""
    size = f"{group.count} x {group.layout.size}" if group.count > 1 else str(group.size)
    meaning = f"**{group.meaning}**"
    if group.layout in known:
        meaning += "; blocks as in the observation"
    yield [elements(start, group.size, strides), size, f"`{path}`", "", known_to, meaning]
    if group.layout in known:
        return
    if group.count == 1:
        yield from layout_rows(group.layout, f"{path}.0.", start, strides, known, known_to)
        return
    letter = INDEX_LETTERS[len(strides)]
    inner = (*strides, group.layout.size)
    yield from layout_rows(group.layout, f"{path}.{letter}.", start, inner, known, known_to)


def elements(start: int, size: int, strides: Sequence[int]) -> str:
    """Indices of a block: `5`, `5 to 9`, or `5 + 68 i + 10 j`, its first element in a group."""
    if strides:
        steps = [
            f"{stride} {letter}" for stride, letter in zip(strides, INDEX_LETTERS, strict=False)
        ]
        return " + ".join([str(start), *steps])
    return str(start) if size == 1 else f"{start} to {start + size - 1}"


# --------------------------------------------------------------------------------------- actions


def actions_table(game: Game) -> str:
    """Every block of actions with its numbers and names."""
    header = ["actions", "first to last", "number", "meaning"]
    secret = any(block.secret for block in game.action_layout.blocks)
    rows = [action_row(game, block) for block in game.action_layout.blocks]
    text = f"{game.num_actions} actions. i and j count the labels of a name from 0.\n\n"
    if secret:
        text += "Secret actions are shown in no rendering but to the seat that played them.\n\n"
        header.append("secret")
        for row, block in zip(rows, game.action_layout.blocks, strict=True):
            row.append("yes" if block.secret else "")
    return text + table(header, rows) + axes_list(game)


def action_row(game: Game, block: ActionBlock) -> list[str]:
    """Names and numbers of a block of actions."""
    first = game.action_layout.offset(block.name)
    last = first + block.size - 1
    names = f"`{game.action_layout.name(first)}`"
    if last > first:
        names += f" to `{game.action_layout.name(last)}`"
    steps, stride = [], 1
    for axis, letter in reversed(list(zip(block.axes, INDEX_LETTERS, strict=False))):
        steps.insert(0, letter if stride == 1 else f"{stride} {letter}")
        stride *= len(axis)
    return [
        str(first) if last == first else f"{first} to {last}",
        names,
        " + ".join([str(first), *steps]),
        block.meaning,
    ]


def axes_list(game: Game) -> str:
    """The labels of the blocks that have any, blocks with the same labels together."""
    users: dict[tuple[str, ...], list[str]] = {}
    for block in game.action_layout.blocks:
        for axis, letter in zip(block.axes, INDEX_LETTERS, strict=False):
            users.setdefault(tuple(axis), []).append(f"{letter} of `{block.name}`")
    lines = [f"- {', '.join(where)}: {labels_text(labels)}" for labels, where in users.items()]
    return "\n\nLabels:\n\n" + "\n".join(lines) if lines else ""


def labels_text(labels: Sequence[str]) -> str:
    """Labels in order, shortened to their first and last where they are plain numbers."""
    if len(labels) > MOST_LABELS and all(label.isdigit() for label in labels):
        return f"{labels[0]} to {labels[-1]}"
    return ", ".join(labels)


# ----------------------------------------------------------------------- options, players, games


def options_table(game: Game) -> str:
    """Keywords of every constructor that the game has of its own, and the player count."""
    low, high = game.definition.num_players
    counts = f"an integer from {low} to {high}" if low < high else str(low)
    rows = [["`num_players`", f"`{game.definition.default_players}`", counts, "number of seats"]]
    rows += [
        [f"`{option.name}`", f"`{option.default!r}`", option.allowed, option.meaning]
        for option in game.options.values()
    ]
    return table(("option", "default", "values", "meaning"), rows)


def policies_table(game: Game) -> str:
    """The named players."""
    players = {"random": choose_random, **game.definition.policies}
    rows = [
        [f"`{name}`", (inspect.getdoc(plain(choose)) or "").split("\n")[0]]
        for name, choose in players.items()
    ]
    return table(("player", "chooses"), rows)


def games_table(root: Path) -> str:
    """All listed games; D, N and S are the sizes of observation, actions and global state."""
    rows = []
    for spec in registry.specs():
        if not spec.listed:
            continue
        game = registry.load(spec.name)
        definition = game.definition
        low, high = definition.num_players
        page = Path("docs") / "games" / f"{spec.name}.md"
        title = f"[{definition.title}]({page})" if (root / page).exists() else definition.title
        rows.append(
            [
                title,
                f"{low} to {high} ({definition.default_players})",
                "cooperative" if definition.cooperative else "competitive",
                str(game.observation_layout.size),
                str(game.num_actions),
                str(game.state_layout.size),
                ", ".join(["random", *definition.policies]),
                f"`{spec.name}`",
                f"`{spec.gymnasium_id}`",
                f"`climbenvs.{definition.stem}`",
            ]
        )
    header = ("game", "players (default)", "kind", "D", "N", "S", "named players")
    return table((*header, "name", "Gymnasium id", "PettingZoo module"), rows)


# ------------------------------------------------------------------------------------------ deck


def deck_table(game: Game) -> str:
    """Every entry of the shipped deck file with its provenance, a table per kind of entry."""
    folder = Path(inspect.getfile(plain(game.definition.apply))).parent
    return deck_tables((folder / "deck.toml").read_text(encoding="utf-8"))


def deck_tables(text: str) -> str:
    """The tables of a deck file's text."""
    # A comment behind a source says which part of the entry is meant.
    text = re.sub(r'^source = "(\w+)"\s*#\s*(.*)$', r'source = "\1: \2"', text, flags=re.MULTILINE)
    numbers, tables = Entries(comment_sources(text)).read(tomllib.loads(text))
    parts = [table(("number", "value", "source"), numbers)]
    parts += [f"`{path}`\n\n{entries_table(entries)}" for path, entries in tables.items()]
    return "\n\n".join(part for part in parts if part)


def comment_sources(text: str) -> dict[str, str]:
    """What comments say of provenance: path of a number or a section -> "rulebook: ..."."""
    sources, section = {}, ""
    for line in text.splitlines():
        head = re.match(r"\[+([\w.]+)\]+", line)
        key = re.match(r"(\w+)\s*=", line)
        if head:
            section = head[1]
        said = re.search(r"#\s*(?:all from the )?((?:rulebook|reconstructed).*)$", line)
        if said and (head or key):
            path = section if head else f"{section}.{key[1]}"  # type: ignore[index]
            sources[path.lstrip(".")] = said[1]
    return sources


class Entries:
    """Sorts the content of a deck file into single numbers and tables of entries.

    Args:
        sources: see `comment_sources`.
    """

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources
        self.numbers: Rows = []
        self.tables: dict[str, list[dict[str, Any]]] = {}

    def read(self, content: dict[str, Any]) -> tuple[Rows, dict[str, list[dict[str, Any]]]]:
        """All numbers and all tables of a file."""
        self._section(content, "", "")
        return self.numbers, self.tables

    def _section(self, content: dict[str, Any], path: str, source: str) -> None:
        source = content.get("source", self.sources.get(path, source))
        for key, value in content.items():
            inner = f"{path}.{key}".lstrip(".")
            if is_list_of_tables(value):
                self._entries(value, inner, {})
            elif isinstance(value, dict) and (
                "source" in value or any(isinstance(v, dict | list) for v in value.values())
            ):
                named = key if key in ("rulebook", "reconstructed") else source
                self._section(value, inner, named)
            elif isinstance(value, dict) and not path:
                self._section(value, inner, source)
            elif key not in ("source", "game", "format") and path != "game":
                said = self.sources.get(inner, source)
                self.numbers.append([f"`{inner}`", text_of(value), said])

    def _entries(self, entries: list[dict[str, Any]], path: str, of: dict[str, Any]) -> None:
        for entry in entries:
            own = {**of, **{k: v for k, v in entry.items() if not has_sources(v)}}
            nested = {k: v for k, v in entry.items() if has_sources(v)}
            for key, value in nested.items():
                name = next(iter(own.items()))
                self._entries(value, f"{path}.{key}", {path.split(".")[-1]: name[1]})
            if not nested:
                self.tables.setdefault(path, []).append(own)


def is_list_of_tables(value: Any) -> bool:
    """Whether a value of a TOML file is a list of tables."""
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def has_sources(value: Any) -> bool:
    """Whether a value is a list of tables with a source each."""
    return is_list_of_tables(value) and all("source" in entry for entry in value)


def entries_table(entries: list[dict[str, Any]]) -> str:
    """A table of entries; columns in their order of appearance, the source last."""
    columns = list(dict.fromkeys(key for entry in entries for key in entry))
    plain_columns = [key for key in columns if key != "source" and not key.endswith("_source")]
    rows = []
    for entry in entries:
        said = [entry["source"]] if "source" in entry else []
        said += [f"{key[:-7]}: {entry[key]}" for key in columns if key.endswith("_source")]
        cells = [text_of(entry[key]) if key in entry else "" for key in plain_columns]
        rows.append([*cells, ", ".join(said)])
    return table((*plain_columns, "source"), rows)


def text_of(value: Any) -> str:
    """A value of a TOML file for a table's cell."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        inner = [f"({text_of(v)})" if isinstance(v, list) else text_of(v) for v in value]
        return ", ".join(inner) or "none"
    if isinstance(value, dict):
        return "; ".join(f"{key}: {text_of(v)}" for key, v in value.items())
    return str(value)
