"""State of an NNX module kept without a copy, which changes with the module.

## What it does
Reports what `nnx.state` or `nnx.split` gives where it is kept by a condition, as the best state of a training, and read when
the module has been trained on: after the loop, or in the method of a class that restores it.

## Why is this bad
The state holds the Variables of the module themselves, and training changes these in place. Whenever the best state is
read, it is the last one: restoring it changes nothing, and nothing is raised.

## Example
```python
for batch in batches:
    train_step(model, optimizer, batch)
    loss = validate(model, held_out)
    if loss < best_loss:
        best_loss = loss
        best_state = nnx.state(model, nnx.Param)
nnx.update(model, best_state)
```

## Use instead
```python
for batch in batches:
    train_step(model, optimizer, batch)
    loss = validate(model, held_out)
    if loss < best_loss:
        best_loss = loss
        best_state = nnx.clone(nnx.state(model, nnx.Param))
nnx.update(model, best_state)
```

## When to ignore
Where the state is meant to follow the module.

## Fix safety
Unsafe: a copy of the state is kept, which takes memory.

## References
- Flax documentation, `nnx.state`, `nnx.clone`: https://flax.readthedocs.io/en/latest/api_reference/flax.nnx/graph.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.training.kept_states import KeptState
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX619",
    category=Category.WRONG,
    hazards=(KeptState,),
    fixable="unsafe",
)


def check(hazard: KeptState, file: File) -> Iterator[Finding]:
    module, draft = file.code(hazard.operand, 40), Draft(file)
    fix = None
    if hazard.api == "flax.nnx.state":
        draft.replace(hazard.site, draft.call("flax.nnx.clone", file.code(hazard.site)))
        fix = draft.fix("Keep a copy", "what is kept stays as it is now")
    yield Finding(
        hazard.site,
        f"`{hazard.kept}` changes with `{module}`, whose Variables it holds",
        f"Keep a copy: `nnx.clone(nnx.state({module}))`.",
        fix,
        ((f"`{hazard.kept}` is read here", hazard.read),),
    )
