"""A NumPy array that traced code fills, written as a jax array."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import only_value
from jaxlint.rewrite.arrays import indices
from jaxlint.rewrite.arrays.item_updates import updated
from jaxlint.rewrite.arrays.jax_counterpart import counterpart
from jaxlint.rewrite.changes import ARRAY_OF_32_BITS
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import is_read_elsewhere
from jaxlint.rewrite.requirements import expect, known, or_none, require
from jaxlint.source.diagnostic import Fix

_MAKERS = frozenset(
    f"numpy.{name}" for name in "zeros ones empty full zeros_like ones_like full_like arange array".split()
)


@or_none
def made_by_jax(file: File, target: ir.Node) -> Fix:
    """The fix that makes the array of ``target`` with `jax.numpy`, and updates it where the code stores into it."""
    statement, name = file.unit.statement(target.site), expect(ir.Name, expect(ir.Subscript, target).value).id
    scope, draft = expect(ir.Function, file.unit.scope(target.site)), Draft(file)
    call = expect(ir.Call, only_value(scope, name))
    api = file.api_name(call.func.site)
    require(api in _MAKERS and is_read_elsewhere(file.unit, statement, name))
    require(not any(name in inner.free for inner in ir.walk(scope.body) if isinstance(inner, ir.Scope)))
    maker = draft.api(known(counterpart(file, call, api)))
    draft.replace(call.func.site, maker)
    for node in ir.walk(scope.body, into_scopes=False):
        match node:
            case ir.Assign(targets=[ir.Subscript() as stored], value=value):
                operator = ""
            case ir.Augment(target=ir.Subscript() as stored, op=operator, value=value):
                pass
            case ir.Assign(targets=targets):
                require(not any(_stores(target, name) for target in targets))
                continue
            case _:
                continue
        if _stores(stored, name):
            require(getattr(stored.index, "kind", "") != "list")
            at = f"{name}.at[{indices.text_of(file, stored)}]"
            draft.replace(node.site, f"{name} = {updated(file, at, operator, value)}")
    return draft.fix(f"Make `{name}` with `{maker}`, and update it with `.at[…]`", ARRAY_OF_32_BITS)


def _stores(target: ir.Node, name: str) -> bool:
    """Whether a target is an element of the variable, or has one."""
    if isinstance(target, ir.Sequence):
        return any(_stores(each, name) for each in target.elements)
    return isinstance(target, ir.Subscript) and isinstance(target.value, ir.Name) and target.value.id == name
