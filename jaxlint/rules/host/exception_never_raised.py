"""An exception is handled that JAX never raises: it gives a number, and the handler is never run.

## What it does
Reports `except ZeroDivisionError` around divisions of jax arrays, `except np.linalg.LinAlgError` around functions of
`jnp.linalg` and `jax.scipy.linalg`, and `except IndexError` around items of jax arrays, where nothing else in the
`try` can raise it.

## Why is this bad
A compiled program cannot raise an exception that hangs on values, so JAX raises none: `1.0 / 0.0` is inf, an integer
divided by zero some integer, the Cholesky factor of a matrix that has none is nan, and `x[7]` of an array of
three elements is the last one. What the handler was to give is silently lost.

## Example
```python
def factor(kernel):
    try:
        return jnp.linalg.cholesky(kernel)
    except np.linalg.LinAlgError:
        return jnp.linalg.cholesky(kernel + 1e-6 * jnp.eye(len(kernel)))
```

## Use instead
```python
def factor(kernel):
    lower = jnp.linalg.cholesky(kernel)
    safe = jnp.linalg.cholesky(kernel + 1e-6 * jnp.eye(len(kernel)))
    return jnp.where(jnp.isnan(lower).any(), safe, lower)
```

## When to ignore
Where the code runs with NumPy as well, under the same names.

## Fix safety
There is no fix: the test that takes the place of the handler is for the author to choose.

## References
- JAX documentation, "JAX - The Sharp Bits", out-of-bounds indexing, debugging NaNs
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, `jax.experimental.checkify`
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX314",
    name="exception-never-raised",
    summary="An exception is handled that JAX never raises: it gives a number, and the handler is never run.",
    category=Category.WRONG,
    kinds=(Kind.DEAD_HANDLER,),
    status="stable",
)

_GIVES = {
    "ZeroDivisionError": ("gives inf, nan or some integer", "Test the divisor: `jnp.where(divisor == 0, …, …)`."),
    "LinAlgError": ("gives nan or inf", "Test the result: `jnp.isfinite(…).all()`."),
    "IndexError": ("gives the nearest element", "Compare the index with the shape, or say what is there instead: `x.at[i].get(mode=\"fill\")`."),
}  # fmt: skip


def check(demand: Demand, file: File) -> Iterator[Finding]:
    gives, help = _GIVES[demand.detail.exception]
    code = file.code(demand.operand, 40)
    yield Finding(
        demand.site,
        f"`{code}` raises no {demand.detail.exception} with jax arrays, it {gives}: this handler is never run",
        help,
        also=(("this gives a number", demand.operand),),
    )
