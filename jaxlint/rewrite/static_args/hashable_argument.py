"""The fix that passes something with a hash for a static argument, or gives its class one."""

from __future__ import annotations

import re

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import CONCRETE, Api, Array, Value
from jaxlint.analysis.transforms.agreement import UnhashableStaticArgument
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_to, declared_names, only_result
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.calls import visible_calls
from jaxlint.rewrite.changes import COMPILED_ANEW
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import definition
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.statements import above, first_statement, line_end, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_UNSAFE, _DISPLAY = Applicability.UNSAFE, Applicability.DISPLAY
_PLAIN = (ir.Constant, ir.Name, ir.Attribute, ir.Unary)
_INSTANCE = re.compile(r"an instance of `(\w+)`")
_ARRAYS = frozenset(f"{module}.{name}" for module in ("jax.numpy", "numpy") for name in ("array", "asarray"))


def hashable_argument(hazard: UnhashableStaticArgument, file: File) -> Fix | None:
    function, what = hazard.function, hazard.what
    node = file.unit.nodes[hazard.operand]
    if hazard.site not in file.unit:
        return None
    instance = _INSTANCE.fullmatch(what)
    if instance:
        if hazard.cls is None:
            return _with_hash(file, instance[1])
        fix = _with_hash(file.holding(hazard.cls), instance[1])
        return None if fix is None else file.placed(fix, hazard.cls)
    if what in ("a JAX array", "a NumPy array"):
        one = isinstance(hazard.value, Array) and hazard.value.aval.shape == ()
        return _number(hazard, file, node) if one else _traced(hazard, file, definition(file, function))
    if what == "a dict":
        return _items(hazard, file, node, definition(file, function))
    made = {"a list": "tuple", "a set": "frozenset"}.get(what, "")
    return _frozen_copy(file, node, made)


def _frozen_copy(file: File, node: ir.Node, made: str) -> Fix | None:
    """Tuples and frozensets in place of the lists and sets that are written in the call, or of a variable."""
    edits: list[Edit] = []
    if not _freeze(file, node, edits):
        return None
    if not edits and made:
        edits.append(file.replace(node.site, f"{made}({file.code(node.site)})"))
    if not edits:
        return None
    title = f"Pass a {'`frozenset`' if made == 'frozenset' else 'tuple'}"
    return Fix(title, tuple(edits), changes=COMPILED_ANEW)


def _freeze(file: File, node: ir.Node, edits: list[Edit]) -> bool:
    if not isinstance(node, ir.Sequence):
        return isinstance(node, _PLAIN)
    start, end = file.span(node.site)
    if node.kind == "set":
        edits += [file.insert(start, "frozenset("), file.insert(end, ")")]
    elif node.kind == "list":
        comma = "," if len(node.elements) == 1 and not file.code(node.site)[1:-1].rstrip().endswith(",") else ""
        edits += [Edit(start, start + 1, "("), Edit(end - 1, end, comma + ")")]
    return all(_freeze(file, each, edits) for each in node.elements)


def _number(hazard: Hazard, file: File, node: ir.Node) -> Fix | None:
    """The Python number of an array that holds one."""
    value: Value = hazard.value
    if not isinstance(value, Array):
        return None
    text = None
    if (
        isinstance(node, ir.Call)
        and len(node.args) == 1
        and not node.keywords
        and isinstance(node.args[0], ir.Constant)
    ):
        made = file.values(node.func.site)
        if made and all(isinstance(each, Api) and each.name in _ARRAYS for each in made):
            text = file.code(node.args[0].site)
    elif value.mode == CONCRETE:
        kinds = [kind for kind in ("int", "float") if kind in (value.aval.dtype or "")]
        text = f"{kinds[0]}({argument(file, node.site)})" if kinds else None
    return (
        None if text is None else Fix("Pass a Python number", (file.replace(node.site, text),), changes=COMPILED_ANEW)
    )


def _traced(hazard: Hazard, file: File, function: ir.Function | None) -> Fix | None:
    """The parameter no longer static, where the decorator says nothing of others."""
    if function is None or not function.decorators:
        return None
    decorator = function.decorators[-1]
    if not isinstance(decorator, ir.Call):
        return None
    keywords = [each for each in decorator.keywords if each.name in ("static_argnames", "static_argnums")]
    if len(keywords) != 1:
        return None
    value = keywords[0].value
    entries = value.elements if isinstance(value, ir.Sequence) else [value]
    position = next((n for n, each in enumerate(function.parameters) if each.name == hazard.parameter), None)
    if (
        len(entries) != 1
        or not isinstance(entries[0], ir.Constant)
        or entries[0].value not in (hazard.parameter, position)
    ):
        return None
    edit = without_argument(file, keywords[0])
    if len(decorator.args) <= 1 and len(decorator.keywords) == 1:
        bare = decorator.args[0] if decorator.args else decorator.func
        edit = file.replace(decorator.site, file.code(bare.site))  # `partial` of one function is that function
    changes = f"`{function.name}` must not need its values"
    return Fix(f"Let `{hazard.parameter}` be traced", (edit,), _DISPLAY, changes=changes)


def _items(hazard: UnhashableStaticArgument, file: File, node: ir.Node, function: ir.Function | None) -> Fix | None:
    """The items of a dict passed as a tuple, and made a dict again in the function."""
    written = bound_to(file.unit, node)
    is_plain = isinstance(written, ir.Dict) and all(
        isinstance(each, (ir.Constant, ir.Unary)) for each in written.values
    )
    name = hazard.parameter
    if not (is_plain or hazard.has_hashable_items) or function is None or function.is_lambda or name is None:
        return None
    if not _takes_dicts(file, function, name, file.code(node.site)):
        return None
    first = first_statement(function)
    if isinstance(first, ir.Evaluate) and isinstance(first.value, ir.Constant):
        return None  # it does nothing
    again = f"{name} = dict({name})"
    edits = [file.replace(node.site, f"tuple({operand(file, node.site)}.items())")]
    if file.code(first.site) != again:
        edit = above(file, first, again)
        if edit is None:
            return None
        edits.append(edit)
    title = f"Pass the items as a tuple, and make a dict in `{function.name}`"
    return Fix(title, tuple(edits), changes=COMPILED_ANEW)


def _takes_dicts(file: File, function: ir.Function, name: str, code: str) -> bool:
    """Whether each call that is seen passes a dict, be it the one of this ``code``, or the items of one."""
    position = next((n for n, each in enumerate(function.parameters) if each.name == name), len(function.parameters))
    for use in visible_calls(file, function) or ():
        passed = next((each.value for each in use.call.keywords if each.name == name), None)
        if passed is None and position < len(use.call.args):
            passed = use.call.args[position]
        if passed is None or file.code(passed.site) == code or file.code(passed.site).endswith(".items())"):
            continue
        if not isinstance(bound_to(file.unit, passed), ir.Dict):
            return False
    return True


# --- a class with a hash ----------------------------------------------------------------------


def _with_hash(file: File, name: str) -> Fix | None:
    classes = [each for each in file.unit.own if isinstance(each, ir.ClassDefinition) and each.name == name]
    if len(classes) != 1 or classes[0].bases:
        return None
    methods = {each.function.name: each for each in classes[0].body if isinstance(each, ir.Define)}
    if "__eq__" in methods:
        return None if classes[0].decorators else _beside_eq(file, methods["__eq__"])
    return _frozen(file, classes[0]) if len(classes[0].decorators) == 1 else None


def _frozen(file: File, definition_: ir.ClassDefinition) -> Fix | None:
    """`@dataclass(frozen=True)`, where nothing in the file sets a field."""
    fields = declared_names(definition_)
    for each in ir.walk([file.unit.module]):
        targets = each.targets if isinstance(each, (ir.Assign, ir.Delete)) else [getattr(each, "target", None)]
        if any(isinstance(target, ir.Attribute) and target.attr in fields for target in targets):
            return None
    decorator = definition_.decorators[0]
    if isinstance(decorator, ir.Call):
        if decorator.args or any(each.name in (None, "frozen", "eq", "unsafe_hash") for each in decorator.keywords):
            return None
        comma = ", " if decorator.keywords else ""
        edit = file.insert(file.span(decorator.site)[1] - 1, f"{comma}frozen=True")
    else:
        edit = file.insert(file.span(decorator.site)[1], "(frozen=True)")
    return Fix(f"Freeze `{definition_.name}`", (edit,), changes="its fields can no longer be set")


def _beside_eq(file: File, define: ir.Define) -> Fix | None:
    """`__hash__` of the attributes that `__eq__` compares."""
    function: ir.Function = define.function
    if len(function.parameters) != 2 or function.decorators or not stands_on_own_lines(file, define):
        return None
    me, other = (each.name for each in function.parameters)
    compared = _compared(only_result(function), me, other)
    if not compared or file.unit.parent(function.body[0].site) is not function:
        return None
    codes = [f"{me}.{name}" for name in compared]
    indent = file.indentation(define.site)
    inner = file.indentation(function.body[-1].site)
    if len(inner) <= len(indent):
        return None
    hashed = codes[0] if len(codes) == 1 else f"({', '.join(codes)})"
    newline = file.source.newline
    text = f"{newline * 2}{indent}def __hash__({me}):{newline}{inner}return hash({hashed})"
    edit = file.insert(line_end(file, file.span(define.site)[1]), text)
    return Fix("Hash what `__eq__` compares", (edit,), _DISPLAY, changes="it must not change")


def _compared(node: ir.Node | None, me: str, other: str) -> list[str] | None:
    """The attributes that `self.a == other.a and self.b == other.b` compares."""
    if isinstance(node, ir.Boolean) and node.op == "and":
        left, right = _compared(node.left, me, other), _compared(node.right, me, other)
        return None if left is None or right is None else left + right
    if isinstance(node, ir.Call) and isinstance(node.func, ir.Name) and node.func.id == "isinstance":
        return []
    if not isinstance(node, ir.Compare) or list(node.ops) != ["=="]:
        return None
    sides = [
        (side.value.id, side.attr) for side in (node.left, node.rights[0])
        if isinstance(side, ir.Attribute) and isinstance(side.value, ir.Name)
    ]  # fmt: skip
    if len(sides) != 2 or {name for name, _ in sides} != {me, other} or sides[0][1] != sides[1][1]:
        return None
    return [sides[0][1]]
