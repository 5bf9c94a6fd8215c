"""Parsing a text again after a change: a function or class at the top level that is as it was keeps its tree.

Parsing is most of what looking at a file costs, and while someone types, all but one of its functions stay as they
are. The tree of a text is put together from those of its blocks: a block begins at a ``def``, a ``class`` or a decorator
in the first column, or at the comments above it. Where the blocks do not fit together, the text is parsed whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple, Optional

from jaxlint.prescan import strings_and_comments
from jaxlint.source import Source, SourceError, parse

if TYPE_CHECKING:
    import libcst

_START = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]|^@\w", re.MULTILINE)
_ABOVE = re.compile(r"(?:^(?:#[^\n]*)?\n)+\Z", re.MULTILINE)  # empty lines and comments in the first column
_INDENTED = re.compile(r"^[ \t]+[^\s#]", re.MULTILINE)


class _Block(NamedTuple):
    """One block: its text, and the parts of its tree."""

    text: str
    body: "tuple[libcst.SimpleStatementLine | libcst.BaseCompoundStatement, ...]"
    header: "tuple[libcst.EmptyLine, ...]"
    footer: "tuple[libcst.EmptyLine, ...]"
    module: "libcst.Module"


class Blocks:
    """The blocks of one text, kept for the next text that is mostly the same."""

    def __init__(self) -> None:
        self._known: dict[str, _Block] = {}

    def parse(self, source: Source) -> "libcst.Module":
        """The tree of a source, as ``jaxlint.source.parse`` gives it. Raises SourceError."""
        pieces = _pieces(source.text)
        known: dict[str, _Block] = {}
        try:
            for piece in pieces:
                known[piece] = self._known.get(piece) or known.get(piece) or _parsed(piece)
        except SourceError:
            return parse(source)  # which says where the error is
        self._known = known
        module = _joined([known[piece] for piece in pieces])
        return parse(source) if module is None else module


def _pieces(text: str) -> list[str]:
    strings = [(start, end) for start, end, kind in strings_and_comments(text) if kind != "comment" and "\n" in text[start:end]]
    starts = [start for start, _ in strings]
    cuts = [0]
    decorated = False
    for match in _START.finditer(text):
        at = match.start()
        inside = bisect_right(starts, at) - 1
        if inside >= 0 and at < strings[inside][1]:
            continue
        if not decorated:  # else the block has begun at the decorator
            before = _ABOVE.search(text, cuts[-1], at)
            cut = before.start() if before is not None else at
            if cut > cuts[-1]:
                cuts.append(cut)
        decorated = match[0].startswith("@")
    return [text[start:end] for start, end in zip(cuts, [*cuts[1:], len(text)])]


def _parsed(piece: str) -> _Block:
    module = parse(Source.from_text(piece, "block"))
    return _Block(piece, tuple(module.body), tuple(module.header), tuple(module.footer), module)


def _joined(blocks: list[_Block]) -> "Optional[libcst.Module]":
    """One module of all blocks; None where their white space is not of one form."""
    first, last = blocks[0].module, blocks[-1].module
    if len(blocks) == 1:
        return first
    indents = {block.module.default_indent for block in blocks if _INDENTED.search(block.text)}
    newlines = {block.module.default_newline for block in blocks}
    if len(indents) > 1 or len(newlines) > 1 or not blocks[0].body:
        return None
    body = list(blocks[0].body)
    footer = blocks[0].footer
    for block in blocks[1:]:
        if not block.body:
            return None
        statement = block.body[0]
        above = (*footer, *block.header, *statement.leading_lines)
        body += (statement.with_changes(leading_lines=above), *block.body[1:])
        footer = block.footer
    return first.with_changes(
        body=body,
        footer=footer,
        default_indent=next(iter(indents), first.default_indent),
        has_trailing_newline=last.has_trailing_newline,
    )
