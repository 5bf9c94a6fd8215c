"""Calls of the host handed to `jax.debug.callback`, which makes them each time the code runs."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.analysis.domain.values import Array, Text, Tuple, Undecided, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_value
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Fix

# Nodes that bind names of their own, or that a lambda cannot hold.
_NOT_IN_LAMBDA = (ir.Comprehension, ir.Lambda, ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)


def called_back(file: File, call: ir.Node) -> Fix | None:
    """The call as it is, in a lambda that is given the traced names it uses.

    None where its result is used, and where what it shows is not certain to be a tree of arrays.
    """
    if not isinstance(call, ir.Call) or not isinstance(file.unit.parent(call.site), ir.Evaluate):
        return None
    inside = list(ir.walk([call]))
    if any(isinstance(node, _NOT_IN_LAMBDA) for node in inside):
        return None
    names = traced_names(file, inside)
    if names is None:
        return None
    callback, imports = file.api("jax.debug.callback")
    parameters = f" {', '.join(names)}" if names else ""
    arguments = "".join(f", {name}" for name in names)
    content = f"{callback}(lambda{parameters}: {file.code(call.site)}{arguments})"
    return Fix(f"Call it in a `{callback}`", (file.replace(call.site, content),), imports=imports, changes=EACH_RUN)


def traced_names(file: File, nodes: Iterable[ir.Node]) -> list[str] | None:
    """Names among ``nodes`` that hold tracers, in the order in which they are read; None where that is not certain."""
    names: dict[str, None] = {}
    for node in nodes:
        if not isinstance(node, ir.Name):
            continue
        values = file.values(node.site)
        if any(type(value) is Text for value in values):
            return None
        if any(_holds_tracers(value) for value in values) or _is_display_of_tracers(file, node):
            names[node.id] = None
    return list(names)


def _is_display_of_tracers(file: File, node: ir.Name) -> bool:
    """Whether a name holds a list, tuple or dict that is written out, with a tracer in it."""
    scope = file.unit.scope(node.site)
    shown = only_value(scope, node.id) if isinstance(scope, ir.Function) else None
    if not isinstance(shown, (ir.Sequence, ir.Dict)):
        return False
    return any(_holds_tracers(value) for each in shown.children() for value in file.values(each.site))


def _holds_tracers(value: Value) -> bool:
    if isinstance(value, Tuple) and value.items is not None:
        return any(_holds_tracers(item) for item in value.items)
    return type(value) in (Array, Undecided)
