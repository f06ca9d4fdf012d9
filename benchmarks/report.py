"""The page docs/benchmarks.md, written from the numbers of a run."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PETTINGZOO = "pettingzoo connect_four_v3"

HEAD = """\
# Benchmarks

<!-- Written by benchmarks/throughput.py; run it with --report after changing the text there. -->

How many decisions per second every game takes. A decision is one choice of one seat with at least
two legal actions, and what follows it: chance, forced moves, the next player's mask and
observation, and the next game after an end. Actions are random and legal, and the games of a batch
are in all stages.

    python benchmarks/throughput.py

measures again and writes this page; `--help` lists what can be chosen. Do not compare numbers from
two machines, nor from a busy one.
"""
METHOD = """\
Every case was measured once in each of {rounds} rounds, for about {milliseconds:.0f} ms and in
another order each time, so that a slow moment of the machine does not hit one game alone. Numbers
are medians over the rounds, with the smallest and largest in brackets.
"""
VECTOR = """\
*Rollout* is `VectorGame.rollout(steps)`: random play without leaving compiled code, every
observation written. *Step* is `env.step(env.sample_actions())` from Python. Batches below
{smallest} games are not cut, so more threads make no difference there.

*Limit* is what memory allows: a decision has to move at least its observation, mask and state
record, and the limit is how often this machine copies as many bytes in a second. Measured in the
same rounds:

{copies}

A row of a rollout stays in the caches for all its steps, so the copy within the caches is its
limit. A step goes through the whole batch: the copy within the caches is its limit while the
buffers fit the last-level cache ({cache}), else the copy in memory, marked m. *Of limit* is the
median divided by the limit. The record is counted in full although a rule touches only part of it.
"""
AEC = """\
PettingZoo's documented loop (`agent_iter`, `last`, `action_space(agent).sample(mask)`, `step`), one
game at a time. `env` has PettingZoo's wrappers, `raw_env` none.
"""
COMPARISON = """\
The same loop on PettingZoo's own Connect Four, in the same rounds. Its rules are plain Python; ours
pass through the machinery that all our games share.
"""
SEAT = """\
One learner's seat per game against random opponents, as Stable-Baselines3 sees it:
`action_masks()` and `step()` of `SeatVecEnv`, on one thread. Counted are the learner's steps; the
opponents' decisions come on top.
"""
START = """\
Seconds in a new process from the first import to the first step of a vector of one game. *Cold*
starts with an empty compile cache, once; `climbenvs compile` does that ahead of time. *Warm* finds
the compiled code, *import* is the part of it that `import climbenvs` takes; medians of three.
"""


def write_page(record: dict[str, Any], path: Path, plot: Path) -> None:
    """Write the report; the plot is linked relative to it."""
    settings = record["settings"]
    link = Path(os.path.relpath(plot, path.parent)).as_posix()
    method = METHOD.format(rounds=settings["rounds"], milliseconds=1000 * settings["seconds"])
    parts = [HEAD, machine_text(record["machine"]), method]
    parts += [f"![Decisions per second over batch size]({link})", "## At a glance"]
    parts += [summary(record), "## Vectors", vector_text(record)]
    for game, facts in record["games"].items():
        parts += [f"### {facts['title']}", vector_table(record, game)]
    if record["skipped"]:
        parts.append(skipped_text(record))
    parts += ["## AEC loop", AEC, aec_table(record)]
    if any(row["game"] == PETTINGZOO for row in record["aec"]):
        parts += ["## Connect Four beside PettingZoo's", COMPARISON, comparison(record)]
    if record["seat"]:
        parts += ["## Training with Stable-Baselines3", SEAT, seat_table(record)]
    if record["start"]:
        parts += ["## First use", START, start_table(record)]
    if record["notes"]:
        parts += ["## Not measured", "\n".join(f"- {note}" for note in record["notes"])]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(part.strip() for part in parts) + "\n")


def short(value: float) -> str:
    """A rate with three digits: 1.23 M, 45.6 k."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= 0.9995 * size:
            return _digits(value / size) + unit
    return _digits(value)


def _digits(value: float) -> str:
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def mebibytes(value: float) -> str:
    """Bytes as MiB, or KiB below one."""
    return f"{value / 2**20:,.0f} MiB" if value >= 2**20 else f"{value / 2**10:.0f} KiB"


def rate(row: dict[str, Any] | None) -> str:
    """Median and range of a result."""
    if row is None:
        return "-"
    values = row["per_second"]
    return f"{short(values['median'])} ({short(values['min'])} - {short(values['max'])})"


def median(row: dict[str, Any] | None) -> str:
    """Median of a result."""
    return "-" if row is None else short(row["per_second"]["median"])


def table(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """A Markdown table; all columns but the first are aligned to the right."""
    head = list(head)
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def find(rows: list[dict[str, Any]], **labels: Any) -> dict[str, Any] | None:
    """The first result with these labels."""
    return next((r for r in rows if all(r.get(k) == v for k, v in labels.items())), None)


def machine_text(machine: dict[str, Any]) -> str:
    """What it was measured on."""
    versions = ", ".join(f"{name} {v}" for name, v in machine["packages"].items() if v)
    load = machine["load_before"]
    busy = "" if load is None else f" The load average before the run was {load:.2f}."
    return (
        f"Measured on {machine['cpu']}, {machine['cores']} cores, "
        f"{machine['memory_bytes'] / 2**30:.0f} GiB of memory, {machine['system']}; "
        f"Python {machine['python']}, {versions}.{busy}"
    )


def tables_of(record: dict[str, Any]) -> list[tuple[str, int]]:
    """Every measured game and player count."""
    return list(dict.fromkeys((r["game"], r["players"]) for r in record["vector"]))


def title(record: dict[str, Any], game: str) -> str:
    """A game's name for people."""
    return record["games"][game]["title"]


def summary(record: dict[str, Any]) -> str:
    """One line per game and player count: the best vector, batches of one, AEC and learner."""
    rows = []
    for game, players in tables_of(record):
        labels = {"game": game, "players": players}
        vector = [r for r in record["vector"] if (r["game"], r["players"]) == (game, players)]
        cells = []
        for loop in ("rollout", "step"):
            best = max(
                (r for r in vector if r["loop"] == loop), key=lambda r: r["per_second"]["median"]
            )
            cells.append(f"{median(best)} ({best['batch']:,} x {best['threads']})")
        single = find(vector, loop="step", batch=1)
        seats = [r for r in record["seat"] if (r["game"], r["players"]) == (game, players)]
        cells += [median(single), median(find(record["aec"], env="env", **labels))]
        cells.append(median(seats[-1] if seats else None))
        rows.append([title(record, game), players, *cells])
    head = ("game", "players", "best rollout", "best step", "step, batch 1", "AEC env", "learner")
    note = (
        "Decisions per second; in brackets batch size x threads. *Learner* are steps of "
        "`SeatVecEnv` at its largest batch."
    )
    return f"{note}\n\n{table(head, rows)}"


def vector_text(record: dict[str, Any]) -> str:
    """How to read the vector tables, with the copy speeds."""
    rows = []
    for copy in record["copies"]:
        name = "within the caches" if copy["where"] == "cache" else "in memory"
        values = [copy["per_second"][key] / 1e9 for key in ("median", "min", "max")]
        speed = f"{values[0]:.1f} ({values[1]:.1f} - {values[2]:.1f})"
        rows.append([name, mebibytes(copy["bytes"]), copy["threads"], speed])
    copies = table(("NumPy copy", "array", "threads", "GB/s"), rows)
    cache = mebibytes(record["machine"]["cache_bytes"])
    note = "Within the caches n threads count n times as much: cores have caches of their own."
    smallest = 2 * record["settings"]["rows_per_thread"]
    return VECTOR.format(copies=f"{copies}\n\n{note}", cache=cache, smallest=smallest)


def vector_table(record: dict[str, Any], game: str) -> str:
    """A game's rollouts and steps beside their limits."""
    facts = record["games"][game]
    sizes = [facts["observation"], facts["mask"], facts["state"]]
    text = "A decision moves {} bytes: observation {}, mask {}, state {}.".format(
        sum(sizes), *sizes
    )
    rows = []
    vector = [r for r in record["vector"] if r["game"] == game]
    keys = sorted({(r["players"], r["threads"], r["batch"]) for r in vector})
    for players, threads, batch in keys:
        labels = {"players": players, "threads": threads, "batch": batch}
        cells: list[Any] = [players, threads, f"{batch:,}"]
        for loop in ("rollout", "step"):
            result = find(vector, loop=loop, **labels)
            assert result is not None
            mark = " m" if result["copy"] == "memory" else ""
            share = 100 * result["share_of_limit"]
            cells += [rate(result), short(result["limit"]) + mark, f"{share:.2g} %"]
        rows.append(cells)
    head = ["players", "threads", "batch", "rollout", "limit", "of limit"]
    return f"{text}\n\n{table([*head, 'step', 'limit', 'of limit'], rows)}"


def skipped_text(record: dict[str, Any]) -> str:
    """The vectors for which there was no memory left."""
    lines = [
        f"- {title(record, s['game'])}, {s['players']} players, batch {s['batch']:,}, "
        f"{s['threads']} threads: needs {mebibytes(s['bytes'])}, left {mebibytes(s['bytes_left'])}"
        for s in record["skipped"]
    ]
    limit = mebibytes(record["settings"]["memory_limit"])
    return f"Skipped because all vectors together may take {limit}:\n\n" + "\n".join(lines)


def aec_table(record: dict[str, Any]) -> str:
    """Decisions per second of the AEC loop."""
    rows = []
    for game, players in tables_of(record):
        found = [
            find(record["aec"], game=game, players=players, env=env) for env in ("raw_env", "env")
        ]
        rows.append([title(record, game), players, *map(rate, found)])
    return table(("game", "players", "raw_env", "env"), rows)


def comparison(record: dict[str, Any]) -> str:
    """Our Connect Four and PettingZoo's in the same loop."""
    rows = []
    for env in ("raw_env", "env"):
        ours = find(record["aec"], game="connect_four", env=env)
        theirs = find(record["aec"], game=PETTINGZOO, env=env)
        assert ours is not None
        assert theirs is not None
        ratio = ours["per_second"]["median"] / theirs["per_second"]["median"]
        rows.append([env, rate(ours), rate(theirs), f"{ratio:.2f}"])
    vector = [r for r in record["vector"] if r["game"] == "connect_four" and r["loop"] == "step"]
    theirs = find(record["aec"], game=PETTINGZOO, env="env")
    best = max(vector, key=lambda r: r["per_second"]["median"])
    assert theirs is not None
    ratio = best["per_second"]["median"] / theirs["per_second"]["median"]
    name = f"VectorGame steps, batch {best['batch']:,} x {best['threads']}, beside env"
    rows.append([name, rate(best), rate(theirs), f"{ratio:,.0f}"])
    return table(("loop", "climbenvs", "PettingZoo", "ratio"), rows)


def seat_table(record: dict[str, Any]) -> str:
    """Learner steps per second."""
    batches = sorted({r["batch"] for r in record["seat"]})
    rows = []
    for game, players in tables_of(record):
        labels = {"game": game, "players": players}
        found = [find(record["seat"], batch=batch, **labels) for batch in batches]
        rows.append([title(record, game), players, *map(rate, found)])
    return table(("game", "players", *(f"batch {batch:,}" for batch in batches)), rows)


def start_table(record: dict[str, Any]) -> str:
    """Seconds to the first step."""
    rows = [
        [title(record, s["game"]), f"{s['cold']:.1f}"]
        + [f"{s[key]['median']:.2f}" for key in ("warm", "import")]
        for s in record["start"]
    ]
    return table(("game", "cold", "warm", "import"), rows)
