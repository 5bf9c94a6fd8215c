"""Elements that a traced condition leaves out of a sum: they are counted as 0 instead."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import BranchOnTracer
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

_NEUTRAL = {"builtins.sum": "0", "math.prod": "1"}


def masked_sum(hazard: BranchOnTracer, file: File) -> Fix | None:
    """`sum(e for e in x if c)` as `sum(jnp.where(c, e, 0) for e in x)`, and `sum(filter(f, x))` alike."""
    node = file.unit.nodes[hazard.site]
    if hazard.form == "filter":
        return _filtered(file, node)
    if hazard.form != "comprehension":
        return None
    clause = file.unit.parent(node.site)
    if not isinstance(clause, ir.Clause):
        return None
    made = file.unit.parent(clause.site)
    if not isinstance(made, ir.Comprehension) or len(clause.conditions) != 1 or made.kind not in ("list", "generator"):
        return None
    neutral = _neutral(file, made)
    if neutral is None:
        return None
    where, imports = file.api("jax.numpy.where")
    text = f"{where}({argument(file, node.site)}, {argument(file, made.element.site)}, {neutral})"
    start, end = file.outer_span(clause.iterable.site)[1], file.outer_span(node.site)[1]
    edits = (Edit(*file.outer_span(made.element.site), text), Edit(start, end, ""))
    return _fix(neutral, edits, imports)


def _fix(neutral: str, edits: tuple[Edit, ...], imports: frozenset[ImportRequest]) -> Fix:
    changes = "masked-out elements are computed, too"
    return Fix(f"Count `{neutral}` for the elements that are left out", edits, imports=imports, changes=changes)


def _filtered(file: File, call: ir.Node) -> Fix | None:
    neutral = _neutral(file, call)
    match call:
        case ir.Call(args=[ir.Lambda() as function, elements], keywords=()) if neutral is not None:
            test, parameters = ir.result_of(function), function.function.parameters
        case _:
            return None
    if len(parameters) != 1 or parameters[0].kind not in ("ordinary", "positional-only"):
        return None
    name = parameters[0].name
    where, imports = file.api("jax.numpy.where")
    text = f"{where}({argument(file, test.site)}, {name}, {neutral}) for {name} in {argument(file, elements.site)}"
    above = file.unit.parent(call.site)
    text = text if isinstance(above, ir.Call) and len(above.args) == 1 else f"({text})"
    return _fix(neutral, (Edit(*file.outer_span(call.site), text),), imports)


def _neutral(file: File, node: ir.Node) -> str | None:
    """What changes nothing in the call that ``node`` is the one iterable of."""
    above = file.unit.parent(node.site)
    if not isinstance(above, ir.Call) or not above.args or above.args[0] is not node:
        return None
    names = file.api_names(above.func.site)
    return _NEUTRAL.get(names.pop()) if len(names) == 1 else None
