"""Indices that `size=` pads with 0 are used as if each were found.

## What it does
Reports `jnp.nonzero`, `flatnonzero`, `argwhere` and one-argument `where` with `size=` as large as the array and
no `fill_value=`, where what is read at these indices is summed or averaged in the same function, or where they
are written to with `.at[…]`.

## Why is this bad
The indices are padded up to `size`, with 0 unless `fill_value=` says otherwise, and 0 is an index: the first
element is counted, or written to, once for each place that was not found.

## Example
```python
@jax.jit
def positive_sum(x):
    found = jnp.nonzero(x > 0, size=x.size)[0]
    return x[found].sum()
```

## Use instead
```python
@jax.jit
def positive_sum(x):
    return jnp.where(x > 0, x, 0).sum()
```

## When to ignore
Where every element is found, or the first one is known to be 0.

## Fix safety
For writes, `fill_value=` with the number of elements is shown: what is beyond the array is dropped. For reads
there is no fix.

## References
- JAX documentation, `jax.numpy.nonzero`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html
- JAX documentation, `jax.numpy.ndarray.at`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint.diagnostic import Applicability, Category, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.padding import Padded

RULE = Rule(
    code="JAX210",
    name="padded-size-result",
    summary="Indices that `size=` pads with 0 are read from or written to as if each were found.",
    category=Category.WRONG,
    kinds=(Kind.PADDED,),
    fixable="display",
    on="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    padded: Padded = demand.detail
    search = file.code(padded.search, 40)
    size = file.code(padded.size, 30) if padded.size is not None else "…"
    fix: Optional[Fix] = None
    if padded.use == "written":
        message = f"element 0 is written to for each place that `{search}` does not find"
        advice = f"The indices are padded with 0 up to `size`. With `fill_value={size}` they are beyond the array, and dropped."
        if padded.size is not None:
            end = file.span(padded.search)[1] - 1
            edit = file.insert(end, f", fill_value={file.code(padded.size)}")
            fix = Fix(f"pad with `{size}`", (edit,), Applicability.DISPLAY)
    else:
        message = f"element 0 is counted for each place that `{search}` does not find"
        advice = "The indices are padded with 0 up to `size`. Reduce with the condition: `jnp.where(condition, x, 0)`, or `where=`."
    also = (("padded here", padded.search),) if padded.search != demand.site else ()
    yield Finding(demand.site, message, advice, fix, also)
