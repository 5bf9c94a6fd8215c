"""What a call returns: kind, dtype and length of the result, and whether a tangent comes with it."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxlint.knowledge.probe.calls import FAILED, Call, Function, attempt, numeric

# What a Python program can hold that is no array: it stays what it is under every transform.
_PLAIN = (
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    type(None),
    np.dtype,
    type,
    np.generic,
    range,
    slice,
    np.finfo,
    np.iinfo,
    jnp.finfo,
    jnp.iinfo,
    jax.dtypes.prng_key,
)


def describe(result: Any) -> tuple[str, int | None, str | None]:
    """Kind, length and dtype of a result, traced or not."""
    if isinstance(result, (jax.Array, jax.core.Tracer)):
        dtype = getattr(result, "dtype", None)  # a token has none
        return ("array", None, str(dtype)) if dtype is not None else ("unknown", None, None)
    if isinstance(result, _PLAIN) or _plain_tuple(result):
        return "static", None, None
    if isinstance(result, (tuple, list)) and result and all(isinstance(item, jax.Array) for item in result):
        kind = "tuple" if isinstance(result, tuple) else "list"
        return kind, len(result), None
    if callable(result) and jax.tree_util.tree_leaves(result) != [] and type(result).__name__ != "PjitFunction":
        return ("function", None, None) if not isinstance(result, (tuple, list, dict)) else ("pytree", None, None)
    if callable(result):
        return "function", None, None
    leaves = jax.tree_util.tree_leaves(result)
    if isinstance(result, tuple) and any(isinstance(leaf, jax.Array) for leaf in leaves):
        return "tuple", len(result), None
    if isinstance(result, (list, dict)) and any(isinstance(leaf, jax.Array) for leaf in leaves):
        return "pytree", None, None
    return "unknown", None, None


def _plain_tuple(result: Any) -> bool:
    return isinstance(result, tuple) and all(isinstance(item, _PLAIN) or _plain_tuple(item) for item in result)


def result(function: Function, call: Call) -> Any:
    """What the call returns: traced where that works, as running it takes longer."""
    found = traced(function, call)
    return attempt(lambda: function(call)) if found is FAILED else found


def traced(function: Function, call: Call) -> Any:
    """What the function returns in staged code with every array argument traced, or FAILED."""
    seen: list[Any] = []
    names = [name for name, value in call.items() if _data(value)]

    def body(values: list[Any]) -> int:
        seen.append(function({**call, **dict(zip(names, values))}))
        return 0

    if attempt(lambda: jax.make_jaxpr(body)([call[name] for name in names])) is FAILED:
        return FAILED
    return seen[0]


def _data(value: Any) -> bool:
    return numeric(value) and any(
        isinstance(leaf, (jax.Array, np.ndarray)) for leaf in jax.tree_util.tree_leaves(value)
    )


def passes_through(function: Function, call: Call) -> bool:
    """Whether concrete arrays come back concrete in staged code: the function computed nothing."""
    seen: list[Any] = []

    def body() -> int:
        seen.append(function(call))
        return 0

    if attempt(lambda: jax.make_jaxpr(body)()) is FAILED:
        return False
    leaves = jax.tree_util.tree_leaves(seen[0])
    return any(isinstance(leaf, jax.Array) and not isinstance(leaf, jax.core.Tracer) for leaf in leaves)


def tangent(function: Function, call: Call) -> bool | None:
    """Whether a derivative is carried through the call: False means the result is concrete under `jax.grad`."""
    names = [name for name, value in call.items() if _floating(value)]
    if not names:
        return None
    seen: list[Any] = []

    def body(values: list[Any]) -> Any:
        seen.append(function({**call, **dict(zip(names, values))}))
        return 0.0

    values = [jax.tree_util.tree_map(jnp.asarray, call[name]) for name in names]
    derivatives = (
        lambda: jax.eval_shape(jax.grad(body), values),  # in staged code nothing is run, which is much faster
        lambda: jax.grad(body)(values),
        lambda: jax.jvp(body, (values,), (values,)),  # not everything has a derivative in reverse
    )
    if all(attempt(derivative) is FAILED for derivative in derivatives):
        return None
    return any(_has_tangent(leaf) for leaf in jax.tree_util.tree_leaves(seen[-1]))


def _floating(value: Any) -> bool:
    if not numeric(value):
        return False
    leaves = jax.tree_util.tree_leaves(value)
    return all(
        jnp.issubdtype(jnp.result_type(leaf), jnp.floating) and isinstance(leaf, (jax.Array, np.ndarray))
        for leaf in leaves
    )


def _has_tangent(leaf: Any) -> bool:
    return type(leaf).__name__ in ("JVPTracer", "LinearizeTracer")
