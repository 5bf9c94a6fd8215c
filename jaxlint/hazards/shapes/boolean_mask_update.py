"""Update of an array through a traced boolean mask.

## What it does
Reports `x.at[mask].set(v)`, `.add(v)` and their like where `mask` is a traced boolean array.

## Why is this bad
A boolean mask is turned into the indices of its true elements, and how many there are is not known
while JAX traces. The call raises `NonConcreteBooleanIndexError`, even where `v` is one number.

## Example
```python
@jax.jit
def relu(x):
    return x.at[x < 0].set(0)
```

## Use instead
```python
@jax.jit
def relu(x):
    return jnp.where(x < 0, 0, x).astype(x.dtype)
```

## When to ignore
Never: the code cannot run as long as the mask is traced.

## Fix safety
The fix writes `jnp.where`, and casts to the dtype of the array as an update does. It is safe where the
value is certainly a real number or an array without dimensions, and the mask is made of the array itself
and of numbers (`x < 0`, `jnp.isnan(x)`). It is unsafe otherwise: an array of values is meant to have one element for each *true*
element of the mask, and a mask of fewer dimensions selects rows, while `jnp.where` broadcasts both.
A value `v[mask]` with the same mask becomes `v`. It is unsafe for `divide` and `power`, whose results are cast in another way.
A mask that is known to be one of rows is widened for a value that is a number. Where the array is the result
of a call, which is not repeated, a number that leaves its dtype as it is can be set.

## References
- JAX documentation, "Errors": `NonConcreteBooleanIndexError` (https://docs.jax.dev/en/latest/errors.html)
- JAX documentation, `jax.numpy.ndarray.at`
  (https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import BooleanMaskUpdate
from jaxlint.analysis.domain.values import Array, Const, Host, Static, Value
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, known, only, or_none, require, sole
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX204",
    category=Category.FAILS,
    hazards=(BooleanMaskUpdate,),
    error="NonConcreteBooleanIndexError",
    fixable="safe",
)

_OPERATORS = {"add": "+", "subtract": "-", "multiply": "*", "mul": "*", "divide": "/", "power": "**"}
_FUNCTIONS = {"min": "jax.numpy.minimum", "max": "jax.numpy.maximum"}
# Say how indices out of range and repeated ones are treated, of which a mask has none.
_OPTIONS = frozenset({"mode", "indices_are_sorted", "unique_indices"})
_CAST_OTHERWISE = ("divide", "power")


def check(hazard: BooleanMaskUpdate, file: File) -> Iterator[Finding]:
    mask = file.code(hazard.operand, 40)
    yield Finding(
        hazard.site,
        f"`.at[…].{hazard.api}` with traced boolean mask `{mask}`",
        help=f"Compute the new value everywhere, and choose with `jnp.where({mask}, …)`.",
        fix=_fix(hazard, file),
    )


@or_none
def _fix(hazard: BooleanMaskUpdate, file: File) -> Fix:
    call, draft, api = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file), hazard.api or ""
    array, index, value = _parts(call)
    require(masks.is_mask(file, index.site))
    mask = operands.argument(file, index.site)
    taken = known(_same_elements(file, index, value))
    chosen, value = taken is not value, taken
    one_value = masks.scalar(file, index.site)
    if not one_value and masks.misfits(file, index.site, array.site):
        mask = _of_rows(file, index, array)
        require(chosen or masks.scalar(file, value.site))
    if not operands.is_path(array):
        return _of_result(hazard, draft, call, array, mask, value)
    name = file.code(array.site)
    if api == "set":
        new = operands.argument(file, value.site)
    elif api in _OPERATORS:
        new = f"{name} {_OPERATORS[api]} {operands.beside(file, value.site)}"
    else:
        new = draft.call(known(_FUNCTIONS.get(api)), name, operands.argument(file, value.site))
    draft.replace(call.site, f"{draft.call('jax.numpy.where', mask, new, name)}.astype({name}.dtype)")
    safe = (
        api not in _CAST_OTHERWISE
        and (one_value or masks.covers(file, index.site, array.site))
        and masks.scalar(file, value.site)
        and all(_is_exact(api, each) for each in file.values(value.site))
    )
    shaped = "" if one_value else f"`{file.code(index.site, 40)}` is shaped like `{name}`, and "
    return draft.fix(
        f"Choose with `{draft.api('jax.numpy.where')}`",
        f"right where {shaped}`{file.code(value.site, 40)}` broadcasts to {f'`{name}`' if one_value else 'it'}",
        Applicability.SAFE if safe else Applicability.UNSAFE,
    )


def _same_elements(file: File, mask: ir.Node, value: ir.Node) -> ir.Node | None:
    """`e` for a value `e[mask]`, of which `where` takes the same elements; None where a mask selects deeper in the value."""
    code = file.code(mask.site)
    selections = [
        each for each in ir.walk([value]) if isinstance(each, ir.Subscript) and file.code(each.index.site) == code
    ]
    if not selections:
        return value
    whole = selections[0]
    return whole.value if whole is value and operands.is_path(whole.value) else None


def _of_rows(file: File, mask: ir.Node, array: ir.Node) -> str:
    """A mask of rows with the axes it lacks."""
    rank, of_mask = known(masks.rank(file, array.site)), masks.rank(file, mask.site)
    require(of_mask and of_mask <= rank)
    axes = ", ".join([":" if of_mask == 1 else "...", *["None"] * (rank - known(of_mask))])
    return f"{operands.operand(file, mask.site)}[{axes}]"


def _of_result(
    hazard: BooleanMaskUpdate, draft: Draft, call: ir.Node, array: ir.Node, mask: str, value: ir.Node
) -> Fix:
    """An update of what a call gives, which is not repeated: a number must leave its dtype as it is."""
    file = draft.file
    dtype = sole({each.aval.dtype if type(each) is Array else None for each in file.values(array.site)}) or ""
    kinds = {type(each.value) if type(each) is Const else None for each in file.values(value.site)}
    require(hazard.api == "set" and dtype != "bool" and kinds <= ({int, float} if "float" in dtype else {int}))
    given = [operands.argument(file, each.site) for each in (value, array)]
    draft.replace(call.site, draft.call("jax.numpy.where", mask, *given))
    changes = f"right where the mask is shaped like `{file.code(array.site, 40)}`"
    return draft.fix(f"Choose with `{draft.api('jax.numpy.where')}`", changes)


def _parts(call: ir.Call) -> tuple[ir.Node, ir.Node, ir.Node]:
    """``x``, the mask and ``v`` of a call that is written ``x.at[mask].set(v)``."""
    require(all(each.name in _OPTIONS for each in call.keywords) and is_plain(call.args))
    chosen = expect(ir.Subscript, expect(ir.Attribute, call.func).value)
    at = expect(ir.Attribute, chosen.value)
    require(at.attr == "at")
    return at.value, chosen.index, only(call.args)


def _is_exact(method: str, value: Value) -> bool:
    """Whether the cast of a `where` gives the same bits as that of the update, also for an array of bools."""
    if type(value) is Const:
        return not isinstance(value.value, complex)
    if type(value) is Static:
        dtype: str | None = value.type
    else:
        dtype = value.aval.dtype if type(value) in (Array, Host) else None  # type: ignore[attr-defined]
    # `False * nan` is true in one order of casting and false in the other.
    return dtype is not None and "complex" not in dtype and (method not in ("multiply", "mul") or "float" not in dtype)
