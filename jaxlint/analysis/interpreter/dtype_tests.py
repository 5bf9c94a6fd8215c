"""`jnp.issubdtype(x.dtype, jnp.floating)`: a question with one answer where the dtype is known."""

from __future__ import annotations

import re

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call

NAMES = frozenset({"jax.numpy.issubdtype", "jax.dtypes.issubdtype", "numpy.issubdtype"})
# Abstract classes of dtypes, by the kinds of names that they hold.
_KINDS = {
    "floating": ("float",), "complexfloating": ("complex",), "inexact": ("float", "complex"), "signedinteger": ("int",),
    "unsignedinteger": ("uint",), "integer": ("int", "uint"), "number": ("int", "uint", "float", "complex"), "bool_": ("bool",),
}  # fmt: skip


def test(call: Call) -> v.Value | None:
    if len(call.args) != 2 or call.keywords:
        return None
    given, wanted = call.args
    if (
        type(given) is not v.Static
        or given.type != "dtype"
        or given.ident is None
        or len(given.ident) != 2
        or type(wanted) is not v.Api
    ):
        return None
    kinds = _KINDS.get(wanted.name.rpartition(".")[2])
    # `bfloat16` and its like: NumPy says otherwise.
    dtype = re.match(r"bool|uint|int|float|complex", str(given.ident[1]))
    return None if kinds is None or dtype is None else v.Const(dtype.group() in kinds)
