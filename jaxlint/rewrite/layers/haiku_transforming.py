"""`hk.transform` put around what needs it, with the calls of `init` and `apply`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import takewhile

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, bindings, names_of, only_target
from jaxlint.rewrite import operands
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in, substituted, unused
from jaxlint.rewrite.requirements import expect, is_plain, only, or_none, require
from jaxlint.rewrite.statements import first_statement, free_name
from jaxlint.source.diagnostic import Applicability, Fix

_TRANSFORMS = ("haiku.transform", "haiku.transform_with_state")
_CHANGES = "where the parameters are made and kept is for you to choose"
_MADE = "each call creates the module"


def transformed(file: File, site: int, api: str, chain: tuple[int, ...]) -> Fix | None:
    """The function that is called outside of `hk.transform`, or the module that is made there, goes through it."""
    if "state" in api:
        return None
    inside = _in_lambda(file, site) or _moved_in(file, site) or _made_in_method(file, site)
    if inside is not None:
        return inside
    calls = [each for each in chain if each != site]
    return _called(file, calls[0]) if calls else _made(file, site)


@or_none
def _in_lambda(file: File, site: int) -> Fix:
    """`hk.transform(lambda x: hk.Linear(2)(x))` for a module that is given to `hk.transform`."""
    around = takewhile(lambda each: not isinstance(each, (ir.Scope, ir.Statement)), file.unit.ancestors(site))
    module, draft = expect(ir.Call, next(_given(file, around), None)), Draft(file)
    draft.replace(module.site, _as_function(file, module))
    return draft.fix("Make the module in a function", _MADE)


def _given(file: File, nodes: Iterable[ir.Node]) -> Iterator[ir.Node]:
    """What is given to `hk.transform` by one of the nodes."""
    for each in nodes:
        if isinstance(each, ir.Call) and each.args and file.api_name(each.func.site) in _TRANSFORMS:
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
    return draft.fix("Make the module in the transformed function", _MADE)


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
    return draft.fix(f"Make the module in `{method.name}`", _MADE)


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
    given = sorted((*call.args, *call.keywords), key=lambda each: file.span(each.site)[0])
    code = file.source.text[file.outer_span(given[0].site)[0] : file.outer_span(given[-1].site)[1]]
    require("\n" not in code)
    model, params = free_name(file, site, "model", "network"), free_name(file, site, "params", "parameters")
    transform, key = draft.api("haiku.transform"), draft.api("jax.random.key")
    draft.above(statement, f"{model} = {transform}({name})")
    draft.above(statement, f"{params} = {model}.init({key}(0), {code})")
    draft.replace(function.site, f"{model}.apply")
    draft.insert(file.outer_span(given[0].site)[0], f"{params}, {key}(1), ")
    return draft.fix(f"Transform `{name}`, and call `init` and `apply`", _CHANGES, Applicability.DISPLAY)


@or_none
def _made(file: File, site: int) -> Fix:
    """A module of a name that is only called: the name is that of the transformed module."""
    made, scope, draft = expect(ir.Call, file.unit.nodes[site]), file.unit.scope(site), Draft(file)
    target = _only_name(file.unit.statement(site), made)
    calls = [file.unit.parent(each.site) for each in names_of(file.unit, scope, target.id) if each is not target]
    require(calls and len(bindings(scope, target.id)) == 1)
    transform, key = draft.api("haiku.transform"), draft.api("jax.random.key")
    draft.replace(site, f"{transform}({_as_function(file, made)})")
    for each in calls:
        call = expect(ir.Call, each)
        require(getattr(call.func, "id", "") == target.id and len(call.args) == 1 and not call.keywords)
        given = operands.argument(file, call.args[0].site)
        require(not isinstance(call.args[0], ir.Starred) and "\n" not in given)
        draft.replace(call.func.site, f"{target.id}.apply")
        draft.insert(file.outer_span(call.args[0].site)[0], f"{target.id}.init({key}(0), {given}), None, ")
    return draft.fix("Transform the module, and call `init` and `apply`", _CHANGES, Applicability.DISPLAY)
