"""Names bound to JAX arrays: where the arrays come from, and whether the name is read again."""

from __future__ import annotations

from jaxlint import knowledge
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings
from jaxlint.knowledge.transforms import transform
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import expect, require

_MODULES = ("jax.numpy.", "jax.lax.", "jax.random.", "jax.nn.", "jax.scipy.")
_PASSED_THROUGH = frozenset({"jax.lax.stop_gradient"})
_LOOPS = (ir.For, ir.While)


def root(node: ir.Node) -> ir.Node:
    """``x`` of ``x.at[0].set(1).at[1].add(2)``."""
    while True:
        inner = updated(node)
        if inner is None:
            return node
        node = inner


def updated(node: ir.Node) -> ir.Node | None:
    """The array of a call written ``array.at[index].method(…)``."""
    match node:
        case ir.Call(func=ir.Attribute(value=ir.Subscript(value=ir.Attribute(value=array, attr="at")))):
            return array
    return None


def made_by_jax(file: File, scope: ir.Scope, name: str) -> bool:
    """Whether ``name`` is a variable of this function and each of its bindings is certainly a JAX array."""
    if not isinstance(scope, ir.Function) or name not in scope.locals:
        return False
    if any(parameter.name == name for parameter in scope.parameters) or _bound_inside(scope, name):
        return False
    found = bindings(scope, name)
    return bool(found) and all(_is_array_binding(file, each, name) for each in found)


def is_bound_here(scope: ir.Scope, name: str) -> bool:
    """Whether an assignment to ``name`` in this scope rebinds the variable that is read here."""
    return name in scope.locals or name in scope.globals or name in scope.nonlocals


def bound_here(file: File, node: ir.Node | None) -> str:
    """The name that an expression is, which an assignment here rebinds. Raises NoFix for any other."""
    name = expect(ir.Name, node)
    require(is_bound_here(file.unit.scope(name.site), name.id))
    return name.id


def _bound_inside(scope: ir.Function, name: str) -> bool:
    functions = [getattr(node, "function", None) for node in ir.walk(scope.body, into_scopes=False)]
    return any(
        isinstance(each, ir.Function) and (name in each.nonlocals or (name in each.free and _bound_inside(each, name)))
        for each in functions
    )


def _is_array_binding(file: File, node: ir.Node, name: str) -> bool:
    match node:
        case ir.Augment() | ir.Annotate(value=None):
            return True  # what is added to an array gives an array; `x: jax.Array` binds nothing
        case (
            ir.Annotate(target=ir.Name(), value=ir.Expression() as value) | ir.Assign(targets=[ir.Name()], value=value)
        ):
            # Of `x = y = jnp.zeros(3)` the other name would keep the old array.
            return _gives_array(file, value, name)
    return False


def _gives_array(file: File, node: ir.Node, own: str) -> bool:
    """Whether an expression certainly gives a JAX array, also where no transform is around it, if ``own`` is one."""
    match node:
        case ir.Name(id=name):
            return bool(name == own)
        case ir.Binary(left=left, right=right):
            return _gives_array(file, left, own) or _gives_array(file, right, own)
        case ir.Unary(op=op, operand=operand):
            return op != "not" and _gives_array(file, operand, own)
        case ir.Conditional(body=body, orelse=orelse):
            return _gives_array(file, body, own) and _gives_array(file, orelse, own)
        case ir.Call(func=ir.Attribute(value=holder, attr=attr)) if _gives_array(file, holder, own):
            method = knowledge.method(attr)
            return method is not None and method.result == "array"
        case ir.Call():
            # Only JAX arrays have `.at[…]`.
            return updated(node) is not None or calls_array_maker(file, node)
    return False


def calls_array_maker(file: File, call: ir.Call) -> bool:
    """Whether a call is certainly one of functions that give JAX arrays."""
    names = file.api_names(call.func.site)
    return bool(names) and all(map(makes_array, names))


def makes_array(api: str) -> bool:
    """Whether the function of this name gives a JAX array, whatever it is given."""
    found = knowledge.facts(api)
    if found is None or found.result != "array" or not api.startswith(_MODULES):
        return False
    # What a transform or `stop_gradient` returns may be what it was given.
    return transform(api) is None and api not in _PASSED_THROUGH
