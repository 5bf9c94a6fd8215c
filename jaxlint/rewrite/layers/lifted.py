"""Flax's version of a transform, written out: it takes the module as the first argument, and passes it on."""

from __future__ import annotations

from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.requirements import call_of, expect, known, only, or_none, plain_call, require
from jaxlint.source.diagnostic import Edit

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


@or_none
def lifted(draft: Draft, site: int, api: str, used: int, split: str = "") -> str:
    """Makes of a transform at ``site`` the one of Flax, for the module used at ``used``; gives what it is called in the file.

    ``split`` names the random numbers that are to differ.
    """
    require(api in _VERSIONS)
    name, wanted, kept, at_once = _VERSIONS[api]
    file, spelled = draft.file, draft.api(name)
    node = file.unit.nodes[site]
    if isinstance(node, (ir.Name, ir.Attribute)):
        require(not wanted)
        _decorator(draft, node, api, used)
        draft.replace(site, spelled)
        return spelled
    call = plain_call(node)
    keywords = {keyword.name: keyword for keyword in call.keywords}
    operands = list(call.args[1:])
    if at_once:
        operands += [keywords.pop(each).value for each in _OPERANDS[len(operands) :] if each in keywords]
    require(keywords.keys() <= kept and call.args and len(operands) <= (len(_OPERANDS) if at_once else 0))
    text, owner = _function(draft, call, call.args[0], used)
    options = [option + ("{" + _streams(split) + "}" if option.endswith("=") else "") for option in wanted]
    options += [file.code(keyword.site) for keyword in keywords.values()]
    if at_once:
        values = [file.code(each.site) for each in operands]
        if len(values) < 2 and "length" in keywords:
            values.append("None")
        require("\n" not in text)
        draft.replace(site, f"{spelled}({', '.join([text, *options])})({', '.join([owner, *values])})")
        return spelled
    draft.replace(call.func.site, spelled)
    draft.replace(call.args[0].site, ", ".join([text, *options]))
    draft.prepend_argument(call_of(file, call), owner)
    for keyword in keywords.values():  # they are written behind the others
        start = file.source.text.rfind(",", 0, file.span(keyword.site)[0])
        draft.edits.append(Edit(start, file.span(keyword.site)[1], ""))
    return spelled


def _streams(split: str) -> str:
    return f'"params": False, "{split}": True' if split else '"params": False'


def _function(draft: Draft, call: ir.Call, node: ir.Node, used: int) -> tuple[str, str]:
    """The function with the module as its first parameter, and the module; it is changed where it is defined."""
    file = draft.file
    if isinstance(node, ir.Lambda):
        owner = _owner(file, node.function, used)
        text, start = file.code(node.site), file.span(node.site)[0]
        at = file.span(node.function.parameters[0].site)[0] - start
        return f"{text[:at]}{owner}, {text[at:]}", owner
    if used == call.site and isinstance(node, (ir.Name, ir.Attribute, ir.Call)):  # the layer itself
        above = file.unit.parent(call.site)
        plain = isinstance(above, ir.Call) and above.func is call and not above.keywords and len(above.args) == 1
        require(plain or len(call.args) in (2, 3))
        names = "x" if plain or len(call.args) == 2 else "carry, x"
        return f"lambda layer, {names}: layer({names})", file.code(node.site)
    name, method = expect(ir.Name, node).id, file.unit.scope(call.site)
    define = only(each for each in ir.walk([method]) if isinstance(each, ir.Define) and each.function.name == name)
    require(define in method.body and len(ir.names_below([method]).get(name, ())) == 1)
    function = define.function
    owner = _owner(file, function, used)
    require(not function.decorators)
    draft.insert(file.span(function.parameters[0].site)[0], f"{owner}, ")
    return name, owner


def _decorator(draft: Draft, node: ir.Node, api: str, used: int) -> None:
    """`@jax.jit` above a function of the method: each call passes the module."""
    file, function = draft.file, expect(ir.Function, draft.file.unit.parent(node.site))
    if function.is_method:
        return
    owner, calls = _owner(file, function, used), known(visible_calls(file, function, (api,)))
    require(calls and len(function.decorators) == 1)
    draft.insert(file.span(function.parameters[0].site)[0], f"{owner}, ")
    for use in calls:
        draft.prepend_argument(use.call, owner)


def _owner(file: File, function: ir.Function, used: int) -> str:
    """Name of the module that the function uses: a layer that is closed over, else the module whose method this is."""
    method = file.unit.scope(function.site)
    while isinstance(method, ir.Function) and not method.is_method:
        method = file.unit.scope(method.site)
    require(function.parameters and getattr(method, "parameters", ()))
    receiver = expect(ir.Function, method).parameters[0].name
    closed = function.free & method.locals - {receiver}
    layers = {
        node.id for node in ir.walk([function])
        if isinstance(node, ir.Name) and node.id in closed
        and (_is_called(file, node) or any(type(value) in (v.OpaqueInstance, v.Ref) for value in file.values(node.site)))
    }  # fmt: skip
    if receiver in function.free or _makes(file, function, used):
        layers.add(receiver)
    require(len(layers) < 2)
    owner = layers.pop() if layers else receiver
    require(owner not in {parameter.name for parameter in function.parameters})
    return owner


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
