"""The report for people: the code, what is wrong with it, why jaxlint thinks so, and what to do.

    JAX103 branch-on-tracer: `if` needs the truth of `x > 2`, which is traced
      --> model.py:12:8
       |
    12 |     if x > 2:
       |        ^^^^^
       = why: `x` is a parameter of `step` (line 11)
       = why: `step` is traced by `jax.jit` (line 10)
       = help: select with `jnp.where`, or branch with `jax.lax.cond`
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Iterator, Optional, Sequence, TextIO

from jaxlint.diagnostic import Diagnostic, Edit, Fix, Position, Related
from jaxlint.report import Report, summary
from jaxlint.report.text import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from jaxlint.source import Source

WIDTH = 120  # columns of code shown of a longer line
DIFF_LINES = 16  # lines of a fix shown; what is longer is for --diff


def write(report: Report, stream: TextIO) -> None:
    if report.diagnostics:
        from rich.console import Console  # costs more than the rest of a clean run

        console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
        print_all(report, console)
    stream.write(summary(report) + "\n")


def print_all(report: Report, console: "Console") -> None:
    for diagnostic in report.diagnostics:
        for line in render(diagnostic, report):
            console.print(line)
        console.print()


def render(diagnostic: Diagnostic, report: Report, whole_fix: bool = False) -> Iterator["Text"]:
    """The lines of one diagnostic. A long fix is cut short, unless ``whole_fix`` is set."""
    from rich.text import Text

    source = report.sources.get(diagnostic.filename)
    margin = len(str(max([diagnostic.end.row + 1, *(step.end.row for step in diagnostic.related)])))
    pad = " " * margin
    yield Text.assemble(
        (diagnostic.code, "bold red"), " ", (diagnostic.name, "bold"), f": {visible(diagnostic.message)}"
    )
    yield Text.assemble(pad, ("--> ", "blue"), report.address(diagnostic.filename, diagnostic.start))
    if source is not None:
        yield from _frame(diagnostic, source, margin)
    for step in diagnostic.related:
        yield _note(pad, "why", f"{visible(step.message)} ({beside(step, diagnostic, report)})")
    if diagnostic.help:
        yield _note(pad, "help", visible(diagnostic.help))
    if diagnostic.fix is not None:
        yield from _fix(diagnostic, diagnostic.fix, source, margin, whole_fix)


def beside(step: Related, diagnostic: Diagnostic, report: Report) -> str:
    """Where a step of the reasons stands, seen from the diagnostic."""
    address = report.address(step.filename, step.start).rpartition(":")[0]
    if step.filename != diagnostic.filename:
        return address
    cell, at = report.place(step.filename, step.start)
    same = cell == report.place(diagnostic.filename, diagnostic.start).cell
    return f"line {at.row}" if same else f"cell {cell}, line {at.row}"


def _note(pad: str, label: str, text: str) -> "Text":
    from rich.text import Text

    return Text.assemble(pad, (" = ", "blue"), (f"{label}: ", "bold"), text)


def _frame(diagnostic: Diagnostic, source: "Source", margin: int) -> Iterator["Text"]:
    """The line of the diagnostic, underlined, between its neighbours."""
    from rich.cells import cell_len
    from rich.text import Text

    rows = source.text.count("\n") + 1
    row, column = diagnostic.start.row, diagnostic.start.column
    number = source.place(diagnostic.start).position.row
    line = source.line(row) if row <= rows else ""
    if not line and row > 1 and row >= rows:
        return  # the end of the file: there is nothing to show
    last = diagnostic.end.column if diagnostic.end.row == row else len(line) + 1
    # A long line is cut to a window around the column.
    first = max(0, column - 1 - WIDTH // 2) if len(line) > WIDTH else 0
    lead, tail = ("…" if first else ""), ("…" if len(line) > first + WIDTH else "")
    shown = lead + visible(line[first : first + WIDTH]) + tail
    before = cell_len(lead + visible(line[first : column - 1]))
    under = max(1, cell_len(visible(line[column - 1 : max(column, min(last - 1, first + WIDTH))])))

    bar = Text.assemble(" " * margin, (" |", "blue"))
    yield bar
    if row > 1 and not first and source.line(row - 1).strip():
        yield _numbered(number - 1, source.line(row - 1), margin, "dim")
    yield _numbered(number, shown, margin, "")
    yield Text.assemble(" " * margin, (" | ", "blue"), " " * before, ("^" * under, "bold red"))
    if diagnostic.end.row == row and row < rows and not first and source.line(row + 1).strip():
        yield _numbered(number + 1, source.line(row + 1), margin, "dim")
    if diagnostic.related or diagnostic.help or diagnostic.fix:
        yield bar.copy()


def _numbered(row: int, line: str, margin: int, style: str) -> "Text":
    from rich.text import Text

    text = visible(line)
    if len(text) > WIDTH + 2:
        text = text[:WIDTH] + "…"
    return Text.assemble((f"{row:>{margin}} | ", "blue"), (text, style))


def _fix(
    diagnostic: Diagnostic, fix: Fix, source: Optional["Source"], margin: int, whole: bool
) -> Iterator["Text"]:
    """What the fix says of itself, and the lines it changes as a small diff."""
    from rich.text import Text

    level = fix.applicability.value
    option = {"safe": "--fix", "unsafe": "--fix --unsafe-fixes", "display": "a suggestion: never applied"}[level]
    yield _note(" " * margin, f"fix ({level})", f"{visible(fix.message)} [{option}]")
    if source is None:
        return
    changed = list(changes(source.text, fix.edits))
    said = source.place(diagnostic.start).cell
    shown = changed if whole else changed[:DIFF_LINES]
    for row, sign, line in shown:
        style = "red" if sign == "-" else "green"
        cell, at = source.place(Position(row, 1))
        if cell != said:
            said = cell
            yield _note(" " * margin, "fix", f"in cell {cell}")
        yield Text.assemble((f"{at.row:>{margin}} ", "blue"), (f"{sign} {visible(line)}", style))
    if len(changed) > len(shown):
        yield _note(" " * margin, "fix", f"{len(changed) - len(shown)} more lines; --diff shows them all")


def changes(text: str, edits: Sequence[Edit]) -> Iterator[tuple[int, str, str]]:
    """``(row, "-" or "+", line)`` for each line the edits change; rows of the old text.

    Only the lines that edits touch are compared: a file can be long and have many findings.
    """
    from jaxlint.fixing import apply_edits

    groups: list[tuple[int, int, list[Edit]]] = []  # start and end of the lines that a group touches
    for edit in edits:
        start = text.rfind("\n", 0, edit.start) + 1
        end = text.find("\n", edit.end)
        end = len(text) if end < 0 else end
        if groups and start <= groups[-1][1] + 1:
            first, last, together = groups[-1]
            groups[-1] = (first, max(last, end), [*together, edit])
        else:
            groups.append((start, end, [edit]))
    for start, end, together in groups:
        moved = [Edit(edit.start - start, edit.end - start, edit.content) for edit in together]
        old = text[start:end].split("\n")
        new = apply_edits(text[start:end], moved).split("\n")
        row = text.count("\n", 0, start) + 1
        for tag, low, high, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag != "equal":
                yield from ((row + at, "-", old[at].rstrip("\r")) for at in range(low, high))
                yield from ((row + low + at - first, "+", new[at].rstrip("\r")) for at in range(first, last))
