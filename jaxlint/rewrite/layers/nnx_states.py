"""What modules of NNX need besides their parameters: all states where they are split, and the numbers that dropout draws."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, held_by_object, names_of, only_target, parameter_of, resolved
from jaxlint.rewrite.changes import NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft, plain_call
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, only, or_none, parts_of, require
from jaxlint.rewrite.statements import unused
from jaxlint.source.diagnostic import Fix


@or_none
def rest_taken(file: File, call: ir.Call) -> Fix:
    """`graph, params, rest = nnx.split(model, nnx.Param, ...)`, and the rest for each `nnx.merge` of that graph."""
    require(len(call.args) > 1 and plain_call(call))
    statement, scope, draft = file.unit.statement(call.site), file.unit.scope(call.site), Draft(file)
    targets = parts_of(expect(ir.Expression, only_target(statement)))
    require(expect(ir.Assign, statement).value is call and len(targets) == len(call.args))
    graph = expect(ir.Name, targets[0])
    require(only(bindings(scope, graph.id)) is statement)
    merges = [_merged(file, each) for each in names_of(file.unit, scope, graph.id) if each is not graph]
    scopes = [scope, *(file.unit.scope(each.site) for each in merges)]
    rest = unused(set().union(*(each.locals | each.free for each in scopes)), "rest", "other") if merges else "_"
    draft.append_argument(call, "...")
    draft.insert(file.outer_span(targets[-1].site)[1], f", {rest}")
    for each in merges:
        draft.append_argument(each, rest)
    return draft.fix("Take the rest out as well", "the rest stays as it was when the module was split")


@or_none
def rngs_passed(file: File, call: ir.Call) -> Fix:
    """`nnx.Linear(2, 3, rngs=rngs)` in a function that is given `rngs`."""
    draft = Draft(file)
    require(parameter_of(file.unit.scope(plain_call(call).site), "rngs"))
    draft.append_argument(call, "rngs=rngs")
    return draft.fix("Pass `rngs`", NUMBERS_DRAWN)


@or_none
def rngs_kept(file: File, call: ir.Call) -> Fix:
    """`nnx.Dropout(rate, rngs=rngs)` where the layer that is called is made, in a function that is given `rngs`."""
    unit, held = file.unit, call.func
    made = held_by_object(unit, held) if isinstance(held, ir.Attribute) else resolved(unit, held)
    layer = expect(ir.Call, made)
    require(file.stands_for(layer.func.site, "flax.nnx.Dropout"))
    return known(rngs_passed(file, layer))


def _merged(file: File, graph: ir.Name) -> ir.Call:
    """The `nnx.merge` that a graph is read for."""
    call = plain_call(file.unit.parent(graph.site))
    require(call.args[:1] == (graph,) and file.is_api(call.func.site, "flax.nnx.merge") and not call.keywords)
    return call
