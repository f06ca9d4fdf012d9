"""Compiling rules: the `rule` decorator, `bind`, house rules and the compile cache.

Numba's own cache looks only at the modification time of the file a function stands in, so a kernel
that inlines a changed rule would stay stale. Our cache directory is therefore named after a hash of
every source the compiled code can depend on.
"""

import functools
import hashlib
import inspect
import os
import shutil
import sys
import time
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
from numba.extending import is_jitted

ENABLED = os.environ.get("CLIMBENVS_JIT", "1") != "0"
"""False when `CLIMBENVS_JIT=0`: rules are then ordinary Python, for debugging."""

_PACKAGE = Path(__file__).resolve().parents[1]
_KEPT_DIRECTORIES = 32
_KEPT_SECONDS = 14 * 24 * 3600


def cache_root() -> Path:
    """Directory below which compiled code is kept: `CLIMBENVS_CACHE_DIR` or the user's cache."""
    chosen = os.environ.get("CLIMBENVS_CACHE_DIR")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "~/AppData/Local")
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "climbenvs"


@functools.cache
def _source_hash(folder: Path, pattern: str) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.glob(pattern)):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


@functools.cache
def _cache_directory(folder: Path, others: tuple[Path, ...] = ()) -> Path | None:
    """Cache directory for functions of `folder` that call some of `others`; None if unwritable."""
    key = hashlib.sha256()
    key.update(_source_hash(_PACKAGE, "policies.py").encode())
    for sources in (_PACKAGE / "engine", folder, *others):
        key.update(_source_hash(sources, "*.py").encode())
    key.update(f"{numba.__version__} {sys.version} {numba.config.BOUNDSCHECK}".encode())
    directory = cache_root() / key.hexdigest()[:16]
    try:
        directory.mkdir(parents=True, exist_ok=True)
        probe = directory / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
        os.utime(directory)
        _prune(directory.parent)
    except OSError:
        return None
    return directory


def _prune(root: Path) -> None:
    """Drop old cache directories: neither among the newest few nor used in the last two weeks."""
    directories = [path for path in root.iterdir() if path.is_dir() and len(path.name) == 16]
    directories.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for path in directories[_KEPT_DIRECTORIES:]:
        if time.time() - path.stat().st_mtime > _KEPT_SECONDS:
            shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _numba_cache_at(directory: Path) -> Iterator[None]:
    """Point Numba's cache at `directory` while a function is decorated, and nobody else's."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(directory)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


def _compile(function: Callable, folder: Path | None) -> Any:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    directory = None
    if folder is not None:
        others = _reached_folders(function) - {_PACKAGE, _PACKAGE / "engine", folder}
        directory = _cache_directory(folder, tuple(sorted(others)))
    if directory is None:
        return numba.njit(**options)(function)
    with _numba_cache_at(directory):
        return numba.njit(cache=True, **options)(function)


def _source_folder(function: Callable) -> Path | None:
    """Folder of the file a function stands in; None for one typed into a session or notebook."""
    source = inspect.getsourcefile(function)
    if not source or not os.path.exists(source) or hasattr(function, "calls_uncached"):
        return None
    return Path(source).resolve().parent


def _reached_folders(function: Callable) -> set[Path]:
    """Folders of all rules that a function calls, however deep; their code is compiled into it."""
    folders: set[Path] = set()
    reached = {function}
    waiting = [function]
    while waiting:
        caller = waiting.pop()
        for name in caller.__code__.co_names:
            callee = caller.__globals__.get(name)
            if not (isinstance(callee, types.FunctionType) or is_jitted(callee)):
                continue
            called = plain(callee)
            folder = _source_folder(called)
            if folder is not None and called not in reached:
                folders.add(folder)
                reached.add(called)
                waiting.append(called)
    return folders


def _identity(function: Callable) -> str | None:
    """Tells a rule apart in the compile cache; None if it cannot be cached."""
    folder = _source_folder(function)
    if folder is None:
        return None
    sources = _source_hash(folder, "*.py")
    line = function.__code__.co_firstlineno
    return f"{function.__module__}.{function.__qualname__}:{line} {sources}"


def rule(function: Callable) -> Any:
    """Mark a function as part of the rules: compiled by Numba, or plain with `CLIMBENVS_JIT=0`.

    A rule takes records, arrays and integers, allocates nothing, raises nothing and reads no global
    that is written after import. It never calls itself, not by way of other rules either: Numba's
    cached code of such rules crashes in the next process.
    """
    if not ENABLED:
        return function
    return _compile(function, _source_folder(function))


def plain(function: Any) -> Callable:
    """The Python function behind a rule, compiled or not."""
    return function.py_func if is_jitted(function) else function


def bind(template: Callable, label: str, names: Mapping[str, Any], folder: Path) -> Any:
    """Make a game's own copy of a template: the same code, with `names` among its globals.

    Args:
        template: a plain function that calls `names` as globals.
        label: told apart in the compile cache by this text (game name, variant).
        names: global name -> rule.
        folder: the game's folder; its sources count in the compile cache's key.

    Returns:
        A compiled function, or a plain one with `CLIMBENVS_JIT=0`.
    """
    template = plain(template)
    function = types.FunctionType(
        template.__code__,
        {**template.__globals__, **names},
        template.__name__,
        template.__defaults__,
        template.__closure__,
    )
    # The label alone would not do: one game may be bound with other rules, policies or house rules.
    identities = {name: _identity(plain(called)) for name, called in sorted(names.items())}
    key = text_key(" ".join(f"{name}={identity}" for name, identity in identities.items()))
    function.__qualname__ = f"{template.__qualname__}.{label}.{key}"
    function.__module__ = template.__module__
    if not ENABLED:
        return function
    if None in identities.values():
        function.calls_uncached = True  # type: ignore[attr-defined]
        return _compile(function, None)
    return _compile(function, folder)


def substitute(
    rules: Mapping[str, Any], replacements: Mapping[str, Any], label: str, folder: Path
) -> dict[str, Any]:
    """House rules: rebuild every rule that reaches a replaced one, however deep.

    Args:
        rules: the entry points (verbs), name -> rule.
        replacements: name of a rule called anywhere below the entry points -> new rule.
        label: names the variant in the compile cache.
        folder: the game's folder.

    Returns:
        The entry points of the variant.

    Raises:
        KeyError: if a name of `replacements` is called nowhere.
    """
    used: set[str] = set()
    rebuilt: dict[Callable, Any] = {}

    def visit(current: Any) -> Any:
        function = plain(current)
        if function in rebuilt:
            return rebuilt[function]
        changed: dict[str, Any] = {}
        for name in function.__code__.co_names:
            callee = function.__globals__.get(name)
            if not (isinstance(callee, types.FunctionType) or is_jitted(callee)):
                continue  # not a rule but, for example, a record's field of that name
            if name in replacements:
                used.add(name)
                changed[name] = replacements[name]
            else:
                replaced = visit(callee)
                if replaced is not callee:
                    changed[name] = replaced
        rebuilt[function] = bind(function, label, changed, folder) if changed else current
        return rebuilt[function]

    result = {}
    for name, entry in rules.items():
        if name in replacements:
            used.add(name)
            result[name] = replacements[name]
        else:
            result[name] = visit(entry)
    unknown = sorted(set(replacements) - used)
    if unknown:
        raise KeyError(f"no rule calls {', '.join(unknown)}")
    return result


def announce_first_compile(title: str, label: str, folder: Path) -> None:
    """Say once per machine, on stderr, that a game is being compiled."""
    if not ENABLED:
        return
    directory = _cache_directory(folder)
    marker = directory / f"{label}.announced" if directory else None
    if marker is not None and marker.exists():
        return
    where = f"kept in {directory}" if directory else "the cache directory cannot be written"
    print(f"climbenvs: compiling {title} for its first use ({where}) ...", file=sys.stderr)
    if marker is not None:
        marker.touch()


def text_key(text: str) -> str:
    """A short key that changes with the text, for labels in the compile cache."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]
