"""A gradient is taken of a function that has none: its derivative is zero everywhere.

## What it does
Reports calls of `jax.grad`, `jax.value_and_grad` and their kin whose function depends on what is
differentiated only through operations without a derivative: rounding, comparing, `argmax`, `sign`,
conversion to integers. Functions that stop the gradient on purpose, with `lax.stop_gradient`, and
those that have a derivative rule of their own are not reported.

## Why is this bad
Nothing fails. The gradient is zero, and an optimizer that is fed with it never moves.

## Example
```python
def loss(params, x, labels):
    return 1 - jnp.mean(jnp.argmax(x @ params, -1) == labels)


gradient = jax.grad(loss)(params, x, labels)
```

## Use instead
```python
def loss(params, x, labels):
    logits = x @ params
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
```

## When to ignore
Where a gradient of zero is what is shown, as in a test or a lesson.

## Fix safety
There is no fix: another function has to be minimized, or a straight-through estimator written.

## References
- JAX documentation, "Automatic differentiation": https://docs.jax.dev/en/latest/automatic-differentiation.html
- JAX documentation, "Advanced automatic differentiation" (straight-through estimator):
  https://docs.jax.dev/en/latest/advanced-autodiff.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.tangents import ZeroGradient
from jaxlint.semantics.transforms import function_name

RULE = Rule(
    code="JAX524",
    name="zero-gradient",
    summary="A function is differentiated whose derivative is zero everywhere.",
    category=Category.WRONG,
    kinds=(Kind.ZERO_GRADIENT,),
    on="preview",
    status="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    zero: ZeroGradient = demand.detail
    name = function_name(zero.function)
    message = f"the gradient of {name} is zero everywhere: it only rounds, compares or counts what is differentiated"
    advice = (
        "Minimize something smooth in its place; or let the gradient pass with"
        " `x + jax.lax.stop_gradient(rounded - x)`, where `rounded` is computed of `x`."
    )
    yield Finding(demand.site, message, advice)
