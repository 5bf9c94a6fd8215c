"""Indices that are beyond what they index: JAX raises no error, it clamps them, drops them or fills in NaN.

Only numbers are compared, and only with sizes that are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.checkers.arrays.padding import SEARCHING
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.shapes.bound_arguments import Given, number, numbers
from jaxlint.analysis.shapes.indexing import beyond, reaching
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings

if TYPE_CHECKING:
    from jaxlint.analysis.domain.origin import Origin


@hazard_class(of_plain_values=True, of_callers_sizes=True)
class OutOfBoundsIndex(Hazard):
    """An index outside of the array. Site: the subscript or call; operand: the index."""

    effect: str  # "clamped", "dropped", "filled", "shifted" or "branch"; "zeros": a class that is none of those counted
    index: int
    size: int  # of the axis, or the number of branches
    axis: int = 0
    rank: int = 1
    taken: int = 1  # how many elements are asked for from there on
    reached: bool = False  # the index takes other values as well


@hazard_class(consequence=Consequence.SILENT)
class WrappedIndex(Hazard):
    """An index of -1, which stands for none, counts from the end. Site: the read or update; operand: the index."""

    mode: str  # "drop" or "fill"


class Bounds(Checker):
    """Indices beyond the size of an axis."""

    def subscribe(self, events: Events) -> None:
        events.jax_value.append(self.made)
        events.element_read.append(self.read)
        events.array_updated.append(self.at)
        events.indexing_called.append(self.call)
        events.indexing_called.append(self.classes)
        events.branch_indexed.append(self.branch)
        events.library_function_called.append(self.labels, (_OF_LABELS,))

    def read(self, node: ir.Subscript, base: v.Array, index: v.Value) -> None:
        """`x[i]`"""
        self.item(node, node.index, base.aval, index, "clamped")

    def made(self, value: v.Value, name: str, call: Call) -> v.Value:
        """`jnp.where(found, i, -1)`, or `jnp.nonzero(found, size=n, fill_value=-1)`."""
        chosen = call.args[1:] if name == "jax.numpy.where" and len(call.args) == 3 else []
        given = call.keywords.get("fill_value") if name in SEARCHING else None
        if not any(type(each) is v.Const and each.value == -1 for each in (*chosen, given)):
            return value
        if type(value) is v.Tuple:
            items = value.items and tuple(map(self.marked, value.items))
            return v.Tuple(items, self.marked(value.element))
        return self.marked(value)

    def marked(self, value: v.Value) -> v.Value:
        if type(value) is not v.Array or "float" in (value.aval.dtype or ""):
            return value
        ident = v.fresh()
        self.i.layers.provenance[ident] = "sentinel"
        return value.renewed(ident)

    def wraps(self, call: Call, at: v.At, method: str) -> None:
        """`mode=` says that indices beyond the array are left out, but -1 is not beyond it."""
        mode, index = call.keywords["mode"], at.index or v.NONE
        if type(mode) is not v.Const or mode.value not in ("drop", "fill") or "wrap_negative_indices" in call.keywords:
            return
        if all(self.i.layers.provenance.get(leaf.ident) != "sentinel" for leaf in self.i.leaves([index])):
            return
        node, around = self.i.unit.nodes[at.index_site], self.i.unit.parent(call.site)
        if isinstance(around, ir.Subscript) and around.value is call.node:
            return  # the last one may be cut off
        if type(node) is ir.Name and self.is_compared(node) or method == "get" and type(node) is not ir.Name:
            return
        if method == "get" or self.is_given(call.node_of(0, "values"), at):
            self.i.report(WrappedIndex(mode.value), call.node, node, index)

    def is_given(self, value: ir.Node | None, at: v.At) -> bool:
        """Whether an update is made with what the function is given, and nothing that is chosen or masked."""
        nodes = list(ir.walk([value])) if value is not None else []
        scope, names = self.i.unit.scope(at.index_site), {node.id for node in nodes if type(node) is ir.Name}
        array = {node.id for node in ir.walk([self.i.unit.nodes[at.array_site]]) if type(node) is ir.Name}
        given = {parameter.name for parameter in scope.parameters} if isinstance(scope, ir.Function) else set()
        calls = (ir.last_part(node.func) for node in nodes if type(node) is ir.Call)
        return (
            value is not None
            and names <= given - array
            and not any(bindings(scope, name) for name in names)
            and _CHOOSING.isdisjoint(calls)
            and not any(type(node) is ir.Binary and node.op == "*" for node in nodes)
        )

    def at(self, call: Call, at: v.At, method: str) -> None:
        """`x.at[i].set(…)`, `x.at[i].get()`: unless `mode=` says what is wanted."""
        if "mode" in call.keywords:
            self.wraps(call, at, method)
        if "mode" not in call.keywords and not call.double_star and at.index is not None:
            effect = "clamped" if method == "get" else "dropped"
            self.item(call.node, self.i.unit.nodes[at.index_site], self.i.aval_of(at.array), at.index, effect)

    def item(self, node: ir.Node, index_node: ir.Node, aval: v.Aval, index: v.Value, effect: str) -> None:
        if aval.shape is None:
            return
        parts = self.i.index_parts(index_node, index)
        values = [value for _, value in parts]
        if aval.dtype in v.KEYS and len(parts) > len(aval.shape):
            return  # a key of the older kind has an axis of numbers
        found = beyond(self.i, aval.shape, values)
        if found is not None and found.size > 0:
            hazard = OutOfBoundsIndex(effect, found.index, found.size, found.axis, len(aval.shape))
            self.i.report(hazard, node, parts[found.part][0], v.UNKNOWN)
            return
        if not any(type(value) is v.Array and value.aval.span is not None for value in values):
            return
        for part, span, axis, size in reaching(self.i, aval.shape, values):
            self.reaches(span, effect, size, node, parts[part][0], axis=axis, rank=len(aval.shape))

    def reaches(
        self,
        span: v.Span | None,
        effect: str,
        size: v.Size | None,
        node: ir.Node,
        index: ir.Node,
        api: str = "",
        axis: int = 0,
        rank: int = 1,
        taken: int = 1,
    ) -> None:
        """Note an index that takes several values in turn, of which the greatest leaves fewer than ``taken`` elements.

        What is read beyond the end may be dropped by whoever compares the index.
        """
        if span is None or not isinstance(size, int):
            return
        if self.i.silent or self.is_compared(index, node) or _is_in_branch(self.i.context.origin):
            return
        last = size - taken
        activation, chain = self.i.activation, self.i.chain

        def look(values: tuple[int, int]) -> None:
            if values[1] > last >= 0:
                with self.i.reporting_for(activation, chain):
                    hazard = OutOfBoundsIndex(effect, values[1], size, axis, rank, taken, reached=True)
                    self.i.report(hazard, node, index, v.UNKNOWN, api=api or None)

        if isinstance(span, v.Counter):
            self.i.counters.used(span, look)
        else:
            look(span)

    def is_compared(self, index: ir.Node, reads: ir.Node | None = None) -> bool:
        """Whether the function around compares one of the names of an index, or chooses by them elsewhere than where it reads."""
        names = {node.id for node in ir.walk([index]) if type(node) is ir.Name}
        scope = self.i.unit.scope(index.site)
        for around in self.i.unit.ancestors(index.site):
            if around is scope:
                break
            if isinstance(around, (ir.If, ir.Conditional)):
                return True
        return any(
            (type(node) is ir.Compare or (type(node) is ir.Call and ir.last_part(node.func) in _CHOOSING))
            and node is not reads
            and not names.isdisjoint(each.id for each in ir.walk([node]) if type(each) is ir.Name)
            for node in ir.walk(scope.body)
        )

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
            index, size = number(given.get(parameter)), None if axis is None else shape[axis]
            effect = "filled" if name == "jax.numpy.take" else "clamped"
            if axis is not None:
                at, rank = self.node_of(call, name, parameter), len(shape)
                self.reaches(given.aval(1, parameter).span, effect, size, call.node, at, name, axis, rank)
            if axis is not None and isinstance(index, int) and isinstance(size, int) and _is_beyond(index, size):
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
            items = (self.i.items_of(given_starts) if given_starts is not None else None) or [v.UNKNOWN]
            if taken is not None and len(items) == len(taken) == len(shape):
                for axis, (item, size, count) in enumerate(zip(items, shape, taken)):
                    span = item.aval.span if type(item) is v.Array else None
                    if isinstance(size, int) and isinstance(count, int) and 0 < count <= size:
                        at, rank = self.node_of(call, name, "start_indices"), len(shape)
                        self.reaches(span, "shifted", size, call.node, at, name, axis, rank, taken=count)
            starts = numbers(items) if given_starts is not None else None
            if starts is not None and taken is not None and len(starts) == len(taken) == len(shape):
                found = _shifted("start_indices", starts, list(taken), list(shape), 0)
        if found is not None:
            node = self.node_of(call, name, found[0])
            self.i.report(found[1], call.node, node, v.UNKNOWN, api=name)

    def classes(self, name: str, call: Call) -> None:
        """Functions that count classes or segments, and leave out what is none of them."""
        if call.star or call.double_star:
            return
        if name == "jax.numpy.take_along_axis" and "mode" not in call.keywords:
            self.taken_along(name, call)
        elif name in _COUNTING:
            parameter, position, count, effect = _COUNTING[name]
            given, at = Given(self.i, name, call), call.node_of(position, parameter) or call.node
            self.reaches(given.aval(position, parameter).span, effect, number(given.get(count)), call.node, at, name)

    def taken_along(self, name: str, call: Call) -> None:
        given, at = Given(self.i, name, call), call.node_of(1, "indices") or call.node
        shape = given.first.shape
        axis = given.axis(given.get("axis"), len(shape), -1) if shape else None
        if shape and axis is not None:
            span = given.aval(1, "indices").span
            self.reaches(span, "filled", shape[axis], call.node, at, name, axis, len(shape))

    def labels(self, name: str, _func: v.Value, call: Call) -> None:
        """A loss of Optax takes the logit of each label: that of none is NaN."""
        if "axis" in call.keywords:
            return
        logits, labels = call.get(0, "logits"), call.get(1, "labels")
        shape = self.i.aval_of(logits).shape if logits is not None else None
        if shape and labels is not None:
            span, at, rank = self.i.aval_of(labels).span, call.node_of(1, "labels") or call.node, len(shape)
            self.reaches(span, "filled", shape[-1], call.node, at, name, rank - 1, rank)

    def node_of(self, call: Call, name: str, parameter: str) -> ir.Node:
        position = {"update": 1}.get(parameter, 2 if "update" in name else 1)
        return call.node_of(position, parameter) or call.node

    def branch(self, call: Call, name: str, count: int) -> None:
        """`lax.switch(i, branches)`"""
        if not name.startswith("jax.lax."):
            return
        value, node = call.get(0, "index") or v.UNKNOWN, call.node_of(0, "index") or call.node
        index = number(value)
        if isinstance(index, int) and not 0 <= index < count:
            self.i.report(OutOfBoundsIndex("branch", index, count), call.node, node, v.UNKNOWN, api=name)
        self.reaches(self.i.aval_of(value).span, "branch", count, call.node, node, name)


_OF_LABELS = "optax.softmax_cross_entropy_with_integer_labels"
# Functions that count: what is counted, where it is given, how many there are, and what becomes of others.
_COUNTING = {
    "jax.nn.one_hot": ("x", 0, "num_classes", "zeros"),
    "jax.numpy.bincount": ("x", 0, "length", "dropped"),
    **{
        f"jax.ops.segment_{each}": ("segment_ids", 1, "num_segments", "dropped")
        for each in ("sum", "max", "min", "prod")
    },
}
_TAKING = frozenset({
    "jax.numpy.take", "jax.lax.dynamic_slice", "jax.lax.dynamic_slice_in_dim", "jax.lax.dynamic_index_in_dim",
    "jax.lax.dynamic_update_slice", "jax.lax.dynamic_update_slice_in_dim", "jax.lax.dynamic_update_index_in_dim",
})  # fmt: skip


_CHOOSING = frozenset({"where", "select", "cond", "switch", "clip", "minimum", "maximum", "min", "mod", "remainder"})


def _is_in_branch(origin: Origin | None) -> bool:
    """Whether a condition decides if the running code runs."""
    while origin is not None:
        if "is a branch of" in origin.text:
            return True
        origin = origin.parent
    return False


def _is_beyond(index: object, size: object) -> bool:
    return isinstance(index, int) and isinstance(size, int) and size > 0 and not -size <= index < size


def _shifted(
    parameter: str,
    starts: Sequence[v.Size | None],
    taken: Sequence[v.Size | None],
    sizes: Sequence[v.Size | None],
    axis: int,
) -> tuple[str, OutOfBoundsIndex] | None:
    """The first start from which fewer elements are left than are asked for: the slice starts before it."""
    for number_, (start, count, size) in enumerate(zip(starts, taken, sizes)):
        if isinstance(start, int) and isinstance(count, int) and isinstance(size, int) and 0 < count <= size:
            first = start + size if start < 0 else start
            if not 0 <= first <= size - count:
                return parameter, OutOfBoundsIndex("shifted", start, size, axis + number_, len(sizes), count)
    return None
