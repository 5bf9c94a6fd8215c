"""The spaces around the operator of a power, as formatters put them: none between simple operands.

A fix that changes an operand changes where they belong. Only statements of one line are looked at, and only
where all powers of the line that was there were written so.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from jaxlint.source.relevance import tree_of


def spaced(before: str, after: str) -> str:
    """The line ``after`` a fix with the spaces that its powers have in the line ``before`` it."""
    if "**" not in after or any(text != wanted for _, _, text, wanted in _powers(before) or ()):
        return after
    for start, end, _, wanted in sorted(_powers(after) or (), reverse=True):
        after = after[:start] + wanted + after[end:]
    return after


def _powers(line: str) -> list[tuple[int, int, str, str]] | None:
    """For each power: where its operator stands with the spaces around it, that text, and what formatters write."""
    statement = line.strip()
    tree = tree_of(statement) if statement.isascii() else None  # ast counts bytes
    return None if tree is None else list(_found(tree, statement, line.index(statement)))


def _found(tree: ast.AST, statement: str, indent: int) -> Iterator[tuple[int, int, str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            first, last = node.left.end_col_offset or 0, node.right.col_offset
            between = re.fullmatch(r"(.*?)(\s*\*\*\s*)(.*)", statement[first:last])
            if between is not None:
                is_simple = not between[1] and not between[3] and _is_simple(node.left) and _is_simple(node.right)
                start = indent + first + len(between[1])
                yield start, start + len(between[2]), between[2], "**" if is_simple else " ** "


def _is_simple(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return isinstance(node.operand, ast.Constant) and _is_simple(node.operand)
    if isinstance(node, ast.Attribute):
        return _is_simple(node.value) and not isinstance(node.value, (ast.Constant, ast.UnaryOp))
    return isinstance(node, ast.Name) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex))
    )
