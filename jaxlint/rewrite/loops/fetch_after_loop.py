"""The fix that leaves the values of a loop on the device, and fetches them after it."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, enclosing_loops, only_target
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import is_read_elsewhere
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, known, only, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Fix

_NUMBERS = {"builtins.float": "float({})", "builtins.int": "int({})", "builtins.bool": "bool({})"}
_ARRAYS = frozenset({"numpy.asarray", "numpy.array", "jax.device_get"})


@or_none
def fetched_later(hazard: Hazard, file: File) -> Fix:
    require(hazard.site in file.unit and hazard.operand != hazard.site)
    loop, node, draft = only(enclosing_loops(file.unit, hazard.site)), file.unit.nodes[hazard.site], Draft(file)
    require(not loop.orelse)
    after = _conversion(file, node)
    name, is_list = _use(file, loop, node)
    draft.replace(hazard.site, argument(file, hazard.operand))
    if is_read_elsewhere(file.unit, loop, name):
        draft.below(loop, f"{name} = {_fetched(draft, loop, name, is_list, after)}")
    return draft.fix(f"Fetch `{name}` after the loop", "the device holds the values until then")


def _conversion(file: File, call: ir.Node) -> str:
    """How to fetch one value later as it is fetched now, with `{}` for the value."""
    match call:
        case ir.Call(func=ir.Attribute(attr="item"), args=(), keywords=()):
            return "{}.item()"
        case ir.Call(args=[_], keywords=()):
            name = file.api_name(call.func.site)
            return "" if name in _ARRAYS else known(_NUMBERS.get(name))
    raise NoFix


def _use(file: File, loop: ir.Statement, node: ir.Node) -> tuple[str, bool]:
    """What collects the values, where nothing else in the loop reads it, and whether it is a list."""
    around = file.unit.parent(node.site)
    target = only_target(around)
    if isinstance(target, ir.Name):
        reads, scope = _mentions(loop, target.id, but=target), file.unit.scope(loop.site)
        require(len(reads) == len(bindings(scope, target.id)) == 1)
        require(not is_read_elsewhere(file.unit, loop, target.id))
        node, around = reads[0], file.unit.parent(reads[0].site)
    match around:
        case ir.Augment(target=ir.Name() as collected, op="+", value=value) if value is node:
            is_list = False
        case ir.Call(func=ir.Attribute(value=ir.Name() as collected, attr="append"), args=[_]):
            is_list = True
        case _:
            raise NoFix
    require(not _mentions(loop, collected.id, but=collected))
    return collected.id, is_list


def _mentions(loop: ir.Statement, name: str, but: ir.Node) -> list[ir.Name]:
    return [each for each in ir.names_below([loop]).get(name, ()) if each is not but]


def _fetched(draft: Draft, loop: ir.Statement, name: str, is_list: bool, after: str) -> str:
    """What was collected, fetched."""
    if after and not is_list:
        return after.format(name)
    fetched = f"{draft.api('jax.device_get')}({name})"
    each = free_name(draft.file, loop.site, "value", "each")
    return f"[{after.format(each)} for {each} in {fetched}]" if after else fetched
