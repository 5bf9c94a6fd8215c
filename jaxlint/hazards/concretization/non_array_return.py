"""Non-array result of a traced function.

## What it does
Reports functions under `jax.jit`, `jax.vmap`, `jax.checkpoint`, `lax.scan`, `lax.cond`, `jax.eval_shape` and the like that
return a string, a function, a set, a generator, a view of a dict, a range, a dtype, a class or an instance that is not
registered as a pytree, alone or in a tuple, list or dict; and functions that are generators or coroutines.

## Why is this bad
What a traced function returns leaves the trace as arrays. Anything else has no form in it, and raises `TypeError`.

## Example
```python
@jax.jit
def normalised(x):
    norm = jnp.linalg.norm(x)
    return {"value": x / norm, "method": "l2"}
```

## Use instead
```python
@jax.jit
def normalised(x):
    norm = jnp.linalg.norm(x)
    return {"value": x / norm}
```

What does not depend on the arrays is put beside the result by the caller. Numbers and None may be returned.

## When to ignore
Where the class is registered as a pytree in another file.

## Fix safety
Unsafe: callers outside of traced code got something else. A list takes the place of a generator, a tuple that of
a set or the values of a dict, a `jax.tree_util.Partial` that of a lambda; a dataclass whose fields are arrays
is registered, `async` goes where nothing is awaited, a generator is not compiled, and a string leaves a dict whose entry the
file does not read. Other strings and dtypes that are left out of the result are only shown: the callers have to do
without them.

## References
- JAX documentation, "Pytrees": https://docs.jax.dev/en/latest/pytrees.html
- JAX documentation, `jax.jit`: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.returns import NonArrayReturn
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.transforms.returned import mended
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX114",
    category=Category.FAILS,
    hazards=(NonArrayReturn,),
    error="TypeError",
    fixable="unsafe",
)

# By the words with which the kind of value begins.
_ADVICE = {
    "an iterator": "Return a list or tuple of arrays.",
    "a generator": "Return a list or tuple of arrays.",
    "a view of a dict": "Return a tuple: `tuple(…)`.",
    "a range": "Return `jnp.arange`, or leave the range to the caller.",
    "a set": "Return a tuple, which has an order.",
    "a function": "Return the arrays that it needs, and make the function outside. Or return a `jax.tree_util.Partial`.",
    "a method": "Call the method, or leave the call to the caller.",
    "a coroutine": "Trace an ordinary function, and await outside it.",
    "a string": "Leave the string to the caller.",
    "a dtype": "Read the dtype of the result instead.",
    "an instance": "Register its class as a pytree (`jax.tree_util.register_dataclass`), or return its arrays.",
}


def check(hazard: NonArrayReturn, file: File) -> Iterator[Finding]:
    name = "the lambda" if hazard.function.is_lambda else f"`{hazard.function.name}`"
    inner = hazard.what.rpartition(" containing ")[2]
    advice = next(
        (text for start, text in _ADVICE.items() if inner.startswith(start)), "Return arrays, numbers or None."
    )
    transform = (hazard.api or "").removeprefix("jax.experimental.pjit.").removeprefix("jax.")
    yield Finding(
        hazard.site,
        f"Non-array result of {name} under `{transform}`: {hazard.what}",
        advice,
        mended(hazard, inner, file),
        also=(("traced here", hazard.operand),) if hazard.operand != hazard.site else (),
    )
