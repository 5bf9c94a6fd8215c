"""Differences and negatives of boolean arrays, which JAX refuses as NumPy does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint import knowledge

_FUNCTIONS = {"jax.numpy.subtract": 2, "jax.numpy.negative": 1}


@hazard_class(of_plain_values=True, only_arrays=True)
class BooleanSubtraction(Hazard):
    """A boolean array is negated, or subtracted from another one. Site: the operator or call; operand: the last operand."""


class BooleanArithmetic(Checker):
    """Operators `-` of booleans."""

    def subscribe(self, events: Events) -> None:
        events.operands_read.append(self.operator)
        events.arguments_checked.append(self.function)

    def operator(self, node: ir.Node, operands: Sequence[v.Value]) -> None:
        if type(node) is ir.Binary and node.op == "-":
            self.check(node, operands, node.right)
        elif type(node) is ir.Augment and node.op in ("-", "-="):
            self.check(node, operands, node.value)
        elif type(node) is ir.Unary and node.op == "-":
            self.check(node, operands, node.operand)

    def function(self, name: str, _found: knowledge.Facts, call: Call) -> None:
        if len(call.args) == _FUNCTIONS.get(name) and not call.star:
            self.check(call.node, call.args, call.arg_nodes[-1])

    def check(self, node: ir.Node, operands: Sequence[v.Value], last: ir.Node) -> None:
        """Record that all operands are boolean, and one of them is an array of JAX."""
        array = next((each for each in operands if type(each) is v.Array), None)
        if array is not None and all(self.i.aval_of(each).dtype == "bool" for each in operands):
            self.i.report(BooleanSubtraction(), node, last, array)
