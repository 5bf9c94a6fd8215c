"""Calls of the host and changes of what is outside, handed to `jax.debug.callback`, which makes them at each run."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Text, Transformed, Tuple, Undecided, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, enclosing_loops, only_value, targets_of
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.effects.hoisted_effects import undeclare
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit, Fix

# Nodes that bind names of their own, or that a lambda cannot hold.
_NOT_IN_LAMBDA = (ir.Comprehension, ir.Lambda, ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)


@or_none
def called_back(file: File, node: ir.Node) -> Fix:
    """The call as it is, in a lambda that is given the traced names it uses.

    Its result must not be used, and what it shows must certainly be a tree of arrays.
    """
    call, draft = expect(ir.Call, node), Draft(file)
    inside = list(ir.walk([call]))
    require(isinstance(file.unit.parent(call.site), ir.Evaluate))
    require(not any(isinstance(each, _NOT_IN_LAMBDA) for each in inside))
    names, callback = known(traced_names(file, inside)), draft.api("jax.debug.callback")
    taken = ", ".join([*names, *(f"{each}={each}" for each in _loop_variables(file, inside) if each not in names)])
    parameters = f" {taken}" if taken else ""
    draft.replace(call.site, f"{callback}({', '.join([f'lambda{parameters}: {file.code(call.site)}', *names])})")
    return draft.fix(f"Call it in a `{callback}`", EACH_RUN)


def _loop_variables(file: File, nodes: list[ir.Node]) -> list[str]:
    """Names among ``nodes`` that a loop around them binds in each iteration: a callback may run after the last one."""
    loops = list(enclosing_loops(file.unit, nodes[0].site))
    bound = set().union(*(bound_by(each) for each in ir.walk(loops, into_scopes=False)))
    return list(dict.fromkeys(each.id for each in nodes if isinstance(each, ir.Name) and each.id in bound))


@or_none
def traced_names(file: File, nodes: Iterable[ir.Node]) -> list[str]:
    """Names among ``nodes`` that hold tracers, in the order in which they are read, where that is certain."""
    names: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, ir.Name):
            values = file.values(node.site)
            require(not any(type(value) is Text for value in values))
            if any(_holds_tracers(value) for value in values) or _is_display_of_tracers(file, node):
                names[node.id] = None
    return list(names)


def _is_display_of_tracers(file: File, node: ir.Name) -> bool:
    """Whether a name holds a list, tuple or dict that is written out, with a tracer in it."""
    scope = file.unit.scope(node.site)
    shown = only_value(scope, node.id) if isinstance(scope, ir.Function) else None
    if not isinstance(shown, (ir.Sequence, ir.Dict)):
        return False
    return any(_holds_tracers(value) for each in shown.children() for value in file.values(each.site))


def _holds_tracers(value: Value) -> bool:
    if isinstance(value, Tuple) and value.items is not None:
        return any(_holds_tracers(item) for item in value.items)
    return type(value) in (Array, Undecided)


@or_none
def changed_in_callback(hazard: Hazard, file: File) -> Fix:
    """The fix that makes the change in a callback, and waits for all of them behind the loop that is called."""
    statement, function = file.unit.statement(hazard.site), expect(ir.Function, file.unit.scope(hazard.site))
    require(not function.is_lambda)
    draft, title = Draft(file), "Make the change in a `jax.debug.callback`"
    if isinstance(statement, ir.Evaluate):
        made = known(called_back(file, statement.value))
        draft.edits, draft.imports = list(made.edits), made.imports
    else:
        require(isinstance(statement, (ir.Augment, ir.Assign)))
        _call_back(draft, function, statement)
    waiting = _barrier(hazard, file)
    if waiting is None:
        return draft.fix(title, "it happens at each run, `jax.effects_barrier()` waits", Applicability.DISPLAY)
    draft.edits += waiting
    return draft.fix(f"{title}, and wait for it", EACH_RUN)


def _call_back(draft: Draft, function: ir.Function, statement: ir.Statement) -> None:
    """Puts the statement in a function of its own, which is called back."""
    file, code = draft.file, draft.file.code(statement.site)
    nodes, targets = list(ir.walk([statement])), targets_of(statement)
    require(stands_on_own_lines(file, statement) and traced_names(file, nodes) == [] and "\n" not in code)
    require(not _loop_variables(file, [each for each in nodes if each not in targets]))
    name = free_name(file, function.body[0].site, "update", "change")
    indentation, newline = file.indentation(statement.site), file.source.newline
    inner = f"{newline}{indentation}    "
    lines = f"def {name}():"
    for target in targets:
        if isinstance(target, ir.Attribute):  # else it is read before the callback has run
            same = [n for n in ir.walk(function.body) if isinstance(n, ir.Attribute) and n.attr == target.attr]
            require(same == [target])
        if isinstance(target, ir.Name):
            require(target.id in function.nonlocals | function.globals)
            require(ir.names_below(function.body)[target.id] == [target])
            lines += f"{inner}{'nonlocal' if target.id in function.nonlocals else 'global'} {target.id}"
            undeclare(draft, function, target.id)
    lines += f"{inner}{code}{newline}{newline}{indentation}{draft.api('jax.debug.callback')}({name})"
    draft.replace(statement.site, lines)


@or_none
def _barrier(hazard: Hazard, file: File) -> list[Edit]:
    """Edits that wait behind the outermost transform, where it is called in code that runs as it stands."""
    steps = list(hazard.origin.steps(limit=64)) if hazard.origin is not None else []
    transforms = [step for step in steps if step.transform]
    site = known(transforms[-1] if transforms else None).site
    require(isinstance(file.unit.nodes[site], ir.Call))
    # What is made there is called elsewhere.
    require(not any(isinstance(each, Transformed) for each in file.values(site)))
    statement, around, draft = file.unit.statement(site), file.unit.scope(site), Draft(file)
    if isinstance(around, ir.Function):  # it may be traced as well
        require(not around.is_lambda and not around.decorators and visible_calls(file, around, ()) is not None)
    barrier = draft.api("jax.effects_barrier")
    if isinstance(statement, ir.Return) and statement.value is not None:
        result = free_name(file, statement.site, "result", "value")
        start, first = file.span(statement.site)[0], file.outer_span(statement.value.site)[0]
        draft.edits.append(Edit(start, first, f"{result} = "))
        draft.below(statement, f"{barrier}()")
        draft.below(statement, f"return {result}")
    else:
        require(isinstance(statement, (ir.Assign, ir.Evaluate)))
        draft.below(statement, f"{barrier}()")
    return draft.edits
