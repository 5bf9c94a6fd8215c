"""Where the imports that a fix needs go, and how they are written there.

Only the head of a module is read: its statements down to the first function, class or loop. An
import there is bound before anything below it runs.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Iterable, Iterator, Optional

from jaxlint.diagnostic import Edit, ImportRequest
from jaxlint.prescan import strings_and_comments
from jaxlint.source import Source

_END_OF_HEAD = re.compile(r"(?:async|class|def|for|while)\b|@")
_IMPORT = re.compile(r"(?:import|from)\b")
_STRING = re.compile(r"[a-zA-Z]{0,2}[\"']")
_BREAK = re.compile(r"[()\[\]{}]|\\(?:\r\n?|\n)|\r\n?|\n")
_CODING = re.compile(r"#!|#.*?coding[:=]")


@dataclass(frozen=True)
class _Line:
    """A statement that starts in the first column, or a comment or blank line between such."""

    start: int
    end: int  # behind its line break
    text: str

    @property
    def imported(self) -> frozenset[ImportRequest]:
        """What the statement imports, if it is an import."""
        if not _IMPORT.match(self.text):
            return frozenset()
        try:
            body = ast.parse(self.text.strip()).body
        except SyntaxError:
            return frozenset()
        found = set()
        for node in body:
            if isinstance(node, ast.Import):
                found |= {ImportRequest(name.name, None, name.asname) for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                found |= {ImportRequest(module, name.name, name.asname) for name in node.names}
        return frozenset(found)


def resolve_imports(source: Source, requests: Iterable[ImportRequest], before: Optional[int] = None) -> list[Edit]:
    """The edit that adds what ``requests`` ask for; none where the file imports it all already.

    The new lines stand below an import of the same package, else below the last import of the head,
    else below the docstring and the first comment. ``before`` is the offset of the code that needs
    them, if it may itself be in the head.
    """
    wanted = set(requests)
    if not wanted:
        return []
    text = source.text
    limit = len(text) if before is None else before
    anchor: Optional[_Line] = None  # import of the same package
    last_import: Optional[_Line] = None
    last_future: Optional[_Line] = None
    docstring: Optional[_Line] = None
    packages = {_package(request.module) for request in wanted}
    first = True
    for line in _head(text):
        if line.start >= limit:
            break
        if first and _STRING.match(line.text):
            docstring = line
        first = first and not line.text.strip().partition("#")[0]
        imported = line.imported
        if not imported:
            continue
        wanted -= imported
        if any(request.module == "__future__" for request in imported):
            last_future = line
            continue
        last_import = line
        if packages & {_package(request.module) for request in imported}:
            anchor = line
    if not wanted:
        return []
    newline = source.newline
    lines = newline.join(_written(wanted)) + newline
    below = anchor or last_import
    if below is not None:
        return [_insert(text, below.end, lines, newline, blank_above=False, blank_below=False)]
    below = last_future or docstring
    offset = below.end if below is not None else _below_first_comment(text)
    return [_insert(text, offset, lines, newline, blank_above=offset > 0, blank_below=True)]


def _package(module: str) -> str:
    return module.split(".")[0]


def _written(requests: set[ImportRequest]) -> list[str]:
    """The statements that import what is requested, each module of a ``from`` once."""
    plain = sorted((r.module, r.alias or "") for r in requests if r.name is None)
    written = [f"import {module} as {alias}" if alias else f"import {module}" for module, alias in plain]
    for module in sorted({request.module for request in requests if request.name is not None}):
        names = sorted((r.name, r.alias or "") for r in requests if r.module == module and r.name is not None)
        listed = ", ".join(f"{name} as {alias}" if alias else name for name, alias in names)
        written.append(f"from {module} import {listed}")
    return written


def _insert(text: str, offset: int, lines: str, newline: str, *, blank_above: bool, blank_below: bool) -> Edit:
    above = "" if offset == 0 or text[offset - 1] in "\r\n" else newline  # the last line may lack a line break
    if blank_above and not re.search(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)\Z", text[:offset]):
        above += newline
    rest = text[offset:]
    below = newline if blank_below and rest and not re.match(r"[ \t]*(?:\r\n?|\n)", rest) else ""
    return Edit(offset, offset, above + lines + below)


def _below_first_comment(text: str) -> int:
    """Offset below the comment that heads a file: the licence, or at least what must come first."""
    lines = re.findall(r"[^\r\n]*(?:\r\n?|\n|\Z)", text)
    heading = 0
    while heading < len(lines) and lines[heading].startswith("#"):
        heading += 1
    if heading < len(lines) and lines[heading].strip():
        # The comment belongs to the statement below it.
        heading = sum(1 for line in lines[: min(heading, 2)] if _CODING.match(line))
    return sum(map(len, lines[:heading]))


def _head(text: str) -> Iterator[_Line]:
    """The lines of the first column down to the end of the head, statements in one piece."""
    for start, end in _logical_lines(text):
        line = text[start:end]
        if _END_OF_HEAD.match(line):
            return
        if line[:1] not in (" ", "\t", "\f"):
            yield _Line(start, end, line)


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
