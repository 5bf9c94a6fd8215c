"""Gradient that is zero everywhere, of a function or of a term in it.

## What it does
Reports calls of `jax.grad`, `jax.value_and_grad` and their kin whose function depends on what is
differentiated only through operations without a derivative: rounding, comparing, `argmax`, `sign`, draws of integers,
conversion to integers, or reads the variable that is passed in place of its parameter; the same of one part of the
parameters. Also `eqx.filter_grad` of a module whose fields are all Python numbers: it differentiates by arrays
alone, and gives None for each number. Also terms that add nothing to a gradient: a sum or mean of what `lax.stop_gradient` gives in each of several parts,
`mean((stop_gradient(a) - stop_gradient(b)) ** 2)`, beside other terms, and the straight-through estimator with a stop that ends
too early, `x + stop_gradient(q) - x`, from which `x` cancels. Functions that stop the gradient on purpose, with `lax.stop_gradient`, and
those that have a derivative rule of their own are not reported.

## Why is this bad
Nothing fails. The gradient is zero, and an optimizer that is fed with it never moves.

## Example
```python
def loss(params, x, labels):
    return 1 - jnp.mean(jnp.argmax(x @ params, -1) == labels)


gradient = jax.grad(loss)(params, x, labels)
```

## Use instead
```python
def loss(params, x, labels):
    logits = x @ params
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()
```

## When to ignore
Where a gradient of zero is what is shown, as in a test or a lesson.

## Fix safety
Shown only: where one rounding, or one conversion to integers, is all that has no derivative, a
straight-through estimator takes its place, which keeps the value and lets the gradient pass. Otherwise
another function has to be minimized.

## References
- JAX documentation, "Automatic differentiation": https://docs.jax.dev/en/latest/automatic-differentiation.html
- JAX documentation, "Advanced automatic differentiation" (straight-through estimator):
  https://docs.jax.dev/en/latest/advanced-autodiff.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.values import Api, FunctionValue
from jaxlint.analysis.transforms.flat_gradients import ZeroGradient
from jaxlint.analysis.transforms.stopped_gradients import StoppedTerm
from jaxlint.analysis.transforms.wrap_and_call import function_name
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, only, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX524",
    category=Category.WRONG,
    hazards=(ZeroGradient, StoppedTerm),
    fixable="unsafe",
)

_ROUNDING = frozenset(f"jax.numpy.{name}" for name in "round around rint floor ceil trunc fix".split())
_WITHOUT = frozenset("argmax argmin sign argsort searchsorted digitize count_nonzero where equal less greater".split())


def check(hazard: ZeroGradient | StoppedTerm, file: File) -> Iterator[Finding]:
    if isinstance(hazard, StoppedTerm):
        yield _of_term(hazard, file)
        return
    if hazard.module:
        yield Finding(
            hazard.site,
            f"No gradient of `{file.code(hazard.operand, 40)}`: all fields of `{hazard.module}` are Python numbers",
            "Make arrays of what is trained: `jnp.asarray(…)` where the object is made.",
        )
        return
    name = function_name(hazard.function)
    if hazard.unread:
        yield Finding(
            hazard.site,
            f"Gradient of {name} is zero everywhere; it never reads `{hazard.unread}`",
            f"Compute with the parameter `{hazard.unread}`, and not with a variable from outside.",
        )
        return
    if hazard.part:
        yield Finding(
            hazard.site,
            f"Gradient of {name} with respect to `{hazard.part}` is zero everywhere",
            "What is computed of it is only rounded, compared or counted: minimize a smooth function of it instead.",
        )
        return
    if hazard.drawn:
        yield Finding(
            hazard.site,
            f"Gradient of {name} is zero everywhere; it does not pass `{file.code(hazard.site, 40)}`",
            "Drawn integers have no derivative. Weight the logarithm of their probability with what comes of them"
            " (the score function), or draw a continuous relaxation, such as `softmax` of logits with Gumbel noise.",
        )
        return
    message = f"Gradient of {name} is zero everywhere; it only rounds, compares or counts"
    advice = (
        "Minimize a smooth function instead, or let the gradient pass with"
        " `x + jax.lax.stop_gradient(rounded - x)`, where `rounded` is computed from `x`."
    )
    yield Finding(hazard.site, message, advice, _straight_through(file, hazard))


def _of_term(hazard: StoppedTerm, file: File) -> Finding:
    text = file.code(hazard.site, 40)
    if hazard.cancelled < 0:
        return Finding(
            hazard.site,
            f"No gradient of `{text}`: all of it is stopped",
            "Stop the gradient of one side alone, or leave the term out.",
        )
    cancelled = file.code(hazard.cancelled, 30)
    return Finding(
        hazard.site,
        f"No gradient of `{text}`: `{cancelled}` cancels",
        f"Take `{cancelled}` off inside of `stop_gradient`, so that it is stopped as well.",
        _stopped_difference(hazard, file),
    )


@or_none
def _stopped_difference(hazard: StoppedTerm, file: File) -> Fix:
    """`x + stop_gradient(q - x)` for `x + stop_gradient(q) - x`."""
    total, stop = expect(ir.Binary, file.unit.nodes[hazard.site]), plain_call(file.unit.nodes[hazard.stop], 1)
    added = expect(ir.Binary, total.left)
    require(total.op == "-" and added.op == "+" and added.right is stop and added.left.site == hazard.cancelled)
    given, taken = stop.args[0], operand(file, total.right.site)
    plain = isinstance(given, ir.Binary) and given.op in ("*", "/", "**", "@", "+", "-")
    inside = file.code(given.site) if plain else operand(file, given.site)
    text = f"{file.code(added.left.site)} + {file.code(stop.func.site)}({inside} - {taken})"
    require("\n" not in text)
    edit = file.replace(hazard.site, text)
    return Fix("Stop the gradient of the difference", (edit,), changes="the gradient passes through")


@or_none
def _straight_through(file: File, hazard: ZeroGradient) -> Fix:
    """The value of the one rounding, with the derivative of what is rounded."""
    function, draft = expect(FunctionValue, hazard.function).function, Draft(file)
    require(function.site in file.unit)
    rounded: list[tuple[ir.Call, ir.Node]] = []
    for node in ir.walk(function.body):
        require(not isinstance(node, (ir.Compare, ir.Boolean)))
        if not isinstance(node, ir.Call):
            continue
        names = {value.name for value in file.values(node.func.site) if type(value) is Api}
        if names and names <= _ROUNDING and len(node.args) == 1 and not node.keywords:
            rounded.append((node, node.args[0]))
        elif isinstance(node.func, ir.Attribute) and node.func.attr == "astype" and "int" in file.code(node.site):
            rounded.append((node, node.func.value))
        else:
            require(file.code(node.func.site).rpartition(".")[2] not in _WITHOUT)
    call, value = only(rounded)
    require(len(file.code(value.site)) <= 40 and "\n" not in file.code(call.site))
    require(not isinstance(value, (ir.Starred, ir.Conditional, ir.Lambda)))
    difference = f"{file.code(call.site)} - {operand(file, value.site)}"
    text = f"{argument(file, value.site)} + {draft.call('jax.lax.stop_gradient', difference)}"
    alone = isinstance(file.unit.parent(call.site), (ir.Assign, ir.Return, ir.Call))
    draft.replace(call.site, text if alone else f"({text})")
    title = "Let the gradient pass straight through the rounding"
    return draft.fix(title, level=Applicability.DISPLAY)
