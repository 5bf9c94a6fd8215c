"""The fix that compiles a function once, before the loop that would compile it anew."""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bound_by, only_target
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import names_in
from jaxlint.rewrite.statements import free_name, stands_on_own_lines
from jaxlint.source.diagnostic import Edit, Fix

_GRADIENTS = frozenset({"grad", "value_and_grad", "jacfwd", "jacrev", "jacobian", "hessian"})


def hoisted(file: File, site: int, loop_site: int) -> Fix | None:
    """``site`` is where `jax.jit` is applied; ``loop_site`` is the loop around it, or around a call of its function."""
    if not all(each in file.unit for each in (site, loop_site)):
        return None
    loop, node = file.unit.nodes[loop_site], file.unit.nodes[site]
    above = list(file.unit.ancestors(site))
    edits: tuple[Edit, ...] | None
    if not any(each is loop for each in above):
        edits = _to_module(file, node)
    elif isinstance(above[0], ir.Function):
        define = above[1] if len(above[0].decorators) == 1 else None
        edits = _definition(file, define, loop) if isinstance(define, ir.Define) else None
    elif not _keeps(file, node, loop):
        return None
    elif isinstance(above[0], ir.Assign) and above[0].value is node and isinstance(loop, (ir.For, ir.While)):
        edits = _statement(file, above[0], loop) or _named(file, node, loop)
    else:
        edits = _named(file, node, file.unit.statement(loop_site))
    if edits is None:
        return None
    return Fix("Compile it once, before the loop", edits, changes="captured variables are read there")


# --- what may move ----------------------------------------------------------------------------


def _keeps(file: File, node: ir.Node, loop: ir.Node) -> bool:
    """Whether a loop leaves everything as it is that an expression or definition reads."""
    read = _read(node)
    inside = {each.site for each in ir.walk([node])}
    for each in ir.walk([loop]):
        if each.site in inside:
            continue
        bound = set(each.locals) if isinstance(each, ir.Comprehension) else bound_by(each)
        if isinstance(each, (ir.Function, ir.ClassDefinition)):
            bound |= each.nonlocals | each.globals
        if read & bound:
            return False
        if any(_root(target) in read for target in _targets(each) if not isinstance(target, ir.Name)):
            return False
        # A method may change its object.
        if isinstance(each, ir.Call) and isinstance(each.func, ir.Attribute) and _root(each.func) in _objects(node):
            return False
    return True


def _read(node: ir.Node) -> set[str]:
    """Names from outside that an expression or definition reads."""
    own: set[str] = set()
    for each in ir.walk([node]):
        if isinstance(each, ir.Function):
            own |= each.locals
    return names_in(node) - own


def _objects(node: ir.Node) -> set[str | None]:
    """Names of what functions inside of an expression may read from: of `self.step`, or in a lambda."""
    return {_root(each) for each in ir.walk([node]) if isinstance(each, (ir.Attribute, ir.Subscript))} - _read_modules(
        node
    )


def _read_modules(node: ir.Node) -> set[str | None]:
    """Roots of the functions that are called, which are modules in most cases: `jax` in `jax.jit(…)`."""
    return {_root(each.func) for each in ir.walk([node]) if isinstance(each, ir.Call)}


def _targets(node: ir.Node) -> list[ir.Node]:
    """What a statement assigns to or deletes."""
    if isinstance(node, ir.Augment):
        return [node.target]
    return list(node.targets) if isinstance(node, (ir.Assign, ir.Delete)) else []


def _root(node: ir.Node) -> str | None:
    while isinstance(node, (ir.Attribute, ir.Subscript, ir.Starred)):
        node = node.value
    return node.id if isinstance(node, ir.Name) else None


# --- where it goes ----------------------------------------------------------------------------


def _named(file: File, node: ir.Node, before: ir.Statement) -> tuple[Edit, ...] | None:
    """The expression bound to a name in front of a statement."""
    if not stands_on_own_lines(file, before):
        return None
    name = free_name(file, before.site, *_candidates(node))
    indent, newline = file.indentation(before.site), file.source.newline
    text = f"{name} = {file.code(node.site)}{newline}{indent}"
    return file.insert(file.span(before.site)[0], text), file.replace(node.site, name)


def _statement(file: File, statement: ir.Assign, loop: ir.For | ir.While) -> tuple[Edit, ...] | None:
    """An assignment moved in front of the loop."""
    target = only_target(statement)
    if not isinstance(target, ir.Name) or sum(target.id in bound_by(each) for each in ir.walk([loop])) > 1:
        return None
    moved = _moved(file, statement, loop)
    return None if moved is None else (file.insert(moved[0], moved[1] + file.source.newline), moved[2])


def _definition(file: File, define: ir.Define, loop: ir.Statement) -> tuple[Edit, ...] | None:
    """A definition moved in front of the loop, with blank lines around it."""
    name = define.function.name
    again = sum(name in bound_by(each) for each in ir.walk([loop]))
    if again > 1 or not _keeps(file, define, loop) or not isinstance(loop, (ir.For, ir.While)):
        return None
    moved = _moved(file, define, loop)
    if moved is None:
        return None
    newline = file.source.newline
    first = "" if _line_above(file, moved[0]).strip() == "" else newline
    return file.insert(moved[0], first + moved[1] + newline * 2), moved[2]


def _moved(file: File, statement: ir.Statement, loop: ir.For | ir.While) -> tuple[int, str, Edit] | None:
    """Where the line of a loop starts, a statement of its body as it stands there, and the edit that takes it away."""
    text = file.source.text
    alone = len(loop.body) == 1 or not any(each is statement for each in loop.body)
    if alone or not stands_on_own_lines(file, statement) or not stands_on_own_lines(file, loop):
        return None
    if any(isinstance(each, ir.Constant) and "\n" in file.code(each.site) for each in ir.walk([statement])):
        return None  # a string of several lines would move with them
    start, end = file.span(statement.site)
    if isinstance(statement, ir.Define):
        start = file.span(statement.function.decorators[0].site)[0]
    start, line_end = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    if line_end < 0 or _line_above(file, start).lstrip().startswith("#"):
        return None
    deep, shallow = file.indentation(statement.site), file.indentation(loop.site)
    if not deep.startswith(shallow):
        return None
    lines = [
        shallow + line[len(deep) :] if line.startswith(deep) else line for line in text[start:line_end].splitlines()
    ]
    while isinstance(statement, ir.Define) and not text[line_end + 1 :].partition("\n")[0].strip():
        line_end = text.index("\n", line_end + 1)  # the blank lines behind a definition go with it
    if isinstance(statement, ir.Define):
        while start > 1 and not _line_above(file, start).strip():
            start = text.rfind("\n", 0, start - 1) + 1
    at = text.rfind("\n", 0, file.span(loop.site)[0]) + 1
    return at, file.source.newline.join(lines), Edit(start, line_end + 1, "")


def _to_module(file: File, node: ir.Node) -> tuple[Edit, ...] | None:
    """The expression bound to a name of the module, in front of the function or class that holds it."""
    around = [each for each in file.unit.ancestors(node.site) if isinstance(each, ir.Statement)]
    if not isinstance(node, ir.Call) or not around or not isinstance(around[-1], (ir.Define, ir.DefineClass)):
        return None
    before: set[str] = set()
    for statement in file.unit.module.body:
        if statement is around[-1]:
            break
        before |= {name for each in ir.walk([statement], into_scopes=False) for name in bound_by(each)}
    between = [each for each in file.unit.ancestors(node.site) if isinstance(each, ir.Scope)][:-1]
    read = _read(node)
    if not read <= before or any(read & each.locals for each in between):
        return None
    name = free_name(file, node.site, *(f"_{each}" for each in _candidates(node)))
    newline = file.source.newline
    start = file.span(around[-1].site)[0]
    return file.insert(start, f"{name} = {file.code(node.site)}{newline * 3}"), file.replace(node.site, name)


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
