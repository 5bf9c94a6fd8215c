"""Calls of the host handed to `jax.debug.callback`, which makes them each time the code runs."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.analysis.domain.values import Array, Text, Tuple, Undecided, Value
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_value
from jaxlint.rewrite.changes import EACH_RUN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Fix

# Nodes that bind names of their own, or that a lambda cannot hold.
_NOT_IN_LAMBDA = (ir.Comprehension, ir.Lambda, ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)


@or_none
def called_back(file: File, node: ir.Node) -> Fix:
    """The call as it is, in a lambda that is given the traced names it uses.

    Its result must not be used, and what it shows must certainly be a tree of arrays.
    """
    call, draft = expect(ir.Call, node), Draft(file)
    inside = list(ir.walk([call]))
    require(isinstance(file.unit.parent(call.site), ir.Evaluate))
    require(not any(isinstance(each, _NOT_IN_LAMBDA) for each in inside))
    names, callback = known(traced_names(file, inside)), draft.api("jax.debug.callback")
    parameters = f" {', '.join(names)}" if names else ""
    draft.replace(call.site, f"{callback}({', '.join([f'lambda{parameters}: {file.code(call.site)}', *names])})")
    return draft.fix(f"Call it in a `{callback}`", EACH_RUN)


@or_none
def traced_names(file: File, nodes: Iterable[ir.Node]) -> list[str]:
    """Names among ``nodes`` that hold tracers, in the order in which they are read, where that is certain."""
    names: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, ir.Name):
            values = file.values(node.site)
            require(not any(type(value) is Text for value in values))
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
