"""Names by which annotations say that a parameter is an array, and the functions that check annotations."""

from __future__ import annotations

ARRAYS = frozenset({"Array", "ndarray", "ArrayLike", "Tracer"})
"""Classes of arrays by the last part of their names, whatever library they are taken from."""

# Of jaxtyping, and of libraries that give these names on: `Float[Array, "batch dim"]`.
TYPED_ARRAYS = frozenset(
    "Shaped Num Real Inexact Float Complex Int UInt Integer Bool Float16 Float32 Float64 BFloat16 Int8 Int16 Int32 Int64"
    " UInt8 UInt16 UInt32 UInt64 Complex64 Complex128"
    " f16 f32 f64 bf16 i8 i16 i32 i64 u8 u16 u32 u64 c64 c128".split()  # the first names of jaxtyping
)
"""Types of arrays that take the dimensions, by their last part."""

_PACKAGES = ("jaxtyping.", "kauldron.ktyping.", "kauldron.typing.")

TYPE_CHECKERS = frozenset({
    "jaxtyping.jaxtyped", "beartype.beartype", "typeguard.typechecked", "kauldron.ktyping.typechecked",
    "kauldron.typing.typechecked",
})  # fmt: skip
"""Decorators that check the types of arguments, and leave the function as it is."""

OF_NUMPY_ALONE = frozenset({
    "base", "ctypes", "data", "dump", "dumps", "fill", "flags", "flat", "getfield", "itemset", "newbyteorder",
    "partition", "put", "resize", "setfield", "setflags", "strides", "tofile", "tostring",
})  # fmt: skip
"""Members of NumPy's arrays: reading one of them from a jax array or a tracer raises in each release."""

OF_TENSORS_ALONE = frozenset({
    "backward", "contiguous", "cpu", "cuda", "detach", "double", "half", "long", "matmul",
    "mm", "numpy", "permute", "requires_grad", "requires_grad_", "softmax", "t", "unsqueeze",
})  # fmt: skip
"""Members of the tensors of other libraries that no jax array and no tracer has in any release."""

OF_UPDATES_ALONE = frozenset({"set", "add", "subtract", "multiply", "mul", "divide", "power", "apply"})
"""Methods of `x.at[i]` that no array has."""

OF_TRACERS = frozenset({
    "broadcast", "dec_rank", "dimension_as_value", "full_lower", "get_const", "get_referent", "inc_rank", "keys", "named_shape",
    "parent", "pprint", "primal", "source_info", "tangent", "to_concrete_value", "update", "val", "batch_dim",
})  # fmt: skip
"""Members of tracers, of what describes them and of typed keys that arrays lack: code about JAX itself reads them."""


def is_array_type(name: str) -> bool:
    """Whether a dotted name is one of the types in ``TYPED_ARRAYS``."""
    return name.startswith(_PACKAGES) and name.rpartition(".")[2] in TYPED_ARRAYS
