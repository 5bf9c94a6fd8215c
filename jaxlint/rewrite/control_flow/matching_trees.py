"""The fix that makes a carry come out as it goes in, or two branches return the same.

The place where two trees part is found in the source: in what goes in first, then in what a function
returns. It is found where the trees are written out, and nowhere else.
"""

from __future__ import annotations

import re
from typing import TypeGuard

from jaxlint.analysis.domain.values import Array, ClassValue, FunctionValue, Value
from jaxlint.analysis.transforms.carries import BranchStructureMismatch, UnlikeTrees
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_to, declared_names, defining_scope, only_result
from jaxlint.rewrite.calls import entered
from jaxlint.rewrite.changes import OTHER_TYPE
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition, function_of
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.results import returned_too
from jaxlint.rewrite.transform_options import rewritten, value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

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
Edits = tuple[str, list[Edit], frozenset[ImportRequest]] | None


def matching_trees(hazard: BranchStructureMismatch, file: File) -> Fix | None:
    call = file.unit.nodes[hazard.site]
    if not isinstance(call, ir.Call) or any(isinstance(each, ir.Starred) for each in call.args):
        return None
    returned = (hazard.one, hazard.other)
    if (
        hazard.second is not None
        and "one array" in returned
        and any(each.startswith("a tuple of") for each in returned)
    ):
        return _stacked(hazard, file)
    made = _of_branches(hazard, file) if hazard.second is not None else _of_loop(hazard, file, call)
    if made is None:
        return _started_elsewhere(hazard, file, call)
    title, edits, imports = made
    changes = _CHANGES.get(hazard.reason, "") if title != _ONE_KEY else ""
    level = Applicability.UNSAFE if changes else Applicability.DISPLAY
    return Fix(title, tuple(edits), level, imports, changes)


def _stacked(hazard: BranchStructureMismatch, file: File) -> Fix | None:
    """An array of the parts of the tuple that one branch returns, where the other one returns an array."""
    function = hazard.first if hazard.one.startswith("a tuple") else hazard.second
    if not isinstance(function, FunctionValue):
        return None
    home = file.holding(function.function.site)
    value = _returned(home, function, carry_of_pair=False)
    if (
        hazard.path
        or not isinstance(value, ir.Sequence)
        or any(isinstance(each, ir.Starred) for each in value.elements)
    ):
        return None
    stack, imports = home.api("jax.numpy.stack")
    inside = home.source.text[home.outer_span(value.elements[0].site)[0] : home.outer_span(value.elements[-1].site)[1]]
    edit = rewritten(home, value, f"{stack}([{inside}])")
    fix = Fix("Return an array from both", (edit,), imports=imports, changes="right where the parts have one shape")
    return file.placed(fix, value.site)


def matching_entries(hazard: UnlikeTrees, file: File) -> Fix | None:
    """Lists in place of tuples, or the other way round, in the list that a function of the file makes entry by entry."""
    node = file.unit.nodes[hazard.operand]
    function = function_of(file, node.func) if isinstance(node, ir.Call) else None
    made = only_result(function) if function is not None else None
    if function is None or not isinstance(made, ir.Name) or not re.fullmatch(r"\[\d+\]", hazard.path):
        return None
    entries = [
        each.args[0] for each in ir.walk(function.body)
        if isinstance(each, ir.Call) and len(each.args) == 1 and file.code(each.func.site) == f"{made.id}.append"
    ]  # fmt: skip
    found = _container(file, entries[0], hazard) if len(entries) == 1 else None
    return None if found is None else Fix(found[0], tuple(found[1]), changes=OTHER_TYPE)


def _of_loop(hazard: BranchStructureMismatch, file: File, call: ir.Call) -> Edits:
    """The carry started as it comes out; or returned in the container that goes in."""
    short = (hazard.api or "").rpartition(".")[2]
    initial = _INITIAL.get(short)
    start = value_of(call, *initial) if initial else None
    returned = _returned(file, hazard.first, carry_of_pair=short == "scan")
    if hazard.reason == "tree" and hazard.other == "None" and not hazard.path:
        return _carry_returned(file, definition(file, hazard.first), short)
    if hazard.reason == "tree":
        part = _part(file, returned, hazard.path)
        return None if part is None else _container(file, part, hazard)
    if hazard.other.startswith("key") or "key" in (hazard.one, hazard.other):
        return None
    if hazard.reason == "shape":
        keys = _first_key(file, hazard, returned)
        if keys is not None:
            return keys
    result = _part(file, returned, hazard.path)
    if hazard.reason == "dtype" and _rank(hazard.one) > _rank(hazard.other):
        if result is None or _is_number(result):
            return None
        return _cast(file, result, hazard.one, f"Hand on {hazard.one}, as goes in")
    leaf = _part(file, start, hazard.path)
    return None if leaf is None else _started(file, leaf, hazard, result)


def _of_branches(hazard: BranchStructureMismatch, file: File) -> Edits:
    """A number that one branch returns made like the array that the other one returns."""
    if hazard.reason == "tree":
        return _with_rest(file, hazard)
    leaves = [
        _part(file, _returned(file, function, carry_of_pair=False), hazard.path)
        for function in (hazard.first, hazard.second)
    ]
    first, second = (leaves[0], hazard.one), (leaves[1], hazard.other)
    for (leaf, mine), (there, other) in ((first, second), (second, first)):
        if not _is_number(leaf):
            continue
        if hazard.reason == "shape":
            return _filled(file, leaf, mine, other, there)
        if hazard.reason == "dtype" and "float" in other and "int" in mine and type(leaf.value) is int:
            return "Return a float", [file.replace(leaf.site, f"{file.code(leaf.site)}.0")], frozenset()
    if hazard.reason != "dtype":
        return None
    wider = max(hazard.one, hazard.other, key=_rank)
    leaf = leaves[0] if wider == hazard.other else leaves[1]
    if leaf is None or isinstance(leaf, ir.Constant):
        return None
    return _cast(file, leaf, wider, f"Return {wider} from both")


def _with_rest(file: File, hazard: BranchStructureMismatch) -> Edits:
    """The last variables as they are, where one branch returns them and the other counts them up or down."""
    results = [
        _part(file, _returned(file, each, carry_of_pair=False), hazard.path) for each in (hazard.first, hazard.second)
    ]
    shorter, longer = sorted(results, key=lambda each: len(getattr(each, "elements", ())))
    if not (
        isinstance(shorter, ir.Sequence) and isinstance(longer, ir.Sequence) and shorter.kind == longer.kind == "tuple"
    ):
        return None
    if not shorter.elements or not all(isinstance(each, ir.Name) for each in shorter.elements):
        return None
    rest = []
    for each in longer.elements[len(shorter.elements) :]:
        match each:
            case ir.Binary(op="+" | "-", left=ir.Name(id=name) as counted, right=ir.Constant()):
                home = defining_scope(file.unit, counted.site, name)
                if home is None or home is not defining_scope(file.unit, shorter.site, name):
                    return None
                rest.append(name)
            case _:
                return None
    end = file.outer_span(shorter.elements[-1].site)[1]
    comma = file.source.text[end : end + 1] == ","  # of a tuple of one
    added = Edit(end, end + comma, "".join(f", {name}" for name in rest))
    return (f"Return {' and '.join(f'`{name}`' for name in rest)} as it is", [added], frozenset()) if rest else None


# --- where it stands --------------------------------------------------------------------------


def _started_elsewhere(hazard: BranchStructureMismatch, file: File, call: ir.Call) -> Fix | None:
    """The start with the dtype that it comes out with, where a function makes it, which may be of another file."""
    initial = _INITIAL.get((hazard.api or "").rpartition(".")[2])
    if hazard.second is not None:  # a branch that starts anew gives what the other one has come to
        branch = definition(file, hazard.first)
        start: ir.Node | None = only_result(branch) if branch is not None else None
    else:
        start = value_of(call, *initial) if initial else None
    if start is None or hazard.reason != "dtype" or _rank(hazard.one) > _rank(hazard.other):
        return None
    made = _made(file, start, hazard.path)
    edits = _started(*made, hazard, None) if made is not None else None
    if made is None or edits is None:
        return None
    return file.placed(Fix(edits[0], tuple(edits[1]), imports=edits[2], changes=_CHANGES["dtype"]), made[1].site)


def _made(file: File, node: ir.Node, path: str) -> tuple[File, ir.Node] | None:
    """The number, or the call that makes the array, at ``path`` of a tree, through functions that make the tree, and the file of it."""
    for key, field in [*_PART.findall(path), ("", "")]:
        node = bound_to(file.unit, node)
        values = file.functions(node.func.site) if isinstance(node, ir.Call) else []
        called = {each for value in values if (each := entered(value)) is not None}
        if len(called) == 1:
            function = called.pop()
            file = file.holding(function.site)
            node = bound_to(file.unit, only_result(function) or node)
        if isinstance(node, ir.Call) and node.args and file.is_api(node.func.site, *_MAPS):
            mapped = function_of(file, node.args[0])
            result = only_result(mapped) if mapped is not None else None
            return (file, result) if isinstance(result, ir.Call) else None
        if not key and not field:
            known = _is_number(node) or isinstance(node, ir.Call) and file.is_api(node.func.site, *_MADE)
            return (file, node) if known else None
        part = _part(file, node, f".{field}" if field else f"[{key}]") or _given_to_field(file, node, field)
        if part is None:
            return None
        node = part
    return None


def _given_to_field(file: File, node: ir.Node, field: str) -> ir.Node | None:
    """What a call of a class passes for one of its fields, by position."""
    match file.functions(node.func.site)[:1] if isinstance(node, ir.Call) else []:
        case [ClassValue(definition=definition_)] if isinstance(node, ir.Call):
            declared = declared_names(definition_)
            position = declared.index(field) if field in declared else len(node.args)
            plain = not any(isinstance(each, ir.Starred) for each in node.args[: position + 1])
            return node.args[position] if plain and position < len(node.args) else None
    return None


def _returned(file: File, function: Value | None, carry_of_pair: bool) -> ir.Node | None:
    """What a function returns; of the body of a scan, the carry."""
    written = definition(file, function)
    value = only_result(written) if written is not None else None
    if carry_of_pair:
        if not isinstance(value, ir.Sequence) or len(value.elements) != 2:
            return None
        value = value.elements[0]
    return value


def _part(file: File, node: ir.Node | None, path: str) -> ir.Node | None:
    """The expression at ``path`` of a tree that is written out, if need be where a name gets its only value."""
    keys = _PART.findall(path)
    for key, field in keys:
        node = _shown(file, node)
        if field:
            given = [k.value for k in node.keywords if k.name == field] if isinstance(node, ir.Call) else []
            node = given[0] if given else None
        elif isinstance(node, ir.Sequence) and key.isdigit() and int(key) < len(node.elements):
            node = node.elements[int(key)]
        elif isinstance(node, ir.Dict):
            named = [v for k, v in zip(node.keys, node.values) if isinstance(k, ir.Constant) and repr(k.value) == key]
            node = named[0] if len(named) == 1 else None
        else:
            return None
        if isinstance(node, ir.Starred):
            return None
    return node if not keys or not isinstance(node, ir.Starred) else None


def _shown(file: File, node: ir.Node | None) -> ir.Node | None:
    if isinstance(node, ir.Name):
        return bound_to(file.unit, node)
    function = function_of(file, node.func) if isinstance(node, ir.Call) else None
    return (only_result(function) if function is not None else None) or node


def _carry_returned(file: File, body: ir.Function | None, short: str) -> Edits:
    """The carry that a body binds anew, and forgets to return."""
    if body is None or body.is_lambda or short not in ("fori_loop", "while_loop"):
        return None
    carry = body.parameters[1 if short == "fori_loop" else 0].name
    returned = returned_too(file, body, carry) if bindings(body, carry) else None
    return None if returned is None or returned[1] else (f"Return `{carry}`", returned[0], frozenset())


# --- what is written --------------------------------------------------------------------------


def _container(file: File, part: ir.Node, hazard: BranchStructureMismatch | UnlikeTrees) -> Edits:
    """A list where a tuple goes in, or the other way round."""
    one, other = (re.fullmatch(r"a (tuple|list) of (\d+)", words) for words in (hazard.one, hazard.other))
    if one is None or other is None or one[2] != other[2]:
        return None
    if not isinstance(part, ir.Sequence) or part.kind != other[1]:
        return None
    start, end = file.outer_span(part.site)
    inside = file.code(part.site) if part.kind == "tuple" else file.code(part.site)[1:-1]
    if one[1] == "tuple":
        inside += "," if len(part.elements) == 1 and not inside.rstrip().endswith(",") else ""
        return "Return a tuple, as goes in", [Edit(start, end, f"({inside})")], frozenset()
    return "Return a list, as goes in", [Edit(start, end, f"[{inside}]")], frozenset()


def _first_key(file: File, hazard: BranchStructureMismatch, returned: ir.Node | None) -> Edits:
    """One of the keys that a split gives, where a key goes in."""
    match _part(file, returned, hazard.path):
        case ir.Call(args=[_], keywords=()) as part if hazard.other == f"(2,{hazard.one[1:] or ')'}":
            if file.is_api(part.func.site, "jax.random.split"):
                return _ONE_KEY, [file.insert(file.span(part.site)[1], "[0]")], frozenset()
    return None


def _cast(file: File, leaf: ir.Node, dtype: str, message: str) -> Edits:
    if not _DTYPES.fullmatch(dtype):
        return None
    name, imports = file.api(f"jax.numpy.{dtype}")
    return message, [rewritten(file, leaf, f"{operand(file, leaf.site)}.astype({name})")], imports


def _rank(dtype: str) -> tuple[int, int]:
    """Where a dtype stands among those that others are promoted to."""
    kind = dtype.rstrip("0123456789")
    order = ("bool", "uint", "int", "bfloat", "float", "complex")
    return (order.index(kind) if kind in order else -1, int(dtype[len(kind) :] or 0))


def _started(file: File, leaf: ir.Node, hazard: BranchStructureMismatch, result: ir.Node | None) -> Edits:
    """The start of a carry with the dtype or shape that it comes out with."""
    if hazard.reason == "shape":
        return _filled(file, leaf, hazard.one, hazard.other, result) if _is_number(leaf) else None
    dtype = hazard.other
    if not _DTYPES.fullmatch(dtype):
        return None
    name, imports = file.api(f"jax.numpy.{dtype}")
    message = f"Start with {dtype}, as it comes out"
    if _is_number(leaf):
        if type(leaf.value) is int and dtype.startswith("float") and file.code(leaf.site).isdigit():
            return message, [file.replace(leaf.site, f"{file.code(leaf.site)}.0")], frozenset()
    if isinstance(leaf, ir.Constant):
        return message, [file.replace(leaf.site, f"{name}({file.code(leaf.site)})")], imports
    if isinstance(leaf, ir.Call) and file.is_api(leaf.func.site, f"jax.numpy.{hazard.one}"):
        return message, [file.replace(leaf.func.site, name)], imports
    if isinstance(leaf, ir.Call) and not isinstance(leaf.func, ir.Call):
        for maker, position in _MAKERS.items():
            if not file.is_api(leaf.func.site, f"jax.numpy.{maker}"):
                continue
            given = value_of(leaf, "dtype", position)
            if given is not None:
                return message, [rewritten(file, given, name)], imports
            if len(leaf.args) == position and not leaf.keywords:
                end = file.outer_span(leaf.args[-1].site)[1]
                return message, [file.insert(end, f", {name}")], imports
    if all(isinstance(value, Array) for value in file.values(leaf.site)):
        return message, [rewritten(file, leaf, f"{operand(file, leaf.site)}.astype({name})")], imports
    array, more = file.api("jax.numpy.asarray")
    return message, [rewritten(file, leaf, f"{array}({argument(file, leaf.site)}, {name})")], imports | more


def _filled(file: File, leaf: ir.Constant, mine: str, other: str, there: ir.Node | None) -> Edits:
    """An array of a shape that is known, of one number; ``there`` is the array of that shape."""
    if mine != "()" or not _SHAPE.fullmatch(other):
        return None
    values = file.values(there.site) if there is not None else []
    dtypes = {value.aval.dtype for value in values if isinstance(value, Array) and value.aval.dtype}
    code = file.code(leaf.site)
    if type(leaf.value) is int:
        if not dtypes or not all("int" in dtype or "float" in dtype for dtype in dtypes):
            return None  # it may have to be a float
        code += ".0" if any("float" in dtype for dtype in dtypes) and code.lstrip("-").isdigit() else ""
    zero = code == "0.0"
    for like in _parameters_read(file, leaf) if len(dtypes) == 1 else ():
        forms = {value.aval for value in file.values(like.site) if isinstance(value, Array) and value.aval.shape}
        if {(str(form.shape), form.dtype) for form in forms} == {(other, *dtypes)}:
            name, imports = file.api("jax.numpy.zeros_like" if zero else "jax.numpy.full_like")
            text = f"{name}({like.id})" if zero else f"{name}({like.id}, {code})"
            return f"Make it an array like `{like.id}`", [file.replace(leaf.site, text)], imports
    name, imports = file.api("jax.numpy.zeros" if zero else "jax.numpy.full")
    text = f"{name}({other})" if zero else f"{name}({other}, {code})"
    return f"Make it an array of shape {other}", [file.replace(leaf.site, text)], imports


def _parameters_read(file: File, leaf: ir.Node) -> list[ir.Name]:
    scope = file.unit.scope(leaf.site)
    names = {each.name for each in scope.parameters} if isinstance(scope, ir.Function) else set()
    return [each for each in ir.walk(scope.body) if isinstance(each, ir.Name) and each.id in names]


def _is_number(node: ir.Node | None) -> TypeGuard[ir.Constant]:
    return isinstance(node, ir.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
