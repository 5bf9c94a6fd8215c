"""Print or callback in a branch of a mapped condition, which runs for every element.

## What it does
Reports `jax.debug.print` and `jax.debug.callback` in a branch of `lax.cond` or `lax.switch` whose condition differs from
element to element of a `jax.vmap`.

## Why is this bad
A program has one path for the whole batch, so a `cond` with a mapped condition becomes a `select`: both branches run for all
elements, and their effects happen for all of them. Only the results are chosen. A warning is printed for every element.

## Example
```python
def land(speed):
    jax.lax.cond(speed > LIMIT, lambda: jax.debug.print("too fast: {}", speed), lambda: None)
    return speed

jax.vmap(land)(speeds)
```

## Use instead
```python
speeds = jax.vmap(land)(speeds)
jax.debug.callback(lambda speeds: print("too fast:", speeds[speeds > LIMIT]), speeds)
```

## When to ignore
Where the function that the callback calls asks the condition again.

## Fix safety
There is no fix: what is to be printed of a batch is for you to say.

## References
- JAX documentation, `jax.lax.cond`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.cond.html
- JAX documentation, "External callbacks": https://docs.jax.dev/en/latest/external-callbacks.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.mapped_callbacks import EffectInMappedBranch
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX708",
    category=Category.WRONG,
    hazards=(EffectInMappedBranch,),
)


def check(hazard: EffectInMappedBranch, file: File) -> Iterator[Finding]:
    yield Finding(
        hazard.site,
        f"Effect of `{hazard.api}` for every element: `vmap` runs all branches",
        f"Pass the condition `{file.code(hazard.operand, 40)}` to the callback and test it there, or print after `vmap`.",
        also=(("this condition differs from element to element", hazard.operand),),
    )
