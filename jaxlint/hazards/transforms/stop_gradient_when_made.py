"""`stop_gradient` of an array that a module stores when it is made, which is trained all the same.

## What it does
Reports `self.field = jax.lax.stop_gradient(x)` in `__init__` of an Equinox module, and `nnx.Param(jax.lax.stop_gradient(x))` in
that of an NNX module.

## Why is this bad
`stop_gradient` acts on a derivative that is being taken. None is while the module is made: it gives back the array, which is a
leaf like any other. Gradients are taken with respect to it, and the optimizer changes it.

## Example
```python
class Features(eqx.Module):
    frequencies: jax.Array

    def __init__(self, key):
        self.frequencies = jax.lax.stop_gradient(jax.random.normal(key, (8,)))
```

## Use instead
```python
class Features(eqx.Module):
    frequencies: jax.Array

    def __init__(self, key):
        self.frequencies = jax.random.normal(key, (8,))

    def __call__(self, x):
        return jnp.sin(jax.lax.stop_gradient(self.frequencies) * x)
```

In NNX an array that is not to be trained is a `nnx.Variable`, or a plain attribute.

## When to ignore
Where the optimizer leaves the field out.

## Fix safety
There is no fix: where the array is used is for you to say.

## References
- JAX documentation, `jax.lax.stop_gradient`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.stop_gradient.html
- Equinox documentation, "Frequently asked questions" (https://docs.kidger.site/equinox/faq/)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.stopped_gradients import StopGradientWhenMade
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX535",
    category=Category.WRONG,
    hazards=(StopGradientWhenMade,),
)


def check(hazard: StopGradientWhenMade, file: File) -> Iterator[Finding]:
    stored = file.code(hazard.operand)
    advice = f"Apply it where `{stored}` is used: `jax.lax.stop_gradient({stored})`."
    if hazard.family == "nnx":
        advice = "Store it as `nnx.Variable`, which `nnx.Param` filters leave out."
    yield Finding(hazard.site, f"`stop_gradient` of stored `{stored}` has no effect: the array is trained", advice)
