"""Column of predictions broadcast against a row of targets.

## What it does
Reports `predicted - targets` and `predicted == targets` where `predicted` of shape `(n, 1)` comes of a layer with one feature or
of a matrix product, and `targets` has the shape `(n,)`.

It also reports `jnp.argmax(logits) == labels` without an axis for logits with several rows, and `log_probs[:, actions]` where `actions` holds one class for each of the `n` rows: of the result of
`log_softmax` or `softmax`, and of any array where the result of shape `(n, n)` is combined with an array of shape `(n,)`.

## Why is this bad
The two are broadcast to `(n, n)`: each prediction is compared with every target. Nothing is raised, and the mean of the squares
is a loss whose minimum is the mean of the targets. `log_probs[:, actions]` has the shape `(n, n)`, too: it takes
the classes of all rows from each row. `log_probs[jnp.arange(n), actions]` takes one from each.

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

from jaxlint.analysis.checkers.shape_agreement import EveryIndexOfEachRow, IndexOfWholeArray, PredictionBroadcast
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.hazards.shapes.shape_mismatch import shown
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to
from jaxlint.rewrite.draft import Draft, passing
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX214",
    category=Category.WRONG,
    hazards=(PredictionBroadcast, EveryIndexOfEachRow, IndexOfWholeArray),
    fixable="unsafe",
)


def check(hazard: PredictionBroadcast | EveryIndexOfEachRow | IndexOfWholeArray, file: File) -> Iterator[Finding]:
    if isinstance(hazard, IndexOfWholeArray):
        yield _of_whole(hazard, file)
        return
    if isinstance(hazard, EveryIndexOfEachRow):
        yield _of_each_row(hazard, file)
        return
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


def _of_whole(hazard: IndexOfWholeArray, file: File) -> Finding:
    operand = file.code(hazard.operand, 40)
    message = f"`{operand}` is one index into all elements of shape {shown(hazard.shape)}"
    call, fix = bound_to(file.unit, file.unit.nodes[hazard.operand]), None
    if isinstance(call, ir.Call):
        fix = passing(file, call, "axis=-1", "Take an index of each row", "each row has an index of its own")
    return Finding(hazard.site, message, "Pass `axis=-1` for the index of each row.", fix)


def _of_each_row(hazard: EveryIndexOfEachRow, file: File) -> Finding:
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    assert isinstance(node, ir.Subscript) and isinstance(node.index, ir.Sequence)
    rows, code = hazard.rows, file.code(node.value.site)
    arange = draft.api("jax.numpy.arange")
    message = f"`{file.code(hazard.site, 40)}` of shape ({rows}, {rows}) takes every index from each row"
    advice = f"Take one element of each row: `[{arange}({rows}), {file.code(hazard.operand, 40)}]`."
    fix = None
    if isinstance(node.value, ir.Name):
        draft.replace(node.index.elements[0].site, f"{arange}({code}.shape[0])")
        fix = draft.fix("Take one element of each row", "the result is a vector, not a matrix")
    return Finding(hazard.site, message, advice, fix)
