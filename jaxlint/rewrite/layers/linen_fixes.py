"""Linen: calls and methods of modules that lack what `apply` gives, and Flax's versions of transforms written out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.values import KEYS, Array
from jaxlint.analysis.models.linen_scope import FlaxApplyMisuse
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed, is_assigned, names_of, only_target, own_returns, parameter_of, resolved
from jaxlint.rewrite.arguments import append_argument, argument_text
from jaxlint.rewrite.calls import Receiver, return_also, visible_calls
from jaxlint.rewrite.changes import new_each_time
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import call_of, expect, known, only, or_none, plain_call, require
from jaxlint.rewrite.statements import free_name, removed
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_TAKERS = {
    "deterministic": ("flax.linen.Dropout",),
    "use_running_average": ("flax.linen.BatchNorm",),
}
_TRAINING = tuple((name, "not ") for name in ("train", "training", "is_training"))  # flags that say the opposite
# What goes by these names beside a module, as `apply` takes it.
_VARIABLES = {
    "params": '{{"params": {0}params}}', "variables": "{0}variables", "state": '{{"params": {0}state.params}}',
}  # fmt: skip
_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY


@or_none
def linen_fix(file: File, site: int, hazard: FlaxApplyMisuse) -> Fix:
    node, how, draft = file.unit.nodes[site], hazard.how, Draft(file)
    if how == "field":
        return _local_choice(file, site)
    if how == "frozen":
        return _local(file, site, hazard.name)
    if how == "collection":
        draft.replace(site, f'{{"{hazard.name}": {operand(file, site)}}}')
        return draft.fix(f"Pass the collection `{hazard.name}`", f"right where it holds the `{hazard.name}`")
    if how == "nested":
        require(len(expect(ir.Dict, node).values) == 1 and hazard.operand != site)
        if (made := _made_of_params(file, file.unit.nodes[hazard.operand])) is not None:
            return made
        draft.replace(site, operand(file, hazard.operand))
        # Where those of a state are wrapped as well, what was stored in it is the mistake.
        is_passed = isinstance(file.unit.nodes[hazard.operand], ir.Name)
        level = _DISPLAY if is_passed and any(map(_wraps_state, file.unit.own)) else _UNSAFE
        return draft.fix("Pass the variables as they are", "right where it holds all that `init` gave", level)
    call = expect(ir.Call, node)
    if how == "container":
        return _complete(file, call)
    if how == "method":
        return _by_method(file, call, hazard.ready)
    if how == "compact":
        return _compact(file, call)
    writers = {"flag": _told_first, "split": _split, "mutable": _mutable, "rngs": _seeded, "unbound": _applied}
    require(how in writers and all(keyword.name is not None for keyword in call.keywords))
    return writers[how](file, call, hazard)


def _split(file: File, call: ir.Call, hazard: FlaxApplyMisuse) -> Fix:
    """The stream among those that a transform splits; whether that of the parameters is to be split is not known."""
    stream, given, draft = hazard.name, value_of(call, "split_rngs"), Draft(file)
    require(stream != "params")
    if given is None:
        draft.append_argument(call, f'split_rngs={{"{stream}": True}}')
    else:
        _add_entry(draft, given, f'"{stream}": True')
    return draft.fix(f"Split `{stream}`", "each element or step draws numbers of its own")


def _add_entry(draft: Draft, display: ir.Node, text: str) -> None:
    """Puts one more entry into a dict or list that is written out."""
    entries = display.values if isinstance(display, ir.Dict) else expect(ir.Sequence, display).elements
    require(entries and None not in getattr(display, "keys", ()))
    draft.insert(draft.file.outer_span(entries[-1].site)[1], f", {text}")


def _wraps_state(node: ir.Node) -> bool:
    """Whether this is `{"params": state.params}`."""
    value = node.values[0] if isinstance(node, ir.Dict) and len(node.values) == 1 else None
    return isinstance(value, ir.Attribute) and value.attr == "params"


def _is_initialised(file: File, node: ir.Node) -> bool:
    """Whether a name holds what `init` gave, be it compiled."""
    made = resolved(file.unit, node)
    if not isinstance(node, ir.Name) or not isinstance(made, ir.Call):
        return False
    taker = made.func.args[0] if isinstance(made.func, ir.Call) and made.func.args else made.func
    return ir.last_name(taker) == "init"


@or_none
def _made_of_params(file: File, passed: ir.Node) -> Fix:
    """`params=variables["params"]` in the one place that makes the state, where what is passed to it is all that `init` gave."""
    require(any(map(_wraps_state, file.unit.own)) and not _is_initialised(file, passed))
    draft = Draft(file)
    made = only(
        each.value for node in file.unit.own if isinstance(node, ir.Call) and ir.last_name(node.func) == "create"
        for each in node.keywords if each.name == "params" and _is_initialised(file, each.value)
    )  # fmt: skip
    draft.replace(made.site, f'{file.code(made.site)}["params"]')
    return draft.fix("Make the state of the parameters alone", "right where no other collection is used")


def _complete(file: File, call: ir.Call) -> Fix:
    """A local list that grows, and the attribute set when it is complete."""
    function, draft = expect(ir.Function, file.unit.scope(call.site)), Draft(file)
    held = expect(ir.Attribute, expect(ir.Attribute, call.func).value)
    code, name = file.code(held.site), free_name(file, call.site, held.attr.strip("_"))
    uses = [each for each in ir.walk(function.body) if isinstance(each, ir.Attribute) and file.code(each.site) == code]
    touched = [each for each in function.body if any(use in ir.walk([each]) for use in uses)]
    first = expect(ir.Assign, touched[0])
    require(isinstance(first.value, ir.Sequence) and first.targets == [uses[0]])
    for use in uses:
        draft.replace(use.site, name)
    draft.below(touched[-1], f"{code} = {name}")
    return draft.fix(f"Set `{code}` when the list is complete", level=Applicability.SAFE)


def _mutable(file: File, call: ir.Call, hazard: FlaxApplyMisuse) -> Fix:
    collection, given, draft = hazard.name, value_of(call, "mutable"), Draft(file)
    if given is not None:
        _add_entry(draft, expect(ir.Sequence, given), f'"{collection}"')
        return draft.fix(f"Let `{collection}` be written too", "`apply` gives its updates as well")
    draft.append_argument(call, f'mutable=["{collection}"]')
    statement = file.unit.statement(call.site)
    target = only_target(statement) if getattr(statement, "value", None) is call else None
    if isinstance(target, ir.Sequence) and len(target.elements) == 2:
        return draft.fix(f"Let `{collection}` be written", "the updates are the second result")
    if not isinstance(target, ir.Name):
        draft.insert(file.span(call.site)[1], "[0]")
        return draft.fix(f"Let `{collection}` be written", "its updates are dropped here", _DISPLAY)
    updates = free_name(file, call.site, "updates")
    draft.insert(file.span(target.site)[1], f", {updates}")
    stored = handed_out(file, call, collection, updates) or _stored(file, call, collection, updates)
    if stored is not None:
        draft.edits += stored
        return draft.fix(f"Keep the updates of `{collection}`", "each step updates them")
    title, changes = f"Take the updates of `{collection}`", "they belong into the variables of the next call"
    return draft.fix(title, changes, _DISPLAY)


@or_none
def handed_out(file: File, call: ir.Call, collection: str, updates: str) -> list[Edit]:
    """The new collection in the results of a loss that hands out the one it was given."""
    code, loss = file.code(_given(file, call, collection).site), expect(ir.Function, file.unit.scope(call.site))
    results = ir.walk(filter(None, (each.value for each in own_returns(loss))))
    old = [each for each in results if isinstance(each, (ir.Attribute, ir.Subscript)) and file.code(each.site) == code]
    require(old)
    return [file.replace(each.site, f'{updates}["{collection}"]') for each in old]


def _given(file: File, call: ir.Call, collection: str) -> ir.Expression:
    """What is passed for a collection in the variables of `apply`."""
    given = expect(ir.Dict, resolved(file.unit, call.args[0] if call.args else call))
    return only(v for k, v in zip(given.keys, given.values) if getattr(k, "value", None) == collection)


@or_none
def _stored(file: File, call: ir.Call, collection: str, updates: str) -> list[Edit]:
    """Edits that hand the updates out of a loss, and into the state that `apply_gradients` of the same state makes."""
    state, loss = (
        expect(ir.Attribute, _given(file, call, collection)),
        expect(ir.Function, file.unit.scope(call.site)),
    )
    require(not loss.is_lambda)
    around = file.unit.scope(file.unit.statement(loss.site).site)
    method = f"{file.code(state.value.site)}.apply_gradients"
    name = free_name(file, loss.site, state.attr, f"new_{state.attr}")
    applied = [
        node for node in ir.walk(around.body, into_scopes=False)
        if isinstance(node, ir.Call) and file.code(node.func.site) == method and all(k.name != state.attr for k in node.keywords)
    ]  # fmt: skip
    change = known(return_also(file, loss, f'{updates}["{collection}"]', lambda _: Receiver(name)))
    require(change.is_closed)
    return [*change.edits, known(append_argument(file, only(applied), f"{state.attr}={name}"))]


def _seeded(file: File, call: ir.Call, hazard: FlaxApplyMisuse) -> Fix:
    stream, ready, given, draft = hazard.name, hazard.ready, value_of(call, "rngs"), Draft(file)
    ready = ready or _deleted_key(draft, call)
    title, level, changes = f"Pass `{ready}` for `{stream}`", _UNSAFE, new_each_time(ready)
    if not ready:
        ready = draft.call("jax.random.key", str(len(given.values) if isinstance(given, ir.Dict) else 0))
        title, level, changes = f"Pass a key for `{stream}`", _DISPLAY, "this one draws the same numbers in each call"
        if state := _updated_state(file, call):
            ready = draft.call("jax.random.fold_in", ready, f"{state}.step")
            level, changes = _UNSAFE, f"each step of `{state}` draws other numbers, each run the same ones"
    if given is None:
        draft.append_argument(call, f'rngs={{"{stream}": {ready}}}')
    else:
        _add_entry(draft, expect(ir.Dict, given), f'"{stream}": {ready}')
    return draft.fix(title, changes, level)


def _updated_state(file: File, call: ir.Call) -> str:
    """The training state that the functions around a call take one step further; nothing where there is none, or more."""
    functions = [each for each in file.unit.ancestors(call.site) if isinstance(each, ir.Function)]
    updates = (node.func for node in ir.walk(functions[-1:]) if isinstance(node, ir.Call))
    states = {
        each.value.id for each in updates
        if isinstance(each, ir.Attribute) and each.attr == "apply_gradients" and isinstance(each.value, ir.Name)
    }  # fmt: skip
    name = states.pop() if len(states) == 1 else ""
    return name if any(parameter_of(function, name) for function in functions) else ""


def _deleted_key(draft: Draft, call: ir.Call) -> str:
    """The key that the function deletes without having used it, which keys are passed for; it is kept."""
    file, function = draft.file, draft.file.unit.scope(call.site)
    names = {each.name for each in getattr(function, "parameters", ())}
    names &= {
        node.id for node in file.unit.own if isinstance(node, ir.Name)
        and any(isinstance(value, Array) and value.aval.dtype in KEYS for value in file.values(node.site))
    }  # fmt: skip
    for each in function.body:
        match each:
            case ir.Delete(targets=[ir.Name(id=name)]) if (
                name in names and len(names_of(file.unit, function, name)) == 1
            ):
                gone = removed(file, each)
                draft.edits += [gone] if gone is not None else []
                return "" if gone is None else str(name)
    return ""


def _by_method(file: File, call: ir.Call, made: str) -> Fix:
    """`model.apply(variables, x, method=model.encode)` for `model.encode(x)`, with what is trained where the scope has it."""
    method, scope, draft = expect(ir.Attribute, call.func), file.unit.scope(call.site), Draft(file)
    module = file.code(method.value.site)
    states = {
        file.code(node.targets[0].site) for node in ir.walk(scope.body, into_scopes=False)
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call)
        and any(each.name == "apply_fn" and file.code(each.value.site) == f"{module}.apply" for each in node.value.keywords)
    }  # fmt: skip
    variables = f'{{"params": {states.pop()}.params}}' if len(states) == 1 else made
    require(variables)
    # What is taken out of the variables may be trained, and they are not.
    taken = any(
        isinstance(each, ir.Subscript) and file.code(each.value.site) == variables for each in ir.walk(scope.body)
    )
    draft.edits.append(Edit(file.outer_span(method.value.site)[1], file.span(method.site)[1], ".apply"))
    draft.prepend_argument(call, variables)
    separator = "" if call.args or call.keywords else ", "
    draft.append_argument(call, f"{separator}method={file.code(method.site)}")
    level = _DISPLAY if taken else _UNSAFE
    return draft.fix("Call it in `apply`", f"right where it is to use `{variables}`", level)


def _applied(file: File, call: ir.Call, hazard: FlaxApplyMisuse) -> Fix:
    """`model.apply({"params": params}, x)` for `model(x)` where `params` come with the model, else `model.apply(model.init(key, x), x)`."""
    module, draft, inside = operand(file, call.func.site), Draft(file), argument_text(file, call)
    ready = _beside(file, call.func)
    if ready:
        draft.insert(file.span(call.func.site)[1], ".apply")
        draft.prepend_argument(call, ready)
        return draft.fix("Call it in `apply`", f"right where `{ready}` is what `init` gave")
    made = f"{module}.init({', '.join(filter(None, (draft.call('jax.random.key', '0'), inside)))})"
    draft.replace(call.site, f"{module}.apply({', '.join(filter(None, (made, inside)))})")
    return draft.fix("Call `apply`", "the variables are to be made once, and kept", _DISPLAY)


def _beside(file: File, module: ir.Expression) -> str:
    """The variables that come with a module: another parameter, or another attribute that its object is given with it."""
    scope, stem = file.unit.scope(module.site), ""
    if isinstance(module, ir.Name):
        names = {each.name for each in getattr(scope, "parameters", ())}
    elif isinstance(module, ir.Attribute):
        stem = f"{file.code(module.value.site)}."
        nodes = ir.walk(file.unit.scope(scope.site).body)
        names = {each.attr for each in nodes if isinstance(each, ir.Attribute) and is_assigned(file.unit, each)}
    else:
        return ""
    found = [_VARIABLES[name].format(stem) for name in names & _VARIABLES.keys() if ir.last_name(module) in names]
    return found[0] if len(found) == 1 else ""


def _compact(file: File, call: ir.Call) -> Fix:
    method, draft = expect(ir.Function, file.unit.scope(call.site)), Draft(file)
    define = expect(ir.Define, file.unit.parent(method.site))
    require(method.is_method and not method.decorators)
    owner = file.unit.scope(define.site)
    others = [each.function for each in owner.body if isinstance(each, ir.Define) and each is not define]
    setup = next((each for each in others if each.name == "setup"), None)
    if setup is not None:
        return _in_setup(file, call, method, setup)
    require(not any(each.decorators for each in others))  # one method alone may be compact
    draft.above(define, f"@{draft.api('flax.linen.compact')}")
    compact = draft.api("flax.linen.compact")
    return draft.fix(f"Decorate `{method.name}` with `@{compact}`", "its layers are named in the order of their calls")


def _in_setup(file: File, call: ir.Call, method: ir.Function, setup: ir.Function) -> Fix:
    """A layer that is made in one call of a method made in `setup`."""
    me, word = method.parameters[0].name, file.code(call.func.site).rpartition(".")[2]
    name, draft = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower(), Draft(file)
    inside = list(itertools.takewhile(lambda each: each is not method, file.unit.ancestors(call.site)))
    read = {each.id for each in ir.walk([call]) if isinstance(each, ir.Name)} - {me}
    taken = any(isinstance(each, ir.Attribute) and each.attr == name for each in _in_class(file, setup))
    require(not any(isinstance(each, (ir.For, ir.While, ir.Comprehension)) for each in inside))  # it makes several
    require(not taken and not read & method.locals and setup.parameters[0].name == me)
    draft.below(setup.body[-1], f"{me}.{name} = {file.code(call.site)}")
    draft.replace(call.site, f"{me}.{name}")
    return draft.fix(f"Create `{me}.{name}` in `setup`", "it is one of the module's fields")


def _in_class(file: File, method: ir.Function) -> Iterator[ir.Node]:
    return ir.walk(file.unit.scope(file.unit.statement(method.site).site).body)


def _local_choice(file: File, site: int) -> Fix:
    """A variable for a field that `setup` alone reads, and replaces where it is missing."""
    target, setup = expect(ir.Attribute, file.unit.nodes[site]), expect(ir.Function, file.unit.scope(site))
    statement, code, draft = file.unit.statement(site), file.code(site), Draft(file)
    choice = expect(ir.If, file.unit.parent(statement.site))
    uses = [each for each in _in_class(file, setup) if isinstance(each, ir.Attribute) and each.attr == target.attr]
    inside = [each for each in ir.walk(setup.body) if each in uses and file.code(each.site) == code]
    require(choice in setup.body and len(choice.body) == 1 and not choice.orelse and len(inside) == len(uses))
    value, local = expect(ir.Assign, statement).value, free_name(file, choice.site, target.attr)
    text = f"{local} = {file.code(value.site)} if {file.code(choice.test.site)} else {code}"
    rest = [each for each in inside if file.span(each.site)[0] > file.span(choice.site)[1]]
    require(rest and "\n" not in text)
    draft.replace(choice.site, text)
    for each in rest:
        draft.replace(each.site, local)
    return draft.fix(f"Use a local variable `{local}`", level=Applicability.SAFE)


def _told_first(file: File, call: ir.Call, hazard: FlaxApplyMisuse) -> Fix:
    """The keyword given to the layer of a `Sequential` that takes it, which passes no keyword on."""
    name, made, draft = hazard.name, expect(ir.Call, resolved(file.unit, call.func)), Draft(file)
    scope = file.unit.scope(call.site)
    if any(file.is_api(made.func.site, api) for api in _TAKERS[name]):
        flag = only(f"{sign}{each}" for each, sign in (*_TRAINING, (name, "")) if parameter_of(scope, each))
        draft.append_argument(call, f"{name}={flag}")
        return draft.fix(f"Pass `{name}={flag}`", "right where the flag tells of training")
    require(len(made.args) == 1 and call.args and [each.name for each in call.keywords] == [name])
    layers = known(displayed(file.unit, made.args[0]))
    told = call.keywords[0]
    for each in layers:
        if isinstance(each, ir.Call) and file.is_api(each.func.site, *_TAKERS.get(name, ())):
            draft.append_argument(each, f"{name}={file.code(told.value.site)}")
    require(draft.edits)
    draft.edits.append(Edit(file.outer_span(call.args[-1].site)[1], file.span(told.site)[1], ""))
    return draft.fix(f"Give `{name}` to the layer", "`Sequential` passes it to the first layer")


def _local(file: File, site: int, attribute: str) -> Fix:
    """A variable in the place of an attribute that one method alone sets, and then reads."""
    method, target = expect(ir.Function, file.unit.scope(site)), expect(ir.Attribute, file.unit.nodes[site])
    me, draft = expect(ir.Name, target.value).id, Draft(file)
    statement = file.unit.statement(site)
    require(isinstance(statement, (ir.Assign, ir.Annotate)) and method.is_method and statement in method.body)
    uses = [node for node in file.unit.own if isinstance(node, ir.Attribute) and node.attr == attribute]
    inside = [node for node in ir.walk(method.body) if node in uses]
    early = [node for node in ir.walk(method.body[: method.body.index(statement)]) if node in uses]
    early += [node for node in ir.walk(filter(None, [getattr(statement, "value", None)])) if node in uses]
    require(len(uses) == len(inside) and not early and attribute not in method.locals | method.free)
    require(all(getattr(each.value, "id", "") == me for each in uses))
    for each in uses:
        draft.replace(each.site, attribute)
    return draft.fix(f"Use a local variable `{attribute}`", "the module loses this attribute")


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
