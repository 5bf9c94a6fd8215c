"""Whether the value that a statement gives a local name is read by anything that can come after it.

What is asked is syntax alone, and the answer errs on the side of "it is read": in a module or a class, by a function
inside that uses the name, in a loop around that reads it anywhere, in a `try`.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import target_names

_LOOPS = (ir.For, ir.While)


def unread(unit: ir.Unit, statement: ir.Node, name: str, through: int | None = None) -> bool:
    """Whether no path from ``statement`` on reads ``name``; with ``through``, no path that leads through that site."""
    scope = unit.scope(statement.site)
    if not isinstance(scope, ir.Function) or name not in scope.locals or _is_captured(scope, name):
        return False
    if name not in _names_read(scope):
        return True
    if any(type(around) is ir.Try and unit.scope(around.site) is scope for around in unit.ancestors(statement.site)):
        return False
    while True:
        parent = unit.parent(statement.site)
        ended = _ended(_after(parent, statement), name, through)
        if ended is not None:
            return ended
        if parent is scope or parent is None:
            return True
        is_bound_anew = isinstance(parent, ir.For) and statement in parent.body and name in target_names(parent.target)
        if isinstance(parent, _LOOPS) and not is_bound_anew and _reads(parent, name):
            return False
        statement = parent


def never_read(scope: ir.Scope, name: str) -> bool:
    """Whether nothing in a scope, or in the functions inside of it, reads a variable of its own."""
    return name not in _names_read_in(scope) and name not in scope.globals | scope.nonlocals


@functools.lru_cache(maxsize=256)
def _names_read_in(scope: ir.Scope) -> frozenset[str]:
    return frozenset[str]().union(*map(_names_read, scope.body))


def _ended(body: Iterable[ir.Statement], name: str, through: int | None) -> bool | None:
    """True where nothing after ``body`` can read the name, False where the body reads it, else None."""
    for statement in body:
        if (
            type(statement) is ir.If
            and through is not None
            and any(node.site == through for node in ir.walk([statement]))
            and not _reads(statement.test, name)
        ):
            for branch in (statement.body, statement.orelse):
                if any(node.site == through for node in ir.walk(branch)):
                    ended = _ended(branch, name, through)
                    if ended is not None:
                        return ended
            continue
        if _waits(statement):
            continue
        if _reads(statement, name):
            return False
        if isinstance(statement, (ir.Return, ir.Raise)) or _rebinds(statement, name):
            return True
    return None


def _waits(statement: ir.Node) -> bool:
    """Whether a statement only waits for arrays: `x.block_until_ready()`, `jax.block_until_ready((x, y))`."""
    call = statement.value if type(statement) is ir.Evaluate else None
    if type(call) is not ir.Call or type(call.func) is not ir.Attribute or call.func.attr != "block_until_ready":
        return False
    return all(
        isinstance(node, (ir.Name, ir.Attribute, ir.Sequence, ir.Call)) and not _calls_else(node, call)
        for node in ir.walk([call])
    )


def _calls_else(node: ir.Node, call: ir.Call) -> bool:
    return type(node) is ir.Call and node is not call


def _after(parent: ir.Node | None, statement: ir.Node) -> list[ir.Statement]:
    """The statements that follow one in its block."""
    for field in ir.FIELDS[type(parent)] if parent is not None else ():
        block = getattr(parent, field)
        if isinstance(block, list) and statement in block:
            return block[block.index(statement) + 1 :]
    return []


def _reads(node: ir.Node, name: str) -> bool:
    """Whether the name is read at or below a node, or may be."""
    return name in _names_read(node)


@functools.lru_cache(maxsize=4096)
def _names_read(node: ir.Node) -> frozenset[str]:
    written: set[int] = set()
    names: list[ir.Name] = []
    for part in ir.walk([node]):
        if type(part) is ir.Name:
            names.append(part)
        elif type(part) is ir.Assign:
            written |= {
                target.site for target in ir.walk(part.targets) if type(target) is ir.Name and _is_plain(part, target)
            }
        elif type(part) is ir.Annotate or type(part) is ir.For:
            written.add(part.target.site)
        elif type(part) is ir.Function and part is not node:  # its own variables are others, whatever their names
            written |= {
                inner.site for inner in ir.walk(part.body) if type(inner) is ir.Name and inner.id in part.locals
            }
    return frozenset(part.id for part in names if part.site not in written)


def _is_plain(assignment: ir.Assign, name: ir.Node) -> bool:
    """Whether a name in the targets of an assignment is bound by it, and not looked into as in `name[0] = 1`."""
    targets = list(assignment.targets)
    while targets:
        target = targets.pop()
        if target is name:
            return True
        if type(target) is ir.Sequence:
            targets += target.elements
        elif type(target) is ir.Starred:
            targets.append(target.value)
    return False


def _rebinds(statement: ir.Node, name: str) -> bool:
    if type(statement) is not ir.Assign:
        return False
    return any(
        type(node) is ir.Name and node.id == name and _is_plain(statement, node) for node in ir.walk(statement.targets)
    )


def _is_captured(scope: ir.Function, name: str) -> bool:
    return name in scope.nonlocals or name in _free_inside(scope)


@functools.lru_cache(maxsize=64)
def _free_inside(scope: ir.Function) -> frozenset[str]:
    """The names that functions and classes in a scope have from outside of themselves."""
    return frozenset(name for node in ir.walk(scope.body) if isinstance(node, ir.Scope) for name in node.free)
