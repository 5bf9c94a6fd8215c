"""A NumPy array that traced code fills, written as a jax array."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value
from jaxlint.rewrite.arrays import array_names, indices
from jaxlint.rewrite.arrays.item_updates import METHODS
from jaxlint.rewrite.arrays.jax_counterpart import counterpart
from jaxlint.rewrite.changes import ARRAY_OF_32_BITS
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.source.diagnostic import Edit, Fix

_MAKERS = frozenset(
    f"numpy.{name}" for name in "zeros ones empty full zeros_like ones_like full_like arange array".split()
)


def made_by_jax(file: File, target: ir.Node) -> Fix | None:
    """The fix that makes the array of ``target`` with `jax.numpy`, and updates it where the code stores into it."""
    statement = file.unit.statement(target.site)
    if not isinstance(target, ir.Subscript) or not isinstance(target.value, ir.Name):
        return None
    name, scope = target.value.id, file.unit.scope(target.site)
    call = only_value(scope, name) if isinstance(scope, ir.Function) else None
    api = _maker(file, call)
    if api is None or not isinstance(call, ir.Call) or not array_names.is_read_after(file, statement, name):
        return None
    if len(bindings(scope, name)) != 1 or any(
        name in inner.free for inner in ir.walk(scope.body) if isinstance(inner, ir.Scope)
    ):
        return None
    maker = counterpart(file, call, api)
    if maker is None:
        return None
    spelled, imports = file.api(maker)
    edits = [file.replace(call.func.site, spelled)]
    for node in ir.walk(scope.body, into_scopes=False):
        if not isinstance(node, (ir.Assign, ir.Augment)) or not _stores(node, name):
            continue
        edit = _updated(file, node, name)
        if edit is None:
            return None
        edits.append(edit)
    title = f"Make `{name}` with `{spelled}`, and update it with `.at[…]`"
    return Fix(title, tuple(edits), imports=imports, changes=ARRAY_OF_32_BITS)


def _maker(file: File, call: ir.Node | None) -> str | None:
    names = file.api_names(call.func.site) if isinstance(call, ir.Call) else set()
    return names.pop() if len(names) == 1 and names <= _MAKERS else None


def _stores(node: ir.Assign | ir.Augment, name: str) -> bool:
    """Whether a statement stores into an element of the variable."""
    targets = node.targets if isinstance(node, ir.Assign) else [node.target]
    return any(
        isinstance(each, ir.Subscript) and isinstance(each.value, ir.Name) and each.value.id == name
        for target in targets
        for each in ir.walk([target])
        if each is target or isinstance(target, ir.Sequence)
    )


def _updated(file: File, node: ir.Assign | ir.Augment, name: str) -> Edit | None:
    match node:
        case ir.Assign(targets=[ir.Subscript() as target]):
            method: str | None = METHODS[""]
        case ir.Augment(target=ir.Subscript() as target):
            method = METHODS.get(node.op)
        case _:
            return None
    is_list = isinstance(target.index, ir.Sequence) and target.index.kind == "list"
    if method is None or is_list:
        return None
    text = f"{name} = {name}.at[{indices.text_of(file, target)}].{method}({argument(file, node.value.site)})"
    return file.replace(node.site, text)
