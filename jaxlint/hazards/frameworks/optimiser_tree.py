"""Tree that an optimiser, or the step of one, cannot compute with.

## What it does
Reports an Equinox module that holds functions, given to `init`, to `update` of `optax.MultiSteps`, to
`optax.apply_updates`, or to `jax.tree.map` with a function that computes with every leaf. Also one that holds numbers,
such as the rate of a dropout layer, given to `init` of Adam and the like where `eqx.filter_grad` takes the gradients;
gradients of a part of the tree that `init` was given, such as those of `variables["params"]` for a state of all
`variables`; a label of `optax.multi_transform` that no transformation has, and labels in a module with a `__call__`, which Optax
takes for a function that gives them; `eqx.filter` of a module that then calls a function which it was left without.

## Why is this bad
There are no zeros like a function, and nothing can be added to one. Numbers of Python get a state, and `None` for a
gradient. State, gradients and parameters are trees of one structure: all of this raises.

## Example
```python
import equinox as eqx
import jax
import optax

model = eqx.nn.MLP(2, 1, 4, 1, key=jax.random.key(0))
state = optax.adam(1e-3).init(model)
```

## Use instead
```python
import equinox as eqx
import jax
import optax

model = eqx.nn.MLP(2, 1, 4, 1, key=jax.random.key(0))
state = optax.adam(1e-3).init(eqx.filter(model, eqx.is_inexact_array))
```

## When to ignore
Where the call is meant to raise.

## Fix safety
Unsafe: a module is filtered for its arrays, `init` gets the part of the variables that is differentiated, and
`eqx.apply_updates` takes the place of `optax.apply_updates`, and of a step that `jax.tree.map` makes by hand;
other arithmetic leaves what is no array as it is in the first tree.

## References
- Equinox documentation, "Optax is throwing an error": https://docs.kidger.site/equinox/faq/
- Optax documentation, "optax.multi_transform":
  https://optax.readthedocs.io/en/latest/api/combining_optimizers.html
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.models.equinox import FilteredModuleCalled
from jaxlint.analysis.training.optimiser_trees import CallableLabels, PartialGradients, UnknownLabel, UntrainableLeaves
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, only_result
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.layers.equinox_fixes import trainable
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import expect, only, or_none, plain_call, require
from jaxlint.source.diagnostic import Category, Fix

RULE = Rule(
    code="JAX637",
    category=Category.FAILS,
    hazards=(UntrainableLeaves, PartialGradients, UnknownLabel, CallableLabels, FilteredModuleCalled),
    error="ValueError",
    fixable="unsafe",
)


def check(
    hazard: UntrainableLeaves | PartialGradients | UnknownLabel | CallableLabels | FilteredModuleCalled, file: File
) -> Iterator[Finding]:
    operand = file.code(hazard.operand, 40)
    call, method = file.unit.nodes[hazard.site], file.called(hazard.site, operand)
    if isinstance(hazard, PartialGradients):
        message = f"Gradients `{operand}` cover only a part of the tree passed to `init`"
        advice = "Pass the differentiated parameters to `init`, such as `variables['params']`."
        also = (("the state is created here", hazard.made),)
        if hazard.names:
            given, wanted = (", ".join(f"`{name}`" for name in names[:3]) for names in hazard.names)
            message = f"Gradients `{operand}` of {given}, and a state of {wanted}"
            advice = "Differentiate with respect to the parameters that `init` was given, and no others."
            yield Finding(hazard.site, message, advice, None, also)
            return
        yield Finding(hazard.site, message, advice, _of_part(hazard, file), also)
    elif isinstance(hazard, UnknownLabel):
        message = f"Label `{hazard.label!r}` of no transformation in `{method}`"
        yield Finding(hazard.site, message, "Add a transformation of that name, or change the label.")
    elif isinstance(hazard, FilteredModuleCalled):
        message = f"`{operand}` leaves out the function `{hazard.attribute}`, which is called"
        advice = "Step with `eqx.apply_updates(model, updates)`, or put the functions back with `eqx.combine`."
        yield Finding(hazard.site, message, advice, also=(("called here, where it is None", hazard.called),))
    elif isinstance(hazard, CallableLabels):
        message = f"Labels `{operand}` are a `{hazard.cls}`, which `{method}` calls"
        edit = file.replace(hazard.operand, f"lambda _: {file.code(hazard.operand)}")
        fix = Fix(f"Pass `lambda _: {operand}`", (edit,), changes="the labels are given whatever the parameters are")
        yield Finding(hazard.site, message, "Pass a function that returns them.", fix)
    elif hazard.use == "state":
        message = f"{hazard.leaves.capitalize()} in `{operand}` passed to an optimiser"
        advice = "Pass only the arrays: `eqx.filter(model, eqx.is_inexact_array)`."
        yield Finding(hazard.site, message, advice, _filtered(hazard, file))
    elif hazard.use == "updates":
        message = f"Updates applied to functions in `{operand}`"
        advice = "Apply them with `eqx.apply_updates`, which changes only the arrays."
        yield Finding(hazard.site, message, advice, _applied(call, file))
    else:
        message = f"Arithmetic on functions in `{operand}`, by `{method}`"
        advice = "Apply changes with `eqx.apply_updates`, or map over `eqx.filter(model, eqx.is_array)` alone."
        yield Finding(hazard.site, message, advice, _descent(call, file) or _of_arrays(call, file))


@or_none
def _of_part(hazard: PartialGradients, file: File) -> Fix:
    """`init` of the one part of a dict that the file takes: `variables["params"]`."""
    require(hazard.made in file.unit)
    init = expect(ir.Call, file.unit.nodes[hazard.made])
    whole = expect(ir.Name, only(init.args))
    part = only({
        file.code(node.site) for node in file.unit.own
        if isinstance(node, ir.Subscript) and isinstance(node.value, ir.Name) and node.value.id == whole.id
        and defining_scope(file.unit, node.site, whole.id) is defining_scope(file.unit, whole.site, whole.id)
    })  # fmt: skip
    edit = file.replace(whole.site, part)
    return Fix(f"Pass `{part}` to `init`", (edit,), changes=f"the state is that of `{part}` alone")


def _filtered(hazard: UntrainableLeaves, file: File) -> Fix:
    text, imports = trainable(file, file.code(hazard.operand))
    changes = "the optimiser keeps state for arrays of floats alone"
    return Fix("Pass the arrays alone", (file.replace(hazard.operand, text),), imports=imports, changes=changes)


@or_none
def _applied(call: ir.Node, file: File) -> Fix:
    """`eqx.apply_updates`, which has the same parameters in the same places."""
    draft, function = Draft(file), expect(ir.Call, call).func
    require(not expect(ir.Call, call).keywords)
    return draft.fix(f"Call `{draft.use(function.site, 'equinox.apply_updates')}`", "functions stay as they are")


@or_none
def _descent(call: ir.Node, file: File) -> Fix:
    """`eqx.apply_updates(model, …)` for a step by hand: `jax.tree.map(lambda p, g: p - rate * g, model, grads)`."""
    step, draft = expect(ir.Call, call), Draft(file)
    require(len(step.args) == 3 and not step.keywords)
    function = expect(ir.Lambda, step.args[0]).function
    require(len(function.parameters) == 2)
    leaf, gradient = (each.name for each in function.parameters)
    moved = expect(ir.Binary, only_result(function))
    require(moved.op in ("-", "+") and expect(ir.Name, moved.left).id == leaf)
    require(leaf not in ir.names_below([moved.right]))
    change = file.code(moved.right.site)
    if moved.op == "-":
        is_product = type(moved.right) is ir.Binary and moved.right.op in ("*", "/")
        change = f"-{change if is_product else operand(file, moved.right.site)}"
    applied = draft.api("equinox.apply_updates")
    model, grads = (file.code(each.site) for each in step.args[1:])
    text = f"{applied}({model}, {file.code(step.func.site)}(lambda {gradient}: {change}, {grads}))"
    draft.replace(step.site, text)
    return draft.fix(f"Use `{applied}`", "functions stay as they are")


@or_none
def _of_arrays(node: ir.Node, file: File) -> Fix:
    """`lambda a, b: … if eqx.is_inexact_array(a) else a`: what is no array stays as it is in the first tree."""
    call, draft = plain_call(node), Draft(file)
    require(len(call.args) > 1 and not call.keywords)
    step = expect(ir.Lambda, call.args[0]).function
    result, first = expect(ir.Binary, only_result(step)), step.parameters[0].name
    draft.insert(file.outer_span(result.site)[1], f" if {draft.api('equinox.is_inexact_array')}({first}) else {first}")
    return draft.fix("Compute with the arrays alone", f"all else is that of `{file.code(call.args[1].site, 40)}`")
