"""Lines that stand under the text behind an open bracket: they move with it where a fix moves the bracket."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from jaxlint.source.diagnostic import Edit
from jaxlint.source.lexer import strings_and_comments, without_literals
from jaxlint.source.text import Source

_LINE = re.compile(r"([^\r\n]*)(?:\r\n?|\n|\Z)")


def realigned(source: Source, edits: Iterable[Edit], limit: int) -> list[Edit]:
    """The edits, and those of the lines below that are aligned with a bracket which they move."""
    given = sorted(set(edits), key=lambda edit: (edit.start, edit.end, edit.content))
    if not any(len(edit.content) != edit.end - edit.start for edit in given):
        return given
    added: list[Edit] = []
    brackets: list[tuple[int, int]] = []  # those that are open: the column behind each, and how far it moves
    code, inside = without_literals(source.text), _starts_inside_strings(source.text)
    for start, line in _lines(source.text):
        indent = len(line) - len(line.lstrip(" "))
        own = [edit for edit in given if edit.start <= start + len(line) and start <= edit.end]
        moved, first = 0, start + indent
        is_whole = all(start <= edit.start and edit.end <= start + len(line) for edit in own)
        if brackets and brackets[-1][0] == indent and line.strip() and start not in inside and is_whole:
            moved = brackets[-1][1]
            longer = sum(len(edit.content) - (edit.end - edit.start) for edit in own)
            moved = moved if len(line) + moved + longer <= limit else 0
            if moved and not any(edit.start < first for edit in own):
                added.append(Edit(start, start, " " * moved) if moved > 0 else Edit(start, start - moved, ""))
        for column in range(indent, len(line)):
            mark = code[start + column]
            if mark in "([{":
                before = [edit for edit in own if edit.end <= start + column]
                # Lines are aligned with text behind a bracket, and not with a bracket that ends its line.
                kept = is_whole and bool(code[start + column + 1 : start + len(line)].strip())
                kept = kept and not any("\n" in edit.content for edit in own)
                kept = kept and not any(edit.start <= start + column < edit.end for edit in own)
                shift = moved + sum(len(edit.content) - (edit.end - edit.start) for edit in before)
                brackets.append((column + 1, shift if kept else 0))
            elif mark in ")]}" and brackets:
                brackets.pop()
    return sorted([*given, *added], key=lambda edit: (edit.start, edit.end, edit.content))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for found in _LINE.finditer(text):
        yield found.start(), found[1]


def _starts_inside_strings(text: str) -> set[int]:
    """Where the lines begin that a string literal holds."""
    breaks = re.compile(r"\r\n?|\n")
    return {
        start + found.end()
        for start, end, _ in strings_and_comments(text)
        for found in breaks.finditer(text[start:end])
    }
