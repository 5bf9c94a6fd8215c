"""The head of a module: its statements down to the first function, class or loop, and what they import."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.source.diagnostic import ImportRequest
from jaxlint.source.lexer import strings_and_comments

# Sections of imports, in their order.
FUTURE, STANDARD, LIBRARY, RELATIVE = range(4)
Order = tuple[int, bool, str]

_END_OF_HEAD = re.compile(r"(?:async|class|def|for|while)\b|@")
_IMPORT = re.compile(r"(?:import|from)\b")
_BREAK = re.compile(r"[()\[\]{}]|\\(?:\r\n?|\n)|\r\n?|\n")
_CODING = re.compile(r"#!|#.*?coding[:=]")


@dataclass(frozen=True)
class Line:
    """A statement that starts in the first column, or a comment or blank line between such."""

    start: int
    end: int  # behind its line break
    text: str

    @functools.cached_property
    def statements(self) -> list[ast.stmt]:
        """The import statements of the line, where it begins with one."""
        if not _IMPORT.match(self.text):
            return []
        try:
            body = ast.parse(self.text.strip()).body
        except SyntaxError:
            return []
        return [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]

    @functools.cached_property
    def imported(self) -> frozenset[ImportRequest]:
        """What the line imports."""
        return frozenset(request for node in self.statements for request in requests_of(node))

    @property
    def is_filler(self) -> bool:
        """Whether it is blank or a comment."""
        return not self.text.strip().partition("#")[0]

    @property
    def is_star(self) -> bool:
        """Whether it imports whatever there is."""
        return any(request.name == "*" for request in self.imported)

    @property
    def order(self) -> Order:
        """That of the first thing it imports."""
        return order_of(requests_of(self.statements[0])[0])


def requests_of(node: ast.stmt) -> list[ImportRequest]:
    """What an import statement imports; nothing for any other statement."""
    if isinstance(node, ast.Import):
        return [ImportRequest(name.name, None, name.asname) for name in node.names]
    if isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        return [ImportRequest(module, name.name, name.asname) for name in node.names]
    return []


def order_of(request: ImportRequest) -> Order:
    """Section, then ``import`` before ``from``, then the module."""
    package = package_of(request.module)
    if package == "__future__":
        section = FUTURE
    elif not package:
        section = RELATIVE
    else:
        section = STANDARD if package in sys.stdlib_module_names else LIBRARY
    return section, request.name is not None, request.module.lower()


def package_of(module: str) -> str:
    """The top-level package of a module; empty for a relative one."""
    return module.partition(".")[0]


def below_first_comment(text: str) -> int:
    """Offset below the comment that heads a file: the licence, or at least what must come first."""
    lines = re.findall(r"[^\r\n]*(?:\r\n?|\n|\Z)", text)
    heading = 0
    while heading < len(lines) and lines[heading].startswith("#"):
        heading += 1
    if heading < len(lines) and lines[heading].strip():
        # The comment belongs to the statement below it.
        heading = sum(1 for line in lines[: min(heading, 2)] if _CODING.match(line))
    return sum(map(len, lines[:heading]))


def head_of(text: str) -> Iterator[Line]:
    """The lines of the first column down to the end of the head, statements in one piece."""
    for start, end in _logical_lines(text):
        line = text[start:end]
        if _END_OF_HEAD.match(line):
            return
        if line[:1] not in (" ", "\t", "\f"):
            yield Line(start, end, line)


def _logical_lines(text: str) -> Iterator[tuple[int, int]]:
    skips = strings_and_comments(text)
    skip = next(skips, None)
    start = position = depth = 0
    while True:
        match = _BREAK.search(text, position)
        while skip is not None and match is not None and match.start() >= skip[0]:
            if match.start() < skip[1]:
                match = _BREAK.search(text, skip[1])
            skip = next(skips, None)
        if match is None:
            break
        position = match.end()
        token = match[0]
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth = max(0, depth - 1)
        elif token[0] != "\\" and depth == 0:
            yield start, position
            start = position
    if start < len(text):
        yield start, len(text)
