"""NaN gradient of a norm or root at zero, or of an angle at one.

## What it does
Reports `jnp.linalg.norm`, `jnp.sqrt` of a sum of squares, and `jnp.std`, in functions that are
differentiated, where what they are computed of is zero for certain: the distances of all pairs of
points, `x[:, None, :] - x[None, :, :]` or `a - b` under two `vmap` over the same array, whose diagonal is zero, and arguments that are made of zeros
where the gradient is called. Also where the code expects zero, and adds a small number to what it divides by, or takes the
larger of the two: `x / (jnp.linalg.norm(x) + 1e-8)`, `x / jnp.maximum(x.std(), 1e-6)`; or cuts off at zero what the root is taken
of, `jnp.sqrt(jnp.maximum(v, 0))`, or a cosine at one, `jnp.arccos(jnp.clip(c, -1, 1))`. And `jnp.arccos` of the cosine of two
vectors, their product divided by their norms, which is one where they are parallel.

## Why is this bad
The derivative of a square root at zero is infinite, and that of the square inside is zero; their
product is NaN. What is cut off has a derivative of zero as well. The function itself gives the right value. A mask that is applied to the distances
afterwards does not help: zero times NaN is NaN.

## Example
```python
def energy(x):
    distances = jnp.linalg.norm(x[:, None, :] - x[None, :, :], axis=-1)
    return jnp.sum(distances)


jax.grad(energy)(positions)
```

## Use instead
```python
def energy(x):
    squared = jnp.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1)
    apart = squared > 0
    return jnp.sum(jnp.where(apart, jnp.sqrt(jnp.where(apart, squared, 1.0)), 0.0))


jax.grad(energy)(positions)
```

## When to ignore
Never where zero is certain: the gradient is NaN. A small number in the divisor may be there for data that never comes.

## Fix safety
Unsafe. The root is taken only where the squares sum to more than zero, and is zero elsewhere, with a
gradient of zero: values stay as they are, but for the last bits of a norm. In a lambda, where there is
no place for the sum, a small number is added under the root, which changes small values.

## References
- JAX documentation, "Frequently asked questions", gradients contain NaN where using `where`:
  https://docs.jax.dev/en/latest/faq.html
- JAX documentation, `jax.numpy.linalg.norm`: https://docs.jax.dev/en/latest/_autosummary/jax.numpy.linalg.norm.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.analysis.transforms.zero_norms import SingularGradient
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, is_plain, only, or_none, require
from jaxlint.rewrite.statements import above, free_name
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX525",
    summary="NaN gradient of a norm or root that is, or may be, zero, or of an angle whose cosine may be one.",
    category=Category.WRONG,
    hazards=(SingularGradient,),
    fixable="unsafe",
)


def check(hazard: SingularGradient, file: File) -> Iterator[Finding]:
    taken = f"`{hazard.transform.removeprefix('jax.')}` of {function_name(hazard.function)}"
    operation = file.code(hazard.site, 40)
    if hazard.reason == "pairs":
        message = f"NaN gradient of `{operation}` at zero self-distance"
        advice = f"Take the root only where the sum of squares of `{file.code(hazard.what, 40)}` is positive, or add a small number under the root."
    elif hazard.reason == "divisor":
        message = f"NaN gradient of `{operation}` where it is 0"
        advice = "Add the small number under the root, or choose it with `jnp.where` on both sides of the root."
    elif hazard.reason == "cut":
        message = f"NaN gradient of `{operation}` where `{file.code(hazard.what, 30)}` cuts off"
        advice = "Choose with `jnp.where` on both sides of the root, or cut off at a small positive number."
        if _is_angle(hazard, file):
            advice = "Cut off a little inside of -1 and 1, or compute the angle by `jnp.arctan2`."
    elif hazard.reason == "cosine":
        message = f"NaN gradient of `{operation}` of parallel vectors"
        advice = "Compute the angle by `jnp.arctan2` of the norm of the cross product, or keep the cosine inside of -1 and 1."
    else:
        message = f"NaN gradient of `{operation}` at zero"
        advice = "Add a small number under the root, or choose it with `jnp.where` on both sides of the root."
    yield Finding(hazard.site, message, advice, _fix(hazard, file), also=((f"{taken}, taken here", hazard.operand),))


def _is_angle(hazard: SingularGradient, file: File) -> bool:
    call = file.holding(hazard.site).unit.nodes[hazard.site]
    return isinstance(call, ir.Call) and ir.last_part(call.func)[:1] == "a"


@or_none
def _fix(hazard: SingularGradient, file: File) -> Fix:
    """The root of what is more than zero alone; in a lambda, of something that is a little more."""
    call, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    given = only(call.args)
    require(is_plain([given]))
    kind, text = _squares(call, draft)
    root = draft.api("jax.numpy.sqrt")
    statement = file.unit.statement(call.site)
    inside = next(
        each for each in file.unit.ancestors(call.site) if isinstance(each, (ir.Statement, ir.Lambda, ir.Comprehension))
    )
    simple = isinstance(statement, (ir.Assign, ir.Augment, ir.Return, ir.Evaluate)) and inside is statement
    name, line = "", None
    if simple and text.isidentifier():
        name = text
    elif simple:
        name = free_name(file, call.site, *(("radicand",) if hazard.reason == "cut" else kind))
        line = above(file, statement, f"{name} = {text}")
        name = "" if line is None else name
    if not name:
        draft.replace(call.site, f"{root}({text} + 1e-12)")
        return draft.fix("Add a small number under the root", "the result changes a little")
    where = draft.api("jax.numpy.where")
    draft.edits += [line] if line is not None else []
    draft.replace(call.site, f"{where}({name} > 0, {root}({where}({name} > 0, {name}, 1.0)), 0.0)")
    return draft.fix("Take the root of what is more than zero", "the gradient at zero is 0, not NaN")


def _squares(call: ir.Call, draft: Draft) -> tuple[tuple[str, ...], str]:
    """What the root is taken of: names for it, and its text."""
    file, last = draft.file, draft.file.code(call.func.site).rpartition(".")[2]
    given = call.args[0]
    if last == "sqrt" and not call.keywords:
        require(isinstance(given, (ir.Name, ir.Call, ir.Subscript, ir.Attribute, ir.Binary)))
        require("\n" not in file.code(given.site))
        return ("squared", "squares"), file.code(given.site)
    require(all(keyword.name not in (None, "out", "where") for keyword in call.keywords))
    options = [file.code(each.site) for each in call.keywords if each.name != "ord"]
    if last == "std":
        return ("variance", "spread"), draft.call("jax.numpy.var", argument(file, given.site), *options)
    require(last == "norm")
    power = "**2" if isinstance(given, (ir.Name, ir.Attribute)) else " ** 2"
    return ("squared", "squares"), draft.call("jax.numpy.sum", f"{operand(file, given.site)}{power}", *options)
