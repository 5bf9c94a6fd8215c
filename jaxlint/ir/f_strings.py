"""f-strings as Python's own parser gives them, of which the tree does not tell which fields show their source."""

from __future__ import annotations

import _ast as tree
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from jaxlint.ir import nodes as ir
from jaxlint.ir.scopes import IRNode, Scopes, joined
from jaxlint.source.lexer import format_fields

_SHOWS_SOURCE = re.compile(r"=\s*[!:}#]")  # `f"{x=}"`, whose `x=` is text like any other in the tree
_PLACES_FIELDS = sys.version_info >= (3, 12)
_SHOWN = re.compile(r"=\s*(![rsa]\s*)?\Z")


class Unclear(Exception):
    """The tree does not say how the text was written."""


class FormatStrings(Scopes):
    """The part of a walk over Python's own tree that makes nodes, and those of f-strings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        # The lines of a text in which an f-string may show the source of a value.
        self.lines = re.split(r"\r\n?|\n", text) if _SHOWS_SOURCE.search(text) else None
        self.fields: list[str] | None = None  # what is written in the fields of such an f-string, the next one last
        self.places: list[Any] = []  # of each node: the node of Python's tree, or where in one it ends
        self.unsure: list[
            tuple[int, int]
        ] = []  # from which site to which one nodes stand in an f-string, without a sure place

    def make(self, kind: Callable[..., IRNode], node: Any, *values: Any) -> IRNode:
        made = kind(self.first + len(self.nodes), *values)
        self.nodes.append(made)
        self.places.append(node)
        return made

    def formatted(self, node: Any) -> Any:
        if self.fields is not None:
            raise Unclear  # not every Python tells where an f-string in an f-string stands
        lines = self.lines
        if lines is not None:
            written = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            if _SHOWS_SOURCE.search(written):
                last = len(lines[node.end_lineno - 1]) - len(
                    lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode()
                )
                first = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
                self.fields = list(format_fields(written[first : len(written) - last]))[::-1]
        self.lines = None
        first = len(self.nodes)
        pieces = joined(self.pieces(node))
        if not _PLACES_FIELDS and len(self.nodes) > first:
            self.unsure.append((first, len(self.nodes)))
        made = self.make(ir.Format, node, pieces)
        if self.fields:
            raise Unclear
        self.lines, self.fields = lines, None
        return made

    def pieces(self, node: Any) -> Iterator[Any]:
        for part, after in zip(node.values, [*node.values[1:], None]):
            if type(part) is tree.FormattedValue:
                conversion = chr(part.conversion) if part.conversion > 0 else None
                shown = None
                if self.fields is not None:
                    if not self.fields:
                        raise Unclear
                    shown = _SHOWN.search(self.fields.pop())
                    if shown is not None and shown[1] is None:
                        conversion = None  # the tree says "r"
                spec = None
                if part.format_spec is not None:
                    spec = self.make(ir.Format, part, joined(self.pieces(part.format_spec)))
                value = self.expression(part.value)
                yield self.make(ir.Field, part, value, conversion, spec, shown is not None)
            elif self.fields and after is not None:
                yield self.without_source(part.value, self.fields[-1])
            else:
                yield part.value

    def without_source(self, text: str, field: str) -> str:
        """A text of an f-string, less the source that the field behind it shows."""
        shown = _SHOWN.search(field)
        if shown is None:
            return text
        source = field[: shown.end() if shown[1] is None else shown.start(1)]
        if not text.endswith(source):
            raise Unclear
        return text[: len(text) - len(source)]

    def expression(self, node: Any) -> Any:
        raise NotImplementedError
