"""Result length of `repeat` depends on a traced value.

## What it does
Reports `jnp.repeat(x, repeats)` and `x.repeat(repeats)` where `repeats` is traced, or is a jax array in
code that is traced, and no `total_repeat_length=` is given.

## Why is this bad
The result is as long as the sum of the repetitions, and every shape is fixed while tracing. Under
`jax.jit`, `jax.vmap` and in `lax` control flow the call raises `ConcretizationTypeError`.

## Example
```python
@jax.jit
def expand(values, counts):
    return jnp.repeat(values, counts)
```

## Use instead
```python
@partial(jax.jit, static_argnames="length")
def expand(values, counts, length):
    return jnp.repeat(values, counts, total_repeat_length=length)
```

A result that would be longer is cut off; one that would be shorter ends in repetitions of the last
element. A count that is the same for all elements may be a static argument.

## When to ignore
Never: the call fails whenever the function is traced with these repetitions.

## Fix safety
Unsafe where the result is summed by segments: it gets as many elements as there are segment numbers. Otherwise only shown:
repetitions that are written out give their sum, a number by annotation or default becomes a static argument.

## References
- jax.numpy.repeat: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.repeat.html
- JAX documentation, "Errors", ConcretizationTypeError: https://docs.jax.dev/en/latest/errors.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import DataDependentShape
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import passing
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none
from jaxlint.rewrite.shapes.traced_lengths import with_needed_length
from jaxlint.rewrite.static_args.static_argument import make_static, traced_parameter
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX206",
    category=Category.FAILS,
    hazards=(DataDependentShape,),
    error="ConcretizationTypeError",
    fixable="unsafe",
)

WAY_OUT = "total_repeat_length"


def check(hazard: DataDependentShape, file: File) -> Iterator[Finding]:
    if hazard.parameter != WAY_OUT:
        return
    called = file.called(hazard.site, hazard.api)
    yield Finding(
        hazard.site,
        f"Result length of `{called}` depends on traced value `{file.code(hazard.operand, 40)}`",
        help=f"Pass the result length to `{called}` as `{WAY_OUT}=`. A longer result is cut off, a shorter one repeats"
        " the last element.",
        fix=_fix(hazard, file),
    )


@or_none
def _fix(hazard: DataDependentShape, file: File) -> Fix | None:
    call, total = expect(ir.Call, file.unit.nodes[hazard.site]), _sum(file.unit.nodes[hazard.operand])
    if total is None:
        fix = make_static(hazard, file) if _is_number(hazard, file) else None
        return fix.lowered(Applicability.DISPLAY) if fix is not None else with_needed_length(file, call, WAY_OUT)
    title = f"Give the number of repetitions, {total}"
    return passing(file, call, f"{WAY_OUT}={total}", title, level=Applicability.DISPLAY)


def _is_number(hazard: DataDependentShape, file: File) -> bool:
    """Whether the repetitions come from a parameter that is written as one Python number."""
    found = traced_parameter(hazard, file)
    if found is None:
        return False
    annotation, default = found.parameter.annotation, found.parameter.default
    if isinstance(annotation, ir.Name) and annotation.id == "int":
        return True
    return isinstance(default, ir.Constant) and type(default.value) is int


def _sum(repeats: ir.Node) -> int | None:
    """The sum of repetitions that are written out, as in `jnp.array([1, 2, 3])`."""
    if isinstance(repeats, ir.Call) and len(repeats.args) == 1 and not repeats.keywords:
        repeats = repeats.args[0]
    if not isinstance(repeats, ir.Sequence):
        return None
    numbers = [each.value for each in repeats.elements if isinstance(each, ir.Constant) and type(each.value) is int]
    # One number holds for all elements, however many there are.
    return sum(numbers) if len(numbers) == len(repeats.elements) > 1 else None
