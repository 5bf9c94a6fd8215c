"""Item assignment to an immutable JAX array.

## What it does
Reports `x[i] = v`, `x[i] += v` and their like where `x` is certainly a JAX array, in traced code or
outside of it, and the same of what `flax.core.freeze` gives. Refs (of Pallas, of `jax.new_ref`), NumPy arrays, lists and dicts are assigned to as
ever, and a parameter of which nothing is known is not reported.

## Why is this bad
JAX arrays are immutable: the assignment raises TypeError (of a `FrozenDict`: ValueError).

## Example
```python
def ramp(n):
    x = jnp.zeros(n)
    x[0] = 1.0
    return x
```

## Use instead
```python
def ramp(n):
    x = jnp.zeros(n)
    x = x.at[0].set(1.0)
    return x
```

Under `jit` the update is done in place where nothing else needs the old array.

## When to ignore
Never: the statement cannot run on a JAX array.

## Fix safety
The fix writes `x = x.at[i].set(v)`, or `add`, `multiply`, `divide` and `power` for `+=`, `*=`, `/=` and
`**=`; `-=` becomes `.add(-v)`. It is safe where every value of `x` is the result of a function of JAX, `x`
is a variable of the function and read afterwards, the index is made of integers, slices and integer
arrays, and the operator is `=`, `+=` or `*=` (or `-=` with a number). It is unsafe elsewhere: a NumPy
array passed by a caller was changed in place, and has no `.at`; `.at[i].add(v)` adds once for each
repetition of an index; `.divide` makes floats of integers. It is only shown where the name is not read
afterwards: an update of a parameter is lost unless it is returned.
A boolean mask becomes `jnp.where`, and so does a slice with a traced end of an array of one dimension; a
variable of an enclosing function is declared `nonlocal`; `x[i], x[j] = a, b` becomes one chain of updates. All
of these are unsafe. There is no fix for a traced bound elsewhere, which fails in the same way in `.at`.

## References
- JAX documentation, "JAX Sharp Bits: In-place updates"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, `jax.numpy.ndarray.at`
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import ItemAssignment
from jaxlint.analysis.domain.values import Array, At, Const, Static
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.arrays import array_names, item_updates
from jaxlint.rewrite.arrays.array_names import bound_here
from jaxlint.rewrite.changes import always_array
from jaxlint.rewrite.control_flow.dataflow import is_read_elsewhere
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import is_path
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Applicability, Category, Edit, Fix

RULE = Rule(
    code="JAX308",
    category=Category.FAILS,
    hazards=(ItemAssignment,),
    error="TypeError",
    fixable="safe",
)

_METHODS = {"": "set", "+": "add", "-": "add", "*": "multiply", "/": "divide", "**": "power"}
_EXACT = ("", "+", "-", "*")  # what these give has the dtype of the array


def check(hazard: ItemAssignment, file: File) -> Iterator[Finding]:
    target = file.unit.nodes[hazard.operand]
    array = file.code(target.value.site, 40)
    if isinstance(hazard.value, At):
        element = file.code(hazard.operand, 40)
        yield Finding(
            hazard.operand,
            f"Item assignment through `.at`: `{element}`",
            f"Call a method of it: `{array.removesuffix('.at')} = {element}.set(…)`.",
            item_updates.of_at(file, target),
        )
        return
    if not isinstance(hazard.value, Array):
        yield Finding(
            hazard.operand,
            f"Item assignment to FrozenDict `{array}`",
            "Change a copy that `flax.core.unfreeze` gives, or bind what `.copy({…})` of it gives.",
        )
        return
    index = item_updates.Index(file, target.index)
    if index.is_mask:
        help = f"Make a new array: `{array} = jnp.where({file.code(target.index.site, 40)}, …, {array})`."
    elif index.has_traced_bound:
        help = f"Make a new array of `{array}` with `jax.lax.dynamic_update_slice`."
    else:
        help = f"Bind an updated copy, made with `{array}.at[{file.code(target.index.site, 40)}]`, to `{array}`."
    yield Finding(
        hazard.operand,
        f"Item assignment to immutable JAX array `{array}`",
        help,
        _fix(hazard, file, target, index) or item_updates.special(hazard, file, target, index),
    )


@or_none
def _fix(hazard: ItemAssignment, file: File, target: ir.Subscript, index: item_updates.Index) -> Fix:
    statement, array, operator = file.unit.statement(target.site), target.value, ""
    if isinstance(statement, ir.Augment):
        require(statement.target is target)
        operator = statement.op
    else:
        require(only_target(statement) is target)
        statement = expect(ir.Assign, statement)
    require(is_path(array, (ir.Constant,)) and not index.is_mask and not index.has_traced_bound)
    scope = file.unit.scope(statement.site)
    if isinstance(array, ir.Name):
        bound_here(file, array)
    edits = known(_edits(file, statement, target, operator, index))
    name = file.code(array.site)
    method = _METHODS.get(operator, "set")
    title, changes = f"Make an updated array with `.at[…].{method}`", always_array(name)
    if _is_safe(hazard, file, statement, target, operator, index):
        return Fix(title, edits, Applicability.SAFE, changes=changes)
    is_local = isinstance(array, ir.Name) and isinstance(scope, ir.Function) and name in scope.locals
    if is_local and not is_read_elsewhere(file.unit, statement, name):
        lost = f"return `{name}`, or the update is lost"
        return Fix(title, edits, Applicability.DISPLAY, index.imports, lost)
    return Fix(title, edits, imports=index.imports, changes=f"{changes}, and is read here")


def _edits(
    file: File, statement: ir.Assign | ir.Augment, target: ir.Subscript, operator: str, index: item_updates.Index
) -> tuple[Edit, ...] | None:
    """Edits around what is kept: array, index and value stay as they stand, comments and lines too."""
    text = file.source.text
    value = statement.value
    name = file.code(target.value.site)
    start, bracket = file.span(target.site)[0], file.span(target.value.site)[1]
    end = file.span(target.site)[1]
    first, last = file.span(value.site)
    if not text[bracket:].lstrip().startswith("[") or file.span(statement.site)[0] != start:
        return None
    method = _METHODS.get(operator)
    before, after = "", ""
    if method is None or operator == "-":
        closed = isinstance(value, (ir.Name, ir.Call, ir.Attribute, ir.Subscript, ir.Constant)) and text[first] != "-"
        before, after = ("", "") if closed else ("(", ")")
    if operator == "-":
        before = "-" + before
    elif method is None:
        if not index.is_repeatable:
            return None
        method, before = "set", f"{file.code(target.site)} {operator} {before}"
    # Parentheses around the value become those of the call, unless they make a tuple of it.
    _, _, opening = text[end:first].partition("=")
    opening = opening.lstrip(" \t")
    bare = isinstance(value, (ir.Yield, ir.YieldFrom)) or (isinstance(value, ir.Sequence) and value.kind == "tuple")
    missing = (not opening.startswith("(")) + bare
    opening, after = "(" * missing + opening, after + ")" * missing
    edits = [
        Edit(start, start, f"{name} = "),
        Edit(bracket, bracket, ".at"),
        Edit(end, first, f".{method}{opening}{before}"),
        Edit(last, last, after),
        *index.edits,
    ]
    return tuple(sorted((edit for edit in edits if edit.content), key=lambda edit: (edit.start, edit.end)))


def _is_safe(
    hazard: ItemAssignment,
    file: File,
    statement: ir.Assign | ir.Augment,
    target: ir.Subscript,
    operator: str,
    index: item_updates.Index,
) -> bool:
    array = target.value
    if not isinstance(array, ir.Name) or operator not in _EXACT or not index.is_integral:
        return False
    if operator and index.has_array:
        return False  # an index that is repeated counts once in NumPy
    if operator and isinstance(hazard.value, Array) and hazard.value.aval.dtype == "bool":
        return False  # numbers are not added to booleans
    if operator == "-" and not _is_number(file, statement.value):
        return False
    scope = file.unit.scope(statement.site)
    return array_names.made_by_jax(file, scope, array.id) and is_read_elsewhere(file.unit, statement, array.id)


def _is_number(file: File, node: ir.Node) -> bool:
    """Whether the value can be negated: a number that is no truth value."""
    values = file.values(node.site)
    return bool(values) and all(
        (type(value) is Const and type(value.value) in (int, float, complex))
        or (type(value) is Static and value.type in ("int", "float", "complex"))
        or (type(value) is Array and value.aval.dtype not in (None, "bool") and not value.aval.dtype.startswith("uint"))
        for value in values
    )
