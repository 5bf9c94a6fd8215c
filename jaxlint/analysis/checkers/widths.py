"""What needs 64 bits, in a program that does not switch them on.

JAX makes numbers of 32 bits unless `jax_enable_x64` is set: by the program, a module that it imports,
or the environment. So only programs are judged that import nothing but libraries which leave that
option alone, and there only what the module itself runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved

if TYPE_CHECKING:
    from jaxlint import knowledge
    from jaxlint.analysis.analyser import Interpreter

_WIDE = {
    "float64": "float32", "double": "float32", "int64": "int32", "longlong": "int32", "uint64": "uint32",
    "complex128": "complex64", "cdouble": "complex64",
}  # fmt: skip
_DTYPES = ("numpy.", "jax.numpy.")
_ARRAYS = frozenset({"jax.numpy.array", "jax.numpy.asarray"})
_OF_NUMPY = frozenset({"numpy.array", "numpy.asarray", "numpy.int64"})
_BITS = frozenset({"&", "|", "^", "<<", ">>"})  # which may be after the lower bits alone
_DEPTH = 3  # of lists whose numbers are looked at
_LOST = 2e-7  # twice a step that changes no number of 32 bits near one, or its last bit
_LARGEST, _SMALLEST = 2**31 - 1, -(2**31)


@hazard_class()
class X64SilentlyTruncated(Hazard):
    """A value of 64 bits becomes one of 32. Site: the call or operator; operand: the dtype or number."""

    asked: str
    given: str = ""
    step: bool = False  # of a quotient of differences
    cut: bool = False  # an integer of NumPy, of which JAX keeps 32 bits; one of Python is refused


class Widths(Checker):
    """What needs 64 bits where JAX makes 32."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Integers of NumPy that need 64 bits, by the ident of their array, which JAX cuts off without a word.
        self.wide: dict[v.Ident, int] = self.i.per_module({})

    def subscribe(self, events: Events) -> None:
        events.refuses_operator.append(self.operand)
        events.refuses_operator.append(self.quotient)
        events.refuses_conversion.append(self.made)
        events.arguments_checked.append(self.asked)
        events.host_value.append(self.of_numpy)
        events.item_stored.append(self.stored)

    def narrow(self) -> bool:
        """Whether numbers have 32 bits for certain where the analysis stands."""
        if self.i.context.axes is None or self.i.context.transparent:
            return False
        return bool(self.i.has_32_bits)

    # --- dtypes -------------------------------------------------------------------------------

    def asked(self, name: str, found: knowledge.Facts, call: Call) -> None:
        """Arguments of a function of JAX, or of a method of its arrays."""
        if found.result != "array":  # it asks what a dtype is
            return
        for parameter, value, node in bound(found, call):
            if parameter == "dtype":
                self.dtype(call, node, value, name)

    def dtype(self, call: Call, node: ir.Node, value: v.Value, api: str) -> None:
        wide = ""
        if type(value) is v.Api and value.name.startswith(_DTYPES):
            wide = value.name.rpartition(".")[2]
        elif type(value) is v.Const and isinstance(value.value, str):
            wide = value.value
        if wide in _WIDE and self.narrow():
            self.i.report(X64SilentlyTruncated(wide, _WIDE[wide]), call.node, node, value, api=api)

    # --- integers -----------------------------------------------------------------------------

    def of_numpy(self, value: v.Value, name: str, call: Call) -> v.Value:
        """An array of NumPy, by an ident of its own where it holds integers that need 64 bits."""
        if name not in _OF_NUMPY or type(value) is not v.Host or len(call.args) != 1:
            return value
        dtype = call.keywords.get("dtype")
        if call.keywords and not (len(call.keywords) == 1 and type(dtype) is v.Api and dtype.name == "numpy.int64"):
            return value
        numbers = self.integers(call.args[0], _DEPTH) or ()
        # Those of 32 bits without a sign have all their bits in JAX, and become themselves as `uint32`.
        number = next((number for number in numbers if not _SMALLEST <= number < 2**32), None)
        if number is None or not -(2**63) <= number < 2**63:
            return value
        value = v.Host(value.aval, v.fresh(), value.view)
        self.wide[value.ident] = number  # type: ignore[index]
        return value

    def stored(self, node: ir.Node, base: v.Value, *_: object) -> None:
        """An item of an array is replaced, perhaps the one that needs 64 bits."""
        if base.ident is not None:
            self.wide.pop(base.ident, None)

    def beyond(self, value: v.Value) -> int | None:
        """The first integer that does not fit into 32 bits: the value, or an element of nested lists of integers alone."""
        found = self.integers(value, _DEPTH)
        return next((number for number in found if self.too_large(number)), None) if found is not None else None

    def integers(self, value: v.Value, depth: int) -> list[int] | None:
        if type(value) is v.Const:
            return [value.value] if type(value.value) is int else None
        items = self.i.items_of(value) if depth and self.i.is_list(value) else None
        parts = [self.integers(item, depth - 1) for item in items or ()]
        return None if items is None or None in parts else [number for part in parts for number in part or ()]

    def operand(self, node: ir.Node, op: str, left: v.Value, right: v.Value) -> bool:
        """An operator between an array and integers. True where a Python integer, or one of NumPy, does not fit."""
        for value, other in ((left, right), (right, left)):
            if type(other) is not v.Array or other.aval.dtype in v.KEYS or (op == "**" and value is right):
                continue
            cut = type(value) is v.Host
            if cut and op in _BITS:
                continue
            number = self.number(value)
            if number is not None and self.narrow():
                self.i.report(X64SilentlyTruncated(str(number), cut=cut), node, node, other, api=f"operator {op}")
                return True
        return False

    def quotient(self, node: ir.Node, op: str, left: v.Value, right: v.Value) -> bool:
        """A quotient of differences whose step is lost in 32 bits; its value is what it is."""
        step = right.value if type(right) is v.Const and type(right.value) is float else 0.0
        if op != "/" or not 0 < step <= _LOST or type(left) is not v.Array or type(node) is not ir.Binary:
            return False
        difference = resolved(self.i.unit, node.left)
        if type(difference) is ir.Binary and difference.op == "-" and self.narrow():
            sides = [resolved(self.i.unit, each) for each in (difference.left, difference.right)]
            called = {_called(side) for side in sides}
            if len(called) == 1 and None not in called:
                self.i.report(X64SilentlyTruncated(f"{step:g}", step=True), node, node.right, left, api="operator /")
        return False

    def number(self, value: v.Value | None) -> int | None:
        """A Python integer that does not fit, or one of an array of NumPy."""
        if type(value) is v.Host and value.ident is not None:
            return self.wide.get(value.ident)
        return (
            value.value if type(value) is v.Const and type(value.value) is int and self.too_large(value.value) else None
        )

    def made(self, name: str, call: Call) -> bool:
        """An array that is made of numbers, `jnp.float64(x)` too. True where an integer does not fit."""
        if name.startswith("jax.numpy.") and name.removeprefix("jax.numpy.") in _WIDE and call.args:
            self.dtype(call, call.node, v.Api(name), name)
        if len(call.args) != 1 or call.keywords or name not in _ARRAYS:
            return False
        value = call.args[0]
        number = self.number(value) if type(value) is v.Host else self.beyond(value)
        if number is None or not self.narrow():
            return False
        hazard = X64SilentlyTruncated(str(number), cut=type(value) is v.Host)
        self.i.report(hazard, call.node, call.arg_nodes[0], value, api=name)
        return True

    def too_large(self, number: int) -> bool:
        return not _SMALLEST <= number <= _LARGEST


def _called(node: ir.Node) -> str | None:
    """The name of the function that an expression calls, or maps over what it is given."""
    if type(node) is not ir.Call or not node.args:
        return None
    return ir.dotted(node.func.func if type(node.func) is ir.Call else node.func)
