"""NNX: objects passed to what a transform traces, models given to optimizers, states and random numbers of modules."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain.values import OpaqueInstance, Ref
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import (
    bindings,
    bound_to,
    names_of,
    only_target,
    parameter_of,
    passed_function,
    resolved,
)
from jaxlint.rewrite.calls import end_of_parameter, is_closed, visible_calls
from jaxlint.rewrite.changes import NNX_STATE, NUMBERS_DRAWN
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import made_of
from jaxlint.rewrite.keys.own_keys import own_keys
from jaxlint.rewrite.operands import argument, is_path
from jaxlint.rewrite.requirements import expect, known, only, or_none, parts_of, plain_call, require
from jaxlint.rewrite.statements import free_name, unused
from jaxlint.source.diagnostic import Fix

# NNX's version, and whether the object goes behind the other arguments, which are counted from the front.
VERSIONS = {
    "jax.jit": ("flax.nnx.jit", False),
    "jax.checkpoint": ("flax.nnx.remat", False),
    "jax.grad": ("flax.nnx.grad", True),
    "jax.value_and_grad": ("flax.nnx.value_and_grad", True),
    "flax.nnx.jit": ("flax.nnx.jit", False),
    "flax.nnx.remat": ("flax.nnx.remat", False),
    "flax.nnx.grad": ("flax.nnx.grad", True),
    "flax.nnx.value_and_grad": ("flax.nnx.value_and_grad", True),
}
_LOOPS = {"jax.lax.scan": "lax.scan", "jax.lax.map": "lax.map", "jax.lax.fori_loop": "lax.fori_loop"}


class _Traced(NamedTuple):
    function: ir.Function
    name: ir.Node  # of the transform, as it is written
    calls: list[ir.Call]  # of what the transform gives


@or_none
def passed(file: File, site: int, api: str, what: str, operand: int) -> Fix | None:
    """The object that the function at ``operand`` changes becomes an argument of what is traced."""
    if api in _LOOPS:
        require(isinstance(file.unit.nodes[operand], ir.Call) and what == "Rngs")
        return own_keys(file, site, _LOOPS[api], operand)
    if api == "jax.vmap" and what in ("Dropout", "Rngs") and (mapped := _module_mapped(file, site)) is not None:
        return mapped
    traced = _traced(file, site, api)
    owner, draft = _owner(file, traced.function, operand), Draft(file)
    require(traced.calls)
    if api == "jax.vmap":
        require(what in ("Dropout", "Rngs"))
        return _mapped(draft, traced, owner)
    require(api in VERSIONS)
    name, behind = VERSIONS[api]
    spelled = _spelled(draft, traced.name, name)
    _take(draft, traced, owner, behind)
    return draft.fix(f"Pass `{owner}` to the function, under `{spelled}`", NNX_STATE)


def _spelled(draft: Draft, written: ir.Node, name: str) -> str:
    """The transform of NNX, in the place of the one that is written."""
    spelled = draft.api(name)
    if draft.file.code(written.site) != spelled:
        draft.replace(written.site, spelled)
    return spelled


@or_none
def bound(file: File, site: int, api: str, objects: tuple[str, ...]) -> Fix:
    """All objects that a compiled function closes over become its first parameters, which the function of that name then has bound."""
    transform, function, draft = file.unit.nodes[site], expect(ir.Function, file.unit.parent(site)), Draft(file)
    require(api in ("jax.jit", "flax.nnx.jit") and not isinstance(transform, ir.Call))
    nodes = [node for node in ir.walk(function.body) if isinstance(node, (ir.Name, ir.Attribute))]
    used = [each for each in objects if any(file.code(node.site) == each for node in nodes)]
    names = [each.rpartition(".")[2] for each in used]
    define = expect(ir.Define, file.unit.parent(function.site))
    require(tuple(function.decorators) == (transform,) and used and function.parameters and not function.is_method)
    require(not set(names) & function.locals and len(set(names)) == len(names))
    require(all(each.kind == "ordinary" for each in function.parameters))
    _spelled(draft, transform, "flax.nnx.jit")
    draft.insert(file.span(function.parameters[0].site)[0], f"{', '.join(names)}, ")
    for node in nodes:
        if file.code(node.site) in used:
            draft.replace(node.site, names[used.index(file.code(node.site))])
    draft.below(define, f"{function.name} = {draft.api('functools.partial')}({', '.join([function.name, *used])})")
    return draft.fix(f"Pass `{'`, `'.join(names)}` to the function", NNX_STATE)


def _mapped(draft: Draft, traced: _Traced, owner: str) -> Fix:
    """`nnx.split_rngs(splits=n)(nnx.vmap(f, in_axes=…))(drop, x)`: random numbers of its own for each element."""
    file, (call, *others) = draft.file, traced.calls
    transform = plain_call(call.func)
    require(transform.func is traced.name and not transform.keywords and not others)
    require(isinstance(call.args[0], (ir.Name, ir.Attribute)))
    _take(draft, traced, owner, False)
    axes, split, vmap = _split_axes(draft), draft.api("flax.nnx.split_rngs"), draft.api("flax.nnx.vmap")
    mapped = ", ".join("0" for _ in call.args)
    draft.replace(traced.name.site, f"{split}(splits={file.code(call.args[0].site)}.shape[0])({vmap}")
    draft.insert(file.outer_span(transform.args[0].site)[1], f", in_axes=({axes}, {mapped})")
    draft.insert(file.span(transform.site)[1], ")")
    return draft.fix(f"Pass `{owner}` to the function, and split its random numbers", NUMBERS_DRAWN)


@or_none
def _module_mapped(file: File, site: int) -> Fix:
    """A function of a module and one element for `jax.vmap(model)(x)`, mapped by NNX."""
    transform, call, draft = plain_call(file.unit.nodes[site]), plain_call(file.unit.parent(site)), Draft(file)
    require(call.func is transform and len(transform.args) == len(call.args) == 1)
    require(not transform.keywords and not call.keywords and passed_function(file.unit, transform.args[0]) is None)
    module, elements = (expect(ir.Name, each).id for each in (*transform.args, *call.args))
    newline = f"{file.source.newline}{file.indentation(file.unit.statement(site).site)}"
    name = free_name(file, site, "mapped", "for_each")
    split, vmap, axes = draft.api("flax.nnx.split_rngs"), draft.api("flax.nnx.vmap"), _split_axes(draft)
    head = [
        f"@{split}(splits={elements}.shape[0])",
        f"@{vmap}(in_axes=({axes}, 0))",
        f"def {name}({module}, {elements}):",
    ]
    draft.define_above(file.unit.statement(site), newline.join(head), [f"return {module}({elements})"])
    draft.replace(call.site, f"{name}({module}, {elements})")
    return draft.fix(f"Pass `{module}` to the function, and split its random numbers", NUMBERS_DRAWN)


def _split_axes(draft: Draft) -> str:
    """What tells NNX that each element has streams of its own, and all else is shared."""
    return f"{draft.api('flax.nnx.StateAxes')}({{{draft.api('flax.nnx.RngState')}: 0, ...: None}})"


def _take(draft: Draft, traced: _Traced, owner: str, behind: bool) -> None:
    """Adds the parameter, and the argument of each call."""
    file, parameters = draft.file, traced.function.parameters
    require(parameters and owner not in {each.name for each in parameters})
    require(all(each.kind == "ordinary" and not (behind and each.default) for each in parameters))
    if behind:
        draft.insert(end_of_parameter(file, parameters[-1]), f", {owner}")
    else:
        draft.insert(file.span(parameters[0].site)[0], f"{owner}, ")
    for each in traced.calls:
        call = plain_call(each)
        require(call.args and not call.keywords)
        if behind:
            require(len(call.args) == len(parameters))
            draft.append_argument(call, owner)
        else:
            draft.prepend_argument(call, owner)


def _traced(file: File, site: int, api: str) -> _Traced:
    """The function that is traced, and where what the transform gives is called."""
    node, above = file.unit.nodes[site], file.unit.parent(site)
    if isinstance(above, ir.Function):
        function, name = above, expect(ir.Expression, node)
        require(tuple(function.decorators) == (node,))
    else:
        call = expect(ir.Call, node)
        require(len(call.args) == 1 and all(each.name == "has_aux" for each in call.keywords))
        function, name = known(passed_function(file.unit, call.args[0])), call.func
    calls = known(visible_calls(file, function, (api,)))
    require(is_closed(file, function) and isinstance(name, (ir.Name, ir.Attribute)))
    return _Traced(function, name, [each.call for each in calls])


def _owner(file: File, function: ir.Function, changed: int) -> str:
    """The one object that the function closes over; where none is known, the one it changes."""
    around = file.unit.scope(function.site)
    closed = function.free & around.locals if isinstance(around, ir.Function) else set()
    objects = {
        node.id for node in ir.walk([function])
        if isinstance(node, ir.Name) and node.id in closed
        and any(type(value) in (Ref, OpaqueInstance) for value in file.values(node.site))
    }  # fmt: skip
    root = file.unit.nodes[changed]
    while isinstance(root, (ir.Call, ir.Attribute, ir.Subscript)):
        root = root.func if isinstance(root, ir.Call) else root.value
    inside = any(above is function for above in file.unit.ancestors(changed))
    if not objects and inside and isinstance(root, ir.Name) and root.id in closed:
        objects = {root.id}
    return only(objects)


_GRADIENTS = {"flax.nnx.grad": 0, "flax.nnx.value_and_grad": 1}  # and where the gradient is in a pair


@or_none
def parameters_named(file: File, call: ir.Call) -> Fix:
    """`nnx.Optimizer(model, tx, wrt=nnx.Param)`: what it updated where nothing was said."""
    require(len(call.args) == 2 and not call.keywords)
    draft = Draft(file)
    param = draft.api("flax.nnx.Param")
    draft.insert(file.outer_span(call.args[1].site)[1], f", wrt={param}")
    return draft.fix(f"Pass `wrt={param}`", "the parameters are updated, and no other state")


@or_none
def model_given(file: File, call: ir.Call) -> Fix:
    """`optimizer.update(model, grads)`: the model that the gradients are those of."""
    require(len(call.args) == 1 and not call.keywords)
    grads, held, draft = call.args[0], expect(ir.Attribute, call.func).value, Draft(file)
    made: list[ir.Node] = [grads]
    if isinstance(grads, ir.Name):
        bound = bindings(file.unit.scope(call.site), grads.id)
        made = [each.value for each in bound if _holds_gradient(file, each, grads.id)]  # type: ignore[attr-defined]
    models = {_differentiated(file, each) for each in made} - {""}
    optimizer = resolved(file.unit, held)
    if not models and isinstance(optimizer, ir.Call) and file.is_api(optimizer.func.site, "flax.nnx.Optimizer"):
        models = {argument(file, each.site) for each in optimizer.args[:1] if is_path(each)}
    model = only(models)
    draft.prepend_argument(call, model)
    return draft.fix(f"Pass `{model}` before the gradients", f"`{model}` is updated in place")


def _holds_gradient(file: File, statement: ir.Node, name: str) -> bool:
    """Whether an assignment binds the name to a gradient, alone or beside a value or an auxiliary output."""
    target = only_target(statement)
    value = statement.value if isinstance(statement, ir.Assign) else None
    transform = bound_to(file.unit, value.func) if isinstance(value, ir.Call) else None
    place = _GRADIENTS.get(file.api_name(transform.func.site)) if isinstance(transform, ir.Call) else None
    if isinstance(target, ir.Sequence) and place is not None and len(target.elements) == 2:
        target = target.elements[place]
    return place is not None and isinstance(target, ir.Name) and target.id == name


def _differentiated(file: File, made: ir.Node) -> str:
    """The first argument of `nnx.grad(f)(model, …)`, where that is what is differentiated."""
    transform = bound_to(file.unit, made.func) if isinstance(made, ir.Call) else None
    if not isinstance(made, ir.Call) or not isinstance(transform, ir.Call) or not made.args:
        return ""
    if file.api_name(transform.func.site) not in _GRADIENTS or len(transform.args) != 1:
        return ""
    if any(each.name != "has_aux" for each in transform.keywords) or not is_path(made.args[0]):
        return ""
    return argument(file, made.args[0].site)


@or_none
def rest_taken(file: File, call: ir.Call) -> Fix:
    """`graph, params, rest = nnx.split(model, nnx.Param, ...)`, and the rest for each `nnx.merge` of that graph."""
    require(len(call.args) > 1 and plain_call(call))
    statement, scope, draft = file.unit.statement(call.site), file.unit.scope(call.site), Draft(file)
    targets = parts_of(expect(ir.Expression, only_target(statement)))
    require(expect(ir.Assign, statement).value is call and len(targets) == len(call.args))
    graph = expect(ir.Name, targets[0])
    require(only(bindings(scope, graph.id)) is statement)
    merges = [_merged(file, each) for each in names_of(file.unit, scope, graph.id) if each is not graph]
    scopes = [scope, *(file.unit.scope(each.site) for each in merges)]
    rest = unused(set().union(*(each.locals | each.free for each in scopes)), "rest", "other") if merges else "_"
    draft.append_argument(call, "...")
    draft.insert(file.outer_span(targets[-1].site)[1], f", {rest}")
    for each in merges:
        draft.append_argument(each, rest)
    return draft.fix("Take the rest out as well", "the rest stays as it was when the module was split")


@or_none
def rngs_passed(file: File, call: ir.Call) -> Fix:
    """`nnx.Linear(2, 3, rngs=rngs)` in a function that is given `rngs`."""
    draft = Draft(file)
    require(parameter_of(file.unit.scope(plain_call(call).site), "rngs"))
    draft.append_argument(call, "rngs=rngs")
    return draft.fix("Pass `rngs`", NUMBERS_DRAWN)


@or_none
def rngs_kept(file: File, call: ir.Call) -> Fix:
    """`nnx.Dropout(rate, rngs=rngs)` where the layer that is called is made, in a function that is given `rngs`."""
    layer = made_of(file, call.func)
    require(file.stands_for(layer.func.site, "flax.nnx.Dropout"))
    return known(rngs_passed(file, layer))


def _merged(file: File, graph: ir.Name) -> ir.Call:
    """The `nnx.merge` that a graph is read for."""
    call = plain_call(file.unit.parent(graph.site))
    require(call.args[:1] == (graph,) and file.is_api(call.func.site, "flax.nnx.merge") and not call.keywords)
    return call
