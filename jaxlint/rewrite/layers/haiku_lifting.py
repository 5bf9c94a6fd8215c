"""`hk.lift` around the `init` of a Haiku transform that is nested in another one."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import above, below, free_name
from jaxlint.source.diagnostic import Fix, ImportRequest

_TRANSFORMS = ("haiku.transform", "haiku.transform_with_state")
_THROUGH = ("haiku.without_apply_rng", "haiku.without_state")


def lifted_init(file: File, site: int) -> Fix | None:
    """`hk.lift(inner.init, name="block")(…)`: the parameters are kept under the name of the inner function."""
    call = file.unit.nodes[site]
    if not isinstance(call, ir.Call) or not isinstance(call.func, (ir.Name, ir.Attribute)):
        return None
    made = _made(file, call.func)
    if made is None:
        return None
    name, with_state = made
    init = file.code(call.func.site)
    lift, imports = file.api("haiku.lift_with_state" if with_state else "haiku.lift")
    lifting = f'{lift}({init}, name="{name}")'
    if with_state:
        return _with_state(file, call, lifting, imports)
    edit = file.replace(call.func.site, lifting)
    return Fix(f"Lift `{init}`", (edit,), imports=imports, changes=f"the parameters are kept under `{name}`")


def _with_state(file: File, call: ir.Call, lifting: str, imports: frozenset[ImportRequest]) -> Fix | None:
    """`init, updater = hk.lift_with_state(…)` above, and `updater.update(state)` below the one `apply`."""
    statement = file.unit.statement(call.site)
    block = list(getattr(file.unit.parent(statement.site), "body", ()))
    names = _two_names(statement, call)
    if names is None or statement not in block or not isinstance(call.func, ir.Attribute):
        return None
    state, owner = names[1].id, file.code(call.func.value.site)
    applied = [
        node for node in ir.walk(block[block.index(statement) + 1 :])
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "apply"
        and file.code(node.func.value.site) == owner
    ]  # fmt: skip
    later = file.unit.statement(applied[0].site) if len(applied) == 1 else None
    if later is None or later not in block:
        return None
    names = _two_names(later, applied[0])
    if names is None:
        return None
    target = names[1]
    new = f"new_{state}" if target.id == "_" else target.id
    if target.id == "_":
        new = free_name(file, call.site, new)
    init, updater = free_name(file, call.site, "init"), free_name(file, call.site, "updater")
    before, after = (
        above(file, statement, f"{init}, {updater} = {lifting}"),
        below(file, later, f"{updater}.update({new})"),
    )
    if before is None or after is None:
        return None
    edits = [before, file.replace(call.func.site, init), after]
    if new != target.id:
        edits.insert(2, file.replace(target.site, new))
    changes = "parameters and state are kept under its name"
    return Fix("Lift `init`, and hand the state on", tuple(edits), imports=imports, changes=changes)


def _two_names(statement: ir.Node, call: ir.Node) -> list[ir.Name] | None:
    """The names that a statement unpacks a call into, where they are two."""
    if not isinstance(statement, ir.Assign) or statement.value is not call or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    elements = target.elements if isinstance(target, ir.Sequence) else []
    names = [each for each in elements if isinstance(each, ir.Name)]
    return names if len(names) == 2 == len(elements) else None


def _made(file: File, func: ir.Node) -> tuple[str, bool] | None:
    """Name of the function that is transformed, and whether with state."""
    node = func.value if isinstance(func, ir.Attribute) and func.attr == "init" else func
    if isinstance(node, ir.Call):
        return _transformed(file, node)
    found = binding_of(file.unit, node)
    if isinstance(found, ir.Define):
        decorators = found.function.decorators
        called = file.api_name(decorators[0].site) if len(decorators) == 1 else ""
        return (found.function.name, called.endswith("with_state")) if called in _TRANSFORMS else None
    return _transformed(file, found.value) if isinstance(found, ir.Assign) else None


def _transformed(file: File, call: ir.Node) -> tuple[str, bool] | None:
    if not isinstance(call, ir.Call) or not call.args:
        return None
    called = file.api_name(call.func.site)
    if called in _THROUGH:
        return _transformed(file, call.args[0])
    function = call.args[0]
    if called not in _TRANSFORMS or not isinstance(function, (ir.Name, ir.Attribute, ir.Lambda)):
        return None
    name = "inner" if isinstance(function, ir.Lambda) else file.code(function.site).rpartition(".")[2]
    return name, called.endswith("with_state")
