"""Keys that a function may be called without: None, which no `split` takes."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.split_above import bound_at


def may_be_none(file: File, key: ir.Node) -> bool:
    """Whether the scope makes a key None, or asks if it is, and in such a way that it may still be where it is read."""
    if not isinstance(key, ir.Name):
        return False
    bound = bindings(file.unit.scope(key.site), key.id)
    if bound_at(file, key) not in bound and any(isinstance(each, ir.Assign) and _gives_none(each) for each in bound):
        return True
    around = [key, *file.unit.ancestors(key.site)]
    is_asked = False
    for node in ir.walk(file.unit.scope(key.site).body, into_scopes=False):
        if not isinstance(node, (ir.Conditional, ir.If)) or (is_there := _says_present(node.test, key.id)) is None:
            continue
        is_asked = True
        there: Sequence[ir.Node]
        if isinstance(node, ir.If):
            there, missing = (node.body, node.orelse) if is_there else (node.orelse, node.body)
            leaves = bool(missing) and isinstance(missing[-1], (ir.Return, ir.Raise, ir.Continue, ir.Break))
            settled = leaves or any(key.id in bound_by(each) for each in missing)
        else:
            there, other = ([node.body], node.orelse) if is_there else ([node.orelse], node.body)
            settled = key.id in bound_by(file.unit.statement(node.site)) and not ir.is_none(other)
        if not settled and not any(each in around for each in there):
            return True
    return not bound and not is_asked and _is_left_to_others(file, key)


def _is_left_to_others(file: File, key: ir.Name) -> bool:
    """Whether a key is a parameter that is None by default, and the function hands it on to others alone, which may allow for that."""
    scope = file.unit.scope(key.site)
    parameters = scope.parameters if isinstance(scope, ir.Function) else ()
    defaults = [each.default for each in parameters if each.name == key.id]
    if not any(map(ir.is_none, defaults)):
        return False
    for node in ir.names_below(scope.body).get(key.id, ()):
        call = file.unit.parent(node.site)
        if isinstance(call, ir.Keyword):
            call = file.unit.parent(call.site)
        if isinstance(call, ir.Call) and file.api_name(call.func.site).startswith("jax.random."):
            return False
    return True


def _gives_none(statement: ir.Assign) -> bool:
    value = statement.value
    sides = [value.body, value.orelse] if isinstance(value, ir.Conditional) else [value]
    return any(map(ir.is_none, sides))


def _says_present(test: ir.Node, name: str) -> bool | None:
    """True for a test that holds only where ``name`` is not None, False for one that holds where it is; None for any other."""
    if isinstance(test, ir.Name):
        return True if test.id == name else None
    if isinstance(test, ir.Unary) and test.op == "not":
        inner = _says_present(test.operand, name)
        return None if inner is None else not inner
    if isinstance(test, ir.Boolean):
        sides = (_says_present(test.left, name), _says_present(test.right, name))
        return next((side for side in sides if side is (test.op == "and")), None)
    match test:
        case ir.Compare(left=ir.Name(id=left), ops=["is" | "is not" as op], rights=[ir.Constant(value=None)]):
            return op == "is not" if left == name else None
    return None
