"""The machine: what it is, how fast it copies memory, how long a first use takes."""

import os
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import Case, spread

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "stable_baselines3")
CACHED_COPY = 128 * 1024
"""Bytes of the copy within the caches: source and target fit the second level of any recent CPU."""
WARM_STARTS = 3

FIRST_STEP = """
import sys, time
started = time.perf_counter()
import climbenvs
imported = time.perf_counter()
env = climbenvs.make_vec(sys.argv[1], 1)
env.reset()
env.step(env.sample_actions())
print(imported - started, time.perf_counter() - started)
"""


def describe_machine() -> dict[str, Any]:
    """CPU, cores, cache, memory and versions."""
    return {
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "cache_bytes": cache_bytes(),
        "memory_bytes": memory_bytes(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: _version(name) for name in PACKAGES},
        "load_before": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
    }


def _cpu_name() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found.group(1).strip() if found else platform.processor() or "unknown"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def cache_bytes() -> int:
    """Size of the last cache before memory; 32 MiB where the system does not say."""
    sizes = []
    for path in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        found = re.fullmatch(r"(\d+)([KM])", path.read_text().strip())
        if found:
            sizes.append(int(found.group(1)) * {"K": 2**10, "M": 2**20}[found.group(2)])
    return max(sizes, default=32 * 2**20)


def memory_bytes() -> int:
    """Size of the memory; 8 GiB where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 8 * 2**30


def copy_cases(threads: list[int]) -> list[Case]:
    """NumPy copies that set the limit: between arrays in the caches, and far larger than these.

    The copy in the caches is measured on one thread only: cores have caches of their own, so n
    threads copy n times as much.
    """
    large = min(max(128 * 2**20, 4 * cache_bytes()), 512 * 2**20)
    cases = [_copy_case("cache", CACHED_COPY, 1)]
    return cases + [_copy_case("memory", large, number) for number in threads]


def _copy_case(where: str, size: int, threads: int) -> Case:
    part = size // threads
    pairs = [(np.ones(part, np.int8), np.ones(part, np.int8)) for _ in range(threads)]

    def copy(pair: tuple[np.ndarray, np.ndarray], times: int) -> None:
        for _ in range(times):
            np.copyto(pair[1], pair[0])

    pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def play(times: int) -> int:
        if pool is None:
            copy(pairs[0], times)
        else:
            for future in [pool.submit(copy, pair, times) for pair in pairs]:
                future.result()
        return part * threads * times

    return Case(play, {"where": where, "threads": threads, "bytes": size})


def copy_speed(copies: list[dict[str, Any]], where: str, threads: int) -> float:
    """Bytes copied per second in the caches or in memory by so many threads."""
    if where == "cache":
        return threads * next(c for c in copies if c["where"] == "cache")["per_second"]["median"]
    found = [c for c in copies if (c["where"], c["threads"]) == (where, threads)]
    return found[0]["per_second"]["median"]


def time_start(game: str) -> dict[str, Any]:
    """Seconds from a new process's first import to its first step, compiling and not."""
    with tempfile.TemporaryDirectory() as cache:
        _, cold = _first_step(game, cache)
        warm = [_first_step(game, cache) for _ in range(WARM_STARTS)]
    return {
        "game": game,
        "cold": cold,
        "warm": spread(total for _, total in warm),
        "import": spread(imported for imported, _ in warm),
    }


def _first_step(game: str, cache: str) -> tuple[float, float]:
    done = subprocess.run(
        [sys.executable, "-c", FIRST_STEP, game],
        env={**os.environ, "CLIMBENVS_CACHE_DIR": cache},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    imported, total = done.stdout.split()[-2:]
    return float(imported), float(total)
