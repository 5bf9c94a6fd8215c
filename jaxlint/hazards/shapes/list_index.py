"""JAX array indexed by a list.

## What it does
Reports `x[[0, 2]]` and `x.at[[0, 2]]` where `x` is a jax array and the whole index is a list.

## Why is this bad
NumPy makes an array of the list, copies it to memory and selects. JAX refuses what is slow without
being seen: `TypeError: Using a non-tuple sequence for multidimensional indexing is not allowed`.

## Example
```python
x = jnp.arange(4.0)
corners = x[[0, 3]]
```

## Use instead
```python
corners = x[jnp.array([0, 3])]
```

A list among several indices is allowed: `x[:, [0, 3]]`.

## When to ignore
Never: the code cannot run with a jax array.

## Fix safety
Safe where the elements are known to be integers, or booleans, which become a NumPy array: as a jax
array they could not be an index in traced code. Unsafe where elements are not known. A list of slices
becomes a tuple, which is what it was for NumPy before version 1.23, and an empty list an array of
integers; both are unsafe. Rows of integers are shown as an array, which older NumPy took for several indices.

## References
- JAX documentation, "JAX - The Sharp Bits": https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
- jax.numpy.ndarray.at: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import ListIndex
from jaxlint.analysis.domain.values import Array, Const, Host, Ref, Slice, Static, Tuple, Value
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX208",
    category=Category.FAILS,
    hazards=(ListIndex,),
    error="TypeError",
    fixable="safe",
)


def check(hazard: ListIndex, file: File) -> Iterator[Finding]:
    chosen = file.unit.nodes[hazard.site]
    array = file.code(chosen.value.site if isinstance(chosen, ir.Subscript) else hazard.site, 40)
    index = file.code(hazard.operand, 40)
    yield Finding(
        hazard.site,
        f"JAX array `{array}` indexed by list `{index}`",
        help=f"Index with an array: `{file.api('jax.numpy.array')[0]}({index})`.",
        fix=_fix(file, hazard.operand) if isinstance(chosen, ir.Subscript) else None,
    )


_INTEGERS = "right where it holds integers"


@or_none
def _fix(file: File, site: int) -> Fix:
    index, draft = file.code(site), Draft(file)
    elements = displayed(file.unit, file.unit.nodes[site])
    kinds = {_kind(file.values(element.site)) for element in elements or ()}
    title, changes, level = "Index with `{}`", "", Applicability.UNSAFE
    if elements == []:
        text, changes = draft.call("jax.numpy.array", index, "dtype=int"), _INTEGERS
    elif kinds == {"int"} or kinds == {"bool"}:
        # A mask must have its values while tracing, which a jax array has not.
        text = draft.call("jax.numpy.array" if kinds == {"int"} else "numpy.array", index)
        title, level = "Index with the array `{}`", Applicability.SAFE
    elif "slice" in kinds:
        text, changes = f"tuple({index})", "each is the index of one dimension"
    elif "other" in kinds:
        require(elements and all(_is_row(file, each, elements[0]) for each in elements))
        text = draft.call("jax.numpy.array", index)
        title, level = "Index with `{}`, as NumPy does since version 1.23", Applicability.DISPLAY
    else:
        text, changes = draft.call("jax.numpy.array", index), _INTEGERS
    draft.replace(site, text)
    return draft.fix(title.format(text), changes, level)


def _is_row(file: File, node: ir.Node, first: ir.Node) -> bool:
    """Whether this is a list of integers, as long as the first one."""
    if (
        not isinstance(node, ir.Sequence)
        or not isinstance(first, ir.Sequence)
        or len(node.elements) != len(first.elements)
    ):
        return False
    return bool(node.elements) and all(_kind(file.values(each.site)) == "int" for each in node.elements)


def _kind(values: list[Value]) -> str | None:
    """What an element is: "int", "bool", "slice", "other"; None where that is not known."""
    kinds = {_kind_of(value) for value in values}
    return kinds.pop() if len(kinds) == 1 else None


def _kind_of(value: Value) -> str | None:
    if isinstance(value, Const):
        name = type(value.value).__name__
        return name if name in ("int", "bool") else "slice" if value.value in (None, ...) else "other"
    if isinstance(value, Static):
        return value.type if value.type in ("int", "bool") else None
    if isinstance(value, (Array, Host)):
        integer = value.aval.dtype is not None and "int" in value.aval.dtype
        return "int" if integer and value.aval.shape == () else None
    return "slice" if isinstance(value, Slice) else "other" if isinstance(value, (Ref, Tuple)) else None
