"""Where the nodes of the IR stand in the text, worked out from Python's own tree for those that are asked for."""

from __future__ import annotations

import _ast as tree
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

from jaxlint.source.relevance import encodable

Span = tuple[int, int]
_BLANK = re.compile(r"(?:\s|\\(?=[\r\n])|#[^\r\n]*)*")
_NAME = re.compile(r"\w+")


class Part:
    """The place of a node that is the beginning of another one in Python's tree: `a and b` in `a and b and c`."""

    __slots__ = ("whole", "last")

    def __init__(self, whole: Any, last: Any) -> None:
        self.whole = whole
        self.last = last


class Positions(Sequence["Span | None"]):
    """Start and end offset of each node, by site; parentheses around an expression are left out, as libCST has it.

    ``places`` has the node of Python's tree for each. ``whole`` gives all positions from the other front end, for the
    nodes that lie in f-strings where Python does not say where these stand (before Python 3.12).
    """

    def __init__(
        self, text: str, places: Sequence[Any], unsure: Sequence[Span], whole: Callable[[], Sequence[Span | None]]
    ) -> None:
        self._text = text
        self._places = places
        self._unsure = unsure
        self._whole = whole
        self._starts: list[int] = []  # of rows
        self._ascii = False

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, site: int) -> Span | None: ...
    @overload
    def __getitem__(self, site: slice) -> Sequence[Span | None]: ...
    def __getitem__(self, site: int | slice) -> Any:
        if isinstance(site, slice):
            return [self[each] for each in range(len(self))[site]]
        at = bisect_right(self._unsure, (site, len(self))) - 1
        if at >= 0 and site < self._unsure[at][1]:
            return self._whole()[site]
        place = self._places[site]
        known = _BY_KIND.get(type(place))
        return self._span(place) if known is None else known(self, place)

    def __iter__(self) -> Iterator[Span | None]:
        return (self[site] for site in range(len(self)))

    def _span(self, node: Any) -> Span:
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, row: int, column: int) -> int:
        """The offset of a place that is told in bytes of UTF-8."""
        if not self._starts:
            self._starts = [0, *(found.end() for found in re.finditer(r"\r\n?|\n", self._text))]
            self._ascii = self._text.isascii()
        start = self._starts[row - 1]
        if self._ascii:
            return start + column
        line = self._text[start : start + column]  # a character has at least one byte
        if not line.isascii():
            line = encodable(line).encode()[:column].decode(errors="ignore")
        return start + len(line)

    def _closed(self, end: int, limit: int) -> int:
        """Where an expression ends together with the parentheses around it, at most at ``limit``."""
        at = end
        while True:
            at = self._skip(at)
            if at >= limit or self._text[at] != ")":
                return end
            at = end = at + 1

    def _skip(self, at: int) -> int:
        """Where the next token begins."""
        found = _BLANK.match(self._text, at)
        return found.end() if found is not None else at

    def _module(self, _: Any) -> Span:
        return 0, len(self._text)

    def _tuple(self, node: Any) -> Span:
        """Without the parentheses of the tuple itself, which are around its elements and not around the first alone."""
        start, end = self._span(node)
        if self._text[start] != "(":
            return start, end
        if node.elts:
            first = self._span(node.elts[0])
            after, closed = first[1], 0
            while (after := self._skip(after)) < end and self._text[after] == ")":
                after, closed = after + 1, closed + 1
            if self._opened(start, first[0]) <= closed:
                return start, end
        return self._inside(start, end, node.elts)

    def _opened(self, start: int, end: int) -> int:
        """How many parentheses are opened between two tokens."""
        count = 0
        while (start := self._skip(start)) < end:
            count, start = count + 1, start + 1
        return count

    def _inside(self, start: int, end: int, parts: Sequence[Any]) -> Span:
        """What is between two parentheses: parts, and a comma that may follow them."""
        inner = self._skip(start + 1)
        if not parts:
            return inner, inner
        at = self._closed(self._span(parts[-1])[1], end - 1)
        comma = self._skip(at)
        return inner, comma + 1 if self._text[comma] == "," else at

    def _generator(self, node: Any) -> Span:
        start, end = self._span(node)
        last = node.generators[-1]
        return self._skip(start + 1), self._closed(self._span((last.ifs or [last.iter])[-1])[1], end - 1)

    def _parameter(self, node: Any) -> Span:
        """Its name, with the stars before it."""
        start = self._offset(node.lineno, node.col_offset)
        found = _NAME.match(self._text, start)
        at = start
        while self._text[at - 1] in " \t\r\n\f\\":
            at -= 1
        while self._text[at - 1] == "*":
            start = at = at - 1
        return start, found.end() if found is not None else start

    def _part(self, place: Part) -> Span:
        start, end = self._span(place.whole)
        return start, self._closed(self._span(place.last)[1], end)

    def _case(self, node: Any) -> Span:
        start = self._span(node.pattern)[0]
        return self._text.rindex("case", 0, start), self._span(node.body[-1])[1]

    def _sequence_pattern(self, node: Any) -> Span:
        start, end = self._span(node)
        return self._inside(start, end, node.patterns) if self._text[start] == "(" else (start, end)

    def _clause(self, node: Any) -> Span:
        """From the target on: Python's tree does not say where `for` stands."""
        return self._span(node.target)[0], self._span((node.ifs or [node.iter])[-1])[1]

    def _with_item(self, node: Any) -> Span:
        start = self._span(node.context_expr)[0]
        end = self._span(node.context_expr if node.optional_vars is None else node.optional_vars)[1]
        return start, end


_BY_KIND: dict[type, Callable[[Positions, Any], Span | None]] = {
    tree.Module: Positions._module,
    tree.Tuple: Positions._tuple,
    tree.GeneratorExp: Positions._generator,
    tree.arg: Positions._parameter,
    tree.withitem: Positions._with_item,
    tree.comprehension: Positions._clause,
    tree.match_case: Positions._case,
    tree.MatchSequence: Positions._sequence_pattern,
    Part: Positions._part,
}
