"""Arguments that a fix adds to a call that has each on a line of its own: they get theirs too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from jaxlint.source.diagnostic import Edit
from jaxlint.source.relevance import tree_of
from jaxlint.source.text import Source

_LINE_ENDS = re.compile(r",[ \t]*(?:#[^\r\n]*)?[\r\n]")


def on_own_lines(source: Source, edits: Iterable[Edit]) -> Iterator[Edit]:
    """The edits, with line breaks in those that add arguments behind one that stands alone on its line."""
    for edit in edits:
        added = arguments(edit.content[2:]) if edit.start == edit.end and edit.content.startswith(", ") else None
        if added is not None and _LINE_ENDS.match(source.text, edit.end):
            line = source.line(source.position(edit.start).row)
            argument = line[: source.position(edit.start).column - 1]
            indent = argument[: len(argument) - len(argument.lstrip(" \t"))]
            alone = arguments(argument.strip())
            if indent and alone is not None and len(alone) == 1:
                edit = Edit(edit.start, edit.end, "".join(f",{source.newline}{indent}{each}" for each in added))
        yield edit


def arguments(text: str) -> list[str] | None:
    """The arguments of which a text of one line consists; None where it is something else."""
    if not text.isascii():  # ast counts bytes
        return None
    tree = tree_of(f"f({text})")
    statement = tree.body[0] if tree is not None else None
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or call.end_lineno != 1 or call.end_col_offset != len(text) + 3:
        return None
    given: list[ast.expr | ast.keyword] = [*call.args, *call.keywords]
    parts = sorted(given, key=lambda part: part.col_offset)
    starts = [part.col_offset - 2 for part in parts]
    texts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)])]
    return [each.strip().removesuffix(",").rstrip() for each in texts]
