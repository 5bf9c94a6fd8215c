"""Elements that a traced condition leaves out of a sum: they are counted as 0 instead."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import BranchOnTracer
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.source.diagnostic import Edit, Fix

_NEUTRAL = {"builtins.sum": "0", "math.prod": "1"}
_CHANGES = "masked-out elements are computed, too"


@or_none
def masked_sum(hazard: BranchOnTracer, file: File) -> Fix:
    """`sum(e for e in x if c)` as `sum(jnp.where(c, e, 0) for e in x)`, and `sum(filter(f, x))` alike."""
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    if hazard.form == "filter":
        return _filtered(draft, node)
    require(hazard.form == "comprehension")
    clause = expect(ir.Clause, file.unit.parent(node.site))
    made = expect(ir.Comprehension, file.unit.parent(clause.site))
    require(len(clause.conditions) == 1 and made.kind in ("list", "generator"))
    neutral, parts = _neutral(file, made), [argument(file, each.site) for each in (node, made.element)]
    draft.replace_whole(made.element.site, f"{draft.api('jax.numpy.where')}({', '.join([*parts, neutral])})")
    start, end = file.outer_span(clause.iterable.site)[1], file.outer_span(node.site)[1]
    draft.edits.append(Edit(start, end, ""))
    return draft.fix(f"Count `{neutral}` for the elements that are left out", _CHANGES)


def _filtered(draft: Draft, node: ir.Node) -> Fix:
    file, neutral = draft.file, _neutral(draft.file, node)
    match node:
        case ir.Call(args=[ir.Lambda() as function, elements], keywords=()):
            test, parameters = ir.result_of(function), function.function.parameters
        case _:
            raise NoFix
    require(len(parameters) == 1 and parameters[0].kind in ("ordinary", "positional-only"))
    name = parameters[0].name
    counted = f"{draft.api('jax.numpy.where')}({argument(file, test.site)}, {name}, {neutral})"
    text = f"{counted} for {name} in {argument(file, elements.site)}"
    above = file.unit.parent(node.site)
    draft.replace_whole(node.site, text if isinstance(above, ir.Call) and len(above.args) == 1 else f"({text})")
    return draft.fix(f"Count `{neutral}` for the elements that are left out", _CHANGES)


def _neutral(file: File, node: ir.Node) -> str:
    """What changes nothing in the call that ``node`` is the one iterable of."""
    above = expect(ir.Call, file.unit.parent(node.site))
    require(node in above.args[:1])
    return known(_NEUTRAL.get(file.api_name(above.func.site)))
