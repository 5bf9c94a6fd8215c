"""A selection by a boolean mask that is traced: `x[mask]`.

## What it does
Reports `x[mask]`, and `x.at[mask].get()`, where `mask` is a traced boolean array.

## Why is this bad
The result has as many elements as the mask has true ones, and JAX needs every shape while it traces.
The selection raises `NonConcreteBooleanIndexError`.

## Example
```python
@jax.jit
def total(x):
    return x[x > 0].sum()
```

## Use instead
```python
@jax.jit
def total(x):
    return jnp.where(x > 0, x, 0).sum()
```

## When to ignore
Never: the code cannot run as long as the mask is traced.

## Fix safety
Where the selection goes straight into `sum`, `mean`, `prod`, `min`, `max`, `any` or `all`, the unsafe fix
puts the identity of that reduction in place of the elements that are left out. A mask of fewer
dimensions than the array needs a hand: `jnp.where` compares the last dimensions, a selection the
first. Where no element is selected `min` and `max` give the identity instead of raising, and `min` and
`max` of an array that is not known to hold integers give a float. Everything else that can be done with
a selection has no fix.

## References
- JAX documentation, "Common errors": NonConcreteBooleanIndexError (`errors.html`)
- JAX documentation, "JAX - The Sharp Bits": dynamic shapes (`notebooks/Common_Gotchas_in_JAX.html`)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Category, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.shapes.masked_reduction import masked_reduction
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX203",
    name="boolean-mask-index",
    summary="A selection by a boolean mask that is traced.",
    category=Category.FAILS,
    kinds=(Kind.MASK_INDEX,),
    error="NonConcreteBooleanIndexError",
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    mask = file.code(demand.operand, 40)
    yield Finding(
        demand.site,
        f"`{file.code(demand.site, 40)}` keeps as many elements as the traced mask `{mask}` has true ones,"
        " and a shape cannot be traced",
        help=f"Keep the shape: `jnp.where({mask}, …, 0)` puts a neutral value where `{mask}` is false;"
        " or select outside the traced function.",
        fix=_fix(demand, file),
    )


def _fix(demand: Demand, file: File) -> Optional[Fix]:
    chosen = file.unit.nodes[demand.site]
    if not isinstance(chosen, ir.Subscript) or demand.operand != chosen.index.site:
        return None
    found = masked_reduction(file, chosen, chosen.index)
    if found is None:
        return None
    return Fix(
        f"put `{found.neutral}` where `{file.code(chosen.index.site, 40)}` is false"
        f" (right where the mask has the shape of `{file.code(chosen.value.site, 40)}`)",
        (found.edit,),
        imports=found.imports,
    )
