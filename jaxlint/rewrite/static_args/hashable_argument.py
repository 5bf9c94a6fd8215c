"""The fix that passes something with a hash for a static argument, or gives its class one."""

from __future__ import annotations

import re

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import CONCRETE, Array
from jaxlint.analysis.transforms.agreement import UnhashableStaticArgument
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, declared_names, only_result, targets_of
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.calls import passed_for, visible_calls
from jaxlint.rewrite.changes import COMPILED_ANEW
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition, tuple_text
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.statements import first_statement
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_DISPLAY = Applicability.DISPLAY
_PLAIN = (ir.Constant, ir.Name, ir.Attribute, ir.Subscript, ir.Unary)
_INSTANCE = re.compile(r"an instance of `(\w+)`")
_ARRAYS = [f"{module}.{name}" for module in ("jax.numpy", "numpy") for name in ("array", "asarray")]


@or_none
def hashable_argument(hazard: UnhashableStaticArgument, file: File) -> Fix:
    node, what, draft = file.unit.nodes[hazard.operand], hazard.what, Draft(file)
    instance = _INSTANCE.fullmatch(what)
    if instance:
        place = hazard.site if hazard.cls is None else hazard.cls
        return file.placed(_with_hash(file.holding(place), instance[1]), place)
    if what in ("a JAX array", "a NumPy array"):
        one = isinstance(hazard.value, Array) and hazard.value.aval.shape == ()
        return _number(hazard, draft, node) if one else _traced(hazard, draft)
    if what == "a dict":
        return _items(hazard, draft, node)
    made = {"a list": "tuple", "a set": "frozenset"}.get(what, "")
    freeze(draft, node)
    if not draft.edits:
        require(made)
        draft.replace(node.site, f"{made}({file.code(node.site)})")
    return draft.fix(f"Pass a {'`frozenset`' if made == 'frozenset' else 'tuple'}", COMPILED_ANEW)


def freeze(draft: Draft, node: ir.Node) -> None:
    """Makes tuples and frozensets of the lists and sets that are written out."""
    if not isinstance(node, ir.Sequence):
        require(isinstance(node, _PLAIN))
        return
    start, end = draft.file.span(node.site)
    if node.kind == "set":
        draft.insert(start, "frozenset(")
        draft.insert(end, ")")
    elif node.kind == "list":
        comma = "," if len(node.elements) == 1 and not draft.file.code(node.site)[1:-1].rstrip().endswith(",") else ""
        draft.edits += [Edit(start, start + 1, "("), Edit(end - 1, end, comma + ")")]
    for each in node.elements:
        freeze(draft, each)


def _number(hazard: Hazard, draft: Draft, node: ir.Node) -> Fix:
    """The Python number of an array that holds one."""
    file, aval = draft.file, expect(Array, hazard.value).aval
    match node:
        case ir.Call(args=[ir.Constant() as number], keywords=()) if file.is_api(node.func.site, *_ARRAYS):
            text = file.code(number.site)
        case _:
            require(expect(Array, hazard.value).mode == CONCRETE)
            kind = known(next((kind for kind in ("int", "float") if kind in (aval.dtype or "")), None))
            text = f"{kind}({argument(file, node.site)})"
    draft.replace(node.site, text)
    return draft.fix("Pass a Python number", COMPILED_ANEW)


def _traced(hazard: UnhashableStaticArgument, draft: Draft) -> Fix:
    """The parameter no longer static, where the decorator says nothing of others."""
    file, function = draft.file, known(definition(draft.file, hazard.function))
    decorator = expect(ir.Call, function.decorators[-1] if function.decorators else None)
    static = only(each for each in decorator.keywords if each.name in ("static_argnames", "static_argnums"))
    position = next((n for n, each in enumerate(function.parameters) if each.name == hazard.parameter), None)
    value = static.value
    entries = value.elements if isinstance(value, ir.Sequence) else [value]
    require(len(entries) == 1 and getattr(entries[0], "value", None) in (hazard.parameter, position))
    if len(decorator.args) <= 1 and len(decorator.keywords) == 1:
        bare = decorator.args[0] if decorator.args else decorator.func
        draft.replace(decorator.site, file.code(bare.site))  # `partial` of one function is that function
    else:
        draft.edits.append(without_argument(file, static))
    return draft.fix(f"Let `{hazard.parameter}` be traced", f"`{function.name}` must not need its values", _DISPLAY)


def _items(hazard: UnhashableStaticArgument, draft: Draft, node: ir.Node) -> Fix:
    """The items of a dict passed as a tuple, and made a dict again in the function."""
    file, function, name = draft.file, known(definition(draft.file, hazard.function)), known(hazard.parameter)
    written = bound_to(file.unit, node)
    values = written.values if isinstance(written, ir.Dict) else [None]
    require(hazard.has_hashable_items or all(isinstance(each, (ir.Constant, ir.Unary)) for each in values))
    require(not function.is_lambda and _takes_dicts(file, function, name, file.code(node.site)))
    first, again = first_statement(function), f"{name} = dict({name})"
    require(not (isinstance(first, ir.Evaluate) and isinstance(first.value, ir.Constant)))  # it does nothing
    draft.replace(node.site, f"tuple({operand(file, node.site)}.items())")
    if file.code(first.site) != again:
        draft.above(first, again)
    return draft.fix(f"Pass the items as a tuple, and make a dict in `{function.name}`", COMPILED_ANEW)


def _takes_dicts(file: File, function: ir.Function, name: str, code: str) -> bool:
    """Whether each call that is seen passes a dict, be it the one of this ``code``, or the items of one."""
    for use in visible_calls(file, function) or ():
        passed = passed_for(function, use.call, name)
        if passed is None or file.code(passed.site) == code or file.code(passed.site).endswith(".items())"):
            continue
        if not isinstance(bound_to(file.unit, passed), ir.Dict):
            return False
    return True


# --- a class with a hash ----------------------------------------------------------------------


def _with_hash(file: File, name: str) -> Fix:
    found = only(each for each in file.unit.own if isinstance(each, ir.ClassDefinition) and each.name == name)
    require(not found.bases)
    methods = {each.function.name: each for each in found.body if isinstance(each, ir.Define)}
    require(len(found.decorators) == ("__eq__" not in methods))
    return _beside_eq(file, methods["__eq__"]) if "__eq__" in methods else _frozen(file, found)


def _frozen(file: File, definition_: ir.ClassDefinition) -> Fix:
    """`@dataclass(frozen=True)`, where nothing in the file sets a field."""
    fields, decorator, draft = declared_names(definition_), definition_.decorators[0], Draft(file)
    for each in ir.walk([file.unit.module]):
        require(not any(isinstance(target, ir.Attribute) and target.attr in fields for target in targets_of(each)))
    if isinstance(decorator, ir.Call):
        options = {each.name for each in decorator.keywords}
        require(not decorator.args and not options & {None, "frozen", "eq", "unsafe_hash"})
        draft.append_argument(decorator, "frozen=True")
    else:
        draft.insert(file.span(decorator.site)[1], "(frozen=True)")
    return draft.fix(f"Freeze `{definition_.name}`", "its fields can no longer be set")


def _beside_eq(file: File, define: ir.Define) -> Fix:
    """`__hash__` of the attributes that `__eq__` compares."""
    function, draft = expect(ir.Function, define.function), Draft(file)
    require(len(function.parameters) == 2 and not function.decorators)
    me, other = (each.name for each in function.parameters)
    codes = [f"{me}.{name}" for name in _compared(only_result(function), me, other)]
    require(codes)
    inner = file.indentation(function.body[-1].site)
    require(len(inner) > len(file.indentation(define.site)))
    hashed = codes[0] if len(codes) == 1 else tuple_text(codes)
    draft.below(define, f"def __hash__({me}):{file.source.newline}{inner}return hash({hashed})")
    return draft.fix("Hash what `__eq__` compares", "it must not change", _DISPLAY)


def _compared(node: ir.Node | None, me: str, other: str) -> list[str]:
    """The attributes that `self.a == other.a and self.b == other.b` compares."""
    match node:
        case ir.Boolean(op="and", left=left, right=right):
            return _compared(left, me, other) + _compared(right, me, other)
        case ir.Call(func=ir.Name(id="isinstance")):
            return []
        case ir.Compare(
            left=ir.Attribute(value=ir.Name(id=one), attr=attribute),
            ops=["=="],
            rights=[ir.Attribute(value=ir.Name(id=two), attr=same)],
        ) if {one, two} == {me, other} and attribute == same:
            return [attribute]
    raise NoFix
