"""Result shape depends on a traced value.

## What it does
Reports `jnp.nonzero`, `jnp.where` with one argument, `jnp.argwhere`, `jnp.flatnonzero`, `jnp.unique`
and the like, given a tracer and no `size=`; methods such as `x.nonzero()` and `x.compress(mask)`; and
functions that look at the values for another reason, such as `jnp.choose` without `mode=`.

## Why is this bad
How many elements are not zero, or different, is only known when the program runs, and every shape
is fixed while tracing. Under `jax.jit`, `jax.vmap` and in `lax` control flow the call raises
`ConcretizationTypeError`.

## Example
```python
@jax.jit
def total_of_large(x):
    indices = jnp.where(x > 1)
    return x[indices].sum()
```

## Use instead
```python
@jax.jit
def total_of_large(x):
    return jnp.where(x > 1, x, 0).sum()
```

Where the indices themselves are wanted, give the largest number that can occur:
`jnp.nonzero(x > 1, size=10, fill_value=-1)`.

## When to ignore
Never: it fails whenever the function is traced with this value.

## Fix safety
Where the indices only select what a reduction takes, the fix is unsafe and puts a neutral value in
the place of what is not selected: it is right where the condition has the shape of the array, and
sums round differently. Counting them becomes `jnp.count_nonzero`, which gives an array instead of
an int. `jnp.bincount` of a remainder, of `argmax` or of random integers is given the number of classes, and one whose counts
are reshaped the product of the sizes. Segments have as many numbers as the array that they look up has rows. Where constants choose
among the first places that are found, so many are looked for. `jnp.delete` of one place is told that it is unique. Anything else
shows `size=`, which pads the result, and has to be followed through.

## References
- jax.numpy.nonzero: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.nonzero.html
- JAX documentation, "Errors", ConcretizationTypeError: https://docs.jax.dev/en/latest/errors.html
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from jaxlint.analysis.domain.hazards import DataDependentShape
from jaxlint.analysis.domain.values import Array, Const, Static
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope, only_value, reads_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.arrays.masks import Selection, length, masked_reduction, selected
from jaxlint.rewrite.changes import ARRAY, CLAMPED
from jaxlint.rewrite.draft import Draft, passing
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import is_repeatable
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, require
from jaxlint.rewrite.shapes.traced_lengths import below, with_needed_length
from jaxlint.rewrite.statements import taken_out
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX202",
    category=Category.FAILS,
    hazards=(DataDependentShape,),
    error="ConcretizationTypeError",
    fixable="unsafe",
)

_INDICES = frozenset({"jax.numpy.where", "jax.numpy.nonzero"})  # a tuple of indices, one array for each dimension
_COUNTABLE = _INDICES | {"jax.numpy.flatnonzero", "jax.numpy.argwhere"}
_BOUNDED = _COUNTABLE | {"jax.numpy.unique"}  # gives at most as many as the argument has elements
_SETS = frozenset({"jax.numpy.setdiff1d", "jax.numpy.intersect1d", "jax.numpy.union1d"})
# What a parameter is given where one value of it does for every array.
_GIVEN = {"mode": '"clip"', "strip_zeros": "False", "assume_unique_indices": "True"}


def check(hazard: DataDependentShape, file: File) -> Iterator[Finding]:
    if hazard.parameter == "total_repeat_length":
        return  # a rule of its own
    called = file.called(hazard.site, hazard.api)
    operand, parameter = file.code(hazard.operand, 40), hazard.parameter
    help = f"Keep the shape and mask with `{file.api('jax.numpy')[0]}.where(condition, x, y)`"
    if parameter in _GIVEN:
        help = f"Pass `{parameter}={_GIVEN[parameter]}` to `{called}`"
    elif parameter is not None:
        largest = f"the largest possible `{parameter}=` to `{called}`"
        help = f"{help}, or pass {largest}" if hazard.api in _COUNTABLE else f"Pass {largest}"
    message = f"Result shape of `{called}` depends on traced value `{operand}`"
    if parameter == "mode":
        message = f"Bounds check of `{called}` on traced value `{operand}`"
    yield Finding(hazard.site, message, help=help + ".", fix=_fix(hazard, file))


@or_none
def _fix(hazard: DataDependentShape, file: File) -> Fix | None:
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(is_plain(call.args))
    if hazard.parameter in _GIVEN:
        text = f"{hazard.parameter}={_GIVEN[hazard.parameter]}"
        one = isinstance(hazard.value, Array) and hazard.value.aval.shape == ()
        level = Applicability.UNSAFE if one and "unique" in text else Applicability.DISPLAY
        return passing(file, call, text, f"Give `{text}`", CLAMPED, level)
    if hazard.parameter in ("num_segments", "length"):
        return _of_classes(file, call) or with_needed_length(file, call, hazard.parameter)
    if (hazard.api or "").rpartition(".")[2] in ("compress", "extract"):
        return _compressed(hazard, file, call)
    if hazard.api in _SETS:
        return _of_set(hazard, file, call)
    given = known(_given(hazard, file, call))
    alone = not call.keywords and given.site == hazard.operand
    api = (hazard.api or "").replace(".", "jax.numpy.") if (hazard.api or "").startswith(".") else hazard.api
    fix = None
    if alone and (api in _INDICES or api == "jax.numpy.flatnonzero"):
        fix = _reduced(file, call, given, api)
    if alone and api in _COUNTABLE:
        fix = fix or _counted(api, file, call, given) or _few(api, file, call)
    return fix or (_sized(file, call, given) if hazard.parameter == "size" and api in _BOUNDED else None)


def _given(hazard: DataDependentShape, file: File, call: ir.Call) -> ir.Expression | None:
    """The array that is looked at: the one argument, or what the method is of."""
    if (hazard.api or "").startswith("."):
        return call.func.value if isinstance(call.func, ir.Attribute) and not call.args else None
    return call.args[0] if len(call.args) == 1 else None


@or_none
def _reduced(file: File, call: ir.Call, given: ir.Expression, api: str | None) -> Fix:
    """`x[jnp.where(c)].sum()`, also through a variable, as `jnp.where(c, x, 0).sum()`."""
    indices: ir.Node = call
    above, draft = file.unit.parent(call.site), Draft(file)
    if isinstance(above, ir.Subscript) and above.value is call:  # the one index of a vector
        require(api in _INDICES and isinstance(above.index, ir.Constant) and above.index.value == 0)
        indices, above = above, file.unit.parent(above.site)
    require(indices is call and api in _INDICES or masks.rank(file, given.site) in (None, 1))
    uses: list[ir.Subscript] = [above] if isinstance(above, ir.Subscript) and above.index is indices else []
    if isinstance(above, ir.Assign):
        uses = _all_uses(file, above, given)
        draft.edits.append(known(taken_out(file, above)))
    require(uses)
    neutral: list[str] = []
    for chosen in uses:
        selection = known(selected(file, ir.Subscript(chosen.site, chosen.value, given), given))
        neutral.append(known(masked_reduction(draft, replace(selection, node=chosen))))
    condition, array = file.code(given.site, 40), file.code(uses[0].value.site, 40)
    put = " and ".join(f"`{each}`" for each in dict.fromkeys(neutral))
    title = f"Put {put} where `{condition}` is false"
    of_dtype = next(filter(None, map(masks.said_of_dtype, neutral)), "")
    return draft.fix(title, f"right {of_dtype}where the condition is shaped like `{array}`")


def _all_uses(file: File, assign: ir.Assign, given: ir.Node) -> list[ir.Subscript]:
    """The subscripts whose index is the assigned variable, where that is all the variable is for."""
    target = assign.targets[0]
    assigned: ir.Expression = assign.value
    scope = file.unit.scope(assign.site)
    if len(assign.targets) != 1 or not isinstance(target, ir.Name) or only_value(scope, target.id) is not assigned:
        return []
    uses = [
        node
        for node in file.unit.own
        if isinstance(node, ir.Name)
        and node.id == target.id
        and node is not target
        and defining_scope(file.unit, node.site, target.id) is scope
    ]
    if len(uses) > 1 and not is_repeatable(given):
        return []
    found = []
    for use in uses:
        chosen = file.unit.parent(use.site)
        if not isinstance(chosen, ir.Subscript) or chosen.index is not use:
            return []
        # The condition is to be evaluated later: what it is made of must still be the same then.
        statement = file.unit.statement(chosen.site)
        if file.unit.parent(statement.site) is not file.unit.parent(assign.site) or isinstance(
            statement, (ir.For, ir.While)
        ):
            return []
        for name in {node.id for node in ir.walk([assigned], into_scopes=False) if isinstance(node, ir.Name)}:
            if any(assign.site < each.site < statement.site for each in bindings(scope, name)):
                return []
        found.append(chosen)
    return found


@or_none
def _compressed(hazard: DataDependentShape, file: File, call: ir.Call) -> Fix:
    """The reduction of `jnp.compress(mask, x)` or `x.compress(mask)`, or of `jnp.extract`."""
    parts, draft = call.args[::-1], Draft(file)
    if (hazard.api or "").startswith(".") and isinstance(call.func, ir.Attribute):
        parts = (call.func.value, *call.args)
    require(len(parts) == 2 and not call.keywords)
    array, mask = parts
    require(all(masks.rank(file, each.site) in (None, 1) for each in parts))
    selection = Selection(
        call, operands.argument(file, array.site), operands.argument(file, mask.site), tuple(file.values(array.site)),
        is_repeatable(mask),
    )  # fmt: skip
    neutral = known(masked_reduction(draft, selection))
    changes = f"right {masks.said_of_dtype(neutral)}for vectors of one length"
    return draft.fix(f"Leave out where `{file.code(mask.site, 40)}` is false", changes)


@or_none
def _counted(api: str | None, file: File, call: ir.Call, given: ir.Node) -> Fix:
    """`len(jnp.nonzero(m)[0])` and `jnp.flatnonzero(m).size` as `jnp.count_nonzero(m)`."""
    indices, draft = cast(ir.Node, call), Draft(file)
    if api in _INDICES:
        indices = expect(ir.Subscript, file.unit.parent(call.site))
        require(indices.value is call and isinstance(indices.index, ir.Constant))
    whole = known(length(file, indices, size=api != "jax.numpy.argwhere"))
    draft.replace(whole.site, draft.call("jax.numpy.count_nonzero", operands.argument(file, given.site)))
    return draft.fix("Count without making the indices", ARRAY)


@or_none
def _few(api: str | None, file: File, call: ir.Call) -> Fix | None:
    """The first few places, where constants alone choose among them: `jnp.flatnonzero(m)[0]`."""
    pending: list[tuple[ir.Node, bool]] = [(call, api in _INDICES)]  # and whether it is the tuple of several
    last = -1
    while pending:
        places, of_several = pending.pop()
        above = file.unit.parent(places.site)
        if isinstance(above, ir.Assign) and (reads := reads_of(file.unit, above)):
            pending += [(each, of_several) for each in reads]
            continue
        subscript = expect(ir.Subscript, above)
        require(subscript.value is places)
        index = subscript.index
        first = index.elements[0] if isinstance(index, ir.Sequence) and index.elements else index
        if isinstance(first, ir.Slice) and api == "jax.numpy.argwhere" and file.code(first.site) == ":":
            pending.append((subscript, False))
            continue
        number = expect(ir.Constant, first).value
        require(type(number) is int)
        if of_several:
            pending.append((subscript, False))
        else:
            last = max(last, number)
    size = f"size={last + 1}"
    return passing(file, call, size, f"Give `{size}`", "0 stands for what is not found, or `fill_value` if given")


@or_none
def _of_classes(file: File, call: ir.Call) -> Fix | None:
    """`jnp.bincount` of numbers that have an end: a remainder, an `argmax`, random integers."""
    require(file.is_api(call.func.site, "jax.numpy.bincount") and len(call.args) == 1)
    end = known(below(file, call.args[0]))
    changes = "each class that can be has an element, found or not"
    return passing(file, call, f"length={end}", f"Count the classes below `{end}`", changes)


def _of_set(hazard: DataDependentShape, file: File, call: ir.Call) -> Fix | None:
    """A set operation with the largest size its result can have."""
    arrays = call.args[:2]
    require(hazard.parameter == "size" and not call.keywords and len(arrays) == 2)
    sizes = [f"{expect(ir.Name, each).id}.size" for each in arrays]
    size = sizes[0] if hazard.api != "jax.numpy.union1d" else " + ".join(sizes)
    return _padded(file, call, f"size={size}")


def _padded(file: File, call: ir.Call, size: str) -> Fix | None:
    changes = "what is left over is padded, with `fill_value` if given"
    return passing(file, call, size, f"Give `{size}`", changes, Applicability.DISPLAY)


def _sized(file: File, call: ir.Call, given: ir.Node) -> Fix | None:
    """The call with a bound that is never too small."""
    require(not _selects(file, call) and isinstance(given, (ir.Name, ir.Compare, ir.Unary, ir.Binary)))
    arrays = {file.code(node.site) for node in _operands(given) if not _is_number(file, node)}
    require(arrays)
    # Several may broadcast to more elements than one of them has, and what is computed may have more than its operands.
    [*others, name] = arrays
    plain = not others and name.replace(".", "").isidentifier()
    size = f"size={name if plain else operands.operand(file, given.site)}.size"
    return _padded(file, call, size)


def _operands(node: ir.Node) -> Iterator[ir.Node]:
    """What operators that work on each element are applied to."""
    if isinstance(node, (ir.Compare, ir.Unary)) or (isinstance(node, ir.Binary) and node.op != "@"):
        for child in node.children():
            yield from _operands(child)
    else:
        yield node


def _is_number(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return isinstance(node, ir.Constant) or (bool(values) and all(type(each) in (Const, Static) for each in values))


def _selects(file: File, call: ir.Call) -> bool:
    """Whether what the call gives is an index: padding it would select elements that nobody asked for."""
    given: ir.Node = call
    above = file.unit.parent(call.site)
    if isinstance(above, ir.Subscript) and above.value is call:  # one of the arrays of indices
        given, above = above, file.unit.parent(above.site)
    if isinstance(above, ir.Assign) and isinstance(above.targets[0], ir.Name):
        scope, name = file.unit.scope(call.site), above.targets[0].id
        return any(
            isinstance(node, ir.Subscript)
            and isinstance(node.index, ir.Name)
            and node.index.id == name
            and defining_scope(file.unit, node.site, name) is scope
            for node in file.unit.own
        )
    return isinstance(above, ir.Subscript) and above.index is given
