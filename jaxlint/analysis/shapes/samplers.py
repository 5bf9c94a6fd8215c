"""Shapes and dtypes of what the samplers of `jax.random` and `numpy.random` draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.promotion import broadcast
from jaxlint.analysis.shapes.bound_arguments import Given, Shape, number, shape_of
from jaxlint.analysis.shapes.creation import listed

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# Sampler -> dtype that it draws where none is asked for. Without a shape they draw one number ...
_SINGLE = {
    **dict.fromkeys("normal uniform exponential gumbel laplace logistic cauchy rayleigh".split(), "float32"),
    "bits": "uint32", "rademacher": "int32", "randint": "int32",
}  # fmt: skip
# ... or as many as the parameters of the distribution have.
_SHAPED: dict[str, tuple[str, ...]] = {
    "bernoulli": ("p",), "truncated_normal": ("lower", "upper"), "gamma": ("a",), "beta": ("a", "b"), "t": ("df",),
    "poisson": ("lam",), "chisquare": ("df",), "pareto": ("b",),
}  # fmt: skip

# Sampler of NumPy -> where its `size` stands, which is the shape of what it draws; those of integers have another dtype.
_SIZE_AT = {
    **dict.fromkeys("standard_normal random random_sample standard_exponential standard_cauchy".split(), 0),
    **dict.fromkeys("exponential rayleigh poisson standard_gamma chisquare".split(), 1),
    **dict.fromkeys("normal uniform laplace logistic lognormal gumbel beta gamma binomial integers randint".split(), 2),
}
_SIZES_APART = frozenset({"rand", "randn"})
_OF_INTEGERS = frozenset({"poisson", "binomial", "integers", "randint"})


def drawn_on_host(interpreter: Interpreter, name: str, call: Call) -> v.Aval:
    """What a sampler of NumPy, or a method of a generator, gives where it is told its size."""
    sampler = name.rpartition(".")[2]
    if call.star or call.double_star:
        return v.ANY
    if sampler in _SIZES_APART:
        sizes = [number(each) for each in call.args]
        return v.Aval("float32", tuple(sizes)) if sizes and not call.keywords else v.ANY
    pool = call.get(0, "a" if sampler == "choice" else "x")
    if sampler in ("choice", "permutation", "permuted") and pool is not None and "axis" not in call.keywords:
        size = call.get(1, "size") if sampler == "choice" else None
        aval = listed(interpreter, pool) if interpreter.is_list(pool) else _reordered(interpreter, pool)
        if sampler != "choice":
            return aval
        shape = None if size is None or v.is_none(size) else shape_of(interpreter, size)
        return aval.shaped(None if shape is None or aval.shape is None else (*shape, *aval.shape[1:]))
    position = _SIZE_AT.get(sampler)
    size = None if position is None else call.get(position, "size")
    if size is None or v.is_none(size):
        return v.ANY
    dtype = None if "dtype" in call.keywords else "int32" if sampler in _OF_INTEGERS else "float32"  # as JAX takes it
    return v.Aval(dtype, shape_of(interpreter, size))


def drawn(given: Given, sampler: str) -> v.Aval:
    asked = given.get("shape")
    shape = None if asked is None else given.shape(asked)
    if sampler in _SINGLE:
        shape = () if asked is None and sampler != "rademacher" else shape
        if sampler in ("uniform", "randint"):  # bounds that are arrays add their axes
            shape = broadcast(shape, _of_parameters(given, ("minval", "maxval")))
            if sampler == "randint":
                return v.Aval(given.dtype(_SINGLE[sampler]), shape, span=_drawn_between(given))
        return v.Aval(given.dtype(_SINGLE[sampler]), shape)
    if sampler in _SHAPED:
        dtype = {"bernoulli": "bool", "poisson": "int32"}.get(sampler, "float32")
        if asked is None:
            shape = _of_parameters(given, _SHAPED[sampler])
            dtype = dtype if sampler in ("bernoulli", "poisson") else ""
        return v.Aval(given.dtype(dtype or None), shape)
    if sampler == "categorical":
        return v.Aval("int32", shape if asked is not None else _without(given.aval(1, "logits").shape, given))
    if sampler == "permutation" and "axis" not in given.named:
        return _reordered(given.i, given.operand(1, "x"))
    if sampler == "choice" and "axis" not in given.named:
        pool = given.operand(1, "a")
        aval = _reordered(given.i, pool)
        rest: Shape = aval.shape[1:] if aval.shape else None
        if asked is None:
            return aval.shaped(rest)
        return aval.shaped((*shape, *rest) if shape is not None and rest is not None else None)
    return v.ANY


def _drawn_between(given: Given) -> v.Span | None:
    """The least and the greatest integer that `randint` may draw, each of which it does sooner or later."""
    low, high = number(given.get("minval")), number(given.get("maxval"))
    return (low, high - 1) if isinstance(low, int) and isinstance(high, int) and low < high else None


def _of_parameters(given: Given, names: tuple[str, ...]) -> Shape:
    shape: Shape = ()
    for name in names:
        value = given.get(name)
        shape = broadcast(shape, given.i.aval_of(value).shape if value is not None else ())
    return shape


def _without(shape: Shape, given: Given) -> Shape:
    axis = given.axis(given.get("axis"), len(shape) if shape is not None else None, -1)
    return None if shape is None or axis is None else shape[:axis] + shape[axis + 1 :]


def _reordered(interpreter: Interpreter, value: v.Value | None) -> v.Aval:
    """An array, or the numbers up to an int, in another order."""
    if value is None:
        return v.ANY
    aval: v.Aval = interpreter.aval_of(value)
    if aval.shape == ():  # what is a float is refused, or taken for an int
        return v.Aval("int32", (number(value),)) if aval.dtype is None or "int" in aval.dtype else v.ANY
    return aval
