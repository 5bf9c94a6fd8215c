"""Stores that a function makes outside, taken apart: the value to be returned, and what is done with it."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, is_assigned, only_target, own_returns, parameter_of
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.statements import free_name, removed
from jaxlint.source.diagnostic import Edit


class Store(NamedTuple):
    """A store taken apart: the name that holds the value inside, what is done with it outside, and the edits inside."""

    name: str  # or several, with commas
    target: str  # what takes the result outside
    after: str  # a statement that comes next, if any, as a template for `str.format` with the names
    edits: list[Edit]
    declared: str  # the variable that was declared `global` or `nonlocal`, if it is one


def _is_reached(file: File, statement: ir.Statement, function: ir.Function) -> bool:
    """Whether the function runs the statement each time, before it returns."""
    if not any(each is statement for each in function.body):
        return False
    start = file.span(statement.site)[0]
    return all(file.span(each.site)[0] > start for each in own_returns(function))


def taken_apart(file: File, statement: ir.Statement, function: ir.Function, around: bool = False) -> Store | None:
    """The store that a statement makes; None where it is not made each time, or reads what it changes.

    With ``around`` what is done outside can read the parameters.
    """
    if not _is_reached(file, statement, function):
        return None
    target = only_target(statement)
    if isinstance(statement, ir.Assign) and target is not None:
        return _of_target(file, function, statement, target)
    if isinstance(statement, ir.Evaluate) and isinstance(statement.value, ir.Call):
        return _of_call(file, function, statement, statement.value, around)
    return None


def _of_target(file: File, function: ir.Function, statement: ir.Assign, target: ir.Node) -> Store | None:
    code = file.code(target.site)
    if isinstance(target, ir.Name):
        end = file.span(statement.site)[1]
        named = [
            each
            for each in ir.walk(function.body)
            if isinstance(each, ir.Name) and each.id == code and each is not target
        ]
        if any(file.span(each.site)[0] < end for each in named) or len(bindings(function, code)) > 2:
            return None  # the old value is read, or another one stored; `global` is a binding as well
        return Store(code, code, "", [], code)
    match target:
        case ir.Attribute(attr=attribute):
            name = attribute.strip("_")
        case ir.Subscript(index=ir.Constant(value=str(name))):
            pass
        case _:
            return None
    if not name.isidentifier():
        return None
    name = free_name(file, function.body[0].site, name, f"new_{name}")
    start = file.span(target.site)[0]
    same = [each for each in ir.walk(function.body) if type(each) is type(target) and file.code(each.site) == code]
    stores = [each for each in same if is_assigned(file.unit, each)]
    if len(stores) != 1 or any(file.span(each.site)[0] < start for each in same):
        return None  # what is read before is the old value
    root = ir.root_of(target)
    if not isinstance(root, ir.Name) or bindings(function, root.id):
        return None
    value, gone = statement.value, removed(file, statement)
    if isinstance(value, ir.Name) and gone is not None and len(bindings(function, value.id)) == 1:
        others = [file.replace(each.site, value.id) for each in same if each is not target]
        return Store(value.id, code, "", [gone, *others], "")
    return Store(name, code, "", [file.replace(each.site, name) for each in same], "")


def _of_call(file: File, function: ir.Function, statement: ir.Statement, call: ir.Call, around: bool) -> Store | None:
    """`seen.append(value)`, and any other call of something outside: what the function computes for it is returned."""
    root, text = ir.root_of(call.func), file.code(call.site)
    if not isinstance(root, ir.Name) or bindings(function, root.id) or "\n" in text:
        return None
    if any(parameter.name == root.id and parameter.default is not None for parameter in function.parameters):
        return None
    changed = call.func.value if isinstance(call.func, ir.Attribute) else call.func
    holder = file.code(changed.site)
    same = [each for each in ir.walk(function.body) if type(each) is type(changed) and file.code(each.site) == holder]
    gone = removed(file, statement)
    if len(same) != 1 or gone is None:
        return None  # the container is read in traced code as well
    around &= not any("donate" in file.code(each.site) for each in function.decorators)  # it is gone after the call
    names: list[str] = []
    made: list[str] = []
    template, at = "", 0
    for given in (*call.args, *call.keywords):
        value: ir.Node = given.value if isinstance(given, ir.Keyword) else given
        match value:
            case ir.Call(func=ir.Name(id="float" | "int" | "bool"), args=[cast], keywords=()):
                value = cast  # what JAX cannot do while it traces
        read = names_in(value) & function.locals
        if not read or around and isinstance(value, ir.Name) and parameter_of(function, value.id):
            continue
        if isinstance(value, (ir.Starred, ir.Format)):
            return None
        name = value.id if isinstance(value, ir.Name) else ""
        if name in names or not (len(bindings(function, name)) == 1 or parameter_of(function, name)):
            candidates = (each for each in ("value", "entry", "stored", "other") if each not in names)
            name = free_name(file, function.body[0].site, *candidates)
            made.append(f"{name} = {argument(file, value.site)}")
        first, last = (offset - file.span(call.site)[0] for offset in file.span(value.site))
        template += f"{_literal(text[at:first])}{{{len(names)}}}"
        at = last
        names.append(name)
    if len(set(names)) < max(len(names), 1):
        return None
    edits = [file.replace(statement.site, f"{file.source.newline}{file.indentation(statement.site)}".join(made))]
    name = ", ".join(names)
    return Store(name, name, template + _literal(text[at:]), edits if made else [gone], "")


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
