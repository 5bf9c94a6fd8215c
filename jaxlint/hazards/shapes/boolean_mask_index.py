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
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX203",
    name="boolean-mask-index",
    summary="Boolean indexing with a traced mask.",
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


def _fix(hazard: BooleanMaskIndex, file: File) -> Fix | None:
    chosen, mask = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand]
    if isinstance(chosen, ir.Call) and isinstance(chosen.func, ir.Attribute):
        chosen = chosen.func.value  # `x.at[mask].get()`
    selection = selected(file, chosen, mask)
    # One truth value selects all of the array or nothing, which is no count of elements.
    draft = Draft(file)
    neutral = None if masks.scalar(file, mask.site) else masked_reduction(draft, selection)
    code = file.code(mask.site, 40)
    if neutral is None and selection is not None and not masks.scalar(file, mask.site):
        other = _median(file, selection, mask) or named_reduction(file, chosen, mask)
        if other is not None:
            return other
    if neutral is not None:
        put = f"Put `{neutral}`" if neutral != "nothing" else "Leave out"
        array = file.code(chosen.value.site, 40) if isinstance(chosen, ir.Subscript) else "the array"
        changes = f"right {masks.said_of_dtype(neutral)}where the mask is shaped like `{array}`"
        return draft.fix(f"{put} where `{code}` is false", changes)
    if selection is None or not _is_kept(file, selection.node):
        return None
    where, imports = file.api("jax.numpy.where")
    text = f"{where}({selection.mask}, {selection.array}, 0)"
    title = f"Keep the shape, with 0 where `{code}` is false"
    return Fix(title, (Edit(*file.outer_span(selection.node.site), text),), Applicability.DISPLAY, imports)


def _median(file: File, selection: Selection, mask: ir.Node) -> Fix | None:
    """`jnp.nanmedian(jnp.where(mask, x, jnp.nan))` for `jnp.median(x[mask])`."""
    call = file.unit.parent(selection.node.site)
    if not isinstance(call, ir.Call) or len(call.args) != 1 or call.keywords or call.args[0] is not selection.node:
        return None
    if {getattr(value, "name", "") for value in file.values(call.func.site)} != {"jax.numpy.median"}:
        return None
    (median, imports), (where, more), (nan, last) = (
        file.api(f"jax.numpy.{each}") for each in ("nanmedian", "where", "nan")
    )
    edit = file.replace(call.site, f"{median}({where}({selection.mask}, {selection.array}, {nan}))")
    changes = "right for floats, where the mask is shaped like the array"
    return Fix(
        f"Put NaN where `{file.code(mask.site, 40)}` is false", (edit,), imports=imports | more | last, changes=changes
    )


def _is_kept(file: File, node: ir.Node) -> bool:
    """Whether the selection is returned or named as it is."""
    above = file.unit.parent(node.site)
    while isinstance(above, ir.Sequence):
        above = file.unit.parent(above.site)
    return isinstance(above, (ir.Return, ir.Assign))
