"""Code that makes an array of a traced length, written so that the length is no shape."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import reads_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.blocks import opening
from jaxlint.rewrite.changes import FIXED_FORM
from jaxlint.rewrite.comments import taken_out
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import gives_carry_alone
from jaxlint.rewrite.loops.loop_functions import counting_to, goes_backwards, under_reverse_mode
from jaxlint.rewrite.shapes.upper_bounds import at_most
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_CONCATENATE = "jax.numpy.concatenate"


def traced_loop(hazard: Hazard, file: File) -> Fix | None:
    """`carry, _ = lax.scan(f, init, jnp.arange(n))`, or with `length=n`, as a `fori_loop`; a `for` over the numbers too."""
    if _is(file, file.unit.nodes[hazard.site], "jax.lax.scan"):
        return None if under_reverse_mode(hazard) else _with_length(hazard, file)
    match file.unit.nodes[hazard.site]:
        case ir.Call(args=[length], keywords=()) as count if hazard.api == "jax.numpy.arange":
            pass
        case _:
            return None
    if isinstance(length, ir.Starred):
        return None
    above = file.unit.parent(count.site)
    if isinstance(above, ir.For) and above.iterable is count:
        return None if under_reverse_mode(hazard) else counting_to(hazard, file, above, length)
    edits: list[Edit] = []
    numbers: ir.Node = count
    if isinstance(above, ir.Assign):
        # The numbers have a name, which is for the scan alone.
        use = _only_use(file, above)
        gone = taken_out(file, above)
        if use is None or gone is None or not isinstance(length, (ir.Name, ir.Constant)):
            return None
        numbers, above = use, file.unit.parent(use.site)
        edits.append(gone)
    if not isinstance(above, ir.Call) or not _is(file, above, "jax.lax.scan") or above.keywords:
        return None
    if len(above.args) != 3 or above.args[2] is not numbers:
        return None
    backwards = under_reverse_mode(hazard) or goes_backwards(file, [above, *_body(file, above.args[0])])
    loop = None if backwards else _fori(file, above, length, "i", edits)
    return loop or (None if edits else _bounded(file, above, count))


def _body(file: File, function: ir.Node) -> list[ir.Node]:
    return [each.function for each in file.values(function.site) if isinstance(each, FunctionValue)]


def _bounded(file: File, scan: ir.Call, count: ir.Call) -> Fix | None:
    """The scan over as many numbers as there can be: where they have reached the length, the carry stays as it is."""
    body, length = scan.args[0], count.args[0]
    bound = at_most(file, length)
    statement = file.unit.statement(scan.site)
    if bound is None or not isinstance(body, ir.Name) or not isinstance(length, ir.Name):
        return None
    if not isinstance(statement, (ir.Assign, ir.Return)):
        return None
    name = free_name(file, scan.site, f"bounded_{body.id.lstrip('_')}", "bounded_step")
    index, state = free_name(file, scan.site, "i", "step"), free_name(file, scan.site, "carry", "state")
    indent, newline = file.indentation(statement.site), file.source.newline
    inner = indent + "    "
    goes_on = f"{index} < {length.id}"
    level, changes = Applicability.UNSAFE, f"nothing is done from `{length.id}` on"
    lines = [f"def {name}({state}, {index}):"]
    if gives_carry_alone(file, scan):
        cond, imports = file.api("jax.lax.cond")
        lines.append(f"{inner}return {cond}({goes_on}, lambda: {body.id}({state}, {index})[0], lambda: {state}), None")
    else:
        where, imports = file.api("jax.numpy.where")
        tree, more = file.api("jax.tree.map")
        imports |= more
        level, changes = Applicability.DISPLAY, f"{changes}, and the outputs are 0"
        lines += [
            f"{inner}new, output = {body.id}({state}, {index})",
            f"{inner}{state} = {tree}(lambda new, old: {where}({goes_on}, new, old), new, {state})",
            f"{inner}return {state}, {tree}(lambda each: {where}({goes_on}, each, 0), output)",
        ]
    start, space = opening(file, statement)
    text = space + newline.join([*lines, "", ""]) + (indent if start == file.span(statement.site)[0] else "")
    edits = (file.insert(start, text), file.replace(body.site, name), file.replace(length.site, bound))
    return Fix(f"Scan over the {bound} steps there can be", edits, level, imports, changes)


def _with_length(hazard: Hazard, file: File) -> Fix | None:
    scan = file.unit.nodes[hazard.site]
    assert isinstance(scan, ir.Call)
    given = {each.name: each.value for each in scan.keywords}
    xs = scan.args[2] if len(scan.args) == 3 else given.get("xs")
    nothing = xs is None or ir.is_none(xs)
    if not set(given) <= {"length", "xs"} or "length" not in given or not nothing or not 2 <= len(scan.args) <= 3:
        return None
    return _fori(file, scan, given["length"], "None", [])


def _fori(file: File, scan: ir.Call, bound: ir.Node, given: str, edits: list[Edit]) -> Fix | None:
    """The scan as a `fori_loop`, where its outputs go nowhere."""
    if not isinstance(scan.args[0], (ir.Name, ir.Attribute)):
        return None
    above = file.unit.parent(scan.site)
    start, end = file.span(scan.site)
    if above is None or not gives_carry_alone(file, scan):
        return None
    if isinstance(above, ir.Assign):
        pair = above.targets[0]
        assert isinstance(pair, ir.Sequence)
        carry = pair.elements[0]
        if not isinstance(carry, ir.Name):
            return None
        unused = Edit(*file.outer_span(above.targets[0].site), carry.id)
    else:
        unused = Edit(end, file.span(above.site)[1], "")
    body, init = (operands.argument(file, each.site) for each in scan.args[:2])
    loop, imports = file.api("jax.lax.fori_loop")
    index, state = free_name(file, scan.site, "i", "step"), free_name(file, scan.site, "carry", "state")
    passed = index if given == "i" else given
    text = f"{loop}(0, {operands.argument(file, bound.site)}, lambda {index}, {state}: {body}({state}, {passed})[0], {init})"
    edits = [Edit(start, end, text), unused, *edits]
    return Fix("Loop with a traced bound", tuple(edits), imports=imports, changes=FIXED_FORM)


def _only_use(file: File, assign: ir.Assign) -> ir.Name | None:
    """Where a name is read, if it is bound once and read once."""
    uses = reads_of(file.unit, assign)
    same = uses is not None and len(uses) == 1 and file.unit.scope(uses[0].site) is file.unit.scope(assign.site)
    return uses[0] if uses and same else None


def step_function(hazard: Hazard, file: File) -> Fix | None:
    """`jnp.concatenate([jnp.ones(n), jnp.zeros(k - n)])` as a comparison of `jnp.arange(k)` with `n`."""
    listed = file.unit.parent(hazard.site)
    joined = file.unit.parent(listed.site) if listed is not None else None
    match joined:
        case ir.Call(args=[ir.Sequence(elements=[ones, zeros])], keywords=()) if _is(file, joined, _CONCATENATE):
            first, second = _constant(file, ones), _constant(file, zeros)
        case _:
            return None
    if first is None or second is None or not isinstance(second[1], ir.Binary) or second[1].op != "-":
        return None
    if file.code(second[1].right.site) != file.code(first[1].site):
        return None
    arange, imports = file.api("jax.numpy.arange")
    where, more = file.api("jax.numpy.where")
    places = f"{arange}({operands.argument(file, second[1].left.site)})"
    text = f"{where}({places} < {operands.operand(file, first[1].site)}, {first[0]}, {second[0]})"
    edit, changes = file.replace(joined.site, text), "a length beyond the end fills the whole array"
    return Fix("Compare the places with the traced length", (edit,), imports=imports | more, changes=changes)


def _constant(file: File, node: ir.Node) -> tuple[str, ir.Node] | None:
    """The value and the length of `jnp.ones(n)` and `jnp.zeros(n)`."""
    if not isinstance(node, ir.Call):
        return None
    for name, value in (("jax.numpy.ones", "1.0"), ("jax.numpy.zeros", "0.0")):
        if _is(file, node, name) and len(node.args) == 1 and not node.keywords:
            size = node.args[0]
            if isinstance(size, ir.Sequence) and len(size.elements) == 1:
                size = size.elements[0]
            return None if isinstance(size, ir.Sequence) else (value, size)
    return None


def _is(file: File, node: ir.Node, name: str) -> bool:
    return isinstance(node, ir.Call) and file.is_api(node.func.site, name)
