"""Which lines a formatter is told to leave as they are: from ``# fmt: off`` to ``# fmt: on``, and before ``# fmt: skip``."""

from __future__ import annotations

import re
from bisect import bisect_right

from jaxlint.source.lexer import strings_and_comments

_ANY = re.compile(r"#\s*(?:fmt|yapf):")
_PRAGMA = re.compile(r"#\s*(?:fmt:\s*(off|on|skip)|yapf:\s*(disable|enable))\b")
_OFF, _ON, _SKIP = ("off", "disable"), ("on", "enable"), "skip"
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")


class Unformatted:
    """The spans of a text that are left as they are written."""

    def __init__(self, text: str) -> None:
        self._spans: list[tuple[int, int]] = []
        if not _ANY.search(text):
            return
        since: tuple[int, int] | None = None  # where the lines begin, and how far the comment is indented
        for start, end, kind in strings_and_comments(text):
            pragma = _PRAGMA.match(text, start, end) if kind == "comment" else None
            if pragma is None:
                continue
            word = pragma[1] or pragma[2]
            line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
            alone = not text[line:start].strip()
            if word in _ON and since is not None:
                self._spans.append((since[0], start))
                since = None
            elif word in _OFF and alone and since is None:
                since = line, start - line
            elif since is None and not alone and word in (_SKIP, "disable"):
                self._spans.append((_statement(text, line), start))
        if since is not None:
            self._spans.append((since[0], _end_of_block(text, *since)))

    def __contains__(self, offset: int) -> bool:
        at = bisect_right(self._spans, (offset, len(self._spans) and self._spans[-1][1] + 1)) - 1
        return at >= 0 and self._spans[at][0] <= offset < self._spans[at][1]


def _statement(text: str, line: int) -> int:
    """Where the statement begins whose last line begins at ``line``, by its brackets."""
    depth = 0
    while True:
        found = _LINE.match(text, line)
        code = re.sub(r"#.*|\"[^\"\n]*\"|'[^'\n]*'", "", found[0] if found else "")
        depth += sum(map(code.count, ")]}")) - sum(map(code.count, "([{"))
        if depth <= 0 or line == 0:
            return line
        line = max(text.rfind("\n", 0, line - 1), text.rfind("\r", 0, line - 1)) + 1


def _end_of_block(text: str, start: int, indent: int) -> int:
    """Where the block ends in which a comment stands."""
    for line in _LINE.finditer(text, start):
        code = line[0].strip()
        if code and len(line[0]) - len(line[0].lstrip()) < indent:
            return line.start()
    return len(text)
