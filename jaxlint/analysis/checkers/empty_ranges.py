"""Ranges that are empty because they begin above their end: `fori_loop` counts up, and so does `arange` without a step."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

# Functions whose first two arguments are the bounds of a range.
_BOUNDS = {"jax.lax.fori_loop": ("lower", "upper"), "jax.numpy.arange": ("start", "stop")}


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class LoopCountsDown(Hazard):
    """A range is meant to count down, and is empty. Site: the call; operand: its lower bound; api."""

    upper: int  # site of the upper bound
    end: int


class EmptyRanges(Checker):
    """Bounds of ranges."""

    def subscribe(self, events: Events) -> None:
        events.library_function_called.append(self.called, _BOUNDS)

    def called(self, name: str, _func: v.Value, call: Call) -> None:
        bounds = _BOUNDS[name]
        if call.star or call.double_star or self.i.context.transparent:
            return
        if len(call.args) > 2 and name == "jax.numpy.arange" or "step" in call.keywords:
            return
        lower, upper = call.get(0, bounds[0]), call.get(1, bounds[1])
        first, end = call.node_of(0, bounds[0]), call.node_of(1, bounds[1])
        if lower is None or first is None or end is None or type(upper) is not v.Const or type(upper.value) is not int:
            return
        if is_literal(end) and self.begins_above(lower, first, upper.value):
            self.i.report(LoopCountsDown(end.site, upper.value), call.node, first, lower, api=name)

    def begins_above(self, lower: v.Value, node: ir.Node, end: int) -> bool:
        """Whether a range begins above its end, or with a number of things, which is not below zero."""
        if type(lower) is v.Const:
            return type(lower.value) is int and lower.value > end
        return end <= 0 and is_count(node)


def is_literal(node: ir.Node) -> bool:
    """Whether an integer is written out."""
    if type(node) is ir.Unary and node.op == "-":
        node = node.operand
    return type(node) is ir.Constant


def is_count(node: ir.Node) -> bool:
    """Whether an expression is a name or a size, to which a number may be added, or from which one is taken."""
    if type(node) is ir.Binary and node.op in ("+", "-"):
        return is_literal(node.right) and is_count(node.left)
    if type(node) is ir.Call:
        return type(node.func) is ir.Name and node.func.id == "len"
    if type(node) is ir.Subscript:
        return type(node.value) is ir.Attribute and node.value.attr == "shape"
    return type(node) in (ir.Name, ir.Attribute)
