"""A norm or a root is differentiated where it is exactly zero: the gradient is NaN.

## What it does
Reports `jnp.linalg.norm`, `jnp.sqrt` of a sum of squares, and `jnp.std`, in functions that are
differentiated, where what they are computed of is zero for certain: the distances of all pairs of
points, `x[:, None, :] - x[None, :, :]`, whose diagonal is zero, and arguments that are made of zeros
where the gradient is called.

## Why is this bad
The derivative of a square root at zero is infinite, and that of the square inside is zero; their
product is NaN. The function itself gives the right value. A mask that is applied to the distances
afterwards does not help: zero times NaN is NaN.

## Example
```python
def energy(x):
    distances = jnp.linalg.norm(x[:, None, :] - x[None, :, :], axis=-1)
    return jnp.sum(distances)


jax.grad(energy)(positions)
```

## Use instead
```python
def energy(x):
    squared = jnp.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1)
    apart = squared > 0
    return jnp.sum(jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0))


jax.grad(energy)(positions)
```

## When to ignore
Never: the gradient is NaN.

## Fix safety
There is no fix: what the gradient shall be at zero is for you to say. A small number under the root,
`jnp.sqrt(squared + 1e-12)`, is the shortest way.

## References
- JAX documentation, "Frequently asked questions", gradients contain NaN where using `where`:
  https://docs.jax.dev/en/latest/faq.html
- JAX documentation, `jax.numpy.linalg.norm`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.norm.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.transforms import function_name
from jaxlint.semantics.zero_norms import SingularPoint

RULE = Rule(
    code="JAX525",
    name="singular-gradient",
    summary="A norm or root of what is exactly zero is differentiated.",
    category=Category.WRONG,
    kinds=(Kind.SINGULAR_GRADIENT,),
    on="preview",
    status="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    point: SingularPoint = demand.detail
    taken = f"`{point.transform.removeprefix('jax.')}` of {function_name(point.function)}"
    operation = file.code(demand.site, 40)
    if point.reason == "pairs":
        message = f"the gradient of `{operation}` is NaN: the difference of each point to itself is zero"
        advice = f"Take the root only where the squares of `{file.code(point.what, 40)}` sum to more than zero, or add a small number under it."
    else:
        message = f"the gradient of `{operation}` is NaN: {taken} is called with zeros"
        advice = "Add a small number under the root, or choose it with `jnp.where` on both sides of the root."
    yield Finding(demand.site, message, advice, also=((f"{taken}, taken here", demand.operand),))
