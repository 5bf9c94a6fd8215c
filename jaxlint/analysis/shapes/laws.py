"""Shapes and dtypes of the arrays that functions of JAX and NumPy give, as far as they are certain."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.promotion import broadcast, combined, floating
from jaxlint.analysis.shapes import contractions, creation, layout
from jaxlint.analysis.shapes.bound_arguments import (
    Given,
    Shape,
    dtype_name as dtype_name,
    dtype_of as dtype_of,
    number,
    shape_of as shape_of,
)
from jaxlint.analysis.shapes.samplers import drawn

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Elementwise functions: those that keep the dtype, those that compute with floating-point numbers, those
# that ask a question; and the same of two arguments.
_KEEPING = frozenset(
    "abs absolute negative positive square sign floor ceil trunc round around relu relu6 conj conjugate"
    " nan_to_num copy invert bitwise_not stop_gradient".split()
)
_FLOATING = frozenset(
    "exp exp2 expm1 log log1p log2 log10 sqrt cbrt sin cos tan arcsin arccos arctan asin acos atan sinh cosh tanh"
    " arcsinh arccosh arctanh asinh acosh atanh rint degrees radians deg2rad rad2deg sinc erf erfc logit expit"
    " reciprocal".split()
)
_ACTIVATIONS = frozenset("sigmoid softplus gelu silu swish elu selu log_sigmoid soft_sign".split())
_QUESTIONS = frozenset("isnan isinf isfinite isneginf isposinf logical_not isreal iscomplex signbit isin".split())
_PAIRED = frozenset(
    "add subtract multiply mod remainder maximum minimum floor_divide bitwise_and bitwise_or bitwise_xor fmod fmax"
    " fmin power".split()
)
_PAIRED_FLOATING = frozenset("divide true_divide arctan2 atan2 hypot logaddexp logaddexp2 copysign heaviside".split())
_COMPARING = frozenset(
    "greater greater_equal less less_equal equal not_equal logical_and logical_or logical_xor isclose".split()
)
# Reductions: sums widen small integers, extremes keep the dtype, means are floating-point numbers.
_SUMS = frozenset("sum prod nansum nanprod".split())
_EXTREMES = frozenset("max min amax amin nanmax nanmin ptp".split())
_MEANS = frozenset("mean std var median nanmean nanstd nanvar nanmedian logsumexp average".split())
_POSITIONS = frozenset("argmax argmin nanargmax nanargmin count_nonzero".split())
_SCALARS = frozenset("allclose array_equal array_equiv".split())
REDUCTIONS = _SUMS | _EXTREMES | _MEANS | _POSITIONS | {"any", "all"}
_PACKAGES = (
    "jax.numpy", "jax.numpy.fft", "jax.nn", "jax.lax", "jax.numpy.linalg", "jax.scipy.special", "jax.random", "jax.Array",
    "jax.image",
)  # fmt: skip
_VALUES = (
    _KEEPING | _FLOATING | _ACTIVATIONS | _QUESTIONS | _PAIRED | _PAIRED_FLOATING | _COMPARING | REDUCTIONS | _SCALARS
    | {"dot", "matmul", "cumsum", "cumprod", "vdot", "trace", "softmax", "log_softmax", "clip"}
) - frozenset("copy stop_gradient".split())  # fmt: skip


# Functions that give the very integers that they are given, or integers that are known.
_SPANNING = frozenset("ones arange zeros array asarray copy randint int32".split())
# Functions that move the integers that they are given, and leave none out.
_MOVING = frozenset(
    "broadcast_to expand_dims flatten flip moveaxis ravel repeat reshape roll sort squeeze swapaxes tile transpose".split()
)


def computes(name: str) -> bool:
    """Whether a function computes with the values of its arguments, and does not merely move them."""
    package, _, last = name.rpartition(".")
    return last in _VALUES and package in _PACKAGES


def is_elementwise(last: str) -> bool:
    """Whether a function of one array, by the last part of its name, gives one of the same shape."""
    return last in _KEEPING or last in _FLOATING or last in _ACTIVATIONS or last in ("softmax", "log_softmax", "astype")


def result_aval(interpreter: Interpreter, name: str, call: Call, dtype: str | None) -> v.Aval:
    """What is known of the array that ``name`` returns; ``dtype`` is what it has whatever the arguments are."""
    package, _, last = name.rpartition(".")
    found = v.ANY
    if package in _PACKAGES:
        given = Given(interpreter, name, call)
        if package == "jax.random":
            found = drawn(given, last) if given.known else v.ANY
        elif package == "jax.lax":
            function = _LAX.get(last)
            found = function(given) if function is not None and given.known else v.ANY
        elif package == "jax.numpy.fft":
            found = creation.spectrum(given, last) if given.known else v.ANY
        elif given.known:
            found = _aval(given, last)
        elif last in _QUESTIONS | _COMPARING | _SCALARS | {"any", "all"}:
            return v.BOOL
    if found.span is not None and last not in _SPANNING:
        found = found.spanning(None)
    if last in _MOVING and package == "jax.numpy":
        given = Given(interpreter, name, call)
        if given.known and type(given.first.span) is tuple:
            found = found.spanning(given.first.span)
    if found.dtype is None and (dtype == "bool" or (dtype == "int32" and last in _POSITIONS)):
        return v.Aval(dtype, found.shape)
    return found


def result_avals(interpreter: Interpreter, name: str, call: Call) -> list[v.Aval] | None:
    """What is known of each of the arrays that ``name`` returns, where their number is."""
    function = _SEVERAL.get(name)
    if function is None:
        return None
    given = Given(interpreter, name, call)
    return function(given) if given.known else None


def of_numpy(aval: v.Aval) -> v.Aval:
    """What NumPy gives where JAX would give this: its arrays are never weak, and promote float16 otherwise."""
    return v.Aval(None if aval.dtype in ("float16", "bfloat16") else aval.dtype, aval.shape)


def _aval(given: Given, last: str) -> v.Aval:
    first = given.first
    if last in REDUCTIONS:
        return _reduction(given, last)
    if last in _KEEPING:
        return _keeping(given, last)
    if last in _FLOATING:
        result = floating(first) if len(given.operands) == 1 else v.Aval(None, first.shape)
        if last == "log2" and result.weak:
            return v.Aval(result.dtype, result.shape, None)  # weak from jax 0.11 on
        return v.Aval(result.dtype, result.shape) if last == "log10" else result
    if last in _ACTIVATIONS:  # what they do to a weak array is not the same for all
        result = floating(first)
        alone = len(given.operands) == 1
        return v.Aval(result.dtype if alone else None, result.shape, False if result.weak is False else None)
    if last in _QUESTIONS:
        return v.Aval("bool", first.shape, None)
    if last in _PAIRED or last in _PAIRED_FLOATING or last in _COMPARING:
        return _paired(given, last)
    if last in _SCALARS:
        return v.Aval("bool", ())
    function = _BY_NAME.get(last)
    if function is None and given.operands and dtype_name(last) is not None:  # `jnp.float32(x)`
        return v.Aval(dtype_name(last), creation.array(given).shape)
    return function(given) if function is not None else v.ANY


# --- elementwise --------------------------------------------------------------------------------


def _keeping(given: Given, last: str) -> v.Aval:
    aval = given.first
    if aval.dtype == "bool" and last not in ("copy", "invert", "bitwise_not", "stop_gradient", "abs", "absolute"):
        return v.Aval(None, aval.shape)
    if aval.dtype is not None and "complex" in aval.dtype and last in ("abs", "absolute"):
        return v.Aval("float32", aval.shape, aval.weak)
    return aval


def _paired(given: Given, last: str) -> v.Aval:
    if len(given.operands) < 2:
        return v.BOOL if last in _COMPARING else v.ANY
    pair = [given.i.aval_of(value) for value in given.operands[:2]]
    shape = broadcast(pair[0].shape, pair[1].shape)
    if last in _COMPARING:
        return v.Aval("bool", shape)
    if "bool" in (pair[0].dtype, pair[1].dtype) and last not in ("maximum", "minimum", "add", "multiply", "divide"):
        return v.Aval(None, shape)
    dtype, weak = combined(pair)
    if last not in _PAIRED_FLOATING:
        return v.Aval(dtype, shape, weak)
    return floating(v.Aval(dtype, shape, weak if "divide" in last or weak is False else None))


def _clipped(given: Given) -> v.Aval:
    bounds = [given.i.aval_of(x) for name in ("min", "max", "a_min", "a_max") if (x := given.get(name)) is not None]
    aval = given.first
    for bound in bounds:
        dtype, weak = combined((aval, bound))
        aval = v.Aval(dtype, broadcast(aval.shape, bound.shape), weak)
    return aval


def _chosen(given: Given) -> v.Aval:
    if len(given.operands) != 3:
        return v.ANY
    condition, first, second = (given.i.aval_of(value) for value in given.operands)
    dtype, weak = combined((first, second))
    return v.Aval(dtype, broadcast(condition.shape, broadcast(first.shape, second.shape)), weak)


def _softmax(given: Given) -> v.Aval:
    return floating(given.first)


def _part(given: Given) -> v.Aval:
    """`real`, `imag`"""
    aval = given.first
    if aval.dtype is None or "complex" in aval.dtype:
        return v.Aval("float32" if aval.dtype else None, aval.shape, aval.weak)
    return aval


# --- reductions ---------------------------------------------------------------------------------


def _reduction(given: Given, last: str) -> v.Aval:
    aval = given.first
    shape = _reduced(given, aval.shape)
    if last in ("any", "all"):
        return v.Aval("bool", shape)
    if "dtype" in given:
        return v.Aval(given.dtype(), shape)
    if last in _POSITIONS:
        return v.Aval("int32", shape)
    if aval.dtype is None or "promote_integers" in given or "initial" in given or "b" in given or "weights" in given:
        return v.Aval(None, shape)
    dtype: str | None = aval.dtype
    if last in _MEANS:
        dtype = floating(aval).dtype
        if aval.dtype.startswith("complex"):
            dtype = aval.dtype if last == "mean" else None
    elif last in _SUMS and aval.dtype in ("bool", "int8", "int16"):
        dtype = "int32"
    elif last in _SUMS and aval.dtype in ("uint8", "uint16"):
        dtype = "uint32"
    elif aval.dtype == "bool":
        dtype = None if last == "ptp" else "bool"
    return v.Aval(dtype, shape, None if aval.weak else False)


def _reduced(given: Given, shape: Shape) -> Shape:
    keep = given.truth("keepdims")
    if "axis" not in given and not ("axis" in given.named and type(given.named["axis"]) is not v.Const):
        if keep is False:
            return ()
        return None if keep is None or shape is None else (1,) * len(shape)
    axes = given.axes(given.get("axis"), len(shape) if shape is not None else None)
    if shape is None or axes is None or keep is None:
        return None
    if keep:
        return tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    return tuple(size for axis, size in enumerate(shape) if axis not in axes)


def _norm(given: Given) -> v.Aval:
    aval = floating(given.first)
    dtype = "float32" if aval.dtype is not None and "complex" in aval.dtype else aval.dtype
    return v.Aval(dtype, _reduced(given, aval.shape))


def _accumulated(given: Given) -> v.Aval:
    aval = given.first
    shape = layout.raveled(given).shape if "axis" not in given else aval.shape
    dtype = given.dtype("int32" if aval.dtype == "bool" else aval.dtype)
    return v.Aval(dtype, (1,) if shape == () else shape, None if aval.weak else False)


def _differences(given: Given) -> v.Aval:
    shape, count = given.first.shape, given.get("n")
    axis = given.axis(given.get("axis"), len(shape) if shape is not None else None, -1)
    if shape is None or axis is None or "prepend" in given or "append" in given or given.first.dtype == "bool":
        return v.ANY
    times = 1 if count is None else number(count)
    size = shape[axis]
    left = max(0, size - times) if isinstance(times, int) and isinstance(size, int) else None
    return given.first.shaped((*shape[:axis], left, *shape[axis + 1 :]))


# --- searching ----------------------------------------------------------------------------------


def _taken(given: Given) -> v.Aval:
    aval, indices = given.first, given.aval(1, "indices")
    if "axis" not in given:
        return aval.shaped(indices.shape)
    axis = given.axis(given.get("axis"), len(aval.shape) if aval.shape is not None else None)
    if aval.shape is None or axis is None or indices.shape is None:
        return aval.shaped(None)
    return aval.shaped((*aval.shape[:axis], *indices.shape, *aval.shape[axis + 1 :]))


def _sorting(given: Given) -> v.Aval:
    return v.Aval("int32", layout.ordered(given).shape)


def _searched(given: Given) -> v.Aval:
    return v.Aval("int32", given.aval(1, "v").shape)


def _interpolated(given: Given) -> v.Aval:
    dtype, _ = combined((given.first, given.aval(1, "xp"), given.aval(2, "fp")))
    return floating(v.Aval(dtype, given.first.shape, False))


def _sized(given: Given) -> int | None:
    size = number(given.get("size"))
    return size if isinstance(size, int) else None


def _places(given: Given) -> list[v.Aval] | None:
    """`nonzero`: an array of indices for each dimension."""
    shape = given.first.shape
    return None if not shape else [v.Aval("int32", (_sized(given),))] * len(shape)


def _rows_of_places(given: Given) -> v.Aval:
    shape = given.first.shape
    return v.Aval("int32", (_sized(given), len(shape) if shape is not None else None))


def _distinct(given: Given) -> v.Aval:
    """`unique`, where it gives no more than the elements themselves."""
    more = any(name.startswith("return_") for name in given.named) or "axis" in given or len(given.operands) != 1
    return v.ANY if more else v.Aval(given.first.dtype, (_sized(given),))


def _in_bins(given: Given) -> v.Aval:
    return v.Aval("int32", given.first.shape)


def _flat_places(given: Given) -> v.Aval:
    return v.Aval("int32", (_sized(given),))


# --- of jax.lax ---------------------------------------------------------------------------------


def _cut(given: Given) -> v.Aval:
    """`dynamic_slice`: as large as is asked for."""
    return given.first.shaped(given.shape(given.get("slice_sizes")))


def _cut_in_dim(given: Given) -> v.Aval:
    shape = given.first.shape
    axis = given.axis(given.get("axis"), len(shape) if shape is not None else None, 0)
    if shape is None or axis is None:
        return given.first.shaped(None)
    size = number(given.get("slice_size"))
    return given.first.shaped((*shape[:axis], size, *shape[axis + 1 :]))


def _index_in_dim(given: Given) -> v.Aval:
    shape, keep = given.first.shape, given.truth("keepdims", True)
    axis = given.axis(given.get("axis"), len(shape) if shape is not None else None, 0)
    if shape is None or axis is None or keep is None:
        return given.first.shaped(None)
    return given.first.shaped((*shape[:axis], *((1,) if keep else ()), *shape[axis + 1 :]))


def _converted(given: Given) -> v.Aval:
    return v.Aval(dtype_of(given.get("new_dtype")), given.first.shape)


def _selected(given: Given) -> v.Aval:
    first, second = given.aval(1, "on_true"), given.aval(2, "on_false")
    dtype, weak = combined((first, second))
    return v.Aval(first.dtype if first.dtype == second.dtype else dtype, first.shape, weak)


def _top(given: Given) -> list[v.Aval] | None:
    shape = given.first.shape
    if "axis" in given or not shape:
        return None
    shape = (*shape[:-1], number(given.operand(1, "k")))
    return [given.first.shaped(shape), v.Aval("int32", shape)]


def _equal_shapes(given: Given) -> v.Aval:
    """A function of `jax.lax` with two arguments: it neither broadcasts nor promotes but for Python scalars."""
    if len(given.operands) < 2:
        return v.ANY
    first, second = (given.i.aval_of(value) for value in given.operands[:2])
    dtype, weak = combined((first, second))
    return v.Aval(dtype, broadcast(first.shape, second.shape), weak)


def _comparing(given: Given) -> v.Aval:
    return v.Aval("bool", _equal_shapes(given).shape)


_BY_NAME: dict[str, Callable[[Given], v.Aval]] = {
    "clip": _clipped, "where": _chosen, "softmax": _softmax, "log_softmax": _softmax, "real": _part, "imag": _part,
    "norm": _norm, "cumsum": _accumulated, "cumprod": _accumulated, "diff": _differences, "take": _taken,
    "indices": creation.grid, "bincount": creation.counts, "digitize": _in_bins, "unique": _distinct,
    "argsort": _sorting, "searchsorted": _searched, "argwhere": _rows_of_places, "flatnonzero": _flat_places,
    "dot": contractions.dotted, "matmul": contractions.multiplied, "vdot": contractions.vdot, "inner": contractions.inner,
    "convolve": contractions.slid("full"), "correlate": contractions.slid("valid"), "interp": _interpolated,
    "outer": contractions.outer, "tensordot": contractions.tensordot, "einsum": contractions.einsum, "trace": contractions.traced_out,
    "zeros": creation.zeros, "ones": creation.ones, "empty": creation.ones, "full": creation.full,
    "zeros_like": creation.like, "ones_like": creation.like, "empty_like": creation.like, "full_like": creation.like,
    "array": creation.array, "asarray": creation.array, "int32": creation.whole, "arange": creation.arange, "linspace": creation.linspace,
    "eye": creation.eye, "identity": creation.eye, "tri": creation.eye, "one_hot": creation.one_hot,
    "reshape": layout.reshaped, "ravel": layout.raveled, "flatten": layout.raveled,
    "transpose": layout.transposed, "permute_dims": layout.transposed,
    "matrix_transpose": layout.matrix_transposed, "swapaxes": layout.axes_swapped,
    "moveaxis": layout.axis_moved, "expand_dims": layout.expanded, "squeeze": layout.squeezed,
    "stack": layout.stacked, "concatenate": layout.concatenated, "concat": layout.concatenated,
    "append": layout.appended,
    "hstack": layout.hstacked, "vstack": layout.vstacked, "broadcast_to": layout.broadcast_to,
    "resize": layout.resized, "scale_and_translate": layout.resized,
    "repeat": layout.repeated, "tile": layout.tiled, "pad": layout.padded, "flip": layout.same,
    "fliplr": layout.same, "flipud": layout.same, "tril": layout.same, "triu": layout.same,
    "roll": layout.same, "sort": layout.ordered, "diag": layout.diagonal_of,
    "atleast_1d": layout.at_least(1), "atleast_2d": layout.at_least(2),
    "atleast_3d": layout.at_least(3),
}  # fmt: skip
_LAX: dict[str, Callable[[Given], v.Aval]] = {
    **dict.fromkeys("add sub mul max min pow rem div bitwise_and bitwise_or bitwise_xor".split(), _equal_shapes),
    **dict.fromkeys("gt ge lt le eq ne".split(), _comparing),
    **dict.fromkeys(
        "exp log log1p expm1 sin cos tan tanh sqrt rsqrt logistic neg floor ceil stop_gradient cumsum cumprod cummax"
        " cummin rev dynamic_update_slice dynamic_update_slice_in_dim dynamic_update_index_in_dim".split(),
        layout.same,
    ),
    "reshape": layout.reshaped, "transpose": layout.transposed, "squeeze": layout.squeezed,
    "expand_dims": layout.expanded, "concatenate": layout.concatenated, "full": creation.full,
    "full_like": creation.like, "dynamic_slice": _cut, "dynamic_slice_in_dim": _cut_in_dim, "select": _selected,
    "dynamic_index_in_dim": _index_in_dim, "index_in_dim": _index_in_dim, "convert_element_type": _converted,
    "iota": creation.iota,
}  # fmt: skip
_SEVERAL: dict[str, Callable[[Given], list[v.Aval] | None]] = {
    "jax.numpy.split": layout.split, "jax.numpy.array_split": layout.split, "jax.numpy.nonzero": _places,
    "jax.numpy.unstack": layout.unstacked, "jax.numpy.meshgrid": layout.mesh, "jax.lax.top_k": _top,
    "jax.numpy.broadcast_arrays": layout.broadcast_together, "jax.numpy.where": _places,
    "jax.numpy.triu_indices": creation.triangle, "jax.numpy.tril_indices": creation.triangle,
    "jax.numpy.diag_indices": creation.diagonal,
}  # fmt: skip
