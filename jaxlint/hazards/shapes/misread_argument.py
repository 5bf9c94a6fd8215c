"""Argument that a function or layer takes for something else.

## What it does
Reports

- a number other than 0 and 1, a string or a function that stands in the place of a flag, as in `nn.Dense(128, 10)` or
  `nn.Dense(128, nn.relu)`, where the second parameter is `use_bias`: of any function or layer of Flax, Equinox, Haiku and Optax
  whose annotation says `bool`;
- `jnp.linalg.norm(x, -1)`, whose second parameter is the order of the norm;
- one number for the kernel of a `Conv` of Flax that is called with images: the kernel has one dimension, and the rows of an image
  are taken for a batch; and images whose channels come first, whose last side is taken for the channels;
- `nn.make_causal_mask` of embedded tokens, whose features are taken for the positions;
- schedules of Optax that are left no steps, or fewer than meant: `decay_steps` counts the steps of the warmup, too, so that
  `decay_steps=total - warmup` ends too early, and a schedule of 0 steps keeps its first value.

## Why is this bad
All but some of the schedules run: the layer has other parameters than meant, or the norm is another one. A cosine decay of no steps
raises `ValueError`.

## Example
```python
import jax.numpy as jnp

x = jnp.ones((4, 3))
lengths = jnp.linalg.norm(x, -1)
```

## Use instead
```python
import jax.numpy as jnp

x = jnp.ones((4, 3))
lengths = jnp.linalg.norm(x, axis=-1)
```

## When to ignore
Where the sides of what looks like an image are channels and batches after all.

## Fix safety
Unsafe: the result is another one. An axis is passed as such, and a kernel gets a size for each of two dimensions. There is no fix
for other arguments, as what was meant is not known.

## References
- Flax documentation, `flax.linen.Dense`, `flax.linen.Conv`:
  https://flax-linen.readthedocs.io/en/latest/api_reference/flax.linen/layers.html
- JAX documentation, `jax.numpy.linalg.norm`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.norm.html
- Optax documentation, "Optimizer schedules": https://optax.readthedocs.io/en/latest/api/optimizer_schedules.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.arrays.misread_arguments import MisreadArgument, ScheduleSteps
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.hazards.shapes.shape_mismatch import shown
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.requirements import expect, or_none
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX223",
    category=Category.WRONG,
    hazards=(MisreadArgument, ScheduleSteps),
    fixable="unsafe",
)


def check(hazard: MisreadArgument | ScheduleSteps, file: File) -> Iterator[Finding]:
    if file.model.is_test and isinstance(hazard, MisreadArgument) and hazard.form == "embedded":
        return
    called, operand = file.called(hazard.site, hazard.api), file.code(hazard.operand, 40)
    fix = None
    if isinstance(hazard, ScheduleSteps):
        steps = f"{hazard.steps} steps"
        message = f"Schedule `{called}` of {steps}, which has to be positive"
        if hazard.warmup is not None:
            message = f"Schedule `{called}` of {steps}, of which {hazard.warmup} are warmup"
        advice = f"Pass the number of all steps as `{hazard.parameter}`, the warmup among them."
        if hazard.warmup is None:
            advice = f"Pass the number of steps as `{hazard.parameter}`."
    elif hazard.form == "steps":
        message = f"Schedule `{called}` of {operand} steps, which never changes"
        advice = f"Pass the number of steps as `{hazard.parameter}`."
    elif hazard.form == "warmup":
        message = f"`{operand}` passed as `{hazard.parameter}`, which counts the warmup"
        advice = "Pass the number of all steps, the warmup among them."
        fix = _with_warmup(hazard, file)
    elif hazard.form == "flag":
        message = f"`{operand}` passed as flag `{hazard.parameter}` of `{called}`"
        advice = "Pass what it stands for by its name, or to another layer or function."
    elif hazard.form == "order":
        message = f"`{operand}` passed as `ord` of `{called}`, not as `axis`"
        advice = f"Pass it by name: `axis={operand}`."
        fix = Fix(
            "Pass it as the axis", (file.replace(hazard.operand, f"axis={operand}"),), changes="it is another norm"
        )
    elif hazard.form == "embedded":
        message = f"Causal mask of `{operand}` of shape {shown(hazard.shape)}, whose last axis holds features"
        advice = "Pass the tokens, before they are embedded."
    elif hazard.form == "kernel":
        message = f"Convolution of one dimension over images `{operand}` of shape {shown(hazard.shape)}"
        advice = "Give the kernel a size for each dimension: `(3, 3)`."
        fix = _in_two_dimensions(hazard, file)
    else:
        message = f"Channels first in images `{operand}` of shape {shown(hazard.shape)}"
        advice = f"`Conv` takes the channels last: `{file.api('jax.numpy.moveaxis')[0]}({operand}, 1, -1)`."
    yield Finding(hazard.site, message, advice, fix)


@or_none
def _with_warmup(hazard: MisreadArgument, file: File) -> Fix:
    """`total` for `total - warmup`."""
    difference = expect(ir.Binary, file.unit.nodes[hazard.operand])
    edit = file.replace(difference.site, file.code(difference.left.site))
    return Fix("Pass the number of all steps", (edit,), changes="the learning rate falls more slowly")


@or_none
def _in_two_dimensions(hazard: MisreadArgument, file: File) -> Fix:
    """`nn.Conv(32, (3, 3))` for `nn.Conv(32, 3)`, where the layer is made."""
    made = expect(ir.Call, bound_to(file.unit, expect(ir.Call, file.unit.nodes[hazard.site]).func))
    kernel = expect(ir.Constant, value_of(made, "kernel_size", 1 if hazard.api == "flax.linen.Conv" else 2))
    edit = file.replace(kernel.site, f"({kernel.value}, {kernel.value})")
    return Fix("Give the kernel two dimensions", (edit,), changes="the layer has other parameters")
