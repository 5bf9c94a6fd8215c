"""What the two ways to the IR share: the table of nodes, and the names that each scope binds and reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar
from unicodedata import normalize

from jaxlint.ir import nodes as ir


class ScopeBuilder:
    """Names seen while the body of one scope is lowered."""

    __slots__ = ("is_class", "bound", "used", "globals", "nonlocals", "inner_free", "is_generator", "qualname")

    def __init__(self, qualname: str, is_class: bool) -> None:
        self.qualname = qualname
        self.is_class = is_class
        self.bound: set[str] = set()
        self.used: set[str] = set()
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.inner_free: set[str] = set()
        self.is_generator = False


IRNode = TypeVar("IRNode", bound=ir.Node)


class Scopes:
    """The state of a walk that writes IR: nodes by site, and the scopes that are open."""

    def __init__(self) -> None:
        self.first = ir.first_site()
        self.nodes: list[Any] = []
        self.scopes: list[ScopeBuilder] = []
        self.comprehensions: list[set[str]] = []
        self.in_comprehension = False  # whether a target is one of a comprehension

    # What each of the two does with its own kind of tree.
    def make(self, kind: Callable[..., IRNode], node: Any, *values: Any) -> IRNode:
        raise NotImplementedError

    def expression(self, node: Any) -> Any:
        raise NotImplementedError

    def optional(self, node: Any) -> Any:
        raise NotImplementedError

    def pattern(self, node: Any) -> Any:
        raise NotImplementedError

    def block(self, suite: Any) -> list[ir.Statement]:
        raise NotImplementedError

    def match(self, node: Any) -> Any:
        subject = self.expression(node.subject)
        cases = []
        for case in node.cases:
            pattern = self.pattern(case.pattern)
            guard = self.optional(case.guard)
            cases.append(self.make(ir.Case, case, pattern, guard, self.block(case.body)))
        return self.make(ir.Match, node, subject, cases)

    def bind(self, name: str) -> None:
        self.scopes[-1].bound.add(name)

    def open(self, name: str, is_class: bool = False) -> ScopeBuilder:
        outer = self.scopes[-1].qualname if self.scopes else ""
        scope = ScopeBuilder(f"{outer}.{name}" if outer else name, is_class)
        self.scopes.append(scope)
        return scope

    def close(self, scope: ir.Scope, name: str, body: list[ir.Statement]) -> None:
        builder = self.scopes.pop()
        declared = builder.globals | builder.nonlocals
        scope.name = name
        scope.qualname = builder.qualname
        scope.body = body
        scope.globals = frozenset(builder.globals)
        scope.nonlocals = frozenset(builder.nonlocals)
        scope.locals = frozenset(builder.bound - declared)
        # Names of a class body are not visible from the functions inside it.
        inner = builder.inner_free if builder.is_class else builder.inner_free - scope.locals
        scope.free = frozenset((builder.used - scope.locals) | inner | declared)
        if self.scopes:
            self.scopes[-1].inner_free |= scope.free

    def function(
        self, made: Any, name: str, parameters: tuple[ir.Parameter, ...], body: Callable[[], list[ir.Statement]]
    ) -> None:
        """Fill in a function whose body is still to be walked; what a `def` says beside is left to the caller."""
        builder = self.open(name)
        builder.bound.update(parameter.name for parameter in parameters)
        statements = body()
        made.parameters = parameters
        made.decorators = ()
        made.returns = None
        made.is_lambda = name == "<lambda>"
        made.is_async = False
        made.is_generator = builder.is_generator
        made.is_method = False
        self.close(made, name, statements)

    def comprehension_target(self, target: Any, names: set[str]) -> Any:
        """A target whose names are those of a comprehension."""
        self.comprehensions.append(names)
        before, self.in_comprehension = self.in_comprehension, True
        made = self.target(target)
        self.in_comprehension = before
        self.comprehensions.pop()
        return made

    def walrus_target(self, target: Any) -> Any:
        """The target of `:=`, which the scope around a comprehension binds."""
        before, self.in_comprehension = self.in_comprehension, False
        made = self.target(target)
        self.in_comprehension = before
        return made

    def target(self, node: Any) -> Any:
        raise NotImplementedError


def identifier(text: str) -> str:
    """The name that an identifier spells, which Python normalises."""
    return text if text.isascii() else normalize("NFKC", text)


def joined(pieces: Iterable[Any]) -> list[Any]:
    """The parts of an f-string: fields, and texts that do not touch."""
    parts: list[Any] = []
    for piece in pieces:
        if type(piece) is not str:
            parts.append(piece)
        elif parts and type(parts[-1]) is str:
            parts[-1] += piece
        elif piece:
            parts.append(piece)
    return parts
