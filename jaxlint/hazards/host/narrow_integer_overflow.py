"""Integers that wrap around or stop: narrow ones in a clip, a cumulative sum or a count, and products of large ones.

## What it does
Reports products and powers of integers of four bytes whose values are known to exceed them, such as `jnp.arange(50_000) ** 2`.
Reports `jnp.clip`, `jnp.minimum` and `jnp.maximum` of a sum, difference or product of integers of one or two bytes whose
bounds are the range of the dtype, such as 0 and 255 for `uint8`. Also `jnp.cumsum` of `int8` and `uint8` without `dtype=`,
where the axis is not known to be short, and counts that a loop carries in a dtype of one or two bytes, `bfloat16` and `float16`
included, where the loop is known to make more passes than the dtype tells apart.

## Why is this bad
A Python number does not widen an array: 250 + 40 of `uint8` is 34. A clip to the range of the dtype then changes nothing,
which shows that larger numbers were expected. `jnp.cumsum` keeps the dtype, where NumPy counts in wider integers: after 127 ones
of `int8` comes -128. A `bfloat16` has eight bits of precision: 256 + 1 is 256, and the count stops. Integers are `int32` in JAX unless 64 bits are enabled, and a product above 2,147,483,647 becomes another
number without an error.

## Example
```python
brighter = jnp.clip(image + 40, 0, 255)  # of uint8
```

## Use instead
```python
brighter = jnp.clip(image.astype(int) + 40, 0, 255).astype(jnp.uint8)
```

## When to ignore
Where the numbers are known to be small.

## Fix safety
Unsafe: what is clipped is computed in wider integers, and the result made narrow again; a cumulative sum gets `dtype=int`, so
its result has another dtype.

## References
- JAX documentation, "Type promotion semantics" (https://docs.jax.dev/en/latest/type_promotion.html)
- JAX documentation, `jax.numpy.cumsum` (https://docs.jax.dev/en/latest/_autosummary/jax.numpy.cumsum.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.unsigned import NarrowIntegerOverflow, ProductOverflow
from jaxlint.analysis.domain.values import Array
from jaxlint.analysis.transforms.counters import NarrowCount
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import expect, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX324",
    summary="Integers that wrap around or stop: narrow ones in a clip, sum or count, and products of large ones.",
    category=Category.WRONG,
    hazards=(NarrowIntegerOverflow, ProductOverflow, NarrowCount),
    fixable="unsafe",
)


def check(hazard: NarrowIntegerOverflow | ProductOverflow | NarrowCount, file: File) -> Iterator[Finding]:
    if isinstance(hazard, NarrowCount):
        floats = "float" in hazard.dtype
        yield Finding(
            hazard.site,
            f"Count to {hazard.last} in {hazard.dtype}, which {'stops' if floats else 'wraps around'} before",
            f"Start with an integer: `{file.api('jax.numpy.int32')[0]}(0)`.",
        )
        return
    if isinstance(hazard, ProductOverflow):
        yield Finding(
            hazard.site,
            f"`{file.code(hazard.site, 40)}` in int32 wraps around: it reaches {hazard.product}",
            "Convert to floats before the product, with `.astype(float)`.",
        )
        return
    code = file.code(hazard.operand, 40)
    if hazard.how == "cumsum":
        yield Finding(
            hazard.site,
            f"Cumulative sum `{file.code(hazard.site, 40)}` in {hazard.dtype} wraps around",
            "Pass `dtype=int`.",
            _counted(file, hazard.site),
        )
        return
    yield Finding(
        hazard.site,
        f"Clip to the range of {hazard.dtype}, after `{code}` has wrapped around",
        "Convert to a wider dtype first, with `.astype(int)`, and back after the clip.",
        _widened(hazard, file),
    )


@or_none
def _counted(file: File, site: int) -> Fix:
    call = expect(ir.Call, file.unit.nodes[site])
    bare = not call.args and not call.keywords
    edit = file.insert(file.span(site)[1] - 1, "dtype=int" if bare else ", dtype=int")
    return Fix("Count in wider integers", (edit,), changes="the result has another dtype")


@or_none
def _widened(hazard: NarrowIntegerOverflow, file: File) -> Fix:
    """Compute in wider integers, where what is clipped is written in the call."""
    computed, draft = expect(ir.Binary, file.unit.nodes[hazard.operand]), Draft(file)
    arrays = [leaf for leaf in _leaves(computed) if _is_narrow(file, leaf, hazard.dtype)]
    require(arrays)
    for leaf in arrays:
        draft.replace(leaf.site, f"{operand(file, leaf.site)}.astype(int)")
    draft.insert(file.span(hazard.site)[1], f".astype({draft.api(f'jax.numpy.{hazard.dtype}')})")
    return draft.fix("Compute in wider integers", "numbers out of range are clipped")


def _leaves(node: ir.Node) -> Iterator[ir.Node]:
    if isinstance(node, ir.Binary):
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    else:
        yield node


def _is_narrow(file: File, node: ir.Node, dtype: str) -> bool:
    values = file.values(node.site)
    return bool(values) and all(isinstance(each, Array) and each.aval.dtype == dtype for each in values)
