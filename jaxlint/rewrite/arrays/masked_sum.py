"""Elements that a traced condition leaves out of a sum: they are counted as 0 instead."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import BranchOnTracer
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft, Refused, needs, of_kind, offered, some
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.source.diagnostic import Edit, Fix

_NEUTRAL = {"builtins.sum": "0", "math.prod": "1"}
_CHANGES = "masked-out elements are computed, too"


@offered
def masked_sum(hazard: BranchOnTracer, file: File) -> Fix:
    """`sum(e for e in x if c)` as `sum(jnp.where(c, e, 0) for e in x)`, and `sum(filter(f, x))` alike."""
    node, draft = file.unit.nodes[hazard.site], Draft(file)
    if hazard.form == "filter":
        return _filtered(draft, node)
    needs(hazard.form == "comprehension")
    clause = of_kind(file.unit.parent(node.site), ir.Clause)
    made = of_kind(file.unit.parent(clause.site), ir.Comprehension)
    needs(len(clause.conditions) == 1 and made.kind in ("list", "generator"))
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
            raise Refused
    needs(len(parameters) == 1 and parameters[0].kind in ("ordinary", "positional-only"))
    name = parameters[0].name
    counted = f"{draft.api('jax.numpy.where')}({argument(file, test.site)}, {name}, {neutral})"
    text = f"{counted} for {name} in {argument(file, elements.site)}"
    above = file.unit.parent(node.site)
    draft.replace_whole(node.site, text if isinstance(above, ir.Call) and len(above.args) == 1 else f"({text})")
    return draft.fix(f"Count `{neutral}` for the elements that are left out", _CHANGES)


def _neutral(file: File, node: ir.Node) -> str:
    """What changes nothing in the call that ``node`` is the one iterable of."""
    above = of_kind(file.unit.parent(node.site), ir.Call)
    needs(node in above.args[:1])
    return some(_NEUTRAL.get(file.api_name(above.func.site)))
