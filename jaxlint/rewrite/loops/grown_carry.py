"""The fix for a scan whose carry would grow: what each pass adds is its output."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Array
from jaxlint.analysis.transforms.carries import BranchStructureMismatch
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_target
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition, names_in, only_result
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.transform_options import rewritten, value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix


def collected(hazard: BranchStructureMismatch, file: File) -> Fix | None:
    """For a body that returns `jnp.append(carry, y), None` or `jnp.concatenate([carry, y[None]]), None`, and an empty start."""
    call, function = file.unit.nodes[hazard.site], definition(file, hazard.first)
    if (
        (hazard.api or "").rpartition(".")[2] != "scan"
        or hazard.path
        or function is None
        or len(function.parameters) != 2
    ):
        return None
    initial, returned = value_of(call, "init", 1), only_result(function)
    if (
        initial is None
        or not _is_empty(file, initial)
        or not isinstance(returned, ir.Sequence)
        or len(returned.elements) != 2
    ):
        return None
    grown, output = returned.elements
    carry = function.parameters[0].name
    reads = [each for each in ir.walk(function.body) if isinstance(each, ir.Name) and each.id == carry]
    added = _added(file, grown, carry)
    if added is None or len(reads) != 1 or not ir.is_none(output):
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
    if any(file.has_comment(edit.start, edit.end) for edit in edits):
        return None
    return Fix("Collect it as the output of the scan", tuple(edits), Applicability.DISPLAY)


def _is_empty(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(isinstance(value, Array) and value.aval.shape == (0,) for value in values)


def _added(file: File, grown: ir.Node, carry: str) -> ir.Node | None:
    """What a pass adds at the end of the carry."""
    if not isinstance(grown, ir.Call) or grown.keywords or not grown.args:
        return None
    names = file.api_names(grown.func.site)
    parts: list[ir.Expression] = list(grown.args)
    if names == {"jax.numpy.concatenate"} and len(parts) == 1 and isinstance(parts[0], ir.Sequence):
        parts = list(parts[0].elements)
        last = parts[-1] if parts else None
        if isinstance(last, ir.Subscript) and ir.is_none(last.index):
            parts = [*parts[:-1], last.value]
        else:
            parts = []
    elif names != {"jax.numpy.append"}:
        return None
    if len(parts) != 2 or not isinstance(parts[0], ir.Name) or parts[0].id != carry or carry in names_in(parts[1]):
        return None
    return parts[1]


def _result(file: File, call: ir.Node) -> list[Edit] | None:
    """Edits that take the outputs in place of the carry."""
    above = file.unit.parent(call.site)
    index = above.index if isinstance(above, ir.Subscript) and above.value is call else None
    if isinstance(index, ir.Constant) and index.value == 0:
        return [file.replace(index.site, "1")]
    pair = only_target(above)
    carry, outputs = pair.elements if isinstance(pair, ir.Sequence) and len(pair.elements) == 2 else (None, None)
    if not isinstance(carry, ir.Name) or not isinstance(outputs, ir.Name):
        return None
    return [file.replace(carry.site, outputs.id), file.replace(outputs.site, carry.id)]
