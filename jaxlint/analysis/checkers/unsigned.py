"""Differences of unsigned integers that are then taken for signed: below zero they have wrapped around already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

if TYPE_CHECKING:
    from jaxlint import knowledge

_SIGNED = frozenset({"jax.numpy.abs", "jax.numpy.absolute", "jax.numpy.fabs", "jax.numpy.square", "jax.lax.abs"})
_SMALLER = frozenset({"min", "minimum", "amin"})


@hazard_class(consequence=Consequence.SILENT)
class UnsignedDifference(Hazard):
    """The size of a difference of unsigned integers is asked for. Site: the difference; operand: what is subtracted."""

    dtype: str
    asks: int  # site of what takes it for signed


class Unsigned(Checker):
    """Absolute values and squares of differences."""

    def subscribe(self, events: Events) -> None:
        events.arguments_checked.append(self.given)
        events.operands_read.append(self.raised)
        events.library_function_called.append(self.of_python)

    def of_python(self, name: str, _func: v.Value, call: Call) -> None:
        if name == "builtins.abs" and len(call.args) == 1:
            self.asked(call.node, call.args[0], call.arg_nodes[0])

    def given(self, name: str, _found: knowledge.Facts, call: Call) -> None:
        if name in _SIGNED and len(call.args) == 1:
            self.asked(call.node, call.args[0], call.arg_nodes[0])

    def raised(self, node: ir.Node, operands: Sequence[v.Value]) -> None:
        if type(node) is ir.Binary and node.op == "**":
            power = operands[1]
            if type(power) is v.Const and power.value == 2:
                self.asked(node, operands[0], node.left)

    def asked(self, by: ir.Node, value: v.Value, node: ir.Node) -> None:
        """The absolute value or the square of an expression is computed."""
        dtype = value.aval.dtype if type(value) is v.Array else None
        if dtype is None or not dtype.startswith("uint"):
            return
        made = resolved(self.i.unit, node)
        if type(made) is not ir.Binary or made.op != "-":
            return
        called = made.right.func if type(made.right) is ir.Call else None
        name = called.attr if type(called) is ir.Attribute else called.id if type(called) is ir.Name else ""
        if name not in _SMALLER:
            self.i.report(UnsignedDifference(dtype, by.site), made, made.right, value)
