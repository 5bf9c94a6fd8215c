"""Slice with a traced bound.

## What it does
Reports `x[:n]`, `x[i:]`, `x[i:i + 3]` and `x[::k]` of an array where a bound or the step is traced.

## Why is this bad
The bounds of a slice decide the shape of the result, and JAX needs every shape while it traces. The slice
raises `IndexError`, even where the difference of its bounds is a constant.

## Example
```python
@jax.jit
def window(x, i):
    return x[i : i + 3]
```

## Use instead
```python
@jax.jit
def window(x, i):
    return jax.lax.dynamic_slice_in_dim(x, i, 3)
```

## When to ignore
Never: the code cannot run as long as the bound is traced.

## Fix safety
Unsafe. A slice `x[i : i + k]`, `x[i * k : (i + 1) * k]` or `x[i - k : i + k]` whose `k` is known while tracing becomes
`dynamic_slice_in_dim`, one for each axis that is sliced so: where the upper bound lies beyond the end, the window is moved
back to the last `k` elements, where a slice would be shorter, and a negative `i` that reaches past the beginning is moved as
well. `x.at[i : i + k]` is written to by the places, of which those beyond the end are dropped. Another slice that goes into
a reduction becomes a reduction of the whole array with a mask, in which a negative bound selects nothing. Else the bound is
made a static argument of `jax.jit`, as in JAX108, where it is a parameter; where it is computed from data, a mask that keeps
the shape is shown and not applied.

## References
- JAX documentation, `jax.lax.dynamic_slice_in_dim`
  (https://docs.jax.dev/en/latest/_autosummary/jax.lax.dynamic_slice_in_dim.html)
- JAX documentation, "JAX - The Sharp Bits": dynamic shapes (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import TracedSliceBound
from jaxlint.analysis.domain.values import Array, Const, Host, Static, Undecided, Unknown, Value
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import parameter_of, targets_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays import masks
from jaxlint.rewrite.arrays.masks import Selection, masked_reduction
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.static_args.static_argument import make_static
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX205",
    category=Category.FAILS,
    hazards=(TracedSliceBound,),
    error="IndexError",
    fixable="unsafe",
)


def check(hazard: TracedSliceBound, file: File) -> Iterator[Finding]:
    bound = file.code(hazard.operand, 40)
    fix = _fix(hazard, file)
    yield Finding(
        hazard.site,
        f"Slice with traced bound `{bound}`: `{file.code(hazard.site, 40)}`",
        help="Take a window of constant length with `jax.lax.dynamic_slice_in_dim`."
        if fix is not None and "dynamic" in fix.title
        else f"Make `{bound}` static, or keep the whole array and mask the other elements."
        " Take a window of constant length with `jax.lax.dynamic_slice_in_dim(x, start, length)`.",
        fix=fix,
    )


def _fix(hazard: TracedSliceBound, file: File) -> Fix | None:
    chosen = file.unit.nodes[hazard.site]
    if not isinstance(chosen, ir.Subscript):
        return make_static(hazard, file)
    found = _slice(file, chosen)
    if found is None or _is_target(file, chosen):
        return (None if _is_target(file, chosen) else _in_turn(file, chosen)) or make_static(hazard, file)
    part, axis = found
    window = _window(file, part)
    if isinstance(chosen.value, ir.Attribute) and chosen.value.attr == "at":
        return _update(file, part, window) if window is not None else make_static(hazard, file)
    bases = file.values(chosen.value.site)
    kinds = {type(base) for base in bases} - {Unknown}  # the function may be run with what nobody knows as well
    if not kinds or not kinds <= {Array, Host, Undecided}:
        return make_static(hazard, file)
    if window is not None:
        return _dynamic(file, chosen, window, axis)
    fix = _masked(file, chosen, part) if chosen.index is part else None
    static = make_static(hazard, file)
    if fix is not None and (fix.applicability is Applicability.UNSAFE or static is None):
        return fix
    return static


_SLICE = "jax.lax.dynamic_slice_in_dim"
_MOVED_BACK = "the start is clamped so that it fits"


def _dynamic(file: File, chosen: ir.Subscript, window: tuple[ir.Node, str], axis: int) -> Fix:
    draft = Draft(file)
    code = _windowed(draft, operands.argument(file, chosen.value.site), window, axis)
    draft.replace(chosen.site, code)
    return draft.fix(f"Take the window with `{draft.api(_SLICE)}`", _MOVED_BACK)


def _windowed(draft: Draft, array: str, window: tuple[ir.Node, str], axis: int) -> str:
    start, count = operands.argument(draft.file, window[0].site), window[1]
    return draft.call(_SLICE, array, start, count, *([f"axis={axis}"] if axis else []))


@or_none
def _in_turn(file: File, chosen: ir.Subscript) -> Fix:
    """`x[i : i + k, j : j + k]` as a slice of a slice."""
    parts, draft = expect(ir.Sequence, chosen.index).elements, Draft(file)
    require(all(type(base) in (Array, Host, Undecided, Unknown) for base in file.values(chosen.value.site)))
    text, count = operands.argument(file, chosen.value.site), 0
    for axis, part in enumerate(parts):
        if not _is_whole(part):
            window = known(_window(file, expect(ir.Slice, part)))
            text, count = _windowed(draft, text, window, axis), count + 1
    require(count > 1)
    draft.replace(chosen.site, text)
    return draft.fix(f"Take the window with `{draft.api(_SLICE)}`", _MOVED_BACK)


def _update(file: File, part: ir.Node, window: tuple[ir.Node, str]) -> Fix:
    """`x.at[i : i + k]` as `x.at[i + jnp.arange(k)]`."""
    draft = Draft(file)
    draft.replace(part.site, f"{operands.beside(file, window[0].site)} + {draft.call('jax.numpy.arange', window[1])}")
    title = f"Write to the places that `{draft.api('jax.numpy.arange')}` counts"
    return draft.fix(title, "elements beyond the end are dropped")


_FROM_THE_FRONT = "the bounds count from the front"


@or_none
def _masked(file: File, chosen: ir.Subscript, part: ir.Slice | ir.Call) -> Fix:
    """`x[:n].sum()` as a reduction of the whole array; a slice that is returned keeps the shape and is only shown."""
    (lower, upper, step), draft = _bounds(part), Draft(file)
    array = operands.argument(file, chosen.value.site)
    require(operands.is_path(chosen.value))
    require(not any(each is not None and _is_negative(each) for each in (lower, upper, step)))
    if masks.rank(file, chosen.value.site) == 1:
        position = draft.call("jax.numpy.arange", f"{array}.shape[0]")
    else:
        position = draft.call("jax.lax.broadcasted_iota", "int", f"{array}.shape", "0")
    if step is not None:
        require(lower is None and upper is None)
        tests = [f"{position} % {operands.operand(file, step.site)} == 0"]
    else:
        tests = [f"{position} >= {operands.operand(file, lower.site)}"] if lower is not None else []
        tests += [f"{position} < {operands.operand(file, upper.site)}"] if upper is not None else []
    mask = tests[0] if len(tests) == 1 else " & ".join(f"({test})" for test in tests)
    selection = Selection(chosen, array, mask, tuple(file.values(chosen.value.site)), False, "", True)
    if masked_reduction(draft, selection) is not None:
        return draft.fix("Keep the whole array, and leave out what is beyond", _FROM_THE_FRONT)
    require(isinstance(file.unit.parent(chosen.site), (ir.Return, ir.Assign)))
    draft.replace_whole(chosen.site, draft.call("jax.numpy.where", mask, array, "0"))
    return draft.fix("Keep the whole array, with 0 beyond the bounds", _FROM_THE_FRONT, Applicability.DISPLAY)


def _slice(file: File, chosen: ir.Subscript) -> tuple[ir.Slice | ir.Call, int] | None:
    """The slice of a subscript and its axis, where nothing else is selected."""
    parts = chosen.index.elements if isinstance(chosen.index, ir.Sequence) else [chosen.index]
    found = [(each, axis) for axis, each in enumerate(parts) if not _is_whole(each)]
    if len(found) != 1:
        return None
    part, axis = found[0]
    if isinstance(parts[0], ir.Constant) and len(parts) > 1:  # `...`
        axis -= len(parts)
    if any(isinstance(each, ir.Constant) for each in parts[1:]):
        return None
    if isinstance(part, ir.Call) and isinstance(part.func, ir.Name) and part.func.id == "slice" and not part.keywords:
        return (part, axis) if 1 <= len(part.args) <= 3 else None
    return (part, axis) if isinstance(part, ir.Slice) else None


def _is_whole(node: ir.Node) -> bool:
    if isinstance(node, ir.Constant):
        return node.value is ...
    return isinstance(node, ir.Slice) and node.lower is node.upper is node.step is None


def _bounds(part: ir.Slice | ir.Call) -> tuple[ir.Node | None, ir.Node | None, ir.Node | None]:
    if isinstance(part, ir.Slice):
        return part.lower, part.upper, part.step
    given = [None if isinstance(each, ir.Constant) and each.value is None else each for each in part.args]
    return (None, given[0], None) if len(given) == 1 else (given[0], given[1], given[2] if len(given) == 3 else None)


def _is_negative(node: ir.Node) -> bool:
    return isinstance(node, ir.Unary) and node.op == "-"


def _is_target(file: File, chosen: ir.Node) -> bool:
    above = file.unit.parent(chosen.site)
    return above is not None and chosen in targets_of(above)


@or_none
def _window(file: File, part: ir.Slice | ir.Call) -> tuple[ir.Node, str]:
    """``i`` and ``k`` of a slice written ``i : i + k`` or ``i - h : i + h``, where ``k`` is certainly a Python int."""
    lower, upper, step = _bounds(part)
    require(step is None)
    start, counts, nodes = known(lower), dict[tuple[str, ...], int](), dict[str, ir.Node]()
    for sign, end in ((1, known(upper)), (-1, start)):
        for number, factors in _terms(end):
            nodes |= {operands.operand(file, each.site): each for each in factors}
            product = tuple(sorted(operands.operand(file, each.site) for each in factors))
            counts[product] = counts.get(product, 0) + sign * number
    counts = {product: count for product, count in counts.items() if count}
    require(counts and all(count > 0 for count in counts.values()))
    for code in {each for product in counts for each in product}:
        values = [value for value in file.values(nodes[code].site) if not isinstance(value, Unknown)]
        require(all(map(_is_length, values)) and (values or _is_declared_int(file, nodes[code])))
    alone = counts.pop((), 0)
    texts = [" * ".join(product if count == 1 else (str(count), *product)) for product, count in counts.items()]
    return start, " + ".join([*texts, str(alone)] if alone else texts)


def _is_declared_int(file: File, node: ir.Node) -> bool:
    """Whether this is a field of a parameter whose annotation is a class of the file that says it is an int."""
    base = node.value if isinstance(node, ir.Attribute) else None
    parameter = parameter_of(file.unit.scope(node.site), base.id) if isinstance(base, ir.Name) else None
    annotation = parameter.annotation if parameter is not None else None
    fields = [
        each.annotation
        for owner in file.unit.own
        if isinstance(owner, ir.ClassDefinition) and isinstance(annotation, ir.Name) and owner.name == annotation.id
        for each in owner.body
        if isinstance(each, ir.Annotate) and getattr(each.target, "id", "") == getattr(node, "attr", None)
    ]
    return [ir.dotted(each) for each in fields] == ["int"]


def _terms(node: ir.Node) -> list[tuple[int, list[ir.Node]]]:
    """What is added in a sum that is multiplied out: a number, and the factors beside it."""
    match node:
        case ir.Constant(value=int(number)):
            return [(number, [])]
        case ir.Binary(op="+" | "-" as op, left=left, right=right):
            sign = 1 if op == "+" else -1
            return [*_terms(left), *((sign * number, factors) for number, factors in _terms(right))]
        case ir.Binary(op="*", left=left, right=right):
            return [(a * b, [*one, *other]) for a, one in _terms(left) for b, other in _terms(right)]
    return [(1, [node])]


def _is_length(value: Value) -> bool:
    if type(value) is Const:
        return type(value.value) is int and value.value > 0
    return type(value) is Static and value.type == "int"
