"""Boolean arrays: their differences and negatives, which JAX refuses as NumPy does, and flags that an operator takes before a
comparison does: `x < n & flag` compares `x` with `n & flag`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint import knowledge
    from jaxlint.analysis.analyser import Interpreter

_FUNCTIONS = {"jax.numpy.subtract": 2, "jax.numpy.negative": 1}
_BITWISE = frozenset("&|^")
_ORDERS = frozenset({"<", "<=", ">", ">="})
_EQUALS = frozenset({"==", "!="})


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


@hazard_class(consequence=Consequence.SILENT)
class ComparisonPrecedence(Hazard):
    """A side of a comparison combines a flag with a number. Site: the comparison; operand: that side."""

    operator: str  # of the comparison
    is_left: bool  # whether it is the left side


class Precedence(Checker):
    """Comparisons beside `&`, `|` and `^`."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Operators with a flag for certain -> whether the other operand is an integer for certain.
        self.flags: dict[int, bool] = {}

    def subscribe(self, events: Events) -> None:
        events.operands_read.append(self.combined)
        events.compared.append(self.compared)

    def combined(self, node: ir.Node, operands: Sequence[v.Value]) -> None:
        """An operator has combined arrays."""
        if type(node) is ir.Binary and node.op in _BITWISE:
            flags = [self.is_flag(each) for each in operands]
            self.flags.pop(node.site, None)
            if any(flags):
                self.flags[node.site] = any(self.is_integer(each) for each in operands)

    def compared(
        self, node: ir.Node, op: str, left: v.Value, left_node: ir.Node, right: v.Value, right_node: ir.Node
    ) -> None:
        """Two values are compared."""
        if type(node) is not ir.Compare or len(node.ops) > 1:
            return
        for side, other, beside in ((left_node, right, right_node), (right_node, left, left_node)):
            mixed = self.flags.get(side.site)
            if mixed is None or self.i.aval_of(other).dtype == "bool":
                continue
            if op in _ORDERS or (op in _EQUALS and mixed and not (_is_bits(side) and type(beside) is ir.Constant)):
                self.i.report(ComparisonPrecedence(op, side is left_node), node, side, v.UNKNOWN)
                return

    def is_flag(self, value: v.Value) -> bool:
        return type(value) is v.Array and value.aval.dtype == "bool"

    def is_integer(self, value: v.Value) -> bool:
        if type(value) is v.Const:
            return type(value.value) is int
        if type(value) is v.Static:
            return value.type == "int"
        dtype = value.aval.dtype if type(value) is v.Array else None
        return dtype is not None and dtype.startswith(("int", "uint"))


def _is_bits(node: ir.Node) -> bool:
    """Whether the number is written out, as where bits of a flag are asked for: `flag & 1 == 1`, or is one bit itself, which is
    compared as the flag is: `flag | (bits & 1) == 1`."""
    if type(node) is not ir.Binary:
        return False
    sides = (node.left, node.right)
    return any(type(side) is ir.Constant or _is_bit(side) for side in sides)


def _is_bit(node: ir.Node) -> bool:
    if type(node) is not ir.Binary or node.op not in ("&", "%"):
        return False
    constants = [each.value for each in (node.left, node.right) if type(each) is ir.Constant]
    return (1 if node.op == "&" else 2) in constants
