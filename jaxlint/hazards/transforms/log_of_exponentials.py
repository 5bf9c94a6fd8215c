"""The logarithm of a sum of exponentials, a softmax or a sigmoid is infinite where its value is an ordinary number.

## What it does
Reports `jnp.log(jnp.sum(jnp.exp(x)))`, `jnp.log(jax.nn.softmax(x))`, `jnp.log(jax.nn.sigmoid(x))` and
`jnp.log(1 - jax.nn.sigmoid(x))`. What the largest exponent is subtracted from, or
what is clipped before or after, is left alone, and so is what `jax.random.categorical` draws by.

## Why is this bad
In 32 bits `exp` is infinite from 89 on, and zero below -104: where one exponent is so large, or all are so small, the logarithm is
infinite, and its gradient NaN. A sigmoid is one from 17 on, and the logarithm of what is left of one infinite.
`jax.nn.logsumexp`, `jax.nn.log_softmax` and `jax.nn.log_sigmoid` compute the same without such numbers in between.

## Example
```python
evidence = jnp.log(jnp.sum(jnp.exp(log_joint), axis=-1))
```

## Use instead
```python
evidence = jax.nn.logsumexp(log_joint, axis=-1)
```

## When to ignore
Where the exponents are known to be small. Off in test files, which compare with the plain formula.

## Fix safety
Unsafe: the result differs in its last bits, and is a number where it was infinite.

## References
- JAX documentation, "jax.nn.logsumexp" (https://docs.jax.dev/en/latest/_autosummary/jax.nn.logsumexp.html)
- JAX documentation, "jax.nn.log_softmax" (https://docs.jax.dev/en/latest/_autosummary/jax.nn.log_softmax.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.exponentials import LogOfExponentials
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX532",
    name="log-of-exponentials",
    summary="Logarithm of a sum of exponentials, a softmax or a sigmoid, infinite where the exact value is finite.",
    category=Category.WRONG,
    hazards=(LogOfExponentials,),
    in_tests=False,
    fixable="unsafe",
)

# How the exponentials come into the logarithm -> the function of JAX that is finite, and where the logarithm is not.
_SAID = {
    "sum": ("logsumexp", "is infinite for `{}` above 88 or below -104"),
    "softmax": ("log_softmax", "is -inf where `{}` is 104 below its maximum"),
    "sigmoid": ("log_sigmoid", "is -inf for `{}` below -88"),
    "rest": ("log_sigmoid", "is -inf for `{}` above 17"),
}


def check(hazard: LogOfExponentials, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 30)
    stable, why = _SAID[hazard.how]
    shown = _negated(hazard, file, operand) if hazard.how == "rest" else operand
    yield Finding(
        hazard.site,
        f"`{file.code(hazard.site, 40)}` {why.format(operand)}",
        f"Use `jax.nn.{stable}({shown})`, which stays finite.",
        _stable(hazard, file, stable),
    )


def _stable(hazard: LogOfExponentials, file: File, stable: str) -> Fix | None:
    inner = file.unit.nodes[hazard.inner]
    start, end = file.span(hazard.site)
    inside = hazard.inner in file.unit and start <= file.span(hazard.inner)[0] < end
    within = hazard.operand in file.unit and start <= file.span(hazard.operand)[0] < end
    if not inside or not within or not isinstance(inner, ir.Call):
        return None
    rest = (
        inner.args[1:]
        if not isinstance(inner.func, ir.Attribute) or inner.func.attr != "sum" or _is_library(file, inner)
        else inner.args
    )
    function, imports = file.api(f"jax.nn.{stable}")
    options = [file.code(each.site) for each in (*rest, *inner.keywords)]
    operand = file.code(hazard.operand)
    if hazard.how == "rest":
        operand = _negated(hazard, file, operand)
    text = f"{function}({', '.join([operand, *options])})"
    return Fix(
        f"Use `{stable}`", (file.replace(hazard.site, text),), imports=imports, changes="the last digits may differ"
    )


def _negated(hazard: LogOfExponentials, file: File, operand: str) -> str:
    simple = isinstance(file.unit.nodes[hazard.operand], (ir.Name, ir.Attribute, ir.Call, ir.Subscript))
    return f"-{operand}" if simple else f"-({operand})"


def _is_library(file: File, call: ir.Call) -> bool:
    return any(getattr(value, "name", "") == "jax.numpy.sum" for value in file.values(call.func.site))
