"""Parsing a text again after a change: a function or class at the top level that is as it was keeps its tree.

Parsing is most of what looking at a file costs, and while someone types, all but one of its functions stay as they
are. The tree of a text is put together from those of its blocks: a block begins at a ``def``, a ``class`` or a decorator
in the first column, or at the comments above it. Where the blocks do not fit together, the text is parsed whole.
Where the nodes of a block stand in it is kept as well.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

from jaxlint.source.lexer import strings_and_comments
from jaxlint.source.text import Source, SourceError, Spans, parse, spans, spans_by_id

if TYPE_CHECKING:
    import libcst

_START = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]|^@\w", re.MULTILINE)
_ABOVE = re.compile(r"(?:^(?:#[^\n]*)?\n)+\Z", re.MULTILINE)  # empty lines and comments in the first column
_INDENTED = re.compile(r"^[ \t]+[^\s#]", re.MULTILINE)
_SUITES = ("body", "orelse", "finalbody", "handlers", "cases")  # where statements have statements in them

_Span = tuple[int, int]


class _Block:
    """One block: its text, its tree, its first statement as it stands in the whole, and the spans of its nodes by identity."""

    __slots__ = ("text", "module", "first", "spans")

    def __init__(self, text: str) -> None:
        self.text = text
        self.module = parse(Source.from_text(text, "block"))
        self.first: Any = None
        self.spans: dict[int, _Span] | None = None
        for statement in self.module.body:
            _write_indents(statement, self.module.default_indent)


class Blocks:
    """The blocks of one text, kept for the next text that is mostly the same."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], _Block] = {}
        self._module: libcst.Module | None = None  # that was put together last

    def parse(self, source: Source) -> libcst.Module:
        """The tree of a source, as ``jaxlint.source.text.parse`` gives it. Raises SourceError."""
        known: dict[tuple[str, int], _Block] = {}
        times: Counter[str] = Counter()
        try:
            for piece in _pieces(source.text):
                times[piece] += 1
                key = (piece, times[piece])  # what stands there twice is told apart by its nodes
                known[key] = self._known.get(key) or _Block(piece)
        except SourceError:
            return parse(source)  # which says where the error is
        self._known = known
        self._module = _joined(list(known.values()))
        return parse(source) if self._module is None else self._module

    def spans(self, source: Source, module: libcst.Module, nodes: Sequence[Any]) -> Spans:
        """The spans of the nodes of the tree of a source, as ``jaxlint.source.text.spans`` gives them. Raises SourceError."""
        blocks = list(self._known.values())
        if module is not self._module or len(blocks) == 1:
            return spans(module, nodes, source.text)
        wanted = {id(node) for node in nodes}
        try:
            for block in blocks:
                if block.spans is None:
                    block.spans = spans_by_id(block.module, wanted | {id(block.module.body[0])}, block.text)
        except SourceError:
            return spans(module, nodes, source.text)  # which says where it is
        return _Spans(blocks, module, nodes)


class _Spans(Sequence[_Span | None]):
    """The spans of nodes, looked up when they are asked for."""

    def __init__(self, blocks: list[_Block], module: libcst.Module, nodes: Sequence[Any]) -> None:
        self._nodes = nodes
        self._module = module
        self._blocks = []
        self._length = 0
        for block in blocks:
            self._blocks.append((self._length, block))
            self._length += len(block.text)

    def __len__(self) -> int:
        return len(self._nodes)

    @overload
    def __getitem__(self, at: int) -> _Span | None: ...
    @overload
    def __getitem__(self, at: slice) -> list[_Span | None]: ...
    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        node = self._nodes[at]
        if node is self._module:
            return 0, self._length
        for offset, block in self._blocks:
            assert block.spans is not None
            span = block.spans.get(id(block.module.body[0] if node is block.first else node))
            if span is not None:
                return offset + span[0], offset + span[1]
        return None


def _pieces(text: str) -> list[str]:
    strings = [
        (start, end) for start, end, kind in strings_and_comments(text) if kind != "comment" and "\n" in text[start:end]
    ]
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


def _write_indents(statement: Any, indent: str) -> None:
    """Write down at each suite how it is indented: the tree says so only where it is not as usual in the text."""
    for name in _SUITES:
        inner = getattr(statement, name, None)
        if inner is None:
            continue
        if hasattr(inner, "indent"):
            if inner.indent is None:
                object.__setattr__(inner, "indent", indent)
            for each in inner.body:
                _write_indents(each, indent)
        elif isinstance(inner, Sequence):
            for each in inner:
                _write_indents(each, indent)
        else:
            _write_indents(inner, indent)


def _joined(blocks: list[_Block]) -> libcst.Module | None:
    """One module of all blocks; None where their newlines are not of one form."""
    first, last = blocks[0].module, blocks[-1].module
    if len(blocks) == 1:
        return first
    indents = (block.module.default_indent for block in blocks if _INDENTED.search(block.text))
    newlines = {block.module.default_newline for block in blocks}
    if len(newlines) > 1 or not first.body:
        return None
    body = list(first.body)
    footer = first.footer
    for block in blocks[1:]:
        if not block.module.body:
            return None
        statement: Any = block.module.body[0]
        above = (*footer, *block.module.header, *statement.leading_lines)
        block.first = statement.with_changes(leading_lines=above)
        body += (block.first, *block.module.body[1:])
        footer = block.module.footer
    return first.with_changes(
        body=body,
        footer=footer,
        default_indent=next(indents, first.default_indent),
        has_trailing_newline=last.has_trailing_newline,
    )
