"""What NumPy arrays have and jax arrays lack: methods that work in place, attributes about memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.model import Kind

if TYPE_CHECKING:
    from jaxlint.analysis.domain.call import Call

# Reading one of them from a jax array or a tracer raises in each release.
MEMBERS = frozenset({
    "base", "ctypes", "data", "dump", "dumps", "fill", "flags", "flat", "getfield", "itemset", "newbyteorder",
    "partition", "put", "resize", "setfield", "setflags", "strides", "tofile", "tostring",
})  # fmt: skip
_PROPERTIES = frozenset({"shape", "dtype", "real", "imag", "T"})  # which can be read and not set
# Functions that change their argument in NumPy, and refuse to in JAX unless they are told to return what is changed.
_IN_PLACE = frozenset(f"jax.numpy.{name}" for name in ("put", "place", "fill_diagonal", "put_along_axis"))


def read(interpreter: Any, node: Any, base: v.Array, attr: str) -> bool:
    """An attribute is read. Whether there is none; recorded if so."""
    if attr not in MEMBERS:
        return False
    # Classes of arrays have `data` of their own: where nothing else is known of a tracer, it may be one of them.
    if attr != "data" or base.cls is None or base.aval.dtype is not None:
        interpreter.demand(Kind.NUMPY_ONLY, node, node.value, base, api=f".{attr}")
    return True


def stored(interpreter: Any, target: Any, base: v.Value, attr: str) -> None:
    """An attribute is set."""
    if type(base) is v.Array and attr in _PROPERTIES:
        interpreter.demand(Kind.NUMPY_ONLY, target, target.value, base, api=f".{attr}", detail="set")


def called(interpreter: Any, name: str, call: Call) -> bool:
    """Whether a function of `jax.numpy` is to work in place; recorded if so."""
    if name not in _IN_PLACE or call.double_star or call.star or not call.args:
        return False
    inplace = call.keywords.get("inplace") if name != "jax.numpy.put_along_axis" else call.get(4, "inplace")
    if inplace is not None and not (type(inplace) is v.Const and inplace.value is True):
        return False
    interpreter.demand(Kind.NUMPY_ONLY, call.node, call.arg_nodes[0], call.args[0], api=name, parameter="inplace")
    return True
