"""Rewrites of calls and methods of Linen modules that lack what `apply` gives."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from jaxlint.analysis.domain.values import KEYS, Array
from jaxlint.analysis.models.linen_scope import FlaxApplyMisuse
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import displayed, names_of, resolved
from jaxlint.rewrite.changes import new_each_time
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.parameters import append_argument
from jaxlint.rewrite.results import Receiver, return_also
from jaxlint.rewrite.statements import above, below, free_name, removed
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_TAKERS = {
    "deterministic": ("flax.linen.Dropout",),
    "use_running_average": ("flax.linen.BatchNorm",),
}
_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY


def linen_fix(file: File, site: int, hazard: FlaxApplyMisuse) -> Fix | None:
    node = file.unit.nodes[site]
    if hazard.how == "field":
        return _local_choice(file, site)
    if hazard.how == "frozen":
        return _local(file, site, hazard.name)
    if hazard.how == "collection":
        edit = file.replace(site, f'{{"{hazard.name}": {operand(file, site)}}}')
        return Fix(f"Pass the collection `{hazard.name}`", (edit,), changes=f"right where it holds the `{hazard.name}`")
    if hazard.how == "nested" and type(node) is ir.Dict and len(node.values) == 1 and hazard.operand != site:
        edit = file.replace(site, operand(file, hazard.operand))
        # Where those of a state are wrapped as well, what was stored in it is the mistake.
        is_passed = isinstance(file.unit.nodes[hazard.operand], ir.Name)
        level = _DISPLAY if is_passed and any(map(_wraps_state, file.unit.own)) else _UNSAFE
        return Fix(
            "Pass the variables as they are", (edit,), level, changes="right where it holds all that `init` gave"
        )
    if type(node) is not ir.Call or hazard.how in ("missing", "lifted"):
        return None
    if hazard.how == "flag":
        return _told_first(file, node, hazard.name)
    if hazard.how == "container":
        return _complete(file, node)
    if hazard.how == "method":
        return _by_method(file, node, hazard.ready)
    if hazard.how == "compact":
        return _compact(file, node)
    if any(keyword.name is None for keyword in node.keywords):
        return None
    if hazard.how == "split":
        return _split(file, node, hazard.name)
    if hazard.how == "mutable":
        return _mutable(file, node, hazard.name)
    return _seeded(file, node, hazard.name, hazard.ready) if hazard.how == "rngs" else _applied(file, node)


def _split(file: File, call: ir.Call, stream: str) -> Fix | None:
    """The stream among those that a transform splits; whether that of the parameters is to be split is not known."""
    if stream == "params":
        return None
    given = next((each.value for each in call.keywords if each.name == "split_rngs"), None)
    edit: Edit | None = None
    if given is None:
        edit = append_argument(file, call, f'split_rngs={{"{stream}": True}}')
    elif isinstance(given, ir.Dict) and given.values and None not in given.keys:
        end = file.outer_span(given.values[-1].site)[1]
        edit = Edit(end, end, f', "{stream}": True')
    changes = "each element or step draws numbers of its own"
    return None if edit is None else Fix(f"Split `{stream}`", (edit,), changes=changes)


def _wraps_state(node: ir.Node) -> bool:
    """Whether this is `{"params": state.params}`."""
    value = node.values[0] if isinstance(node, ir.Dict) and len(node.values) == 1 else None
    return isinstance(value, ir.Attribute) and value.attr == "params"


def _complete(file: File, call: ir.Call) -> Fix | None:
    """A local list that grows, and the attribute set when it is complete."""
    function, held = file.unit.scope(call.site), call.func.value if isinstance(call.func, ir.Attribute) else None
    if not isinstance(function, ir.Function) or not isinstance(held, ir.Attribute):
        return None
    uses = [
        node for node in ir.walk(function.body)
        if isinstance(node, ir.Attribute) and node.attr == held.attr and file.code(node.site) == file.code(held.site)
    ]  # fmt: skip
    touched = [each for each in function.body if any(use in ir.walk([each]) for use in uses)]
    first = touched[0]
    if not isinstance(first, ir.Assign) or not isinstance(first.value, ir.Sequence):
        return None
    name = free_name(file, call.site, held.attr.strip("_"))
    complete = below(file, touched[-1], f"{file.code(held.site)} = {name}")
    if complete is None or first.targets != [uses[0]]:
        return None
    edits = in_order([*(file.replace(use.site, name) for use in uses), complete])
    return Fix(f"Set `{file.code(held.site)}` when the list is complete", edits, Applicability.SAFE)


def _mutable(file: File, call: ir.Call, collection: str) -> Fix | None:
    given = next((each.value for each in call.keywords if each.name == "mutable"), None)
    if isinstance(given, ir.Sequence) and given.elements:
        end = file.outer_span(given.elements[-1].site)[1]
        edit = Edit(end, end, f', "{collection}"')
        return Fix(f"Let `{collection}` be written too", (edit,), changes="`apply` gives its updates as well")
    if given is not None:
        return None
    passed = append_argument(file, call, f'mutable=["{collection}"]')
    if passed is None:
        return None
    statement = file.unit.statement(call.site)
    assign = statement if isinstance(statement, ir.Assign) and len(statement.targets) == 1 else None
    target = assign.targets[0] if assign is not None and assign.value is call else None
    if isinstance(target, ir.Name):
        updates = free_name(file, call.site, "updates")
        end = file.span(target.site)[1]
        stored = _stored(file, call, collection, updates)
        if stored is not None:
            edits = in_order([Edit(end, end, f", {updates}"), passed, *stored])
            return Fix(f"Keep the updates of `{collection}`", edits, changes="each step updates them")
        title, changes = f"Take the updates of `{collection}`", "they belong into the variables of the next call"
        return Fix(title, (Edit(end, end, f", {updates}"), passed), _DISPLAY, changes=changes)
    end = file.span(call.site)[1]
    edits = (passed, Edit(end, end, "[0]"))
    return Fix(f"Let `{collection}` be written", edits, _DISPLAY, changes="its updates are dropped here")


def _stored(file: File, call: ir.Call, collection: str, updates: str) -> list[Edit] | None:
    """Edits that hand the updates out of a loss, and into the state that `apply_gradients` of the same state makes."""
    given = resolved(file.unit, call.args[0]) if call.args else None
    entries = zip(given.keys, given.values) if isinstance(given, ir.Dict) else ()
    held = next((value for key, value in entries if isinstance(key, ir.Constant) and key.value == collection), None)
    loss = file.unit.scope(call.site)
    if not isinstance(held, ir.Attribute) or not isinstance(loss, ir.Function) or loss.is_lambda:
        return None
    around = file.unit.scope(file.unit.statement(loss.site).site)
    method, name = (
        f"{file.code(held.value.site)}.apply_gradients",
        free_name(file, loss.site, held.attr, f"new_{held.attr}"),
    )
    applied = [
        node for node in ir.walk(around.body, into_scopes=False)
        if isinstance(node, ir.Call) and file.code(node.func.site) == method and all(k.name != held.attr for k in node.keywords)
    ]  # fmt: skip
    change = return_also(file, loss, f'{updates}["{collection}"]', lambda _: Receiver(name))
    put = append_argument(file, applied[0], f"{held.attr}={name}") if len(applied) == 1 else None
    return None if put is None or change is None or not change.is_closed else [*change.edits, put]


def _seeded(file: File, call: ir.Call, stream: str, ready: str) -> Fix | None:
    kept: tuple[Edit, ...] = ()
    if not ready:
        ready, kept = _deleted_key(file, call)
    given = next((each.value for each in call.keywords if each.name == "rngs"), None)
    key, imports = file.api("jax.random.key")
    title, level, changes = f"Pass a key for `{stream}`", _DISPLAY, "this one draws the same numbers in each call"
    if ready:
        title, level, imports, changes = f"Pass `{ready}` for `{stream}`", _UNSAFE, frozenset(), new_each_time(ready)
    if given is None:
        edit = append_argument(file, call, f'rngs={{"{stream}": {ready or f"{key}(0)"}}}')
        return None if edit is None else Fix(title, (*kept, edit), level, imports, changes)
    if type(given) is not ir.Dict or not given.values or None in given.keys:
        return None
    end = file.outer_span(given.values[-1].site)[1]
    edit = Edit(end, end, f', "{stream}": {ready or f"{key}({len(given.values)})"}')
    return Fix(title, (*kept, edit), level, imports, changes)


def _deleted_key(file: File, call: ir.Call) -> tuple[str, tuple[Edit, ...]]:
    """The key that the function deletes without having used it, which keys are passed for, and the edit that keeps it."""
    function = file.unit.scope(call.site)
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
                return ("", ()) if gone is None else (name, (gone,))
    return "", ()


def _by_method(file: File, call: ir.Call, made: str) -> Fix | None:
    """`model.apply(variables, x, method=model.encode)` for `model.encode(x)`, with what is trained where the scope has it."""
    method = call.func
    passed = append_argument(file, call, f"method={file.code(method.site)}")
    if passed is None or not isinstance(method, ir.Attribute):
        return None
    module, scope = file.code(method.value.site), file.unit.scope(call.site)
    states = {
        file.code(node.targets[0].site) for node in ir.walk(scope.body, into_scopes=False)
        if isinstance(node, ir.Assign) and isinstance(node.value, ir.Call)
        and any(each.name == "apply_fn" and file.code(each.value.site) == f"{module}.apply" for each in node.value.keywords)
    }  # fmt: skip
    variables = f'{{"params": {states.pop()}.params}}' if len(states) == 1 else made
    if not variables:
        return None
    # What is taken out of the variables may be trained, and they are not.
    taken = any(
        isinstance(each, ir.Subscript) and file.code(each.value.site) == variables for each in ir.walk(scope.body)
    )
    name = Edit(file.outer_span(method.value.site)[1], file.span(method.site)[1], ".apply")
    first = file.insert(file.source.text.index("(", name.end) + 1, variables + ", " * bool(call.args or call.keywords))
    changes = f"right where it is to use `{variables}`"
    return Fix("Call it in `apply`", (name, first, passed), _DISPLAY if taken else _UNSAFE, changes=changes)


def _applied(file: File, call: ir.Call) -> Fix | None:
    """`model.apply(model.init(key, x), x)` for `model(x)`."""
    module = operand(file, call.func.site)
    given = sorted((*call.args, *call.keywords), key=lambda each: file.span(each.site)[0])
    inside = ""
    if given:
        inside = file.source.text[file.outer_span(given[0].site)[0] : file.outer_span(given[-1].site)[1]]
    key, imports = file.api("jax.random.key")
    text = f"{module}.apply({module}.init({', '.join(filter(None, (f'{key}(0)', inside)))}){', ' if inside else ''}{inside})"
    changes = "the variables are to be made once, and kept"
    return Fix("Call `apply`", (file.replace(call.site, text),), _DISPLAY, imports, changes)


def _compact(file: File, call: ir.Call) -> Fix | None:
    method = file.unit.scope(call.site)
    define = file.unit.parent(method.site)
    if not isinstance(method, ir.Function) or not method.is_method or method.decorators:
        return None
    if not isinstance(define, ir.Define):
        return None
    owner = file.unit.scope(define.site)
    others = [each.function for each in owner.body if isinstance(each, ir.Define) and each is not define]
    setup = next((each for each in others if each.name == "setup"), None)
    if setup is not None:
        return _in_setup(file, call, method, setup)
    if any(each.decorators for each in others):
        return None  # one method alone may be compact
    spelled, imports = file.api("flax.linen.compact")
    edit = above(file, define, f"@{spelled}")
    title, changes = f"Decorate `{method.name}` with `@{spelled}`", "its layers are named in the order of their calls"
    return None if edit is None else Fix(title, (edit,), imports=imports, changes=changes)


def _in_setup(file: File, call: ir.Call, method: ir.Function, setup: ir.Function) -> Fix | None:
    """A layer that is made in one call of a method made in `setup`."""
    me, word = method.parameters[0].name, file.code(call.func.site).rpartition(".")[2]
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
    inside = list(itertools.takewhile(lambda each: each is not method, file.unit.ancestors(call.site)))
    read = {each.id for each in ir.walk([call]) if isinstance(each, ir.Name)} - {me}
    taken = any(isinstance(each, ir.Attribute) and each.attr == name for each in _in_class(file, setup))
    if any(isinstance(each, (ir.For, ir.While, ir.Comprehension)) for each in inside):
        return None  # it makes several
    if taken or read & method.locals or setup.parameters[0].name != me:
        return None
    made = below(file, setup.body[-1], f"{me}.{name} = {file.code(call.site)}")
    if made is None:
        return None
    title = f"Create `{me}.{name}` in `setup`"
    return Fix(
        title, in_order([made, file.replace(call.site, f"{me}.{name}")]), changes="it is one of the module's fields"
    )


def _in_class(file: File, method: ir.Function) -> Iterator[ir.Node]:
    return ir.walk(file.unit.scope(file.unit.statement(method.site).site).body)


def _local_choice(file: File, site: int) -> Fix | None:
    """A variable for a field that `setup` alone reads, and replaces where it is missing."""
    target, setup = file.unit.nodes[site], file.unit.scope(site)
    choice = file.unit.parent(file.unit.statement(site).site)
    if not isinstance(target, ir.Attribute) or not isinstance(setup, ir.Function) or not isinstance(choice, ir.If):
        return None
    code, name = file.code(site), target.attr
    uses = [each for each in _in_class(file, setup) if isinstance(each, ir.Attribute) and each.attr == name]
    inside = [each for each in ir.walk(setup.body) if each in uses and file.code(each.site) == code]
    match choice.body:
        case [ir.Assign(targets=[_], value=value)] if not choice.orelse and len(inside) == len(uses):
            pass
        case _:
            return None
    local = free_name(file, choice.site, name)
    text = f"{local} = {file.code(value.site)} if {file.code(choice.test.site)} else {code}"
    rest = [each for each in inside if file.span(each.site)[0] > file.span(choice.site)[1]]
    if choice not in setup.body or "\n" in text or not rest:
        return None
    edits = [file.replace(choice.site, text), *(file.replace(each.site, local) for each in rest)]
    return Fix(f"Use a local variable `{local}`", in_order(edits), Applicability.SAFE)


def _told_first(file: File, call: ir.Call, name: str) -> Fix | None:
    """The keyword given to the layer of a `Sequential` that takes it, which passes no keyword on."""
    told = next((each for each in call.keywords if each.name == name), None)
    made = resolved(file.unit, call.func)
    layers = displayed(file.unit, made.args[0]) if isinstance(made, ir.Call) and len(made.args) == 1 else None
    takers = [
        each
        for each in layers or ()
        if isinstance(each, ir.Call) and file.is_api(each.func.site, *_TAKERS.get(name, ()))
    ]
    if told is None or not takers or not call.args or call.keywords != (told,):
        return None
    value = file.code(told.value.site)
    given = [append_argument(file, each, f"{name}={value}") for each in takers]
    gone = Edit(file.outer_span(call.args[-1].site)[1], file.span(told.site)[1], "")
    edits = in_order([each for each in (*given, gone) if each is not None])
    return Fix(f"Give `{name}` to the layer", edits, changes="`Sequential` passes it to the first layer")


def _local(file: File, site: int, attribute: str) -> Fix | None:
    """A variable in the place of an attribute that one method alone sets, and then reads."""
    method, target = file.unit.scope(site), file.unit.nodes[site]
    statement = file.unit.statement(site)
    if not isinstance(statement, (ir.Assign, ir.Annotate)):
        return None
    if not isinstance(target, ir.Attribute) or not isinstance(target.value, ir.Name):
        return None
    if not isinstance(method, ir.Function) or not method.is_method or statement not in method.body:
        return None
    uses = [node for node in file.unit.own if type(node) is ir.Attribute and node.attr == attribute]
    inside = [node for node in ir.walk(method.body) if isinstance(node, ir.Attribute) and node.attr == attribute]
    before = [node for node in ir.walk(method.body[: method.body.index(statement)]) if node in inside]
    value = [node for node in ir.walk([statement.value]) if node in inside] if statement.value is not None else []
    if len(uses) != len(inside) or before or value or attribute in method.locals | method.free:
        return None
    if any(type(node.value) is not ir.Name or node.value.id != target.value.id for node in inside):
        return None
    edits = tuple(
        file.replace(node.site, attribute) for node in sorted(inside, key=lambda node: file.span(node.site)[0])
    )
    return Fix(f"Use a local variable `{attribute}`", edits, changes="the module loses this attribute")
