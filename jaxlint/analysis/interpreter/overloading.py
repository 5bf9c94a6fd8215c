"""Operators of objects: what the methods of their classes give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.state import Instance

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.ir import nodes as ir

_METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow", "@": "matmul", "&": "and",
    "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
}  # fmt: skip
_UNARY = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}


def binary(i: Interpreter, node: ir.Node, op: str, left: v.Value, right: v.Value) -> v.Value | None:
    """What ``left op right`` gives where a class of the project says it; None where none does."""
    name = _METHODS.get(op, "")
    if type(i.contents(left)) is Instance:
        return _called(i, node, f"__{name}__", left, right)
    # NumPy applies the operator to each element; arrays of JAX and Python's own values leave it to the other side.
    return None if type(left) in (v.Host, v.Unknown, v.Undecided) else _called(i, node, f"__r{name}__", right, left)


def unary(i: Interpreter, node: ir.Node, op: str, operand: v.Value) -> v.Value | None:
    return _called(i, node, _UNARY.get(op, ""), operand)


def _called(i: Interpreter, node: ir.Node, name: str, receiver: v.Value, *others: v.Value) -> v.Value | None:
    contents = i.contents(receiver)
    method = contents.cls.lookup(name) if type(contents) is Instance else None
    if type(method) is not v.FunctionValue:
        return None
    result: v.Value = i.call(method, i.simple_call(node, [receiver, *others]))
    return v.Unknown(v.fresh()) if type(result) is v.Api else result  # NotImplemented: the other side is asked


def arrays(
    i: Interpreter, node: ir.Node, op: str, operands: tuple[v.Value, v.Value], nodes: Sequence[ir.Node], tangent: bool
) -> v.Value:
    """What an operator gives of two values of which one is an array: they leave it to one of a class that they do not know.

    The result is presumed to be an array. What needs the value of a tracer fails, whatever is around it; what only an array
    refuses is not reported of it.
    """
    if i.events.refuses_array_operands(node, op, operands, nodes):
        return v.UNKNOWN
    i.events.operands_read(node, operands)
    made = i.array_result(operands, i.binary_aval(op, *operands), tangent)
    unsure = any(isinstance(each, v.Unknown) or (type(each) is v.Array and each.presumed) for each in operands)
    if unsure or (all(type(each) is v.Undecided for each in operands) and _is_overloaded(i, op)):
        return v.Array(made.mode, made.aval, made.origin, made.ident, made.needless, presumed=True)
    return made


def _is_overloaded(i: Interpreter, op: str) -> bool:
    """Whether a class of the project has a method for an operator: two trees of tracers may be its objects."""
    name = _METHODS.get(op, "")
    return any(f"__{name}__" in cls.members for cls in i.receivers.classes)
