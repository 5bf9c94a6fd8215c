"""Lines that a fix has made too long, broken where formatters break them.

Only a statement that stands on one line is broken, and only where the line that was there fitted and no `# fmt: off` is about it. A call or a
subscript is broken inside its last brackets that leave a first line which fits; an operation is put into
parentheses; an unparenthesised tuple gets a line for each element. Within brackets, a line of several arguments gets a line
for each where it is all that the brackets hold, and a line of one argument is broken as a statement is, without parentheses.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from jaxlint.fixing.argument_lines import arguments
from jaxlint.fixing.format_pragmas import Unformatted
from jaxlint.fixing.power_spacing import spaced
from jaxlint.source.diagnostic import Edit
from jaxlint.source.lexer import strings_and_comments, without_literals
from jaxlint.source.relevance import is_plain_python, tree_of
from jaxlint.source.text import Source

INDENT = "    "

_LINE = re.compile(r"[^\r\n]*")
_MARK = re.compile(r"[()\[\]{}]|\r\n?|\n")
_BRACKETS = (ast.Call, ast.Subscript)
_DISPLAYS = (ast.List, ast.Set, ast.Dict)
_EQUALLY_TIGHT = ((ast.Add, ast.Sub), (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.MatMult))
_OPERATIONS = (ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Attribute)


def wrapped(before: Source, after: str, edits: Iterable[Edit], limit: int) -> str:
    """``after``, which is ``before`` with the edits made, with the lines broken that are too long because of them."""
    starts = set()
    lines_before: dict[int, str] = {}  # of those that begin at the same place, as they were
    moved = 0
    for edit in sorted(set(edits), key=lambda edit: (edit.start, edit.end, edit.content)):
        row = before.position(edit.start).row
        first = edit.start + moved
        moved += len(edit.content) - (edit.end - edit.start)
        last = first + len(edit.content)
        whole = all(before.text[at - 1 : at] in ("", "\r", "\n") for at in (edit.start, edit.end))
        if whole and edit.content[-1:] in ("", "\r", "\n"):
            last -= 1  # the line behind whole lines that come or go is as it was
        if last < first:
            continue
        lines_before.setdefault(next(_line_starts(after, first, first)), before.line(row))
        if len(before.line(row)) <= limit:
            starts |= set(_line_starts(after, first, last))
    unformatted = Unformatted(after)
    enclosed = _enclosed_lines(after)
    for start in sorted(starts | lines_before.keys(), reverse=True):
        if start in unformatted:
            continue
        found = _LINE.match(after, start)
        assert found is not None
        line = spaced(lines_before[start], found[0]) if start in lines_before else found[0]
        lines = None
        if start in starts and len(line) > limit:
            lines = _arguments_apart(after, start, line, limit) if start in enclosed else _broken(line, limit)
        after = after[:start] + before.newline.join(lines or [line]) + after[found.end() :]
    return after


def _line_starts(text: str, first: int, last: int) -> Iterator[int]:
    """Where the lines begin that hold a piece of the text."""
    start = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    while True:
        yield start
        end = re.compile(r"\r\n?|\n").search(text, start)
        if end is None or end.end() > last:
            return
        start = end.end()


def _enclosed_lines(text: str) -> frozenset[int]:
    """Where the lines begin that brackets enclose."""
    depth, found = 0, []
    for mark in _MARK.finditer(without_literals(text)):
        depth = depth if mark[0] in "\r\n" else max(0, depth + (1 if mark[0] in "([{" else -1))
        if mark[0] in "\r\n" and depth:
            found.append(mark.end())
    return frozenset(found)


def _arguments_apart(text: str, start: int, line: str, limit: int) -> list[str] | None:
    """The lines to write for a line within brackets; None where it does not hold whole arguments."""
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    code, comment = _without_comment(line)
    given = arguments(code.strip())
    if not given:
        return None
    if len(given) == 1:
        lines = _broken(indent + given[0], limit, enclosed=True)
        return [*lines[:-1], f"{lines[-1]}{',' if code.endswith(',') else ''}{comment}"] if lines else None
    before, after = text[:start].rstrip(), text[start + len(line) :].lstrip()
    lines = [f"{indent}{each}," for each in given]
    if before[-1:] not in "([{" or after[:1] not in ")]}" or any(len(each) > limit for each in lines):
        return None
    return [*lines[:-1], lines[-1] + comment]


def _broken(line: str, limit: int, enclosed: bool = False) -> list[str] | None:
    """The lines to write for one line; None where it is no whole statement, or cannot be broken well."""
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    code, comment = _without_comment(line)
    statement = code.strip()
    tree = tree_of(statement) if statement.isascii() else None  # ast counts bytes
    if tree is None:
        return None
    body = tree.body
    if len(body) == 1 and isinstance(body[0], ast.ImportFrom) and not statement.endswith(")"):
        head, _, names = statement.partition(" import ")
        lines = [
            f"{indent}{head} import (",
            *(f"{indent}{INDENT}{name.strip()}," for name in names.split(",")),
            f"{indent})",
        ]
        return [*lines[:-1], lines[-1] + comment] if all(len(each) <= limit for each in lines) else None
    if len(body) != 1 or not isinstance(body[0], (ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)):
        return None
    value = body[0].value
    if value is None or value.end_lineno != 1 or value.end_col_offset != len(statement):
        return None
    bare_tuple = isinstance(value, ast.Tuple) and not _is_enclosed(statement[value.col_offset :])
    for head, elements, tail in _ways(statement, value, enclosed or isinstance(body[0], ast.Expr)):
        each_alone = [f"{element}," for element in elements] if len(elements) > 1 else []
        for inner in (each_alone,) if bare_tuple else ([", ".join(elements)], each_alone):
            lines = [indent + head, *(indent + INDENT + each for each in inner), indent + tail]
            # The comment stays behind the statement; what it makes too long is no reason to break it further.
            if inner and all(len(each) <= limit for each in lines):
                return [*lines[:-1], lines[-1] + comment]
    return None


def _ways(statement: str, value: ast.expr, bare: bool) -> Iterator[tuple[str, list[str], str]]:
    """Ways to break a statement: what goes on the first line, the elements in between, what goes on the last."""
    start = value.col_offset
    if isinstance(value, ast.Tuple) and not _is_enclosed(statement[start:]):
        yield statement[:start] + "(", _elements(statement, value.elts, start, len(statement)), ")"
        return
    last = _only_right(value)
    if last is not None and last.end_col_offset == len(statement):
        yield from _inside_brackets(statement, last)
    elif last is not None and statement[last.end_col_offset :].strip() == ")":
        opening = statement.rindex("(", 0, last.col_offset) + 1
        yield statement[:opening], [statement[opening:-1].strip()], ")"
    if isinstance(value, _OPERATIONS) and not bare:
        yield statement[:start] + "(", [statement[start:]], ")"
        return
    if isinstance(value, (ast.Tuple, *_DISPLAYS)):
        parts = value.elts if not isinstance(value, ast.Dict) else None
        inner = statement[start + 1 : -1]
        elements = [inner] if parts is None else _elements(statement, parts, start + 1, len(statement) - 1)
        yield statement[: start + 1], elements, statement[-1]
        return
    yield from _inside_brackets(statement, value)


def _is_enclosed(code: str) -> bool:
    """Whether parentheses are around the whole of a tuple, and not around its first element."""
    if code[0] != "(" or code[-1] != ")":
        return False
    return is_plain_python(f"[{code[1:-1]}]")


def _only_right(value: ast.expr) -> ast.expr | None:
    """The right side of an operation with a single operator; operators that are several are broken at, all of them."""
    if isinstance(value, ast.Compare):
        return value.comparators[0] if len(value.ops) == 1 else None
    if isinstance(value, ast.BoolOp):
        return value.values[1] if len(value.values) == 2 else None
    if isinstance(value, ast.BinOp):
        alike = next((group for group in _EQUALLY_TIGHT if isinstance(value.op, group)), (type(value.op),))
        chained = isinstance(value.left, ast.BinOp) and isinstance(value.left.op, alike)
        return None if chained else value.right
    return None


def _inside_brackets(statement: str, node: ast.expr) -> Iterator[tuple[str, list[str], str]]:
    while isinstance(node, (*_BRACKETS, ast.Attribute)):
        if isinstance(node, ast.Call) and (node.args or node.keywords):
            opening = statement.index("(", node.func.end_col_offset or 0) + 1
            closing = (node.end_col_offset or 0) - 1
            given: list[ast.expr | ast.keyword] = [*node.args, *node.keywords]
            parts = sorted(given, key=lambda part: part.col_offset)
            yield statement[:opening], _elements(statement, parts, opening, closing), statement[closing:]
        elif isinstance(node, ast.Subscript):
            opening = statement.index("[", node.value.end_col_offset or 0) + 1
            closing = (node.end_col_offset or 0) - 1
            yield statement[:opening], [statement[opening:closing]], statement[closing:]
        node = node.func if isinstance(node, ast.Call) else node.value


def _elements(statement: str, parts: Sequence[Any], start: int, end: int) -> list[str]:
    """The texts of elements, with the parentheses around them."""
    edges = [start]
    for part, following in itertools.pairwise(parts):
        edges.append(statement.index(",", part.end_col_offset, following.col_offset) + 1)
    edges.append(end)
    return [statement[a:b].strip().rstrip(",").rstrip() for a, b in itertools.pairwise(edges)]


def _without_comment(line: str) -> tuple[str, str]:
    """The code of a line, and the comment behind it with the space between."""
    for start, _, kind in strings_and_comments(line):
        if kind == "comment":
            code = line[:start].rstrip()
            return code, line[len(code) :]
    return line.rstrip(), ""
