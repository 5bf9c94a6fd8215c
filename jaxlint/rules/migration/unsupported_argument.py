"""An argument of NumPy's that JAX does not support: `out=`, `where=` of a ufunc, `kind=`, `order=`.

## What it does
Reports `out=` of any function of `jax.numpy` that has the parameter, `where=` of ufuncs such as `jnp.add`,
`kind=` and `order=` of `sort` and `argsort`, `order=` of `array`, `asarray` and `copy`, orders other than
`"C"` and `"F"` of `reshape`, `ravel` and `flatten`, `mode="raise"` of `take`, `overwrite_input=True`, and
`copy=False` of `meshgrid`. Keywords of NumPy's that JAX's function does not have at all, such as `out=` of
`jnp.sqrt`, are reported here too.

## Why is this bad
The call raises `NotImplementedError`, `TypeError` or `ValueError`. Arrays of JAX cannot be written to, have no
memory layout, and are sorted stably.

## Example
```python
jnp.add(x, y, out=x)
```

## Use instead
```python
x = jnp.add(x, y)
```

## When to ignore
Never: the call fails.

## Fix safety
There is no fix: what the argument was to do is written otherwise.

## References
- JAX documentation, `jax.numpy`: https://docs.jax.dev/en/latest/jax.numpy.html
- JAX documentation, `jax.numpy.sort`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.sort.html
- JAX documentation, "Sharp bits", in-place updates: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Category
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.migration.words import shown
from jaxlint.semantics.model import Demand, Kind, ParameterUse

RULE = Rule(
    code="JAX807",
    name="unsupported-argument",
    summary="An argument of NumPy's that the function of `jax.numpy` does not support.",
    category=Category.FAILS,
    kinds=(Kind.UNSUPPORTED_ARGUMENT, Kind.PARAMETER),
    error="NotImplementedError",
    beats=("JAX805",),
)
# Parameters of NumPy's functions of which JAX's have no trace.
_OF_NUMPY = frozenset({"out", "where", "dtype", "casting", "order", "subok", "kind", "like"})


def check(demand: Demand, file: File) -> Iterator[Finding]:
    parameter, api = demand.parameter or "", demand.api or ""
    if demand.kind == Kind.PARAMETER:
        unknown = isinstance(demand.detail, ParameterUse) and demand.detail.how == "unknown"
        if not unknown or parameter not in _OF_NUMPY or not api.startswith(("jax.numpy.", "Array.")):
            return
        if api.count(".") > (2 if api.startswith("jax.") else 1):
            return  # of `jax.numpy.linalg`, `.at[]`
        value = file.unit.nodes[demand.site]
        written = file.code(value.value.site, 30) if isinstance(value, ir.Keyword) else ""
    else:
        written = file.code(demand.operand, 30)
    name = f"`{shown(api)}`" if not api.startswith(("Array.", ".")) else f"`.{api.rpartition('.')[2]}`"
    yield Finding(demand.site, f"{name} does not support `{parameter}={written}`", _advice(parameter, api, written))


def _advice(parameter: str, api: str, written: str) -> Optional[str]:
    last = api.rpartition(".")[2]
    if parameter == "out":
        return f"Arrays are not written to: assign the result, `{written} = …`."
    if parameter == "where":
        return f"Choose afterwards: `jnp.where({written}, …, …)`."
    if parameter == "kind":
        return "Leave it out: sorting is stable." if "sort" in last else "Leave it out."
    if parameter == "order" and last in ("sort", "argsort"):
        return "Arrays have no fields: use `jnp.lexsort` for several keys."
    if parameter == "order" and last in ("reshape", "ravel", "flatten"):
        return 'Arrays are read in the order `"C"`, or `"F"`.'
    if parameter in ("order", "subok", "casting", "like", "overwrite_input"):
        return "Leave it out: arrays have no memory layout, no subclasses, and are never overwritten."
    if parameter == "mode":
        return 'Compiled code raises no `IndexError`: use "fill", "clip" or "wrap".'
    if parameter == "dtype":
        return f"Cast the result: `.astype({written})`."
    return "Leave it out."
