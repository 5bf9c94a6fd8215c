"""Gradient of a function with a non-scalar result.

## What it does
Reports calls of what `jax.grad` or `jax.value_and_grad` made where the function is known to return an
array with dimensions, a tuple, a dict or nothing; where `has_aux=True` is given and it returns no pair;
`value_and_grad` unpacked into three: with `has_aux` it gives `(value, aux), gradient`; and `value, gradient` unpacked
from `jax.grad`, which returns the gradient alone.

## Why is this bad
A gradient belongs to one number. The call raises `TypeError: Gradient only defined for scalar-output
functions`, the unpacking a `ValueError`. A dict of two gradients is unpacked into its keys, which fails later.

## Example
```python
def loss(params, x, y):
    predicted = model(params, x)
    return jnp.mean((predicted - y) ** 2), predicted


gradient = jax.grad(loss)(params, x, y)
```

## Use instead
```python
def loss(params, x, y):
    predicted = model(params, x)
    return jnp.mean((predicted - y) ** 2), predicted


gradient, predicted = jax.grad(loss, has_aux=True)(params, x, y)
```

## When to ignore
Never: the call fails.

## Fix safety
Unsafe: the second of two results is made auxiliary with `has_aux=True`, and only the gradient of what
the call then gives is handed on; what is auxiliary is made one value; the last thing a function computes
is returned; an array is summed, where it may be the Jacobian that is wanted, and its mean is taken where an optimiser
is given the gradient; `grad` that is unpacked as a pair becomes `value_and_grad`. There is no fix where the function is
used elsewhere as well.

## References
- JAX documentation, "Automatic differentiation": https://docs.jax.dev/en/latest/automatic-differentiation.html
- JAX documentation, `jax.value_and_grad`: https://docs.jax.dev/en/latest/_autosummary/jax.value_and_grad.html
- JAX documentation, "The autodiff cookbook": https://docs.jax.dev/en/latest/notebooks/autodiff_cookbook.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.gradients import GradOfNonScalar, WrongGradient
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.derivatives import one_number
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX518",
    category=Category.FAILS,
    hazards=(GradOfNonScalar,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: WrongGradient, file: File) -> Iterator[Finding]:
    function, short = function_name(hazard.function), (hazard.api or "").rpartition(".")[2]
    message = f"`{short}` of non-scalar function: {function} returns {hazard.what}"
    if hazard.reason == "aux":
        message = f"`{short}` with `has_aux` expects a pair: {function} returns {hazard.what}"
        advice = "Return the scalar and one auxiliary value: `return loss, (first, second)`."
        if not hazard.count:
            advice = "Drop `has_aux`, or return the scalar and the auxiliary value."
    elif hazard.reason == "unpacked":
        message = f"Unpacking of 2 values from `{short}` into {hazard.count}"
        advice = "Unpack `value, gradient`; with several `argnums` the gradient is a tuple."
        if hazard.what:
            advice = "Unpack `(value, aux), gradient`."
    elif hazard.reason == "gradient":
        message = f"Unpacking of one gradient from `{short}` into {hazard.count}"
        advice = f"`{short}` returns the gradient alone, here {hazard.what}. Use `value_and_grad` for the value and the gradient."
    elif hazard.reason == "shape":
        advice = "Reduce it with `jnp.mean` or `jnp.sum`. Differentiate an array with `jax.jacrev`, or each element with `jax.vmap`."
    elif hazard.reason == "tree" and hazard.count > 1:
        advice = "Pass `has_aux=True` to differentiate the first value only."
    else:
        advice = f"Return the scalar to differentiate from {function}."
    yield Finding(hazard.site, message, advice, one_number(file, hazard.site, hazard))
