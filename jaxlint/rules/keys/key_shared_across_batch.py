"""A random key is shared by all elements of a batch, or by all steps of a traced loop.

## What it does
Reports a sampler or a `split`, in a function given to `vmap`, `pmap`, `lax.scan`, `fori_loop`,
`while_loop` or `lax.map`, whose key comes from outside: closed over, or passed with `in_axes=None`. A loop body that
hands on the very key it has consumed is reported too. Keys that are mapped, carried and split, or
made with `fold_in` of an index are not reported. In test files the rule is off unless it is selected by its code.

## Why is this bad
The function runs once for each element or step, each time with the same key: all of them get the
same random numbers.

## Example
```python
def perturb(key, points):
    def one(point):
        return point + jax.random.normal(key)
    return jax.vmap(one)(points)
```

## Use instead
```python
def perturb(key, points):
    def one(key, point):
        return point + jax.random.normal(key)
    keys = jax.random.split(key, points.shape[0])
    return jax.vmap(one)(keys, points)
```

## When to ignore
Where all elements are meant to share the numbers, such as one dropout mask for all time steps.

## Fix safety
There is no fix: the keys have to come in as an argument.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX404",
    name="key-shared-across-batch",
    summary="A mapped or scanned function uses a random key from outside, the same for every element or step.",
    category=Category.WRONG,
    kinds=(Kind.KEY_SHARED,),
    in_tests=False,
    fixable="none",
)

_MAPPING = ("vmap", "pmap", "lax.map", "hk.vmap", "hk.map", "nnx.vmap")


def check(demand: Demand, file: File) -> Iterator[Finding]:
    key = file.code(demand.operand, 40)
    how = demand.detail.how
    mapping = how in _MAPPING
    each = "element" if mapping else "step"
    advice = f"Split `{key}` into one key for each element and map over the keys."
    if not mapping:
        advice = f"Carry `{key}` through the loop and split it in each step, or fold the step's index in."
    yield Finding(
        demand.site,
        f"every {each} under `{how}` uses the same key `{key}` and gets the same random numbers",
        advice,
        also=((f"`{how}` runs the function for each {each}", demand.detail.first),),
    )
