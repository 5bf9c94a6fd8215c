"""A scan whose carry holds an Equinox module: it carries the arrays, and the rest is put to them in its body and behind it."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result, passed_function
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.statements import above, below, free_name
from jaxlint.rewrite.transform_options import rewritten
from jaxlint.source.diagnostic import Fix, ImportRequest


def scanned_arrays(file: File, site: int, operand: int) -> Fix | None:
    """`eqx.partition` of what goes in, `eqx.combine` of what the body gets and of what comes out."""
    call, statement = file.unit.nodes[site], file.unit.statement(site)
    if not isinstance(call, ir.Call) or len(call.args) < 2 or call.args[1].site != operand:
        return None
    body = passed_function(file.unit, call.args[0])
    result = only_result(body) if body is not None and not body.is_lambda else None
    target = statement.targets[0] if isinstance(statement, ir.Assign) and statement.value is call else None
    pairs = [each for each in (result, target) if isinstance(each, ir.Sequence) and len(each.elements) == 2]
    if body is None or len(pairs) != 2 or len(body.parameters) != 2:
        return None
    imports: frozenset[ImportRequest] = frozenset()
    spelled = []
    for name in ("partition", "combine", "filter", "is_array"):
        text, more = file.api(f"equinox.{name}")
        spelled.append(text)
        imports |= more
    partition, combine, kept, is_array = spelled
    returned, received = (each.elements[0] for each in pairs)
    arrays, static = free_name(file, site, "arrays"), free_name(file, site, "static")
    carry, start = body.parameters[0].name, argument(file, operand)
    statements = (
        above(file, statement, f"{arrays}, {static} = {partition}({start}, {is_array})"),
        above(file, body.body[0], f"{carry} = {combine}({carry}, {static})"),
        below(file, statement, f"{file.code(received.site)} = {combine}({arrays}, {static})"),
    )
    edits = [each for each in statements if each is not None]
    if len(edits) < 3:
        return None
    first, last = file.outer_span(returned.site)
    edits += [
        file.insert(first, f"{kept}("),
        file.insert(last, f", {is_array})"),
        rewritten(file, call.args[1], arrays),
        rewritten(file, received, arrays),
    ]
    changes = "the scan carries the arrays of the module alone"
    return Fix("Carry the arrays, and combine them with the rest", in_order(edits), imports=imports, changes=changes)
