"""The report for people: the code, what is wrong with it, why jaxlint thinks so, and what to do.

JAX103 branch-on-tracer: Python `if` on traced value `x > 2`
  --> model.py:12:8
   |
10 | @jax.jit
   |  ------- `step` is transformed by `jit`
11 | def step(x):
   |          - `x` is a parameter of `step`
12 |     if x > 2:
   |        ^^^^^
   = help: Choose between values with `jnp.where`, or between computations with `jax.lax.cond`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from jaxlint.report import Report, closing, links
from jaxlint.report.drawing import Mark, draw
from jaxlint.report.text import visible
from jaxlint.source.diagnostic import Diagnostic, Edit, Related, RemoteFix
from jaxlint.source.text import Position

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from jaxlint.source.text import Source

DIFF_LINES = 16  # lines of a fix shown; what is longer is for --diff
KEPT_LINES = 4  # unchanged lines shown between two changes


def write(report: Report, stream: TextIO) -> None:
    if report.diagnostics:
        from rich.console import Console  # costs more than the rest of a clean run

        console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)
        print_all(report, console)
    stream.write(closing(report))


def print_all(report: Report, console: Console) -> None:
    for diagnostic in report.diagnostics:
        for line in render(diagnostic, report, console.width if console.is_terminal else None):
            console.print(line)
        console.print()
    if report.diagnostics and not report.quiet:
        console.print(f"For more about a finding: `jaxlint explain {report.diagnostics[0].code}`.", style="dim")


def render(diagnostic: Diagnostic, report: Report, width: int | None = None, whole_fix: bool = False) -> Iterator[Text]:
    """The lines of one diagnostic, broken where there are no more than ``width`` columns.

    A long fix is cut short, unless ``whole_fix`` is set.
    """
    from rich.text import Text

    source = report.sources.get(diagnostic.filename)
    address = links.page(diagnostic.code, diagnostic.name)
    margin = len(str(max([diagnostic.end.row + 1, *(step.end.row for step in diagnostic.related)])))
    pad = " " * margin
    head = Text.assemble(
        # Terminals that know links open the page about it.
        (diagnostic.code, f"bold red link {address}" if address else "bold red"), " ",
        (diagnostic.name, "bold"), f": {visible(diagnostic.message)}",
    )  # fmt: skip
    yield from _broken(head, "  ", width)
    yield Text.assemble(pad, ("--> ", "blue"), report.address(diagnostic.filename, diagnostic.start))
    if source is not None:
        yield from _frames(diagnostic, source, report, margin, width)
    else:
        for step in diagnostic.related:
            yield from _note(pad, "why", f"{visible(step.message)} ({beside(step, diagnostic, report)})", width)
    if diagnostic.convention:
        yield from _note(
            pad, "basis", f"presumed by the convention `{diagnostic.convention}`; no transform is visible", width
        )
    if diagnostic.help:
        yield from _note(pad, "help", visible(diagnostic.help), width)
    if diagnostic.shown_fix is not None:
        yield from _fix(diagnostic, diagnostic.shown_fix, report, margin, width, whole_fix)


def beside(step: Related, diagnostic: Diagnostic, report: Report) -> str:
    """Where a step of the reasons stands, seen from the diagnostic."""
    address = report.address(step.filename, step.start).rpartition(":")[0]
    if step.filename != diagnostic.filename:
        return address
    cell, at = report.place(step.filename, step.start)
    same = cell == report.place(diagnostic.filename, diagnostic.start).cell
    return f"line {at.row}" if same else f"cell {cell}, line {at.row}"


def _note(pad: str, label: str, text: str, width: int | None) -> Iterator[Text]:
    from rich.text import Text

    note = Text.assemble(pad, (" = ", "blue"), (f"{label}: ", "bold"), text)
    yield from _broken(note, " " * (len(pad) + 5), width)


def _broken(text: Text, indent: str, width: int | None) -> Iterator[Text]:
    """A text as it is, or broken into lines of ``width``, all but the first indented."""
    if width is None or text.cell_len <= width:
        yield text
        return
    from rich.console import Console

    first, *_ = text.wrap(Console(), width)
    first.rstrip()
    yield first
    begun = len(text.plain) - len(text.plain[len(first.plain) :].lstrip())
    for line in text[begun:].wrap(Console(), max(20, width - len(indent))):
        line.rstrip()
        yield type(text)(indent).append(line)


def _frames(diagnostic: Diagnostic, source: Source, report: Report, margin: int, width: int | None) -> Iterator[Text]:
    """The code of the finding and of the steps that lead to it, file by file."""
    from rich.text import Text

    rows = source.text.count("\n") + 1
    row = diagnostic.start.row
    marks: dict[str, list[Mark]] = {diagnostic.filename: []}
    if row < rows or (row == rows and source.line(row)):  # at the end of a file there is nothing to show
        marks[diagnostic.filename].append(Mark(diagnostic.start, diagnostic.end, main=True))
    steps = list(diagnostic.related)
    numbered = _out_of_order(diagnostic)
    for number, step in enumerate(reversed(steps), 1):
        label = f"{number}. {visible(step.message)}" if numbered else visible(step.message)
        marks.setdefault(step.filename, []).append(Mark(step.start, step.end, label))
    bar = Text(f"{' ' * margin} |", "blue")
    for filename, found in marks.items():
        shown = report.source(filename)
        if filename != diagnostic.filename:
            yield Text.assemble(" " * margin, ("::: ", "blue"), report.address(filename, found[0].start))
        if shown is None:
            for mark in found:
                yield from _note(" " * margin, "why", f"{mark.label} (line {mark.start.row})", width)
        elif found:
            yield bar.copy()
            yield from draw(shown, found, margin, width)
    if diagnostic.help or diagnostic.shown_fix:
        yield bar.copy()


def _out_of_order(diagnostic: Diagnostic) -> bool:
    """Whether the steps from the transform to the finding do not stand one below the other."""
    places = [(step.filename, step.start.row) for step in reversed(diagnostic.related)]
    places.append((diagnostic.filename, diagnostic.start.row))
    return len(places) > 2 and (len({name for name, _ in places}) > 1 or places != sorted(places))


def _fix(
    diagnostic: Diagnostic, shown_fix: RemoteFix, report: Report, margin: int, width: int | None, whole: bool
) -> Iterator[Text]:
    """What the fix says of itself, and the lines it changes as a small diff."""
    from rich.text import Text

    filename, start, fix = shown_fix
    source = report.source(filename)

    level = fix.applicability.value
    option = {"safe": "--fix", "unsafe": "--fix --unsafe-fixes", "display": "a suggestion: never applied"}[level]
    yield from _note(" " * margin, f"fix ({level})", f"{visible(fix.message)} [{option}]", width)
    if source is None:
        return
    changed = list(changes(source.text, fix.edits))
    said = source.place(start).cell
    if filename != diagnostic.filename:
        yield Text.assemble(" " * margin, ("::: ", "blue"), report.address(filename, start))
    shown = changed if whole else changed[:DIFF_LINES]
    for row, sign, line in shown:
        style = {"-": "red", "+": "green", " ": "dim"}[sign]
        cell, at = source.place(Position(row, 1))
        if cell != said:
            said = cell
            yield from _note(" " * margin, "fix", f"in cell {cell}", width)
        yield Text.assemble((f"{at.row:>{margin}} ", "blue"), (f"{sign} {visible(line)}", style))
    if len(changed) > len(shown):
        yield from _note(" " * margin, "fix", f"{len(changed) - len(shown)} more lines; --diff shows them all", width)


def changes(text: str, edits: Sequence[Edit]) -> Iterator[tuple[int, str, str]]:
    """``(row, "-" or "+", line)`` for each line the edits change, " " for those between; rows of the old text.

    Only the lines that edits touch are compared: a file can be long and have many findings.
    """
    from jaxlint.fixing.apply import apply_edits

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
        steps = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        for at_step, (tag, low, high, first, last) in enumerate(steps):
            if tag == "equal":
                # Between changes, a few lines that stay belong to what is read as one piece of code.
                if 0 < at_step < len(steps) - 1 and high - low <= KEPT_LINES:
                    yield from ((row + at, " ", old[at].rstrip("\r")) for at in range(low, high))
            else:
                yield from ((row + at, "-", old[at].rstrip("\r")) for at in range(low, high))
                yield from ((row + low + at - first, "+", new[at].rstrip("\r")) for at in range(first, last))
