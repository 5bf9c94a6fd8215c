"""What is said of a store: the place it goes to, in words."""

from __future__ import annotations

from jaxlint.analysis.checkers.trace_side_effects import SideEffectInTracedCode, TracerLeak
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File


def place(hazard: TracerLeak | SideEffectInTracedCode, file: File) -> str:
    """What holds the value afterwards, as the code names it."""
    node = file.unit.nodes[hazard.site]
    if isinstance(node, ir.Call) and hazard.store.where == "container" and isinstance(node.func, ir.Attribute):
        return f"`{file.code(node.func.value.site, 40)}`"
    if isinstance(node, ir.Call) and hazard.store.where == "attribute":  # setattr
        return f"an attribute of `{file.code(node.args[0].site, 40)}`"
    if isinstance(node, ir.Call):
        return f"the cache of `{file.code(node.func.site, 40)}`"
    return f"`{file.code(hazard.site, 40)}`"


def value(hazard: TracerLeak | SideEffectInTracedCode, file: File) -> str:
    return f"`{file.code(hazard.operand, 40)}`"
