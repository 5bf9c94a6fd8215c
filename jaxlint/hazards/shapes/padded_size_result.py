"""Padding indices from `size=` used as if they were found.

## What it does
Reports `jnp.nonzero`, `flatnonzero`, `argwhere` and one-argument `where` with `size=` as large as the array and
no `fill_value=`, where what is read at these indices is summed or averaged in the same function, or where they
are written to with `.at[…]`.

## Why is this bad
The indices are padded up to `size`, with 0 unless `fill_value=` says otherwise, and 0 is an index: the first
element is counted, or written to, once for each place that was not found.

## Example
```python
@jax.jit
def positive_sum(x):
    found = jnp.nonzero(x > 0, size=x.size)[0]
    return x[found].sum()
```

## Use instead
```python
@jax.jit
def positive_sum(x):
    return jnp.where(x > 0, x, 0).sum()
```

## When to ignore
Where every element is found, or the first one is known to be 0.

## Fix safety
For writes, `fill_value=` with the number of elements is shown: what is beyond the array is dropped. For reads
the fix is unsafe: it reduces the whole array by the condition that was searched, and the result changes, which
is the point.

## References
- JAX documentation, `jax.numpy.nonzero`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html
- JAX documentation, `jax.numpy.ndarray.at`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.arrays.padding import PaddedSizeResult
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope, parameter_of, resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.arrays.masks import Selection, masked_reduction
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import is_repeatable
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import taken_out
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX210",
    category=Category.WRONG,
    hazards=(PaddedSizeResult,),
    fixable="unsafe",
    on="preview",
)


def check(hazard: PaddedSizeResult, file: File) -> Iterator[Finding]:
    search = file.code(hazard.search, 40)
    size = file.code(hazard.size, 30) if hazard.size is not None else "…"
    fix: Fix | None = None
    if hazard.use == "written":
        message = f"Padding indices of `{search}` write element 0"
        advice = f"Pass `fill_value={size}`, so that padding indices are out of bounds and dropped."
        if hazard.size is not None:
            end = file.span(hazard.search)[1] - 1
            edit = file.insert(end, f", fill_value={file.code(hazard.size)}")
            fix = Fix(f"Pad with `{size}`", (edit,), Applicability.DISPLAY)
    else:
        message = f"Padding indices of `{search}` read element 0"
        advice = "Reduce with the condition: `jnp.where(condition, x, 0)`, or `where=`."
        fix = _by_condition(hazard, file)
    also = (("padded here", hazard.search),) if hazard.search != hazard.site else ()
    yield Finding(hazard.site, message, advice, fix, also)


@or_none
def _by_condition(hazard: PaddedSizeResult, file: File) -> Fix:
    """The reduction of what was found, as one of the whole array by the condition that was searched."""
    call, search = (expect(ir.Call, file.unit.nodes[site]) for site in (hazard.site, hazard.search))
    reduced = call.args[0] if call.args else expect(ir.Attribute, call.func).value
    require(search.args)
    condition, draft = search.args[0], Draft(file)
    require(is_repeatable(condition) and _is_lasting(file, condition))
    chosen = expect(ir.Subscript, resolved(file.unit, reduced))
    require(_leads_to(file, chosen.index, search))
    # Else it is one of several indices.
    require(masks.rank(file, condition.site) in (None, 1) or not isinstance(chosen.index, ir.Name))
    array, mask = operands.argument(file, chosen.value.site), operands.argument(file, condition.site)
    known(masked_reduction(draft, Selection(reduced, array, mask, tuple(file.values(chosen.value.site)))))
    # What nothing else uses goes.
    names = [each for each in (reduced, chosen.index) if isinstance(each, ir.Name)]
    for name in names:
        statement = _only_for(file, name)
        gone = taken_out(file, statement) if statement is not None else None
        draft.edits += [gone] if gone is not None else []
    title = f"Reduce by `{file.code(condition.site, 40)}` itself"
    return draft.fix(title, "element 0 is not counted where nothing is found")


def _leads_to(file: File, node: ir.Node, search: ir.Node) -> bool:
    """Whether an index is what the search found, taken out of its tuple or its column."""
    for _ in range(6):
        if node is search:
            return True
        bound = resolved(file.unit, node)
        if bound is not node:
            node = bound
        elif isinstance(node, ir.Subscript):
            node = node.value
    return False


def _is_lasting(file: File, condition: ir.Node) -> bool:
    """Whether all names in it have one value throughout the function."""
    scope = file.unit.scope(condition.site)
    names = {node.id for node in ir.walk([condition], into_scopes=False) if isinstance(node, ir.Name)}
    return all(len(bindings(scope, name)) + (parameter_of(scope, name) is not None) <= 1 for name in names)


def _only_for(file: File, name: ir.Name) -> ir.Statement | None:
    """The assignment of a name that is read here alone."""
    scope = file.unit.scope(name.site)
    found = bindings(scope, name.id)
    uses = [
        each
        for each in file.unit.own
        if isinstance(each, ir.Name) and each.id == name.id and defining_scope(file.unit, each.site, name.id) is scope
    ]
    return found[0] if len(found) == 1 and len(uses) == 2 and isinstance(found[0], ir.Assign) else None
