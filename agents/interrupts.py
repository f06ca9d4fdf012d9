"""Ctrl-C during long work."""

import signal
import sys
import threading
from typing import Any

from tqdm import tqdm


class PatientInterrupt:
    """A context in which the first Ctrl-C only sets `noted`; a second one acts at once.

    Outside of the main thread, which alone gets signals, it does nothing.

    Args:
        bar: where the first Ctrl-C is acknowledged.
    """

    def __init__(self, bar: tqdm) -> None:
        self.bar = bar
        self.noted = False
        self._before: Any = None

    def __enter__(self) -> "PatientInterrupt":
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def _note(self, number: int, frame: Any) -> None:
        self.noted = True
        signal.signal(signal.SIGINT, self._before)
        self.bar.write("stopping after this update; Ctrl-C again to stop at once", file=sys.stderr)

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
