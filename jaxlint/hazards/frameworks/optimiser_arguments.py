"""Missing or misplaced argument of an optimiser.

## What it does
Reports `update` without an argument that the optimiser needs beside the gradients and its state: the parameters for
weight decay and trust ratios, the value of the loss and the function itself for line searches. Also an argument in the
place of another: the pair that `jax.value_and_grad` returns, or the value in it, for the gradients of `update` and
`apply_gradients`; gradients and state, state and parameters, or model and gradients in each other's places; updates and
state bound to each other's names; the pair of both for the updates of `optax.apply_updates`; and a list for the
transformations of `optax.chain`, which takes one in each argument.

## Why is this bad
`adamw`, `lamb`, `adadelta` and others compute with the parameters, and raise `ValueError` or `TypeError` when they are
not passed; which ones do was measured. Trees of another structure cannot be added: nearly every misplaced argument
raises. An NNX optimiser that takes the gradients for the model changes the gradients and leaves the model as it is.

## Example
```python
import jax
import jax.numpy as jnp
import optax

optimiser = optax.adamw(1e-3)

def step(params, state, x):
    grads = jax.grad(lambda p: jnp.sum((x @ p) ** 2))(params)
    updates, state = optimiser.update(grads, state)
    return optax.apply_updates(params, updates), state
```

## Use instead
```python
import jax
import jax.numpy as jnp
import optax

optimiser = optax.adamw(1e-3)

def step(params, state, x):
    grads = jax.grad(lambda p: jnp.sum((x @ p) ** 2))(params)
    updates, state = optimiser.update(grads, state, params)
    return optax.apply_updates(params, updates), state
```

## When to ignore
Where the call is meant to raise.

## Fix safety
Unsafe: the parameters that the updates are applied to are passed, the pair of `value_and_grad` is unpacked, and names or
arguments in the wrong order change their places. A line search gets the value, the gradient and the function of the one
`value_and_grad` above it.

## References
- Optax documentation, "optax.GradientTransformation":
  https://optax.readthedocs.io/en/latest/api/transformations.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.training.optimisers import (
    MisplacedOptimiserArgument,
    MissingOptimiserArgument,
    SwappedOptimiserResults,
)
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.equinox_fixes import trainable
from jaxlint.rewrite.operands import is_path
from jaxlint.rewrite.requirements import expect, only, or_none, pair_of, require
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Category, Edit, Fix, ImportRequest

RULE = Rule(
    code="JAX631",
    category=Category.FAILS,
    hazards=(MissingOptimiserArgument, MisplacedOptimiserArgument, SwappedOptimiserResults),
    error="ValueError",
    fixable="unsafe",
)

_SUBJECTS = {
    "pair": "Pair",
    "value": "Function value",
    "state": "State",
    "gradients": "Gradients",
    "parameters": "Parameters",
}
_PLACES = {"gradients": 0, "model": 0, "state": 1}
_ORDERS = {"gradients": "grads, state", "model": "model, grads", "state": "grads, state, params"}


def check(
    hazard: MissingOptimiserArgument | MisplacedOptimiserArgument | SwappedOptimiserResults, file: File
) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    call, method = file.unit.nodes[hazard.site], file.called(hazard.site, operand)
    if isinstance(hazard, MissingOptimiserArgument):
        names = [f"`{name}`" for name in hazard.missing]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        message = f"`{method}` without {listed}, required by `{hazard.optimiser}`"
        advice = "Pass the parameters as the third argument." if hazard.missing == ("params",) else f"Pass {listed}."
        yield Finding(hazard.site, message, advice, _passed(hazard, file))
    elif isinstance(hazard, SwappedOptimiserResults):
        message = f"Updates bound to `{operand}`, the name of the state"
        target = file.unit.parent(hazard.operand)
        edits = _exchanged(file, *target.elements) if isinstance(target, ir.Sequence) else ()
        fix = Fix("Swap the names", edits, changes="both names have the value of the other")
        yield Finding(hazard.site, message, f"`{method}` returns the updates first, and then the state.", fix)
    elif hazard.given == "results":
        message = f"Pair of updates and state `{operand}` applied as updates"
        yield Finding(hazard.site, message, "Unpack `updates, state`, and apply the updates.")
    elif hazard.given == "list":
        message = f"List `{operand}` passed to `{method}`, which takes one transformation an argument"
        star = file.insert(file.outer_span(hazard.operand)[0], "*")
        fix = Fix("Unpack the list", (star,), changes="right where the list has only transformations")
        yield Finding(hazard.site, message, f"Unpack it: `{method}(*{operand})`.", fix)
    else:
        message = f"{_SUBJECTS[hazard.given]} `{operand}` passed in place of the {hazard.place}"
        yield Finding(hazard.site, message, *_in_place(hazard, file, call, method))


def _in_place(hazard: MisplacedOptimiserArgument, file: File, call: ir.Node, method: str) -> tuple[str, Fix | None]:
    """Advice and fix for what a call of `update` takes for something else."""
    if hazard.given == "pair":
        return "Unpack the pair, and pass only the gradients.", _unpacked(hazard, file)
    if hazard.given == "value":
        advice = "Unpack `value, gradients` from `value_and_grad`, and pass the gradients."
        return advice, _swapped(hazard, file)
    place = _PLACES[hazard.place]
    edits = _exchanged(file, call.args[place], call.args[place + 1]) if isinstance(call, ir.Call) else ()
    ordinal = ("second", "third")[place]
    fix = Fix("Swap the arguments", edits, changes=f"the {ordinal} argument takes the place of the {hazard.place}")
    return f"Pass the {hazard.place} {('first', 'second')[place]}: `{method}({_ORDERS[hazard.place]})`.", fix


def _exchanged(file: File, first: ir.Node, second: ir.Node) -> tuple[Edit, ...]:
    return file.replace(first.site, file.code(second.site)), file.replace(second.site, file.code(first.site))


@or_none
def _passed(hazard: MissingOptimiserArgument, file: File) -> Fix | None:
    """Pass the parameters that the updates are applied to, in the same scope."""
    call, statement = file.unit.nodes[hazard.site], file.unit.statement(hazard.site)
    if "value_fn" in hazard.missing and isinstance(call, ir.Call):
        return _of_line_search(hazard, file, call)
    require(hazard.missing == ("params",) and len(expect(ir.Call, call).args) == 2 and not call.keywords)
    pair = expect(ir.Sequence, expect(ir.Assign, statement).targets[0]).elements
    updates = expect(ir.Name, pair[0] if pair else None)
    for node in ir.walk(file.unit.scope(hazard.site).body, into_scopes=False):
        if not isinstance(node, ir.Call) or len(node.args) != 2 or node.keywords:
            continue
        params, given = node.args
        if not is_path(params) or not isinstance(given, ir.Name) or given.id != updates.id:
            continue
        code = file.code(params.site)
        if file.is_api(node.func.site, "optax.apply_updates"):
            text, imports = code, frozenset[ImportRequest]()
        elif file.is_api(node.func.site, "equinox.apply_updates"):
            text, imports = trainable(file, code)
        else:
            continue
        end = file.outer_span(call.args[1].site)[1]
        changes = f"right where the updates are for `{code}`"
        return Fix("Pass the parameters", (file.insert(end, f", {text}"),), imports=imports, changes=changes)
    return None


@or_none
def _of_line_search(hazard: MissingOptimiserArgument, file: File, call: ir.Call) -> Fix:
    """Pass value, gradient and function, where one statement of the scope has made them: `value, grad = value_and_grad(f)(params)`."""
    made = only(
        node for node in ir.walk(file.unit.scope(call.site).body, into_scopes=False)
        if isinstance(node, ir.Assign) and isinstance(node.targets[0], ir.Sequence) and isinstance(node.value, ir.Call)
        and call.args and [file.code(each.site) for each in node.targets[0].elements][1:] == [file.code(call.args[0].site)]
    )  # fmt: skip
    require(len(call.args) == 3 and not call.keywords)
    taken, target = expect(ir.Call, made.value), expect(ir.Sequence, made.targets[0])
    transform = expect(ir.Call, taken.func)
    require(len(transform.args) == 1 and not transform.keywords and not taken.keywords)
    names = {getattr(value, "name", "") for value in file.values(transform.func.site)}
    params, *rest = [file.code(each.site) for each in taken.args] or [""]
    require(names == {"jax.value_and_grad"} and params == file.code(call.args[2].site))
    function = file.code(transform.args[0].site)
    value = file.code(target.elements[0].site)
    given = {"value": value, "grad": file.code(call.args[0].site), "value_fn": function}
    if rest:
        given["value_fn"] = f"lambda {params}: {function}({', '.join([params, *rest])})"
    require(set(hazard.missing) <= set(given))
    text = ", ".join(f"{name}={given[name]}" for name in hazard.missing)
    edit = file.insert(file.outer_span(call.args[2].site)[1], f", {text}")
    return Fix("Pass what the line search needs", (edit,), changes=f"right where the loss is `{function}`")


@or_none
def _unpacked(hazard: MisplacedOptimiserArgument, file: File) -> Fix:
    """`_, grads = value_and_grad(…)(…)`, where this alone reads the pair."""
    name, scope = expect(ir.Name, file.unit.nodes[hazard.operand]), file.unit.scope(hazard.site)
    made = expect(ir.Call, only_value(scope, name.id))
    statement = expect(ir.Assign, file.unit.statement(made.site))
    require(statement.value is made and len(statement.targets) == 1 and len(ir.names_below(scope.body)[name.id]) == 2)
    start = file.span(statement.targets[0].site)[0]
    edit = file.insert(start, f"{free_name(file, hazard.site, '_', 'value')}, ")
    changes = "right where the second part is the gradient"
    return Fix("Unpack the pair, and pass the gradients alone", (edit,), changes=changes)


@or_none
def _swapped(hazard: MisplacedOptimiserArgument, file: File) -> Fix:
    """`loss, grads = …` for `grads, loss = …`."""
    name, scope = expect(ir.Name, file.unit.nodes[hazard.operand]), file.unit.scope(hazard.site)
    bound = expect(ir.Assign, only(bindings(scope, name.id)))
    first, second = pair_of(bound.targets[0])
    require(all(len(bindings(scope, expect(ir.Name, each).id)) == 1 for each in (first, second)))
    return Fix("Swap the names", _exchanged(file, first, second), changes="both names have the value of the other")
