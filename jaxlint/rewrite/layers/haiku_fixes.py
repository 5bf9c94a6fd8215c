"""Haiku: `hk.transform` around what needs it, `hk.lift` around an inner `init`, and its versions of JAX's transforms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, bindings, displayed, names_of, only_result, only_target, parameter_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.arguments import argument_text
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import function_of, names_in, substituted, unused
from jaxlint.rewrite.requirements import NoFix, expect, is_plain, known, only, or_none, plain_call, require
from jaxlint.rewrite.statements import first_statement, free_name
from jaxlint.source.diagnostic import Applicability, Fix

_TRANSFORMING = ("haiku.transform", "haiku.transform_with_state")
_WHERE = "where the parameters are made and kept is for you to choose"
_EACH_CALL = "each call creates the module"


def transformed(file: File, site: int, api: str, chain: tuple[int, ...]) -> Fix | None:
    """The function that is called outside of `hk.transform`, or the module that is made there, goes through it."""
    if "state" in api:
        return None
    inside = _in_lambda(file, site) or _moved_in(file, site) or _made_in_method(file, site)
    if inside is not None:
        return inside
    calls = [each for each in chain if each != site]
    return _called(file, calls[0]) if calls else _transformed_module(file, site)


@or_none
def _in_lambda(file: File, site: int) -> Fix:
    """`hk.transform(lambda x: hk.Linear(2)(x))` for a module that is given to `hk.transform`."""
    around = takewhile(lambda each: not isinstance(each, (ir.Scope, ir.Statement)), file.unit.ancestors(site))
    module, draft = expect(ir.Call, next(_given(file, around), None)), Draft(file)
    draft.replace(module.site, _as_function(file, module))
    return draft.fix("Make the module in a function", _EACH_CALL)


def _given(file: File, nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """What is given to `hk.transform` by one of the nodes."""
    for each in nodes:
        if isinstance(each, ir.Call) and each.args and file.api_name(each.func.site) in _TRANSFORMING:
            yield each.args[0]


def _as_function(file: File, module: ir.Node) -> str:
    """`lambda x: hk.Linear(2)(x)`: a function that makes a module and calls it."""
    x = unused(names_in(module), "x", "inputs", "x_")
    return f"lambda {x}: {file.code(module.site)}({x})"


@or_none
def _moved_in(file: File, site: int) -> Fix:
    """The module made in the one function that uses its name, where that is given to `hk.transform`."""
    made, statement, draft = file.unit.nodes[site], file.unit.statement(site), Draft(file)
    target = _only_name(statement, made)
    reads = [node for node in names_of(file.unit, file.unit.scope(site), target.id) if node is not target]
    function = expect(ir.Function, only({file.unit.scope(node.site) for node in reads}))
    require(_is_transformed(file, function) and not function.locals & names_in(made))
    draft.remove(statement)
    if function.is_lambda:
        draft.replace(only(reads).site, file.code(site))
    else:
        draft.above(first_statement(function), file.code(statement.site))
    return draft.fix("Make the module in the transformed function", _EACH_CALL)


@or_none
def _made_in_method(file: File, site: int) -> Fix:
    """The module that `__init__` keeps made in the one method that uses it, of what the object keeps as well."""
    made, init, draft = file.unit.nodes[site], expect(ir.Function, file.unit.scope(site)), Draft(file)
    statement = expect(ir.Assign, file.unit.statement(site))
    target = expect(ir.Attribute, only_target(statement))
    require(init.name == "__init__" and init.is_method and statement.value is made and statement in init.body)
    me, owner = init.parameters[0].name, file.unit.scope(init.site)
    uses = [each for each in ir.walk(owner.body) if isinstance(each, ir.Attribute) and each.attr == target.attr]
    uses.remove(target)
    method = expect(ir.Function, only({file.unit.scope(each.site) for each in uses}))
    require(method.is_method and method is not init and method.parameters[0].name == me)
    require(all(file.code(each.value.site) == me for each in (target, *uses)))
    kept = {
        each.value.id: file.code(each.targets[0].site) for each in init.body
        if isinstance(each, ir.Assign) and isinstance(each.value, ir.Name) and isinstance(each.targets[0], ir.Attribute)
    }  # fmt: skip
    require(names_in(made) & init.locals <= {me, *kept})
    local = free_name(file, method.body[0].site, target.attr.strip("_"), "module")
    draft.remove(statement)
    draft.above(first_statement(method), f"{local} = {substituted(file, made, kept)}")
    for each in uses:
        draft.replace(each.site, local)
    return draft.fix(f"Make the module in `{method.name}`", _EACH_CALL)


def _only_name(statement: ir.Statement, made: ir.Node) -> ir.Name:
    """The one name that a statement binds to what is made."""
    require(isinstance(statement, ir.Assign) and statement.value is made)
    return expect(ir.Name, only_target(statement))


def _is_transformed(file: File, function: ir.Function) -> bool:
    """Whether a function is given to `hk.transform`, by its name or where it is written."""
    return any(
        getattr(each, "function", None) is function
        or getattr(binding_of(file.unit, each), "function", None) is function
        for each in _given(file, file.unit.own)
    )


@or_none
def _called(file: File, site: int) -> Fix:
    """`model.apply(params, key, x)` for `f(x)`, with the model and its parameters made above."""
    call, draft = expect(ir.Call, file.unit.nodes[site]), Draft(file)
    require(call.args and is_plain(call.args))
    function = call.func
    if isinstance(function, ir.Call) and len(function.args) == 1 and not function.keywords:
        if file.api_name(function.func.site) == "jax.jit":
            function = function.args[0]
    define = expect(ir.Define, binding_of(file.unit, function))
    name, statement = expect(ir.Name, function).id, file.unit.statement(site)
    require(not define.function.decorators and not isinstance(statement, (ir.For, ir.While, ir.If, ir.With, ir.Try)))
    inside = takewhile(lambda each: each is not statement, file.unit.ancestors(site))
    require(not any(isinstance(each, (ir.Scope, ir.Comprehension, ir.Conditional, ir.Boolean)) for each in inside))
    code = argument_text(file, call)
    require("\n" not in code)
    model, params = free_name(file, site, "model", "network"), free_name(file, site, "params", "parameters")
    transform, key = draft.api("haiku.transform"), draft.api("jax.random.key")
    draft.above(statement, f"{model} = {transform}({name})")
    draft.above(statement, f"{params} = {model}.init({key}(0), {code})")
    draft.replace(function.site, f"{model}.apply")
    draft.prepend_argument(call, f"{params}, {key}(1)")
    return draft.fix(f"Transform `{name}`, and call `init` and `apply`", _WHERE, Applicability.DISPLAY)


@or_none
def _transformed_module(file: File, site: int) -> Fix:
    """A module of a name that is only called: the name is that of the transformed module."""
    made, scope, draft = expect(ir.Call, file.unit.nodes[site]), file.unit.scope(site), Draft(file)
    target = _only_name(file.unit.statement(site), made)
    calls = [file.unit.parent(each.site) for each in names_of(file.unit, scope, target.id) if each is not target]
    require(calls and len(bindings(scope, target.id)) == 1)
    transform, key = draft.api("haiku.transform"), draft.api("jax.random.key")
    draft.replace(site, f"{transform}({_as_function(file, made)})")
    for each in calls:
        call = plain_call(each, 1)
        given = operands.argument(file, call.args[0].site)
        require(getattr(call.func, "id", "") == target.id and "\n" not in given)
        draft.replace(call.func.site, f"{target.id}.apply")
        draft.prepend_argument(call, f"{target.id}.init({key}(0), {given}), None")
    return draft.fix("Transform the module, and call `init` and `apply`", _WHERE, Applicability.DISPLAY)


_TRANSFORMS = ("haiku.transform", "haiku.transform_with_state")
_THROUGH = ("haiku.without_apply_rng", "haiku.without_state")


@or_none
def lifted_init(file: File, site: int) -> Fix:
    """`hk.lift(inner.init, name="block")(…)`: the parameters are kept under the name of the inner function."""
    call, draft = expect(ir.Call, file.unit.nodes[site]), Draft(file)
    require(isinstance(call.func, (ir.Name, ir.Attribute)))
    name, with_state = _made(file, call.func)
    init = file.code(call.func.site)
    lift = draft.api("haiku.lift_with_state" if with_state else "haiku.lift")
    lifting = f'{lift}({init}, name="{name}")'
    if with_state:
        return _with_state(draft, call, lifting)
    draft.replace(call.func.site, lifting)
    return draft.fix(f"Lift `{init}`", f"the parameters are kept under `{name}`")


def _with_state(draft: Draft, call: ir.Call, lifting: str) -> Fix:
    """`init, updater = hk.lift_with_state(…)` above, and `updater.update(state)` below the one `apply`."""
    file, statement = draft.file, draft.file.unit.statement(call.site)
    block = list(file.unit.block(statement.site))
    state = _second_name(statement, call).id
    owner = file.code(expect(ir.Attribute, call.func).value.site)
    applied = only(
        node for node in ir.walk(block[block.index(statement) + 1 :])
        if isinstance(node, ir.Call) and isinstance(node.func, ir.Attribute) and node.func.attr == "apply"
        and file.code(node.func.value.site) == owner
    )  # fmt: skip
    later = file.unit.statement(applied.site)
    require(later in block)
    target = _second_name(later, applied)
    new = target.id
    if new == "_":
        new = free_name(file, call.site, f"new_{state}")
        draft.replace(target.site, new)
    init, updater = free_name(file, call.site, "init"), free_name(file, call.site, "updater")
    draft.above(statement, f"{init}, {updater} = {lifting}")
    draft.replace(call.func.site, init)
    draft.below(later, f"{updater}.update({new})")
    return draft.fix("Lift `init`, and hand the state on", "parameters and state are kept under its name")


def _second_name(statement: ir.Statement, call: ir.Node) -> ir.Name:
    """The second of the two names that a statement unpacks a call into."""
    match statement:
        case ir.Assign(targets=[ir.Sequence(elements=[ir.Name(), ir.Name() as second])], value=value) if value is call:
            return expect(ir.Name, second)
    raise NoFix


def _made(file: File, func: ir.Node) -> tuple[str, bool]:
    """Name of the function that is transformed, and whether with state."""
    node = func.value if isinstance(func, ir.Attribute) and func.attr == "init" else func
    if isinstance(node, ir.Call):
        return _transformed(file, node)
    bound = binding_of(file.unit, node)
    if isinstance(bound, ir.Define):
        decorators = bound.function.decorators
        called = file.api_name(decorators[0].site) if len(decorators) == 1 else ""
        require(called in _TRANSFORMS)
        return bound.function.name, called.endswith("with_state")
    return _transformed(file, expect(ir.Assign, bound).value)


def _transformed(file: File, node: ir.Node) -> tuple[str, bool]:
    call = expect(ir.Call, node)
    called = file.api_name(call.func.site)
    require(call.args)
    if called in _THROUGH:
        return _transformed(file, call.args[0])
    function = call.args[0]
    require(called in _TRANSFORMS and isinstance(function, (ir.Name, ir.Attribute, ir.Lambda)))
    name = "inner" if isinstance(function, ir.Lambda) else file.code(function.site).rpartition(".")[2]
    return name, called.endswith("with_state")


@or_none
def told_in_sequence(file: File, sequence: ir.Call, layer: str, parameter: str) -> Fix:
    """`lambda x: hk.BatchNorm(…)(x, is_training)` in an `hk.Sequential`, which hands on one array."""
    require(len(sequence.args) == 1 and parameter_of(file.unit.scope(sequence.site), parameter))
    draft = Draft(file)
    for each in known(displayed(file.unit, sequence.args[0])):
        function = function_of(file, each.func) if isinstance(each, ir.Call) else None
        made = only_result(function) if function is not None else each
        if isinstance(each, ir.Call) and isinstance(made, ir.Call) and file.is_api(made.func.site, layer):
            name = free_name(file, each.site, "x", "array")
            draft.replace(each.site, f"lambda {name}: {file.code(each.site)}({name}, {parameter})")
    require(draft.edits)
    return draft.fix(f"Pass `{parameter}` to the layer", f"right where `{parameter}` is meant for it")


# Haiku's version, and the keywords of JAX's that it does not take (haiku 0.0.17).
VERSIONS: dict[str, tuple[str, frozenset[str]]] = {
    "jax.lax.scan": ("haiku.scan", frozenset()),
    "jax.lax.cond": ("haiku.cond", frozenset()),
    "jax.lax.switch": ("haiku.switch", frozenset()),
    "jax.lax.fori_loop": ("haiku.fori_loop", frozenset({"unroll"})),
    "jax.lax.map": ("haiku.map", frozenset({"batch_size"})),
    "jax.checkpoint": ("haiku.remat", frozenset({"static_argnames", "concrete"})),
    "jax.vmap": ("haiku.vmap", frozenset({"sum_match"})),
}


@or_none
def haiku_version(file: File, site: int, api: str, changes: str, keyword: str = "") -> Fix:
    """Call Haiku's version of the transform at ``site`` with the same arguments, and with one more ``keyword``."""
    call, draft = expect(ir.Call, file.unit.nodes[site]), Draft(file)
    name, refused = VERSIONS[api]
    require(type(call.func) in (ir.Name, ir.Attribute))
    require(not any(given.name is None or given.name in refused for given in call.keywords))
    text = draft.api(name)
    draft.replace(call.func.site, text)
    if keyword:
        draft.append_argument(call, keyword.replace("hk.", f"{text.rpartition('.')[0]}."))
    return draft.fix(f"Use `{text}`", changes)
