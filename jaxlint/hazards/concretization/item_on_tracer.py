"""`.item()`, `.tolist()` or a conversion method on a traced value.

## What it does
Reports `x.item()`, `x.tolist()` and the conversion methods behind `int(x)` or `np.asarray(x)`
(`x.__int__()`, `x.__array__()` …) where `x` is traced.

## Why is this bad
A tracer stands for a value that is not known while the function is traced, so there is nothing to
hand out: JAX raises ConcretizationTypeError (TracerArrayConversionError for `__array__`). In a
function that `jit`, `scan` or `cond` traces this holds for every array that a `jnp` operation makes,
also for `jnp.zeros((1,))`.

## Example
```python
@jax.jit
def loss(w, x):
    return jnp.sum(w * x).item()
```

## Use instead
```python
@jax.jit
def loss(w, x):
    return jnp.sum(w * x)
```

A 0-d array works wherever JAX wants a scalar. An array of one element is made one by `.reshape(())`.

## When to ignore
Where the function is never traced in the way jaxlint sees it, for instance under `jax.disable_jit`.

## Fix safety
Unsafe: the result is a 0-d array where it was a Python number, which matters to code that hashes it,
serialises it or uses it as a size. `.item()` is dropped, or becomes `.reshape(())` where the array is
known to hold one element in some dimensions; `.item(i)` becomes an index, which clamps where `.item`
raised. `.tolist()` is dropped where the list is only iterated over; elsewhere the fix is shown and
not applied, as `*` and `+` mean something else for lists.

## References
- JAX documentation, "Errors": `ConcretizationTypeError` (https://docs.jax.dev/en/latest/errors.html)
- JAX documentation, "JAX Internals: abstract tracing" (https://docs.jax.dev/en/latest/tracing.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import ItemOnTracer
from jaxlint.analysis.domain.values import Array
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import ARRAY_OF_32_BITS, NO_PYTHON_VALUE
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX101",
    category=Category.FAILS,
    hazards=(ItemOnTracer,),
    error="ConcretizationTypeError",
    fixable="unsafe",
)

_CONVERSIONS = {"__int__": "int", "__float__": "float", "__bool__": "bool", "__complex__": "complex"}
_ITERATING = ("enumerate", "zip", "reversed")


def check(hazard: ItemOnTracer, file: File) -> Iterator[Finding]:
    method = (hazard.api or "").lstrip(".")
    code = file.code(hazard.operand, 40)
    message = f"`.{method}()` on traced value `{code}`"
    fix = _fix(method, hazard, file)
    yield Finding(hazard.site, message, _HELP.get(method, _USE_ARRAY).format(code=code), fix)


_USE_ARRAY = "Use the array `{code}` itself."
_HELP = {
    "item": "Use `{code}` as a 0-d array, or call `.item()` on the result of the traced function.",
    "tolist": "Iterate over or index `{code}` itself, or call `.tolist()` on the result of the traced function.",
}


@or_none
def _fix(method: str, hazard: ItemOnTracer, file: File) -> Fix:
    call = plain_call(file.unit.nodes[hazard.site])
    require(isinstance(call.func, ir.Attribute) and call.func.attr == method and not call.keywords)
    end = file.outer_span(hazard.operand)[1]
    shape = hazard.value.aval.shape if isinstance(hazard.value, Array) else None

    def fix(
        suffix: str, title: str, level: Applicability = Applicability.UNSAFE, changes: str = NO_PYTHON_VALUE
    ) -> Fix:
        return Fix(title, (Edit(end, file.span(hazard.site)[1], suffix),), level, changes=changes)

    if method in _CONVERSIONS and not call.args:
        suffix = f".astype({_CONVERSIONS[method]})"
        return fix(suffix, f"Convert with `{suffix}`", changes=ARRAY_OF_32_BITS)
    if method == "tolist" and not call.args:
        level = Applicability.UNSAFE if _is_iterated(call, file) else Applicability.DISPLAY
        return fix("", "Use the array itself", level)
    require(method == "item")
    if call.args:
        index = ", ".join(file.code(arg.site) for arg in call.args)
        suffix = f"[{index}]" if len(call.args) > 1 or (shape is not None and len(shape) == 1) else f".ravel()[{index}]"
        return fix(suffix, f"Index with `{suffix}`")
    if shape and all(size == 1 for size in shape):
        return fix(".reshape(())", "Make a 0-d array with `.reshape(())`")
    return fix("", "Use the array itself")


def _is_iterated(call: ir.Call, file: File) -> bool:
    """Whether all that is done with the result of ``call`` is to iterate over it."""
    node, above = call, file.unit.parent(call.site)
    if isinstance(above, ir.Call) and isinstance(above.func, ir.Name) and above.func.id in _ITERATING:
        node, above = above, file.unit.parent(above.site)
    return isinstance(above, (ir.For, ir.Clause)) and above.iterable is node
