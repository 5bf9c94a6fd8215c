"""The fix that leaves the values of a loop on the device, and fetches them after it."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_target
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import is_read_elsewhere
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.statements import below, free_name
from jaxlint.source.diagnostic import Fix, ImportRequest

_NUMBERS = {"builtins.float": "float({})", "builtins.int": "int({})", "builtins.bool": "bool({})"}
_ARRAYS = frozenset({"numpy.asarray", "numpy.array", "jax.device_get"})


def fetched_later(hazard: Hazard, file: File) -> Fix | None:
    if hazard.site not in file.unit or hazard.operand == hazard.site:
        return None
    loop = _loop(file, hazard.site)
    after = _conversion(file, file.unit.nodes[hazard.site])
    if loop is None or after is None:
        return None
    used = _use(file, loop, file.unit.nodes[hazard.site])
    if used is None:
        return None
    name, is_list = used
    edits = [file.replace(hazard.site, argument(file, hazard.operand))]
    imports: frozenset[ImportRequest] = frozenset()
    if is_read_elsewhere(file.unit, loop, name):
        line, imports = _fetching(file, loop, name, is_list, after)
        edit = below(file, loop, line)
        if edit is None:
            return None
        edits.append(edit)
    changes = "the device holds the values until then"
    return Fix(f"Fetch `{name}` after the loop", tuple(edits), imports=imports, changes=changes)


def _loop(file: File, site: int) -> ir.Statement | None:
    """The loop around, where it stands in no other one."""
    loops = []
    for above in file.unit.ancestors(site):
        if isinstance(above, ir.Scope):
            break
        if isinstance(above, (ir.For, ir.While)):
            loops.append(above)
    return loops[0] if len(loops) == 1 and not loops[0].orelse else None


def _conversion(file: File, call: ir.Node) -> str | None:
    """How to fetch one value later as it is fetched now, with `{}` for the value."""
    match call:
        case ir.Call(func=ir.Attribute(attr="item"), args=(), keywords=()):
            return "{}.item()"
        case ir.Call(args=[_], keywords=()):
            names = file.api_names(call.func.site)
            name = names.pop() if len(names) == 1 else None
            return "" if name in _ARRAYS else _NUMBERS.get(name or "")
    return None


def _use(file: File, loop: ir.Statement, node: ir.Node) -> tuple[str, bool] | None:
    """What collects the values, where nothing else in the loop reads it, and whether it is a list."""
    around = file.unit.parent(node.site)
    target = only_target(around)
    if isinstance(target, ir.Name):
        name = target.id
        reads = _mentions(loop, name, but=target)
        scope = file.unit.scope(loop.site)
        if len(reads) != 1 or len(bindings(scope, name)) != 1 or is_read_elsewhere(file.unit, loop, name):
            return None
        node, around = reads[0], file.unit.parent(reads[0].site)
    match around:
        case ir.Augment(target=ir.Name() as total, op="+", value=value) if value is node:
            return None if _mentions(loop, total.id, but=total) else (total.id, False)
        case ir.Call(func=ir.Attribute(value=ir.Name() as owner, attr="append"), args=[_]):
            return None if _mentions(loop, owner.id, but=owner) else (owner.id, True)
    return None


def _mentions(loop: ir.Statement, name: str, but: ir.Node) -> list[ir.Name]:
    return [each for each in ir.walk([loop]) if isinstance(each, ir.Name) and each.id == name and each is not but]


def _fetching(
    file: File, loop: ir.Statement, name: str, is_list: bool, after: str
) -> tuple[str, frozenset[ImportRequest]]:
    """The line that fetches what was collected."""
    get, imports = file.api("jax.device_get")
    if not after:
        return f"{name} = {get}({name})", imports
    if not is_list:
        return f"{name} = {after.format(name)}", frozenset()
    each = free_name(file, loop.site, "value", "each")
    return f"{name} = [{after.format(each)} for {each} in {get}({name})]", imports
