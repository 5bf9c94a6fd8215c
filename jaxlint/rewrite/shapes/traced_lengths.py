"""Code that makes an array of a traced length, written so that the length is no shape."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import FunctionValue
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import reads_of
from jaxlint.rewrite import operands
from jaxlint.rewrite.changes import FIXED_FORM
from jaxlint.rewrite.comments import taken_out
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import gives_carry_alone
from jaxlint.rewrite.loops.loop_functions import counting_to, goes_backwards
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.shapes.upper_bounds import at_most
from jaxlint.rewrite.statements import free_name
from jaxlint.rewrite.transform_options import value_of
from jaxlint.source.diagnostic import Applicability, Edit, Fix


@or_none
def traced_loop(hazard: Hazard, file: File) -> Fix | None:
    """`carry, _ = lax.scan(f, init, jnp.arange(n))`, or with `length=n`, as a `fori_loop`; a `for` over the numbers too."""
    node, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    if _is(file, node, "jax.lax.scan"):
        require(not goes_backwards(file, hazard))
        return _with_length(draft, node)
    require(hazard.api == "jax.numpy.arange" and len(node.args) == 1 and not node.keywords)
    numbers: ir.Expression = node
    length, above = node.args[0], known(file.unit.parent(node.site))
    require(not isinstance(length, ir.Starred))
    if isinstance(above, ir.For) and above.iterable is node:
        return counting_to(hazard, file, above, length)
    if isinstance(above, ir.Assign):
        # The numbers have a name, which is for the scan alone.
        reads = known(reads_of(file.unit, above))
        require(isinstance(length, (ir.Name, ir.Constant)) and len(reads) == 1)
        require(file.unit.scope(reads[0].site) is file.unit.scope(above.site))
        draft.edits.append(known(taken_out(file, above)))
        numbers, above = reads[0], known(file.unit.parent(reads[0].site))
    scan = expect(ir.Call, above)
    require(_is(file, scan, "jax.lax.scan") and len(scan.args) == 3 and not scan.keywords)
    require(scan.args[2] is numbers)
    body = [each.function for each in file.values(scan.args[0].site) if isinstance(each, FunctionValue)]
    backwards = goes_backwards(file, hazard, [scan, *body])
    loop = None if backwards else _fori(draft, scan, length, "i")
    return loop or (None if numbers is not node else _bounded(Draft(file), scan, length))


@or_none
def _bounded(draft: Draft, scan: ir.Call, count: ir.Expression) -> Fix:
    """The scan over as many numbers as there can be: where they have reached the length, the carry stays as it is."""
    file, statement = draft.file, draft.file.unit.statement(scan.site)
    require(isinstance(statement, (ir.Assign, ir.Return)))
    body, length, bound = expect(ir.Name, scan.args[0]), expect(ir.Name, count), known(at_most(draft.file, count))
    name = free_name(file, scan.site, f"bounded_{body.id.lstrip('_')}", "bounded_step")
    index, state = _names(file, scan)
    goes_on = f"{index} < {length.id}"
    level, changes = Applicability.UNSAFE, f"nothing is done from `{length.id}` on"
    if gives_carry_alone(file, scan):
        going = f"lambda: {body.id}({state}, {index})[0], lambda: {state}"
        lines = [f"return {draft.api('jax.lax.cond')}({goes_on}, {going}), None"]
    else:
        where, tree = draft.api("jax.numpy.where"), draft.api("jax.tree.map")
        level, changes = Applicability.DISPLAY, f"{changes}, and the outputs are 0"
        lines = [
            f"new, output = {body.id}({state}, {index})",
            f"{state} = {tree}(lambda new, old: {where}({goes_on}, new, old), new, {state})",
            f"return {state}, {tree}(lambda each: {where}({goes_on}, each, 0), output)",
        ]
    draft.define_above(statement, f"def {name}({state}, {index}):", lines)
    draft.replace(body.site, name)
    draft.replace(length.site, bound)
    return draft.fix(f"Scan over the {bound} steps there can be", changes, level)


def _with_length(draft: Draft, scan: ir.Call) -> Fix | None:
    xs, length = ir.given(scan, 2, "xs"), known(value_of(scan, "length"))
    require({each.name for each in scan.keywords} <= {"length", "xs"} and 2 <= len(scan.args) <= 3)
    require(xs is None or ir.is_none(xs))
    return _fori(draft, scan, length, "None")


@or_none
def _fori(draft: Draft, scan: ir.Call, bound: ir.Node, given: str) -> Fix:
    """The scan as a `fori_loop`, where its outputs go nowhere."""
    file, above = draft.file, known(draft.file.unit.parent(scan.site))
    require(isinstance(scan.args[0], (ir.Name, ir.Attribute)) and gives_carry_alone(file, scan))
    start, end = file.span(scan.site)
    if isinstance(above, ir.Assign):
        carry = expect(ir.Name, expect(ir.Sequence, above.targets[0]).elements[0])
        draft.replace_whole(above.targets[0].site, carry.id)
    else:
        draft.edits.append(Edit(end, file.span(above.site)[1], ""))
    body, init = (operands.argument(file, each.site) for each in scan.args[:2])
    index, state = _names(file, scan)
    step = f"lambda {index}, {state}: {body}({state}, {index if given == 'i' else given})[0]"
    end_of_loop, loop = operands.argument(file, bound.site), draft.api("jax.lax.fori_loop")
    draft.edits.append(Edit(start, end, f"{loop}(0, {end_of_loop}, {step}, {init})"))
    return draft.fix("Loop with a traced bound", FIXED_FORM)


def _names(file: File, scan: ir.Call) -> tuple[str, str]:
    """Names for the number of a step, and for what it is given."""
    return free_name(file, scan.site, "i", "step"), free_name(file, scan.site, "carry", "state")


@or_none
def step_function(hazard: Hazard, file: File) -> Fix:
    """`jnp.concatenate([jnp.ones(n), jnp.zeros(k - n)])` as a comparison of `jnp.arange(k)` with `n`."""
    listed, draft = known(file.unit.parent(hazard.site)), Draft(file)
    match file.unit.parent(listed.site):
        case ir.Call(args=[ir.Sequence(elements=[ones, zeros])], keywords=()) as joined:
            require(_is(file, joined, "jax.numpy.concatenate"))
            (first, length), (second, rest) = _constant(file, ones), _constant(file, zeros)
        case _:
            raise NoFix
    remaining = expect(ir.Binary, rest)
    require(remaining.op == "-" and file.code(remaining.right.site) == file.code(length.site))
    places = f"{draft.api('jax.numpy.arange')}({operands.argument(file, remaining.left.site)})"
    condition = f"{places} < {operands.operand(file, length.site)}"
    draft.replace(joined.site, f"{draft.api('jax.numpy.where')}({condition}, {first}, {second})")
    return draft.fix("Compare the places with the traced length", "a length beyond the end fills the whole array")


def _constant(file: File, node: ir.Node) -> tuple[str, ir.Node]:
    """The value and the length of `jnp.ones(n)` and `jnp.zeros(n)`."""
    call = expect(ir.Call, node)
    value = {"jax.numpy.ones": "1.0", "jax.numpy.zeros": "0.0"}.get(file.api_name(call.func.site))
    require(len(call.args) == 1 and not call.keywords)
    match call.args[0]:
        case ir.Sequence(elements=[size]):
            return known(value), size
        case size:
            require(not isinstance(size, ir.Sequence))
            return known(value), size


def _is(file: File, node: ir.Node, name: str) -> bool:
    return isinstance(node, ir.Call) and file.is_api(node.func.site, name)
