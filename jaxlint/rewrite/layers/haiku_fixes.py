"""Haiku: `hk.transform` where it is needed, `hk.lift`, its versions of transforms; layers that are called first to be made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from jaxlint.analysis.domain.values import Api, BoundMethod, FunctionValue
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import binding_of, bindings, displayed, names_of, only_result, only_target, parameter_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.arguments import argument_text
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import function_of, names_in, substituted, unused
from jaxlint.rewrite.requirements import NoFix, expect, is_plain, known, only, or_none, plain_call, require
from jaxlint.rewrite.statements import first_statement, free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Fix

_TRANSFORMS = ("haiku.transform", "haiku.transform_with_state")
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
    text = draft.use(call.func.site, name)
    if keyword:
        draft.append_argument(call, keyword.replace("hk.", f"{text.rpartition('.')[0]}."))
    return draft.fix(f"Use `{text}`", changes)


_TITLE, _CHANGES = "Make the parameters before, while `init` runs", "`init` calls each of the functions once"


@or_none
def body_first(file: File, site: int, used: int, name: str | None = None) -> Fix:
    """`if hk.running_init(): return body(x)` above `return hk.while_loop(cond, body, x)`.

    ``name`` is Haiku's function where the call is one of JAX's. What is bound and not returned is a
    conditional expression.
    """
    call, statement = plain_call(file.unit.nodes[site], 3), file.unit.statement(site)
    require(isinstance(statement, (ir.Return, ir.Assign)) and statement.value is call)
    condition, body, start = call.args
    require(all(node.site != used for node in ir.walk([condition])))  # the condition would have to run as well
    draft = Draft(file)
    running = draft.call("haiku.running_init")
    run = f"{callee(file, body)}({operands.argument(file, start.site)})"
    require("\n" not in run)
    if isinstance(statement, ir.Return):
        _above(draft, statement, running, [f"return {run}"])
    else:
        begin, end = file.outer_span(site)
        require("\n" not in file.source.text[begin:end])
        draft.insert(begin, f"{run} if {running} else ")
    if name is not None:
        draft.use(call.func.site, name)
    return draft.fix(_TITLE, _CHANGES)


@or_none
def branches_first(draft: Draft, site: int, running: str, unhashable: bool = False) -> Fix | None:
    """Each layer that a branch calls is called once above, while ``running`` says that `init` runs.

    With ``unhashable`` JAX would hash the branches that are modules.
    """
    branches, given = _branches(draft.file, site)
    if unhashable:
        _as_functions(draft, site, branches, given)
    return called_first(draft, site, [(each, given) for each in branches], running)


def _branches(file: File, site: int) -> tuple[Sequence[ir.Node], Sequence[ir.Node]]:
    """The functions of a `cond` or `switch`, and what they are given."""
    call = plain_call(file.unit.nodes[site])
    require(len(call.args) > 1 and not call.keywords)
    branches = displayed(file.unit, call.args[1])
    return (call.args[1:3], call.args[3:]) if branches is None else (branches, call.args[2:])


def _as_functions(draft: Draft, site: int, branches: Sequence[ir.Node], passed: Sequence[ir.Node]) -> None:
    """Makes `lambda x: layer(x)` of the branches that are modules."""
    file, given = draft.file, dict.fromkeys(each.id for each in passed if isinstance(each, ir.Name))
    require(len(given) == len(passed))  # each of another name
    names, (start, end) = ", ".join(given), file.span(site)
    for branch in branches:
        is_function = file.always(branch.site, lambda each: isinstance(each, (Api, FunctionValue, BoundMethod)))
        if not is_function and not isinstance(branch, ir.Lambda):
            require(start <= file.span(branch.site)[0] < end and isinstance(branch, (ir.Name, ir.Attribute, ir.Call)))
            draft.replace(branch.site, f"lambda {names}: {file.code(branch.site)}({names})")
    require(draft.edits)


@or_none
def called_first(draft: Draft, site: int, functions: list[tuple[ir.Node, Sequence[ir.Node]]], running: str) -> Fix:
    """Each of the functions is called with its arguments above the statement at ``site``, while ``running``."""
    file = draft.file
    lines, statement = [], file.unit.statement(site)
    for function, given in functions:
        if isinstance(function, ir.Lambda) and not any(isinstance(node, ir.Call) for node in ir.walk([function])):
            continue  # makes nothing
        if file.always(function.site, lambda value: isinstance(value, Api) and value.name.startswith("jax.")):
            continue
        lines.append(f"{callee(file, function)}({', '.join(operands.argument(file, each.site) for each in given)})")
    inside = list(file.unit.ancestors(site))
    inner = inside[: inside.index(statement)]
    require(lines and not any("\n" in line for line in lines))
    require(not any(isinstance(each, (ir.Scope, ir.Comprehension)) for each in inner))
    _above(draft, statement, running, lines)
    return draft.fix(_TITLE, _CHANGES)


def callee(file: File, function: ir.Node) -> str:
    """A function as it stands in front of its arguments: `f` for `lambda x: f(x)`, other lambdas in parentheses."""
    if not isinstance(function, ir.Lambda):
        return operands.operand(file, function.site)
    inner = ir.result_of(function)
    if isinstance(inner, ir.Call) and not inner.keywords and isinstance(inner.func, ir.Name):
        name: str = inner.func.id
        names = [each.name if each.kind == "ordinary" else "*" for each in function.function.parameters]
        if [each.id if isinstance(each, ir.Name) else "" for each in inner.args] == names and name not in names:
            return name
    return operands.operand(file, function.site)


def _above(draft: Draft, statement: ir.Statement, running: str, lines: list[str]) -> None:
    file = draft.file
    require(isinstance(statement, (ir.Return, ir.Assign, ir.Evaluate)) and stands_on_own_lines(file, statement))
    inner = f"{file.source.newline}{file.indentation(statement.site)}    "
    draft.above(statement, inner.join([f"if {running}:", *lines]))
