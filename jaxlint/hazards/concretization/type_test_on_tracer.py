"""Python type test of an argument that is traced.

## What it does
Reports `isinstance(x, float)`, `isinstance(x, np.ndarray)`, `np.isscalar(x)` and `type(x) is int` where
`x` is an argument of a traced function for which a Python number, or a NumPy array, is passed, and
where something else is computed when the test is false. Tests that merely convert, such as
`if isinstance(x, float): x = jnp.asarray(x)`, and those that go on to test for arrays are left alone.

## Why is this bad
Tracing replaces the argument by a tracer, which is no Python number and no NumPy array. The test is
quietly false, so that the function computes something else with `jax.jit`, `jax.vmap` or `jax.grad`
than without.

## Example
```python
@jax.jit
def scaled(x, factor):
    if isinstance(factor, (int, float)):
        return x * factor
    return x @ factor


scaled(x, 2.0)
```

## Use instead
A tracer has a rank and a dtype:

```python
@jax.jit
def scaled(x, factor):
    if jnp.ndim(factor) == 0:
        return x * factor
    return x @ factor
```

An argument that is to stay a Python value is static (`static_argnames`); arrays of any kind are
`isinstance(x, (np.ndarray, jax.Array))`.

## When to ignore
Where the branch for tracers is the one that is meant to run in traced code.

## Fix safety
The fix is shown only: it asks for the rank, and `jax.Array` beside `np.ndarray`, where a static argument
may be what is meant.

## References
- JAX documentation, "Thinking in JAX", JIT mechanics: tracing and static variables:
  https://docs.jax.dev/en/latest/notebooks/thinking_in_jax.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import TypeTestOnTracer
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX113",
    category=Category.WRONG,
    hazards=(TypeTestOnTracer,),
    fixable="display",
)


def check(hazard: TypeTestOnTracer, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    what = "NumPy array" if hazard.was == "ndarray" else f"`{hazard.was}`"
    yield Finding(
        hazard.site,
        f"`{file.code(hazard.site, 40)}` is false: the {what} passed as `{operand}` is traced",
        help=f"Test `jnp.ndim({operand})` or the dtype, or make `{operand}` static."
        if hazard.was != "ndarray"
        else "Test for `jax.Array` as well; tracers are instances of it.",
        fix=_fix(hazard, file),
    )


def _fix(hazard: TypeTestOnTracer, file: File) -> Fix | None:
    operand, draft = operands.argument(file, hazard.operand), Draft(file)
    if hazard.was == "ndarray":
        draft.replace(hazard.site, f"isinstance({operand}, {draft.api('jax.Array')})")
        return draft.fix("Test for any array", level=Applicability.DISPLAY)
    draft.replace(hazard.site, f"{draft.call('jax.numpy.ndim', operand)} == 0")
    return draft.fix("Test the rank", level=Applicability.DISPLAY)
