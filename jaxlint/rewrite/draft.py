"""A fix in the making: its edits and imports, as they come together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arguments import append_argument, prepend_argument, renamed, without_argument
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import whole_span
from jaxlint.rewrite.requirements import known, or_none
from jaxlint.rewrite.statements import above, below, opening, removed
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest


def in_order(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits sorted, with all that is put in at one place as one edit, in the order given."""
    found: list[Edit] = []
    for edit in sorted(edits, key=lambda each: (each.start, each.end)):
        last = found[-1] if found else None
        if last is not None and (last.start, last.end) == (edit.start, edit.end) and edit.start == edit.end:
            found[-1] = Edit(edit.start, edit.end, last.content + edit.content)
        else:
            found.append(edit)
    return tuple(found)


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

    def call(self, canonical: str, *arguments: str) -> str:
        """Source text of a call of an API."""
        return f"{self.api(canonical)}({', '.join(arguments)})"

    def use(self, site: int, canonical: str) -> str:
        """Writes an API in the place of a node, and returns how the file spells it."""
        spelled = self.api(canonical)
        self.replace(site, spelled)
        return spelled

    def replace(self, site: int, content: str) -> None:
        self.edits.append(self.file.replace(site, content))

    def replace_whole(self, site: int, content: str) -> None:
        """Puts ``content`` in the place of an expression and the parentheses around it."""
        self.edits.append(Edit(*whole_span(self.file, site), content))

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

    def prepend_argument(self, call: ir.Call, code: str) -> None:
        """Adds ``code`` before the first argument of a call."""
        self.edits.append(prepend_argument(self.file, call, code))

    def remove_argument(self, node: ir.Node) -> None:
        """Takes an argument out of its call."""
        self.edits.append(without_argument(self.file, node))

    def rename(self, node: ir.Parameter | ir.Keyword, name: str) -> None:
        """Gives a parameter, or an argument that is passed by name, another name."""
        self.edits.append(renamed(self.file, node, name))

    def give_option(self, site: int, option: str) -> None:
        """Gives a bare transform an option: `partial(jax.jit, option)`."""
        self.replace(site, self.call("functools.partial", self.file.code(site), option))

    def fix(self, title: str, changes: str = "", level: Applicability = Applicability.UNSAFE) -> Fix:
        return Fix(title, in_order(self.edits), level, self.imports, changes)


@or_none
def passing(
    file: File, call: ir.Call, code: str, title: str, changes: str = "", level: Applicability = Applicability.UNSAFE
) -> Fix:
    """The fix that passes one more argument to a call, as ``code`` writes it."""
    draft = Draft(file)
    draft.append_argument(call, code)
    return draft.fix(title, changes, level)


def using(file: File, site: int, canonical: str, changes: str = "", level: Applicability = Applicability.UNSAFE) -> Fix:
    """The fix that writes an API in the place of a node."""
    draft = Draft(file)
    return draft.fix(f"Use `{draft.use(site, canonical)}`", changes, level)
