"""`global` and `nonlocal` taken back: a name becomes local again, or is declared elsewhere."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import removed
from jaxlint.source.diagnostic import Edit


def undeclared(file: File, function: ir.Function, name: str) -> list[Edit] | None:
    """Edits that take ``name`` out of the `global` and `nonlocal` statements of a function."""
    edits = []
    for node in ir.walk(function.body, into_scopes=False):
        if not isinstance(node, (ir.Global, ir.Nonlocal)) or name not in node.names:
            continue
        if len(node.names) > 1:
            word = "global" if isinstance(node, ir.Global) else "nonlocal"
            edits.append(file.replace(node.site, f"{word} {', '.join(each for each in node.names if each != name)}"))
            continue
        gone = removed(file, node)
        if gone is None:
            return None
        edits.append(gone)
    return edits
