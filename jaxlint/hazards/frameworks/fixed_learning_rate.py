"""Learning rate that is the value of a schedule at one step.

## What it does
Reports a schedule of Optax that is called with a constant step where an optimiser takes its learning rate:
`optax.adam(schedule(0))`.

## Why is this bad
The call gives one number, and the optimiser steps by it from the first step to the last. A schedule that warms up gives
0.0 for step 0: nothing is trained at all.

## Example
```python
import optax

schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-3, 100, 1000)
optimiser = optax.adam(schedule(0))
```

## Use instead
```python
import optax

schedule = optax.warmup_cosine_decay_schedule(0.0, 1e-3, 100, 1000)
optimiser = optax.adam(schedule)
```

## When to ignore
Where the rate of one step is meant, to compare with that of a schedule.

## Fix safety
Unsafe: the learning rate follows the schedule.

## References
- Optax documentation, "Optimizer schedules": https://optax.readthedocs.io/en/latest/api/optimizer_schedules.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.training.step_sizes import FixedLearningRate
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX633",
    summary="Value of a schedule at one step, passed as the learning rate.",
    category=Category.WRONG,
    hazards=(FixedLearningRate,),
    fixable="unsafe",
)


def check(hazard: FixedLearningRate, file: File) -> Iterator[Finding]:
    schedule = file.code(hazard.operand, 40)
    edit = file.replace(hazard.site, file.code(hazard.operand))
    yield Finding(
        hazard.site,
        f"Learning rate `{file.code(hazard.site, 40)}` is the same at every step",
        f"Pass the schedule itself: `{hazard.optimiser}({schedule})`.",
        Fix("Pass the schedule", (edit,), changes="the learning rate follows the schedule"),
    )
