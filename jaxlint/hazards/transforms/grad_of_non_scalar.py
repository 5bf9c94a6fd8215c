"""A gradient is taken of a function that does not return one number.

## What it does
Reports calls of what `jax.grad` or `jax.value_and_grad` made where the function is known to return an
array with dimensions, a tuple, a dict or nothing; where `has_aux=True` is given and it returns no pair;
and `value_and_grad` unpacked into three: with `has_aux` it gives `(value, aux), gradient`.

## Why is this bad
A gradient belongs to one number. The call raises `TypeError: Gradient only defined for scalar-output
functions`, the unpacking a `ValueError`.

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
is returned. Shown only: the sum of an array, as it may be the Jacobian that is wanted. There is no fix
where the function is used elsewhere as well.

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
from jaxlint.rewrite.transforms.differentiated import one_number
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX518",
    name="grad-of-non-scalar",
    summary="A gradient is taken of a function that does not return one number.",
    category=Category.FAILS,
    hazards=(GradOfNonScalar,),
    error="TypeError",
    fixable="unsafe",
)


def check(hazard: WrongGradient, file: File) -> Iterator[Finding]:
    function, short = function_name(hazard.function), (hazard.api or "").rpartition(".")[2]
    message = f"`{short}` needs one number, and {function} returns {hazard.what}"
    if hazard.reason == "aux":
        message = f"`{short}` with `has_aux` needs a pair, and {function} returns {hazard.what}"
        advice = "Return the number and all that is auxiliary: `return loss, (first, second)`."
        if not hazard.count:
            advice = "Drop `has_aux`, or return the number and what is auxiliary."
    elif hazard.reason == "unpacked":
        message = f"`{short}` gives two values, and they are unpacked into {hazard.count}"
        advice = "They are `value, gradient`; `argnums` makes the gradient a tuple."
        if hazard.what:
            advice = "With `has_aux` they are `(value, aux), gradient`."
    elif hazard.reason == "shape":
        advice = (
            "Reduce it, with `jnp.mean` or `jnp.sum`; `jax.jacrev` differentiates an array, `jax.vmap` each element."
        )
    elif hazard.reason == "tree" and hazard.count > 1:
        advice = "`has_aux=True` differentiates the first of two and hands the second on."
    else:
        advice = f"Return the number that is to be differentiated from {function}."
    yield Finding(hazard.site, message, advice, one_number(file, hazard.site, hazard))
