"""The name of an axis given where a function is mapped, or corrected where it is used."""

from __future__ import annotations

from difflib import get_close_matches

from jaxlint.analysis.transforms.axis_names import UnboundAxisName
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope, parameter_of
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.requirements import is_plain, known, only, or_none, require
from jaxlint.source.diagnostic import Applicability, Fix

_MAPS = ("jax.vmap", "jax.pmap")


@or_none
def named(file: File, site: int, operand: int, hazard: UnboundAxisName) -> Fix | None:
    """The fix for an axis that is asked for under a name that nothing binds."""
    if hazard.where == "mesh" or hazard.bound:
        return _renamed(file, operand, hazard)
    if hazard.unnamed:  # by the one transform that maps the code
        mapping = only(set(hazard.around))
        return file.placed(_named_at(file.holding(mapping), mapping, hazard), mapping)
    return _where_called(file, site, hazard)


def _renamed(file: File, operand: int, hazard: UnboundAxisName) -> Fix:
    """The name that is meant, where it is like the one that is written, or the only one."""
    written = file.unit.nodes[operand]
    scope = defining_scope(file.unit, operand, written.id) if isinstance(written, ir.Name) else None
    if isinstance(written, ir.Name) and scope is not None and (taken := parameter_of(scope, written.id)) is not None:
        written = taken.default or written
    words = [
        node for node in ir.walk([written]) if isinstance(node, ir.Constant) and isinstance(node.value, str)
    ]  # fmt: skip
    wrong = only(node for node in words if node.value == hazard.name)
    free = [name for name in hazard.bound if all(name != node.value for node in words)]
    nearest = get_close_matches(hazard.name, free, 1)
    if hazard.where == "mesh" and not free:
        edit = file.replace(wrong.site, "None")
        return Fix(f'Do not shard over `"{hazard.name}"`', (edit,), Applicability.DISPLAY)
    require(nearest or len(hazard.bound) == 1 and free)
    name = (nearest or free)[0]
    # All that maps gives its name.
    is_meant = nearest or (hazard.where != "mesh" and len(hazard.around) <= len(hazard.bound))
    level = Applicability.UNSAFE if is_meant else Applicability.DISPLAY
    return Fix(f'Write `"{name}"`', (file.replace(wrong.site, f'"{name}"'),), level, changes=GUESSED)


def _named_at(file: File, site: int, hazard: UnboundAxisName) -> Fix:
    """`axis_name=` for the transform at ``site``."""
    node = file.unit.nodes[site]
    name = f'axis_name="{hazard.name}"'
    title, changes = f'Name the axis `"{hazard.name}"`', "collectives run over this axis"
    if isinstance(node, ir.Call):
        made = next((each for each in (node, node.func) if isinstance(each, ir.Call) and _maps(file, each)), None)
        return Fix(title, (known(append_argument(file, known(made), name)),), changes=changes)
    require(file.is_api(site, *_MAPS))
    partial, imports = file.api("functools.partial")
    edit = file.replace(site, f"{partial}({file.code(site)}, {name})")
    return Fix(title, (edit,), imports=imports, changes=changes)


def _maps(file: File, call: ir.Call) -> bool:
    """`jax.vmap(…)`, or `partial(jax.vmap, …)`"""
    function = call.args[0] if call.args and file.is_api(call.func.site, "functools.partial") else call.func
    return file.is_api(function.site, *_MAPS)


def _where_called(file: File, site: int, hazard: UnboundAxisName) -> Fix:
    """The one call of the function mapped over its one argument: nothing maps it."""
    function = known(next((each for each in file.unit.ancestors(site) if isinstance(each, ir.Function)), None))
    require(not function.is_lambda and file.unit.scope(function.site) is file.unit.module)
    call = only(known(visible_calls(file, function))).call
    require(not call.keywords and len(call.args) == 1 and is_plain(call.args) and isinstance(call.func, ir.Name))
    vmap, imports = file.api("jax.vmap")
    text = f'{vmap}({file.code(call.func.site)}, axis_name="{hazard.name}")'
    message = f'Map `{function.name}` over `"{hazard.name}"`, the first axis of its argument'
    return Fix(message, (file.replace(call.func.site, text),), Applicability.DISPLAY, imports)
