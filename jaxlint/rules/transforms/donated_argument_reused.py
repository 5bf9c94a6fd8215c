"""An array is used after its buffer was donated to a compiled function.

## What it does
Reports uses of a variable after a call that donated it (`donate_argnums`, `donate_argnames`) and before
it is bound anew, and an argument that is donated and passed a second time in the same call. Only arrays
whose shape and dtype fit an output of the function are taken; NumPy arrays are copied, and calls inside
another trace donate nothing.

## Why is this bad
The output was written into the buffer of the argument. `RuntimeError: Array has been deleted` is raised
on every platform; its text does not say who took it.

## Example
```python
update = jax.jit(lambda params, gradient: params - 0.1 * gradient, donate_argnums=0)

params = jnp.ones(3)
new_params = update(params, gradient)
change = new_params - params
```

## Use instead
```python
update = jax.jit(lambda params, gradient: params - 0.1 * gradient, donate_argnums=0)

params = jnp.ones(3)
before = params.copy()
params = update(params, gradient)
change = params - before
```

## When to ignore
Never: the use fails.

## Fix safety
There is no fix: whether the old or the new array is meant is not known.

## References
- JAX documentation, "Buffer donation": https://docs.jax.dev/en/latest/buffer_donation.html
- JAX documentation, `jax.jit`, `donate_argnums`: https://docs.jax.dev/en/latest/_autosummary/jax.jit.html
"""

from __future__ import annotations

from typing import Iterator

from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.donations import Donation
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.transforms import function_name

RULE = Rule(
    code="JAX505",
    name="donated-argument-reused",
    summary="An array is used after its buffer was donated to a compiled function.",
    category=Category.FAILS,
    kinds=(Kind.DONATED,),
    error="RuntimeError",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    donation: Donation = demand.detail
    function, name = function_name(donation.function), file.code(demand.operand, 40)
    if donation.twice:
        yield Finding(
            demand.site,
            f"`{name}` is donated to {function} and passed to it a second time",
            f"Pass a copy, `jnp.array({name})`, for one of them, or do not donate it.",
        )
        return
    yield Finding(
        demand.site,
        f"`{name}` was donated to {function}: its buffer is gone",
        f"Bind the result to `{name}`, copy it before the call, or do not donate it.",
        also=((f"`{name}` was donated here", donation.site),) if donation.site != demand.site else (),
    )
