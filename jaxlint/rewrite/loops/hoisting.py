"""Code moved out of a loop: what is compiled before it, and values fetched behind it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, enclosing_loops, only_target, targets_of
from jaxlint.rewrite.control_flow.dataflow import is_read_elsewhere
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.requirements import NoFix, expect, known, only, or_none, require
from jaxlint.rewrite.statements import free_name, line_start, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix

_GRADIENTS = frozenset({"grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"})


@or_none
def hoisted(file: File, site: int, loop_site: int) -> Fix:
    """``site`` is where `jax.jit` is applied; ``loop_site`` is the loop around it, or around a call of its function."""
    loop, node, draft = file.unit.nodes[loop_site], file.unit.nodes[site], Draft(file)
    first, second, *_ = above = list(file.unit.ancestors(site))
    if not any(each is loop for each in above):
        _to_module(draft, expect(ir.Call, node))
    elif isinstance(first, ir.Function):
        require(len(first.decorators) == 1 and isinstance(loop, (ir.For, ir.While)))
        _definition(draft, expect(ir.Define, second), loop)
    else:
        require(_keeps(node, loop))
        moved = None
        if isinstance(first, ir.Assign) and first.value is node and isinstance(loop, (ir.For, ir.While)):
            moved = _statement(file, first, loop)
        draft.edits += _named(file, node, file.unit.statement(loop_site)) if moved is None else moved
    return draft.fix("Compile it once, before the loop", "captured variables are read there")


# --- what may move ----------------------------------------------------------------------------


def _keeps(node: ir.Node, loop: ir.Node) -> bool:
    """Whether a loop leaves everything as it is that an expression or definition reads."""
    read, objects, inside = _read(node), _objects(node), {each.site for each in ir.walk([node])}
    for each in ir.walk([loop]):
        if each.site in inside:
            continue
        bound: set[str | None] = {*(each.locals if isinstance(each, ir.Comprehension) else bound_by(each))}
        if isinstance(each, (ir.Function, ir.ClassDefinition)):
            bound |= each.nonlocals | each.globals
        stored = [target for target in targets_of(each) if isinstance(target, (ir.Attribute, ir.Subscript))]
        bound |= set(map(_root, stored))
        # A method may change its object.
        if isinstance(each, ir.Call) and isinstance(each.func, ir.Attribute) and _root(each.func) in objects:
            return False
        if read & bound:
            return False
    return True


def _read(node: ir.Node) -> set[str]:
    """Names from outside that an expression or definition reads."""
    return names_in(node).difference(*(each.locals for each in ir.walk([node]) if isinstance(each, ir.Function)))


def _objects(node: ir.Node) -> set[str | None]:
    """Names of what functions inside of an expression may read from: of `self.step`, or in a lambda.

    Roots of the functions that are called are modules in most cases: `jax` in `jax.jit(…)`.
    """
    inside = list(ir.walk([node]))
    roots = {_root(each) for each in inside if isinstance(each, (ir.Attribute, ir.Subscript))}
    return roots - {_root(each.func) for each in inside if isinstance(each, ir.Call)}


def _root(node: ir.Node) -> str | None:
    return getattr(ir.root_of(node), "id", None)


# --- where it goes ----------------------------------------------------------------------------


def _named(file: File, node: ir.Node, before: ir.Statement) -> list[Edit]:
    """The expression bound to a name in front of a statement."""
    name, draft = free_name(file, before.site, *_candidates(node)), Draft(file)
    draft.above(before, f"{name} = {file.code(node.site)}")
    draft.replace(node.site, name)
    return draft.edits


@or_none
def _statement(file: File, statement: ir.Assign, loop: ir.For | ir.While) -> list[Edit]:
    """An assignment moved in front of the loop."""
    target = expect(ir.Name, only_target(statement))
    require(sum(target.id in bound_by(each) for each in ir.walk([loop])) < 2)
    at, text, gone = _moved(file, statement, loop)
    return [file.insert(at, text + file.source.newline), gone]


def _definition(draft: Draft, define: ir.Define, loop: ir.For | ir.While) -> None:
    """A definition moved in front of the loop, with blank lines around it."""
    file, newline = draft.file, draft.file.source.newline
    again = sum(define.function.name in bound_by(each) for each in ir.walk([loop]))
    require(again < 2 and _keeps(define, loop))
    at, text, gone = _moved(file, define, loop)
    first = newline if _line_above(file, at).strip() else ""
    draft.insert(at, first + text + newline * 2)
    draft.edits.append(gone)


def _moved(file: File, statement: ir.Statement, loop: ir.For | ir.While) -> tuple[int, str, Edit]:
    """Where the line of a loop starts, a statement of its body as it stands there, and the edit that takes it away."""
    text = file.source.text
    require(len(loop.body) > 1 and statement in loop.body)
    require(stands_on_own_lines(file, statement) and stands_on_own_lines(file, loop))
    # A string of several lines would move with them.
    require(not any(isinstance(each, ir.Constant) and "\n" in file.code(each.site) for each in ir.walk([statement])))
    start, end = file.span(statement.site)
    if isinstance(statement, ir.Define):
        start = file.span(statement.function.decorators[0].site)[0]
    start, end = line_start(file, start), text.find("\n", end)
    require(end >= 0 and not _line_above(file, start).lstrip().startswith("#"))
    deep, shallow = file.indentation(statement.site), file.indentation(loop.site)
    lines = [shallow + line[len(deep) :] if line.startswith(deep) else line for line in text[start:end].splitlines()]
    if isinstance(statement, ir.Define):  # the blank lines around a definition go with it
        while not text[end + 1 :].partition("\n")[0].strip():
            end = text.index("\n", end + 1)
        while start > 1 and not _line_above(file, start).strip():
            start = line_start(file, start - 1)
    at = line_start(file, file.span(loop.site)[0])
    return at, file.source.newline.join(lines), Edit(start, end + 1, "")


def _to_module(draft: Draft, node: ir.Call) -> None:
    """The expression bound to a name of the module, in front of the function or class that holds it."""
    file = draft.file
    *_, outermost = (each for each in file.unit.ancestors(node.site) if isinstance(each, ir.Statement))
    require(isinstance(outermost, (ir.Define, ir.DefineClass)))
    above = itertools.takewhile(lambda each: each is not outermost, file.unit.module.body)
    before = {name for each in ir.walk(above, into_scopes=False) for name in bound_by(each)}
    between = [each for each in file.unit.ancestors(node.site) if isinstance(each, ir.Scope)][:-1]
    read = _read(node)
    require(read <= before and not any(read & each.locals for each in between))
    name = free_name(file, node.site, *(f"_{each}" for each in _candidates(node)))
    draft.insert(file.span(outermost.site)[0], f"{name} = {file.code(node.site)}{file.source.newline * 3}")
    draft.replace(node.site, name)


def _candidates(node: ir.Node) -> Iterable[str]:
    """Names for what an application of `jax.jit` makes, best first."""
    gradient = False
    while isinstance(node, ir.Call) and node.args:
        func = node.func
        gradient |= getattr(func, "attr", getattr(func, "id", "")) in _GRADIENTS
        node = node.args[0]
    base = node.attr if isinstance(node, ir.Attribute) else node.id if isinstance(node, ir.Name) else ""
    if gradient:
        return (f"{base}_gradient" if base else "gradient", "compiled_gradient")
    return (f"compiled_{base}" if base else "compiled", "compiled_function")


def _line_above(file: File, start: int) -> str:
    text = file.source.text
    return text[text.rfind("\n", 0, max(start - 1, 0)) + 1 : max(start - 1, 0)]


_NUMBERS = {"builtins.float": "float({})", "builtins.int": "int({})", "builtins.bool": "bool({})"}
_ARRAYS = frozenset({"numpy.asarray", "numpy.array", "jax.device_get"})


@or_none
def fetched_later(hazard: Hazard, file: File) -> Fix:
    require(hazard.operand != hazard.site)
    loop, node, draft = only(enclosing_loops(file.unit, hazard.site)), file.unit.nodes[hazard.site], Draft(file)
    require(not loop.orelse)
    after = _conversion(file, node)
    name, is_list = _use(file, loop, node)
    draft.replace(hazard.site, argument(file, hazard.operand))
    if is_read_elsewhere(file.unit, loop, name):
        draft.below(loop, f"{name} = {_fetched(draft, loop, name, is_list, after)}")
    return draft.fix(f"Fetch `{name}` after the loop", "the device holds the values until then")


def _conversion(file: File, call: ir.Node) -> str:
    """How to fetch one value later as it is fetched now, with `{}` for the value."""
    match call:
        case ir.Call(func=ir.Attribute(attr="item"), args=(), keywords=()):
            return "{}.item()"
        case ir.Call(args=[_], keywords=()):
            name = file.api_name(call.func.site)
            return "" if name in _ARRAYS else known(_NUMBERS.get(name))
    raise NoFix


def _use(file: File, loop: ir.Statement, node: ir.Node) -> tuple[str, bool]:
    """What collects the values, where nothing else in the loop reads it, and whether it is a list."""
    around = file.unit.parent(node.site)
    target = only_target(around)
    if isinstance(target, ir.Name):
        reads, scope = _mentions(loop, target.id, but=target), file.unit.scope(loop.site)
        require(len(reads) == len(bindings(scope, target.id)) == 1)
        require(not is_read_elsewhere(file.unit, loop, target.id))
        node, around = reads[0], file.unit.parent(reads[0].site)
    match around:
        case ir.Augment(target=ir.Name() as collected, op="+", value=value) if value is node:
            is_list = False
        case ir.Call(func=ir.Attribute(value=ir.Name() as collected, attr="append"), args=[_]):
            is_list = True
        case _:
            raise NoFix
    require(not _mentions(loop, collected.id, but=collected))
    return collected.id, is_list


def _mentions(loop: ir.Statement, name: str, but: ir.Node) -> list[ir.Name]:
    return [each for each in ir.names_below([loop]).get(name, ()) if each is not but]


def _fetched(draft: Draft, loop: ir.Statement, name: str, is_list: bool, after: str) -> str:
    """What was collected, fetched."""
    if after and not is_list:
        return after.format(name)
    fetched = f"{draft.api('jax.device_get')}({name})"
    each = free_name(draft.file, loop.site, "value", "each")
    return f"[{after.format(each)} for {each} in {fetched}]" if after else fetched
