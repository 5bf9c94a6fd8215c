"""Stores that a function makes outside, taken apart: the value to be returned, and what is done with it."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, is_assigned, only_target, own_returns, parameter_of
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import free_name, removed
from jaxlint.source.diagnostic import Edit


class Store(NamedTuple):
    """A store taken apart: the name that holds the value inside, what is done with it outside, and the edits inside."""

    name: str  # or several, with commas
    target: str  # what takes the result outside
    after: str  # a statement that comes next, if any, as a template for `str.format` with the names
    edits: list[Edit]
    declared: str  # the variable that was declared `global` or `nonlocal`, if it is one


@or_none
def taken_apart(file: File, statement: ir.Statement, function: ir.Function, around: bool = False) -> Store:
    """The store that a statement makes each time the function runs; it reads nothing that it changes.

    With ``around`` what is done outside can read the parameters.
    """
    start, target = file.span(statement.site)[0], only_target(statement)
    require(statement in function.body)
    require(all(file.span(each.site)[0] > start for each in own_returns(function)))
    if isinstance(statement, ir.Assign):
        return _of_target(file, function, statement, known(target))
    return _of_call(file, function, expect(ir.Evaluate, statement), around)


def _of_target(file: File, function: ir.Function, statement: ir.Assign, target: ir.Node) -> Store:
    code = file.code(target.site)
    same = [each for each in ir.walk(function.body) if type(each) is type(target) and file.code(each.site) == code]
    others = [each for each in same if each is not target]
    if isinstance(target, ir.Name):
        end = file.span(statement.site)[1]
        require(all(file.span(each.site)[0] >= end for each in others))  # else the old value is read
        require(len(bindings(function, code)) < 3)  # of which `global` is one
        return Store(code, code, "", [], code)
    match target:
        case ir.Attribute(attr=attribute):
            name = attribute.strip("_")
        case ir.Subscript(index=ir.Constant(value=str(name))):
            pass
        case _:
            raise NoFix
    require(name.isidentifier())
    start, root = file.span(target.site)[0], expect(ir.Name, ir.root_of(target))
    require(not any(is_assigned(file.unit, each) or file.span(each.site)[0] < start for each in others))
    require(not bindings(function, root.id))
    value, gone = statement.value, removed(file, statement)
    if isinstance(value, ir.Name) and gone is not None and len(bindings(function, value.id)) == 1:
        return Store(value.id, code, "", [gone, *(file.replace(each.site, value.id) for each in others)], "")
    name = free_name(file, function.body[0].site, name, f"new_{name}")
    return Store(name, code, "", [file.replace(each.site, name) for each in same], "")


def _of_call(file: File, function: ir.Function, statement: ir.Evaluate, around: bool) -> Store:
    """`seen.append(value)`, and any other call of something outside: what the function computes for it is returned."""
    call, gone = expect(ir.Call, statement.value), known(removed(file, statement))
    root, text = expect(ir.Name, ir.root_of(call.func)), file.code(call.site)
    require(not bindings(function, root.id) and "\n" not in text)
    require(not any(each.name == root.id and each.default is not None for each in function.parameters))
    changed = call.func.value if isinstance(call.func, ir.Attribute) else call.func
    holder = file.code(changed.site)
    same = [each for each in ir.walk(function.body) if type(each) is type(changed) and file.code(each.site) == holder]
    require(len(same) == 1)  # else the container is read in traced code as well
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
        require(not isinstance(value, (ir.Starred, ir.Format)))
        name = value.id if isinstance(value, ir.Name) else ""
        if name in names or not (len(bindings(function, name)) == 1 or parameter_of(function, name)):
            candidates = (each for each in ("value", "entry", "stored", "other") if each not in names)
            name = free_name(file, function.body[0].site, *candidates)
            made.append(f"{name} = {argument(file, value.site)}")
        first, last = (offset - file.span(call.site)[0] for offset in file.span(value.site))
        template += f"{_literal(text[at:first])}{{{len(names)}}}"
        at = last
        names.append(name)
    require(names and len(set(names)) == len(names))
    edits = [file.replace(statement.site, f"{file.source.newline}{file.indentation(statement.site)}".join(made))]
    name = ", ".join(names)
    return Store(name, name, template + _literal(text[at:]), edits if made else [gone], "")


def _literal(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")
