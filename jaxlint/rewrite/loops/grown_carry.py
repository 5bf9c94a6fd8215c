"""The fix for a scan whose carry would grow: what each pass adds is its output."""

from __future__ import annotations

from jaxlint.analysis.domain.values import Array
from jaxlint.analysis.transforms.carries import BranchStructureMismatch
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.transform_options import rewritten, value_of
from jaxlint.source.diagnostic import Applicability, Fix


@or_none
def collected(hazard: BranchStructureMismatch, file: File) -> Fix:
    """For a body that returns `jnp.append(carry, y), None` or `jnp.concatenate([carry, y[None]]), None`, and an empty start."""
    call, function, draft = file.unit.nodes[hazard.site], known(definition(file, hazard.first)), Draft(file)
    require((hazard.api or "").endswith("scan") and not hazard.path and len(function.parameters) == 2)
    initial, carry = known(value_of(call, "init", 1)), function.parameters[0].name
    match only_result(function):
        case ir.Sequence(elements=[grown, ir.Constant(value=None)]) as returned:
            added = _added(file, grown, carry)
        case _:
            raise NoFix
    require(_is_empty(file, initial) and len(ir.names_below(function.body)[carry]) == 1)
    match file.unit.parent(call.site):
        case ir.Subscript(index=ir.Constant(value=0) as index):
            draft.replace(index.site, "1")
        case ir.Assign(targets=[ir.Sequence(elements=[ir.Name() as first, ir.Name() as outputs])]):
            draft.replace(first.site, outputs.id)
            draft.replace(outputs.site, first.id)
        case _:
            raise NoFix
    text = f"{carry}, {argument(file, added.site)}"
    draft.edits.append(rewritten(file, returned, f"({text})" if function.is_lambda else text))
    draft.edits.append(rewritten(file, initial, "None"))
    return draft.fix("Collect it as the output of the scan", level=Applicability.DISPLAY)


def _is_empty(file: File, node: ir.Node) -> bool:
    values = file.values(node.site)
    return bool(values) and all(isinstance(value, Array) and value.aval.shape == (0,) for value in values)


def _added(file: File, grown: ir.Node, carry: str) -> ir.Node:
    """What a pass adds at the end of the carry."""
    match grown:
        case ir.Call(
            args=[ir.Sequence(elements=[ir.Name(id=name), ir.Subscript(value=added, index=ir.Constant(value=None))])]
        ):
            api = "jax.numpy.concatenate"
        case ir.Call(args=[ir.Name(id=name), added]):
            api = "jax.numpy.append"
        case _:
            raise NoFix
    call = expect(ir.Call, grown)
    require(name == carry and not call.keywords and file.is_api(call.func.site, api))
    return expect(ir.Node, added)
