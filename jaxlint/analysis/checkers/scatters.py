"""Values written by `x.at[i].set(v)` and the other methods of `.at` that the dtype of the array cannot hold, or that overwrite each other."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.promotion import combined
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.creation import listed
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

_WRITING = frozenset({"set", "add", "subtract", "multiply", "mul", "min", "max"})


@hazard_class()
class LossyScatter(Hazard):
    """An update is cast to the dtype of the array. Site: the call `x.at[i].set(v)`; operand: the value; api: method."""

    array: str  # dtype of the array
    written: str  # of the value
    common: str  # of both together


@hazard_class(consequence=Consequence.SILENT)
class RepeatedScatter(Hazard):
    """`x.at[i].set(x[i] + v)`, where several of the indices may be equal: only one of the updates is kept.

    Site: the call; operand: the indices; api: method that accumulates, "add".
    """

    counted: int | None = None  # site of another update of the same zeros at the same indices, which adds up


# Functions that compute indices from data, which may contain duplicates.
_INDEX_FUNCTIONS = frozenset(
    f"jax.numpy.{name}" for name in ("floor", "rint", "round", "trunc", "searchsorted", "digitize", "argmin", "argmax")
) | {"jax.random.randint", "jax.random.categorical"}
_ZEROS = frozenset({"jax.numpy.zeros", "jax.numpy.zeros_like"})
_ACCUMULATING = {"+": "add", "-": "subtract", "*": "multiply"}


class Scatters(Checker):
    """Checks updates by `.at` for lossy casts and for duplicate indices."""

    def subscribe(self, events: Events) -> None:
        events.array_updated.append(self.check_lossy_cast)
        events.array_updated.append(self.check_duplicate_indices)
        events.array_updated.append(self.check_counted_indices)

    def check_counted_indices(self, call: Call, at: v.At, method: str) -> None:
        """Report `zeros.at[i].set(v)` beside `zeros.at[i].add(w)`, which says that indices repeat."""
        node, value = call.node, call.get(0, "values")
        names = _zeros_and_indices(node)
        if method != "set" or names is None or type(value) not in (v.Array, v.Undecided):
            return
        base, index = names
        made = resolved(self.i.unit, base)
        if isinstance(value, v.Array) and value.aval.shape == () or not isinstance(made, ir.Call) or call.keywords:
            return
        if self.i.library_name(self.i.last_callee.get(made.site)) not in _ZEROS:
            return
        for other in ir.walk(self.i.unit.scope(call.site).body, into_scopes=False):
            func = other.func if isinstance(other, ir.Call) else None
            if not isinstance(func, ir.Attribute) or func.attr != "add":
                continue
            again = _zeros_and_indices(other)
            if again is not None and _same(again[0], base) and _same(again[1], index):
                self.i.report(RepeatedScatter(other.site), node, index, at.index or v.UNKNOWN, api="add")
                return

    def check_duplicate_indices(self, call: Call, at: v.At, method: str) -> None:
        """Report `x.at[i].set(x[i] + v)` where `i` may hold duplicates: only one of their updates is kept."""
        target = call.node.func.value if type(call.node) is ir.Call and type(call.node.func) is ir.Attribute else None
        written = call.node_of(0, "values")
        if method != "set" or at.index is None or written is None or not isinstance(target, ir.Subscript):
            return
        unit, base = self.i.unit, target.value
        value, index = resolved(unit, written), target.index
        array = ir.dotted(base.value) if isinstance(base, ir.Attribute) else None
        if not isinstance(value, ir.Binary) or value.op not in _ACCUMULATING or array is None:
            return
        sides = [value.left, value.right] if value.op != "-" else [value.left]
        copies = [each for each in (resolved(unit, side) for side in sides) if isinstance(each, ir.Subscript)]
        if not any(ir.dotted(each.value) == array and _same(each.index, index) for each in copies):
            return
        parts = self.i.index_parts(index, at.index)
        if all(self.may_repeat(node, part) for node, part in parts):
            self.i.report(RepeatedScatter(), call.node, index, at.index, api=_ACCUMULATING[value.op])

    def may_repeat(self, node: ir.Node, value: v.Value) -> bool:
        """Whether this is an array of several indices that was computed from data."""
        if type(value) is not v.Array or not value.aval.shape or value.aval.shape[0] == 1:
            return False
        node = resolved(self.i.unit, node)
        while True:
            if isinstance(node, ir.Binary) and node.op in ("%", "//", "+", "-"):
                node = node.left
            elif (
                isinstance(node, ir.Call) and self.i.library_name(self.i.last_callee.get(node.site)) in _INDEX_FUNCTIONS
            ):
                return True
            elif (
                isinstance(node, ir.Call)
                and isinstance(node.func, ir.Attribute)
                and node.func.attr in ("astype", "clip")
            ):
                node = node.func.value
            elif isinstance(node, ir.Call) and node.args:
                if self.i.library_name(self.i.last_callee.get(node.site)) not in ("jax.numpy.clip", "jax.numpy.mod"):
                    return False
                node = node.args[0]
            else:
                return False
            node = resolved(self.i.unit, node)

    def check_lossy_cast(self, call: Call, at: v.At, method: str) -> None:
        """Report an update whose dtype promotes the array: JAX computes in the common dtype and casts the result back."""
        written = call.get(0, "values")
        target = self.i.aval_of(at.array)
        if method not in _WRITING or written is None or target.dtype is None or target.dtype in v.KEYS:
            return
        aval = listed(self.i, written) if self.i.is_list(written) else self.i.aval_of(written)
        common, _ = combined((v.Aval(target.dtype), aval))
        if common is None or aval.dtype is None or common == target.dtype or target.weak is None:
            return
        node = call.node_of(0, "values") or call.node
        hazard = LossyScatter(target.dtype, aval.dtype, common)
        self.i.report(hazard, call.node, node, written, api=method)


def _zeros_and_indices(call: ir.Node) -> tuple[ir.Node, ir.Node] | None:
    """`x` and `i` of `x.at[i].method(…)`."""
    target = call.func.value if isinstance(call, ir.Call) and isinstance(call.func, ir.Attribute) else None
    base = target.value if isinstance(target, ir.Subscript) else None
    if not isinstance(base, ir.Attribute) or base.attr != "at" or not isinstance(target, ir.Subscript):
        return None
    return (base.value, target.index) if isinstance(base.value, ir.Name) else None


def _same(one: ir.Node, other: ir.Node) -> bool:
    """Whether two indices consist of the same names."""
    if isinstance(one, ir.Sequence) and isinstance(other, ir.Sequence) and len(one.elements) == len(other.elements):
        return all(map(_same, one.elements, other.elements))
    return ir.dotted(one) is not None and ir.dotted(one) == ir.dotted(other)
