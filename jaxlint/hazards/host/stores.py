"""What is said of a store: the place it goes to, in words."""

from __future__ import annotations

from jaxlint.analysis.model import Demand
from jaxlint.hazards.rule import File
from jaxlint.ir import nodes as ir


def place(demand: Demand, file: File) -> str:
    """What holds the value afterwards, as the code names it."""
    node = file.unit.nodes[demand.site]
    if isinstance(node, ir.Call) and demand.detail.where == "container" and isinstance(node.func, ir.Attribute):
        return f"`{file.code(node.func.value.site, 40)}`"
    if isinstance(node, ir.Call) and demand.detail.where == "attribute":  # setattr
        return f"an attribute of `{file.code(node.args[0].site, 40)}`"
    if isinstance(node, ir.Call):
        return f"the cache of `{file.code(node.func.site, 40)}`"
    return f"`{file.code(demand.site, 40)}`"


def value(demand: Demand, file: File) -> str:
    return f"`{file.code(demand.operand, 40)}`"
