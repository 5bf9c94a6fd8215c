"""Comments that go with the code they are about, when a rewrite puts it somewhere else."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import line_end, line_start, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix
from jaxlint.source.lexer import comments, loses_comment


def comments_in(file: File, start: int, end: int, without: Iterable[tuple[int, int]] = ()) -> list[str]:
    """The comments between two offsets, those in the spans ``without`` left out."""
    found: list[str] = []
    for first, last in sorted(span for span in without if start <= span[0] and span[1] <= end):
        found += comments(file.source.text[start:first])
        start = last
    return found + comments(file.source.text[start:end])


def with_comments(line: str, said: list[str]) -> list[str]:
    """A line of code with what is said of it: one comment behind it, several on lines of their own above."""
    if not said:
        return [line]
    if len(said) == 1:
        return [f"{line}  {said[0]}"]
    indent = line[: len(line) - len(line.lstrip())]
    return [*(indent + each for each in said), line]


def keeps_comments(file: File, fix: Fix) -> bool:
    """Whether what the edits write holds all comments of what they replace."""
    return not any(loses_comment(file.source.text[edit.start : edit.end], edit.content) for edit in fix.edits)


def taken_out(file: File, statement: ir.Statement) -> Edit | None:
    """The edit that takes a statement out with its lines, whose comments stay on lines of their own; None where it shares them."""
    if not stands_on_own_lines(file, statement):
        return None
    start, end = file.span(statement.site)
    first, last = line_start(file, start), line_end(file, end)
    indent, newline = file.indentation(statement.site), file.source.newline
    kept = "".join(f"{indent}{each}{newline}" for each in comments(file.source.text[first:last]))
    return Edit(first, min(last + len(newline), len(file.source.text)), kept)
