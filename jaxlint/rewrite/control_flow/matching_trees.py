"""The fix that makes a carry come out as it goes in, or two branches return the same; what grows is collected.

The place where two trees part is found in the source: in what goes in first, then in what a function
returns. It is found where the trees are written out, and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeGuard

from jaxlint.analysis.domain.values import Array, ClassValue, FunctionValue, Value
from jaxlint.analysis.transforms.carries import BranchStructureMismatch, UnlikeTrees
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_to, declared_names, defining_scope, only_result
from jaxlint.rewrite.arguments import with_element
from jaxlint.rewrite.calls import entered, returned_too
from jaxlint.rewrite.changes import OTHER_TYPE
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import class_named, definition, function_of, value_of
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import NoFix, expect, is_plain, known, only, or_none, parts_of, require
from jaxlint.source.diagnostic import Applicability, Fix

_INITIAL = {"scan": ("init", 1), "while_loop": ("init_val", 2), "fori_loop": ("init_val", 3)}
_PART = re.compile(r"\[(.*?)\]|\.(\w+)")  # an item or a field in the path of a hazard
_DTYPES = re.compile(r"bool|u?int\d+|float\d+|bfloat16|complex\d+")
_SHAPE = re.compile(r"\((?:\d+, ?)*\d*,?\)")
_MAPS = ("jax.tree.map", "jax.tree_util.tree_map")
# Functions that take a dtype, and its position among their arguments.
_MAKERS = {"zeros": 1, "ones": 1, "empty": 1, "full": 2, "array": 1, "asarray": 1}
_MADE = tuple(f"jax.numpy.{maker}" for maker in _MAKERS)
_CHANGES = {
    "tree": OTHER_TYPE,
    "dtype": "it has this dtype all along, where the other may be meant",
    "shape": "it has this shape all along, where the other may be meant",
}
_ONE_KEY = "Carry one of the keys"


@or_none
def matching_trees(hazard: BranchStructureMismatch, file: File) -> Fix | None:
    call = expect(ir.Call, file.unit.nodes[hazard.site])
    require(is_plain(call.args))
    one, other = sorted((hazard.one, hazard.other))
    if hazard.second is not None and one.startswith("a tuple of") and other == "one array":
        return _stacked(hazard, file)
    if hazard.reason == "tree" and hazard.second is None and hazard.other == "None" and not hazard.path:
        return _carry_returned(file, known(definition(file, hazard.first)), hazard)
    draft = Draft(file)
    title = _of_branches(hazard, draft) if hazard.second is not None else _of_loop(hazard, draft, call)
    if title is None:
        return _started_elsewhere(hazard, file, call)
    changes = _CHANGES.get(hazard.reason, "") if title != _ONE_KEY else ""
    return draft.fix(title, changes, Applicability.UNSAFE if changes else Applicability.DISPLAY)


def _stacked(hazard: BranchStructureMismatch, file: File) -> Fix:
    """An array of the parts of the tuple that one branch returns, where the other one returns an array."""
    function = expect(FunctionValue, hazard.first if hazard.one.startswith("a tuple") else hazard.second)
    home = file.holding(function.function.site)
    value, draft = known(_returned(home, function)), Draft(home)
    elements = parts_of(value, 1)
    require(not hazard.path)
    inside = home.source.text[home.outer_span(elements[0].site)[0] : home.outer_span(elements[-1].site)[1]]
    draft.replace_whole(value.site, draft.call("jax.numpy.stack", f"[{inside}]"))
    return file.placed(draft.fix("Return an array from both", "right where the parts have one shape"), value.site)


@or_none
def matching_entries(hazard: UnlikeTrees, file: File) -> Fix:
    """Lists in place of tuples, or the other way round, in the list that a function of the file makes entry by entry."""
    function = known(function_of(file, expect(ir.Call, file.unit.nodes[hazard.operand]).func))
    made, draft = expect(ir.Name, only_result(function)), Draft(file)
    require(re.fullmatch(r"\[\d+\]", hazard.path))
    entry = only(
        each.args[0] for each in ir.walk(function.body)
        if isinstance(each, ir.Call) and len(each.args) == 1 and file.code(each.func.site) == f"{made.id}.append"
    )  # fmt: skip
    return draft.fix(_container(draft, entry, hazard), OTHER_TYPE)


@or_none
def _of_loop(hazard: BranchStructureMismatch, draft: Draft, call: ir.Call) -> str:
    """The carry started as it comes out; or returned in the container that goes in."""
    file = draft.file
    returned = _returned(file, hazard.first)
    if _short(hazard) == "scan":  # the carry, and what is stacked
        returned = returned.elements[0] if isinstance(returned, ir.Sequence) and len(returned.elements) == 2 else None
    result = _part(file, returned, hazard.path)
    if hazard.reason == "tree":
        result = known(_shown(file, result))
        return _of_class(draft, result, hazard) or _container(draft, result, hazard)
    require(not hazard.other.startswith("key") and "key" not in (hazard.one, hazard.other))
    if hazard.reason == "shape" and hazard.other == f"(2,{hazard.one[1:] or ')'}":
        match result:
            case ir.Call(args=[_], keywords=[]) if file.is_api(result.func.site, "jax.random.split"):
                draft.insert(file.span(result.site)[1], "[0]")
                return _ONE_KEY
    if hazard.reason == "dtype" and _rank(hazard.one) > _rank(hazard.other):
        require(not _is_number(result))
        return _cast(draft, known(result), hazard.one, f"Hand on {hazard.one}, as goes in")
    return _started(draft, known(_part(file, _start(hazard, call), hazard.path)), hazard, result)


def _start(hazard: BranchStructureMismatch, call: ir.Call) -> ir.Node | None:
    """What a loop starts with."""
    initial = _INITIAL.get(_short(hazard))
    return value_of(call, *initial) if initial else None


def _short(hazard: BranchStructureMismatch) -> str:
    return (hazard.api or "").rpartition(".")[2]


@or_none
def _of_branches(hazard: BranchStructureMismatch, draft: Draft) -> str:
    """A number that one branch returns made like the array that the other one returns."""
    file = draft.file
    one, other = (_part(file, _returned(file, each), hazard.path) for each in (hazard.first, hazard.second))
    if hazard.reason == "tree":
        return _with_rest(draft, one, other)
    first, second = (one, hazard.one), (other, hazard.other)
    for (leaf, mine), (there, wanted) in ((first, second), (second, first)):
        if not _is_number(leaf):
            continue
        if hazard.reason == "shape":
            return _filled(draft, leaf, mine, wanted, there)
        if "float" in wanted and "int" in mine and type(leaf.value) is int:
            draft.replace(leaf.site, f"{file.code(leaf.site)}.0")
            return "Return a float"
    require(hazard.reason == "dtype")
    wider = max(hazard.one, hazard.other, key=_rank)
    leaf = known(one if wider == hazard.other else other)
    require(not isinstance(leaf, ir.Constant))
    return _cast(draft, leaf, wider, f"Return {wider} from both")


def _with_rest(draft: Draft, *results: ir.Node | None) -> str:
    """The last variables as they are, where one branch returns them and the other counts them up or down."""
    file = draft.file
    shorter, longer = sorted((parts_of(known(each)) for each in results), key=len)
    require(shorter and all(isinstance(each, ir.Name) for each in shorter))
    rest = []
    for each in longer[len(shorter) :]:
        match each:
            case ir.Binary(op="+" | "-", left=ir.Name(id=name) as counted, right=ir.Constant()):
                home = known(defining_scope(file.unit, counted.site, name))
                require(home is defining_scope(file.unit, shorter[0].site, name))
                rest.append(name)
            case _:
                raise NoFix
    require(rest)
    draft.edits.append(with_element(file, shorter, ", ".join(rest)))
    return f"Return {' and '.join(f'`{name}`' for name in rest)} as it is"


# --- where it stands --------------------------------------------------------------------------


def _started_elsewhere(hazard: BranchStructureMismatch, file: File, call: ir.Call) -> Fix:
    """The start with the dtype that it comes out with, where a function makes it, which may be of another file."""
    start = _start(hazard, call)
    if hazard.second is not None:  # a branch that starts anew gives what the other one has come to
        start = _returned(file, hazard.first)
    require(hazard.reason == "dtype" and _rank(hazard.one) <= _rank(hazard.other))
    home, leaf = _made(file, known(start), hazard.path)
    draft = Draft(home)
    return file.placed(draft.fix(_started(draft, leaf, hazard, None), _CHANGES["dtype"]), leaf.site)


def _made(file: File, node: ir.Node, path: str) -> tuple[File, ir.Node]:
    """The number, or the call that makes the array, at ``path`` of a tree, through functions that make the tree, and the file of it."""
    for key, field in [*_PART.findall(path), ("", "")]:
        node = bound_to(file.unit, node)
        values = file.values(node.func.site) if isinstance(node, ir.Call) else []
        called = {each for value in values if (each := entered(value)) is not None}
        if len(called) == 1:
            function = called.pop()
            file = file.holding(function.site)
            node = bound_to(file.unit, only_result(function) or node)
        if isinstance(node, ir.Call) and node.args and file.is_api(node.func.site, *_MAPS):
            return file, expect(ir.Call, only_result(known(function_of(file, node.args[0]))))
        if key or field:
            node = known(_part(file, node, f".{field}" if field else f"[{key}]") or _given_to_field(file, node, field))
    require(_is_number(node) or isinstance(node, ir.Call) and file.is_api(node.func.site, *_MADE))
    return file, node


def _given_to_field(file: File, node: ir.Node, field: str) -> ir.Node | None:
    """What a call of a class passes for one of its fields, by position."""
    match file.values(node.func.site)[:1] if isinstance(node, ir.Call) else []:
        case [ClassValue(definition=definition_)] if isinstance(node, ir.Call):
            declared = declared_names(definition_)
            position = declared.index(field) if field in declared else len(node.args)
            plain = not any(isinstance(each, ir.Starred) for each in node.args[: position + 1])
            return node.args[position] if plain and position < len(node.args) else None
    return None


def _returned(file: File, function: Value | None) -> ir.Node | None:
    """What a function returns."""
    written = definition(file, function)
    return only_result(written) if written is not None else None


def _part(file: File, node: ir.Node | None, path: str) -> ir.Node | None:
    """The expression at ``path`` of a tree that is written out, if need be where a name gets its only value."""
    for key, field in _PART.findall(path):
        found: Sequence[ir.Node] = ()
        match _shown(file, node):
            case ir.Call(keywords=keywords) if field:
                found = [each.value for each in keywords if each.name == field]
            case ir.Sequence(elements=elements) if key.isdigit():
                found = elements[int(key) :][:1]
            case ir.Dict(keys=keys, values=values):
                found = [v for k, v in zip(keys, values) if isinstance(k, ir.Constant) and repr(k.value) == key]
        node = found[0] if len(found) == 1 and is_plain(found) else None
    return node


def _shown(file: File, node: ir.Node | None) -> ir.Node | None:
    if isinstance(node, ir.Name):
        return bound_to(file.unit, node)
    function = function_of(file, node.func) if isinstance(node, ir.Call) else None
    return (only_result(function) if function is not None else None) or node


def _carry_returned(file: File, body: ir.Function, hazard: BranchStructureMismatch) -> Fix:
    """The carry that a body binds anew, and forgets to return."""
    position = {"fori_loop": 1, "while_loop": 0}.get(_short(hazard))
    carry = body.parameters[known(position)].name
    edits, has_value = known(returned_too(file, body, carry))
    require(not body.is_lambda and bindings(body, carry) and not has_value)
    return Fix(f"Return `{carry}`", tuple(edits), changes=_CHANGES["tree"])


# --- what is written --------------------------------------------------------------------------


def _container(draft: Draft, part: ir.Node, hazard: BranchStructureMismatch | UnlikeTrees) -> str:
    """A list where a tuple goes in, or the other way round."""
    one, other = (known(re.fullmatch(r"a (tuple|list) of (\d+)", words)) for words in (hazard.one, hazard.other))
    display, inside = expect(ir.Sequence, part), draft.file.code(part.site)
    require(one[2] == other[2] and display.kind == other[1])
    inside = inside if display.kind == "tuple" else inside[1:-1]
    inside += "," if one[1] == "tuple" and one[2] == "1" and not inside.rstrip().endswith(",") else ""
    draft.replace_whole(part.site, f"({inside})" if one[1] == "tuple" else f"[{inside}]")
    return f"Return a {one[1]}, as goes in"


@or_none
def _of_class(draft: Draft, part: ir.Node, hazard: BranchStructureMismatch) -> str:
    """An object of the `NamedTuple` that goes in, for a tuple of what it holds."""
    name, count, file = known(re.fullmatch(r"a `(\w+)`", hazard.one))[1], len(parts_of(part)), draft.file
    made = class_named(file, name)
    bases = [file.code(each.site).rpartition(".")[2] for each in made.bases]
    require(bases == ["NamedTuple"] and len(declared_names(made)) == count)
    draft.replace_whole(part.site, f"{name}({file.code(part.site)})")
    return f"Return a `{name}`, as goes in"


def _cast(draft: Draft, leaf: ir.Node, dtype: str, title: str) -> str:
    require(_DTYPES.fullmatch(dtype))
    draft.replace_whole(leaf.site, f"{operand(draft.file, leaf.site)}.astype({draft.api(f'jax.numpy.{dtype}')})")
    return title


def _rank(dtype: str) -> tuple[int, int]:
    """Where a dtype stands among those that others are promoted to."""
    kind = dtype.rstrip("0123456789")
    order = ("bool", "uint", "int", "bfloat", "float", "complex")
    return (order.index(kind) if kind in order else -1, int(dtype[len(kind) :] or 0))


def _started(draft: Draft, leaf: ir.Node, hazard: BranchStructureMismatch, result: ir.Node | None) -> str:
    """The start of a carry with the dtype or shape that it comes out with."""
    if hazard.reason == "shape":
        require(_is_number(leaf))
        return _filled(draft, expect(ir.Constant, leaf), hazard.one, hazard.other, result)
    file, dtype, code = draft.file, hazard.other, draft.file.code(leaf.site)
    title = f"Start with {dtype}, as it comes out"
    if _is_number(leaf) and dtype.startswith("float") and code.isdigit():
        draft.replace(leaf.site, f"{code}.0")
        return title
    require(_DTYPES.fullmatch(dtype))
    name = draft.api(f"jax.numpy.{dtype}")
    maker = file.api_name(leaf.func.site).removeprefix("jax.numpy.") if isinstance(leaf, ir.Call) else ""
    given = value_of(leaf, "dtype", _MAKERS[maker]) if isinstance(leaf, ir.Call) and maker in _MAKERS else None
    if isinstance(leaf, ir.Constant):
        draft.replace(leaf.site, f"{name}({code})")
    elif isinstance(leaf, ir.Call) and maker == hazard.one:
        draft.replace(leaf.func.site, name)
    elif given is not None:
        draft.replace_whole(given.site, name)
    elif isinstance(leaf, ir.Call) and len(leaf.args) == _MAKERS.get(maker) and not leaf.keywords:
        draft.append_argument(leaf, name)
    elif all(isinstance(value, Array) for value in file.values(leaf.site)):
        return _cast(draft, leaf, dtype, title)
    else:
        draft.replace_whole(leaf.site, draft.call("jax.numpy.asarray", argument(file, leaf.site), name))
    return title


def _filled(draft: Draft, leaf: ir.Constant, mine: str, other: str, there: ir.Node | None) -> str:
    """An array of a shape that is known, of one number; ``there`` is the array of that shape."""
    require(mine == "()" and _SHAPE.fullmatch(other))
    file = draft.file
    values = file.values(there.site) if there is not None else []
    dtypes = {value.aval.dtype for value in values if isinstance(value, Array) and value.aval.dtype}
    code = file.code(leaf.site)
    if type(leaf.value) is int:  # which may have to be a float
        require(dtypes and all("int" in dtype or "float" in dtype for dtype in dtypes))
        code += ".0" if any("float" in dtype for dtype in dtypes) and code.lstrip("-").isdigit() else ""
    title, suffix, shape = f"Make it an array of shape {other}", "", other
    for like in _parameters_read(file, leaf) if len(dtypes) == 1 else ():
        forms = {value.aval for value in file.values(like.site) if isinstance(value, Array) and value.aval.shape}
        if {(str(form.shape), form.dtype) for form in forms} == {(other, *dtypes)}:
            title, suffix, shape = f"Make it an array like `{like.id}`", "_like", like.id
            break
    filled = ("zeros", shape) if code == "0.0" else ("full", shape, code)
    draft.replace(leaf.site, draft.call(f"jax.numpy.{filled[0]}{suffix}", *filled[1:]))
    return title


def _parameters_read(file: File, leaf: ir.Node) -> list[ir.Name]:
    scope = file.unit.scope(leaf.site)
    names = {each.name for each in scope.parameters} if isinstance(scope, ir.Function) else set()
    return [each for each in ir.walk(scope.body) if isinstance(each, ir.Name) and each.id in names]


def _is_number(node: ir.Node | None) -> TypeGuard[ir.Constant]:
    return isinstance(node, ir.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)


@or_none
def collected(hazard: BranchStructureMismatch, file: File) -> Fix:
    """For a body that returns `jnp.append(carry, y), None` or `jnp.concatenate([carry, y[None]]), None`, and an empty start."""
    call, function, draft = file.unit.nodes[hazard.site], known(definition(file, hazard.first)), Draft(file)
    require((hazard.api or "").endswith("scan") and not hazard.path and len(function.parameters) == 2)
    initial, carry = known(value_of(call, "init", 1)), function.parameters[0].name
    match only_result(function):
        case ir.Sequence(elements=[grown, ir.Constant(value=None)]) as returned:
            added = _added(file, grown, carry)
        case _:
            raise NoFix
    require(file.always(initial.site, lambda value: isinstance(value, Array) and value.aval.shape == (0,)))
    require(len(ir.names_below(function.body)[carry]) == 1)
    match file.unit.parent(call.site):
        case ir.Subscript(index=ir.Constant(value=0) as index):
            draft.replace(index.site, "1")
        case ir.Assign(targets=[ir.Sequence(elements=[ir.Name() as first, ir.Name() as outputs])]):
            draft.replace(first.site, outputs.id)
            draft.replace(outputs.site, first.id)
        case _:
            raise NoFix
    text = f"{carry}, {argument(file, added.site)}"
    draft.replace_whole(returned.site, f"({text})" if function.is_lambda else text)
    draft.replace_whole(initial.site, "None")
    return draft.fix("Collect it as the output of the scan", level=Applicability.DISPLAY)


def _added(file: File, grown: ir.Node, carry: str) -> ir.Node:
    """What a pass adds at the end of the carry."""
    match grown:
        case ir.Call(
            args=[ir.Sequence(elements=[ir.Name(id=name), ir.Subscript(value=added, index=ir.Constant(value=None))])]
        ):
            api = "jax.numpy.concatenate"
        case ir.Call(args=[ir.Name(id=name), added]):
            api = "jax.numpy.append"
        case _:
            raise NoFix
    call = expect(ir.Call, grown)
    require(name == carry and not call.keywords and file.is_api(call.func.site, api))
    return expect(ir.Node, added)
