"""The length that a result must have, because of what it is used for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import reads_of
from jaxlint.rewrite.arrays.masks import rank
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.transform_options import added, value_of
from jaxlint.source.diagnostic import Fix

if TYPE_CHECKING:
    from jaxlint.rewrite.file import File

_SEGMENTS = [f"jax.ops.segment_{name}" for name in ("sum", "max", "min", "prod")]


def with_needed_length(file: File, call: ir.Call, parameter: str) -> Fix | None:
    """The call with the first size of its result, where the one use of the result works with no other."""
    axis = value_of(call, "axis")
    if not call.args or (axis is not None and file.code(axis.site) != "0"):
        return None
    length = _length(file, call, call)
    if length is None:
        return None
    changes = "what is beyond the last index is filled"
    return Fix(f"Give `{parameter}={length}`", (added(file, call, f"{parameter}={length}"),), changes=changes)


def _length(file: File, call: ir.Call, node: ir.Node) -> str | None:
    above = file.unit.parent(node.site)
    if isinstance(above, ir.Assign):
        reads = reads_of(file.unit, above) or ()
        return _length(file, call, reads[0]) if len(reads) == 1 else None
    if isinstance(above, ir.Binary) and len(call.args) > 1:
        other = file.code((above.right if above.left is node else above.left).site)
        looked_up = f"{other}[{file.code(call.args[1].site)}]"
        if any(isinstance(each, ir.Subscript) and file.code(each.site) == looked_up for each in file.unit.own):
            return f"{other}.shape[0]"
    if isinstance(above, ir.Call) and len(above.args) > 1 and above.args[0] is node:
        if file.is_api(above.func.site, *_SEGMENTS) and rank(file, above.args[1].site) in (1, None):
            return f"{operand(file, above.args[1].site)}.shape[0]"
    formed = file.unit.parent(above.site) if isinstance(above, ir.Attribute) and above.attr == "reshape" else None
    if isinstance(formed, ir.Call) and formed.args and file.is_api(call.func.site, "jax.numpy.bincount"):
        shape = formed.args[0].elements if isinstance(formed.args[0], ir.Sequence) else formed.args
        if all(isinstance(each, (ir.Constant, ir.Name, ir.Attribute)) for each in shape):
            return " * ".join(file.code(each.site) for each in shape)
    return None
