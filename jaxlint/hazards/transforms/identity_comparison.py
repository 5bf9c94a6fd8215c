"""Comparison or type test with a constant result.

## What it does
Reports comparisons that come out the same whatever the array is: a dtype that is compared with a scalar type
by `is`, or looked for in a set of them; `isinstance(x, jnp.float32)`; `type(x) == jax.Array`; `x == jnp.nan`;
and an array that is compared with `True`, `False` or a number by `is`.

## Why is this bad
A dtype is an object of its own: equal to `jnp.float32`, but not the same object, and with another hash.
`jnp.float32` makes arrays and has no instances; arrays are of subclasses of `jax.Array`; NaN equals nothing, and an
array is never the object `True`. The branch behind such a test is never taken, or always, and no error is raised.

## Example
```python
def widen(x: jax.Array):
    return x.astype(jnp.float32) if x.dtype is jnp.bfloat16 else x
```

## Use instead
```python
def widen(x: jax.Array):
    return x.astype(jnp.float32) if x.dtype == jnp.bfloat16 else x
```

## When to ignore
Where a test asserts that the two are different objects.

## Fix safety
Unsafe: the comparison says something else then, which is the point. In traced code `jnp.isnan(x)` or what stands before
`is True` is a tracer, which `if` cannot decide.

## References
- JAX documentation, `jax.Array`: https://docs.jax.dev/en/latest/_autosummary/jax.Array.html
- JAX documentation, "Data types": https://docs.jax.dev/en/latest/jax.dtypes.html
- NumPy documentation, "Data type objects": https://numpy.org/doc/stable/reference/arrays.dtypes.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.identity import IdentityComparison
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import tuple_text
from jaxlint.rewrite.operands import argument, operand
from jaxlint.source.diagnostic import Category

RULE = Rule(
    code="JAX526",
    category=Category.WRONG,
    hazards=(IdentityComparison,),
    fixable="unsafe",
)

_WHY = {
    "dtype": "a dtype is not a scalar type object",
    "set": "their hashes differ",
    "class": "no array is an instance",
    "type": "no object has exactly this type",
    "nan": "NaN equals nothing",
    "array": "an array is not a Python constant",
}


def check(hazard: IdentityComparison, file: File) -> Iterator[Finding]:
    what, draft = str(hazard.parameter), Draft(file)
    answer = "True" if hazard.api in ("is not", "!=", "not in") else "False"
    text = _rewritten(what, hazard, draft)
    fix = None
    node = file.unit.nodes[hazard.site]
    if not isinstance(node, ir.Compare) or len(node.ops) == 1:
        draft.replace(hazard.site, text)
        fix = draft.fix(f"Write `{text}`", f"the result is no longer always {answer}")
    yield Finding(
        hazard.site, f"`{file.code(hazard.site, 40)}` is always {answer}; {_WHY[what]}", f"Write `{text}`.", fix
    )


def _rewritten(what: str, hazard: IdentityComparison, draft: Draft) -> str:
    file, asked, other = draft.file, hazard.operand, int(hazard.other)
    equal = "!=" if hazard.api == "is not" else "=="
    if what == "dtype":
        return f"{operand(file, asked)} {equal} {operand(file, other)}"
    if what == "set":
        items = [file.code(element.site) for element in file.unit.nodes[other].elements]
        return f"{file.code(asked)} {hazard.api} {tuple_text(items)}"
    if what == "class":
        single = not isinstance(file.unit.nodes[other], ir.Sequence)
        return f"{operand(file, asked)}.dtype {'==' if single else 'in'} {operand(file, other)}"
    negated = hazard.api in ("is not", "!=")
    if what == "type":
        value = file.unit.nodes[asked].args[0]
        if not file.code(other).endswith(("Array", "ndarray")):
            return f"{operand(file, value.site)}.dtype {'!=' if negated else '=='} {operand(file, other)}"
        return f"{'not ' if negated else ''}isinstance({argument(file, value.site)}, {draft.api('jax.Array')})"
    if what == "nan":
        return f"{'~' if negated else ''}{draft.call('jax.numpy.isnan', argument(file, asked))}"
    constant = file.unit.nodes[other]
    if not isinstance(constant, ir.Constant) or not isinstance(constant.value, bool):
        return f"{operand(file, asked)} {equal} {operand(file, other)}"
    if constant.value is not negated:
        return operand(file, asked)
    return draft.call("jax.numpy.logical_not", argument(file, asked))
