"""Reductions of a selection, written as reductions of the whole array: `x[mask].sum()` as `where(mask, x, 0).sum()`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from jaxlint import syntax as ir
from jaxlint.diagnostic import Edit, ImportRequest
from jaxlint.rewrite import operands
from jaxlint.rule import File
from jaxlint.rules.shapes import masks
from jaxlint.semantics.values import Api, Array

_IDENTITY = {"sum": "0", "mean": "0", "prod": "1", "any": "False", "all": "True"}
_EXTREMES = {"min": "max", "amin": "max", "max": "min", "amax": "min"}  # reduction -> limit of the dtype


@dataclass(frozen=True)
class MaskedReduction:
    """The edit, and the neutral value that stands where the mask is false."""

    edit: Edit
    neutral: str
    imports: frozenset[ImportRequest]


def masked_reduction(file: File, chosen: ir.Node, mask: ir.Node) -> Optional[MaskedReduction]:
    """Rewrites the reduction of ``chosen``, a subscript that selects where ``mask`` is true; None where there is none."""
    if not isinstance(chosen, ir.Subscript) or not masks.is_mask(file, mask.site):
        return None
    call, reduction = _reduction(file, chosen)
    if call is None or masks.misfits(file, mask.site, chosen.value.site):
        return None
    neutral, imports = _neutral(file, chosen, reduction)
    if neutral is None:
        return None
    where, more = file.api("jax.numpy.where")
    array = operands.argument(file, chosen.value.site)
    whole = f"{where}({operands.argument(file, mask.site)}, {array}, {neutral})"
    edit = file.replace(chosen.site, whole)
    if reduction == "mean":
        if not _is_repeatable(mask):
            return None
        quotient = f"{whole}.sum() / {operands.operand(file, mask.site)}.sum()"
        alone = isinstance(file.unit.parent(call.site), (ir.Statement, ir.Call, ir.Keyword, ir.Sequence))
        edit = file.replace(call.site, quotient if alone else f"({quotient})")
    return MaskedReduction(edit, neutral, imports | more)


def _reduction(file: File, chosen: ir.Node) -> tuple[Optional[ir.Node], str]:
    """The reduction of the selection to one number, as a call and the name of the function."""
    above = file.unit.parent(chosen.site)
    if isinstance(above, ir.Attribute):
        call = file.unit.parent(above.site)
        if isinstance(call, ir.Call) and call.func is above and not call.args and not call.keywords:
            return call, above.attr
    elif isinstance(above, ir.Call) and len(above.args) == 1 and above.args[0] is chosen and not above.keywords:
        called = file.values(above.func.site)
        if called and all(type(each) is Api and each.name.startswith("jax.numpy.") for each in called):
            return above, called[0].name[len("jax.numpy.") :]  # type: ignore[attr-defined]
    return None, ""


def _neutral(file: File, chosen: ir.Node, reduction: str) -> tuple[Optional[str], frozenset[ImportRequest]]:
    """What leaves the reduction as it is, written in the file's own style."""
    if reduction in _IDENTITY:
        return _IDENTITY[reduction], frozenset()
    limit = _EXTREMES.get(reduction)
    dtypes = {value.aval.dtype if type(value) is Array else None for value in file.values(chosen.value.site)}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    if limit is None or dtype in ("bool", "key", "typed key"):
        return None, frozenset()
    if dtype is not None and "int" in dtype:
        iinfo, imports = file.api("jax.numpy.iinfo")
        name, more = file.api(f"jax.numpy.{dtype}")
        return f"{iinfo}({name}).{limit}", imports | more
    infinity, imports = file.api("jax.numpy.inf")
    return infinity if limit == "max" else f"-{infinity}", imports


def _is_repeatable(node: ir.Node) -> bool:
    """Whether evaluating the expression twice costs nothing and does nothing."""
    if isinstance(node, (ir.Constant, ir.Name)):
        return True
    return isinstance(node, (ir.Attribute, ir.Unary, ir.Binary, ir.Compare)) and all(map(_is_repeatable, node.children()))
