"""Code that needs the number of a symbolic dimension, computed when the program runs, and the shapes that are exported."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import replace

from jaxlint import knowledge
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.symbolic import SymbolicDimensionAsInt
from jaxlint.analysis.domain.values import Array, Shape
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_to, only_target, only_value
from jaxlint.rewrite.changes import ARRAY, CLAMPED, CLAMPED_OF_32_BITS
from jaxlint.rewrite.control_flow.choice import choose
from jaxlint.rewrite.control_flow.dataflow import after
from jaxlint.rewrite.draft import Draft, using
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import function_of, value_of
from jaxlint.rewrite.loops.loop_functions import fori_loop, is_loop_over_range
from jaxlint.rewrite.operands import argument, beside, operand
from jaxlint.rewrite.requirements import NoFix, call_of, expect, known, only, or_none, plain_call, require
from jaxlint.source.diagnostic import Applicability, Fix

_BINDING = (ir.Binary, ir.Unary, ir.Attribute, ir.Subscript, ir.Compare)
_SYMBOL = "the dimension stays a symbol"
_COMPUTED = "it is an array, computed when the program runs"


@or_none
def computed_when_run(hazard: SymbolicDimensionAsInt, file: File) -> Fix | None:
    """The fix for a place that needs a number, where it is clear what is to be computed."""
    how, draft = hazard.how, Draft(file)
    node, dimension = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand]
    if how in ("comparison", "float"):
        return _compared(draft, node)
    if how in ("index", "list", "tuple"):
        return _indexed(draft, node, dimension, how)
    call = expect(ir.Call, node)
    if how == "builtins.range":
        loop = expect(ir.For, file.unit.parent(node.site))
        require(loop.iterable is node and is_loop_over_range(file, loop))
        return fori_loop(hazard, file, loop)
    if how == "jax.lax.scan":
        return _scanned(draft, call)
    module, _, name = how.rpartition(".")
    if module in ("math", "numpy"):
        require(knowledge.facts(f"jax.numpy.{name}") is not None and value_of(call, "out") is None)
        return using(file, call.func.site, f"jax.numpy.{name}", _COMPUTED)
    call = plain_call(call)
    require(not call.keywords)
    match how, call.args:
        case "builtins.max" | "builtins.min", [_, _]:
            return using(file, call.func.site, f"jax.core.{name}_dim", _SYMBOL)
        case "builtins.float", [_]:
            return using(file, call.func.site, "jax.numpy.float32", _COMPUTED)
        case "len", [given]:
            code = f"{operand(file, given.site)}.shape[0]"
            draft.replace(call.site, code)
            return draft.fix(f"Use `{code}`", _SYMBOL)
        case "builtins.int", [given]:
            beside_it = isinstance(file.unit.parent(call.site), _BINDING)
            draft.replace(call.site, operand(file, given.site) if beside_it else argument(file, given.site))
            return draft.fix("Leave `int` out", _SYMBOL)
    raise NoFix


def as_array(draft: Draft, site: int) -> str:
    """The dimension as an array, which has its value when the program runs."""
    return f"{draft.api('jax.numpy.asarray')}({argument(draft.file, site)})"


def chosen_when_run(draft: Draft, test: ir.Node, condition: str) -> Fix | None:
    """An `if` or a ternary by an array instead: both of its values are computed, and have one shape."""
    fix = choose(draft.file, test, condition)
    if fix is None or not _alike(draft.file, test):
        return None
    return replace(fix, imports=fix.imports | draft.imports)


def _alike(file: File, test: ir.Node) -> bool:
    """Whether what is chosen from is known to have one shape."""
    match file.unit.parent(test.site):
        case ir.Conditional(body=body, orelse=orelse):
            chosen = [body, orelse]
        case ir.If(body=block, orelse=rest) as node:
            statements = (*block, *(rest or after(file.unit, node)))
            chosen = [each.value for each in statements if isinstance(each, (ir.Return, ir.Assign)) and each.value]
        case _:
            return False  # a part of a longer test
    shapes = [_shapes(file, each) for each in chosen]
    return len(chosen) == 2 and (bool(shapes[0]) and shapes[0] == shapes[1] or _is_multiple(file, *chosen))


def _shapes(file: File, node: ir.Node) -> set[Shape | None]:
    if isinstance(node, ir.Constant):
        return {()}
    values = file.values(node.site)
    arrays = [value for value in values if isinstance(value, Array)]
    shapes = {value.aval.shape for value in arrays}
    return shapes if arrays and None not in shapes else set()


def _is_multiple(file: File, one: ir.Node, other: ir.Node) -> bool:
    """Whether the one is the other times, or plus, a number."""
    for first, second in ((one, other), (other, one)):
        if isinstance(first, ir.Binary) and isinstance(first.right, ir.Constant) and first.op in "+-*/":
            if file.code(first.left.site) == file.code(second.site):
                return True
    return False


def _compared(draft: Draft, node: ir.Node) -> Fix | None:
    """The comparison of an array, where Python does not need its answer, or what it decides."""
    file, test = draft.file, expect(ir.Compare, node)
    require(len(test.rights) == 1 and test.ops[0] in ("<", "<=", ">", ">="))
    code = as_array(draft, test.left.site)
    above = file.unit.parent(test.site)
    if isinstance(above, ir.Call) and above.func is not test:
        draft.replace(test.left.site, code)
        return draft.fix("Compare when the program runs", ARRAY)
    condition = f"{code} {test.ops[0]} {beside(file, test.rights[0].site)}"
    return chosen_when_run(draft, test, condition)


def _indexed(draft: Draft, node: ir.Node, dimension: ir.Node, how: str) -> Fix:
    file = draft.file
    while isinstance(node, (ir.Unary, ir.Binary)) or node is dimension:
        node = known(file.unit.parent(node.site))
    subscript = expect(ir.Subscript, node)
    base, index = file.code(subscript.value.site), subscript.index
    require(not isinstance(index, (ir.Sequence, ir.Slice)))
    if how != "index":
        listed = expect(ir.Sequence, subscript.value)
        require(all(isinstance(each, ir.Constant) for each in listed.elements))
        array = f"{draft.api('jax.numpy.array')}({argument(file, listed.site)})"
        draft.replace(subscript.site, f"{array}[{as_array(draft, index.site)}]")
        return draft.fix("Index an array", CLAMPED_OF_32_BITS)
    match index:
        case ir.Binary(left=left, op="-", right=ir.Constant() as number) if file.code(left.site) in (
            f"{base}.shape[0]",
            f"len({base})",
        ):
            draft.replace(index.site, f"-{file.code(number.site)}")
            return draft.fix("Count from the end", "right where the array is long enough")
    draft.replace_whole(index.site, as_array(draft, index.site))
    return draft.fix("Index with an array", CLAMPED)


def _scanned(draft: Draft, call: ir.Call) -> Fix:
    """`scan` over the numbers below the dimension, in the place of nothing."""
    length = known(next((each for each in call.keywords if each.name == "length"), None))
    xs = known(ir.given(call, 2, "xs"))
    require(ir.is_none(xs))
    numbers = f"{draft.api('jax.numpy.arange')}({argument(draft.file, length.value.site)})"
    draft.replace(xs.site, numbers)
    draft.remove_argument(length)
    return draft.fix(f"Scan over `{numbers}`", "each step is given its number")


_TERM = re.compile(r"(?:(\d+)\*)?([A-Za-z_]\w*)\Z")


@or_none
def multiple(file: File, hazard: Hazard, size: str, by: int) -> Fix:
    """The fix that exports for sizes of which ``by`` is a divisor."""
    term = known(_TERM.match(size))
    require(by > 1)
    factor = by // math.gcd(int(term[1] or 1), by)
    return _replaced(file, hazard, term[2], f"{factor} * {term[2]}", f"Export for multiples, `{factor}*{term[2]}`")


@or_none
def equal(file: File, hazard: Hazard, symbol: str, other: str) -> Fix:
    """The fix that exports for sizes that are the same: of two symbols, or a symbol and a number."""
    require(_TERM.match(symbol) and (other.isdigit() or other.isidentifier()))
    return _replaced(file, hazard, symbol, other, f"Export for sizes where `{symbol}` is `{other}`")


@or_none
def passed_as_shape(file: File, site: int, argument_site: int, size: str) -> Fix:
    """The fix for a symbol that is a static argument: an empty array of that size is passed in its place.

    ``site`` is `export(jax.jit(f, static_argnums=…))(…)`, where nothing else uses ``f``, and all calls of what is exported
    are seen.
    """
    draft = Draft(file)
    match file.unit.nodes[site]:
        case ir.Call(func=ir.Call(args=[ir.Call(args=[jitted], keywords=[static])])) as applied:
            number = known(next((n for n, each in enumerate(applied.args) if each.site == argument_site), None))
        case _:
            raise NoFix
    function = _only_use(file, expect(ir.Name, jitted))
    require(number < len(function.parameters))
    name = function.parameters[number].name
    entry = {"static_argnums": number, "static_argnames": name}.get(str(static.name))
    require(expect(ir.Constant, static.value).value == entry and not bindings(function, name))
    struct, zeros = draft.api("jax.ShapeDtypeStruct"), draft.api("jax.numpy.zeros")
    draft.remove_argument(static)
    draft.replace(argument_site, f"{struct}((0, {size}), {draft.api('jax.numpy.float32')})")
    for read in ir.names_below(function.body).get(name, ()):
        draft.replace(read.site, f"{name}.shape[1]")
    for each in _calls(file, applied):
        require(len(each.args) > number and not each.keywords)
        given = each.args[number].site
        draft.replace(given, f"{zeros}((0, {file.code(given)}))")
    return draft.fix(f"Pass an array of shape `(0, {size})` as `{name}`", level=Applicability.DISPLAY)


def _only_use(file: File, node: ir.Name) -> ir.Function:
    """The function that a name stands for, where nothing else names it."""
    function = known(function_of(file, node))
    named = [each for each in file.unit.own if isinstance(each, ir.Name) and each.id == function.name]
    require(len(named) == 1 and not function.decorators and not function.is_lambda)
    return function


def _calls(file: File, applied: ir.Call) -> list[ir.Call]:
    """The `.call(…)`s of what is exported, where that is all that is done with it."""
    name = expect(ir.Name, only_target(file.unit.parent(applied.site)))
    scope, calls = expect(ir.Function, file.unit.scope(applied.site)), []
    require(only_value(scope, name.id) is applied)
    for node in ir.names_below(scope.body)[name.id]:
        if node is not name:
            method = expect(ir.Attribute, file.unit.parent(node.site))
            require(method.attr == "call")
            calls.append(call_of(file, method))
    return calls


def _replaced(file: File, hazard: Hazard, symbol: str, new: str, message: str) -> Fix:
    """Edits of each place in the specifications that names the symbol."""
    draft = Draft(file)
    for shape in _specified_shapes(file, _applied(file, hazard)):
        if isinstance(shape, ir.Constant):
            text = re.sub(rf"\b{symbol}\b", new.replace(" ", ""), file.code(shape.site))
            if text != file.code(shape.site):
                draft.replace(shape.site, text)
            continue
        for name in ir.names_below([expect(ir.Sequence, shape)]).get(symbol, ()):
            require(name in expect(ir.Sequence, shape).elements)  # else it is part of a sum or product
            draft.replace(name.site, new)
    require(draft.edits)
    return draft.fix(message, level=Applicability.DISPLAY)


def _applied(file: File, hazard: Hazard) -> ir.Call:
    """The one `export(f)(specs)` in which the code is traced."""
    sites = {step.site for step in hazard.origin.steps()} if hazard.origin is not None else set()
    around = {above.site for site in sites if site in file.unit for above in file.unit.ancestors(site)}
    names = {file.unit.nodes[site].name for site in around if isinstance(file.unit.nodes[site], ir.Function)}
    applied = []
    for node in file.unit.own:
        if not isinstance(node, ir.Call) or not node.args or not file.is_api(node.func.site, "jax.export.export"):
            continue
        above, given = file.unit.parent(node.site), node.args[0]
        exported = node.site in around or (isinstance(given, ir.Name) and given.id in names)
        if exported and isinstance(above, ir.Call) and above.func is node and not above.keywords:
            applied.append(above)
    return only(applied)


def _specified_shapes(file: File, applied: ir.Call) -> Iterator[ir.Node | None]:
    """The shape in each specification: a display, the text for `symbolic_shape`, or None for something else."""
    for each in applied.args:
        given = bound_to(file.unit, each.value if isinstance(each, ir.Starred) else each)
        specs = given.elements if isinstance(each, ir.Starred) and isinstance(given, ir.Sequence) else [given]
        for spec in specs:
            if not (isinstance(spec, ir.Call) and spec.args and file.is_api(spec.func.site, "jax.ShapeDtypeStruct")):
                yield None
                continue
            shape: ir.Node | None = bound_to(file.unit, spec.args[0])
            if isinstance(shape, ir.Call) and shape.args and file.is_api(shape.func.site, "jax.export.symbolic_shape"):
                shape = shape.args[0] if isinstance(shape.args[0], ir.Constant) else None
            yield shape
