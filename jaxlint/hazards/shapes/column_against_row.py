"""Column of predictions broadcast against a row of targets.

## What it does
Reports `predicted - targets` and `predicted == targets` where `predicted` of shape `(n, 1)` comes of a layer with one feature or
of a matrix product, and `targets` has the shape `(n,)`.

## Why is this bad
The two are broadcast to `(n, n)`: each prediction is compared with every target. Nothing is raised, and the mean of the squares
is a loss whose minimum is the mean of the targets.

## Example
```python
import jax.numpy as jnp

x = jnp.ones((8, 3))
weights = jnp.ones((3, 1))
targets = jnp.arange(8.0)
loss = jnp.mean((x @ weights - targets) ** 2)
```

## Use instead
```python
import jax.numpy as jnp

x = jnp.ones((8, 3))
weights = jnp.ones((3, 1))
targets = jnp.arange(8.0)
loss = jnp.mean(((x @ weights)[:, 0] - targets) ** 2)
```

## When to ignore
Where each prediction is meant to be compared with every target.

## Fix safety
Unsafe: the prediction loses its last axis, and the result becomes one number for each example.

## References
- NumPy documentation, "Broadcasting": https://numpy.org/doc/stable/user/basics.broadcasting.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.shape_agreement import PredictionBroadcast
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.hazards.shapes.shape_mismatch import shown
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX214",
    name="column-against-row",
    summary="Column of predictions broadcast against a row of targets.",
    category=Category.WRONG,
    hazards=(PredictionBroadcast,),
    fixable="unsafe",
)


def check(hazard: PredictionBroadcast, file: File) -> Iterator[Finding]:
    column, row = shown(hazard.column), shown(hazard.row)
    operand = file.code(hazard.operand, 40)
    message = f"`{operand}` of shape {column} broadcasts against shape {row}"
    node = file.unit.nodes[hazard.operand]
    whole = f"({operand})" if isinstance(node, ir.Binary) else operand
    advice = f"Drop the last axis, `{whole}[:, 0]`; the result is a matrix otherwise."
    fix = None
    if hazard.operand != hazard.site:
        code = file.code(hazard.operand)
        text = f"({code})[:, 0]" if isinstance(node, ir.Binary) else f"{code}[:, 0]"
        start, end = file.outer_span(hazard.operand)
        bare = file.source.text[start:end] != code
        edit = file.replace(hazard.operand, f"{code}") if bare else file.replace(hazard.operand, text)
        edit = edit if not bare else file.insert(end, "[:, 0]")
        fix = Fix("Drop the last axis", (edit,), changes="the result is a vector, not a matrix")
    yield Finding(hazard.site, message, advice, fix)
