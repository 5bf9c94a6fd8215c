"""Haiku: `hk.lift` around the `init` of a nested transform, and layers in a sequence that take a flag."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, displayed, only_result, parameter_of
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import function_of
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Fix

_TRANSFORMS = ("haiku.transform", "haiku.transform_with_state")
_THROUGH = ("haiku.without_apply_rng", "haiku.without_state")


@or_none
def lifted_init(file: File, site: int) -> Fix:
    """`hk.lift(inner.init, name="block")(…)`: the parameters are kept under the name of the inner function."""
    call, draft = expect(ir.Call, file.unit.nodes[site]), Draft(file)
    require(isinstance(call.func, (ir.Name, ir.Attribute)))
    name, with_state = _made(file, call.func)
    init = file.code(call.func.site)
    lift = draft.api("haiku.lift_with_state" if with_state else "haiku.lift")
    lifting = f'{lift}({init}, name="{name}")'
    if with_state:
        return _with_state(draft, call, lifting)
    draft.replace(call.func.site, lifting)
    return draft.fix(f"Lift `{init}`", f"the parameters are kept under `{name}`")


def _with_state(draft: Draft, call: ir.Call, lifting: str) -> Fix:
    """`init, updater = hk.lift_with_state(…)` above, and `updater.update(state)` below the one `apply`."""
    file, statement = draft.file, draft.file.unit.statement(call.site)
    block = list(file.unit.block(statement.site))
    state = _second_name(statement, call).id
    owner = file.code(expect(ir.Attribute, call.func).value.site)
    applied = only(
        node for node in ir.walk(block[block.index(statement) + 1 :])
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "apply"
        and file.code(node.func.value.site) == owner
    )  # fmt: skip
    later = file.unit.statement(applied.site)
    require(later in block)
    target = _second_name(later, applied)
    new = target.id
    if new == "_":
        new = free_name(file, call.site, f"new_{state}")
        draft.replace(target.site, new)
    init, updater = free_name(file, call.site, "init"), free_name(file, call.site, "updater")
    draft.above(statement, f"{init}, {updater} = {lifting}")
    draft.replace(call.func.site, init)
    draft.below(later, f"{updater}.update({new})")
    return draft.fix("Lift `init`, and hand the state on", "parameters and state are kept under its name")


def _second_name(statement: ir.Statement, call: ir.Node) -> ir.Name:
    """The second of the two names that a statement unpacks a call into."""
    match statement:
        case ir.Assign(targets=[ir.Sequence(elements=[ir.Name(), ir.Name() as second])], value=value) if value is call:
            return expect(ir.Name, second)
    raise NoFix


def _made(file: File, func: ir.Node) -> tuple[str, bool]:
    """Name of the function that is transformed, and whether with state."""
    node = func.value if isinstance(func, ir.Attribute) and func.attr == "init" else func
    if isinstance(node, ir.Call):
        return _transformed(file, node)
    bound = binding_of(file.unit, node)
    if isinstance(bound, ir.Define):
        decorators = bound.function.decorators
        called = file.api_name(decorators[0].site) if len(decorators) == 1 else ""
        require(called in _TRANSFORMS)
        return bound.function.name, called.endswith("with_state")
    return _transformed(file, expect(ir.Assign, bound).value)


def _transformed(file: File, node: ir.Node) -> tuple[str, bool]:
    call = expect(ir.Call, node)
    called = file.api_name(call.func.site)
    require(call.args)
    if called in _THROUGH:
        return _transformed(file, call.args[0])
    function = call.args[0]
    require(called in _TRANSFORMS and isinstance(function, (ir.Name, ir.Attribute, ir.Lambda)))
    name = "inner" if isinstance(function, ir.Lambda) else file.code(function.site).rpartition(".")[2]
    return name, called.endswith("with_state")


@or_none
def told_in_sequence(file: File, sequence: ir.Call, layer: str, parameter: str) -> Fix:
    """`lambda x: hk.BatchNorm(…)(x, is_training)` in an `hk.Sequential`, which hands on one array."""
    require(len(sequence.args) == 1 and parameter_of(file.unit.scope(sequence.site), parameter))
    draft = Draft(file)
    for each in known(displayed(file.unit, sequence.args[0])):
        function = function_of(file, each.func) if isinstance(each, ir.Call) else None
        made = only_result(function) if function is not None else each
        if isinstance(each, ir.Call) and isinstance(made, ir.Call) and file.is_api(made.func.site, layer):
            name = free_name(file, each.site, "x", "array")
            draft.replace(each.site, f"lambda {name}: {file.code(each.site)}({name}, {parameter})")
    require(draft.edits)
    return draft.fix(f"Pass `{parameter}` to the layer", f"right where `{parameter}` is meant for it")
