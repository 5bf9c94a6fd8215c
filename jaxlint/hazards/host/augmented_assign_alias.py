"""Augmented assignment meant to change a JAX array in place.

## What it does
Reports `a += 1` on a parameter of a function that returns nothing, `row *= 2` on the rows of an array that is looped
over, and `y = x; y -= 1`, where the array is one of JAX and the name is not read again.

## Why is this bad
NumPy works in place: whoever passed the array, the array of which the row is a view, and the other name see the
change. A jax array cannot be changed: the statement makes another array, gives it the name, and nobody sees it. The
code runs and computes something else, silently.

## Example
```python
def normalise(table):
    for row in table:
        row /= row.sum()
    return table
```

## Use instead
```python
def normalise(table):
    return table / table.sum(axis=1, keepdims=True)
```

## When to ignore
Where the function is called with arrays of NumPy as well, and what it is called with here is of no matter.

## Fix safety
The fix returns the parameter, and binds what was passed for it anew at each call in the file; it is unsafe for a
function that nobody else can call, and else only shown. It binds the other name to the result (unsafe), and takes a
loop that does the same to each row for what it does to the whole array (unsafe). There is none where a call is not
seen, or stands where it cannot take the result.

## References
- JAX documentation, "JAX - The Sharp Bits", in-place updates
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.aliases import AugmentedAssignAlias
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import return_parameter
from jaxlint.rewrite.changes import ONE_RESULT_MORE
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX315",
    category=Category.WRONG,
    hazards=(AugmentedAssignAlias,),
    fixable="unsafe",
)


def check(hazard: AugmentedAssignAlias, file: File) -> Iterator[Finding]:
    name = file.code(hazard.operand, 40)
    how, _, other = hazard.alias.rpartition(" ")
    if how == "element of":
        lost, help = (
            f"`{other}`",
            f"Compute all rows at once, or stack new ones: `jnp.stack([… for {name} in {other}])`.",
        )
    elif how == "name":
        lost, help = f"`{other}`", f"Bind `{other}` to the result, or read `{name}` afterwards."
    else:
        lost, help = (
            "the caller's array",
            f"Return `{name}`, and let the caller use the result.",
        )
    message = f"Augmented assignment to JAX array `{name}` does not change {lost}"
    yield Finding(hazard.site, message, help, _fix(hazard, file))


@or_none
def _fix(hazard: AugmentedAssignAlias, file: File) -> Fix:
    statement, draft = file.unit.statement(hazard.site), Draft(file)
    name = file.code(hazard.operand)
    how, _, other = hazard.alias.rpartition(" ")
    if how == "element of":
        return _of_the_whole(file, statement, other)
    if how == "name":
        draft.below(statement, f"{other} = {name}")
        return draft.fix(f"Bind `{other}` to the result", _as_in_numpy(other))
    change = known(return_parameter(file, expect(ir.Function, file.unit.scope(hazard.site)), name))
    title = f"Return `{name}`, and bind it anew at each call"
    return Fix(title, change.edits, change.level, changes=ONE_RESULT_MORE)


def _as_in_numpy(name: str) -> str:
    return f"right where `{name}` is meant to change, as in NumPy"


def _of_the_whole(file: File, statement: ir.Statement, other: str) -> Fix:
    """A loop over rows that are all treated alike, as one operation on the array."""
    loop, change = expect(ir.For, file.unit.parent(statement.site)), expect(ir.Augment, statement)
    require(not loop.orelse and len(loop.body) == 1 and isinstance(loop.target, ir.Name))
    require(expect(ir.Name, loop.iterable).id == other and isinstance(change.value, ir.Constant))
    text = f"{other} {change.op}= {file.code(change.value.site)}"
    return Fix(f"Change `{other}` as a whole", (file.replace(loop.site, text),), changes=_as_in_numpy(other))
