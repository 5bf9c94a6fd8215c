"""Names of a scope that may be bound once more."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope
from jaxlint.rewrite.file import File
from jaxlint.rewrite.statements import blocks


def is_rebindable(file: File, name: str, statement: ir.Statement) -> bool:
    """Whether all that reads ``name`` reads what its own block has just bound it to, with ``statement`` not in between.

    ``statement`` may bind the name anew then: each way to what reads it goes through the other assignment.
    """
    scope = file.unit.scope(statement.site)
    assigned = bindings(scope, name)
    if not assigned or name not in scope.locals or not all(isinstance(each, ir.Assign) for each in assigned):
        return False
    targets = {
        node.site
        for each in assigned
        if isinstance(each, ir.Assign)
        for node in ir.walk(each.targets)
        if isinstance(node, ir.Name)
    }
    around = [statement, *file.unit.ancestors(statement.site)]
    for node in ir.walk(scope.body):
        if not isinstance(node, ir.Name) or node.id != name or node.site in targets:
            continue
        if file.unit.scope(node.site) is not scope:
            if defining_scope(file.unit, node.site, name) is scope:
                return False
        elif not _is_bound_above(file, node, assigned, around):
            return False
    return True


def _is_bound_above(file: File, read: ir.Name, assigned: list[ir.Node], around: list[ir.Node]) -> bool:
    """Whether a block binds a name before it reads it, and nothing in between is in ``around``."""
    node: ir.Node = file.unit.statement(read.site)
    while True:
        above = file.unit.parent(node.site)
        if above is None:
            return False
        for block in blocks(above):
            if node in block:
                at = [each for each in block[: block.index(node)] if each in assigned]
                if at:
                    between = block[block.index(at[-1]) + 1 : block.index(node) + 1]
                    return not any(each in around for each in between)
        if isinstance(above, ir.Scope):
            return False
        node = above
