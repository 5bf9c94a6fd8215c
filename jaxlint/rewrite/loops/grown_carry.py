"""The fix for a scan whose carry would grow: what each pass adds is its output."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Array
from jaxlint.analysis.transforms.carries import BranchStructureMismatch
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition, names_in
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.transform_options import rewritten, value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix


def collected(hazard: BranchStructureMismatch, file: File) -> Fix | None:
    """For a body that returns `jnp.append(carry, y), None` or `jnp.concatenate([carry, y[None]]), None`, and an empty start."""
    call, function = file.unit.nodes[hazard.site], definition(file, hazard.first)
    api = (hazard.api or "").rpartition(".")[2]
    if api != "scan" or hazard.path or function is None or len(function.parameters) != 2:
        return None
    initial = value_of(call, "init", 1)
    match only_result(function):
        case ir.Sequence(elements=[grown, ir.Constant(value=None)]) as returned:
            pass
        case _:
            return None
    carry = function.parameters[0].name
    reads = [each for each in ir.walk(function.body) if isinstance(each, ir.Name) and each.id == carry]
    added = _added(file, grown, carry)
    if initial is None or not _is_empty(file, initial) or added is None or len(reads) != 1:
        return None
    result = _result(file, call)
    if result is None:
        return None
    text = f"{carry}, {argument(file, added.site)}"
    edits = [
        rewritten(file, returned, f"({text})" if function.is_lambda else text),
        rewritten(file, initial, "None"),
        *result,
    ]
    return Fix("Collect it as the output of the scan", tuple(edits), Applicability.DISPLAY)


def _is_empty(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(isinstance(value, Array) and value.aval.shape == (0,) for value in values)


def _added(file: File, grown: ir.Node, carry: str) -> ir.Node | None:
    """What a pass adds at the end of the carry."""
    match grown:
        case ir.Call(args=[ir.Sequence(elements=[first, ir.Subscript(value=added, index=index)])], keywords=()):
            if not ir.is_none(index) or not file.is_api(grown.func.site, "jax.numpy.concatenate"):
                return None
        case ir.Call(args=[first, added], keywords=()) if file.is_api(grown.func.site, "jax.numpy.append"):
            pass
        case _:
            return None
    return added if isinstance(first, ir.Name) and first.id == carry and carry not in names_in(added) else None


def _result(file: File, call: ir.Node) -> list[Edit] | None:
    """Edits that take the outputs in place of the carry."""
    match file.unit.parent(call.site):
        case ir.Subscript(index=ir.Constant(value=0) as index):
            return [file.replace(index.site, "1")]
        case ir.Assign(targets=[ir.Sequence(elements=[ir.Name() as carry, ir.Name() as outputs])]):
            return [file.replace(carry.site, outputs.id), file.replace(outputs.site, carry.id)]
    return None
