"""Whole statements put in, taken out or looked at, with the lines on which they stand."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Edit


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

    None where it is all that its block holds, where it shares a line, or has a comment.
    """
    start, end = file.span(statement.site)
    first, last = line_start(file, start), line_end(file, end)
    text, newline = file.source.text, file.source.newline
    alone = len(file.unit.block(statement.site)) < 2 or not stands_on_own_lines(file, statement)
    if alone or file.has_comment(first, last) or last == len(text):
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
