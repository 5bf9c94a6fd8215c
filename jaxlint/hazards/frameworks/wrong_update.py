"""Update of the parameters that is not a step of descent.

## What it does
Reports gradients that are given to `optax.apply_updates`, while nothing reads the updates that were made of them; a chain
with a schedule whose updates are applied and that negates nothing; `optax.masked` around a whole optimiser; and decay of
weights, or clipping, after an optimiser in a chain.

## Why is this bad
Nothing raises. Gradients that are applied as they are let the parameters climb the loss. So do those of the parameters
that the mask of `optax.masked` leaves out: they are handed on as they are. Decay that is added to a finished step lets
the weights grow, and a finished step of Adam is hardly ever longer than the norm it is clipped to.

## Example
```python
import jax
import jax.numpy as jnp
import optax

optimiser = optax.sgd(0.1)

def step(params, state, x):
    grads = jax.grad(lambda p: jnp.sum((x @ p) ** 2))(params)
    updates, state = optimiser.update(grads, state)
    return optax.apply_updates(params, grads), state
```

## Use instead
```python
import jax
import jax.numpy as jnp
import optax

optimiser = optax.sgd(0.1)

def step(params, state, x):
    grads = jax.grad(lambda p: jnp.sum((x @ p) ** 2))(params)
    updates, state = optimiser.update(grads, state)
    return optax.apply_updates(params, updates), state
```

## When to ignore
Where a step of plain ascent is meant. Test files are left alone but for gradients in the place of updates.

## Fix safety
Unsafe: the updates take the place of the gradients, `optax.scale_by_learning_rate`, which negates, that of
`optax.scale_by_schedule`, and clipping moves to the beginning of its chain.

## References
- Optax documentation, "optax.GradientTransformation":
  https://optax.readthedocs.io/en/latest/api/transformations.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.training.optimiser_chains import AscendingChain, LateTransformation, MaskedOptimiser
from jaxlint.analysis.training.optimisers import GradientsAsUpdates
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX638",
    category=Category.WRONG,
    hazards=(GradientsAsUpdates, AscendingChain, MaskedOptimiser, LateTransformation),
    fixable="unsafe",
)


def check(
    hazard: GradientsAsUpdates | AscendingChain | MaskedOptimiser | LateTransformation, file: File
) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    if isinstance(hazard, GradientsAsUpdates):
        message = f"Gradients `{operand}` applied as updates"
        advice = f"Apply `{hazard.updates}`, which the optimiser computes from the gradients."
        edit = file.replace(hazard.operand, hazard.updates)
        fix = Fix(f"Apply `{hazard.updates}`", (edit,), changes="the parameters move the other way")
        yield Finding(hazard.site, message, advice, fix, ((f"`{hazard.updates}` is made here", hazard.made),))
    elif file.model.is_test:
        return
    elif isinstance(hazard, MaskedOptimiser):
        message = f"Gradients of masked parameters applied as updates by `{hazard.api}`"
        advice = "Use `optax.multi_transform` with `optax.set_to_zero()` for the other parameters."
        yield Finding(hazard.site, message, advice)
    elif isinstance(hazard, AscendingChain):
        message = f"Parameters climb the loss: nothing in the chain negates `{operand}`"
        advice = "Use `optax.scale_by_learning_rate` with the schedule, or add `optax.scale(-1.0)` to the chain."
        yield Finding(hazard.site, message, advice, _negated(hazard, file))
    elif hazard.clips:
        message = f"`{operand}` after `{hazard.optimiser}`, which gives the whole step"
        advice = "Put it first in the chain, to clip the gradients."
        yield Finding(hazard.operand, message, advice, _moved_first(hazard, file))
    else:
        message = f"Weights grow by `{operand}` after `{hazard.optimiser}`"
        yield Finding(hazard.operand, message, "Put it before the learning rate is applied, or use `optax.adamw`.")


@or_none
def _negated(hazard: AscendingChain, file: File) -> Fix:
    """`scale_by_learning_rate` in place of `scale_by_schedule`: it negates, and takes a schedule as well."""
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(len(call.args) == 1 and not call.keywords)
    draft.use(call.func.site, "optax.scale_by_learning_rate")
    return draft.fix("Negate the step", "the parameters move the other way")


@or_none
def _moved_first(hazard: LateTransformation, file: File) -> Fix:
    """The transformation at the beginning of the chain."""
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(is_plain(call.args))
    moved = next(each for each in call.args if each.site == hazard.operand)
    draft.insert(file.outer_span(call.args[0].site)[0], f"{file.code(hazard.operand)}, ")
    draft.remove_argument(moved)
    return draft.fix("Clip the gradients first", "the optimiser is given clipped gradients")
