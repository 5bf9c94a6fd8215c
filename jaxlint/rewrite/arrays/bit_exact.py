"""Calls of NumPy for which the function of JAX gives the same bits, also outside a transform."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arrays.array_names import calls_array_maker, made_by_jax
from jaxlint.rewrite.file import File

_ANY = frozenset({"float32", "int32", "bfloat16", "bool"})
# For which dtypes the bits are the same, by the number of arguments: measured, but for subnormal numbers, which XLA takes
# for zero. Two zeros of different sign have no order in NumPy, and what it does with the NaNs of bfloat16 is its own.
_ONE = {
    **dict.fromkeys(
        "abs absolute negative positive signbit isnan isinf isfinite isneginf isposinf iscomplex logical_not"
        " fliplr flipud ravel atleast_1d atleast_2d atleast_3d copy zeros_like ones_like diff tril triu diag diagonal"
        " ptp diagflat".split(),
        _ANY,
    ),
    **dict.fromkeys("nan_to_num nanmax nanmin".split(), _ANY - {"bfloat16"}),
    **{key: {"float32"} for key in "floor ceil trunc rint sqrt square reciprocal".split()},
    "sort": {"int32", "bool"},
}
_TWO = {
    **dict.fromkeys(
        "add subtract multiply maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal"
        " logical_and logical_or logical_xor".split(),
        _ANY,
    ),
    **{key: {"float32"} for key in "fmod copysign".split()},
    **{key: {"int32"} for key in "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split()},
}
_LARGEST = frozenset("maximum minimum fmax fmin nanmax nanmin ptp".split())
_FLOATS = frozenset({"float32", "bfloat16"})
_MANY = frozenset("concatenate stack hstack vstack".split())


def is_bit_exact(file: File, call: ir.Call, api: str) -> bool:
    """Whether the rewritten call leaves the same bits in what the code makes of its result.

    NumPy gives an array of its own type: only where the result goes straight into a function of JAX
    does nothing of that remain.
    """
    module, _, name = api.rpartition(".")
    if module != "numpy" or call.keywords or not _goes_into_jax(file, call):
        return False
    if name in _MANY and len(call.args) == 1 and isinstance(call.args[0], ir.Sequence):
        dtypes = {_dtype(file, each) for each in call.args[0].elements}
        return len(dtypes) == 1 and None not in dtypes
    dtypes = {_dtype(file, each) for each in call.args if not isinstance(each, ir.Constant)}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if dtype is None:
        return False
    numbers = [each for each in call.args if isinstance(each, ir.Constant)]
    if _tells_zeros_apart(name, numbers, dtype):
        return False
    if len(call.args) == 1:
        return dtype in _ONE.get(name, ())
    return len(call.args) == 2 and dtype in _TWO.get(name, ()) and all(_agrees(each, dtype) for each in numbers)


def _tells_zeros_apart(name: str, numbers: list[ir.Constant], dtype: str) -> bool:
    """Whether JAX gives the larger of 0.0 and -0.0, where NumPy gives the one that comes first."""
    return name in _LARGEST and dtype in _FLOATS and not any(number.value for number in numbers)


def _agrees(number: ir.Constant, dtype: str) -> bool:
    """Whether NumPy and JAX compute with the number in this dtype."""
    kinds = {"float32": (int, float), "int32": (int,)}.get(dtype, ())
    return type(number.value) in kinds and abs(number.value) < 2**24


def _goes_into_jax(file: File, call: ir.Call) -> bool:
    above = file.unit.parent(call.site)
    if isinstance(above, ir.Binary):
        other = above.right if above.left is call else above.left
        return _dtype(file, other) is not None
    return isinstance(above, ir.Call) and call in above.args and calls_array_maker(file, above)


def _dtype(file: File, node: ir.Node) -> str | None:
    """The dtype of what is certainly an array made by a function of JAX; None where that is not certain."""
    values = file.values(node.site)
    dtypes = {value.aval.dtype if type(value) is v.Array and not value.aval.weak else None for value in values}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    return dtype if dtype in _ANY and _is_made_by_jax(file, node) else None


def _is_made_by_jax(file: File, node: ir.Node) -> bool:
    if isinstance(node, ir.Name):
        return made_by_jax(file, file.unit.scope(node.site), node.id)
    if isinstance(node, ir.Subscript):
        return _is_made_by_jax(file, node.value)
    if isinstance(node, ir.Binary):
        sides = [side for side in (node.left, node.right) if not isinstance(side, ir.Constant)]
        return all(_is_made_by_jax(file, side) for side in sides)
    if isinstance(node, ir.Call):
        receiver = node.func.value if isinstance(node.func, ir.Attribute) else None
        return calls_array_maker(file, node) or (receiver is not None and _is_made_by_jax(file, receiver))
    return False
