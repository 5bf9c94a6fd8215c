"""Arguments put into calls and taken out of them, and names of parameters in both."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import parameter_of
from jaxlint.rewrite.calls import entered, passed_for
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, is_plain, require
from jaxlint.source.diagnostic import Edit


def without_argument(file: File, node: ir.Node) -> Edit:
    """The edit that takes an argument of a call out, with the comma before it or, of the first, after it."""
    call = file.unit.parent(node.site)
    assert isinstance(call, ir.Call)
    arguments = sorted((file.outer_span(each.site) for each in (*call.args, *call.keywords)), key=lambda span: span[0])
    start, end = file.outer_span(node.site)
    at = next(number for number, span in enumerate(arguments) if span[0] <= start < span[1])
    if at:
        return Edit(arguments[at - 1][1], end, "")
    return Edit(start, arguments[1][0] if len(arguments) > 1 else end, "")


def first_passed(file: File, hazard: Hazard) -> tuple[File, ir.Expression]:
    """What the first of the callers passes that lead to a hazard, where its operand is a parameter; and the file of it."""
    node = expect(ir.Expression, file.unit.nodes[hazard.operand])
    for site in reversed([each for each in hazard.chain if each != hazard.site]):
        function = file.unit.scope(node.site)
        if not isinstance(node, ir.Name) or parameter_of(function, node.id) is None:
            break
        file = file.holding(site)
        node = _passed(file, expect(ir.Call, file.unit.nodes[site]), expect(ir.Function, function), node.id)
    return file, node


def _passed(file: File, call: ir.Call, function: ir.Function, name: str) -> ir.Expression:
    """What a call passes for a parameter of the function that it enters, be it through a class or a module of Flax."""
    values = file.functions(call.func.site)
    if any(entered(value) is function for value in values) or values and function.name == "__init__":
        return expect(ir.Expression, passed_for(function, call, name))
    # `init` and `apply` take a key or the variables first.
    require(isinstance(call.func, ir.Attribute) and call.func.attr in ("init", "apply") and is_plain(call.args))
    require(function.name == "__call__" and call.args and all(each.name != "method" for each in call.keywords))
    names = [each.name for each in function.parameters]
    return expect(ir.Expression, ir.given(call, names.index(name), name))
