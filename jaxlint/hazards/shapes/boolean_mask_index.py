"""Boolean indexing with a traced mask.

## What it does
Reports `x[mask]`, and `x.at[mask].get()`, where `mask` is a traced boolean array, or one traced truth value.

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
Where the selection goes into `sum`, `mean`, `prod`, `min`, `max`, `any` or `all`, the unsafe fix puts the identity of that
reduction in place of the elements that are left out; `std` and `var`, and reductions of what is computed from the selection,
get `where=`; not so where the mask is one truth value. Where the selection has a name, all that is done with it must be such
a reduction; what is reduced along its first axis is taken for a table with a mask of rows. Asking for the length becomes a
count. A mask that is known to have fewer dimensions than the array is widened; of others `jnp.where` compares the last
dimensions, a selection the first. Where no element is selected `min` and `max` give the identity instead of raising, and
`min` and `max` of an array that is not known to hold integers give a float. For another selection that is returned or named,
`jnp.where` with 0 is shown: the result has another shape.

## References
- JAX documentation, "Errors": `NonConcreteBooleanIndexError` (https://docs.jax.dev/en/latest/errors.html)
- JAX documentation, "JAX - The Sharp Bits": dynamic shapes (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import BooleanMaskIndex
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.arrays.masks import Selection, masked_reduction, named_reduction, selected
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX203",
    category=Category.FAILS,
    hazards=(BooleanMaskIndex,),
    error="NonConcreteBooleanIndexError",
    fixable="unsafe",
)


def check(hazard: BooleanMaskIndex, file: File) -> Iterator[Finding]:
    mask = file.code(hazard.operand, 40)
    yield Finding(
        hazard.site,
        f"Boolean indexing with traced mask `{mask}` gives a data-dependent shape",
        help=f"Keep the shape and put a neutral value where `{mask}` is false, with `jnp.where({mask}, …, 0)`."
        " Or select outside the traced function.",
        fix=_fix(hazard, file),
    )


@or_none
def _fix(hazard: BooleanMaskIndex, file: File) -> Fix:
    chosen, mask, draft = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand], Draft(file)
    if isinstance(chosen, ir.Call) and isinstance(chosen.func, ir.Attribute):
        chosen = chosen.func.value  # `x.at[mask].get()`
    selection = selected(file, chosen, mask)
    code = file.code(mask.site, 40)
    # One truth value selects all of the array or nothing, which is no count of elements.
    if not masks.scalar(file, mask.site):
        neutral = masked_reduction(draft, selection)
        if neutral is not None:
            put = f"Put `{neutral}`" if neutral != "nothing" else "Leave out"
            array = file.code(chosen.value.site, 40) if isinstance(chosen, ir.Subscript) else "the array"
            changes = f"right {masks.said_of_dtype(neutral)}where the mask is shaped like `{array}`"
            return draft.fix(f"{put} where `{code}` is false", changes)
        if selection is not None:
            other = _median(file, selection, mask) or named_reduction(file, chosen, mask)
            if other is not None:
                return other
    kept, draft = known(selection), Draft(file)
    require(_is_kept(file, kept.node))
    text = draft.call("jax.numpy.where", kept.mask, kept.array, "0")
    draft.replace_whole(kept.node.site, text)
    return draft.fix(f"Keep the shape, with 0 where `{code}` is false", level=Applicability.DISPLAY)


@or_none
def _median(file: File, selection: Selection, mask: ir.Node) -> Fix:
    """`jnp.nanmedian(jnp.where(mask, x, jnp.nan))` for `jnp.median(x[mask])`."""
    call, draft = expect(ir.Call, file.unit.parent(selection.node.site)), Draft(file)
    require(call.args == (selection.node,) and not call.keywords)
    require({getattr(value, "name", "") for value in file.values(call.func.site)} == {"jax.numpy.median"})
    masked = draft.call("jax.numpy.where", selection.mask, selection.array, draft.api("jax.numpy.nan"))
    draft.replace(call.site, draft.call("jax.numpy.nanmedian", masked))
    title = f"Put NaN where `{file.code(mask.site, 40)}` is false"
    return draft.fix(title, "right for floats, where the mask is shaped like the array")


def _is_kept(file: File, node: ir.Node) -> bool:
    """Whether the selection is returned or named as it is."""
    above = file.unit.parent(node.site)
    while isinstance(above, ir.Sequence):
        above = file.unit.parent(above.site)
    return isinstance(above, (ir.Return, ir.Assign))
