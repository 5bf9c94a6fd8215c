"""Shapes and dtypes of results, for the functions where they matter and are simple."""

from __future__ import annotations

from typing import Any, Optional

from jaxlint.semantics import values as v
from jaxlint.semantics.expressions import Call
from jaxlint.semantics.promotion import broadcast, promoted

Shape = Optional[tuple[Optional[int], ...]]

_ELEMENTWISE = frozenset(
    "abs absolute negative positive exp exp2 expm1 log log1p log2 log10 sqrt square cbrt sin cos tan arcsin"
    " arccos arctan sinh cosh tanh arcsinh arccosh arctanh sign floor ceil trunc rint round isnan isinf"
    " isfinite isneginf isposinf logical_not invert bitwise_not conj conjugate real imag reciprocal nan_to_num"
    " relu sigmoid softplus gelu silu swish elu selu softmax log_softmax zeros_like ones_like clip copy"
    " stop_gradient degrees radians sinc erf logit expit".split()
)
_BINARY = frozenset(
    "add subtract multiply divide true_divide floor_divide power mod remainder maximum minimum fmax fmin"
    " greater greater_equal less less_equal equal not_equal logical_and logical_or logical_xor arctan2"
    " hypot bitwise_and bitwise_or bitwise_xor isclose logaddexp".split()
)
_BOOLEAN = frozenset(
    "isnan isinf isfinite isneginf isposinf logical_not logical_and logical_or logical_xor greater"
    " greater_equal less less_equal equal not_equal isclose allclose array_equal any all isin signbit"
    " isreal iscomplex".split()
)
_REDUCTIONS = frozenset(
    "sum mean prod max min amax amin any all std var median nansum nanmean nanmax nanmin argmax argmin"
    " count_nonzero ptp logsumexp".split()
)
_CREATION = frozenset("zeros ones full empty".split())
_SCALARS = frozenset("allclose array_equal vdot trace".split())
_PACKAGES = ("jax.numpy", "jax.nn", "jax.lax", "jax.numpy.linalg", "jax.scipy.special", "jax.random", "jax.Array")
_VALUES = (_ELEMENTWISE | _BINARY | _REDUCTIONS | _SCALARS | {"dot", "matmul", "cumsum", "cumprod"}) - frozenset(
    "zeros_like ones_like copy stop_gradient real imag".split()
)


def computes(name: str) -> bool:
    """Whether a function computes with the values of its arguments, and does not merely move them."""
    package, _, last = name.rpartition(".")
    return last in _VALUES and package in _PACKAGES


def result_aval(interpreter: Any, name: str, call: Call, dtype: Optional[str]) -> v.Aval:
    """What is known of the array that ``name`` returns."""
    last = name.rpartition(".")[2]
    package = name.rpartition(".")[0]
    if package not in _PACKAGES:
        return v.ANY
    avals = [interpreter.aval_of(value) for value in call.args]
    first = avals[0] if avals else v.ANY
    if package == "jax.random":
        return _random(interpreter, last, call, dtype)
    kind = "bool" if last in _BOOLEAN else None
    if last in _ELEMENTWISE:
        same = last in ("zeros_like", "ones_like", "clip", "abs", "negative", "copy", "round")
        alone = len(call.args) == 1 and not call.keywords  # no dtype, and no bounds of another one
        return v.Aval(kind or (first.dtype if same and alone else None), first.shape)
    if last in _BINARY and len(avals) >= 2:
        shape = broadcast(first.shape, avals[1].shape)
        return v.Aval(kind or (promoted(first, avals[1]) if last in ("add", "subtract", "multiply", "maximum", "minimum") else None), shape)
    if last in _REDUCTIONS:
        counted = dtype if dtype == "int32" else None  # a position or a count, whatever is reduced
        return v.Aval(kind or counted, _reduced(interpreter, first.shape, call))
    if last in _SCALARS:
        return v.Aval(kind, ())
    if last in _CREATION:
        return v.Aval(_dtype(call, 2 if last == "full" else 1), shape_of(interpreter, call.get(0, "shape")))
    if last == "where" and len(avals) == 3:
        return v.Aval(promoted(avals[1], avals[2]), broadcast(broadcast(first.shape, avals[1].shape), avals[2].shape))
    if last in ("arange", "linspace", "flatnonzero", "ravel"):
        return v.Aval(_arange_dtype(call), _arange(call)) if last == "arange" else v.Aval(None, (None,))
    if last in ("array", "asarray"):
        return _array(interpreter, call)
    if last in ("dot", "matmul") and len(avals) >= 2:
        return v.Aval(None, interpreter.binary_aval("@", call.args[0], call.args[1]).shape)
    if last == "reshape":
        return v.Aval(first.dtype, shape_of(interpreter, call.get(1, "shape")))
    if last == "eye":
        size = _int(call.get(0, "N"))
        return v.Aval(None, (size, size if len(call.args) < 2 else _int(call.args[1])))
    if last == "isin":
        return v.Aval("bool", first.shape)
    return v.Aval(kind or (dtype if dtype == "bool" else None))


def shape_of(interpreter: Any, value: Optional[v.Value]) -> Shape:
    """A shape given as an argument: an int or a tuple of ints."""
    if value is None:
        return None
    if type(value) is v.Const and isinstance(value.value, int):
        return (value.value,) if value.value >= 0 else (None,)
    if type(value) is v.Static and value.type in ("int", "dim"):
        return (_int(value),)
    items = interpreter.items_of(value)
    if items is None:
        return None
    return tuple(None if isinstance(size, int) and size < 0 else size for size in map(_int, items))


def _int(value: Optional[v.Value]) -> Any:
    if type(value) is v.Static and value.type == "dim":
        return v.SYMBOLIC
    return value.value if type(value) is v.Const and type(value.value) is int else None


def _arange(call: Call) -> Shape:
    numbers = [_int(value) for value in call.args]
    if numbers and all(isinstance(n, int) for n in numbers) and None not in numbers and len(numbers) <= 3:
        try:
            return (len(range(*numbers)),)  # type: ignore[arg-type]
        except ValueError:
            return (None,)
    return (None,)


def _arange_dtype(call: Call) -> Optional[str]:
    if not call.keywords and len(call.args) <= 3 and all(type(value) is v.Const for value in call.args):
        types = {type(value.value) for value in call.args}
        return "int32" if types == {int} else "float32" if types in ({float}, {int, float}) else None
    return None


def _dtype(call: Call, position: int) -> Optional[str]:
    given = call.get(position, "dtype")
    if given is None:
        return "float32" if position == 1 else None
    if type(given) is v.Api:
        return dtype_name(given.name)
    return None


def dtype_name(name: str) -> Optional[str]:
    """dtype a scalar type stands for in JAX with x64 switched off."""
    last = name.rpartition(".")[2].rstrip("_")
    table = {"int": "int32", "float": "float32", "bool": "bool", "complex": "complex64", "int64": "int32", "float64": "float32"}
    if last in table:
        return table[last]
    known = ("float32", "float16", "bfloat16", "int32", "int16", "int8", "uint8", "uint16", "uint32", "complex64")
    return last if last in known else None


def _array(interpreter: Any, call: Call) -> v.Aval:
    value = call.args[0]
    given = call.get(1, "dtype")
    dtype = dtype_name(given.name) if type(given) is v.Api else None
    if type(value) in (v.Array, v.Host, v.Const, v.Static):
        aval = interpreter.aval_of(value)
        return v.Aval(dtype or (aval.dtype if given is None else None), aval.shape)
    items = interpreter.items_of(value)
    if items is None:
        return v.Aval(dtype)
    inner = [interpreter.aval_of(item) for item in items]
    if not inner:
        return v.Aval(dtype, (0,))
    nested: Shape = inner[0].shape
    if nested is None and interpreter.items_of(items[0]) is not None:
        lengths = [interpreter.items_of(item) for item in items]
        nested = (len(lengths[0]),) if lengths[0] is not None else None
        flat = lengths[0] or []
        if any(interpreter.aval_of(x).shape != () for x in flat):
            nested = None
    kinds = {a.dtype for a in inner}
    kind = kinds.pop() if len(kinds) == 1 else None
    return v.Aval(dtype or (kind if given is None else None), None if nested is None else (len(items), *nested))


def _reduced(interpreter: Any, shape: Shape, call: Call) -> Shape:
    axis = call.get(1, "axis")
    if "keepdims" in call.keywords or len(call.args) > 2:
        return None
    if axis is None or (type(axis) is v.Const and axis.value is None):
        return ()
    number = _int(axis)
    if shape is None or number is None or not -len(shape) <= number < len(shape):
        return None
    rest = list(shape)
    del rest[number]
    return tuple(rest)


_SHAPE_POSITION = {
    "normal": 1, "uniform": 1, "exponential": 1, "gumbel": 1, "laplace": 1, "logistic": 1, "cauchy": 1,
    "randint": 1, "bernoulli": 2, "bits": 1, "rademacher": 1,
}  # fmt: skip


def _random(interpreter: Any, last: str, call: Call, dtype: Optional[str]) -> v.Aval:
    position = _SHAPE_POSITION.get(last)
    if position is None:
        return v.ANY
    given = call.get(position, "shape")
    kind = {"randint": "int32", "bernoulli": "bool", "bits": "uint32", "rademacher": "int32"}.get(last, "float32")
    dtype_position = 4 if last == "randint" else position + 1  # its bounds stand between shape and dtype
    if "dtype" in call.keywords or len(call.args) > dtype_position:
        kind = None  # type: ignore[assignment]
    if given is None or (type(given) is v.Const and given.value is None):
        default = last in ("normal", "uniform", "exponential", "gumbel", "laplace", "logistic", "cauchy", "bits")
        return v.Aval(kind, () if default else None)
    return v.Aval(kind, shape_of(interpreter, given))
