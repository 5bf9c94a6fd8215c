"""A value without dimensions is iterated over.

## What it does
Reports `for e in x`, unpacking, `list(x)`, `zip(x, …)` and the like of a jax array that is known to have no
dimensions, traced or not: the result of a reduction, a loop index, an element of a one-dimensional array.

## Why is this bad
JAX raises `TypeError: iteration over a 0-d array`.

## Example
```python
@jax.jit
def step(x):
    total = 0.0
    for e in x.sum():
        total += e
    return total
```

## Use instead
```python
@jax.jit
def step(x):
    total = 0.0
    for e in x:
        total += e
    return total
```

## When to ignore
Never: the code fails.

## Fix safety
There is no fix: which value was meant is not known.

## References
- JAX documentation, "Errors": https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "Control flow": `jax.lax.fori_loop` counts to a traced number
  (https://docs.jax.dev/en/latest/control-flow.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint import syntax as ir
from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX112",
    name="iterate-over-scalar-tracer",
    summary="A jax array without dimensions is iterated over.",
    category=Category.FAILS,
    kinds=(Kind.ITERATE_SCALAR,),
    error="TypeError",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    operand = file.code(demand.operand, 40)
    above = file.unit.parent(demand.site)
    if isinstance(above, (ir.Assign, ir.Annotate)):
        help = f"Assign `{operand}` to one name, or unpack the array it is made of."
    elif isinstance(above, ir.For):
        help = f"Iterate over an array with a dimension; `jax.lax.fori_loop(0, {operand}, …)` counts to `{operand}`."
    else:
        help = f"Iterate over an array with a dimension, not over `{operand}`."
    yield Finding(demand.site, f"`{operand}` has no dimensions: there is nothing to iterate over", help=help)
