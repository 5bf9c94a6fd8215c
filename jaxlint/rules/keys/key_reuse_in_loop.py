"""A random key is consumed in a loop without being bound to a new one.

## What it does
Reports a sampler or a `split` in a Python loop or comprehension that gets the same key in every
pass. A loop that binds the key anew (`key, subkey = split(key)`), that takes another element of an
array of keys each time, or that folds the counter in, is not reported. In test files the rule is
off unless it is selected by its code.

## Why is this bad
Every pass draws the same numbers: the noise of all steps, or the weights of all layers, are equal.

## Example
```python
def walk(key, steps):
    position = 0.0
    for _ in range(steps):
        position += jax.random.normal(key)
    return position
```

## Use instead
```python
def walk(key, steps):
    position = 0.0
    for _ in range(steps):
        key, subkey = jax.random.split(key)
        position += jax.random.normal(subkey)
    return position
```

## When to ignore
Where each pass is meant to see the same numbers.

## Fix safety
Unsafe: the key is split in every pass, so the numbers drawn change.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint import syntax as ir
from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.keys.splitting import split_before
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX402",
    name="key-reuse-in-loop",
    summary="A random key is consumed in every pass of a loop, so all passes get the same random numbers.",
    category=Category.WRONG,
    kinds=(Kind.KEY_LOOP,),
    error="KeyReuseError",
    in_tests=False,
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    loop = file.unit.nodes[demand.detail.first]
    key = file.code(demand.operand, 40)
    what = "comprehension" if type(loop) is ir.Comprehension else "loop"
    fix = None
    if what == "loop" and file.unit.scope(loop.site) is file.unit.scope(demand.operand):
        fix = split_before(file, demand.operand)
    advice = f"`{key}, subkey = jax.random.split({key})` in the loop gives each pass its own key."
    if what == "comprehension":
        advice = f"Split `{key}` once for all elements and take one key for each, or fold a counter in."
    yield Finding(
        demand.site,
        f"the key `{key}` is the same in every pass of the {what}: each gets the same random numbers",
        advice,
        fix,
        also=((f"the {what}", loop.site),),
    )
