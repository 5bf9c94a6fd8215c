"""Indices that are beyond what they index: JAX raises no error, it clamps them, drops them or fills in NaN.

Only numbers are compared, and only with sizes that are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.bound_arguments import Given, number, numbers
from jaxlint.analysis.shapes.indexing import beyond

if TYPE_CHECKING:
    from jaxlint.ir import nodes as ir


@dataclass(eq=False, repr=False)
class OutOfBoundsIndex(Hazard):
    """An index outside of the array. Site: the subscript or call; operand: the index."""

    of_plain_values = True

    effect: str  # "clamped", "dropped", "filled", "shifted" or "branch"
    index: int
    size: int  # of the axis, or the number of branches
    axis: int = 0
    rank: int = 1
    taken: int = 1  # how many elements are asked for from there on


class Bounds(Checker):
    """Indices beyond the size of an axis."""

    def subscribe(self, events: Events) -> None:
        events.element_read.append(self.read)
        events.array_updated.append(self.at)
        events.indexing_called.append(self.call)
        events.branch_indexed.append(self.branch)

    def read(self, node: ir.Subscript, base: v.Array, index: v.Value) -> None:
        """`x[i]`"""
        self.item(node, node.index, base.aval, index, "clamped")

    def at(self, call: Call, at: v.At, method: str) -> None:
        """`x.at[i].set(…)`, `x.at[i].get()`: unless `mode=` says what is wanted."""
        if "mode" not in call.keywords and not call.double_star and at.index is not None:
            effect = "clamped" if method == "get" else "dropped"
            self.item(call.node, self.i.unit.nodes[at.index_site], self.i.aval_of(at.array), at.index, effect)

    def item(self, node: ir.Node, index_node: ir.Node, aval: v.Aval, index: v.Value, effect: str) -> None:
        if aval.shape is None or aval.dtype in v.KEYS:
            return
        parts = self.i.index_parts(index_node, index)
        found = beyond(self.i, aval.shape, [value for _, value in parts])
        if found is not None and found.size > 0:
            hazard = OutOfBoundsIndex(effect, found.index, found.size, found.axis, len(aval.shape))
            self.i.report(hazard, node, parts[found.part][0], v.UNKNOWN)

    def call(self, name: str, call: Call) -> None:
        """Functions that are given an index or the start of a slice."""
        if name not in _TAKING or call.star or call.double_star:
            return
        given = Given(self.i, name, call)
        shape = given.first.shape
        if not shape or given.first.dtype in v.KEYS:
            return
        found: tuple[str, OutOfBoundsIndex] | None = None
        if name in ("jax.numpy.take", "jax.lax.dynamic_index_in_dim", "jax.lax.dynamic_update_index_in_dim"):
            parameter = "indices" if name == "jax.numpy.take" else "index"
            if "mode" in given or (name == "jax.numpy.take" and "axis" not in given and len(shape) > 1):
                return
            axis = given.axis(given.get("axis"), len(shape), 0)
            index = number(given.get(parameter))
            if axis is not None and isinstance(size := shape[axis], int) and _is_beyond(index, size):
                effect = "filled" if name == "jax.numpy.take" else "clamped"
                found = parameter, OutOfBoundsIndex(effect, index, size, axis, len(shape))
        elif name.endswith("_in_dim"):
            update = given.get("update")
            axis = given.axis(given.get("axis"), len(shape), 0)
            if axis is not None:
                sizes = self.i.aval_of(update).shape if update is not None else None
                size = (
                    number(given.get("slice_size"))
                    if sizes is None
                    else sizes[axis]
                    if len(sizes) == len(shape)
                    else None
                )
                found = _shifted("start_index", [number(given.get("start_index"))], [size], [shape[axis]], axis)
        else:
            update = given.get("update")
            taken = self.i.aval_of(update).shape if update is not None else given.shape(given.get("slice_sizes"))
            given_starts = given.get("start_indices")
            starts = numbers(self.i.items_of(given_starts) or [None]) if given_starts is not None else None
            if starts is not None and taken is not None and len(starts) == len(taken) == len(shape):
                found = _shifted("start_indices", starts, list(taken), list(shape), 0)
        if found is not None:
            node = self.node_of(call, name, found[0])
            self.i.report(found[1], call.node, node, v.UNKNOWN, api=name)

    def node_of(self, call: Call, name: str, parameter: str) -> ir.Node:
        position = {"update": 1}.get(parameter, 2 if "update" in name else 1)
        return call.node_of(position, parameter) or call.node

    def branch(self, call: Call, name: str, count: int) -> None:
        """`lax.switch(i, branches)`"""
        index = number(call.get(0, "index"))
        if isinstance(index, int) and not 0 <= index < count and name.startswith("jax.lax."):
            hazard = OutOfBoundsIndex("branch", index, count)
            node = call.node_of(0, "index") or call.node
            self.i.report(hazard, call.node, node, v.UNKNOWN, api=name)


_TAKING = frozenset({
    "jax.numpy.take", "jax.lax.dynamic_slice", "jax.lax.dynamic_slice_in_dim", "jax.lax.dynamic_index_in_dim",
    "jax.lax.dynamic_update_slice", "jax.lax.dynamic_update_slice_in_dim", "jax.lax.dynamic_update_index_in_dim",
})  # fmt: skip


def _is_beyond(index: object, size: object) -> bool:
    return isinstance(index, int) and isinstance(size, int) and size > 0 and not -size <= index < size


def _shifted(parameter: str, starts: list[Any], taken: list[Any], sizes: list[Any], axis: int) -> Any:
    """The first start from which fewer elements are left than are asked for: the slice starts before it."""
    for number_, (start, count, size) in enumerate(zip(starts, taken, sizes)):
        if all(isinstance(each, int) for each in (start, count, size)) and 0 < count <= size:
            first = start + size if start < 0 else start
            if not 0 <= first <= size - count:
                return parameter, OutOfBoundsIndex("shifted", start, size, axis + number_, len(sizes), count)
    return None
