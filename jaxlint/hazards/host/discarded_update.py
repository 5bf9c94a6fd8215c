"""Discarded result of an update or of another pure function.

## What it does
Reports `x.at[i].set(v)` and its like as a statement, the same of array methods (`x.sort()`, `x.clip(0, 1)`), of
functions of `jax.numpy`, `jax.lax`, `jax.nn` and `jax.random` on arrays, of `optax.apply_updates`, `eqx.apply_updates`,
`eqx.tree_at`, `eqx.nn.inference_mode`, `nnx.view` and `dataclasses.replace`, of what reads a saved model
(`eqx.tree_deserialise_leaves`, `flax.serialization.from_bytes`), of `jax.tree.map` with a function that only computes,
and of methods of immutable objects: `state.replace(…)` of Flax's and Chex's dataclasses, `TrainState.apply_gradients`,
`update` of an optimiser of Optax. A call of a compiled function that returns such a copy of its argument, as a
statement of a loop, and a name of a function that takes such a copy and is never read, or is bound to what is computed
of its own value and never read again. A new state that a training step
returns and the loop drops while it keeps the parameters, a function of the project that does nothing but compute with
JAX and is called as a statement on names that are read below, the same of the collections that `apply` changes in a
loss function, and `updates, _ = optimiser.update(grads, state)` in a loop that replaces the parameters and never the
state, here or in the function that the loop calls, or with a state that is an attribute or a part of an argument, and a
state that is initialised anew for each single update, where the optimiser keeps moments: `optax.adam` and its kin, `optax.sgd` with momentum. Reports as well the initial
parameters, where code evaluates them although a loop has trained them and nothing reads the trained ones, and the new
batch statistics that `apply` gives in a loss function, where no code of the file keeps any.

## Why is this bad
JAX arrays are immutable, and so are the objects that hold them. These functions return a new array or object and leave
the old one as it is. An optimiser that is given its first state in each pass takes each step as if it were the first.
Without an assignment the statement does nothing, silently. In NumPy `x.sort()` sorts in place.

## Example
```python
def clear(x):
    x.at[0].set(0.0)
    return x
```

## Use instead
```python
def clear(x):
    x = x.at[0].set(0.0)
    return x
```

## When to ignore
Where the call is made for what it costs or raises: a warm-up, a measurement. In tests `update` of an
optimiser and what reads a saved model are not reported, the latter neither in `try`. Results of traced code, of
functions of `jax.numpy` and methods are not reported at module level, in `with`, `try` and loops, and
in functions that look at a clock; at module level and in loops `jnp.append`, `jnp.insert`, `jnp.delete` and `x.sort()` are, where
the array is read below. Functions of the project that give a changed copy are reported in loops and at module
level as well.

## Fix safety
Unsafe: assigning changes what the code computes, which is the point. The fix is on offer for updates and methods of a
variable, or of an attribute or element of one; a variable of an enclosing function is declared `nonlocal`. What a
function returns is bound to its array argument, and what `update` of an optimiser returns to the updates and the state
it was given, in a fix that is shown and not applied: which name the result is meant for, its author knows. There is
none where nothing reads the name afterwards, and where traced code would store the result in an object of outside.

## References
- JAX documentation, "JAX Sharp Bits: In-place updates"
  (https://docs.jax.dev/en/latest/notebooks/Common_Gotchas_in_JAX.html)
- JAX documentation, `jax.numpy.ndarray.at`
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jaxlint.analysis.checkers.discards import LOADING, MAPPING, OWN, OWN_UPDATE, PURE_MODULES, DiscardedUpdate
from jaxlint.analysis.domain.values import Api, Array, MemoryRef, Unknown
from jaxlint.analysis.models.trained_parameters import InitialParametersUsed
from jaxlint.analysis.training.optimiser_states import OptimiserStateAnew, OptimiserStateLost, StateDiscarded
from jaxlint.hazards.rule import Finding, Rule
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, target_names
from jaxlint.rewrite.arrays import array_names
from jaxlint.rewrite.arrays.array_names import bound_here
from jaxlint.rewrite.changes import READ_ON
from jaxlint.rewrite.control_flow.dataflow import is_read_elsewhere
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import is_path
from jaxlint.rewrite.requirements import expect, only, or_none, require
from jaxlint.source.cells import has_cells
from jaxlint.source.diagnostic import Applicability, Category, Fix

RULE = Rule(
    code="JAX309",
    category=Category.WRONG,
    hazards=(DiscardedUpdate, OptimiserStateAnew, OptimiserStateLost, StateDiscarded, InitialParametersUsed),
    fixable="unsafe",
)

_UPDATE = "GradientTransformation.update"
_OF_OBJECTS = frozenset({"dataclass.replace", "TrainState.apply_gradients", _UPDATE})
# Functions whose second argument is what they give anew.
_SECOND = LOADING - {"flax.serialization.from_bytes", "flax.serialization.from_state_dict"} | {
    "equinox.tree_at", "jax.tree.map", "jax.tree_util.tree_map",
}  # fmt: skip
_CLOCKS = frozenset(f"time.{name}" for name in (
    "perf_counter", "perf_counter_ns", "time", "time_ns", "monotonic", "monotonic_ns", "process_time", "process_time_ns",
)) | {"timeit.default_timer", "timeit.timeit", "timeit.repeat", "jax.block_until_ready"}  # fmt: skip
# Functions and methods whose names stand for a change in place where lists and arrays of NumPy have them.
_CHANGING = frozenset({".partition", ".resize", ".sort"}) | {
    f"jax.numpy.{name}" for name in ("append", "insert", "delete", "resize")
}
_OTHERS = re.compile(r"^\s*(?:import|from)\s.*\b(?:pallas|pandas|polars|cudf|dask|modin)\b", re.MULTILINE)


def check(
    hazard: DiscardedUpdate | OptimiserStateAnew | OptimiserStateLost | StateDiscarded | InitialParametersUsed,
    file: File,
) -> Iterator[Finding]:
    if type(hazard) is StateDiscarded:
        if not file.model.is_test:
            yield _discarded_state(hazard, file)
        return
    if type(hazard) is InitialParametersUsed:
        if not file.model.is_test:
            yield Finding(
                hazard.site,
                f"`{hazard.initial}` is what it was before training; `{hazard.trained}` is not used",
                f"Use the parameters in `{hazard.trained}`.",
                also=(("the training" if hazard.site != hazard.step else "the call", hazard.step),),
            )
        return
    if type(hazard) is OptimiserStateAnew:
        if not file.model.is_test:
            yield Finding(
                hazard.site,
                f"State of `{hazard.optimiser}` initialised in each iteration, for one update",
                "Initialise the state once, before the loop, and carry it from update to update.",
                also=(("the loop", hazard.loop), ("the update", hazard.operand)),
            )
        return
    if type(hazard) is OptimiserStateLost:
        if not file.model.is_test:
            yield _lost_state(hazard, file)
        return
    assert type(hazard) is DiscardedUpdate
    api = hazard.api or ""
    call = file.unit.nodes[hazard.site]
    is_update = api.startswith(".at")
    if is_update and (_may_be_no_array(call, file) or _is_shown(hazard.site, file)):
        return
    if hazard.operand != hazard.site:
        name = file.code(hazard.operand)
        if not file.model.is_test:
            yield Finding(hazard.site, f"New value `{name}` is never used", f"Return `{name}`, or go on with it.")
        return
    if not is_update and api.startswith((".", "jax.")) and _is_for_effect(hazard, file):
        if not (api in _CHANGING and _reads_what_it_changes(hazard, file)):
            return
    if api == OWN_UPDATE and (
        file.model.is_test
        or _is_measured(hazard, file)
        or _is_shown(hazard.site, file)
        or any(isinstance(node, (ir.Try, ir.With)) for node in _around(hazard, file))
    ):
        return
    if api == OWN and (file.model.is_test or _is_for_effect(hazard, file) or not _goes_on_with(call, file)):
        return
    if (api == _UPDATE or api in LOADING | MAPPING) and file.model.is_test:
        return  # whether it runs at all is what is tested
    if api in LOADING and any(isinstance(node, ir.Try) for node in file.unit.ancestors(hazard.site)):
        return  # whether the file fits is what is asked
    array = array_names.root(call) if is_update else _receiver(call, api)
    code = file.code(hazard.site, 60)
    assigned = ""
    if isinstance(array, (ir.Name, ir.Attribute, ir.Subscript)):
        assigned = f": `{file.code(array.site)} = {code}`"
    why = "the object itself is immutable" if api in _OF_OBJECTS else "the function changes none of its arguments"
    if api.startswith((".", *PURE_MODULES)):
        why = "the array itself is immutable"
    arguments = "…" if not isinstance(call, ir.Call) or call.args or call.keywords else ""
    if api == _UPDATE:
        array, assigned = None, f": `updates, state = {code}`"
    yield Finding(
        hazard.site,
        f"Result of `{_spelled(api, call, file)}({arguments})` is discarded",
        f"Assign the result{assigned}; {why}.",
        _fix(hazard, file, array),
    )


def _goes_on_with(call: ir.Node, file: File) -> bool:
    """Whether a name that is passed is read again below the statement, as if the call had changed what it stands for."""
    statement = file.unit.statement(call.site)
    return isinstance(call, ir.Call) and any(_is_read_below(each, file, statement) for each in call.args)


def _is_read_below(node: ir.Node, file: File, statement: ir.Statement) -> bool:
    scope = file.unit.scope(statement.site)
    if type(node) is ir.Attribute and type(node.value) is ir.Name and isinstance(scope, ir.Function):
        return any(each.name == node.value.id for each in scope.parameters)  # `self.params`, which outlives the call
    return type(node) is ir.Name and is_read_elsewhere(file.unit, statement, node.id)


def _lost_state(hazard: OptimiserStateLost, file: File) -> Finding:
    state = file.code(hazard.operand, 40)
    return Finding(
        hazard.site,
        f"New state from `{file.code(hazard.site, 40)}` is discarded",
        f"Keep the state of `{hazard.optimiser}` for the next iteration: `updates, {state} = …`.",
        _kept_state(hazard, file),
        also=(("the loop", hazard.loop),),
    )


def _discarded_state(hazard: StateDiscarded, file: File) -> Finding:
    taken = file.code(hazard.operand, 40)
    if hazard.operand == hazard.site:
        return Finding(
            hazard.site,
            f"New `{hazard.state}` from `{taken}` is discarded in each iteration",
            f"Assign the result: `{hazard.state} = …`; a compiled function changes none of its arguments.",
            also=(("the new one is made here", hazard.made),),
        )
    message = (
        f"New `{hazard.state}` is never read"
        if taken == hazard.state
        else f"New `{hazard.state}` is discarded as `{taken}`"
    )
    if hazard.made == hazard.site:  # in the function whose derivative is taken
        help = f"Return the new `{hazard.state}` beside the loss (`has_aux=True`), and pass it to the next step."
        return Finding(hazard.site, message, help)
    help = f"Keep the new `{hazard.state}`, and pass it to the next step."
    return Finding(hazard.site, message, help, also=(("the new one is made here", hazard.made),))


@or_none
def _kept_state(hazard: OptimiserStateLost, file: File) -> Fix:
    """The fix that binds the new state to the name of the old one, in the loop itself."""
    statement, call = expect(ir.Assign, file.unit.statement(hazard.site)), file.unit.nodes[hazard.site]
    target, operand = expect(ir.Sequence, statement.targets[0]), file.unit.nodes[hazard.operand]
    require(isinstance(call, ir.Call) and call.args[1] is operand)
    name = bound_here(file, operand)
    edit = file.replace(target.elements[1].site, name)
    return Fix(f"Keep the new state in `{name}`", (edit,), changes="later steps go on from the new state")


def _spelled(api: str, call: ir.Node, file: File) -> str:
    if api.startswith(".at[]") and isinstance(call, ir.Call) and isinstance(call.func, ir.Attribute):
        return f"{file.code(call.func.value.site, 40)}{api[len('.at[]') :]}"
    return file.called(call.site, api)


def _receiver(call: ir.Node, api: str) -> ir.Node | None:
    """``x`` of ``x.sort()``."""
    if (
        (api.startswith(".") or api in _OF_OBJECTS)
        and isinstance(call, ir.Call)
        and isinstance(call.func, ir.Attribute)
    ):
        receiver: ir.Expression = call.func.value
        return receiver
    return None


@or_none
def _fix(hazard: DiscardedUpdate, file: File, array: ir.Node | None) -> Fix:
    statement, draft = file.unit.statement(hazard.site), Draft(file)
    if hazard.api == _UPDATE:
        return _of_update(hazard, file, statement)
    if array is None:
        return _of_function(hazard, file, statement)
    if not isinstance(array, ir.Name):
        return _of_part(hazard, file, statement, array)
    scope = file.unit.scope(hazard.site)
    if array_names.is_bound_here(scope, array.id):
        require(is_read_elsewhere(file.unit, statement, array.id))
    else:
        _declare(hazard, draft, scope, array)
    draft.insert(file.span(statement.site)[0], f"{array.id} = ")
    return draft.fix(f"Assign the result to `{array.id}`", READ_ON)


def _of_part(hazard: DiscardedUpdate, file: File, statement: ir.Statement, array: ir.Node) -> Fix:
    """The fix that stores the result in the attribute or element that holds the array."""
    require(is_path(array, (ir.Constant,)) and not _may_be_staged(hazard))
    require(all(type(value) in (Array, Unknown) for value in file.values(array.site)))
    code = file.code(array.site)
    level = Applicability.UNSAFE if _takes_attributes(file, array) else Applicability.DISPLAY
    edit = file.insert(file.span(statement.site)[0], f"{code} = ")
    return Fix(f"Assign the result to `{code}`", (edit,), level, changes=READ_ON)


def _may_be_staged(hazard: DiscardedUpdate) -> bool:
    """Whether what is stored may be a tracer."""
    return hazard.activation is None or hazard.activation.stage == "staged"


def _declare(hazard: DiscardedUpdate, draft: Draft, scope: ir.Scope, name: ir.Name) -> None:
    """Lets a function bind a variable of the one around it."""
    require(isinstance(defining_scope(draft.file.unit, name.site, name.id), ir.Function))
    require(not expect(ir.Function, scope).is_lambda and not _may_be_staged(hazard))
    draft.above(scope.body[0], f"nonlocal {name.id}")


def _takes_attributes(file: File, node: ir.Node) -> bool:
    """Whether this is an element, or an attribute of the `self` of a class that nothing makes immutable."""
    if isinstance(node, ir.Subscript):
        return True
    owner = next((each for each in file.unit.ancestors(node.site) if isinstance(each, ir.ClassDefinition)), None)
    plain = owner is not None and not (owner.bases or owner.keywords or owner.decorators)
    return plain and isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.value.id == "self"


def _of_function(hazard: DiscardedUpdate, file: File, statement: ir.Statement) -> Fix:
    """The fix that binds the argument which a function takes for the one it gives back anew."""
    call, api = expect(ir.Call, file.unit.nodes[hazard.site]), hazard.api or ""
    require(not call.keywords and file.code(call.site) == file.code(statement.site))
    position = 1 if api.startswith("jax.random.") or api in _SECOND else 0
    target = call.args[position] if position < len(call.args) else None
    if api in (OWN, OWN_UPDATE):
        target = only(each for each in call.args if _is_read_below(each, file, statement))
    name = bound_here(file, target)
    require(is_read_elsewhere(file.unit, statement, name))
    edit = file.insert(file.span(statement.site)[0], f"{name} = ")
    return Fix(f"Assign the result to `{name}`, or to a new name", (edit,), Applicability.DISPLAY)


def _of_update(hazard: DiscardedUpdate, file: File, statement: ir.Statement) -> Fix:
    """The fix that takes apart what `update` of an optimiser returns."""
    given = expect(ir.Call, file.unit.nodes[hazard.site]).args
    require(len(given) > 1)
    updates, state = (bound_here(file, each) for each in given[:2])
    edit = file.insert(file.span(statement.site)[0], f"{updates}, {state} = ")
    return Fix(f"Assign the results to `{updates}` and `{state}`", (edit,), Applicability.DISPLAY)


def _may_be_no_array(call: ir.Node, file: File) -> bool:
    """Whether `.at` may be that of a Ref of Pallas or of a data frame, in which elements are changed."""
    values = file.values(array_names.root(call).site)
    if any(isinstance(value, MemoryRef) for value in values):
        return True
    return any(isinstance(value, Unknown) for value in values) and _OTHERS.search(file.source.text) is not None


def _is_shown(site: int, file: File) -> bool:
    """Whether the statement may be the last one of a notebook cell, whose value is displayed."""
    return isinstance(file.unit.scope(site), ir.Module) and has_cells(file.source.text)


def _is_for_effect(hazard: DiscardedUpdate, file: File) -> bool:
    """Whether the call may be made for its time, its error or its display, and not for its result."""
    around = list(_around(hazard, file))
    if any(isinstance(node, ir.Try) for node in around):
        return True
    if hazard.activation is not None and hazard.activation.stage == "staged":
        return False
    if any(isinstance(node, (ir.Module, ir.With, ir.While)) for node in around):
        return True
    call = file.unit.nodes[hazard.site]
    given = {each.id for each in call.args if type(each) is ir.Name} if isinstance(call, ir.Call) else set()
    for loop in around:
        if isinstance(loop, ir.For) and not (hazard.api == OWN and given & set(target_names(loop.target))):
            return True
    return _is_measured(hazard, file)


def _reads_what_it_changes(hazard: DiscardedUpdate, file: File) -> bool:
    """Whether the array is read below, as if the call had changed it, where nothing is shown, measured or tried."""
    call = file.unit.nodes[hazard.site]
    given = [*call.args, *(each.value for each in call.keywords)] if isinstance(call, ir.Call) else []
    array = _receiver(call, hazard.api or "") or (given[0] if given else None)
    return (
        array is not None
        and _is_read_below(array, file, file.unit.statement(call.site))
        and not any(isinstance(node, (ir.Try, ir.With)) for node in _around(hazard, file))
        and not _is_measured(hazard, file)
        and not _is_shown(hazard.site, file)
        and not file.model.is_test
    )


def _around(hazard: DiscardedUpdate, file: File) -> Iterator[ir.Node]:
    """What the statement stands in, up to its scope."""
    for node in file.unit.ancestors(hazard.site):
        yield node
        if isinstance(node, ir.Scope):
            return


def _is_measured(hazard: DiscardedUpdate, file: File) -> bool:
    """Whether the scope reads a clock, or waits for a result."""
    scope = file.unit.scope(hazard.site)
    calls = (node for node in ir.walk(scope.body, into_scopes=False) if isinstance(node, ir.Call))
    return any(_is_of_clocks(node, file) for node in calls)


def _is_of_clocks(call: ir.Call, file: File) -> bool:
    """Whether a call reads a clock, or waits for a result: then what is computed is timed."""
    waits = isinstance(call.func, ir.Attribute) and call.func.attr == "block_until_ready"
    return waits or any(isinstance(value, Api) and value.name in _CLOCKS for value in file.values(call.func.site))
