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
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX320",
    name="readonly-host-view",
    summary="In-place write to a read-only NumPy view of a JAX array.",
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


def _fix(hazard: ReadonlyHostView, file: File) -> Fix | None:
    made = hazard.view
    if made not in file.unit:
        return None
    call = file.unit.nodes[made]
    if not isinstance(call, ir.Call) or call.keywords or len(call.args) != 1:
        return None
    array, imports = file.api("numpy.array")
    name = file.code(call.func.site)
    if name.endswith("device_get"):
        if not all(isinstance(value, Array) for value in file.values(call.args[0].site)):
            mapped, more = file.api("jax.tree.map")
            edit = file.replace(made, f"{mapped}({array}, {file.code(made)})")
            title, changes = f"Copy the arrays of the tree with `{array}`", "leaves that are no arrays become arrays"
            return Fix(title, (edit,), imports=imports | more, changes=changes)
        edit = file.replace(made, f"{array}({file.code(made)})")
    elif name.endswith(("asarray", "asanyarray")):
        edit = file.replace(call.func.site, array)
    else:
        return None
    return Fix(f"Copy the array with `{array}`", (edit,), Applicability.SAFE, imports)
