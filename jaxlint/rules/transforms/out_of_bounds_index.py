"""An index is beyond the array: JAX raises no error and gives something else.

## What it does
Reports indices that are known and beyond an axis whose size is known: `x[7]` of four elements, which gives
the last one; `x.at[7].set(v)`, which changes nothing; `jnp.take(x, 7)`, which gives NaN;
`lax.dynamic_slice` and `lax.dynamic_update_slice` with a start from which too few elements are left, which
start earlier; and `lax.switch` with the number of a branch that is not there, which takes the last one.

## Why is this bad
NumPy raises an `IndexError`. Compiled code cannot, so JAX decides: reading clamps the index, writing is
dropped. The program goes on with values that nobody asked for.

## Example
```python
x = jnp.arange(4)
last = x[4]
```

## Use instead
```python
x = jnp.arange(4)
last = x[-1]
```

## When to ignore
Where the clamping is wanted: say so with `x.at[i].get(mode="clip")` or `mode="drop"`, which are silent.

## Fix safety
There is no fix: which element is meant is not known.

## References
- JAX documentation, "Sharp bits", out-of-bounds indexing: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
- JAX documentation, `jax.numpy.ndarray.at`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
- JAX documentation, `jax.lax.dynamic_slice`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_slice.html
- JAX documentation, `jax.lax.switch`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.bounds import Outside
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX513",
    name="out-of-bounds-index",
    summary="An index is beyond the array, which JAX clamps, drops or fills in silently.",
    category=Category.WRONG,
    kinds=(Kind.OUT_OF_BOUNDS,),
    on="preview",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    found: Outside = demand.detail
    short = (demand.api or "").removeprefix("jax.").replace("numpy.", "jnp.")
    if found.effect == "branch":
        taken = "first" if found.index < 0 else "last"
        message = f"`{short}` has {found.size} branch{'' if found.size == 1 else 'es'}, and branch {found.index} is asked for"
        yield Finding(demand.site, message, f"Branches are counted from 0. JAX takes the {taken} one.")
        return
    axis = f"axis {found.axis}" if found.rank > 1 else "the array"
    if found.effect == "shifted":
        message = f"`{short}` takes {_count(found.taken)} from {found.index} on, and {axis} has {found.size}"
        advice = f"JAX starts earlier, at {_start(found)}, so that the slice fits."
    else:
        message = f"index {found.index} is beyond {axis}, which has {_count(found.size)}"
        nearest = 0 if found.index < 0 else found.size - 1
        advice = {
            "clamped": f"JAX reads element {nearest} instead.",
            "dropped": "JAX drops what is written there, and the array stays as it is.",
            "filled": "JAX gives NaN, or for integers the least one.",
        }[found.effect]
        if found.effect == "clamped" and "update" in short:
            advice = f"JAX writes to element {nearest} instead."
    yield Finding(demand.site, message, advice)


def _count(number: int) -> str:
    return f"{number} element{'' if number == 1 else 's'}"


def _start(found: Outside) -> int:
    first = found.index + found.size if found.index < 0 else found.index
    return max(0, min(first, found.size - found.taken))
