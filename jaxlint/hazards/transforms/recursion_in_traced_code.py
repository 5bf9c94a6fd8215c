"""Infinite recursion at trace time, which takes every branch.

## What it does
Reports calls by which a function reaches itself again under all circumstances: in a branch of
`lax.cond` or `lax.switch`, in the body of a loop, in an argument of `jnp.where`, or straight away in
a function that is traced. A recursion that Python ends is not reported: with an `if` that depends on
a static value, or a loop over the children of a tree.

## Why is this bad
`lax.cond` traces both of its branches, whatever the predicate, and `jnp.where` computes both of its
values. Each trace therefore calls the function once more, until Python raises a `RecursionError`.

## Example
```python
def factorial(n):
    return jax.lax.cond(n <= 1, lambda: 1, lambda: n * factorial(n - 1))
```

## Use instead
```python
def factorial(n):
    return jax.lax.fori_loop(1, n + 1, lambda i, total: total * i, 1)
```

## When to ignore
Never: the call fails. If the depth is known to Python, an `if` on it ends the recursion.

## Fix safety
Unsafe, and offered for a function that calls itself once, as its last step or in a sum or product: it becomes
a `jax.lax.while_loop`, which adds up in the other order, keeps shape and dtype of what it hands on, and
has no reverse-mode derivative. Other recursions have to be thought of anew.

## References
- JAX documentation, "Control flow and logical operators": https://docs.jax.dev/en/latest/control-flow.html
- JAX documentation, `jax.lax.while_loop`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.recursion import RecursionInTracedCode
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.recursion_as_loop import as_loop
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX523",
    category=Category.FAILS,
    hazards=(RecursionInTracedCode,),
    error="RecursionError",
    fixable="unsafe",
)

_WHY = {
    "lax.cond": "`lax.cond` traces both branches",
    "lax.switch": "`lax.switch` traces all branches",
    "jnp.where": "`jnp.where` computes both values",
    "lax.select": "`lax.select` computes both values",
}


def check(hazard: RecursionInTracedCode, file: File) -> Iterator[Finding]:
    why = _WHY.get(hazard.choice, f"`{hazard.choice}` always traces its body" if hazard.choice else "")
    message = f"Infinite recursion in `{hazard.name}`" + (f": {why}" if why else " at trace time")
    advice = (
        f"Write `{hazard.name}` as a `lax.while_loop` or `lax.fori_loop`."
        " Or end the recursion with an `if` on a static argument."
    )
    yield Finding(hazard.site, message, advice, as_loop(file, hazard.site, hazard.name))
