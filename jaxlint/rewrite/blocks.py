"""Statements moved to another place, with the comments that belong to them."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File


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
