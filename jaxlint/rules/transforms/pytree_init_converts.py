"""A pytree class converts its leaves when JAX puts it together, or keeps an array where the structure is compared.

## What it does
Reports `jnp.asarray(x)` and the like in the `__init__` of a class registered with
`jax.tree_util.register_pytree_node_class`, where `tree_unflatten` calls the class and so hands any leaf to it; and an
array in the second part of what `tree_flatten` returns. A conversion under a condition is not reported.

## Why is this bad
JAX puts objects together of whatever stands for a leaf at that time: `jax.ShapeDtypeStruct` in `jax.eval_shape`, None or
strings in `jax.tree.map`, axis numbers in `in_axes`, placeholders in `jax.jacfwd` and `eqx.partition`. The
conversion refuses all of these with `TypeError` or `ValueError`. What is no leaf is part of the structure and compared
with `==`: the second call of a jitted function fails with `ValueError`, because arrays have no single answer.

## Example
```python
@jax.tree_util.register_pytree_node_class
class Point:
    def __init__(self, x):
        self.x = jnp.asarray(x)

    def tree_flatten(self):
        return (self.x,), None

    @classmethod
    def tree_unflatten(cls, auxiliary, children):
        return cls(*children)
```

## Use instead
```python
    @classmethod
    def tree_unflatten(cls, auxiliary, children):
        new = object.__new__(cls)
        (new.x,) = children
        return new
```

## When to ignore
Where the class is only ever given to `jax.jit` and `jax.grad`, which put it together of arrays.

## Fix safety
Display only: which attributes `tree_unflatten` has to set is for you to say.

## References
- JAX documentation, "Pytrees", "Custom pytrees and initialization"
  (https://docs.jax.dev/en/latest/custom_pytrees.html)
- JAX documentation, "jax.tree_util" (https://docs.jax.dev/en/latest/jax.tree_util.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.pytree_classes import PyTreeClass

RULE = Rule(
    code="JAX527",
    name="pytree-init-converts",
    summary="A pytree class converts its leaves when it is put together, or keeps an array in its structure.",
    category=Category.FAILS,
    kinds=(Kind.PYTREE_CLASS,),
    error="TypeError",
    on="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    detail: PyTreeClass = demand.detail
    code = file.code(demand.site, 40)
    if detail.how == "array":
        yield Finding(
            demand.site,
            f"`tree_flatten` of `{detail.name}` returns an array in `{code}`, which JAX compares with `==`",
            "Make it one of the children, or a tuple of numbers.",
        )
        return
    yield Finding(
        demand.site,
        f"`{code}` converts whatever leaf `tree_unflatten` of `{detail.name}` puts in: shapes, None and"
        f" placeholders fail",
        f"Let `tree_unflatten` go around `__init__`: `new = object.__new__({detail.name})`, then set the attributes.",
    )
