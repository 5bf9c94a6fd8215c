"""What the conditions around a place ask about: where one may be false, it may be what keeps a value out that fails there.

A tracer that a predicate is asked about is no longer certain to be one (`narrow`). Plain values stay what they are, as
the branches in the branch depend on them; but that an integer is no key, or beyond an array, is not said behind
``if is_key(value)`` or ``if i < n``.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_FOLLOWED = frozenset({v.Const, v.Static, v.Tuple, v.Ref, v.Host, v.Array})


class Condition:
    """A condition that may be true or false, and those around it. The values it mentions are looked up lazily."""

    __slots__ = ("node", "frame", "around", "identities", "values")

    def __init__(self, node: ir.Node, frame: Frame, around: Condition | None) -> None:
        self.node = node
        self.frame = frame
        self.around = around
        self.identities: frozenset[Hashable] | None = None  # of what is asked about, with what is asked around it
        self.values: list[v.Value] = []  # kept, as some are known by their address


class PathConditions(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.names: dict[int, list[str]] = {}  # those in an expression, by its site
        self.conditions: dict[int, list[str]] = {}  # and those that a condition depends on
        self.assigned: dict[int, dict[str, list[ir.Expression]]] = {}  # by function: what is assigned to a name

    def nested(self, condition: ir.Node) -> Condition:
        """What is asked about where this condition, which may be true or false, is one more."""
        return Condition(condition, self.i.frame, self.i.condition)

    @property
    def is_local(self) -> bool:
        """Whether an undecided condition of the same function is around: it may ask what the function was given."""
        return self.i.condition is not None and self.i.condition.frame is self.i.frame

    def may_exclude(self, hazard: Hazard, node: ir.Node, value: v.Value) -> bool:
        """Whether what fails at a node may be what is kept out."""
        if self.i.condition is None or not hazard.of_plain_values:
            return False
        return self._includes((value, *self._named_in(node))) or (
            hazard.of_callers_sizes and self._is_chosen_beside(node)
        )

    def _is_chosen_beside(self, node: ir.Node) -> bool:
        """Whether a node names a parameter, and a condition around it what a caller passes beside: both may go together.

        A condition of a function further out asks about its parameters, or what it loops over.
        """
        frame, condition = self.i.frame, self.i.condition
        given = self._parameters(frame) & set(ir.names_below([node]))
        while given and condition is not None:
            outer = condition.frame is not frame
            passed = self._parameters(condition.frame, loops=outer) - (set() if outer else given)
            if not passed.isdisjoint(self._depends_on(condition)):
                return True
            condition = condition.around
        return False

    def _parameters(self, frame: Frame, loops: bool = False) -> set[str]:
        """The parameters of a function, but the receiver, and with ``loops`` what it binds in `for` loops."""
        scope = frame.scope
        if not isinstance(scope, ir.Function):
            return set()
        found = {each.name for each in scope.parameters if each.name != "self"}
        if loops:
            for each in ir.statements(scope.body, into_scopes=False):
                if isinstance(each, ir.For):
                    found.update(ir.names_below([each.target]))
        return found

    def mentioned(self, variables: dict[str, v.Value]) -> tuple[str, ...]:
        """The variables whose values are asked about."""
        if self.i.condition is None or not any(type(value) in _FOLLOWED for value in variables.values()):
            return ()
        return tuple(name for name, value in variables.items() if self._includes((value,)))

    def _includes(self, values: Iterable[v.Value]) -> bool:
        around = self.i.condition
        identities = self._identities(around) if around is not None else frozenset()
        return any(_identity(value) in identities for value in values)

    def _identities(self, condition: Condition) -> frozenset[Hashable]:
        if condition.identities is None:
            site = condition.node.site
            if site not in self.conditions:
                self.conditions[site] = list(self._depends_on(condition))
            values = self._values(self.conditions[site], condition.frame)
            condition.values = [each for value in values for each in (value, *(self.i.items_of(value) or ()))]
            found = frozenset(_identity(value) for value in condition.values if type(value) in _FOLLOWED)
            condition.identities = found if condition.around is None else found | self._identities(condition.around)
        return condition.identities

    def _depends_on(self, condition: Condition) -> dict[str, None]:
        """The names in it, and in what is assigned to them before it in the function."""
        names = dict.fromkeys(ir.names_below([condition.node]))
        for name in list(names):
            names.update(dict.fromkeys(ir.names_below(self.assigned_to(name, condition.node, condition.frame))))
        return names

    def assigned_to(self, name: str, node: ir.Node, frame: Frame) -> list[ir.Expression]:
        """What is assigned to a name before a node of the function."""
        scope = frame.scope
        if type(scope) is not ir.Function or scope.is_lambda:
            return []
        return [value for value in self._assigned(scope).get(name, ()) if value.site < node.site]

    def _assigned(self, scope: ir.Function) -> dict[str, list[ir.Expression]]:
        if scope.site not in self.assigned:
            found: dict[str, list[ir.Expression]] = {}
            self.assigned[scope.site] = found
            for node in ir.statements(scope.body):
                if isinstance(node, ir.Assign) and len(node.targets) == 1 and type(node.targets[0]) is ir.Name:
                    found.setdefault(node.targets[0].id, []).append(node.value)
        return self.assigned[scope.site]

    def _named_in(self, node: ir.Node) -> list[v.Value]:
        if node.site not in self.names:
            self.names[node.site] = list(ir.names_below([node]))
        return self._values(self.names[node.site], self.i.frame)

    def _values(self, names: Iterable[str], start: Frame) -> list[v.Value]:
        found = []
        for name in names:
            frame = self.i.owner(name, start)
            if frame is not None:
                found.append(self.i.variables(frame)[name])
        return found


def _identity(value: v.Value) -> Hashable:
    return id(value) if value.ident is None else value.ident
