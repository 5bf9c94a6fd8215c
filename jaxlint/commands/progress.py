"""How far a long run is, on the terminal of whoever waits for it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from jaxlint.report import FOR_PEOPLE

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DELAY = 2.0  # seconds; what takes no longer shows nothing
FEWEST = 20  # files; of fewer, the next result is as good a sign


class Bar:
    """Counts files that are done. It is drawn on standard error, where that is a terminal, and wiped at the end."""

    def __init__(self, total: int, output_format: str, quiet: bool = False) -> None:
        self._total = total
        self._done = 0
        self._wanted = not quiet and total >= FEWEST and output_format in FOR_PEOPLE and sys.stderr.isatty()
        self._began = time.monotonic()
        self._drawn: tuple[Progress, TaskID] | None = None

    def __call__(self, count: int) -> None:
        """``count`` more files are done."""
        self._done += count
        if not self._wanted or time.monotonic() - self._began < DELAY:
            return
        if self._drawn is None:
            self._drawn = self._draw()
        progress, task = self._drawn
        progress.update(task, completed=self._done, refresh=True)

    def _draw(self) -> tuple[Progress, TaskID]:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (
            TextColumn("checking"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("files"),
            TimeRemainingColumn(),
        )
        # No thread draws it: workers are forked from this process.
        progress = Progress(*columns, console=Console(file=sys.stderr), transient=True, auto_refresh=False)
        progress.start()
        return progress, progress.add_task("", total=self._total)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *error: object) -> None:
        if self._drawn is not None:
            self._drawn[0].stop()
