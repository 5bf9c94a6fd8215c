"""Pytree class that takes its leaves for arrays when it is put together.

## What it does
Reports `jnp.asarray(x)`, `x.shape` and the like in the `__init__` of a class registered with
`jax.tree_util.register_pytree_node_class` or `register_pytree_node`, where `tree_unflatten` calls the class and so hands
any leaf to it. What stands under a condition is not reported.

## Why is this bad
JAX puts objects together of whatever stands for a leaf at that time: `jax.ShapeDtypeStruct` in `jax.eval_shape`, None or
strings in `jax.tree.map`, axis numbers in `in_axes`, placeholders in `jax.jacfwd` and `eqx.partition`. The
conversion refuses all of these with `TypeError` or `ValueError`.

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
Unsafe: `tree_unflatten` is written anew, around `__init__`, from what `tree_flatten` returns. There is no fix where the class sets
attributes that `tree_flatten` does not return, has bases, or is decorated with something else too.

## References
- JAX documentation, "Pytrees", "Custom pytrees and initialization"
  (https://docs.jax.dev/en/latest/custom_pytrees.html)
- JAX documentation, "jax.tree_util" (https://docs.jax.dev/en/latest/jax.tree_util.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.pytree_classes import PytreeInitConverts
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.returned import around_init
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX527",
    category=Category.FAILS,
    hazards=(PytreeInitConverts,),
    error="TypeError",
    fixable="unsafe",
    on="preview",
)


def check(hazard: PytreeInitConverts, file: File) -> Iterator[Finding]:
    code = file.code(hazard.site, 40)
    if hazard.how == "reads":
        yield Finding(
            hazard.site,
            f"`{code}` read from arbitrary leaf when unflattening `{hazard.name}`",
            f"Skip `__init__` in `tree_unflatten`: leaves may be tuples, None or placeholders. Use `new = object.__new__({hazard.name})`, then set the attributes.",
            around_init(file, hazard.site),
        )
        return
    yield Finding(
        hazard.site,
        f"Leaf conversion when unflattening `{hazard.name}`: `{code}`",
        f"Bypass `__init__` in `tree_unflatten`: `new = object.__new__({hazard.name})`, then set the attributes.",
        around_init(file, hazard.site),
    )
