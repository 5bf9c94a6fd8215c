"""Whole statements put in, taken out or moved, with the lines on which they stand and the comments that belong to them."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.cells import has_cells
from jaxlint.source.diagnostic import Edit, Fix
from jaxlint.source.lexer import comments, loses_comment


def stands_on_own_lines(file: File, statement: ir.Node) -> bool:
    """Whether nothing but white space, or a comment behind it, shares the lines of a statement."""
    start, end = file.span(statement.site)
    text = file.source.text
    rest = text[end : line_end(file, end)].strip()
    return not text[line_start(file, start) : start].strip() and (not rest or rest.startswith("#"))


def line_start(file: File, offset: int) -> int:
    """Offset at which the line of ``offset`` starts."""
    text = file.source.text
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(file: File, offset: int) -> int:
    """Offset of the end of the line in which ``offset`` stands, the newline left out."""
    text = file.source.text
    found = [at for at in (text.find("\n", offset), text.find("\r", offset)) if at >= 0]
    return min(found, default=len(text))


def first_statement(function: ir.Function) -> ir.Statement:
    """The first statement of a function, below its docstring."""
    first = function.body[0]
    if isinstance(first, ir.Evaluate) and isinstance(first.value, ir.Constant) and len(function.body) > 1:
        return function.body[1]
    return first


def removed(file: File, statement: ir.Node) -> Edit | None:
    """The edit that takes a statement out with its lines, and an empty line below it where one or none stands above.

    None where it is all that its block holds, where it shares a line, or has a comment that says something to readers.
    """
    start, end = file.span(statement.site)
    first, last = line_start(file, start), line_end(file, end)
    text, newline = file.source.text, file.source.newline
    alone = len(file.unit.block(statement.site)) < 2 or not stands_on_own_lines(file, statement)
    if alone or loses_comment(text[first:last], "") or last == len(text):
        return None
    last += len(newline)
    if text[:first].rstrip(" \t").endswith((newline * 2, f":{newline}")) and text.startswith(newline, last):
        last += len(newline)
    return Edit(first, last, "")


def begins_line(file: File, statement: ir.Node) -> bool:
    """Whether a line can stand above: not after a semicolon, in a one-line suite, or at an `elif`."""
    start = file.span(statement.site)[0]
    return not file.source.text[line_start(file, start) : start].strip() and not is_elif(file, statement)


def line_above(file: File, statement: ir.Node, line: str) -> Edit:
    """The edit that puts a line above a statement that begins its line."""
    return file.insert(file.span(statement.site)[0], f"{line}{file.source.newline}{file.indentation(statement.site)}")


def above(file: File, statement: ir.Statement, line: str) -> Edit | None:
    """The edit that puts a line above a statement; None where none can stand there."""
    return line_above(file, statement, line) if begins_line(file, statement) else None


def below(file: File, statement: ir.Statement, line: str) -> Edit | None:
    """The edit that puts a line below a statement, behind a blank one where a definition ends; None where it shares its line."""
    if not stands_on_own_lines(file, statement):
        return None
    end = line_end(file, file.span(statement.site)[1])
    blank = file.source.newline if isinstance(statement, ir.Define) else ""
    return file.insert(end, f"{blank}{file.source.newline}{file.indentation(statement.site)}{line}")


def free_name(file: File, site: int, *candidates: str) -> str:
    """The first of ``candidates`` that names nothing where ``site`` stands, or the first of them with a number."""
    scope = file.unit.scope(site)
    return unused(scope.locals | scope.free | scope.globals | scope.nonlocals, *candidates)


def unused(taken: Collection[str], *candidates: str) -> str:
    """The first of ``candidates`` that is not taken, or the first of them with a number."""
    numbered = (f"{candidates[0]}{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain(candidates, numbered) if name not in taken)


def is_elif(file: File, node: ir.Node) -> bool:
    """Whether an `if` is written as `elif`."""
    return isinstance(node, ir.If) and file.source.text.startswith("elif", file.span(node.site)[0])


def blocks(node: ir.Node) -> list[list[ir.Statement]]:
    """The blocks of statements of which a statement, a scope or a part of a statement consists."""
    values = (getattr(node, name) for name in (*ir.FIELDS[type(node)], "body") if hasattr(node, name))
    return [list(value) for value in values if isinstance(value, (list, tuple))]


def block_span(file: File, block: Sequence[ir.Statement], whole: bool = False) -> tuple[int, int]:
    """Start and end of a block: with the comments on lines right above it, and one behind its last statement.

    A ``whole`` block takes those below it that are indented as it is, as nothing else in it follows.
    """
    text = file.source.text
    start, end = file.span(block[0].site)[0], file.span(block[-1].site)[1]
    line = text.rfind("\n", 0, start) + 1
    on_own_line = not text[line:start].strip()
    if on_own_line:
        start = line
        while start and text[text.rfind("\n", 0, start - 1) + 1 : start].lstrip().startswith("#"):
            start = text.rfind("\n", 0, start - 1) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    if text[end:last].lstrip().startswith("#"):
        end = last - text[:last].endswith("\r")
    if whole and on_own_line:
        end = _below(text, last, file.indentation(block[0].site)) or end
    return start, end


def _below(text: str, end: int, indent: str) -> int | None:
    """Where the comments on lines of their own below ``end`` end that have at least this indentation."""
    found = None
    for line in text[end + 1 :].splitlines(keepends=True):
        said = line.strip()
        if said and not (indent and line.startswith(indent) and said.startswith("#")):
            return found
        end += len(line)
        if said:
            found = end + 1 - (len(line) - len(line.rstrip("\r\n")))
    return found


def moved(file: File, block: Sequence[ir.Statement], indent: str) -> list[str] | None:
    """The lines of a whole block as they stand at another indentation; None where moving them would change a string."""
    start, end = block_span(file, block, whole=True)
    text = file.source.text[start:end]
    first = file.span(block[0].site)[0]
    on_own_line = not file.source.text[file.source.text.rfind("\n", 0, first) + 1 : first].strip()
    here = file.indentation(block[0].site) if on_own_line else ""
    if here != indent and any(_spans_lines(file, node) for node in ir.walk(block)):
        return None
    lines = []
    for line in text.split("\n"):
        line = line.rstrip("\r")
        inside = line[len(here) :] if line.startswith(here) else line.lstrip()
        lines.append(indent + inside if inside.strip() else "")
    return lines


def _spans_lines(file: File, node: ir.Node) -> bool:
    """Whether this is a string literal in triple quotes that goes over several lines."""
    if not isinstance(node, ir.Format) and not (isinstance(node, ir.Constant) and isinstance(node.value, (str, bytes))):
        return False
    code = file.code(node.site)
    return "\n" in code and ('"""' in code or "'''" in code)


def opening(file: File, statement: ir.Statement) -> tuple[int, str]:
    """Where a function that takes the place of ``statement`` begins, and what comes first: an empty line if none is there."""
    text, start = file.source.text, file.span(statement.site)[0]
    line = text.rfind("\n", 0, start) + 1
    above = text[text.rfind("\n", 0, line - 1) + 1 : line].strip() if line else ""
    if not above or above.endswith(":") or above.startswith("#") or text[line:start].strip():
        return start, ""
    return line, file.source.newline + text[line:start]


def step(file: File, statement: ir.Statement, block: list[ir.Statement]) -> str:
    """One step of indentation, as the block of ``statement`` has it."""
    outer, inner = file.indentation(statement.site), file.indentation(block[0].site)
    return inner[len(outer) :] if inner.startswith(outer) and inner != outer else "    "


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
