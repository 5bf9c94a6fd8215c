"""A slice whose bounds are traced: `x[:n]`.

## What it does
Reports `x[:n]`, `x[i:]`, `x[i:i + 3]` and `x[::k]` of an array where a bound or the step is traced.

## Why is this bad
The bounds of a slice decide the shape of the result, and JAX needs every shape while it traces. The slice
raises `IndexError`, even where the difference of its bounds is a constant.

## Example
```python
@jax.jit
def window(x, i):
    return x[i : i + 3]
```

## Use instead
```python
@jax.jit
def window(x, i):
    return jax.lax.dynamic_slice_in_dim(x, i, 3)
```

## When to ignore
Never: the code cannot run as long as the bound is traced.

## Fix safety
The fix is offered where the slice is exactly `x[i : i + k]` and `k` is known while tracing. It is unsafe:
where `i + k` lies beyond the end, `dynamic_slice_in_dim` moves the window back to the last `k` elements,
where a slice would be shorter, and a negative `i` that reaches past the beginning is moved as well. Other
slices have no fix: mark the bound static, or keep the whole array and mask it (`jnp.arange(len(x)) < n`).

## References
- JAX documentation, `jax.lax.dynamic_slice_in_dim`
- JAX documentation, "JAX - The Sharp Bits": dynamic shapes (`notebooks/Common_Gotchas_in_JAX.html`)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Category, Fix
from jaxlint.rewrite import operands
from jaxlint.rule import File, Finding, Rule
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import Array, Const, Host, Static, Undecided, Unknown, Value

RULE = Rule(
    code="JAX205",
    name="traced-slice-bound",
    summary="A slice whose bounds are traced.",
    category=Category.FAILS,
    kinds=(Kind.SLICE_BOUND,),
    error="IndexError",
    fixable="unsafe",
)


def check(demand: Demand, file: File) -> Iterator[Finding]:
    bound = file.code(demand.operand, 40)
    fix = _fix(demand, file)
    yield Finding(
        demand.site,
        f"the slice `{file.code(demand.site, 40)}` needs its bounds while tracing, and `{bound}` is traced",
        help="Take a window of constant length with `jax.lax.dynamic_slice_in_dim`."
        if fix is not None
        else f"Make `{bound}` static, or keep the whole array and mask the elements that are not wanted;"
        " a window of constant length is `jax.lax.dynamic_slice_in_dim(x, start, length)`.",
        fix=fix,
    )


def _fix(demand: Demand, file: File) -> Optional[Fix]:
    chosen = file.unit.nodes[demand.site]
    if not isinstance(chosen, ir.Subscript) or not isinstance(chosen.index, ir.Slice):
        return None
    bounds = chosen.index
    length = _length(file, bounds)
    bases = file.values(chosen.value.site)
    kinds = {type(base) for base in bases} - {Unknown}  # the function may be run with what nobody knows as well
    if length is None or not kinds or not kinds <= {Array, Host, Undecided}:
        return None
    function, imports = file.api("jax.lax.dynamic_slice_in_dim")
    arguments = [operands.argument(file, site) for site in (chosen.value.site, bounds.lower.site, length.site)]
    return Fix(
        f"take the window with `{function}` (it is moved back where it would reach beyond the end)",
        (file.replace(chosen.site, f"{function}({', '.join(arguments)})"),),
        imports=imports,
    )


def _length(file: File, bounds: ir.Node) -> Optional[ir.Node]:
    """``k`` of a slice written ``i : i + k``, where it is certainly a Python int."""
    lower, upper = bounds.lower, bounds.upper
    if lower is None or bounds.step is not None or not isinstance(upper, ir.Binary) or upper.op != "+":
        return None
    for start, length in ((upper.left, upper.right), (upper.right, upper.left)):
        values = [value for value in file.values(length.site) if type(value) is not Unknown]
        if file.code(start.site) == file.code(lower.site) and values and all(map(_is_length, values)):
            return length
    return None


def _is_length(value: Value) -> bool:
    if type(value) is Const:
        return type(value.value) is int and value.value > 0
    return type(value) is Static and value.type == "int"
