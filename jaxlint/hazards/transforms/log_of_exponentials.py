"""Logarithms of sums and products, and quotients of exponentials, that are infinite or NaN where the exact value is an ordinary number.

## What it does
Reports `jnp.log(jnp.sum(jnp.exp(x)))`, `jnp.log(jax.nn.softmax(x))`, `jnp.log(jax.nn.sigmoid(x))` and
`jnp.log(1 - jax.nn.sigmoid(x))`. What the largest exponent is subtracted from, or
what is clipped before or after, is left alone, and so is what `jax.random.categorical` draws by.
Also `jnp.log(jnp.prod(p))` of an array of floats, and softmax and sigmoid by hand: `e / e.sum()` with `e = jnp.exp(x)`,
`jnp.exp(x) / (1 + jnp.exp(x))`, where nothing is seen that bounds `x`.

## Why is this bad
In 32 bits `exp` is infinite from 89 on, and zero below -104: where one exponent is so large, or all are so small, the logarithm is
infinite, the quotient NaN, and so is its gradient. A sigmoid is one from 17 on, and the logarithm of what is left of one infinite.
A product of many densities or probabilities is zero below 1e-45, and its logarithm minus infinity.
`jax.nn.logsumexp`, `jax.nn.log_softmax`, `jax.nn.log_sigmoid`, `jax.nn.softmax` and a sum of logarithms compute the same without
such numbers in between.

## Example
```python
evidence = jnp.log(jnp.sum(jnp.exp(log_joint), axis=-1))
log_likelihood = jnp.log(jnp.prod(density(x)))
```

## Use instead
```python
evidence = jax.nn.logsumexp(log_joint, axis=-1)
log_likelihood = jnp.sum(jnp.log(density(x)))
```

## When to ignore
Where the exponents are known to be small, and the factors few. Off in test files, which compare with the plain formula.

## Fix safety
Unsafe: the result differs in its last bits, and is a number where it was infinite. A product of two negative numbers has a
logarithm, and the sum of theirs is NaN.

## References
- JAX documentation, "jax.nn.logsumexp" (https://docs.jax.dev/en/latest/_autosummary/jax.nn.logsumexp.html)
- JAX documentation, "jax.nn.log_softmax" (https://docs.jax.dev/en/latest/_autosummary/jax.nn.log_softmax.html)
- JAX documentation, "jax.nn.softmax" (https://docs.jax.dev/en/latest/_autosummary/jax.nn.softmax.html)
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.checkers.arrays.exponentials import LogOfExponentials, UnshiftedSoftmax, without_axes
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import reads_of
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand as operand_text
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX532",
    summary="Logarithm or quotient of exponentials or a product, infinite or NaN where the exact value is finite.",
    category=Category.WRONG,
    hazards=(LogOfExponentials, UnshiftedSoftmax),
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


# The function of a product -> that of the sum of the logarithms.
_SUMS = {"prod": "sum", "cumprod": "cumsum"}


def check(hazard: LogOfExponentials | UnshiftedSoftmax, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 30)
    if isinstance(hazard, UnshiftedSoftmax):
        yield Finding(
            hazard.site,
            f"`{file.code(hazard.site, 40)}` is NaN for `{operand}` above 88",
            f"Use `jax.nn.{hazard.how}({operand})`, which stays finite.",
            _shifted(hazard, file),
        )
        return
    if hazard.how in _SUMS:
        yield Finding(
            hazard.site,
            f"`{file.code(hazard.site, 40)}` is -inf where the product is below 1e-45",
            f"Use `jnp.{_SUMS[hazard.how]}(jnp.log({operand}))`, which stays finite.",
            _sum_of_logarithms(hazard, file),
        )
        return
    stable, why = _SAID[hazard.how]
    shown = _negated(hazard, file, operand) if hazard.how == "rest" else operand
    yield Finding(
        hazard.site,
        f"`{file.code(hazard.site, 40)}` {why.format(operand)}",
        f"Use `jax.nn.{stable}({shown})`, which stays finite.",
        _stable(hazard, file, stable),
    )


@or_none
def _stable(hazard: LogOfExponentials, file: File, stable: str) -> Fix:
    inner, draft = expect(ir.Call, file.unit.nodes[hazard.inner]), Draft(file)
    start, end = file.span(hazard.site)
    for site in (hazard.inner, hazard.operand):
        require(site in file.unit and start <= file.span(site)[0] < end)
    is_method = isinstance(inner.func, ir.Attribute) and inner.func.attr == "sum" and not _is_library(file, inner)
    rest = inner.args if is_method else inner.args[1:]
    operand = file.code(hazard.operand)
    if hazard.how == "rest":
        operand = _negated(hazard, file, operand)
    options = [file.code(each.site) for each in (*rest, *inner.keywords)]
    draft.replace(hazard.site, draft.call(f"jax.nn.{stable}", operand, *options))
    return draft.fix(f"Use `{stable}`", "the last digits may differ")


def _is_inside(file: File, part: int, site: int) -> bool:
    """Whether an expression stands in another one, in the text of the file."""
    if part not in file.unit or site not in file.unit:
        return False
    start, end = file.span(site)
    return start <= file.span(part)[0] < end


@or_none
def _sum_of_logarithms(hazard: LogOfExponentials, file: File) -> Fix:
    outer, inner, draft = file.unit.nodes[hazard.site], file.unit.nodes[hazard.inner], Draft(file)
    require(_is_inside(file, hazard.inner, hazard.site) and _is_inside(file, hazard.operand, hazard.inner))
    method = isinstance(inner.func, ir.Attribute) and inner.func.value.site == hazard.operand
    rest = inner.args if method else inner.args[1:]
    require(len(outer.args) == 1 and not outer.keywords and len(rest) <= 1)
    require({each.name for each in inner.keywords} <= {"axis", "keepdims"})
    logarithms = f"{file.code(outer.func.site)}({argument(file, hazard.operand)})"
    options = [file.code(each.site) for each in (*rest, *inner.keywords)]
    draft.replace(hazard.site, draft.call(f"jax.numpy.{_SUMS[hazard.how]}", logarithms, *options))
    return draft.fix("Add the logarithms up", "factors below zero have no logarithm")


@or_none
def _shifted(hazard: UnshiftedSoftmax, file: File) -> Fix:
    """Softmax or sigmoid in place of the quotient; or the exponents without their maximum, where a name holds the exponentials."""
    for site in (hazard.site, hazard.total, hazard.exponential, hazard.operand):
        require(site in file.unit)
    quotient, total, draft = file.unit.nodes[hazard.site], file.unit.nodes[hazard.total], Draft(file)
    exponents = argument(file, hazard.operand)
    changes = "the last digits may differ"
    inside = _is_inside(file, hazard.exponential, hazard.site)
    if hazard.how == "sigmoid":
        require(inside)
        draft.replace(hazard.site, draft.call("jax.nn.sigmoid", exponents))
        return draft.fix("Use `sigmoid`", changes)
    axis = f"axis={_axis(total, quotient, file)}"
    if inside:
        draft.replace(hazard.site, draft.call("jax.nn.softmax", exponents, axis))
        return draft.fix("Use `softmax`", changes)
    reads = known(reads_of(file.unit, expect(ir.Assign, file.unit.statement(hazard.exponential))))
    require(all(_is_inside(file, each.site, hazard.site) for each in reads))
    most = draft.call("jax.numpy.max", exponents, axis, "keepdims=True")
    draft.replace(hazard.operand, f"{operand_text(file, hazard.operand)} - {most}")
    return draft.fix("Subtract the maximum first", changes)


def _axis(total: ir.Node, quotient: ir.Binary, file: File) -> str:
    """The axis along which exponentials are divided by their sum."""
    call = expect(ir.Call, total)
    method = isinstance(call.func, ir.Attribute) and not _is_library(file, call)
    options = {each.name: each.value for each in call.keywords}
    rest = call.args if method else call.args[1:]
    require(len(rest) <= 1 and options.keys() <= {"axis", "keepdims"} and is_plain(rest))
    axis = rest[0] if rest else options.get("axis")
    if axis is None:
        return "None"
    kept = options.get("keepdims")
    is_kept = isinstance(kept, ir.Constant) and kept.value is True
    spread = quotient.right is not without_axes(quotient.right)
    require(is_kept or spread or isinstance(axis, ir.Constant) and axis.value == 0)
    return file.code(axis.site)


def _negated(hazard: LogOfExponentials, file: File, operand: str) -> str:
    simple = isinstance(file.unit.nodes[hazard.operand], (ir.Name, ir.Attribute, ir.Call, ir.Subscript))
    return f"-{operand}" if simple else f"-({operand})"


def _is_library(file: File, call: ir.Call) -> bool:
    return any(getattr(value, "name", "") == "jax.numpy.sum" for value in file.values(call.func.site))
