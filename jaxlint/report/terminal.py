"""Standard output for people, and tables without lines on it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def console(pipe: int | None = None) -> Console:
    """Standard output; a pipe, which has no width of its own, is ``pipe`` columns wide."""
    from rich.console import Console

    width = None if pipe is None or sys.stdout.isatty() else pipe
    return Console(highlight=False, markup=False, emoji=False, width=width)


def grid(*columns: dict[str, Any], header: bool = False) -> Table:
    """A table of columns with space between them."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, show_header=header, header_style="dim", padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(**column)
    return table
