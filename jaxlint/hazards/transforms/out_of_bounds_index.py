"""Out-of-bounds index, silently clamped, dropped or filled by JAX.

## What it does
Reports indices that are known and beyond an axis whose size is known: `x[7]` of four elements, which gives the last
one, as `keys[3]` of three keys does; `x.at[7].set(v)`, which changes nothing; `jnp.take(x, 7)`, which gives NaN; `lax.dynamic_slice` and
`lax.dynamic_update_slice` with a start from which too few elements are left, which start earlier. Of an index that
takes several values the greatest is looked at: of `jnp.arange(n)`, under `vmap` too, of arrays of numbers that are
written out, of `jax.random.randint`, of the index of a `fori_loop`, and of an integer to which a loop adds the same
number in each pass; not where the function compares the index, or chooses by it. Such values are compared with the
number of classes of `jax.nn.one_hot`, of bins and segments, and with that of the logits of
`optax.softmax_cross_entropy_with_integer_labels`, too. Also -1 that `jnp.where` or `jnp.nonzero` gives for none, in
updates with `mode="drop"` and reads with `mode="fill"`: JAX counts it from the end. Also `lax.switch` with the number
of a branch that is not there, which takes the last one.

## Why is this bad
NumPy raises an `IndexError`. Compiled code cannot, so JAX decides: reading clamps the index, writing is
dropped. The program goes on with values that nobody asked for.

## Example
```python
x = jnp.arange(4)
last = x[4]
```

## Use instead
```python
x = jnp.arange(4)
last = x[-1]
```

## When to ignore
Where the clamping is wanted: say so with `x.at[i].get(mode="clip")` or `mode="drop"`, which are silent.

## Fix safety
What is displayed is a guess at what is meant: an index that is one too high where JAX leaves the array as it is or
fills in, the size of an axis used as index of its last element, two indices that fit the other way round. Otherwise
there is no fix: which element is meant is not known.

## References
- JAX documentation, "Sharp bits", out-of-bounds indexing: https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html
- JAX documentation, `jax.numpy.ndarray.at`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html
- JAX documentation, `jax.lax.dynamic_slice`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_slice.html
- JAX documentation, `jax.lax.switch`: https://docs.jax.dev/en/latest/_autosummary/jax.lax.switch.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.bounds import OutOfBoundsIndex, WrappedIndex
from jaxlint.analysis.domain.values import Array
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import or_none, require, sole
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX513",
    category=Category.WRONG,
    hazards=(OutOfBoundsIndex, WrappedIndex),
    fixable="display",
)


_COUNTING = frozenset(
    {"nn.one_hot", "jnp.bincount"} | {f"ops.segment_{each}" for each in ("sum", "max", "min", "prod")}
)


def check(hazard: OutOfBoundsIndex | WrappedIndex, file: File) -> Iterator[Finding]:
    if type(hazard) is WrappedIndex:
        yield Finding(
            hazard.site,
            f'Index -1 in `{file.code(hazard.operand, 30)}` is the last element; `mode="{hazard.mode}"` keeps it',
            "Use the size of the axis in the place of -1; JAX counts negative indices from the end.",
        )
        return
    assert type(hazard) is OutOfBoundsIndex
    short = (hazard.api or "").removeprefix("jax.").replace("numpy.", "jnp.")
    if hazard.effect == "branch":
        taken = "first" if hazard.index < 0 else "last"
        reached = f"`{file.code(hazard.operand, 40)}` up to {hazard.index}" if hazard.reached else str(hazard.index)
        message = (
            f"Branch {reached} out of bounds for `{short}` with {hazard.size} branch{'' if hazard.size == 1 else 'es'}"
        )
        yield Finding(hazard.site, message, f"Count branches from 0; JAX takes the {taken} one.")
        return
    if short in _COUNTING:
        message = f"`{file.code(hazard.operand, 40)}` up to {hazard.index} out of bounds for `{short}` of {hazard.size}"
        advice = "JAX gives a row of zeros." if hazard.effect == "zeros" else "JAX drops the others."
        yield Finding(hazard.site, message, f"Count from 0 to {hazard.size - 1}; {advice}")
        return
    array = _array(file.unit.nodes[hazard.site])
    name = f"`{file.code(array.site, 40)}`" if array is not None else "the array"
    axis = f"axis {hazard.axis} of {name}" if hazard.rank > 1 else name
    if hazard.effect == "shifted":
        to = "up to " if hazard.reached else ""
        message = f"`{short}` of {_count(hazard.taken)} at {to}{hazard.index} out of bounds for {axis} with size {hazard.size}"
        advice = f"Start at {_start(hazard)}, as JAX does, or take fewer elements."
    else:
        index = (
            f"Index `{file.code(hazard.operand, 40)}` up to {hazard.index}"
            if hazard.reached
            else f"Index {hazard.index}"
        )
        message = f"{index} out of bounds for {axis} with size {hazard.size}"
        nearest = 0 if hazard.index < 0 else hazard.size - 1
        valid = f"Index from 0 to {hazard.size - 1}; " if hazard.size else ""
        advice = {
            "clamped": f"{valid}JAX reads element {nearest} instead.",
            "dropped": f"{valid}JAX drops the update.",
            "filled": f"{valid}JAX gives NaN, or the smallest integer.",
        }[hazard.effect]
        if hazard.effect == "clamped" and "update" in short:
            advice = f"{valid}JAX writes to element {nearest} instead."
    yield Finding(hazard.site, message, advice, _inside(hazard, file, array))


def _array(node: ir.Node) -> ir.Node | None:
    """What is indexed: by a subscript, by one of `.at`, or by a function."""
    if isinstance(node, ir.Subscript):
        inner: ir.Expression = node.value
        return inner.value if isinstance(inner, ir.Attribute) and inner.attr == "at" else inner
    if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and isinstance(node.func.value, ir.Subscript):
        return _array(node.func.value)
    return (
        node.args[0] if isinstance(node, ir.Call) and node.args and not isinstance(node.args[0], ir.Starred) else None
    )


@or_none
def _inside(hazard: OutOfBoundsIndex, file: File, array: ir.Node | None) -> Fix:
    """The fix for an index that is one too high, or that is meant for the other axis."""
    require(hazard.site in file.unit and hazard.operand != hazard.site)
    node = file.unit.nodes[hazard.operand]
    whole = file.unit.nodes[hazard.site]
    if hazard.index == hazard.size and isinstance(node, ir.Subscript) and file.code(node.value.site).endswith(".shape"):
        return _shown("Count from 0: the last one is one less", file.insert(file.span(node.site)[1], " - 1"))
    index = whole.index if isinstance(whole, ir.Subscript) else None
    if isinstance(array, ir.Node) and isinstance(index, ir.Sequence) and any(each is node for each in index.elements):
        shape = sole({value.aval.shape for value in file.values(array.site) if isinstance(value, Array)})
        indices = [each.value if isinstance(each, ir.Constant) else None for each in index.elements]
        if shape is not None and len(shape) == len(indices) == 2 and all(map(_fits, indices[::-1], shape)):
            first, second = (file.code(each.site) for each in index.elements)
            edits = (file.replace(index.elements[0].site, second), file.replace(index.elements[1].site, first))
            return _shown("Swap the axes", *edits)
    require(hazard.effect in ("dropped", "filled") and hazard.index == hazard.size)
    require(file.code(node.site) == str(hazard.index))
    last = hazard.index - 1
    return _shown(f"Count from 0: the last one is {last}", file.replace(node.site, str(last)))


def _fits(index: object, size: object) -> bool:
    return type(index) is int and type(size) is int and -size <= index < size


def _shown(message: str, *edits: Edit) -> Fix:
    return Fix(message, edits, Applicability.DISPLAY)


def _count(number: int) -> str:
    return f"{number} element{'' if number == 1 else 's'}"


def _start(hazard: OutOfBoundsIndex) -> int:
    first = hazard.index + hazard.size if hazard.index < 0 else hazard.index
    return max(0, min(first, hazard.size - hazard.taken))
