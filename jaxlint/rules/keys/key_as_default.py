"""A random key is the default of a parameter.

## What it does
Reports `def f(x, key=jax.random.key(0))`: a parameter whose default makes a key.

## Why is this bad
The default is made once, where the function is defined. Whoever leaves it out draws the same numbers in every call,
and as everybody else who does, without a sign of it.

## Example
```python
def noise(shape, key=jax.random.key(0)):
    return jax.random.normal(key, shape)
```

## Use instead
```python
def noise(shape, key):
    return jax.random.normal(key, shape)
```

## When to ignore
Where the same numbers are wanted each time, as the defaults of most libraries are; so the rule is in preview. Off in test
files.

## Fix safety
There is no fix: callers that leave the key out have to pass one.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from typing import Iterator

from jaxlint import syntax as ir
from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX414",
    name="key-as-default",
    summary="A random key is the default of a parameter: calls that leave it out draw the same numbers.",
    category=Category.WRONG,
    kinds=(Kind.KEY_DEFAULT,),
    on="preview",
    in_tests=False,
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    parameter = file.unit.nodes[demand.operand]
    name = parameter.name if isinstance(parameter, ir.Parameter) else "key"
    yield Finding(
        demand.site,
        f"the default of `{name}` is one key: every call of `{demand.detail}` that leaves it out draws the same numbers",
        help=f"Require `{name}`, and let callers pass a key of their own.",
    )
