"""What the conditions around a place ask about: where one may be false, it may be what keeps a value out that fails there.

A tracer that a predicate is asked about is no longer certain to be one (`narrow`). Plain values stay what they are, as
the branches in the branch depend on them; but that an integer is no key, or beyond an array, is not said behind
``if is_key(value)`` or ``if i < n``.
"""

from __future__ import annotations

from typing import Any, Iterable

from jaxlint import syntax as ir
from jaxlint.semantics import values as v
from jaxlint.semantics.model import Kind

# What fails by the class or number of a plain value, or by the shape of an array.
_PLAIN = frozenset({
    Kind.FLOAT_SIZE, Kind.REFUSED, Kind.OUT_OF_BOUNDS, Kind.SAMPLER, Kind.NON_ARRAY, Kind.AXES, Kind.UNHASHABLE, Kind.LIST_INDEX,
    Kind.UNSUPPORTED_ARGUMENT, Kind.AXIS_NAME, Kind.SPLIT_COUNT, Kind.UNROLLED,
})  # fmt: skip
_FOLLOWED = frozenset({v.Const, v.Static, v.Tuple, v.Ref, v.Host, v.Array})


class Asked:
    """Component of the interpreter."""

    def __init__(self, interpreter: Any) -> None:
        self.i = interpreter
        self.about: dict[Any, v.Value] = {}  # what is asked about around the place at hand
        self.names: dict[int, list[str]] = {}  # those in an expression, by its site
        self.conditions: dict[int, list[str]] = {}  # and those that a condition depends on
        self.assigned: dict[int, dict[str, list[Any]]] = {}  # by function: what is assigned to a name

    def behind(self, condition: Any) -> dict[Any, v.Value]:
        """What is asked about where this condition, which may be true or false, is one more."""
        if condition.site not in self.conditions:
            self.conditions[condition.site] = list(self._depends_on(condition))
        values = self._values(self.conditions[condition.site])
        found = {_identity(value): value for value in values if type(value) in _FOLLOWED}
        return {**self.about, **found} if found else self.about

    def doubts(self, kind: str, node: Any, value: v.Value) -> bool:
        """Whether what fails at a node may be what is kept out."""
        return bool(self.about) and kind in _PLAIN and self._includes((value, *self._named_in(node)))

    def among(self, variables: dict[str, v.Value]) -> tuple[str, ...]:
        """The variables whose values are asked about."""
        return tuple(name for name, value in variables.items() if self._includes((value,))) if self.about else ()

    def _includes(self, values: Iterable[v.Value]) -> bool:
        return any(_identity(value) in self.about for value in values)

    def _depends_on(self, condition: Any) -> dict[str, None]:
        """The names in it, and in what is assigned to them in the function."""
        names = dict.fromkeys(ir.names_below([condition]))
        scope = self.i.unit.scope(condition.site)
        if type(scope) is ir.Function and not scope.is_lambda:
            for name in list(names):
                names.update(dict.fromkeys(ir.names_below(self._assigned(scope).get(name, ()))))
        return names

    def _assigned(self, scope: ir.Function) -> dict[str, list[Any]]:
        if scope.site not in self.assigned:
            found = self.assigned[scope.site] = {}
            for node in ir.walk(scope.body):
                if type(node) is ir.Assign and len(node.targets) == 1 and type(node.targets[0]) is ir.Name:
                    found.setdefault(node.targets[0].id, []).append(node.value)
        return self.assigned[scope.site]

    def _named_in(self, node: Any) -> list[v.Value]:
        if node.site not in self.names:
            self.names[node.site] = list(ir.names_below([node]))
        return self._values(self.names[node.site])

    def _values(self, names: Iterable[str]) -> list[v.Value]:
        found = []
        for name in names:
            frame = self.i.owner(name)
            if frame is not None:
                found.append(self.i.variables(frame)[name])
        return found


def _identity(value: v.Value) -> Any:
    return id(value) if value.ident is None else value.ident
