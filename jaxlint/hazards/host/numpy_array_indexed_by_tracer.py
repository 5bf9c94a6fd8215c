"""NumPy array indexed by a traced value.

## What it does
Reports `array[i]` and `array[i] = v` where `array` is a NumPy array and `i` is traced.

## Why is this bad
NumPy needs an index with a value. The subscript raises `TracerArrayConversionError`, or
`TracerIntegerConversionError` with older NumPy. A jax array can be indexed by a tracer.

## Example
```python
TABLE = np.arange(10.0)

@jax.jit
def lookup(i):
    return TABLE[i]
```

## Use instead
```python
@jax.jit
def lookup(i):
    return jnp.asarray(TABLE)[i]
```

## When to ignore
Never: the code cannot run as long as the index is traced.

## Fix safety
Unsafe: the result is a jax array, of 32 bits where the table has 64, an index beyond the end gives the last
element instead of raising `IndexError`, and a slice is no view of the table any more. An array that
the function makes itself and stores into is made by `jnp`, and updated with `.at[…]`. There is no fix for a boolean
index, which a jax array does not take either.

## References
- JAX documentation, "Errors": `TracerIntegerConversionError`, TracerArrayConversionError
  (https://docs.jax.dev/en/latest/errors.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import NumpyArrayIndexedByTracer
from jaxlint.analysis.domain.values import Array
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import is_target
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays.item_updates import made_by_jax
from jaxlint.rewrite.changes import CLAMPED_OF_32_BITS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX302",
    category=Category.FAILS,
    hazards=(NumpyArrayIndexedByTracer,),
    error="TracerArrayConversionError",
    fixable="unsafe",
)


def check(hazard: NumpyArrayIndexedByTracer, file: File) -> Iterator[Finding]:
    chosen = file.unit.nodes[hazard.site]
    base = file.code(chosen.value.site, 40) if isinstance(chosen, ir.Subscript) else file.code(hazard.site, 40)
    fix = _fix(hazard, file)
    yield Finding(
        hazard.site,
        f"NumPy array `{base}` indexed by traced value `{file.code(hazard.operand, 40)}`",
        help=f"Index a JAX array, `{file.api('jax.numpy.asarray')[0]}({base})[…]`, or make the index static."
        if fix is not None
        else f"Make `{base}` a JAX array, and select or update its elements with JAX.",
        fix=fix,
    )


@or_none
def _fix(hazard: NumpyArrayIndexedByTracer, file: File) -> Fix | None:
    chosen, draft = expect(ir.Subscript, file.unit.nodes[hazard.site]), Draft(file)
    if _is_stored_to(file, chosen):
        return made_by_jax(file, chosen)
    require(not (type(hazard.value) is Array and hazard.value.aval.dtype == "bool"))
    code = draft.call("jax.numpy.asarray", operands.argument(file, chosen.value.site))
    draft.replace_whole(chosen.value.site, code)
    return draft.fix(f"Index `{code}`", CLAMPED_OF_32_BITS)


def _is_stored_to(file: File, chosen: ir.Node) -> bool:
    """Whether the subscript, or an element or attribute of it, is the target of a statement."""
    node, above = chosen, file.unit.parent(chosen.site)
    while isinstance(above, (ir.Subscript, ir.Attribute)) and above.value is node:
        node, above = above, file.unit.parent(above.site)
    return is_target(file.unit, node)
