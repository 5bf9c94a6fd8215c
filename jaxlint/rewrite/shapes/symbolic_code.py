"""Code that needs the number of a symbolic dimension, written so that it is computed when the program runs."""

from __future__ import annotations

from dataclasses import replace

from jaxlint import knowledge
from jaxlint.analysis.domain.symbolic import SymbolicDimensionAsInt
from jaxlint.analysis.domain.values import Array, Shape
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.arguments import without_argument
from jaxlint.rewrite.changes import ARRAY, CLAMPED, CLAMPED_OF_32_BITS
from jaxlint.rewrite.control_flow.choice import choose
from jaxlint.rewrite.control_flow.dataflow import after
from jaxlint.rewrite.draft import Draft, plain_call
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_functions import fori_loop, is_loop_over_range
from jaxlint.rewrite.operands import argument, beside, operand
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.transform_options import value_of
from jaxlint.source.diagnostic import Fix

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
        return _called(draft, call, f"jax.numpy.{name}", _COMPUTED)
    call = plain_call(call)
    require(not call.keywords)
    match how, call.args:
        case "builtins.max" | "builtins.min", [_, _]:
            return _called(draft, call, f"jax.core.{name}_dim", _SYMBOL)
        case "builtins.float", [_]:
            return _called(draft, call, "jax.numpy.float32", _COMPUTED)
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


def _called(draft: Draft, call: ir.Call, name: str, changes: str) -> Fix:
    said = draft.api(name)
    draft.replace(call.func.site, said)
    return draft.fix(f"Use `{said}`", changes)


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
    draft.edits.append(without_argument(draft.file, length))
    return draft.fix(f"Scan over `{numbers}`", "each step is given its number")
