"""A fix in the making: its edits and imports, as they come together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import append_argument
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.requirements import expect, is_plain, known, require
from jaxlint.rewrite.statements import above, below, opening, removed
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

if TYPE_CHECKING:
    from jaxlint.rewrite.file import File


def plain_call(node: object) -> ir.Call:
    """A node, which has to be a call whose arguments are all to be seen. Raises NoFix for any other."""
    call = expect(ir.Call, node)
    require(is_plain(call.args) and all(each.name is not None for each in call.keywords))
    return call


class Draft:
    """Edits of one file, and the imports that they need."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.edits: list[Edit] = []
        self.imports: frozenset[ImportRequest] = frozenset()

    def api(self, canonical: str) -> str:
        """How to write a canonical API name in the file."""
        spelled, imports = self.file.api(canonical)
        self.imports |= imports
        return spelled

    def replace(self, site: int, content: str) -> None:
        self.edits.append(self.file.replace(site, content))

    def replace_whole(self, site: int, content: str) -> None:
        """Puts ``content`` in the place of an expression and the parentheses around it."""
        self.edits.append(Edit(*self.file.outer_span(site), content))

    def insert(self, offset: int, content: str) -> None:
        self.edits.append(self.file.insert(offset, content))

    def above(self, statement: ir.Statement, line: str) -> None:
        """Puts a line above a statement."""
        self.edits.append(known(above(self.file, statement, line)))

    def below(self, statement: ir.Statement, line: str) -> None:
        """Puts a line below a statement."""
        self.edits.append(known(below(self.file, statement, line)))

    def define_above(self, statement: ir.Statement, head: str, body: Sequence[str]) -> None:
        """Puts a function above a statement, with empty lines around it."""
        indent, newline = self.file.indentation(statement.site), self.file.source.newline
        start, blank = opening(self.file, statement)
        lines = [head, *(f"{indent}    {line}" for line in body), "", ""]
        self.insert(start, blank + newline.join(lines) + ("" if blank else indent))

    def remove(self, statement: ir.Statement) -> None:
        """Takes a statement out with its lines."""
        self.edits.append(known(removed(self.file, statement)))

    def append_argument(self, call: ir.Call, code: str) -> None:
        """Adds ``code`` after the last argument of a call."""
        self.edits.append(known(append_argument(self.file, call, code)))

    def fix(self, title: str, changes: str = "", level: Applicability = Applicability.UNSAFE) -> Fix:
        return Fix(title, in_order(self.edits), level, self.imports, changes)
