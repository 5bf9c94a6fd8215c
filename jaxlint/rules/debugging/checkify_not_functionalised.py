"""`checkify.check` is compiled, and `checkify.checkify` is not around to take its error.

## What it does
Reports `checkify.check` and `check_error` in a function that `jit`, `scan`, `cond` or their kin compile, where
it is called from code that nothing transforms.

## Why is this bad
Compiled code cannot raise. `checkify.checkify` turns the checks of a function into an error value that it
returns; without it JAX does not know what to do with them: `ValueError: Cannot abstractly evaluate a
checkify.check which was not functionalized`. Outside of compiled code a check raises at once, and all is well.

## Example
```python
@jax.jit
def step(x):
    checkify.check(jnp.all(x > 0), "x must be positive")
    return jnp.log(x)

step(x)
```

## Use instead
```python
error, y = checkify.checkify(step)(x)
error.throw()
```

`checkify.debug_check` does nothing where there is no `checkify`, and is a check where there is one.

## When to ignore
Never: the call raises an error. A compiled function that nothing in the file calls is not reported, because its
caller may use `checkify`.

## Fix safety
There is no fix: where the error is to be looked at is for the program to say.

## References
- JAX documentation, "The checkify transformation": https://docs.jax.dev/en/latest/debugging/checkify_guide.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind

RULE = Rule(
    code="JAX706",
    name="checkify-not-functionalised",
    summary="`checkify.check` is compiled, and `checkify.checkify` is not around to take its error.",
    category=Category.FAILS,
    kinds=(Kind.UNTAKEN_CHECK,),
    error="ValueError",
    status="stable",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    called = file.code(file.unit.nodes[demand.site].func.site, 40)
    yield Finding(
        demand.site,
        f"`{called}` is compiled, and no `checkify.checkify` takes its error",
        "Call the function through `checkify.checkify` and throw the error it returns, or use `checkify.debug_check`.",
        also=(("compiled here", demand.detail),),
    )
