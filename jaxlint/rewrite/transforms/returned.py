"""What a traced function may return in the place of something that is no array."""

from __future__ import annotations

import re

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Text, Unknown, python_type
from jaxlint.analysis.transforms.returns import NonArrayReturn
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import resolved
from jaxlint.rewrite.changes import OTHER_TYPE
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import without_decorator
from jaxlint.rewrite.statements import above, line_end
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_ARRAYS = re.compile(r"(\w+\.)*(Array|ndarray|ArrayLike|PyTree)(\[.*\])?\Z|(int|float|complex)\Z", re.DOTALL)


def mended(hazard: NonArrayReturn, what: str, file: File) -> Fix | None:
    """The fix for a function that returns ``what``, in whole or within a tuple or dict; None where it is for the author to say."""
    if what.startswith("a coroutine"):
        return _awaitless(file, hazard.function)
    if hazard.function.is_generator and what == hazard.what:
        return _uncompiled(file, hazard.function)
    returned = file.unit.nodes[hazard.site]
    if what == hazard.what and isinstance(returned, ir.Expression):
        whole = _whole(file, what, returned, hazard.function)
        if whole is not None:
            return whole
    if what.startswith("an instance"):
        return _registered(file, what, returned)
    if what.startswith(("a string", "a dtype")):
        return _left_out(hazard, file, what, returned)
    return None


def _uncompiled(file: File, function: ir.Function) -> Fix | None:
    """A generator without the one decorator that traces it."""
    edit = without_decorator(file, function)
    if edit is None:
        return None
    return Fix(f"Leave `{function.name}` uncompiled", (edit,), changes="its parts run one by one")


def _whole(file: File, what: str, node: ir.Expression, function: ir.Function) -> Fix | None:
    code = file.code(node.site)
    start, end = file.outer_span(node.site)
    if (
        what.startswith("a view")
        and isinstance(node, ir.Call)
        and isinstance(node.func, ir.Attribute)
        and node.func.attr == "values"
    ):
        return Fix("Return a tuple of the values", (Edit(start, end, f"tuple({code})"),), changes=OTHER_TYPE)
    if what.startswith("a generator") and isinstance(node, ir.Comprehension) and node.kind == "generator":
        inner = code[1:-1] if code.startswith("(") and code.endswith(")") else code
        return Fix("Return a list", (Edit(start, end, f"[{inner}]"),), changes=OTHER_TYPE)
    if what.startswith("a set") and isinstance(node, ir.Sequence) and node.kind == "set":
        comma = "," if len(node.elements) == 1 else ""
        edit = Edit(start, end, f"({code[1:-1].rstrip().rstrip(',')}{comma})")
        return Fix("Return a tuple", (edit,), changes=OTHER_TYPE)
    if what.startswith("a function") and isinstance(node, ir.Lambda):
        return _partial(file, node, function)
    return None


def _partial(file: File, node: ir.Lambda, function: ir.Function) -> Fix | None:
    """`lambda y: x * y` as `jax.tree_util.Partial(lambda x, y: x * y, x)`: what it closes over is returned with it."""
    inner = node.function
    closed = sorted(inner.free & function.locals)
    if not closed or any(each.kind not in ("ordinary", "positional-only") for each in inner.parameters):
        return None
    partial, imports = file.api("jax.tree_util.Partial")
    start = file.code(node.site)
    head = f"lambda {', '.join(closed)}"
    head += ", " if inner.parameters else ""
    code = re.sub(r"\Alambda\s*", head, start)
    text = f"{partial}({code}, {', '.join(closed)})"
    edit = Edit(*file.outer_span(node.site), text)
    return Fix(f"Return a `{partial}`", (edit,), imports=imports, changes="it is a pytree of what it closes over")


def _awaitless(file: File, function: ir.Function) -> Fix | None:
    if any(
        isinstance(node, ir.Await) or getattr(node, "is_async", False)
        for node in ir.walk(function.body, into_scopes=False)
    ):
        return None
    start, end = file.span(function.site)
    found = re.search(
        rf"^[ \t]*(async\s+)def\s+{re.escape(function.name)}\b", file.source.text[start:end], re.MULTILINE
    )
    if found is None:
        return None
    edit = Edit(start + found.start(1), start + found.end(1), "")
    return Fix("Make it an ordinary function", (edit,), changes="callers must not await it")


def _registered(file: File, what: str, returned: ir.Node) -> Fix | None:
    """The decorator that makes a pytree of a dataclass of this file."""
    name = re.search(r"`(\w+)`", what)
    found = [
        node
        for node in file.unit.own
        if isinstance(node, ir.ClassDefinition) and name is not None and node.name == name[1] and node.decorators
    ]
    return registered_dataclass(file, found[0]) if len(found) == 1 else None


def registered_dataclass(file: File, made: ir.ClassDefinition) -> Fix | None:
    """The decorator that makes a pytree of a dataclass; shown only where fields may be no arrays, which would have to be told apart."""
    if made.bases or len(made.decorators) != 1:
        return None
    decorator = made.decorators[0]
    called = decorator.func if isinstance(decorator, ir.Call) else decorator
    fields = [each for each in made.body if isinstance(each, ir.Annotate)]
    if not file.stands_for(called.site, "dataclasses.dataclass") or not fields:
        return None
    arrays = all(_ARRAYS.match(file.code(each.annotation.site)) for each in fields)
    register, imports = file.api("jax.tree_util.register_dataclass")
    start, text = file.span(decorator.site)[0], file.source.text
    line = text.rfind("\n", 0, start) + 1
    code = f"{file.indentation(decorator.site)}@{register}{file.source.newline}"
    level = Applicability.UNSAFE if arrays else Applicability.DISPLAY
    title, changes = f"Register `{made.name}` as a pytree of its fields", "transforms trace its fields"
    return Fix(title, (file.insert(line, code),), level, imports, changes)


def made_a_pytree(file: File, site: int) -> Fix | None:
    """The decorator and the two methods by which a class of arrays, each a parameter of its `__init__`, becomes a pytree; or the one of a dataclass."""
    made = file.unit.nodes[site]
    define = file.unit.parent(site)
    if isinstance(made, ir.ClassDefinition) and made.decorators:
        return registered_dataclass(file, made)
    if not isinstance(made, ir.ClassDefinition) or not isinstance(define, ir.Statement):
        return None
    init = next(each.function for each in made.body if isinstance(each, ir.Define) and each.function.name == "__init__")
    names = [each.name for each in init.parameters[1:]]
    register, imports = file.api("jax.tree_util.register_pytree_node_class")
    decorated = above(file, define, f"@{register}")
    inner = file.indentation(made.body[-1].site)
    deeper = file.indentation(init.body[0].site)
    children = f"({', '.join(f'self.{name}' for name in names)}{',' * (len(names) == 1)})"
    lines = (
        "", f"{inner}def tree_flatten(self):", f"{deeper}return {children}, None", "", f"{inner}@classmethod",
        f"{inner}def tree_unflatten(cls, aux, children):", f"{deeper}return cls(*children)",
    )  # fmt: skip
    end = line_end(file, file.span(made.body[-1].site)[1])
    methods = file.insert(end, "".join(file.source.newline + line for line in lines))
    if decorated is None or len(inner) >= len(deeper):
        return None
    title, changes = f"Make `{made.name}` a pytree of its arrays", "right where all of its attributes are arrays"
    return Fix(title, (decorated, methods), imports=imports, changes=changes)


def _left_out(hazard: Hazard, file: File, what: str, returned: ir.Node) -> Fix | None:
    """What is no array leaves the result: an entry of a dict goes, an element of a tuple is None."""
    title = f"Leave {what} to the caller"
    for each in returned.elements if isinstance(returned, ir.Sequence) else ():
        shown = resolved(file.unit, each)
        if isinstance(shown, ir.Dict) and any(_is_text(file, value) for value in shown.values):
            returned = shown
    if isinstance(returned, ir.Dict):
        found = [(key, value) for key, value in zip(returned.keys, returned.values) if _is_text(file, value)]
        keys = [key for key in returned.keys if key is not None]
        if len(found) != 1 or len(keys) < 2 or len(keys) < len(returned.keys):
            return None
        index = returned.values.index(found[0][1])
        start, end = file.outer_span(keys[index].site)[0], file.outer_span(found[0][1].site)[1]
        if index:
            start = file.outer_span(returned.values[index - 1].site)[1]
        else:
            end = file.outer_span(keys[1].site)[0]
        subscripts = [each.index for each in file.unit.own if isinstance(each, ir.Subscript)]
        read = any(
            isinstance(each, ir.Constant) and each.value == getattr(found[0][0], "value", None) for each in subscripts
        )
        level = Applicability.DISPLAY if read else Applicability.UNSAFE
        return Fix(title, (Edit(start, end, ""),), level, changes="the result has no such entry")
    if not isinstance(returned, ir.Sequence) or returned.kind == "set":
        return None
    wrong = [each for each in returned.elements if _is_text(file, each)]
    if len(wrong) != 1:
        return None
    # What `scan` stacks is asked for by position: None is nothing to stack.
    level = Applicability.UNSAFE if hazard.api == "jax.lax.scan" else Applicability.DISPLAY
    edit = Edit(*file.outer_span(wrong[0].site), "None")
    return Fix(title, (edit,), level, changes="None stands in its place")


def _is_text(file: File, node: ir.Node) -> bool:
    if isinstance(node, ir.Format) or (isinstance(node, ir.Constant) and isinstance(node.value, str)):
        return True
    values = [
        value for value in file.values(node.site) if not isinstance(value, Unknown)
    ]  # for callers that are not seen
    known = bool(values) and all(isinstance(value, Text) or python_type(value) == "str" for value in values)
    return known or (isinstance(node, ir.Attribute) and node.attr == "dtype")
