"""NumPy comparison of whole arrays on a traced value, always False.

## What it does
Reports `np.array_equal` and `np.array_equiv` with a traced argument.

## Why is this bad
These functions take what they cannot convert for an array of another kind: they catch the error of the
conversion and return `False`. Traced code then goes on as if the arrays differed, whatever they hold, and
nobody is told.

## Example
```python
@jax.jit
def changed(old, new):
    return np.array_equal(old, new)
```

## Use instead
```python
@jax.jit
def changed(old, new):
    return jnp.array_equal(old, new)
```

## When to ignore
Where the answer is meant to be `False` while tracing.

## Fix safety
The fix calls the function of `jax.numpy`. It is unsafe, as another answer is the point of it; the answer is
a jax array, of which traced code can take no `bool`. So there is no fix where the answer is tested at once
(`if`, `while`, `assert`, `and`): use `jnp.where` or `jax.lax.cond` there. `not` becomes `jnp.logical_not`.

## References
- JAX documentation, `jax.numpy.array_equal`:
  https://docs.jax.dev/en/latest/_autosummary/jax.numpy.array_equal.html
- NumPy documentation, `numpy.array_equal`:
  https://numpy.org/doc/stable/reference/generated/numpy.array_equal.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import SilentNumpyComparison
from jaxlint.analysis.domain.values import Const
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import ARRAY
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, or_none, require
from jaxlint.source.diagnostic import Category, Edit, Fix

RULE = Rule(
    code="JAX311",
    category=Category.WRONG,
    hazards=(SilentNumpyComparison,),
    fixable="unsafe",
)

_TESTED = (ir.If, ir.While, ir.Conditional, ir.Assert)


def check(hazard: SilentNumpyComparison, file: File) -> Iterator[Finding]:
    called = file.called(hazard.site, hazard.api)
    operand = file.code(hazard.operand, 40)
    instead = file.api(f"jax.{hazard.api}")[0]
    fix = _fix(hazard, file)
    yield Finding(
        hazard.site,
        f"`{called}` on traced value `{operand}` is always False",
        help=f"Use `{instead}`."
        if fix is not None
        else f"Use `{instead}`, and branch on its result with `jnp.where` or `jax.lax.cond`.",
        fix=fix,
    )


@or_none
def _fix(hazard: SilentNumpyComparison, file: File) -> Fix:
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    require(not _is_tested(file, call) and is_plain(call.args))
    values = [value for each in call.args for value in file.values(each.site)]
    require(not any(type(value) is Const and value.value is None for value in values))
    spelled = draft.use(call.func.site, f"jax.{hazard.api}")
    above = file.unit.parent(call.site)
    if isinstance(above, ir.Unary):
        start, end = file.span(above.site)
        require(not file.source.text[file.span(call.site)[1] : end].strip())  # no parentheses around the comparison
        negation = draft.api("jax.numpy.logical_not")
        draft.edits.append(Edit(start, file.span(call.site)[0], f"{negation}("))
        draft.insert(end, ")")
    return draft.fix(f"Compare with `{spelled}`", ARRAY)


def _is_tested(file: File, node: ir.Node) -> bool:
    """Whether the bool of the answer is needed on the spot."""
    above = file.unit.parent(node.site)
    if isinstance(above, _TESTED):
        return above.test is node
    if isinstance(above, ir.Clause):
        return any(condition is node for condition in above.conditions)
    if isinstance(above, ir.Call):
        called = [getattr(value, "name", "") for value in file.values(above.func.site)]
        return any(name in ("builtins.bool", "builtins.int", "builtins.all", "builtins.any") for name in called)
    if isinstance(above, ir.Unary) and above.op == "not":
        return _is_tested(file, above)
    return isinstance(above, ir.Boolean)
