"""Aliases of variables: `initial = params`, where nothing is copied."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import assigned_pairs, bindings


def aliases_before_loops(unit: ir.Unit, scope: ir.Scope, node: ir.Name) -> Iterator[tuple[ir.For | ir.While, str]]:
    """The loops around a name, each with the aliases of the value that its first pass finds there."""
    statement = unit.statement(node.site) if node.site in unit else None
    own = [each.site for each in bindings(scope, node.id)]
    inner: ir.Node | None = statement
    while inner is not None:
        loop = unit.parent(inner.site)
        if not isinstance(loop, (ir.For, ir.While)) or all(each is not inner for each in loop.body):
            return
        inside = {each.site for each in ir.walk([loop], into_scopes=False)}
        if any(each in inside and each < inner.site for each in own):
            return
        for save in getattr(unit.parent(loop.site), "body", ()):
            anew = any(save.site < each < loop.site and each not in inside for each in own)
            for name, held in aliases_made_by(save) if isinstance(save, ir.Assign) and save.site < loop.site else ():
                if held.id == node.id and name != node.id and not anew and len(bindings(scope, name)) == 1:
                    yield loop, name
        inner = loop


def aliased_at(scope: ir.Scope, name: str, held: str) -> int | None:
    """Site of ``held`` in the one assignment that makes ``name`` an alias of it."""
    found = bindings(scope, name)
    save = found[0] if len(found) == 1 else None
    pairs = aliases_made_by(save) if isinstance(save, ir.Assign) else ()
    return next((each.site for target, each in pairs if (target, each.id) == (name, held)), None)


def aliases_made_by(assign: ir.Assign) -> Iterator[tuple[str, ir.Name]]:
    """The names that an assignment makes aliases of other names."""
    for part, value in assigned_pairs(assign):
        if type(part) is ir.Name and type(value) is ir.Name:
            yield part.id, value
