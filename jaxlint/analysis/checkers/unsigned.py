"""Integers that have wrapped around: differences of unsigned ones that are then taken for signed, those of one or two bytes
before they are clipped to the range of their dtype, or as they are counted, and products of known numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.narrowing import guard_key
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

if TYPE_CHECKING:
    from jaxlint import knowledge

_SIGNED = frozenset({"jax.numpy.abs", "jax.numpy.absolute", "jax.numpy.fabs", "jax.numpy.square", "jax.lax.abs"})
_LARGEST_POWER = 64
_SMALLER = frozenset({"min", "minimum", "amin"})
_RANGES = {
    "int8": (-(2**7), 2**7 - 1), "uint8": (0, 2**8 - 1), "int16": (-(2**15), 2**15 - 1), "uint16": (0, 2**16 - 1),
}  # fmt: skip
_COUNTED = frozenset({"int8", "uint8"})
_ACCUMULATING = frozenset({"cumsum", "cumulative_sum"})
_WRAPPING = frozenset("+-*")
# Functions of two arrays, and which end of a range the second one is.
_ENDS = {"jax.numpy.minimum": 1, "jax.numpy.maximum": 0}


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
        events.library_function_called.append(self.of_python, ("builtins.abs",))

    def of_python(self, _name: str, _func: v.Value, call: Call) -> None:
        if len(call.args) == 1:
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
        if ir.last_name(called) not in _SMALLER:
            self.i.report(UnsignedDifference(dtype, by.site), made, made.right, value)


@hazard_class(consequence=Consequence.SILENT)
class NarrowIntegerOverflow(Hazard):
    """Narrow integers wrap around. Site: the call; operand: what is clipped or counted; api."""

    dtype: str
    how: Literal["clip", "cumsum"]


class NarrowIntegers(Checker):
    """Clips and cumulative sums."""

    def subscribe(self, events: Events) -> None:
        events.reduced.append(self.taken)

    def taken(self, name: str, call: Call, operand: v.Value) -> None:
        """A function or method takes an array."""
        dtype = operand.aval.dtype if type(operand) is v.Array else None
        if dtype not in _RANGES or type(call.node) is not ir.Call or call.star or call.double_star:
            return
        last = name.rpartition(".")[2]
        is_function = name.startswith("jax.numpy.")
        if not is_function and last != name:
            return
        if last in _ACCUMULATING:
            self.counted(name, call, operand, dtype, int(is_function))
        elif last == "clip" or name in _ENDS:
            self.clipped(name, call, operand, dtype, int(is_function))

    def counted(self, name: str, call: Call, operand: v.Value, dtype: str, first: int) -> None:
        """The cumulative sum of narrow integers, which keeps their dtype."""
        if dtype not in _COUNTED or call.get(first + 1, "dtype") is not None:
            return
        shape, axis = self.i.aval_of(operand).shape, call.get(first, "axis")
        sizes = list(shape) if shape is not None else []
        if type(axis) is v.Const and type(axis.value) is int and -len(sizes) <= axis.value < len(sizes):
            sizes = [sizes[axis.value]]
        known = [size for size in sizes if type(size) is int]
        if known and len(known) == len(sizes):
            if max(known) <= _RANGES[dtype][1]:
                return
        elif not self.is_narrowed(self.taken_node(call, first)):
            return  # few numbers, perhaps
        self.i.report(
            NarrowIntegerOverflow(dtype, "cumsum"), call.node, self.taken_node(call, first), operand, api=name
        )

    def is_narrowed(self, node: ir.Node) -> bool:
        """Whether an expression makes an array narrow: a mask, which is then counted."""
        made = resolved(self.i.unit, node)
        return type(made) is ir.Call and type(made.func) is ir.Attribute and made.func.attr == "astype"

    def clipped(self, name: str, call: Call, operand: v.Value, dtype: str, first: int) -> None:
        """A clip that changes nothing, of what may have wrapped around."""
        least, greatest = _RANGES[dtype]
        if name in _ENDS:
            ends = {_ENDS[name]: call.get(1)}
        else:
            ends = {
                0: call.get(first, "min") or call.keywords.get("a_min"),
                1: call.get(first + 1, "max") or call.keywords.get("a_max"),
            }
        given = {end: each for end, each in ends.items() if each is not None and not v.is_none(each)}
        if not given:
            return
        for end, each in given.items():
            if type(each) is not v.Const or type(each.value) not in (int, float):
                return
            if each.value < greatest if end else each.value > least:
                return
        node = self.taken_node(call, first)
        if _wraps(resolved(self.i.unit, node)):
            self.i.report(NarrowIntegerOverflow(dtype, "clip"), call.node, node, operand, api=name)

    def taken_node(self, call: Call, first: int) -> ir.Node:
        func = call.node.func  # type: ignore[attr-defined]
        taken = call.arg_nodes[0] if first else func.value if type(func) is ir.Attribute else call.node
        return taken


@hazard_class(consequence=Consequence.SILENT, of_plain_values=True)
class ProductOverflow(Hazard):
    """A product of integers is larger than what four bytes hold. Site, operand: the product."""

    product: int


class Products(Checker):
    """Products and powers of integers that are known."""

    def subscribe(self, events: Events) -> None:
        events.refuses_array_operands.append(self.multiplied)

    def multiplied(self, node: ir.Node, op: str, operands: Sequence[v.Value], nodes: Sequence[ir.Node]) -> bool:
        """A product or a power of arrays: never refused."""
        if op not in ("*", "**") or type(node) is not ir.Binary or not all(map(_is_whole, operands)):
            return False
        left, right = map(_span, operands)
        if left is None or right is None or not self.i.has_32_bits:
            return False
        product = 0
        same = guard_key(node.left) == guard_key(node.right) is not None
        if op == "**":
            power = right[0] if right[0] == right[1] and 0 <= right[0] <= _LARGEST_POWER else 0
            product = max(abs(each) for each in left) ** power
        elif same or left[0] == left[1] and right[0] == right[1]:
            product = max(abs(each) for each in left) * max(abs(each) for each in right)
        if product > 2**31:
            self.i.report(ProductOverflow(product), node, node, operands[0])
        return False


def _span(value: v.Value) -> tuple[int, int] | None:
    """The least and the greatest of the integers of a value, where they are known."""
    if type(value) is v.Const:
        return (value.value, value.value) if type(value.value) is int else None
    span = value.aval.span if type(value) is v.Array else None
    return (span[0], span[1]) if type(span) is tuple else None


def _is_whole(value: v.Value) -> bool:
    """Whether a value is an integer of four bytes, or a Python number that becomes one."""
    if type(value) is v.Array:
        return value.aval.dtype == "int32"
    return type(value) is v.Const and type(value.value) is int


def _wraps(node: ir.Node | None) -> bool:
    """Whether an expression computes with operators that may leave the range of a dtype."""
    while type(node) is ir.Binary:
        if node.op in _WRAPPING:
            return True
        node = node.left
    return False
