"""Mutation of a container argument, lost under a transform.

## What it does
Reports `params["w"] = …`, `params["w"] += …`, `history.append(…)` and the like on a parameter of a function under a
transform of JAX, where the function does not read the container afterwards.

## Why is this bad
A transform takes its arguments apart into arrays, and puts them together again for the function. The dict that the
function changes is not the one of its caller: after the call that one is what it was before. Without the
transform the same code changes the caller's dict.

## Example
```python
@jax.jit
def update(stats, x):
    stats["mean"] = 0.9 * stats["mean"] + 0.1 * x.mean()
    return x - x.mean()
```

## Use instead
```python
@jax.jit
def update(stats, x):
    stats = {**stats, "mean": 0.9 * stats["mean"] + 0.1 * x.mean()}
    return stats, x - x.mean()
```

## When to ignore
Where the function is run without the transform as well, and what is stored matters only then.

## Fix safety
The fix returns the container as well, and binds it anew at each call in the file: `value, params = step(params)`, with
`has_aux=True` under a gradient. It is unsafe for a function that nobody else can call, and else only shown, as callers
in other files get a pair. There is none where a call is not seen, or stands where it cannot take two results.

## References
- JAX documentation, "Pytrees" (https://docs.jax.dev/en/latest/pytrees.html)
- JAX documentation, "Stateful computations" (https://docs.jax.dev/en/latest/stateful-computations.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.lost_stores import ArgumentContainerMutated
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import return_parameter
from jaxlint.rewrite.changes import ONE_RESULT_MORE
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX313",
    category=Category.WRONG,
    hazards=(ArgumentContainerMutated,),
    fixable="unsafe",
    on="preview",
    status="preview",
)


def check(hazard: ArgumentContainerMutated, file: File) -> Iterator[Finding]:
    name = hazard.parameter
    transform = str(hazard.api).rpartition(".")[2]
    yield Finding(
        hazard.site,
        f"Mutation of argument `{name}` is lost under `{transform}`: `{file.code(hazard.site, 50)}`",
        f"Return `{name}`, and let the caller use the result.",
        _fix(hazard, file),
    )


@or_none
def _fix(hazard: ArgumentContainerMutated, file: File) -> Fix:
    function, name = expect(ir.Function, file.unit.scope(hazard.site)), hazard.parameter or ""
    require(name in function.locals)
    # None is no array: a compiled function cannot return it.
    require(not any(map(ir.is_none, ir.walk([file.unit.statement(hazard.site)]))))
    change = known(return_parameter(file, function, name))
    title = f"Return `{name}` too, and bind it anew at each call"
    return Fix(title, change.edits, change.level, changes=ONE_RESULT_MORE)
