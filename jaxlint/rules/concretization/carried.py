"""Which variables a Python loop hands from one round to the next, for rewrites as `jax.lax` loops.

Only straight-line bodies are understood: assignments to names, one after the other. Nothing is said
of others, because a rewrite of them takes more than moving text.
"""

from __future__ import annotations

from typing import Iterator, Optional

from jaxlint import syntax as ir
from jaxlint.rewrite.bindings import bound_by, defining_scope, target_names

_SIMPLE = (ir.Assign, ir.Augment, ir.Annotate, ir.Pass)
_ONCE = (ir.Walrus, ir.Await, ir.Yield, ir.YieldFrom)


def carried(unit: ir.Unit, loop: ir.Statement) -> Optional[list[str]]:
    """Names a loop needs from its last round or leaves behind, in the order of their assignments.

    None where the body is no plain sequence of assignments, or where a name has no value before it.
    """
    assert isinstance(loop, (ir.For, ir.While))
    scope = unit.scope(loop.site)
    if not isinstance(scope, ir.Function) or loop.orelse or not all(map(_is_simple, loop.body)):
        return None
    names: list[str] = []
    bound: set[str] = set()
    needed: set[str] = set()
    for statement in loop.body:
        needed |= {name for name in _read_by(statement) if name not in bound}
        for name in sorted(bound_by(statement) - bound):
            names.append(name)
            bound.add(name)
    if isinstance(loop, ir.While):
        needed |= {node.id for node in ir.walk([loop.test], into_scopes=False) if isinstance(node, ir.Name)}
    names = [name for name in names if name in needed or _is_read_later(unit, scope, loop, name)]
    if not names or any(name not in scope.locals or not _has_value(unit, scope, loop, name) for name in names):
        return None
    return names


def is_read_elsewhere(unit: ir.Unit, loop: ir.Statement, name: str) -> bool:
    """Whether a name is read after a loop, or by an enclosing loop in its next round."""
    return _is_read_later(unit, unit.scope(loop.site), loop, name)


def _is_simple(statement: ir.Statement) -> bool:
    if not isinstance(statement, _SIMPLE) or (isinstance(statement, ir.Annotate) and statement.value is None):
        return False
    targets = statement.targets if isinstance(statement, ir.Assign) else [getattr(statement, "target", None)]
    if any(isinstance(node, _ONCE) for node in ir.walk([statement], into_scopes=False)):
        return False
    return all(target is None or _is_names(target) for target in targets)


def _is_names(target: ir.Node) -> bool:
    if isinstance(target, ir.Sequence):
        return all(map(_is_names, target.elements))
    return isinstance(target, ir.Name)


def _read_by(statement: ir.Node) -> Iterator[str]:
    if isinstance(statement, ir.Augment):
        yield from target_names(statement.target)
    value = getattr(statement, "value", None)
    if value is not None:
        for node in ir.walk([value], into_scopes=False):
            if isinstance(node, ir.Name):
                yield node.id
            elif isinstance(node, ir.Lambda):
                yield from node.function.free


def _is_read_later(unit: ir.Unit, scope: ir.Scope, loop: ir.Statement, name: str) -> bool:
    """Nodes are numbered from the inside out, so that what follows a loop has higher numbers than it."""
    repeated = any(isinstance(above, (ir.For, ir.While)) for above in _around(unit, loop))
    inside = {node.site for node in ir.walk([loop], into_scopes=False)}
    for node in unit.nodes if repeated else unit.nodes[loop.site + 1 :]:
        if isinstance(node, ir.Name) and node.id == name and node.site not in inside:
            if defining_scope(unit, node.site, name) is scope:
                return True
    return False


def _around(unit: ir.Unit, statement: ir.Node) -> Iterator[ir.Node]:
    for above in unit.ancestors(statement.site):
        if isinstance(above, ir.Scope):
            return
        yield above


def _has_value(unit: ir.Unit, scope: ir.Function, loop: ir.Statement, name: str) -> bool:
    """Whether a name certainly has a value when the loop is entered."""
    if any(parameter.name == name for parameter in scope.parameters):
        return True
    inner: ir.Node = loop
    for above in [*_around(unit, loop), scope]:
        for block in (getattr(above, field, None) for field in ("body", "orelse", "final")):
            if isinstance(block, (list, tuple)) and any(statement is inner for statement in block):
                before = block[: next(n for n, statement in enumerate(block) if statement is inner)]
                if any(name in bound_by(s) and not isinstance(s, (ir.Delete, ir.For)) for s in before):
                    return True
        inner = above
    return False
