"""A scan whose carry holds an Equinox module: it carries the arrays, and the rest is put to them in its body and behind it."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result, passed_function
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.transform_options import rewritten
from jaxlint.source.diagnostic import Fix


@or_none
def scanned_arrays(file: File, site: int, operand: int) -> Fix:
    """`eqx.partition` of what goes in, `eqx.combine` of what the body gets and of what comes out."""
    call, statement, draft = expect(ir.Call, file.unit.nodes[site]), file.unit.statement(site), Draft(file)
    require(len(call.args) > 1 and call.args[1].site == operand)
    body = known(passed_function(file.unit, call.args[0]))
    result = None if body.is_lambda else only_result(body)
    target = statement.targets[0] if isinstance(statement, ir.Assign) and statement.value is call else None
    returned, received = (expect(ir.Sequence, each) for each in (result, target))
    require(len(returned.elements) == len(received.elements) == len(body.parameters) == 2)
    partition, combine, kept, is_array = (
        draft.api(f"equinox.{name}") for name in ("partition", "combine", "filter", "is_array")
    )
    new, old = returned.elements[0], received.elements[0]
    arrays, static = free_name(file, site, "arrays"), free_name(file, site, "static")
    carry, start = body.parameters[0].name, argument(file, operand)
    draft.above(statement, f"{arrays}, {static} = {partition}({start}, {is_array})")
    draft.above(body.body[0], f"{carry} = {combine}({carry}, {static})")
    draft.below(statement, f"{file.code(old.site)} = {combine}({arrays}, {static})")
    draft.insert(file.outer_span(new.site)[0], f"{kept}(")
    draft.insert(file.outer_span(new.site)[1], f", {is_array})")
    draft.edits += [rewritten(file, call.args[1], arrays), rewritten(file, old, arrays)]
    changes = "the scan carries the arrays of the module alone"
    return draft.fix("Carry the arrays, and combine them with the rest", changes)
