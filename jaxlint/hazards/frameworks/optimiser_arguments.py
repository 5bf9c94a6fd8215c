"""Missing, wrong or misplaced argument or part of an optimiser.

## What it does
Reports `update` without an argument that the optimiser needs beside the gradients and its state: the parameters for
weight decay and trust ratios, the value of the loss and the function itself for line searches. Also what stands in the
place of the gradients and is none: the pair that `jax.value_and_grad` returns, or the value in it, given to `update` or
to `apply_gradients`; an Equinox module that holds functions, given to `init`, or to `update` of `optax.MultiSteps`, and
one that holds numbers, such as the rate of a dropout layer, given to `init` of Adam and the like, where
`eqx.filter_grad` takes the gradients; and gradients that are given to `optax.apply_updates`, while nothing reads the
updates that were made of them; and gradients of a part of the tree that `init` was given, such as those of
`variables["params"]` for a state that was made for all `variables`; and a list that is given to `optax.chain`, which
takes one transformation an argument; gradients and state, state and parameters, or model and gradients, in each other's places, and updates and state bound to each
other's names; the pair of both given to `optax.apply_updates`; a label of `optax.multi_transform` that no transformation has; and an Equinox module that holds functions, given
to `optax.apply_updates`, or to `jax.tree.map` with a function that computes with every leaf. Of what runs and is wrong: decay of
weights or clipping after an optimiser in a chain, `optax.masked` around a whole optimiser, and a chain with a schedule whose
updates are applied and that negates nothing.

## Why is this bad
`adamw`, `lamb`, `adadelta` and others compute with the parameters, and raise `ValueError` or `TypeError` when they are
not passed; which ones do was measured. Zeros like a function cannot be made; numbers of Python get a state, and None
for a gradient; trees of another structure cannot be added, nor can functions: all of it raises. Gradients that are applied as they are raise
nothing: the parameters climb instead of descending. So do those of the parameters that the mask of `optax.masked`
leaves out. Decay that is added to a finished step lets the weights grow, and a finished step of Adam is hardly ever
longer than the norm it is clipped to.

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
Where the call is meant to raise, or a step of plain ascent is meant.

## Fix safety
Unsafe: the parameters that the updates are applied to are passed, a module is filtered for its arrays, and the updates
take the place of the gradients. The pair that `value_and_grad` gives is unpacked, and names that take it in the wrong
order change their places, as do arguments. Clipping moves to the beginning of its chain. A line search gets the value,
gradient and function of the one `value_and_grad` above, and `init` the part of the variables that is differentiated.
`eqx.apply_updates` takes the place of `optax.apply_updates`.

## References
- Optax documentation, "optax.GradientTransformation":
  https://optax.readthedocs.io/en/latest/api/transformations.html
- Equinox documentation, "Optax is throwing an error": https://docs.kidger.site/equinox/faq/
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.training.optimiser_chains import OptimiserOrder
from jaxlint.analysis.training.optimisers import GradientsAsUpdates, OptimiserMisuse
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope, only_value
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Category, Edit, Fix, ImportRequest

RULE = Rule(
    code="JAX631",
    name="optimiser-arguments",
    summary="Missing, wrong or misplaced argument or part of an optimiser.",
    category=Category.FAILS,
    hazards=(OptimiserMisuse, OptimiserOrder, GradientsAsUpdates),
    error="ValueError",
    fixable="unsafe",
)


def check(hazard: OptimiserMisuse | OptimiserOrder | GradientsAsUpdates, file: File) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    call = file.unit.nodes[hazard.site]
    method = file.code(call.func.site, 40) if isinstance(call, ir.Call) else operand
    if isinstance(hazard, GradientsAsUpdates):
        message = f"Gradients `{operand}` applied as updates"
        advice = f"Apply `{hazard.updates}`, which the optimiser computes from the gradients."
        edit = file.replace(hazard.operand, hazard.updates)
        fix = Fix(f"Apply `{hazard.updates}`", (edit,), changes="the parameters move the other way")
        yield Finding(hazard.site, message, advice, fix, ((f"`{hazard.updates}` is made here", hazard.made),))
    elif isinstance(hazard, OptimiserOrder):
        if not file.model.is_test:
            yield _order(hazard, file, operand)
    elif hazard.how == "state":
        message = f"State `{operand}` passed in place of the gradients"
        edits = _exchanged(file, call.args[0], call.args[1]) if isinstance(call, ir.Call) else ()
        fix = Fix("Swap the arguments", edits, changes="the second argument takes the place of the gradients")
        yield Finding(hazard.site, message, f"Pass the gradients first: `{method}(grads, state)`.", fix)
    elif hazard.how == "model":
        message = f"Gradients `{operand}` passed in place of the model"
        edits = _exchanged(file, call.args[0], call.args[1]) if isinstance(call, ir.Call) else ()
        fix = Fix("Swap the arguments", edits, changes="the second argument takes the place of the model")
        yield Finding(hazard.site, message, f"Pass the model first: `{method}(model, grads)`.", fix)
    elif hazard.how == "order":
        message = f"Parameters `{operand}` passed in place of the state"
        edits = _exchanged(file, call.args[1], call.args[2]) if isinstance(call, ir.Call) else ()
        fix = Fix("Swap the arguments", edits, changes="the third argument takes the place of the state")
        yield Finding(hazard.site, message, f"Pass the state second: `{method}(grads, state, params)`.", fix)
    elif hazard.how == "results":
        message = f"Updates bound to `{operand}`, the name of the state"
        target = file.unit.parent(hazard.operand)
        edits = _exchanged(file, *target.elements) if isinstance(target, ir.Sequence) else ()
        fix = Fix("Swap the names", edits, changes="both names have the value of the other")
        yield Finding(hazard.site, message, f"`{method}` returns the updates first, and then the state.", fix)
    elif hazard.how == "both":
        message = f"Pair of updates and state `{operand}` applied as updates"
        yield Finding(hazard.site, message, "Unpack `updates, state`, and apply the updates.")
    elif hazard.how == "label":
        message = f"Label `{hazard.optimiser!r}` of no transformation in `{method}`"
        yield Finding(hazard.site, message, "Add a transformation of that name, or change the label.")
    elif hazard.how == "missing":
        names = [f"`{name}`" for name in hazard.missing]
        listed = " and ".join([", ".join(names[:-1]), names[-1]] if names[1:] else names)
        message = f"`{method}` without {listed}, required by `{hazard.optimiser}`"
        advice = "Pass the parameters as the third argument." if hazard.missing == ("params",) else f"Pass {listed}."
        yield Finding(hazard.site, message, advice, _passed(hazard, file))
    elif hazard.how in ("functions", "numbers"):
        message = f"{hazard.how.capitalize()} in `{operand}` passed to an optimiser"
        advice = "Pass only the arrays: `eqx.filter(model, eqx.is_inexact_array)`."
        yield Finding(hazard.site, message, advice, _filtered(hazard, file))
    elif hazard.how == "applied":
        message = f"Updates applied to functions in `{operand}`"
        advice = "Apply them with `eqx.apply_updates`, which changes only the arrays."
        yield Finding(hazard.site, message, advice, _applied(hazard, file))
    elif hazard.how == "mapped":
        message = f"Arithmetic on functions in `{operand}`, by `{method}`"
        advice = "Apply changes with `eqx.apply_updates`, or map over `eqx.filter(model, eqx.is_array)` alone."
        yield Finding(hazard.site, message, advice)
    elif hazard.how == "part":
        message = f"Gradients `{operand}` cover only a part of the tree passed to `init`"
        advice = "Pass the differentiated parameters to `init`, such as `variables['params']`."
        also = (("the state is created here", hazard.made),) if hazard.made is not None else ()
        yield Finding(hazard.site, message, advice, _of_part(hazard, file), also)
    elif hazard.how == "list":
        message = f"List `{operand}` passed to `{method}`, which takes one transformation an argument"
        start = file.outer_span(hazard.operand)[0]
        fix = Fix(
            "Unpack the list", (file.insert(start, "*"),), changes="right where the list has only transformations"
        )
        yield Finding(hazard.site, message, f"Unpack it: `{method}(*{operand})`.", fix)
    elif hazard.how == "pair":
        message = f"Pair `{operand}` passed in place of the gradients"
        advice = "Unpack the pair, and pass only the gradients."
        yield Finding(hazard.site, message, advice, _unpacked(hazard, file))
    else:
        message = f"Function value `{operand}` passed in place of the gradients"
        advice = "Unpack `value, gradients` from `value_and_grad`, and pass the gradients."
        yield Finding(hazard.site, message, advice, _swapped(hazard, file))


def _order(hazard: OptimiserOrder, file: File, operand: str) -> Finding:
    if hazard.how == "masked":
        message = f"Gradients of masked parameters applied as updates by `{hazard.api}`"
        advice = "Use `optax.multi_transform` with `optax.set_to_zero()` for the other parameters."
        return Finding(hazard.site, message, advice)
    if hazard.how == "sign":
        message = f"Parameters climb the loss: nothing in the chain negates `{operand}`"
        advice = "Use `optax.scale_by_learning_rate` with the schedule, or add `optax.scale(-1.0)` to the chain."
        return Finding(hazard.site, message, advice, _negated(hazard, file))
    message = f"`{operand}` after `{hazard.optimiser}`, which gives the whole step"
    if hazard.how == "decay":
        message = f"Weights grow by `{operand}` after `{hazard.optimiser}`"
        advice = "Put it before the learning rate is applied, or use `optax.adamw`."
    else:
        advice = "Put it first in the chain, to clip the gradients."
    return Finding(hazard.operand, message, advice, _moved_first(hazard, file))


def _negated(hazard: OptimiserOrder, file: File) -> Fix | None:
    """`scale_by_learning_rate` in place of `scale_by_schedule`: it negates, and takes a schedule as well."""
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call) or len(call.args) != 1 or call.keywords:
        return None
    text, imports = file.api("optax.scale_by_learning_rate")
    edit = file.replace(call.func.site, text)
    return Fix("Negate the step", (edit,), imports=imports, changes="the parameters move the other way")


def _moved_first(hazard: OptimiserOrder, file: File) -> Fix | None:
    """The transformation at the beginning of the chain."""
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call) or hazard.how != "clip" or any(type(each) is ir.Starred for each in call.args):
        return None
    place = next(n for n, each in enumerate(call.args) if each.site == hazard.operand)
    start, end = file.outer_span(call.args[0].site)[0], file.outer_span(call.args[place].site)[1]
    before = file.outer_span(call.args[place - 1].site)[1]
    edits = (file.insert(start, f"{file.code(hazard.operand)}, "), Edit(before, end, ""))
    return Fix("Clip the gradients first", edits, changes="the optimiser is given clipped gradients")


def _exchanged(file: File, first: ir.Node, second: ir.Node) -> tuple[Edit, ...]:
    return file.replace(first.site, file.code(second.site)), file.replace(second.site, file.code(first.site))


def _passed(hazard: OptimiserMisuse, file: File) -> Fix | None:
    """Pass the parameters that the updates are applied to, in the same scope."""
    call, statement = file.unit.nodes[hazard.site], file.unit.statement(hazard.site)
    if "value_fn" in hazard.missing and isinstance(call, ir.Call):
        return _of_line_search(hazard, file, call)
    if hazard.missing != ("params",) or not isinstance(call, ir.Call) or call.keywords or len(call.args) != 2:
        return None
    target = statement.targets[0] if isinstance(statement, ir.Assign) else None
    updates = target.elements[0] if isinstance(target, ir.Sequence) and target.elements else None
    if not isinstance(updates, ir.Name):
        return None
    for node in ir.walk(file.unit.scope(hazard.site).body, into_scopes=False):
        if not isinstance(node, ir.Call) or len(node.args) != 2 or node.keywords:
            continue
        params, given = node.args
        if not isinstance(params, ir.Name) or not isinstance(given, ir.Name) or given.id != updates.id:
            continue
        if file.is_api(node.func.site, "optax.apply_updates"):
            text, imports = params.id, frozenset[ImportRequest]()
        elif file.is_api(node.func.site, "equinox.apply_updates"):
            text, imports = _arrays(file, params.id)
        else:
            continue
        end = file.outer_span(call.args[1].site)[1]
        changes = f"right where the updates are for `{params.id}`"
        return Fix("Pass the parameters", (file.insert(end, f", {text}"),), imports=imports, changes=changes)
    return None


def _of_line_search(hazard: OptimiserMisuse, file: File, call: ir.Call) -> Fix | None:
    """Pass value, gradient and function, where one statement of the scope has made them: `value, grad = value_and_grad(f)(params)`."""
    made = [
        node for node in ir.walk(file.unit.scope(call.site).body, into_scopes=False)
        if isinstance(node, ir.Assign) and isinstance(node.targets[0], ir.Sequence) and isinstance(node.value, ir.Call)
        and call.args and [file.code(each.site) for each in node.targets[0].elements][1:] == [file.code(call.args[0].site)]
    ]  # fmt: skip
    if len(made) != 1 or call.keywords or len(call.args) != 3:
        return None
    taken, target = made[0].value, made[0].targets[0]
    assert isinstance(taken, ir.Call) and isinstance(target, ir.Sequence)
    transform = taken.func
    if not isinstance(transform, ir.Call) or len(transform.args) != 1 or transform.keywords or taken.keywords:
        return None
    names = {getattr(value, "name", "") for value in file.values(transform.func.site)}
    params, *rest = [file.code(each.site) for each in taken.args] or [""]
    if names != {"jax.value_and_grad"} or params != file.code(call.args[2].site):
        return None
    function = file.code(transform.args[0].site)
    value = file.code(target.elements[0].site)
    given = {"value": value, "grad": file.code(call.args[0].site), "value_fn": function}
    if rest:
        given["value_fn"] = f"lambda {params}: {function}({', '.join([params, *rest])})"
    text = ", ".join(f"{name}={given[name]}" for name in hazard.missing if name in given)
    edit = file.insert(file.outer_span(call.args[2].site)[1], f", {text}")
    changes = f"right where the loss is `{function}`"
    return (
        Fix("Pass what the line search needs", (edit,), changes=changes) if set(hazard.missing) <= set(given) else None
    )


def _of_part(hazard: OptimiserMisuse, file: File) -> Fix | None:
    """`init` of the one part of a dict that the file takes: `variables["params"]`."""
    init = file.unit.nodes[hazard.made] if hazard.made is not None and hazard.made in file.unit else None
    if not isinstance(init, ir.Call) or len(init.args) != 1 or not isinstance(init.args[0], ir.Name):
        return None
    whole = init.args[0]
    parts = {
        file.code(node.site) for node in file.unit.own
        if isinstance(node, ir.Subscript) and isinstance(node.value, ir.Name) and node.value.id == whole.id
        and defining_scope(file.unit, node.site, whole.id) is defining_scope(file.unit, whole.site, whole.id)
    }  # fmt: skip
    part = parts.pop() if len(parts) == 1 else ""
    changes = f"the state is that of `{part}` alone"
    return Fix(f"Pass `{part}` to `init`", (file.replace(whole.site, part),), changes=changes) if part else None


def _unpacked(hazard: OptimiserMisuse, file: File) -> Fix | None:
    """`_, grads = value_and_grad(…)(…)`, where this alone reads the pair."""
    name, scope = file.unit.nodes[hazard.operand], file.unit.scope(hazard.site)
    made = only_value(scope, name.id) if isinstance(name, ir.Name) else None
    statement = file.unit.statement(made.site) if isinstance(made, ir.Call) else None
    if not isinstance(name, ir.Name) or not isinstance(statement, ir.Assign) or statement.value is not made:
        return None
    reads = [each for each in ir.walk(scope.body) if isinstance(each, ir.Name) and each.id == name.id]
    if len(reads) != 2 or len(statement.targets) != 1:
        return None
    start = file.span(statement.targets[0].site)[0]
    edit = file.insert(start, f"{free_name(file, hazard.site, '_', 'value')}, ")
    return Fix(
        "Unpack the pair, and pass the gradients alone", (edit,), changes="right where the second part is the gradient"
    )


def _swapped(hazard: OptimiserMisuse, file: File) -> Fix | None:
    """`loss, grads = …` for `grads, loss = …`."""
    name, scope = file.unit.nodes[hazard.operand], file.unit.scope(hazard.site)
    bound = bindings(scope, name.id) if isinstance(name, ir.Name) else []
    target = bound[0].targets[0] if len(bound) == 1 and isinstance(bound[0], ir.Assign) else None
    if not isinstance(target, ir.Sequence) or len(target.elements) != 2:
        return None
    first, second = target.elements
    if not all(isinstance(each, ir.Name) and len(bindings(scope, each.id)) == 1 for each in (first, second)):
        return None
    return Fix("Swap the names", _exchanged(file, first, second), changes="both names have the value of the other")


def _filtered(hazard: OptimiserMisuse, file: File) -> Fix:
    text, imports = _arrays(file, file.code(hazard.operand))
    changes = "the optimiser keeps state for arrays of floats alone"
    return Fix("Pass the arrays alone", (file.replace(hazard.operand, text),), imports=imports, changes=changes)


def _applied(hazard: OptimiserMisuse, file: File) -> Fix | None:
    """`eqx.apply_updates`, which has the same parameters in the same places."""
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call) or call.keywords:
        return None
    text, imports = file.api("equinox.apply_updates")
    changes = "functions stay as they are"
    return Fix(f"Call `{text}`", (file.replace(call.func.site, text),), imports=imports, changes=changes)


def _arrays(file: File, module: str) -> tuple[str, frozenset[ImportRequest]]:
    """The arrays of a module that have gradients."""
    taken, imports = file.api("equinox.filter")
    kind, more = file.api("equinox.is_inexact_array")
    return f"{taken}({module}, {kind})", imports | more
