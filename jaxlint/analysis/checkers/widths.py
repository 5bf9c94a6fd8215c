"""What needs 64 bits, in a program that does not switch them on.

JAX makes numbers of 32 bits unless `jax_enable_x64` is set: by the program, a module that it imports,
or the environment. So only programs are judged that import nothing but libraries which leave that
option alone, and there only what the module itself runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import bound
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.events import Checker, Events

_WIDE = {
    "float64": "float32", "double": "float32", "int64": "int32", "longlong": "int32", "uint64": "uint32",
    "complex128": "complex64", "cdouble": "complex64",
}  # fmt: skip
_DTYPES = ("numpy.", "jax.numpy.")
_ARRAYS = frozenset({"jax.numpy.array", "jax.numpy.asarray"})
_LARGEST, _SMALLEST = 2**31 - 1, -(2**31)


@dataclass(eq=False, repr=False)
class X64SilentlyTruncated(Hazard):
    """A value of 64 bits becomes one of 32. Site: the call or operator; operand: the dtype or number."""

    asked: str
    given: str = ""


class Widths(Checker):
    """What needs 64 bits where JAX makes 32."""

    def subscribe(self, events: Events) -> None:
        events.refuses_operator.append(self.operand)
        events.refuses_conversion.append(self.made)
        events.arguments_checked.append(self.asked)

    def narrow(self) -> bool:
        """Whether numbers have 32 bits for certain where the analysis stands."""
        if self.i.context.axes is None or self.i.context.transparent:
            return False
        return bool(self.i.has_32_bits)

    # --- dtypes -------------------------------------------------------------------------------

    def asked(self, name: str, found: Any, call: Call) -> None:
        """Arguments of a function of JAX, or of a method of its arrays."""
        if found.result != "array":  # it asks what a dtype is
            return
        for parameter, value, node in bound(found, call):
            if parameter == "dtype":
                self.dtype(call, node, value, name)

    def dtype(self, call: Call, node: Any, value: v.Value, api: str) -> None:
        wide = ""
        if type(value) is v.Api and value.name.startswith(_DTYPES):
            wide = value.name.rpartition(".")[2]
        elif type(value) is v.Const and isinstance(value.value, str):
            wide = value.value
        if wide in _WIDE and self.narrow():
            self.i.report(X64SilentlyTruncated(wide, _WIDE[wide]), call.node, node, value, api=api)

    # --- integers -----------------------------------------------------------------------------

    def operand(self, node: Any, op: str, left: v.Value, right: v.Value) -> bool:
        """An operator between an array and a Python integer. True where that does not fit."""
        for value, other in ((left, right), (right, left)):
            if type(value) is v.Const and type(value.value) is int and type(other) is v.Array:
                exponent = op == "**" and value is right
                if not exponent and self.too_large(value.value) and other.aval.dtype not in v.KEYS and self.narrow():
                    hazard = X64SilentlyTruncated(str(value.value))
                    self.i.report(hazard, node, node, other, api=f"operator {op}")
                    return True
        return False

    def made(self, name: str, call: Call) -> bool:
        """An array that is made of one number, `jnp.float64(x)` too. True where a Python integer does not fit."""
        if name.startswith("jax.numpy.") and name.removeprefix("jax.numpy.") in _WIDE and call.args:
            self.dtype(call, call.node, v.Api(name), name)
        value = call.get(0)
        if len(call.args) != 1 or call.keywords or type(value) is not v.Const or type(value.value) is not int:
            return False
        if name not in _ARRAYS or not self.too_large(value.value) or not self.narrow():
            return False
        hazard = X64SilentlyTruncated(str(value.value))
        self.i.report(hazard, call.node, call.arg_nodes[0], value, api=name)
        return True

    def too_large(self, number: int) -> bool:
        return not _SMALLEST <= number <= _LARGEST
