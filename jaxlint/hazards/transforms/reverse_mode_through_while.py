"""Reverse-mode gradient through a loop with a traced number of iterations.

## What it does
Reports calls of `lax.while_loop`, and of `lax.fori_loop` with a traced bound, through which the
result of a function depends on what `jax.grad` and its kin differentiate. A loop that is handed on,
cut off by `lax.stop_gradient`, or computes integers alone is not reported, and neither is
`jax.jvp` or `jax.jacfwd`, which go forwards.

## Why is this bad
Reverse mode stores what each pass of a loop computes, and has to know how many passes there are when
it traces. JAX raises a `ValueError` when the gradient is taken.

## Example
```python
def loss(x):
    return jax.lax.while_loop(lambda y: y < 10, lambda y: 2 * y, x)


jax.grad(loss)(1.0)
```

## Use instead
```python
def loss(x):
    def step(y, _):
        return jnp.where(y < 10, 2 * y, y), None

    return jax.lax.scan(step, x, length=8)[0]


jax.grad(loss)(1.0)
```

## When to ignore
Never: the gradient fails. If the loop solves an equation, `jax.custom_vjp` or `lax.custom_root` can
give it a derivative of its own.

## Fix safety
A `while_loop` with a counter in its state, from a number to a number, becomes a `fori_loop`, which is unsafe; where the loop
may end sooner, all its iterations take place, and those at the end change nothing.
So is a bound of a `fori_loop` that becomes a static argument of the compiled function around it.
Otherwise `jax.jacfwd` takes the place of `jax.grad` and `jax.jacrev`: forward mode goes through any loop and gives the
same. It takes one pass for each number in the argument, so that it is displayed where there may be many of them.
Without a counter `jax.value_and_grad` has no fix: a bound on the number of passes has to be chosen.

## References
- JAX documentation, `jax.lax.while_loop`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.while_loop.html
- JAX documentation, `jax.lax.fori_loop`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.fori_loop.html
- JAX documentation, "Control flow and logical operators": https://docs.jax.dev/en/latest/control-flow.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.tangents import ReverseModeThroughWhile
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.forward_mode import differentiable
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX511",
    category=Category.FAILS,
    hazards=(ReverseModeThroughWhile,),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: ReverseModeThroughWhile, file: File) -> Iterator[Finding]:
    taken = f"`{hazard.transform.removeprefix('jax.')}` of {function_name(hazard.function)}"
    what = "`lax.while_loop`" if hazard.loop == "while_loop" else "`lax.fori_loop` with traced bounds"
    message = f"Reverse-mode {taken} through {what}"
    if hazard.loop == "fori_loop":
        advice = "Use static bounds (a static argument, `x.shape[0]`) or `lax.scan`."
    else:
        advice = (
            "Use `lax.scan`, or `lax.fori_loop` with static bounds, for a sufficient number of iterations."
            " Or define a derivative of the loop with `jax.custom_vjp`."
        )
    yield Finding(
        hazard.site,
        message,
        advice,
        differentiable(hazard, file),
        also=(("the gradient is taken here", hazard.operand),),
    )
