"""In-place write to a read-only NumPy view of a JAX array.

## What it does
Reports what changes an array in place that `np.asarray` or `jax.device_get` gave of a jax array:
`a[0] = 1`, `a += 1`, `a.sort()`, `np.fill_diagonal(a, 0)`, `np.add(a, 1, out=a)`. Slices, reshapes and
transposes of such an array are followed.

## Why is this bad
Neither of the two copies. What they give shares the memory of the jax array, or is what the array keeps
for the next time, and NumPy marks it read-only: `ValueError: assignment destination is read-only`. Code
that made the array with NumPy before it used JAX ran.

## Example
```python
def clipped(x):
    host = np.asarray(jnp.tanh(x))
    host[host < 0] = 0.0
    return host
```

## Use instead
```python
def clipped(x):
    host = np.array(jnp.tanh(x))
    host[host < 0] = 0.0
    return host
```

## When to ignore
Never: the code cannot run.

## Fix safety
Safe: `np.array` gives the same array in memory of its own, and the original raises. XX

## References
- JAX documentation, `jax.device_get` (https://docs.jax.dev/en/latest/_autosummary/jax.device_get.html)
- NumPy documentation, `numpy.asarray` and `numpy.ndarray.flags`, `WRITEABLE`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Array
from jaxlint.analysis.models.host_views import ReadonlyHostView
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX320",
    category=Category.FAILS,
    hazards=(ReadonlyHostView,),
    error="ValueError",
    fixable="safe",
)


def check(hazard: ReadonlyHostView, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    made = file.code(hazard.view, 60)
    yield Finding(
        hazard.site,
        f"{_what(hazard, file)} read-only view `{operand}` of a JAX array",
        f"Change a copy, `np.array(…)`; `{made}` gives a view.",
        _fix(hazard, file),
        also=(("the view is made here", hazard.view),),
    )


def _what(hazard: ReadonlyHostView, file: File) -> str:
    node = file.unit.nodes[hazard.site]
    if isinstance(node, ir.Call):
        return f"In-place write by `{file.code(node.func.site, 40)}` to"
    return f"In-place `{hazard.api}` on" if hazard.api != "item" else "Item assignment to"


@or_none
def _fix(hazard: ReadonlyHostView, file: File) -> Fix:
    made, draft = hazard.view, Draft(file)
    require(made in file.unit)
    call = expect(ir.Call, file.unit.nodes[made])
    require(len(call.args) == 1 and not call.keywords)
    array, name = draft.api("numpy.array"), file.code(call.func.site)
    if name.endswith(("asarray", "asanyarray")):
        draft.replace(call.func.site, array)
    else:
        require(name.endswith("device_get"))
        if not all(isinstance(value, Array) for value in file.values(call.args[0].site)):
            draft.replace(made, draft.call("jax.tree.map", array, file.code(made)))
            return draft.fix(f"Copy the arrays of the tree with `{array}`", "leaves that are no arrays become arrays")
        draft.replace(made, f"{array}({file.code(made)})")
    return draft.fix(f"Copy the array with `{array}`", level=Applicability.SAFE)
