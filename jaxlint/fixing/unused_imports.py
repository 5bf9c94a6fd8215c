"""Imports that fixes have left unused, and the edits that remove them.

An import is removed only if nothing else can need it: an import of a library or of the standard library, in the body
of a module or of a function, that the file used before and names nowhere afterwards, in no string, doctest or comment.
An import of the project's own modules may run code that registers something, and others may import its name
from here; it stays.
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.configuration.options import LINE_LENGTH
from jaxlint.fixing.format_pragmas import Unformatted
from jaxlint.fixing.import_block import package_of, requests_of
from jaxlint.source.diagnostic import Edit
from jaxlint.source.libraries import MODELLED
from jaxlint.source.relevance import tree_of
from jaxlint.source.text import Position, Source

_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
_ESCAPE = re.compile(r"\\[a-z]")  # the letter of `\n` is no part of the word that follows it
_DOCTEST = re.compile(r"[^\r\n]*(?:>>>|\.\.\.)[ \t][^\r\n]*")
_SEMICOLON = re.compile(r"[ \t]*;[ \t]*(?=[^\s#;\\])")
_BLANK = re.compile(r"[ \t\f]*(?:\r\n?|\n)")

_Statement = ast.Import | ast.ImportFrom
_Function = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Removal:
    """An import that goes: how to take it away, and the statement that would bring it back."""

    edits: tuple[Edit, ...]
    statement: str


def unused_import(before: Source, after: Source) -> Removal | None:
    """The first import statement of ``after`` with names without a use, that ``before`` used or did not have.

    One statement at a time: which blank lines go with it depends on what is around it then.
    """
    if os.path.basename(after.filename) == "__init__.py":  # what it imports is what it offers
        return None
    old, new = _File.of(before), _File.of(after)
    if old is None or new is None:
        return None
    idle_before = {name for name in old.bound if name not in old.words}
    for statement, body in new.removable():
        names = [(alias, _bound(alias)) for alias in statement.names]
        unused = [alias for alias, name in names if name not in new.words and name not in idle_before]
        removal = new.without(statement, body, unused) if unused else None
        if removal is not None:
            return removal
    return None


def _code(alias: ast.alias) -> str:
    return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def _bound(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


class _File:
    """The import statements of a file, and the words of everything else."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self.statements = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
        self.bound = {_bound(alias) for statement in self.statements for alias in statement.names}
        self.words = self._words()
        self.unformatted = Unformatted(source.text)

    @classmethod
    def of(cls, source: Source) -> _File | None:
        """None if this Python cannot parse the source."""
        tree = tree_of(source.text)
        return None if tree is None else cls(source, tree)

    def _words(self) -> set[str]:
        """Words outside import statements and prose, less those that follow a dot."""
        text = self.source.text
        hidden = [self.source.tree_span(statement) for statement in self.statements]
        for node in ast.walk(self.tree):
            match node:
                case ast.Expr(value=ast.Constant(value=str())):
                    start, end = self.source.tree_span(node)
                    shown = [match.span() for match in _DOCTEST.finditer(text, start, end)]
                    edges = [start, *(edge for span in shown for edge in span), end]
                    hidden += zip(edges[::2], edges[1::2])
        pieces, done = [], 0
        for start, end in sorted(hidden):
            pieces.append(text[done:start])
            done = max(done, end)
        pieces.append(text[done:])
        return set(_WORD.findall(_ESCAPE.sub("  ", " ".join(pieces))))

    def removable(self) -> Iterator[tuple[_Statement, list[ast.stmt]]]:
        """The imports that nothing holds in place, each with the body in which it stands."""
        for node in ast.walk(self.tree):
            if not isinstance(node, (ast.Module, *_Function)):
                continue
            for statement in node.body:
                if isinstance(statement, ast.Import) or (isinstance(statement, ast.ImportFrom) and not statement.level):
                    if isinstance(statement, ast.Import) or _is_removable_module(statement.module or ""):
                        yield statement, node.body

    def without(self, statement: _Statement, body: list[ast.stmt], unused: list[ast.alias]) -> Removal | None:
        """The edits that take the unused names out of a statement; None where they would take more than that."""
        unused = [alias for alias in unused if self._may_go(statement, alias)]
        start, end = self.source.tree_span(statement)
        text = self.source.text
        if not unused:
            return None
        shared = _SEMICOLON.match(text, end) if len(unused) == len(statement.names) else None
        if shared is None and not self._stands_alone(start, end):
            return None
        head = f"from {statement.module} import " if isinstance(statement, ast.ImportFrom) else "import "
        kept = [alias for alias in statement.names if alias not in unused]
        gone = head + ", ".join(_code(alias) for alias in unused)
        in_function = body is not self.tree.body
        if shared is not None:  # the statement behind it moves to its place
            return Removal((Edit(start, shared.end(), ""),), gone) if "#" not in text[start:end] else None
        if kept:
            edits = self._thinned(statement, unused, kept)
            return Removal(tuple(edits), gone) if edits else None
        if "#" in text[start:end] or (in_function and len(body) == 1):  # a function needs a body
            return None
        return Removal((self._without_lines(start, end, in_function and statement is body[0]),), gone)

    def _may_go(self, statement: _Statement, alias: ast.alias) -> bool:
        if alias.name == "*" or alias.asname == alias.name.rpartition(".")[2]:
            return False  # `import x as x` says that others import it from here
        if isinstance(statement, ast.ImportFrom):
            return True
        top = alias.name.partition(".")[0]
        if not _is_removable_module(top):
            return False
        # `import a.b` loads what another import of `a` may reach.
        others = (request for each in self.statements if each is not statement for request in requests_of(each))
        others_of_top = any(package_of(each.module) == top for each in others)
        return alias.asname is not None or "." not in alias.name or not others_of_top

    def _stands_alone(self, start: int, end: int) -> bool:
        """Whether the statement has its lines to itself: no other statement, and no comment behind it."""
        text = self.source.text
        row = self.source.position(end).row
        behind = self.source.line(row)[self.source.position(end).column - 1 :]
        before = self.source.line(self.source.position(start).row)[: self.source.position(start).column - 1]
        return not before.strip() and not behind.strip() and not (start and text[start - 1] == "\\")

    def _thinned(self, statement: _Statement, unused: list[ast.alias], kept: list[ast.alias]) -> list[Edit]:
        """Edits that leave the statement with the names that are kept."""
        text = self.source.text
        start, end = self.source.tree_span(statement)
        spans = [self.source.tree_span(alias) for alias in statement.names]
        own_line = [self._own_line(alias) for alias in unused]
        if all(own_line):
            return [Edit(*line, "") for line in own_line if line is not None]
        if start in self.unformatted:
            return [] if "#" in text[start:end] else self._cut_out(statement, spans, unused)
        first, last = spans[0][0], spans[-1][1]
        content = ", ".join(_code(alias) for alias in kept)
        written = text[start:first] + content + text[last:end]
        row_start = text.rfind("\n", 0, start) + 1
        if "#" in text[start:end] or any(
            len(line) > LINE_LENGTH - (start - row_start) for line in written.splitlines()
        ):
            return []
        return [Edit(first, last, content)]

    def _cut_out(self, statement: _Statement, spans: list[tuple[int, int]], unused: list[ast.alias]) -> list[Edit]:
        """Edits that take names out with a comma each, and leave the layout as it is."""
        edits = []
        for at, alias in enumerate(statement.names):
            if alias in unused:
                is_last = all(each in unused for each in statement.names[at + 1 :])
                cut = (spans[at - 1][1], spans[at][1]) if is_last else (spans[at][0], spans[at + 1][0])
                edits.append(Edit(*cut, ""))
        return edits

    def _own_line(self, alias: ast.alias) -> tuple[int, int] | None:
        """The line that holds this name, its comma, and nothing else."""
        start, end = self.source.tree_span(alias)
        row = self.source.position(start).row
        if self.source.line(row).strip().rstrip(",").rstrip() != self.source.text[start:end]:
            return None
        line_start = self.source.offset(Position(row, 1))
        return line_start, _line_end(self.source.text, end)

    def _without_lines(self, start: int, end: int, first_of_function: bool) -> Edit:
        """The edit that takes a statement and its lines, and the blank lines that would be too many without it."""
        text = self.source.text
        start = self.source.offset(Position(self.source.position(start).row, 1))
        end = _line_end(text, end)
        if start in self.unformatted:
            return Edit(start, end, "")
        above = _blank_lines_above(text, start)
        below: list[int] = []  # where the blank lines below end
        while (match := _BLANK.match(text, below[-1] if below else end)) is not None:
            below.append(match.end())
        at_top = not text[:start].strip()
        surplus = len(below) if at_top or first_of_function else min(above, len(below))
        return Edit(start, below[surplus - 1] if surplus else end, "")


def _is_removable_module(module: str) -> bool:
    top = module.partition(".")[0]
    return top != "__future__" and (top in MODELLED or top in sys.stdlib_module_names)


def _line_end(text: str, offset: int) -> int:
    """The offset behind the line break that ends the line of ``offset``."""
    match = re.compile(r"\r\n?|\n").search(text, offset)
    return match.end() if match else len(text)


def _blank_lines_above(text: str, start: int) -> int:
    """How many blank lines stand directly above a line."""
    count = 0
    lines = re.split(r"\r\n?|\n", text[:start])[:-1]
    for line in reversed(lines):
        if line.strip():
            break
        count += 1
    return count
