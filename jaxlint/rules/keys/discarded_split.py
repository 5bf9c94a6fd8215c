"""The keys that `split` or `fold_in` gives are not used.

## What it does
Reports `jax.random.split(key)` and `jax.random.fold_in(key, i)` as statements of their own.

## Why is this bad
Keys have no state: `split` leaves the key as it is and returns new ones. Where they are lost the key has not advanced,
and what draws from it next draws the same numbers as before.

## Example
```python
def draws(key):
    jax.random.split(key)
    return jax.random.normal(key)
```

## Use instead
```python
def draws(key):
    key, subkey = jax.random.split(key)
    return jax.random.normal(subkey)
```

## When to ignore
Never: without its result the call does nothing.

## Fix safety
Unsafe: the name is bound to a new key, and the numbers drawn from it change. There is no fix for a key that is not a
local name, and where the number of keys is given.

## References
- JAX documentation, "Pseudorandom numbers" (https://docs.jax.dev/en/latest/random-numbers.html)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Applicability, Category, Edit, Fix
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX406",
    name="discarded-split",
    summary="The keys that `split` or `fold_in` gives are not used: the key stays as it was.",
    category=Category.WRONG,
    kinds=(Kind.DISCARDED_SPLIT,),
    in_tests=False,
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    key = file.code(demand.operand, 40)
    name = (demand.api or "").rpartition(".")[2]
    yield Finding(
        demand.site,
        f"what `{name}` gives is not used, and `{key}` stays as it was",
        help=f"Bind the new key: `{key}, subkey = {file.code(demand.site, 60)}`."
        if name == "split"
        else f"Bind the new key: `{key} = {file.code(demand.site, 60)}`.",
        fix=_fix(demand, file, name),
    )


def _fix(demand: Demand, file: File, name: str) -> Optional[Fix]:
    call, key = file.unit.nodes[demand.site], file.unit.nodes[demand.operand]
    if not isinstance(call, ir.Call) or not isinstance(key, ir.Name) or key.id not in file.unit.scope(key.site).locals:
        return None
    if name == "split" and len(call.args) + len(call.keywords) != 1:
        return None
    target = f"{key.id}, _" if name == "split" else key.id
    start = file.outer_span(call.site)[0]
    return Fix(f"bind `{key.id}` to a new key", (Edit(start, start, f"{target} = "),), Applicability.UNSAFE)
