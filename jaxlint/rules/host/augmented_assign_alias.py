"""An augmented assignment is to change an array in place, and with a jax array it changes nothing that is read.

## What it does
Reports `a += 1` on a parameter of a function that returns nothing, `row *= 2` on the rows of an array that is looped
over, and `y = x; y -= 1`, where the array is one of JAX and the name is not read again.

## Why is this bad
NumPy works in place: whoever passed the array, the array of which the row is a view, and the other name see the
change. A jax array cannot be changed: the statement makes another array, gives it the name, and nobody sees it. The
code runs and computes something else, silently.

## Example
```python
def normalise(table):
    for row in table:
        row /= row.sum()
    return table
```

## Use instead
```python
def normalise(table):
    return table / table.sum(axis=1, keepdims=True)
```

## When to ignore
Where the function is called with arrays of NumPy as well, and what it is called with here is of no matter.

## Fix safety
There is no fix: what has to be returned or put together is for the author to say.

## References
- JAX documentation, "JAX - The Sharp Bits", in-place updates
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX315",
    name="augmented-assign-alias",
    summary="An augmented assignment is to change an array in place, and with a jax array it changes nothing that is read.",
    category=Category.WRONG,
    kinds=(Kind.LOST_UPDATE,),
    on="preview",
    status="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    name = file.code(demand.operand, 40)
    how, _, other = demand.detail.rpartition(" ")
    if how == "element of":
        lost, help = f"`{other}` stays as it is", f"Compute the rows at once, or put new ones together: `jnp.stack([… for {name} in {other}])`."
    elif how == "name":
        lost, help = f"`{other}` stays as it is", f"Bind `{other}` to the result, or read `{name}` afterwards."
    else:
        lost, help = "the caller's array stays as it is", f"Return `{name}`, and let the caller go on with what is returned."
    yield Finding(demand.site, f"`{name}` is a jax array, which cannot be changed in place: {lost}, and nothing reads the result", help)
