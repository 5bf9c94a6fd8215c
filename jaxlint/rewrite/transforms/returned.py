"""What a traced function may return in the place of something that is no array, and classes made pytrees."""

from __future__ import annotations

import re
from typing import NamedTuple

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Text, Unknown, python_type
from jaxlint.analysis.transforms.returns import NonArrayReturn
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import is_target, only_result, resolved
from jaxlint.rewrite.changes import OTHER_TYPE
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import (
    class_named,
    lambda_parts,
    methods_of,
    tuple_text,
    with_parameters,
    without_decorator,
)
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.statements import first_statement, line_end, line_start, stands_on_own_lines
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_ARRAYS = re.compile(r"(\w+\.)*(Array|ndarray|ArrayLike|PyTree)(\[.*\])?\Z", re.DOTALL)
_NUMBERS = frozenset({"int", "float", "complex"})


@or_none
def mended(hazard: NonArrayReturn, what: str, file: File) -> Fix | None:
    """The fix for a function that returns ``what``, in whole or within a tuple or dict; None where it is for the author to say."""
    if what.startswith("a coroutine"):
        return _awaitless(Draft(file), hazard.function)
    if hazard.function.is_generator and what == hazard.what:
        return _uncompiled(Draft(file), hazard.function)
    returned = file.unit.nodes[hazard.site]
    if what == hazard.what and isinstance(returned, ir.Expression):
        whole = _whole(file, what, returned, hazard.function)
        if whole is not None:
            return whole
    if what.startswith("an instance"):
        return registered_dataclass(file, class_named(file, known(re.search(r"`(\w+)`", what))[1]))
    return _left_out(hazard, Draft(file), what, returned) if what.startswith(("a string", "a dtype")) else None


def _uncompiled(draft: Draft, function: ir.Function) -> Fix:
    """A generator without the one decorator that traces it."""
    draft.edits.append(known(without_decorator(draft.file, function)))
    return draft.fix(f"Leave `{function.name}` uncompiled", "its parts run one by one")


@or_none
def _whole(file: File, what: str, node: ir.Expression, function: ir.Function) -> Fix:
    code, draft = file.code(node.site), Draft(file)
    match node:
        case ir.Call(func=ir.Attribute(attr="values")) if what.startswith("a view"):
            title, text = "Return a tuple of the values", f"tuple({code})"
        case ir.Comprehension(kind="generator") if what.startswith("a generator"):
            inner = code[1:-1] if code.startswith("(") and code.endswith(")") else code
            title, text = "Return a list", f"[{inner}]"
        case ir.Sequence(kind="set") if what.startswith("a set"):
            comma = "," if len(node.elements) == 1 else ""
            title, text = "Return a tuple", f"({code[1:-1].rstrip().rstrip(',')}{comma})"
        case ir.Lambda() if what.startswith("a function"):
            return _partial(draft, node, function)
        case _:
            raise NoFix
    draft.replace_whole(node.site, text)
    return draft.fix(title, OTHER_TYPE)


def _partial(draft: Draft, node: ir.Lambda, function: ir.Function) -> Fix:
    """`lambda y: x * y` as `jax.tree_util.Partial(lambda x, y: x * y, x)`: what it closes over is returned with it."""
    inner = node.function
    closed = sorted(inner.free & function.locals)
    require(closed and all(each.kind in ("ordinary", "positional-only") for each in inner.parameters))
    own = lambda_parts(draft.file, node)[0]
    code = with_parameters(draft.file, node, ", ".join([*closed, own] if own else closed))
    draft.replace_whole(node.site, draft.call("jax.tree_util.Partial", code, *closed))
    return draft.fix(f"Return a `{draft.api('jax.tree_util.Partial')}`", "it is a pytree of what it closes over")


def _awaitless(draft: Draft, function: ir.Function) -> Fix:
    for node in ir.walk(function.body, into_scopes=False):
        require(not isinstance(node, ir.Await) and not getattr(node, "is_async", False))
    start, end = draft.file.span(function.site)
    code, name = draft.file.source.text[start:end], re.escape(function.name)
    found = known(re.search(rf"^[ \t]*(async\s+)def\s+{name}\b", code, re.MULTILINE))
    draft.edits.append(Edit(start + found.start(1), start + found.end(1), ""))
    return draft.fix("Make it an ordinary function", "callers must not await it")


@or_none
def registered_dataclass(file: File, made: ir.ClassDefinition) -> Fix:
    """The decorator that makes a pytree of a dataclass; shown only where fields may be no arrays, which would have to be told apart."""
    decorator = only(made.decorators)
    called = decorator.func if isinstance(decorator, ir.Call) else decorator
    fields = _annotations(file, made)
    require(not made.bases and file.stands_for(called.site, "dataclasses.dataclass") and fields)
    arrays = all(each in _NUMBERS or _ARRAYS.match(each) for each in fields)
    draft, line = Draft(file), line_start(file, file.span(decorator.site)[0])
    register = draft.api("jax.tree_util.register_dataclass")
    draft.insert(line, f"{file.indentation(decorator.site)}@{register}{file.source.newline}")
    level = Applicability.UNSAFE if arrays else Applicability.DISPLAY
    return draft.fix(f"Register `{made.name}` as a pytree of its fields", "transforms trace its fields", level)


def holds_arrays_alone(file: File, made: ir.ClassDefinition) -> bool:
    """Whether the annotations of a class say that each of its fields is an array."""
    return all(map(_ARRAYS.match, _annotations(file, made)))


def _annotations(file: File, made: ir.ClassDefinition) -> list[str]:
    return [file.code(each.annotation.site) for each in made.body if isinstance(each, ir.Annotate)]


@or_none
def made_a_pytree(file: File, site: int) -> Fix | None:
    """The decorator and the two methods by which a class of arrays, each a parameter of its `__init__`, becomes a pytree; or the one of a dataclass."""
    made = expect(ir.ClassDefinition, file.unit.nodes[site])
    if made.decorators:
        return registered_dataclass(file, made)
    init, draft = methods_of(made)["__init__"], Draft(file)
    names = [each.name for each in init.parameters[1:]]
    register = draft.api("jax.tree_util.register_pytree_node_class")
    draft.above(expect(ir.Statement, file.unit.parent(site)), f"@{register}")
    inner = file.indentation(made.body[-1].site)
    deeper = file.indentation(init.body[0].site)
    children = tuple_text([f"self.{name}" for name in names]) if names else "()"
    lines = (
        "", f"{inner}def tree_flatten(self):", f"{deeper}return {children}, None", "", f"{inner}@classmethod",
        f"{inner}def tree_unflatten(cls, aux, children):", f"{deeper}return cls(*children)",
    )  # fmt: skip
    end = line_end(file, file.span(made.body[-1].site)[1])
    draft.insert(end, "".join(file.source.newline + line for line in lines))
    return draft.fix(f"Make `{made.name}` a pytree of its arrays", "right where all of its attributes are arrays")


def _left_out(hazard: Hazard, draft: Draft, what: str, returned: ir.Node) -> Fix:
    """What is no array leaves the result: an entry of a dict goes, an element of a tuple is None."""
    file, title = draft.file, f"Leave {what} to the caller"
    for each in returned.elements if isinstance(returned, ir.Sequence) else ():
        shown = resolved(file.unit, each)
        if isinstance(shown, ir.Dict) and any(_is_text(file, value) for value in shown.values):
            returned = shown
    if isinstance(returned, ir.Dict):
        index = only(number for number, value in enumerate(returned.values) if _is_text(file, value))
        spans = [(known(key), value) for key, value in zip(returned.keys, returned.values)]
        require(len(spans) > 1)
        start, end = file.outer_span(spans[index][0].site)[0], file.outer_span(spans[index][1].site)[1]
        if index:
            start = file.outer_span(spans[index - 1][1].site)[1]
        else:
            end = file.outer_span(spans[1][0].site)[0]
        name = getattr(spans[index][0], "value", None)
        subscripts = [each.index for each in file.unit.own if isinstance(each, ir.Subscript)]
        read = any(isinstance(each, ir.Constant) and each.value == name for each in subscripts)
        level = Applicability.DISPLAY if read else Applicability.UNSAFE
        draft.edits.append(Edit(start, end, ""))
        return draft.fix(title, "the result has no such entry", level)
    display = expect(ir.Sequence, returned)
    require(display.kind != "set")
    wrong = only(each for each in display.elements if _is_text(file, each))
    # What `scan` stacks is asked for by position: None is nothing to stack.
    level = Applicability.UNSAFE if hazard.api == "jax.lax.scan" else Applicability.DISPLAY
    draft.replace_whole(wrong.site, "None")
    return draft.fix(title, "None stands in its place", level)


def _is_text(file: File, node: ir.Node) -> bool:
    if isinstance(node, ir.Format) or (isinstance(node, ir.Constant) and isinstance(node.value, str)):
        return True
    # Without those for callers that are not seen.
    values = [value for value in file.values(node.site) if not isinstance(value, Unknown)]
    known = bool(values) and all(isinstance(value, Text) or python_type(value) == "str" for value in values)
    return known or (isinstance(node, ir.Attribute) and node.attr == "dtype")


class _Parts(NamedTuple):
    """What `tree_flatten` returns: attributes."""

    children: list[str]
    auxiliary: list[str]
    is_bare: bool  # the second part is one attribute, in no tuple


@or_none
def around_init(file: File, site: int, moved: str = "") -> Fix:
    """For the class around a site; an attribute that is the whole second part may move to the children."""
    definition = known(next((each for each in file.unit.ancestors(site) if isinstance(each, ir.ClassDefinition)), None))
    require(not definition.bases and not definition.keywords and len(definition.decorators) == 1)
    methods, draft = methods_of(definition), Draft(file)
    flatten, unflatten = known(methods.get("tree_flatten")), known(methods.get("tree_unflatten"))
    require(len(unflatten.parameters) == 3)
    returned = known(only_result(flatten))
    parts = _parts(file, returned)
    stored = {
        node.attr for node in ir.walk(definition.body)
        if isinstance(node, ir.Attribute) and is_target(file.unit, node) and file.code(node.value.site) == "self"
    }  # fmt: skip
    require(stored <= {*parts.children, *parts.auxiliary})
    if moved:
        require(parts.is_bare and parts.auxiliary == [moved])
        parts = _Parts([*parts.children, moved], [], False)
        text = ", ".join(f"self.{name}" for name in parts.children)
        draft.replace_whole(returned.site, f"({text}), None")
    first, last = first_statement(unflatten), unflatten.body[-1]
    require(stands_on_own_lines(file, first))
    cls, auxiliary, children = (each.name for each in unflatten.parameters)
    name = "new" if "new" not in (cls, auxiliary, children) else "made"
    lines = [f"{name} = object.__new__({cls})", _unpacked(name, parts.children, children)]
    if parts.is_bare:
        lines.append(f"{name}.{parts.auxiliary[0]} = {auxiliary}")
    elif parts.auxiliary:
        lines.append(_unpacked(name, parts.auxiliary, auxiliary))
    lines.append(f"return {name}")
    text = (file.source.newline + file.indentation(first.site)).join(lines)
    draft.edits.append(Edit(file.span(first.site)[0], file.span(last.site)[1], text))
    changes = "`__init__` does not run when JAX makes it again"
    return draft.fix("Set the attributes, and go around `__init__`", changes)


def _unpacked(name: str, attributes: list[str], source: str) -> str:
    targets = ", ".join(f"{name}.{attribute}" for attribute in attributes)
    return f"({targets},) = {source}" if len(attributes) == 1 else f"{targets} = {source}"


def _parts(file: File, value: ir.Node) -> _Parts:
    display = expect(ir.Sequence, value).elements
    require(len(display) == 2)
    first, second = (resolved(file.unit, each) for each in display)
    children = _attributes(expect(ir.Sequence, first))
    require(children)
    if ir.is_none(second):
        return _Parts(children, [], False)
    return _Parts(children, _attributes(second), not isinstance(second, ir.Sequence))


def _attributes(node: ir.Node) -> list[str]:
    """The names of `self.a`, or of several in a display."""
    written = [expect(ir.Attribute, each) for each in (node.elements if isinstance(node, ir.Sequence) else (node,))]
    require(all(isinstance(each.value, ir.Name) and each.value.id == "self" for each in written))
    return [each.attr for each in written]
