"""Code with places in it underlined, and words beside the underlines.

   |
3  | @jax.jit
   |  ------- `step` is transformed by `jit`
4  | def step(x):
   |          - `x` is a parameter of `step`
...
12 |     if x > 2:
   |        ^^^^^
   |
"""

from __future__ import annotations

import textwrap
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from jaxlint.report.text import visible
from jaxlint.source.text import Position

if TYPE_CHECKING:
    from rich.text import Text

    from jaxlint.source.text import Source

WIDTH = 120  # columns of code shown of a longer line, where there is room for them
LEAST = 20  # columns of code shown however narrow the terminal is


@dataclass(frozen=True)
class Mark:
    """A place, and what is said beside it; the place of the finding itself is ``main``."""

    start: Position
    end: Position
    label: str = ""
    main: bool = False


def draw(source: Source, marks: Sequence[Mark], margin: int, width: int | None) -> Iterator[Text]:
    """The lines that have marks, between their neighbours where the mark is the main one.

    What does not fit into ``width`` columns is left out of the code, and said below the underline.
    """
    from rich.text import Text

    room = WIDTH if width is None else max(LEAST, min(WIDTH, width - margin - 5))
    by_row: dict[int, list[Mark]] = {}
    for mark in sorted(marks, key=lambda mark: (mark.start.row, not mark.main, -mark.start.column)):
        by_row.setdefault(mark.start.row, []).append(mark)
    last, said = 0, next((source.place(mark.start).cell for mark in marks if mark.main), None)
    for row in _rows(source, by_row, room):
        cell, at = source.place(Position(row, 1))
        if cell != said:
            said = cell
            yield Text.assemble(" " * margin, ("::: ", "blue"), f"cell {cell}")
        elif last and row > last + 1:
            yield Text("." * max(3, margin), "blue")
        last = row
        here = by_row.get(row, [])
        window = _Window.around(source.line(row), here, room)
        yield Text.assemble((f"{at.row:>{margin}} | ", "blue"), (window.shown, "" if here else "dim"))
        for mark in here:
            yield from _underline(mark, window, margin, width)


def _rows(source: Source, by_row: dict[int, list[Mark]], room: int) -> list[int]:
    """The rows to show: those with marks, what surrounds the main one, and a row that is alone between two."""
    count = source.text.count("\n") + 1
    shown = set(by_row)
    for row, marks in by_row.items():
        # Of a line that is cut, the neighbours would not stand where it does.
        if any(mark.main for mark in marks) and not _Window.around(source.line(row), marks, room).first:
            shown |= {near for near in (row - 1, row + 1) if 1 <= near <= count and source.line(near).strip()}
    return sorted(shown | {row + 1 for row in shown if row + 2 in shown and _together(source, row)})


def _together(source: Source, row: int) -> bool:
    """Whether a row and the next but one are in one cell, as all rows of a file are."""
    return source.place(Position(row, 1)).cell == source.place(Position(row + 2, 1)).cell


@dataclass(frozen=True)
class _Window:
    """What is shown of a line: all of it, or a part of a long one."""

    line: str
    first: int
    last: int  # what comes from here on is left out

    @classmethod
    def around(cls, line: str, marks: Sequence[Mark], width: int) -> _Window:
        """What fits into a number of columns: from the beginning, or around the first of the marks."""
        from rich.cells import cell_len

        columns = [0, *accumulate(cell_len(visible(character)) for character in line)]
        if columns[-1] <= width:
            return cls(line, 0, len(line))
        first = 0
        if marks and columns[min(marks[0].end.column - 1, len(line))] > width:
            first = bisect_left(columns, columns[marks[0].start.column - 1] - width // 2)
        return cls(line, first, bisect_right(columns, columns[first] + width) - 1)

    @property
    def shown(self) -> str:
        return self._lead + visible(self.line[self.first : self.last]) + ("…" if self.last < len(self.line) else "")

    @property
    def _lead(self) -> str:
        return "…" if self.first else ""

    def cells(self, start: int, end: int) -> tuple[int, int]:
        """How many columns of a terminal come before a part of the line, and how many it takes."""
        from rich.cells import cell_len

        before = cell_len(self._lead + visible(self.line[self.first : max(start, self.first)]))
        return before, max(
            1, cell_len(visible(self.line[max(start, self.first) : max(start + 1, min(end, self.last))]))
        )


def _underline(mark: Mark, window: _Window, margin: int, width: int | None) -> Iterator[Text]:
    from rich.text import Text

    end = mark.end.column - 1 if mark.end.row == mark.start.row else len(window.line)
    before, under = window.cells(mark.start.column - 1, end)
    sign, style = ("^", "bold red") if mark.main else ("-", "blue")
    bar = (" " * margin + " | ", "blue")
    room = None if width is None else max(20, width - margin - 3)
    if not mark.label or room is None or before + under + 1 + len(mark.label) <= room:
        yield Text.assemble(bar, " " * before, (f"{sign * under} {mark.label}".rstrip(), style))
        return
    yield Text.assemble(bar, " " * before, (sign * under, style))
    for line in textwrap.wrap(mark.label, room):
        yield Text.assemble(bar, " " * max(0, min(before, room - len(line))), (line, style))
