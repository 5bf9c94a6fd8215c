"""`hk.transform` put around what needs it, with the calls of `init` and `apply`."""

from __future__ import annotations

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, bindings, defining_scope, names_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in, unused
from jaxlint.rewrite.statements import above, first_statement, free_name, removed
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_TRANSFORMS = ("haiku.transform", "haiku.transform_with_state")
_CHANGES = "where the parameters are made and kept is for you to choose"


def transformed(file: File, site: int, api: str, chain: tuple[int, ...]) -> Fix | None:
    """The function that is called outside of `hk.transform`, or the module that is made there, goes through it."""
    if "state" in api:
        return None
    inside = _in_lambda(file, site) or _moved_in(file, site)
    if inside is not None:
        return inside
    calls = [each for each in chain if each != site]
    return _called(file, calls[0]) if calls else _made(file, site)


def _in_lambda(file: File, site: int) -> Fix | None:
    """`hk.transform(lambda x: hk.Linear(2)(x))` for a module that is given to `hk.transform`."""
    for node in file.unit.ancestors(site):
        if isinstance(node, (ir.Scope, ir.Statement)):
            return None
        if isinstance(node, ir.Call) and node.args and file.api_name(node.func.site) in _TRANSFORMS:
            module = node.args[0]
            if not isinstance(module, ir.Call):
                return None
            edit = file.replace(module.site, _as_function(file, module))
            return Fix("Make the module in a function", (edit,), changes="each call creates the module")
    return None


def _as_function(file: File, module: ir.Node) -> str:
    """`lambda x: hk.Linear(2)(x)`: a function that makes a module and calls it."""
    x = unused(names_in(module), "x", "inputs", "x_")
    return f"lambda {x}: {file.code(module.site)}({x})"


def _moved_in(file: File, site: int) -> Fix | None:
    """The module made in the one function that uses its name, where that is given to `hk.transform`."""
    made, statement = file.unit.nodes[site], file.unit.statement(site)
    match statement:
        case ir.Assign(targets=[ir.Name(id=name)], value=value) if value is made:
            scope = file.unit.scope(site)
        case _:
            return None
    reads = [node for node in names_of(file.unit, scope, name) if node is not statement.targets[0]]
    users = {file.unit.scope(node.site) for node in reads}
    function = users.pop() if len(users) == 1 else None
    away = removed(file, statement)
    if not isinstance(function, ir.Function) or away is None or not _is_transformed(file, function):
        return None
    if function.locals & names_in(made):
        return None
    if function.is_lambda:
        edits = [file.replace(node.site, file.code(site)) for node in reads]
        into = edits[0] if len(edits) == 1 else None
    else:
        into = above(file, first_statement(function), file.code(statement.site))
    if into is None:
        return None
    return Fix("Make the module in the transformed function", (away, into), changes="each call creates the module")


def _is_transformed(file: File, function: ir.Function) -> bool:
    """Whether a function is given to `hk.transform`, by its name or where it is written."""
    for node in file.unit.own:
        if isinstance(node, ir.Call) and node.args and file.api_name(node.func.site) in _TRANSFORMS:
            given = node.args[0]
            if getattr(given, "function", None) is function:
                return True
            if getattr(binding_of(file.unit, given), "function", None) is function:
                return True
    return False


def _called(file: File, site: int) -> Fix | None:
    """`model.apply(params, key, x)` for `f(x)`, with the model and its parameters made above."""
    call = file.unit.nodes[site]
    if not isinstance(call, ir.Call) or not call.args or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    if any(each.name is None for each in call.keywords):
        return None
    function = call.func
    if isinstance(function, ir.Call) and len(function.args) == 1 and not function.keywords:
        if file.api_name(function.func.site) == "jax.jit":
            function = function.args[0]
    define = binding_of(file.unit, function)
    if not isinstance(function, ir.Name) or not isinstance(define, ir.Define) or define.function.decorators:
        return None
    statement = file.unit.statement(site)
    for node in file.unit.ancestors(site):
        if node is statement:
            break
        if isinstance(node, (ir.Scope, ir.Comprehension, ir.Conditional, ir.Boolean)):
            return None
    if isinstance(statement, (ir.For, ir.While, ir.If, ir.With, ir.Try)):
        return None
    given = sorted((*call.args, *call.keywords), key=lambda each: file.span(each.site)[0])
    code = file.source.text[file.outer_span(given[0].site)[0] : file.outer_span(given[-1].site)[1]]
    model, params = free_name(file, site, "model", "network"), free_name(file, site, "params", "parameters")
    transform, imports = file.api("haiku.transform")
    key, more = file.api("jax.random.key")
    making = above(file, statement, f"{model} = {transform}({function.id})")
    if making is None or "\n" in code:
        return None
    init = f"{params} = {model}.init({key}(0), {code}){file.source.newline}{file.indentation(statement.site)}"
    making = Edit(making.start, making.end, making.content + init)
    edits = (
        making,
        file.replace(function.site, f"{model}.apply"),
        file.insert(file.outer_span(given[0].site)[0], f"{params}, {key}(1), "),
    )
    title = f"Transform `{function.id}`, and call `init` and `apply`"
    return Fix(title, edits, Applicability.DISPLAY, imports | more, _CHANGES)


def _made(file: File, site: int) -> Fix | None:
    """A module of a name that is only called: the name is that of the transformed module."""
    made, statement = file.unit.nodes[site], file.unit.statement(site)
    assign = statement if isinstance(statement, ir.Assign) and len(statement.targets) == 1 else None
    target = assign.targets[0] if assign is not None and assign.value is made else None
    scope = file.unit.scope(site)
    if not isinstance(target, ir.Name) or not isinstance(made, ir.Call) or len(bindings(scope, target.id)) != 1:
        return None
    transform, imports = file.api("haiku.transform")
    key, more = file.api("jax.random.key")
    edits = [file.replace(site, f"{transform}({_as_function(file, made)})")]
    for node in file.unit.own:
        if not isinstance(node, ir.Name) or node.id != target.id or node is target:
            continue
        if defining_scope(file.unit, node.site, node.id) is not scope:
            continue
        call = file.unit.parent(node.site)
        if not isinstance(call, ir.Call) or call.func is not node or len(call.args) != 1 or call.keywords:
            return None
        argument = call.args[0]
        given = operands.argument(file, argument.site)
        if isinstance(argument, ir.Starred) or "\n" in given:
            return None
        start = file.outer_span(argument.site)[0]
        edits.append(file.replace(node.site, f"{target.id}.apply"))
        edits.append(file.insert(start, f"{target.id}.init({key}(0), {given}), None, "))
    if len(edits) == 1:
        return None
    title = "Transform the module, and call `init` and `apply`"
    return Fix(title, tuple(edits), Applicability.DISPLAY, imports | more, _CHANGES)
