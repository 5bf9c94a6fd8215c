"""Golden files of messages: ``bad.txt`` holds the findings in ``bad.py``. Imports no jax.

A place is written as its line of code with the marked part between guillemets, below the function
that holds it: unlike a row number it stays the same when a case is added above.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jaxlint.report.text import slashed, visible
from jaxlint.source.diagnostic import Diagnostic
from jaxlint.source.text import Position
from jaxlint.verify.fixture import lines_of

MODULE = "<module>"
LONGEST = 100  # code points of a marked part; of a longer one the two ends are shown


def golden_path(path: Path) -> Path:
    """The golden file of messages that belongs to a fixture file."""
    return path.with_suffix(".txt")


def rendered(diagnostics: Sequence[Diagnostic], text: str, path: Path) -> str:
    """Everything that a report says of the findings in ``text``: message, reasons, help and fix."""
    places = Places(text, path)
    return joined(_finding(each, places) for each in diagnostics)


def joined(blocks: Iterable[Iterable[str]]) -> str:
    """The text of a golden file: blocks of lines, a blank line between them."""
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def difference(said: str, path: Path, command: str) -> list[str]:
    """The problem with the golden file of ``path``, if it does not hold what is ``said``; ``command`` rewrites it."""
    golden = golden_path(path)
    advice = f"`python -m jaxlint.verify bless {command}`"
    if not golden.exists():
        return [f"{golden}: is missing; {advice} writes it"]
    kept = golden.read_bytes().decode("utf-8")
    if kept == said:
        return []
    wanted, found = kept.split("\n"), said.split("\n")
    row = next(
        (row for row, (one, other) in enumerate(zip(wanted, found)) if one != other), min(len(wanted), len(found))
    )
    return [
        f"{golden}:{row + 1}: holds {_line(wanted, row)}, and jaxlint says {_line(found, row)};"
        f" {advice} rewrites it: read what it writes"
    ]


def write(said: str, path: Path) -> list[str]:
    """Rewrite the golden file of ``path``; says so if that changed it."""
    golden = golden_path(path)
    content = said.encode("utf-8")
    if golden.exists() and golden.read_bytes() == content:
        return []
    golden.write_bytes(content)
    return [f"{golden}: written"]


def _line(lines: list[str], row: int) -> str:
    return f"`{lines[row]}`" if row < len(lines) else "nothing more"


def _finding(diagnostic: Diagnostic, places: Places) -> Iterator[str]:
    yield places.shown(diagnostic.filename, diagnostic.start, diagnostic.end)
    yield f"  {diagnostic.code} {visible(diagnostic.message)}"
    for step in diagnostic.related:
        yield f"  why: {visible(step.message)}"
        yield f"       {places.shown(step.filename, step.start, step.end)}"
    if diagnostic.help is not None:
        yield f"  help: {visible(diagnostic.help)}"
    if diagnostic.fix is not None:
        yield f"  fix ({diagnostic.fix.applicability.value}): {visible(diagnostic.fix.message)}"


class Places:
    """How places in a file are written, and in the files that its findings point into."""

    def __init__(self, text: str, path: Path) -> None:
        self._path = path
        self._lines = lines_of(text)
        self._scopes = list(_scopes(ast.parse(text), ""))
        self._others: dict[str, Places] = {}

    def shown(self, filename: str, start: Position, end: Position) -> str:
        """A place in this file or in another one: the function around it, and its code."""
        if filename == str(self._path):
            return f"{self._scope(start)}: {self._code(start, end)}"
        if filename not in self._others:
            path = Path(filename)
            self._others[filename] = Places(path.read_bytes().decode("utf-8"), path)
        name = slashed(os.path.relpath(filename, self._path.parent))
        return f"{name}, {self._others[filename].shown(filename, start, end)}"

    def _scope(self, position: Position) -> str:
        """The dotted name of the innermost function or class around a position."""
        return next((name for name, first, last in reversed(self._scopes) if first <= position.row <= last), MODULE)

    def _code(self, start: Position, end: Position) -> str:
        """The line at ``start``, with the text between the two positions marked."""
        first, last = self._lines[start.row - 1], self._lines[end.row - 1]
        marked = first[start.column - 1 : end.column - 1]
        if end.row > start.row:
            between = self._lines[start.row : end.row - 1]
            marked = " ".join("".join([first[start.column - 1 :], *between, last[: end.column - 1]]).split())
        if len(marked) > LONGEST:
            marked = f"{marked[: LONGEST // 2].rstrip()} … {marked[-LONGEST // 2 :].lstrip()}"
        return visible(f"{first[: start.column - 1].lstrip()}«{marked}»{last[end.column - 1 :].rstrip()}")


def _scopes(node: ast.AST, outer: str) -> Iterator[tuple[str, int, int]]:
    """Name, first row (of the decorators) and last row of every function and class, outer ones first."""
    for child in ast.iter_child_nodes(node):
        inner = outer
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            inner = f"{outer}.{child.name}" if outer else child.name
            first = min([child.lineno, *(each.lineno for each in child.decorator_list)])
            yield inner, first, child.end_lineno or child.lineno
        yield from _scopes(child, inner)
