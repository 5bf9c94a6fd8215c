"""A selection by a boolean mask that is traced: `x[mask]`.

## What it does
Reports `x[mask]`, and `x.at[mask].get()`, where `mask` is a traced boolean array.

## Why is this bad
The result has as many elements as the mask has true ones, and JAX needs every shape while it traces.
The selection raises `NonConcreteBooleanIndexError`.

## Example
```python
@jax.jit
def total(x):
    return x[x > 0].sum()
```

## Use instead
```python
@jax.jit
def total(x):
    return jnp.where(x > 0, x, 0).sum()
```

## When to ignore
Never: the code cannot run as long as the mask is traced.

## Fix safety
Where the selection goes straight into `sum`, `mean`, `prod`, `min`, `max`, `any` or `all`, the unsafe fix
puts the identity of that reduction in place of the elements that are left out. A mask of fewer
dimensions than the array needs a hand: `jnp.where` compares the last dimensions, a selection the
first. Where no element is selected `min` and `max` give the identity instead of raising, and `min` and
`max` of an array that is not known to hold integers give a float. Everything else that can be done with
a selection has no fix.

## References
- JAX documentation, "Common errors": NonConcreteBooleanIndexError (`errors.html`)
- JAX documentation, "JAX - The Sharp Bits": dynamic shapes (`notebooks/Common_Gotchas_in_JAX.html`)
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import rewrite, syntax as ir
from jaxlint.diagnostic import Category, Fix, ImportRequest
from jaxlint.rule import File, Finding, Rule
from jaxlint.rules.shapes import masks
from jaxlint.semantics.model import Demand, Kind
from jaxlint.semantics.values import Api, Array

RULE = Rule(
    code="JAX203",
    name="boolean-mask-index",
    summary="A selection by a boolean mask that is traced.",
    category=Category.FAILS,
    kinds=(Kind.MASK_INDEX,),
    error="NonConcreteBooleanIndexError",
    fixable="unsafe",
)

_IDENTITY = {"sum": "0", "mean": "0", "prod": "1", "any": "False", "all": "True"}
_EXTREMES = {"min": "max", "amin": "max", "max": "min", "amax": "min"}  # reduction -> limit of the dtype


def check(demand: Demand, file: File) -> Iterator[Finding]:
    mask = file.code(demand.operand, 40)
    yield Finding(
        demand.site,
        f"`{file.code(demand.site, 40)}` keeps as many elements as the traced mask `{mask}` has true ones,"
        " and a shape cannot be traced",
        help=f"Keep the shape: `jnp.where({mask}, …, 0)` puts a neutral value where `{mask}` is false;"
        " or select outside the traced function.",
        fix=_fix(demand, file),
    )


def _fix(demand: Demand, file: File) -> Optional[Fix]:
    chosen = file.unit.nodes[demand.site]
    if not isinstance(chosen, ir.Subscript) or demand.operand != chosen.index.site:
        return None
    values = file.values(chosen.index.site)
    if not values or any(type(value) is not Array for value in values):
        return None
    call, reduction = _reduction(file, chosen)
    if call is None or masks.misfits(file, chosen.index.site, chosen.value.site):
        return None
    neutral, imports = _neutral(file, chosen, reduction)
    if neutral is None:
        return None
    where, more = file.api("jax.numpy.where")
    mask = rewrite.argument(file, chosen.index.site)
    whole = f"{where}({mask}, {rewrite.argument(file, chosen.value.site)}, {neutral})"
    edit = file.replace(chosen.site, whole)
    if reduction == "mean":
        if not _is_repeatable(file.unit.nodes[chosen.index.site]):
            return None
        quotient = f"{whole}.sum() / {rewrite.operand(file, chosen.index.site)}.sum()"
        alone = isinstance(file.unit.parent(call.site), (ir.Statement, ir.Call, ir.Keyword, ir.Sequence))
        edit = file.replace(call.site, quotient if alone else f"({quotient})")
    return Fix(
        f"put `{neutral}` where `{file.code(chosen.index.site, 40)}` is false"
        f" (right where the mask has the shape of `{file.code(chosen.value.site, 40)}`)",
        (edit,),
        imports=imports | more,
    )


def _reduction(file: File, chosen: ir.Node) -> tuple[Optional[ir.Node], str]:
    """The reduction of the selection to one number, as a call and the name of the function."""
    above = file.unit.parent(chosen.site)
    if isinstance(above, ir.Attribute):
        call = file.unit.parent(above.site)
        if isinstance(call, ir.Call) and call.func is above and not call.args and not call.keywords:
            return call, above.attr
    elif isinstance(above, ir.Call) and len(above.args) == 1 and above.args[0] is chosen and not above.keywords:
        called = file.values(above.func.site)
        if called and all(type(each) is Api and each.name.startswith("jax.numpy.") for each in called):
            return above, called[0].name[len("jax.numpy.") :]  # type: ignore[attr-defined]
    return None, ""


def _neutral(file: File, chosen: ir.Node, reduction: str) -> tuple[Optional[str], frozenset[ImportRequest]]:
    """What leaves the reduction as it is, written in the file's own style."""
    if reduction in _IDENTITY:
        return _IDENTITY[reduction], frozenset()
    limit = _EXTREMES.get(reduction)
    dtypes = {value.aval.dtype if type(value) is Array else None for value in file.values(chosen.value.site)}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if limit is None or dtype in ("bool", "key"):
        return None, frozenset()
    if dtype is not None and "int" in dtype:
        iinfo, imports = file.api("jax.numpy.iinfo")
        name, more = file.api(f"jax.numpy.{dtype}")
        return f"{iinfo}({name}).{limit}", imports | more
    infinity, imports = file.api("jax.numpy.inf")
    return infinity if limit == "max" else f"-{infinity}", imports


def _is_repeatable(node: ir.Node) -> bool:
    """Whether evaluating the expression twice costs nothing and does nothing."""
    if isinstance(node, (ir.Constant, ir.Name)):
        return True
    return isinstance(node, (ir.Attribute, ir.Unary, ir.Binary, ir.Compare)) and all(map(_is_repeatable, node.children()))
