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
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_functions import fori_loop, is_loop_over_range
from jaxlint.rewrite.operands import argument, beside, operand
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

_EXTREMES = {"builtins.max": "jax.core.max_dim", "builtins.min": "jax.core.min_dim"}

_SYMBOL = "the dimension stays a symbol"
_COMPUTED = "it is an array, computed when the program runs"


def computed_when_run(hazard: SymbolicDimensionAsInt, file: File) -> Fix | None:
    """The fix for a place that needs a number; None where it is not clear what is to be computed."""
    how = hazard.how
    node, dimension = file.unit.nodes[hazard.site], file.unit.nodes[hazard.operand]
    if how in ("comparison", "float"):
        return _compared(file, node, dimension)
    if how in ("index", "list", "tuple"):
        return _indexed(file, node, dimension, how)
    if not isinstance(node, ir.Call):
        return None
    plain = not node.keywords and not any(isinstance(each, ir.Starred) for each in node.args)
    if how == "builtins.int" and plain and len(node.args) == 1:
        alone = not isinstance(
            file.unit.parent(node.site), (ir.Binary, ir.Unary, ir.Attribute, ir.Subscript, ir.Compare)
        )
        code = argument(file, node.args[0].site) if alone else operand(file, node.args[0].site)
        return Fix("Leave `int` out", (file.replace(node.site, code),), changes=_SYMBOL)
    if how == "builtins.float" and plain and len(node.args) == 1:
        return _called(file, node, "jax.numpy.float32", _COMPUTED)
    if how == "len" and plain and len(node.args) == 1:
        code = f"{operand(file, node.args[0].site)}.shape[0]"
        return Fix(f"Use `{code}`", (file.replace(node.site, code),), changes=_SYMBOL)
    if how in _EXTREMES and plain and len(node.args) == 2:
        return _called(file, node, _EXTREMES[how], _SYMBOL)
    if how == "builtins.range":
        loop = file.unit.parent(node.site)
        if isinstance(loop, ir.For) and loop.iterable is node and is_loop_over_range(file, loop):
            return fori_loop(hazard, file, loop)
    if how == "jax.lax.scan":
        return _scanned(file, node)
    if how.startswith(("math.", "numpy.")) and how.count(".") == 1:
        name = f"jax.numpy.{how.partition('.')[2]}"
        if knowledge.facts(name) is not None and not any(keyword.name == "out" for keyword in node.keywords):
            return _called(file, node, name, _COMPUTED)
    return None


def as_array(file: File, site: int) -> tuple[str, frozenset[ImportRequest]]:
    """The dimension as an array, which has its value when the program runs."""
    asarray, imports = file.api("jax.numpy.asarray")
    return f"{asarray}({argument(file, site)})", imports


def chosen_when_run(file: File, test: ir.Node, condition: str, imports: frozenset[ImportRequest]) -> Fix | None:
    """An `if` or a ternary by an array instead: both of its values are computed, and have one shape."""
    fix = choose(file, test, condition)
    if fix is None or not _alike(file, test):
        return None
    return replace(fix, imports=fix.imports | imports)


def _alike(file: File, test: ir.Node) -> bool:
    """Whether what is chosen from is known to have one shape."""
    node = file.unit.parent(test.site)
    if isinstance(node, ir.Conditional):
        chosen = [node.body, node.orelse]
    elif isinstance(node, ir.If):
        rest = node.orelse or after(file.unit, node)
        chosen = [each.value for each in (*node.body, *rest) if isinstance(each, (ir.Return, ir.Assign)) and each.value]
        if len(chosen) != 2:
            return False
    else:
        return False  # a part of a longer test
    shapes = [_shapes(file, each) for each in chosen]
    return bool(shapes[0]) and shapes[0] == shapes[1] or _is_multiple(file, *chosen)


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


def _called(file: File, call: ir.Call, name: str, changes: str) -> Fix | None:
    said, imports = file.api(name)
    return Fix(f"Use `{said}`", (file.replace(call.func.site, said),), imports=imports, changes=changes)


def _compared(file: File, test: ir.Node, dimension: ir.Node) -> Fix | None:
    """The comparison of an array, where Python does not need its answer, or what it decides."""
    if not isinstance(test, ir.Compare) or len(test.rights) != 1 or test.ops[0] not in ("<", "<=", ">", ">="):
        return None
    code, imports = as_array(file, test.left.site)
    condition = f"{code} {test.ops[0]} {beside(file, test.rights[0].site)}"
    above = file.unit.parent(test.site)
    if isinstance(above, ir.Call) and above.func is not test:
        edit = file.replace(test.left.site, code)
        return Fix("Compare when the program runs", (edit,), imports=imports, changes=ARRAY)
    return chosen_when_run(file, test, condition, imports)


def _indexed(file: File, node: ir.Node, dimension: ir.Node, how: str) -> Fix | None:
    while isinstance(node, (ir.Unary, ir.Binary)) or node is dimension:
        above = file.unit.parent(node.site)
        if above is None:
            return None
        node, dimension = above, node
    if not isinstance(node, ir.Subscript) or isinstance(node.index, (ir.Sequence, ir.Slice)):
        return None
    base, index = file.code(node.value.site), node.index
    if how != "index":
        if not isinstance(node.value, ir.Sequence) or not all(isinstance(e, ir.Constant) for e in node.value.elements):
            return None
        array, more = file.api("jax.numpy.array")
        code, imports = as_array(file, index.site)
        text = f"{array}({argument(file, node.value.site)})[{code}]"
        edit = file.replace(node.site, text)
        return Fix("Index an array", (edit,), imports=imports | more, changes=CLAMPED_OF_32_BITS)
    if isinstance(index, ir.Binary) and index.op == "-" and isinstance(index.right, ir.Constant):
        if file.code(index.left.site) in (f"{base}.shape[0]", f"len({base})"):
            edit = file.replace(index.site, f"-{file.code(index.right.site)}")
            return Fix("Count from the end", (edit,), changes="right where the array is long enough")
    code, imports = as_array(file, index.site)
    return Fix("Index with an array", (Edit(*file.outer_span(index.site), code),), imports=imports, changes=CLAMPED)


def _scanned(file: File, call: ir.Call) -> Fix | None:
    """`scan` over the numbers below the dimension, in the place of nothing."""
    length = next((each for each in call.keywords if each.name == "length"), None)
    xs = ir.given(call, 2, "xs")
    if length is None or xs is None or not ir.is_none(xs):
        return None
    arange, imports = file.api("jax.numpy.arange")
    numbers = file.replace(xs.site, f"{arange}({argument(file, length.value.site)})")
    edits = (numbers, without_argument(file, length))
    return Fix(f"Scan over `{numbers.content}`", edits, imports=imports, changes="each step is given its number")
