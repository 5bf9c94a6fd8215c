"""Flax's version of a transform, written out: it takes the module as the first argument, and passes it on."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.file import File
from jaxlint.source.diagnostic import Edit, ImportRequest

# Flax's name, options it asks for, keywords that both take, and whether JAX's takes the operands in the same call.
_VERSIONS: dict[str, tuple[str, tuple[str, ...], frozenset[str], bool]] = {
    "jax.jit": ("flax.linen.jit", (), frozenset(), False),
    "jax.checkpoint": ("flax.linen.remat", (), frozenset({"policy", "prevent_cse"}), False),
    "jax.vmap": (
        "flax.linen.vmap", ('variable_axes={"params": None}', "split_rngs="),
        frozenset({"in_axes", "out_axes", "axis_name", "axis_size"}), False,
    ),
    "jax.lax.scan": (
        "flax.linen.scan", ('variable_broadcast="params"', "split_rngs="),
        frozenset({"length", "reverse", "unroll"}), True,
    ),
    "jax.lax.map": ("flax.linen.vmap", ('variable_axes={"params": None}', "split_rngs="), frozenset(), True),
}  # fmt: skip
_OPERANDS = ("init", "xs")  # of `lax.scan`


class Lifted(NamedTuple):
    edits: tuple[Edit, ...]
    imports: frozenset[ImportRequest]
    name: str  # as it is written in the file


def lifted(file: File, site: int, api: str, used: int, split: str = "") -> Lifted | None:
    """The edits that make of a transform at ``site`` the one of Flax, for the module used at ``used``.

    ``split`` names the random numbers that are to differ. None where that cannot be written.
    """
    if api not in _VERSIONS:
        return None
    name, wanted, kept, at_once = _VERSIONS[api]
    spelled, imports = file.api(name)
    node = file.unit.nodes[site]
    if isinstance(node, (ir.Name, ir.Attribute)):
        return _decorator(file, node, spelled, imports, used) if not wanted else None
    if not isinstance(node, ir.Call) or not node.args or any(k.name is None for k in node.keywords):
        return None
    above = file.unit.parent(site)
    called = above if isinstance(above, ir.Call) and above.func is node else None
    operands = node.args[1:] if at_once else []
    keywords = {keyword.name: keyword for keyword in node.keywords}
    if (
        not (at_once or called)
        or (len(node.args) > 1 and not at_once)
        or any(isinstance(a, ir.Starred) for a in node.args)
    ):
        return None
    given = [keywords.pop(name) for name in _OPERANDS if at_once and name in keywords]
    if not keywords.keys() <= kept or len(operands) + len(given) > len(_OPERANDS) + 1:
        return None
    if at_once and len(operands) > len(_OPERANDS):
        return None
    function = _function(file, node, node.args[0], used)
    if function is None:
        return None
    text, owner, edits = function
    options = [option + ("{" + _streams(split) + "}" if option.endswith("=") else "") for option in wanted]
    options += [file.code(keyword.site) for keyword in keywords.values()]
    if not at_once:
        assert called is not None
        edits += (
            file.replace(node.func.site, spelled),
            file.replace(node.args[0].site, ", ".join([text, *options])),
            _before_arguments(file, called, owner),
        )
        for keyword in keywords.values():  # they are written behind the others
            start = file.source.text.rfind(",", 0, file.span(keyword.site)[0])
            edits += (Edit(start, file.span(keyword.site)[1], ""),)
        return Lifted(edits, imports, spelled)
    values = [file.code(argument.site) for argument in operands]
    named = {keyword.name: file.code(keyword.value.site) for keyword in given}
    values += [named[name] for name in _OPERANDS[len(values) :] if name in named]
    if len(values) < 2 and "length" in keywords:
        values.append("None")
    whole = f"{spelled}({', '.join([text, *options])})({', '.join([owner, *values])})"
    if "\n" in text:
        return None
    kept_edits = tuple(edit for edit in edits if edit.start < file.span(site)[0] or edit.start >= file.span(site)[1])
    return Lifted((*kept_edits, file.replace(site, whole)), imports, spelled)


def _streams(split: str) -> str:
    return f'"params": False, "{split}": True' if split else '"params": False'


def _before_arguments(file: File, call: ir.Call, owner: str) -> Edit:
    nodes = [*call.args, *call.keywords]
    if not nodes:
        return file.insert(file.span(call.site)[1] - 1, owner)
    return file.insert(file.span(nodes[0].site)[0], f"{owner}, ")


def _function(file: File, call: ir.Call, node: ir.Node, used: int) -> tuple[str, str, tuple[Edit, ...]] | None:
    """The function with the module as its first parameter, the module, and edits where it is defined."""
    if isinstance(node, ir.Lambda):
        owner = _owner(file, node.function, used)
        if owner is None or not node.function.parameters:
            return None
        text, start = file.code(node.site), file.span(node.site)[0]
        at = file.span(node.function.parameters[0].site)[0] - start
        return f"{text[:at]}{owner}, {text[at:]}", owner, ()
    method = file.unit.scope(call.site)
    if used == call.site and isinstance(node, (ir.Name, ir.Attribute, ir.Call)):  # the layer itself
        above = file.unit.parent(call.site)
        plain = isinstance(above, ir.Call) and above.func is call and not above.keywords and len(above.args) == 1
        if not plain and len(call.args) not in (2, 3):
            return None
        names = ["x"] if plain or len(call.args) == 2 else ["carry", "x"]
        return f"lambda layer, {', '.join(names)}: layer({', '.join(names)})", file.code(node.site), ()
    if not isinstance(node, ir.Name):
        return None
    define = _definition(method, node.id)
    if define is None or len([n for n in ir.walk([method]) if isinstance(n, ir.Name) and n.id == node.id]) != 1:
        return None
    owner = _owner(file, define.function, used)
    if owner is None or define.function.decorators or not define.function.parameters:
        return None
    start = file.span(define.function.parameters[0].site)[0]
    return node.id, owner, (file.insert(start, f"{owner}, "),)


def _decorator(file: File, node: ir.Node, spelled: str, imports: frozenset[ImportRequest], used: int) -> Lifted | None:
    """`@jax.jit` above a function of the method: each call passes the module."""
    define = file.unit.parent(node.site)
    while define is not None and not isinstance(define, ir.Define) and not isinstance(define, ir.Statement):
        define = file.unit.parent(define.site)
    if not isinstance(define, ir.Define) or not any(node is each for each in define.function.decorators):
        return None
    function, method = define.function, file.unit.scope(define.site)
    if function.is_method:
        return Lifted((file.replace(node.site, spelled),), imports, spelled)
    if len(function.decorators) != 1 or not function.parameters:
        return None
    owner = _owner(file, function, used)
    calls: list[ir.Call] = []
    for use in [n for n in ir.walk([method]) if isinstance(n, ir.Name) and n.id == function.name]:
        call = file.unit.parent(use.site)
        if not isinstance(call, ir.Call) or call.func is not use or not call.args:
            return None
        calls.append(call)
    if owner is None or not calls:
        return None
    edits = [file.replace(node.site, spelled), file.insert(file.span(function.parameters[0].site)[0], f"{owner}, ")]
    edits += [file.insert(file.span(call.args[0].site)[0], f"{owner}, ") for call in calls]
    return Lifted(tuple(edits), imports, spelled)


def _definition(method: ir.Scope, name: str) -> ir.Define | None:
    found = [n for n in ir.walk([method]) if isinstance(n, ir.Define) and n.function.name == name]
    return found[0] if len(found) == 1 and found[0] in method.body else None


def _owner(file: File, function: ir.Function, used: int) -> str | None:
    """Name of the module that the function uses: a layer that is closed over, else the module whose method this is."""
    method = file.unit.scope(function.site)
    while isinstance(method, ir.Function) and not method.is_method:
        method = file.unit.scope(method.site)
    if not isinstance(method, ir.Function) or not method.parameters:
        return None
    receiver = method.parameters[0].name
    closed = function.free & method.locals
    layers = {
        node.id for node in ir.walk([function])
        if isinstance(node, ir.Name) and node.id in closed and node.id != receiver
        and (_is_called(file, node) or any(type(value) in (v.OpaqueInstance, v.Ref) for value in file.values(node.site)))
    }  # fmt: skip
    own = receiver in function.free or _makes(file, function, used)
    if len(layers) > 1 or (layers and own):
        return None
    owner = layers.pop() if layers else receiver
    return owner if owner not in {parameter.name for parameter in function.parameters} else None


def _is_called(file: File, node: ir.Node) -> bool:
    above = file.unit.parent(node.site)
    return isinstance(above, ir.Call) and above.func is node


def _makes(file: File, function: ir.Function, used: int) -> bool:
    """Whether the layer used is made where it is called."""
    call = file.unit.nodes[used]
    return (
        isinstance(call, ir.Call)
        and isinstance(call.func, ir.Call)
        and any(node is call for node in ir.walk([function]))
    )
