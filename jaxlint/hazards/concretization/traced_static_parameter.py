"""Traced value passed as a static argument of a JAX function.

## What it does
Reports calls of JAX functions and array methods whose `axis`, `k`, `ord`, `decimals`, `keepdims` or
other parameter decides which program is traced, and is given a tracer. Parameters that are sizes
belong to JAX201.

## Why is this bad
JAX traces a function once and compiles what it saw. Which axis to reduce, or whether to keep it,
changes the shapes of everything after it, so it has to be known while tracing. The call raises
`ConcretizationTypeError`, `TracerIntegerConversionError`, `TracerBoolConversionError` or
"Non-hashable static arguments", depending on the function.

## Example
```python
@jax.jit
def smallest(x, axis):
    return x.min(axis)
```

## Use instead
```python
@partial(jax.jit, static_argnames=("axis",))
def smallest(x, axis):
    return x.min(axis)
```

## When to ignore
Never: the call fails whenever the function is traced with this argument.

## Fix safety
The fix makes the argument static where `jax.jit` is applied. It is unsafe: the function is compiled
anew for each value of the argument, and callers, in other files too, must pass something that can
be hashed. Where the callers in the file cannot be judged the fix is only displayed; where one
passes an array, or another transform stands around, there is none.

## References
- JAX documentation, "Errors": https://docs.jax.dev/en/latest/errors.html
- JAX documentation, "Just-in-time compilation", marking arguments as static:
  https://docs.jax.dev/en/latest/jit-compilation.html
"""

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import TracedStaticParameter
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.rewrite.file import File
from jaxlint.rewrite.static_args.static_argument import how_to_make_concrete, make_static
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX108",
    category=Category.FAILS,
    hazards=(TracedStaticParameter,),
    error="ConcretizationTypeError",
    fixable="unsafe",
)


def check(hazard: TracedStaticParameter, file: File) -> Iterator[Finding]:
    called = file.called(hazard.site, hazard.api)
    operand = file.code(hazard.operand, 40)
    elsewhere = f"Compute `{operand}` from Python values, such as `x.shape`."
    yield Finding(
        hazard.site,
        f"Traced value `{operand}` passed as static argument `{hazard.parameter}` of `{called}`",
        help=how_to_make_concrete(hazard, file) or elsewhere,
        fix=make_static(hazard, file),
    )
