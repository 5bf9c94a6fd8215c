"""`fori_loop` or `arange` with bounds that count down, which is empty.

## What it does
Reports `jax.lax.fori_loop` and `jnp.arange` without a step where the upper bound is written out and below the lower one:
`fori_loop(10, 0, …)`. Where the upper bound is zero or negative, a lower bound that is a name, a size or such a number plus or
minus a constant, `fori_loop(n - 1, -1, …)`, is presumed to be above it.

## Why is this bad
Both count up. With a lower bound above the upper one the body never runs, the result is the initial value, and the array is
empty. Nothing is raised.

## Example
```python
total = jax.lax.fori_loop(n - 1, -1, body, 0.0)
```

## Use instead
```python
total = jax.lax.fori_loop(0, n, lambda i, carry: body(n - 1 - i, carry), 0.0)
```

## When to ignore
Where the lower bound is a negative number.

## Fix safety
Unsafe: the loop runs, from the lower bound down to the upper one, which it leaves out; `arange` gets the step -1.

## References
- JAX documentation, `jax.lax.fori_loop`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html
- JAX documentation, `jax.numpy.arange`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.arange.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.empty_ranges import LoopCountsDown
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX534",
    category=Category.WRONG,
    hazards=(LoopCountsDown,),
    fixable="unsafe",
)


def check(hazard: LoopCountsDown, file: File) -> Iterator[Finding]:
    lower, upper = file.code(hazard.operand, 30), file.code(hazard.upper)
    if hazard.api == "jax.numpy.arange":
        yield Finding(
            hazard.site,
            f"Empty `arange` from `{lower}` to `{upper}`, which counts up",
            "Pass the step -1.",
            _stepped(hazard, file),
        )
        return
    yield Finding(
        hazard.site,
        f"Loop from `{lower}` to `{upper}` never runs: `fori_loop` counts up",
        "Count up from 0, and subtract the counter from the last index.",
        _counted_up(hazard, file),
    )


@or_none
def _stepped(hazard: LoopCountsDown, file: File) -> Fix:
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(len(call.args) == 2)
    edit = file.insert(file.outer_span(call.args[1].site)[1], ", -1")
    return Fix("Pass the step -1", (edit,), changes="the array counts down, and is not empty")


@or_none
def _counted_up(hazard: LoopCountsDown, file: File) -> Fix:
    """Count up, and give the body what is left of the lower bound."""
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(len(call.args) == 4 and not call.keywords)
    lower, upper, body, _ = call.args
    counted = f"lambda i, carry: {expect(ir.Name, body).id}({file.code(lower.site)} - i, carry)"
    edits = (
        file.replace(lower.site, "0"),
        file.replace(upper.site, _length(file, lower, hazard.end)),
        file.replace(body.site, counted),
    )
    return Fix("Count up", edits, changes="the body runs, from the lower bound down to the upper one")


def _length(file: File, lower: ir.Node, end: int) -> str:
    """How many numbers lie between two bounds, the lower of which is left out."""
    added = -end
    if isinstance(lower, ir.Binary) and lower.op == "-" and isinstance(lower.right, ir.Constant):
        added -= int(lower.right.value)
        lower = lower.left
    first = file.code(lower.site)
    return f"{first} {'-' if added < 0 else '+'} {abs(added)}" if added else first
