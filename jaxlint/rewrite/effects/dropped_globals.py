"""`global` and `nonlocal` taken back: a name becomes local again, or is declared elsewhere."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.draft import Draft


def undeclare(draft: Draft, function: ir.Function, name: str) -> None:
    """Takes ``name`` out of the `global` and `nonlocal` statements of a function."""
    for node in ir.walk(function.body, into_scopes=False):
        if not isinstance(node, (ir.Global, ir.Nonlocal)) or name not in node.names:
            continue
        others = ", ".join(each for each in node.names if each != name)
        if others:
            draft.replace(node.site, f"{'global' if isinstance(node, ir.Global) else 'nonlocal'} {others}")
        else:
            draft.remove(node)
