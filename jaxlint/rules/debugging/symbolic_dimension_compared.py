"""A symbolic dimension is compared for equality, which is quietly false.

## What it does
Reports `==` and `!=` of a symbolic dimension and a number or another dimension, `b in (1, 2)`,
`x.shape == (4,)`, `match` on a size and `if b % 2`, in traced code, where nothing decides them.
`b == 0` is false for certain, as a dimension is at least 1, and not reported.

## Why is this bad
A function that is exported with a symbolic shape is traced once, for every size of the dimension.
JAX takes two dimensions for different unless they are the same for all sizes, and raises nothing:
the program takes the branch for unequal sizes also when it is called with equal ones, and an `assert`
or a check that raises always fails.

## Example
```python
def pooled(x):
    if x.shape[0] % 2 == 0:
        return x.reshape(-1, 2).max(axis=1)
    return x


(b,) = export.symbolic_shape("b")
export.export(jax.jit(pooled))(jax.ShapeDtypeStruct((b,), jnp.float32))
```

## Use instead
Say in the specification what holds, `2*b` for an even size, or with `constraints=`:

```python
(b,) = export.symbolic_shape("b")
export.export(jax.jit(pooled))(jax.ShapeDtypeStruct((2 * b,), jnp.float32))
```

What depends on the size when the program runs is chosen there, with `jnp.where` or `jax.lax.cond` of
`jnp.asarray(x.shape[0]) == 4`.

## When to ignore
Where the branch for unequal sizes gives the same result, only more slowly.

## Fix safety
There is no fix: only the author knows which sizes the exported function is for.

## References
- JAX documentation, "Shape polymorphism", comparison of symbolic dimensions:
  https://docs.jax.dev/en/latest/export/shape_poly.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX712",
    name="symbolic-dimension-compared",
    summary="A symbolic dimension is compared for equality, which is quietly false.",
    category=Category.WRONG,
    kinds=(Kind.DIMENSION_COMPARED,),
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    dimension, other = demand.detail
    code = file.code(demand.site, 40)
    answer = "true" if demand.api in ("!=", "not in", "bool") else "false"
    yield Finding(
        demand.site,
        f"`{code}` is {answer} whatever the size: `{dimension!r}` is a symbolic dimension, and not the same as `{other!r}`",
        help="Say in the specification of the shape what holds, a number or a multiple of a symbol,"
        " or compare `jnp.asarray` of the size when the program runs.",
    )
