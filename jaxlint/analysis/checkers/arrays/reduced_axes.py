"""Arrays beside what a reduction made of them: an axis that is gone, and that the sizes of the others need.

`x - x.mean(axis=1)`: the sizes are not known, but an axis 1 says that there are two axes, and the mean has lost the second.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.checkers.shape_agreement import ShapeMismatch
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.bound_arguments import Given, numbers
from jaxlint.analysis.shapes.laws import REDUCTIONS, is_elementwise
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_PACKAGES = frozenset({"", "jax.numpy", "jax.numpy.linalg", "jax.nn", "jax.scipy.special", "jax.lax"})
_OPERATORS = frozenset({"+", "-", "*", "/", "//", "%", "**", "==", "!=", "<", ">", "<=", ">=", "&", "|", "^"})


class Extent(NamedTuple):
    """The shape of an expression: that of an array, but for the axes that a reduction has taken from it."""

    array: str  # as it is written
    value: v.Value
    gone: frozenset[int] = frozenset()  # axes, counted from the first
    reduction: ir.Node | None = None  # the call that took them


class ReducedAxes(Checker):
    """Arrays and reductions of them that do not broadcast."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.extents: dict[int, Extent] = {}  # by the site of a call or an operator

    def subscribe(self, events: Events) -> None:
        events.reduced.append(self.called)
        events.refuses_array_operands.append(self.operator)

    def called(self, name: str, call: Call, operand: v.Value) -> None:
        """A function or a method of an array."""
        package, _, last = name.rpartition(".")
        node = call.node
        if type(node) is not ir.Call or self.i.is_in_source(node.site):
            return
        self.extents.pop(node.site, None)
        at: ir.Node | None = call.arg_nodes[0] if call.arg_nodes else None
        given = Given(self.i, name, call)
        if not package:  # a method
            given = Given(self.i, f"jax.Array.{name}", call.shifted((operand,), {}))
            at = node.func.value if type(node.func) is ir.Attribute else at
        if at is None or not given.known or package not in _PACKAGES:
            return
        found = self.extent(at, operand)
        if found is None:
            return
        if is_elementwise(last) and len(given.operands) == 1:
            self.extents[node.site] = found
        elif (last in REDUCTIONS or name == "jax.numpy.linalg.norm") and not found.gone and "b" not in given:
            gone = self.axes(given, found, at)
            if gone and given.truth("keepdims") is False and package != "jax.lax":
                self.extents[node.site] = found._replace(gone=gone, reduction=node)

    def axes(self, given: Given, found: Extent, at: ir.Node) -> frozenset[int] | None:
        """The axes that are reduced; None where not all are known, or where they may be the only ones."""
        value = given.get("axis")
        items = [value] if type(value) is v.Const else self.i.items_of(value) if type(value) is v.Tuple else None
        axes = numbers(items) if items else None
        shape = self.shape(found, at)
        if shape is not None:
            known = given.axes(value, len(shape))
            return None if known is None else frozenset(known)
        return frozenset(axes) if axes and min(axes) >= 0 else None

    def shape(self, found: Extent, at: ir.Node) -> v.Shape | None:
        """The shape of the array, or as many unknown sizes as it is unpacked into: `rows, columns = x.shape`."""
        known = self.i.aval_of(found.value).shape
        scope, name = self.i.unit.scope(at.site), found.array.partition(".")[0]
        if known is not None or (bindings(scope, name) and not _is_bound_once(scope, name)):
            return known
        axes = _unpacked_shapes(scope).get(f"{found.array}.shape")
        return None if axes is None else (None,) * axes

    def extent(self, node: ir.Node, value: v.Value) -> Extent | None:
        """Of an operand: what its expression was found to be, or else of the array itself, where it has a name."""
        made = only_value(self.i.frame.scope, node.id) if type(node) is ir.Name else node
        known = self.extents.get(made.site) if made is not None else None
        if known is not None:
            return known
        name = ir.dotted(node)
        return (
            Extent(name, value)
            if name is not None and type(value) in (v.Array, v.Undecided, v.Unknown, v.Host)
            else None
        )

    def operator(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        self.extents.pop(node.site, None)
        if op not in _OPERATORS or len(nodes) != 2 or self.i.is_in_source(node.site):
            return False
        first, second = (self.extent(at, value) for at, value in zip(nodes, operands))
        for one, other in ((first, operands[1]), (second, operands[0])):
            if one is not None and (v.python_type(other) in ("int", "float") or self.i.aval_of(other).shape == ()):
                self.extents[node.site] = one
                return False
        if first is None or second is None or not _are_one(first, second):
            return False
        if first.gone == second.gone:
            self.extents[node.site] = first
            return False
        whole, part = (first, second) if second.gone else (second, first)
        shape = self.shape(whole, node)
        if whole.gone or self.i.possible or not _clash(part.gone, shape):
            return False
        reduction = part.reduction or node
        hazard = ShapeMismatch("reduced", tuple(sorted(part.gone)), shape or ())
        self.i.report(hazard, node, reduction, operands[1 if second.gone else 0])
        return True


@functools.lru_cache(maxsize=16)
def _unpacked_shapes(scope: ir.Scope) -> dict[str, int]:
    """Into how many names a scope takes apart what the code of a shape says: `rows, columns = x.shape`."""
    found: dict[str, int] = {}
    for node in ir.walk(scope.body, into_scopes=False):
        target = node.targets[0] if type(node) is ir.Assign and len(node.targets) == 1 else None
        if type(node) is not ir.Assign or type(target) is not ir.Sequence:
            continue
        code = ir.dotted(node.value)
        if code is not None and not any(type(each) is ir.Starred for each in target.elements):
            found.setdefault(code, len(target.elements))
    return found


def _is_bound_once(scope: ir.Scope, name: str) -> bool:
    """Whether a name of a scope, no parameter of it, has one value."""
    taken = isinstance(scope, ir.Function) and any(each.name == name for each in scope.parameters)
    return len(bindings(scope, name)) == 1 and not taken


def _are_one(first: Extent, second: Extent) -> bool:
    """Whether both come of one array: a name that has not been given another value between them."""
    if first.array != second.array:
        return False
    same = first.value.ident is not None and first.value.ident == second.value.ident
    return same or first.value is second.value


def _clash(gone: frozenset[int], shape: v.Shape | None) -> bool:
    """Whether axes that are left meet others of the array from the last one on, and neither is known to fit."""
    if shape is None:
        return gone != frozenset(range(max(gone) + 1))
    left = [axis for axis in range(len(shape)) if axis not in gone]
    for axis, met in zip(reversed(left), reversed(range(len(shape)))):
        sizes = shape[axis], shape[met]
        if axis != met and 1 not in sizes and (sizes[0] is None or sizes[0] != sizes[1]):
            return True
    return False
