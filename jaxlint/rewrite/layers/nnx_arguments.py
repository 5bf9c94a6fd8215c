"""Rewrites that pass an NNX object to the function that a transform traces, in place of closing over it."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain.values import OpaqueInstance, Ref
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, passed_function
from jaxlint.rewrite.changes import NNX_STATE, NUMBERS_DRAWN
from jaxlint.rewrite.file import File
from jaxlint.rewrite.keys.mapped_keys import own_keys
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.statements import below
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

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


def passed(file: File, site: int, api: str, what: str, operand: int) -> Fix | None:
    """The object that the function at ``operand`` changes becomes an argument of what is traced."""
    if api in _LOOPS:
        drawn = isinstance(file.unit.nodes[operand], ir.Call) and what == "Rngs"
        return own_keys(file, site, _LOOPS[api], operand) if drawn else None
    traced = _traced(file, site)
    owner = _owner(file, traced.function, operand) if traced is not None else None
    if traced is None or owner is None or not traced.calls:
        return None
    if api == "jax.vmap":
        return _mapped(file, file.unit.nodes[site], traced, owner) if what in ("Dropout", "Rngs") else None
    if api not in VERSIONS:
        return None
    name, behind = VERSIONS[api]
    spelled, imports = file.api(name)
    edits = [file.replace(traced.name.site, spelled)] if file.code(traced.name.site) != spelled else []
    changed = _parameters(file, traced, owner, behind)
    if changed is None:
        return None
    return _fix(f"Pass `{owner}` to the function, under `{spelled}`", [*edits, *changed], imports, NNX_STATE)


def bound(file: File, site: int, api: str, objects: tuple[str, ...]) -> Fix | None:
    """All objects that a compiled function closes over become its first parameters, which the function of that name then has bound."""
    transform, function = file.unit.nodes[site], file.unit.parent(site)
    if (
        api not in ("jax.jit", "flax.nnx.jit")
        or not isinstance(function, ir.Function)
        or isinstance(transform, ir.Call)
    ):
        return None
    nodes = [node for node in ir.walk(function.body) if isinstance(node, (ir.Name, ir.Attribute))]
    used = [each for each in objects if any(file.code(node.site) == each for node in nodes)]
    names = [each.rpartition(".")[2] for each in used]
    define = file.unit.parent(function.site)
    if tuple(function.decorators) != (transform,) or not used or not isinstance(define, ir.Define):
        return None
    if set(names) & function.locals or len(set(names)) < len(names) or not function.parameters or function.is_method:
        return None
    (spelled, imports), (partial, more) = file.api("flax.nnx.jit"), file.api("functools.partial")
    below_it = below(file, define, f"{function.name} = {partial}({', '.join([function.name, *used])})")
    if below_it is None or any(each.kind != "ordinary" for each in function.parameters):
        return None
    edits = [
        *([file.replace(site, spelled)] if file.code(site) != spelled else []),
        file.insert(file.span(function.parameters[0].site)[0], f"{', '.join(names)}, "),
        *(
            file.replace(node.site, names[used.index(file.code(node.site))])
            for node in nodes
            if file.code(node.site) in used
        ),
        below_it,
    ]
    return _fix(f"Pass `{'`, `'.join(names)}` to the function", edits, imports | more, NNX_STATE)


def _fix(title: str, edits: list[Edit], imports: frozenset[ImportRequest], changes: str) -> Fix:
    return Fix(title, tuple(edits), imports=imports, changes=changes)


def _mapped(file: File, transform: ir.Node, traced: _Traced, owner: str) -> Fix | None:
    """`nnx.split_rngs(splits=n)(nnx.vmap(f, in_axes=…))(drop, x)`: random numbers of its own for each element."""
    call = traced.calls[0]
    if not isinstance(transform, ir.Call) or transform.keywords or len(transform.args) != 1 or len(traced.calls) != 1:
        return None
    if call.func is not transform or not isinstance(call.args[0], (ir.Name, ir.Attribute)):
        return None
    changed = _parameters(file, traced, owner, False)
    if changed is None:
        return None
    vmap, imports = file.api("flax.nnx.vmap")
    spelled = []
    for name in ("StateAxes", "RngState", "split_rngs"):
        text, more = file.api(f"flax.nnx.{name}")
        spelled.append(text)
        imports |= more
    axes, state, split = spelled
    given = ", ".join("0" for _ in call.args)
    end = file.outer_span(transform.args[0].site)[1]
    edits = [
        *changed,
        file.replace(traced.name.site, f"{split}(splits={file.code(call.args[0].site)}.shape[0])({vmap}"),
        Edit(end, end, f", in_axes=({axes}({{{state}: 0, ...: None}}), {given})"),
        file.insert(file.span(transform.site)[1], ")"),
    ]
    title = f"Pass `{owner}` to the function, and split its random numbers"
    return _fix(title, edits, imports, NUMBERS_DRAWN)


def _parameters(file: File, traced: _Traced, owner: str, behind: bool) -> list[Edit] | None:
    """The edits that add the parameter, and the argument of each call."""
    function = traced.function
    if any(each.kind != "ordinary" or (behind and each.default) for each in function.parameters):
        return None
    if not function.parameters or owner in {each.name for each in function.parameters}:
        return None
    edits: list[Edit] = []
    if behind:
        last = function.parameters[-1]
        end = file.span(last.site)[0] + len(last.name)
        if last.annotation is not None:
            end = file.outer_span(last.annotation.site)[1]
        edits.append(Edit(end, end, f", {owner}"))
    else:
        edits.append(file.insert(file.span(function.parameters[0].site)[0], f"{owner}, "))
    for call in traced.calls:
        if call.keywords or not call.args or any(isinstance(each, ir.Starred) for each in call.args):
            return None
        if behind:
            passed = append_argument(file, call, owner) if len(call.args) == len(function.parameters) else None
        else:
            passed = file.insert(file.outer_span(call.args[0].site)[0], f"{owner}, ")
        if passed is None:
            return None
        edits.append(passed)
    return edits


def _traced(file: File, site: int) -> _Traced | None:
    """The function that is traced, and where what the transform gives is called."""
    node, above = file.unit.nodes[site], file.unit.parent(site)
    if isinstance(above, ir.Function) and tuple(above.decorators) == (node,):
        define = file.unit.parent(above.site)
        calls = (
            _calls(file, define, above.name)
            if isinstance(node, (ir.Name, ir.Attribute)) and define is not None
            else None
        )
        return None if calls is None else _Traced(above, node, calls)
    if not isinstance(node, ir.Call) or len(node.args) != 1 or any(k.name != "has_aux" for k in node.keywords):
        return None
    function = passed_function(file.unit, node.args[0])
    if function is None or not isinstance(node.func, (ir.Name, ir.Attribute)):
        return None
    if isinstance(above, ir.Call) and above.func is node:
        return _Traced(function, node.func, [above])
    if (
        isinstance(above, ir.Assign)
        and above.value is node
        and len(above.targets) == 1
        and isinstance(above.targets[0], ir.Name)
    ):
        calls = _calls(file, above, above.targets[0].id)
        return None if calls is None else _Traced(function, node.func, calls)
    return None


def _calls(file: File, binding: ir.Node, name: str) -> list[ir.Call] | None:
    """Calls through a name that one statement binds; None where it is used in another way."""
    scope = file.unit.scope(binding.site)
    if not isinstance(scope, ir.Function) or len(bindings(scope, name)) != 1:
        return None  # what the module binds, other files may call
    found = []
    for node in ir.walk(scope.body):
        if isinstance(node, ir.Name) and node.id == name:
            above = file.unit.parent(node.site)
            if isinstance(above, ir.Assign) and node in above.targets:
                continue
            if not isinstance(above, ir.Call) or above.func is not node:
                return None
            found.append(above)
    return found


def _owner(file: File, function: ir.Function, changed: int) -> str | None:
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
        name: str = root.id
        return name
    return objects.pop() if len(objects) == 1 else None
