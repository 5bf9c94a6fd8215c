"""Elements that traced code takes from an iterator, brought in as an argument or as an array that a loop runs over."""

from __future__ import annotations

from typing import NamedTuple

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Const
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, defining_scope, is_assigned, names_of, only_target, only_value
from jaxlint.rewrite.changes import PASSED
from jaxlint.rewrite.edits import in_order
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument
from jaxlint.rewrite.parameters import add_parameter, end_of_parameter
from jaxlint.rewrite.statements import above, free_name, removed
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest


def as_argument(hazard: Hazard, file: File) -> Fix | None:
    """The fix that takes the element at each call of the compiled function, and passes it."""
    function, call = file.unit.scope(hazard.site), file.unit.nodes[hazard.site]
    iterator = file.unit.nodes[hazard.operand]
    if not isinstance(function, ir.Function) or not isinstance(call, ir.Call) or not isinstance(iterator, ir.Name):
        return None
    owner = defining_scope(file.unit, iterator.site, iterator.id)
    if owner is function or _draws(file, iterator.id, owner) != 1:
        return None
    statement = file.unit.statement(call.site)
    target = only_target(statement)
    if isinstance(target, ir.Name) and only_value(function, target.id) is call:
        name, gone = target.id, removed(file, statement)
        if gone is None:
            return None
        edit, known = gone, True
    else:
        name, known = free_name(file, call.site, "element", "item"), False
        edit = file.replace(call.site, name)

    def passed(outer: ir.Call) -> str | None:
        return file.code(call.site) if defining_scope(file.unit, outer.site, iterator.id) is owner else None

    change = add_parameter(file, function, name, passed, rebinds=known)
    if change is None:
        return None
    title = f"Take the element outside, and pass it as `{name}`"
    return Fix(title, in_order([*change.edits, edit]), change.level, changes=PASSED)


class Loop(NamedTuple):
    """A call of a loop of `jax.lax` with the function that draws, and the array that takes the place of the iterator."""

    call: ir.Call
    function: ir.Function
    array: Edit
    imports: frozenset[ImportRequest]


def as_array(hazard: Hazard, file: File) -> Fix | None:
    """The fix that makes an array of the elements, for the loop to run over or to index."""
    drawn, iterator = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand]
    if not isinstance(iterator, ir.Name) or not isinstance(drawn, ir.Call) or len(drawn.args) != 1:
        return None
    loop = _loop(file, drawn, iterator)
    if loop is None:
        return None
    name = iterator.id
    if hazard.api == "fori_loop":
        edits = _indexed(file, loop, drawn, name)
    elif hazard.api in ("scan", "map"):
        edits = _run_over(file, loop, drawn, name)
    else:
        return None
    if edits is None:
        return None
    title, changes = f"Make `{name}` an array, and take each element from it", "all elements are read before the loop"
    return Fix(title, in_order([loop.array, *edits]), imports=loop.imports, changes=changes)


def _draws(file: File, name: str, owner: ir.Scope | None) -> int:
    """How often a variable is read."""
    return sum(not is_assigned(file.unit, each) for each in names_of(file.unit, owner, name))


def _loop(file: File, drawn: ir.Call, iterator: ir.Name) -> Loop | None:
    owner, function = defining_scope(file.unit, iterator.site, iterator.id), file.unit.scope(drawn.site)
    made = only_value(owner, iterator.id) if owner is not None else None
    if made is None or owner is None or not isinstance(function, ir.Function) or _draws(file, iterator.id, owner) != 1:
        return None
    holder = file.unit.parent(function.site)
    if isinstance(holder, ir.Lambda):
        call = file.unit.parent(holder.site)
    else:
        scope = file.unit.scope(holder.site) if holder is not None else None
        uses = names_of(file.unit, scope, function.name)
        call = file.unit.parent(uses[0].site) if len(uses) == 1 else None
    if not isinstance(call, ir.Call) or call.keywords and any(each.name is None for each in call.keywords):
        return None
    if any(isinstance(each, ir.Starred) for each in call.args) or not _takes_elements(file, made):
        return None
    text, imports = _array(file, made)
    return Loop(call, function, Edit(*file.outer_span(made.site), text), imports)


def _takes_elements(file: File, made: ir.Node) -> bool:
    """Whether the iterator ends, so that a list can be made of it."""
    if isinstance(made, ir.Comprehension):
        return True
    ending = ("builtins.iter", "builtins.zip", "builtins.map", "builtins.reversed")
    return isinstance(made, ir.Call) and file.is_api(made.func.site, *ending)


def _array(file: File, made: ir.Node) -> tuple[str, frozenset[ImportRequest]]:
    array, imports = file.api("jax.numpy.array")
    if isinstance(made, ir.Comprehension):
        code = file.code(made.site)
        return f"{array}([{code[1:-1] if code.startswith('(') else code}])", imports
    match made:
        case ir.Call(func=ir.Name(id="iter"), args=[ir.Call(func=ir.Name(id="range"), args=bounds)]):
            arange, imports = file.api("jax.numpy.arange")
            return f"{arange}({', '.join(argument(file, each.site) for each in bounds)})", imports
        case ir.Call(func=ir.Name(id="iter"), args=[ir.Sequence(kind="tuple" | "list") as elements]):
            return f"{array}({argument(file, elements.site)})", imports
    return f"{array}(list({file.code(made.site)}))", imports


def _indexed(file: File, loop: Loop, drawn: ir.Call, name: str) -> list[Edit] | None:
    """`fori_loop(0, n, body, …)`: the number of the pass is the index."""
    if len(loop.call.args) < 3 or len(loop.function.parameters) != 2:
        return None
    first = file.values(loop.call.args[0].site)
    if not first or not all(type(value) is Const and value.value == 0 for value in first):
        return None
    index = loop.function.parameters[0].name
    if bindings(loop.function, index):
        return None
    return [file.replace(drawn.site, f"{name}[{index}]")]


def _run_over(file: File, loop: Loop, drawn: ir.Call, name: str) -> list[Edit] | None:
    """`scan(body, init, xs)` and `map(f, xs)`: the array is run over, beside what there was."""
    position = 2 if len(loop.function.parameters) == 2 else 1
    if loop.function.is_lambda or len(loop.function.parameters) != position or len(loop.call.args) <= position:
        return None
    xs, last = loop.call.args[position], loop.function.parameters[-1]
    element = free_name(
        file, drawn.site, name[:-1] if name.endswith("s") and len(name) > 2 else f"{name}_element", "element"
    )
    begin = file.span(last.site)[0]
    if last.annotation is not None or last.default is not None or bindings(loop.function, last.name):
        return None
    span = (begin, end_of_parameter(file, last))
    taken = file.replace(drawn.site, element)
    if ir.is_none(xs):
        return [Edit(*span, element), taken, file.replace(xs.site, name)]
    both = free_name(file, drawn.site, "inputs", "both")
    unpacked = above(file, loop.function.body[0], f"{last.name}, {element} = {both}")
    if unpacked is None:
        return None
    return [Edit(*span, both), unpacked, taken, file.replace(xs.site, f"({argument(file, xs.site)}, {name})")]
