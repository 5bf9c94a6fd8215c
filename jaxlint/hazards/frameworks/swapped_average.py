"""New and averaged parameters in each other's places.

## What it does
Reports `optax.incremental_update` and `optax.periodic_update` whose result replaces the first argument, which is the
place of the new parameters: `target = optax.incremental_update(target, params, 0.005)`. The step size is known to be
smaller than one half.

## Why is this bad
The first argument of both has the new parameters, and the second the old ones: the result is
`step_size * new + (1 - step_size) * old`. In the other order a target network is replaced by the trained one in the
first step, nearly as a whole, and stabilises nothing.

## Example
```python
import optax

def synchronise(params, target):
    target = optax.incremental_update(target, params, 0.005)
    return target
```

## Use instead
```python
import optax

def synchronise(params, target):
    target = optax.incremental_update(params, target, 0.005)
    return target
```

## When to ignore
Where the result is meant to be mostly the second argument.

## Fix safety
Unsafe: the average moves slowly, as the step size says.

## References
- Optax documentation, `optax.incremental_update`: https://optax.readthedocs.io/en/latest/api/apply_updates.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.training.averaged_weights import SwappedAverage
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX634",
    category=Category.WRONG,
    hazards=(SwappedAverage,),
    fixable="unsafe",
)


def check(hazard: SwappedAverage, file: File) -> Iterator[Finding]:
    call = file.unit.nodes[hazard.site]
    fix = None
    if isinstance(call, ir.Call) and len(call.args) > 1:
        first, second = call.args[:2]
        edits = (file.replace(first.site, file.code(second.site)), file.replace(second.site, file.code(first.site)))
        fix = Fix("Swap the arguments", edits, changes="the average moves as slowly as the step size says")
    yield Finding(
        hazard.site,
        f"`{file.code(hazard.operand, 40)}` passed as the new parameters, and replaced by the result",
        "Pass the new parameters first, and those that are averaged second.",
        fix,
    )
