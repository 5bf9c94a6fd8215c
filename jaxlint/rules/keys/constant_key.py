"""A random key is made of a constant in code that runs again and again.

## What it does
Reports `jax.random.key(0)` whose key is drawn from or split, where the code is traced by a transform that runs it again
(`jit`, `scan` …), is mapped by `vmap`, or stands in a `while` loop or a `for` loop over `range`.

## Why is this bad
The key is the same each time, and so are the numbers: a jitted step adds the same noise in every call, every element
of a batch gets the same sample, every pass of a loop repeats the first.

## Example
```python
@jax.jit
def noisy(x):
    key = jax.random.key(0)
    return x + jax.random.normal(key, x.shape)
```

## Use instead
```python
@jax.jit
def noisy(x, key):
    return x + jax.random.normal(key, x.shape)
```

## When to ignore
Where the same numbers are wanted each time: fixed projections, comparisons on equal noise. A key that something is
folded into is left alone. Off in test files.

## Fix safety
There is no fix: a key has to come from the caller.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX405",
    name="constant-key",
    summary="A random key is made of a constant in code that runs again and again.",
    category=Category.WRONG,
    kinds=(Kind.CONSTANT_KEY,),
    on="preview",
    status="preview",
    in_tests=False,
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    yield Finding(
        demand.site,
        f"`{file.code(demand.site, 40)}` is the same key each time this code runs: so are the numbers drawn",
        help="Make the key once, outside, and pass keys of its own to each run, from `jax.random.split` or `fold_in`.",
    )
