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
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.source.diagnostic import Category, Fix, ImportRequest

RULE = Rule(
    code="JAX526",
    name="identity-comparison",
    summary="Comparison or type test with a constant result.",
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
    what = str(hazard.parameter)
    answer = "True" if hazard.api in ("is not", "!=", "not in") else "False"
    text, imports = _rewritten(what, hazard, file)
    fix = None
    node = file.unit.nodes[hazard.site]
    if not isinstance(node, ir.Compare) or len(node.ops) == 1:
        edit, changes = file.replace(hazard.site, text), f"the result is no longer always {answer}"
        fix = Fix(f"Write `{text}`", (edit,), imports=imports, changes=changes)
    yield Finding(
        hazard.site, f"`{file.code(hazard.site, 40)}` is always {answer}; {_WHY[what]}", f"Write `{text}`.", fix
    )


def _rewritten(what: str, hazard: IdentityComparison, file: File) -> tuple[str, frozenset[ImportRequest]]:
    nothing: frozenset[ImportRequest] = frozenset()
    asked, other = hazard.operand, int(hazard.other)
    equal = "!=" if hazard.api == "is not" else "=="
    if what == "dtype":
        return f"{operand(file, asked)} {equal} {operand(file, other)}", nothing
    if what == "set":
        items = [file.code(element.site) for element in file.unit.nodes[other].elements]
        return f"{file.code(asked)} {hazard.api} ({', '.join(items)}{',' if len(items) == 1 else ''})", nothing
    if what == "class":
        single = not isinstance(file.unit.nodes[other], ir.Sequence)
        return f"{operand(file, asked)}.dtype {'==' if single else 'in'} {operand(file, other)}", nothing
    negated = hazard.api in ("is not", "!=")
    if what == "type":
        value = file.unit.nodes[asked].args[0]
        if not file.code(other).endswith(("Array", "ndarray")):
            return f"{operand(file, value.site)}.dtype {'!=' if negated else '=='} {operand(file, other)}", nothing
        name, imports = file.api("jax.Array")
        return f"{'not ' if negated else ''}isinstance({argument(file, value.site)}, {name})", imports
    if what == "nan":
        name, imports = file.api("jax.numpy.isnan")
        return f"{'~' if negated else ''}{name}({argument(file, asked)})", imports
    constant = file.unit.nodes[other]
    if not isinstance(constant, ir.Constant) or not isinstance(constant.value, bool):
        return f"{operand(file, asked)} {equal} {operand(file, other)}", nothing
    if constant.value is not negated:
        return operand(file, asked), nothing
    name, imports = file.api("jax.numpy.logical_not")
    return f"{name}({argument(file, asked)})", imports
