"""The name of an axis given where a function is mapped, or corrected where it is used."""

from __future__ import annotations

from difflib import get_close_matches

from jaxlint.analysis.transforms.axis_names import UnboundAxisName
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import GUESSED
from jaxlint.rewrite.file import File
from jaxlint.rewrite.parameters import append_argument
from jaxlint.source.diagnostic import Applicability, Fix


def named(file: File, site: int, operand: int, hazard: UnboundAxisName) -> Fix | None:
    """The fix for an axis that is asked for under a name that nothing binds."""
    if hazard.where == "mesh" or hazard.bound:
        return _renamed(file, operand, hazard)
    if hazard.unnamed:
        return _where_mapped(file, hazard)
    return _where_called(file, site, hazard)


def _renamed(file: File, operand: int, hazard: UnboundAxisName) -> Fix | None:
    """The name that is meant, where it is like the one that is written, or the only one."""
    words = [
        node for node in ir.walk([file.unit.nodes[operand]])
        if isinstance(node, ir.Constant) and isinstance(node.value, str)
    ]  # fmt: skip
    wrong = [node for node in words if node.value == hazard.name]
    if len(wrong) != 1 or file.unit.nodes[operand] not in (*words, *file.unit.ancestors(wrong[0].site)):
        return None
    free = [name for name in hazard.bound if all(name != node.value for node in words)]
    nearest = get_close_matches(hazard.name, free, 1)
    if not nearest and hazard.where == "mesh" and not free:
        edit = file.replace(wrong[0].site, "None")
        return Fix(f'Do not shard over `"{hazard.name}"`', (edit,), Applicability.DISPLAY)
    if not nearest and len(hazard.bound) != 1:
        return None
    name = (nearest or free or [""])[0]
    if not name:
        return None
    is_meant = nearest or (
        hazard.where != "mesh" and len(hazard.around) <= len(hazard.bound)
    )  # all that maps gives its name
    level = Applicability.UNSAFE if is_meant else Applicability.DISPLAY
    return Fix(f'Write `"{name}"`', (file.replace(wrong[0].site, f'"{name}"'),), level, changes=GUESSED)


def _where_mapped(file: File, hazard: UnboundAxisName) -> Fix | None:
    """`axis_name=` for the one transform that maps the code."""
    if len(set(hazard.around)) != 1:
        return None
    site = hazard.around[0]
    fix = _named_at(file.holding(site), site, hazard)
    return None if fix is None else file.placed(fix, site)


def _named_at(file: File, site: int, hazard: UnboundAxisName) -> Fix | None:
    node = file.unit.nodes[site]
    name = f'axis_name="{hazard.name}"'
    title, changes = f'Name the axis `"{hazard.name}"`', "collectives run over this axis"
    if isinstance(node, ir.Call):
        made = node if _maps(file, node.func) or _maps(file, node) else node.func
        if not isinstance(made, ir.Call) or not (_maps(file, made.func) or _maps(file, made)):
            return None
        edit = append_argument(file, made, name)
        return None if edit is None else Fix(title, (edit,), changes=changes)
    if not _maps(file, node):
        return None
    partial, imports = file.api("functools.partial")
    edit = file.replace(node.site, f"{partial}({file.code(node.site)}, {name})")
    return Fix(title, (edit,), imports=imports, changes=changes)


def _maps(file: File, node: ir.Node) -> bool:
    """`jax.vmap`, or `partial(jax.vmap, …)`"""
    if isinstance(node, ir.Call) and file.is_api(node.func.site, "functools.partial"):
        return bool(node.args) and _maps(file, node.args[0])
    return file.is_api(node.site, "jax.vmap", "jax.pmap")


def _where_called(file: File, site: int, hazard: UnboundAxisName) -> Fix | None:
    """The one call of the function mapped over its one argument: nothing maps it."""
    function = next((each for each in file.unit.ancestors(site) if isinstance(each, ir.Function)), None)
    if function is None or function.is_lambda or file.unit.scope(function.site) is not file.unit.module:
        return None
    calls = visible_calls(file, function)
    if calls is None or len(calls) != 1:
        return None
    call = calls[0].call
    plain = not call.keywords and len(call.args) == 1 and not isinstance(call.args[0], ir.Starred)
    if not plain or not isinstance(call.func, ir.Name):
        return None
    vmap, imports = file.api("jax.vmap")
    text = f'{vmap}({file.code(call.func.site)}, axis_name="{hazard.name}")'
    message = f'Map `{function.name}` over `"{hazard.name}"`, the first axis of its argument'
    return Fix(message, (file.replace(call.func.site, text),), Applicability.DISPLAY, imports)
