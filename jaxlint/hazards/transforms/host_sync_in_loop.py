"""Device sync in every iteration of a loop.

## What it does
Reports `float(loss)`, `loss.item()`, `np.asarray(loss)` and `jax.device_get(loss)` in each pass of a Python loop, of
what a compiled function returned in that pass. What is fetched in a branch, or decides something, is not reported.

## Why is this bad
JAX computes asynchronously: while the device works on one step, Python can prepare the next. To fetch a value it has
to wait until the device is done, and the device then waits for Python. Steps that are short take twice as long.

## Example
```python
for batch in batches:
    state, loss = step(state, batch)
    losses.append(float(loss))
```

## Use instead
```python
for batch in batches:
    state, loss = step(state, batch)
    losses.append(loss)
losses = [float(loss) for loss in jax.device_get(losses)]
```

## When to ignore
Where Python has nothing to do between the steps, or a step takes so long that it does not matter.

## Fix safety
A value that the loop only appends to a list, or adds to a sum, stays on the device, and what was collected is
fetched after the loop if it is read there. That is unsafe: the device has to hold the values until then, and an
error of a step shows later. Where a value is used in the loop there is no fix: when it is needed is for the
author to say.

## References
- JAX documentation, "Asynchronous dispatch" (https://docs.jax.dev/en/latest/async_dispatch.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.loop_syncs import HostSyncInLoop
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.hoisting import fetched_later
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX514",
    category=Category.SLOW,
    hazards=(HostSyncInLoop,),
    fixable="unsafe",
    on="opt-in",
    in_tests=False,
)


def check(hazard: HostSyncInLoop, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    yield Finding(
        hazard.site,
        f"Device sync in every loop iteration: `{file.code(hazard.site, 40)}`",
        f"Keep `{operand}` on the device, and fetch the values after the loop, with `jax.device_get`, or once in many iterations.",
        fetched_later(hazard, file),
    )
