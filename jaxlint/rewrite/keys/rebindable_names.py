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
    if name not in scope.locals | scope.globals | scope.nonlocals:  # only comprehensions have a name like this
        around = (file.unit.ancestors(each.site) for each in ir.names_below(scope.body).get(name, ()))
        return all(
            any(isinstance(each, ir.Comprehension) and name in each.locals for each in above) for above in around
        )
    assigned = bindings(scope, name)
    return bool(assigned) and not _may_read(file, name, assigned, statement)


def may_be_read(file: File, name: str, statement: ir.Statement) -> bool:
    """Whether something may read what ``statement`` binds ``name`` to."""
    others = [each for each in bindings(file.unit.scope(statement.site), name) if each is not statement]
    return _may_read(file, name, others, statement)


def _may_read(file: File, name: str, assigned: list[ir.Node], statement: ir.Statement) -> bool:
    """Whether anything reads ``name`` that may not be bound by one of ``assigned`` after ``statement`` has run."""
    scope = file.unit.scope(statement.site)
    if name not in scope.locals or not all(isinstance(each, (ir.Assign, ir.For)) for each in assigned):
        return True
    targets = [getattr(each, "targets", None) or [getattr(each, "target", None)] for each in (*assigned, statement)]
    bound = {node for several in targets for each in several if each is not None for node in ir.walk([each])}
    around = [statement, *file.unit.ancestors(statement.site)]
    for node in ir.names_below(scope.body).get(name, ()):
        if node not in bound and defining_scope(file.unit, node.site, name) is scope:
            if file.unit.scope(node.site) is not scope or not _is_bound_above(file, node, assigned, around):
                return True
    return False


def _is_bound_above(file: File, read: ir.Name, assigned: list[ir.Node], around: list[ir.Node]) -> bool:
    """Whether a block, or the loop of it, binds a name before it reads it, and nothing in between is in ``around``."""
    node: ir.Node = file.unit.statement(read.site)
    while True:
        above = file.unit.parent(node.site)
        if above is None:
            return False
        for block in blocks(above):
            if node in block:
                at = [each for each in block[: block.index(node)] if each in assigned]
                if at or isinstance(above, ir.For) and above in assigned and node in above.body:
                    between = block[block.index(at[-1]) + 1 if at else 0 : block.index(node) + 1]
                    return not any(each in around for each in between)
        if isinstance(above, ir.Scope):
            return False
        node = above
