"""A fix in the making: what must hold of the code for it to be written, and its edits and imports as they come together."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, overload

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.statements import above, below, removed
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

if TYPE_CHECKING:
    from jaxlint.rewrite.file import File

_T = TypeVar("_T")
_U = TypeVar("_U")
_P = ParamSpec("_P")


class Refused(Exception):
    """The rewrite does not fit the code."""


def offered(write: Callable[_P, _T]) -> Callable[_P, _T | None]:
    """A rewrite that gives None where it, or what it is made of, refuses."""

    @functools.wraps(write)
    def asked(*args: _P.args, **kwargs: _P.kwargs) -> _T | None:
        try:
            return write(*args, **kwargs)
        except Refused:
            return None

    return asked


def needs(condition: object) -> None:
    """Refuses where the condition does not hold."""
    if not condition:
        raise Refused


def some(value: _T | None) -> _T:
    """What was looked for, where there is some; else it refuses."""
    if value is None:
        raise Refused
    return value


@overload
def of_kind(node: object, kind: type[_T], /) -> _T: ...
@overload
def of_kind(node: object, kind: type[_T], other: type[_U], /) -> _T | _U: ...
def of_kind(node: object, *kinds: Any) -> Any:
    """The node, of one of some kinds; refuses where it is of another one."""
    needs(isinstance(node, kinds))
    return node


def plain_call(node: object) -> ir.Call:
    """The call, all of whose arguments are to be seen; refuses where it is no such call."""
    call = of_kind(node, ir.Call)
    needs(not any(isinstance(each, ir.Starred) for each in call.args))
    needs(all(each.name is not None for each in call.keywords))
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
        self.edits.append(some(above(self.file, statement, line)))

    def below(self, statement: ir.Statement, line: str) -> None:
        """Puts a line below a statement."""
        self.edits.append(some(below(self.file, statement, line)))

    def remove(self, statement: ir.Statement) -> None:
        """Takes a statement out with its lines."""
        self.edits.append(some(removed(self.file, statement)))

    def append_argument(self, call: ir.Call, code: str) -> None:
        """Adds ``code`` after the last argument of a call."""
        self.edits.append(some(append_argument(self.file, call, code)))

    def fix(self, title: str, changes: str = "", level: Applicability = Applicability.UNSAFE) -> Fix:
        return Fix(title, in_order(self.edits), level, self.imports, changes)
