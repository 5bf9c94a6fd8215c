"""A statement moved up in its block, above another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by
from jaxlint.rewrite.blocks import block_span
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.rewrite.statements import line_end, line_start, stands_on_own_lines
from jaxlint.source.cells import has_cells
from jaxlint.source.diagnostic import Edit

_SIMPLE = (ir.Assign, ir.Annotate, ir.Evaluate)
_IMPORTS = (ir.Import, ir.ImportFrom)


@or_none
def moved_above(file: File, statement: ir.Statement, other: ir.Statement) -> tuple[Edit, ...]:
    """The edit that puts ``statement`` above ``other``, with the imports in between that it needs.

    None where they do not stand in one block or cell, and where ``statement`` reads or binds what another
    statement in between does.
    """
    block = file.unit.block(statement.site) or [statement]
    while other not in block:
        other = expect(ir.Statement, file.unit.parent(other.site))
    first, last = block.index(other), block.index(statement)
    require(first < last and isinstance(statement, _SIMPLE))
    require(stands_on_own_lines(file, statement) and stands_on_own_lines(file, other))
    names = ir.names_below([statement]).keys()
    if any(map(_imports_all, block[first:last])):  # which may bind what the statement reads
        require(names <= set(_bound(block[:first])))
    needed = [each for each in block[first:last] if not names.isdisjoint(_bound([each]))]
    for each in needed:
        require(isinstance(each, _IMPORTS) and len(each.aliases) == 1 and each is not other)
        require(stands_on_own_lines(file, each))
    written = [_lines(file, each) for each in (*needed, statement)]
    text, newline = file.source.text, file.source.newline
    is_import = isinstance(other, _IMPORTS)  # a comment above it is about all that is imported
    at = line_start(file, (file.span(other.site) if is_import else block_span(file, [other]))[0])
    lines = [text[start:end].rstrip("\r\n") + newline for start, end in written]
    if needed:
        lines.insert(-1, newline)
    said = "".join(lines)
    if is_import:
        said = (newline if at and text[line_start(file, at - 1) : at].strip() else "") + said + newline
    gone = [_with_gap(file, span) for span in written]
    kept = "".join(text[start:end] for start, end in zip([at, *(end for _, end in gone)], (start for start, _ in gone)))
    require(not has_cells(text[at : gone[-1][1]]))
    return (Edit(at, gone[-1][1], said + kept),)  # one edit, in which every comment is found again


def _imports_all(statement: ir.Statement) -> bool:
    """Whether it is `from module import *`."""
    return isinstance(statement, ir.ImportFrom) and ("*", None) in statement.names


def _bound(statements: Iterable[ir.Statement]) -> Iterator[str]:
    """The names that statements bind in their block."""
    for node in ir.walk(statements, into_scopes=False):
        yield from bound_by(node)


def _lines(file: File, statement: ir.Statement) -> tuple[int, int]:
    """The lines of a statement with the comments above it, up to the next line."""
    start, end = block_span(file, [statement])
    return line_start(file, start), _next_line(file, end)


def _next_line(file: File, offset: int) -> int:
    text, end = file.source.text, line_end(file, offset)
    return min(end + (2 if text[end : end + 2] == "\r\n" else 1), len(text))


def _with_gap(file: File, span: tuple[int, int]) -> tuple[int, int]:
    """A span that is taken out with the empty lines behind it, where there are some before it as well."""
    start, end = span
    text = file.source.text
    if start and text[line_start(file, start - 1) : start].strip():
        return span
    while end < len(text) and not text[end : line_end(file, end)].strip():
        end = _next_line(file, end)
    return start, end
