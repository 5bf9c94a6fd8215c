"""Numbers of indices and of start positions that are not those of the axes of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.indexing import axes_taken
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint import knowledge

# Functions with one number for each axis of their operand, and the parameters that hold these.
_ONE_EACH = {
    "jax.lax.dynamic_slice": ("start_indices", "slice_sizes"),
    "jax.lax.dynamic_update_slice": ("start_indices",),
    "jax.lax.slice": ("start_indices", "limit_indices", "strides"),
}

_VIEWS = frozenset({"T", "mT", "real", "imag"})  # attributes that are arrays like the one they belong to


@hazard_class(of_plain_values=True, only_arrays=True)
class IndexCountMismatch(Hazard):
    """An array has less axes than it is indexed with, or another number. Site: the subscript or call; operand: the array, or the numbers."""

    given: int
    shape: v.Shape


class Ranks(Checker):
    """Indices and the axes that they are for."""

    def subscribe(self, events: Events) -> None:
        events.refuses_index.append(self.index)
        events.refuses_call.append(self.call)

    def index(self, node: ir.Subscript, base: v.Value, index: v.Value) -> bool:
        """Whether a subscript takes more axes than the array has; recorded if so."""
        if type(base) is not v.Array or base.aval.shape is None or base.aval.dtype in v.KEYS:
            return False  # a key of the older form has an axis of its own
        shape = base.aval.shape
        taken = axes_taken([part for _, part in self.i.index_parts(node.index, index)])
        if taken <= len(shape):
            return False
        array = node.value.value if type(node.value) is ir.Attribute and node.value.attr == "at" else node.value
        if type(array) is ir.Attribute and array.attr not in _VIEWS:
            return False  # of an object, which may be another one outside of `vmap`
        self.i.report(IndexCountMismatch(taken, shape), node, array, base)
        return True

    def call(self, name: str, found: knowledge.Facts, call: Call) -> bool:
        """Whether a function gets less or more numbers than its operand has axes; recorded if so."""
        if name not in _ONE_EACH or call.double_star:
            return False
        given = {parameter: (value, node) for parameter, value, node in bound(found, call)}
        operand = given.get("operand", (v.UNKNOWN, call.node))[0]
        if type(operand) is not v.Array or operand.aval.shape is None:
            return False
        shape = operand.aval.shape
        for parameter in _ONE_EACH[name]:
            value, node = given.get(parameter, (v.UNKNOWN, call.node))
            items = self.i.items_of(value)
            if items is not None and len(items) != len(shape):
                hazard = IndexCountMismatch(len(items), shape)
                self.i.report(hazard, call.node, node, operand, api=name, parameter=parameter)
                return True
        return False
