"""Frozen modules: copies with other fields in place of assignments, the arrays of a scanned module, the part that is trained."""

from __future__ import annotations

from collections.abc import Collection

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_result, passed_function
from jaxlint.rewrite.changes import OTHER_HOLDERS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest


@or_none
def replaced_fields(file: File, site: int, method: str) -> Fix:
    """The assignments above `return self` as one call of ``method``, or of `eqx.tree_at` where there is none."""
    statement, function, draft = file.unit.statement(site), expect(ir.Function, file.unit.scope(site)), Draft(file)
    require(function.is_method and function.parameters)
    me, block = function.parameters[0].name, file.unit.block(statement.site)
    first = last = block.index(statement)
    while first and _field(block[first - 1], me):
        first -= 1
    while last < len(block) and _field(block[last], me):
        last += 1
    end = expect(ir.Return, block[last] if last < len(block) else None)
    stores = {_field(each, me): each.value for each in block[first:last] if isinstance(each, ir.Assign)}
    require(stores and len(stores) == last - first and stands_on_own_lines(file, end))
    require(not _is_early(file, list(stores.values()), me, list(stores)))
    values = {name: argument(file, value.site) for name, value in stores.items()}
    given = [f"{name}={value}" for name, value in values.items()]
    match end.value:
        case ir.Name(id=name) if name == me and method:
            text = f"{me}.{method}({', '.join(given)})"
        case ir.Name(id=name) if name == me:
            m = "m" if me != "m" else "module"
            fields, new = ", ".join(f"{m}.{name}" for name in values), ", ".join(values.values())
            if len(values) > 1:
                fields, new = f"({fields})", f"({new})"
            text = f"{draft.api('equinox.tree_at')}(lambda {m}: {fields}, {me}, {new})"
        case ir.Call(func=func, args=[], keywords=[one, *_] as old) as call if file.code(func.site) == f"{me}.{method}":
            require(not {each.name for each in old} & {None, *stores} and not _reads(call, me, stores))
            code, offset = file.code(call.site), file.span(one.site)[0] - file.span(call.site)[0]
            between = code[len(code[:offset].rstrip()) : offset] or " "  # arguments may have a line each
            text = code[:offset] + "".join(f"{each},{between}" for each in given) + code[offset:]
        case _:
            raise NoFix
    draft.edits.append(Edit(file.span(block[first].site)[0], file.span(end.site)[1], f"return {text}"))
    return draft.fix("Return a copy with other fields", OTHER_HOLDERS)


def _field(statement: ir.Node, me: str) -> str:
    """The field of `self` that a statement sets, and does nothing else."""
    match statement:
        case ir.Assign(targets=[ir.Attribute(value=ir.Name(id=name), attr=field)]) if name == me:
            return field
    return ""


def _reads(node: ir.Node, me: str, fields: Collection[str]) -> bool:
    return any(
        isinstance(each, ir.Attribute) and each.attr in fields and getattr(each.value, "id", "") == me
        for each in ir.walk([node])
    )


def _is_early(file: File, values: list[ir.Expression], me: str, fields: list[str]) -> bool:
    """Whether a value reads a field that was set above it, or `self` as a whole, which may read it."""
    for number, value in enumerate(values):
        for node in ir.walk([value]):
            if isinstance(node, ir.Name) and node.id == me and number:
                above = file.unit.parent(node.site)
                if not isinstance(above, ir.Attribute) or above.attr in fields[:number]:
                    return True
    return False


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
    draft.replace_whole(operand, arrays)
    draft.replace_whole(old.site, arrays)
    changes = "the scan carries the arrays of the module alone"
    return draft.fix("Carry the arrays, and combine them with the rest", changes)


def trainable(file: File, module: str) -> tuple[str, frozenset[ImportRequest]]:
    """The arrays of a module that have gradients: `eqx.filter(module, eqx.is_inexact_array)`, with the import it needs."""
    taken, imports = file.api("equinox.filter")
    kind, more = file.api("equinox.is_inexact_array")
    return f"{taken}({module}, {kind})", imports | more
