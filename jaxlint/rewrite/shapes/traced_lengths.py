"""Arrays of a traced length: code without them, lengths that are bounded or needed, and sizes passed as static arguments."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.values import Array, FunctionValue, python_type
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, only_value, reads_of, resolved
from jaxlint.rewrite import operands
from jaxlint.rewrite.arrays.masks import rank
from jaxlint.rewrite.calls import parameter
from jaxlint.rewrite.changes import COMPILED_ANEW, FIXED_FORM
from jaxlint.rewrite.draft import Draft, passing
from jaxlint.rewrite.file import File
from jaxlint.rewrite.function_text import value_of
from jaxlint.rewrite.loops.loop_functions import counting_to, gives_carry_alone, goes_backwards
from jaxlint.rewrite.operands import operand
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, plain_call, require
from jaxlint.rewrite.statements import free_name, taken_out
from jaxlint.rewrite.static_args.static_argument import TracedParameter, add_static
from jaxlint.rewrite.wrapper import Around, can_be_wrapped, wrapped
from jaxlint.source.diagnostic import Applicability, Edit, Fix


@or_none
def traced_loop(hazard: Hazard, file: File) -> Fix | None:
    """`carry, _ = lax.scan(f, init, jnp.arange(n))`, or with `length=n`, as a `fori_loop`; a `for` over the numbers too."""
    node, draft = expect(ir.Call, file.unit.nodes[hazard.site]), Draft(file)
    if _is(file, node, "jax.lax.scan"):
        require(not goes_backwards(file, hazard))
        return _with_length(draft, node)
    require(hazard.api == "jax.numpy.arange")
    numbers: ir.Expression = node
    length, above = plain_call(node, 1).args[0], known(file.unit.parent(node.site))
    if isinstance(above, ir.For) and above.iterable is node:
        return counting_to(hazard, file, above, length)
    if isinstance(above, ir.Assign):
        # The numbers have a name, which is for the scan alone.
        reads = known(reads_of(file.unit, above))
        require(isinstance(length, (ir.Name, ir.Constant)) and len(reads) == 1)
        require(file.unit.scope(reads[0].site) is file.unit.scope(above.site))
        draft.edits.append(known(taken_out(file, above)))
        numbers, above = reads[0], known(file.unit.parent(reads[0].site))
    scan = plain_call(above, 3)
    require(_is(file, scan, "jax.lax.scan") and scan.args[2] is numbers)
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


_SEGMENTS = [f"jax.ops.segment_{name}" for name in ("sum", "max", "min", "prod")]


def with_needed_length(file: File, call: ir.Call, parameter: str) -> Fix | None:
    """The call with the first size of its result, where the one use of the result works with no other."""
    axis = value_of(call, "axis")
    if not call.args or (axis is not None and file.code(axis.site) != "0"):
        return None
    length = _length(file, call, call)
    if length is None:
        return None
    text = f"{parameter}={length}"
    return passing(file, call, text, f"Give `{text}`", "what is beyond the last index is filled")


def _length(file: File, call: ir.Call, node: ir.Node) -> str | None:
    above = file.unit.parent(node.site)
    if isinstance(above, ir.Assign):
        reads = reads_of(file.unit, above) or ()
        return _length(file, call, reads[0]) if len(reads) == 1 else None
    if isinstance(above, ir.Binary) and len(call.args) > 1:
        other = file.code((above.right if above.left is node else above.left).site)
        looked_up = f"{other}[{file.code(call.args[1].site)}]"
        if any(isinstance(each, ir.Subscript) and file.code(each.site) == looked_up for each in file.unit.own):
            return f"{other}.shape[0]"
    if isinstance(above, ir.Call) and len(above.args) > 1 and above.args[0] is node:
        if file.is_api(above.func.site, *_SEGMENTS) and rank(file, above.args[1].site) in (1, None):
            return f"{operand(file, above.args[1].site)}.shape[0]"
    formed = file.unit.parent(above.site) if isinstance(above, ir.Attribute) and above.attr == "reshape" else None
    if isinstance(formed, ir.Call) and formed.args and file.is_api(call.func.site, "jax.numpy.bincount"):
        shape = formed.args[0].elements if isinstance(formed.args[0], ir.Sequence) else formed.args
        if all(isinstance(each, (ir.Constant, ir.Name, ir.Attribute)) for each in shape):
            return " * ".join(file.code(each.site) for each in shape)
    return None


def below(file: File, numbers: ir.Node) -> str | None:
    """Code of an integer that Python knows and that is larger than all of ``numbers``."""
    numbers = resolved(file.unit, numbers)
    if isinstance(numbers, ir.Binary) and numbers.op == "%":
        return file.code(numbers.right.site) if _is_number(file, numbers.right) else None
    if not isinstance(numbers, ir.Call):
        return None
    name = file.api_name(numbers.func.site)
    if name == "jax.random.randint" and (last := ir.given(numbers, 3, "maxval")) is not None:
        return file.code(last.site) if _is_number(file, last) else None
    if name == "jax.numpy.argmax" and (axis := ir.given(numbers, 1, "axis")) is not None:
        if numbers.args and isinstance(numbers.args[0], ir.Name):
            return f"{file.code(numbers.args[0].site)}.shape[{file.code(axis.site)}]"
    return None


def at_most(file: File, numbers: ir.Node) -> str | None:
    """Code of an integer that Python knows and that none of ``numbers`` exceeds."""
    end = below(file, numbers)
    if end is not None:
        return str(int(end) - 1) if end.isdecimal() else f"{end} - 1"
    numbers = resolved(file.unit, numbers)
    if not isinstance(numbers, ir.Call) or any(isinstance(each, ir.Starred) for each in numbers.args):
        return None
    name = file.api_name(numbers.func.site)
    if name == "jax.numpy.minimum":
        known = [each for each in numbers.args if _is_number(file, each)]
        return operands.argument(file, known[0].site) if len(known) == 1 else None
    if name == "jax.numpy.clip":
        last = ir.given(numbers, 2, "max") or ir.given(numbers, 2, "a_max")
        return operands.argument(file, last.site) if last is not None and _is_number(file, last) else None
    return None


def _is_number(file: File, node: ir.Node) -> bool:
    return file.always(node.site, lambda value: python_type(value) == "int")


_SAYING = ("length", "num_segments", "num_classes")  # what the parameter is called


@or_none
def passed_size(hazard: Hazard, file: File) -> Fix:
    """The fix that parts the function in two: the size is read from what the caller passes, and is static inside."""
    function, size = expect(ir.Function, file.unit.scope(hazard.site)), file.unit.nodes[hazard.operand]
    draft = Draft(file)
    require(can_be_wrapped(file, function) and len(function.decorators) == 1)
    require(expect(Array, hazard.value).aval.shape == ())
    value = only_value(function, size.id) if isinstance(size, ir.Name) else None
    if isinstance(size, ir.Name) and value is not None:
        name = size.id
        draft.remove(file.unit.statement(value.site))
    else:
        name = free_name(file, size.site, hazard.parameter if hazard.parameter in _SAYING else "size")
        value = expect(ir.Expression, size)
        draft.replace(size.site, name)
    require(_is_of_arguments(function, value))
    kind = known(parameter(file, function, name))[1]
    new = ir.Parameter(site=function.site, name=name, kind=kind, default=None, annotation=None)
    add_static(draft, TracedParameter(new, function, Origin("", function.decorators[0].site, transform="jax.jit")))
    around = Around(passed={name: f"int({file.code(value.site)})"})
    draft.edits += known(wrapped(file, function, around, rebinds=True))
    return draft.fix(f"Compute `{name}` outside of what is compiled, where it is static", COMPILED_ANEW)


def _is_of_arguments(function: ir.Function, value: ir.Node) -> bool:
    """Whether an expression of more than a name reads no variable of the function but parameters, which keep what they are given."""
    names = [each for each in ir.walk([value]) if isinstance(each, ir.Name) and each.id in function.locals]
    kept = all(not bindings(function, each.id) for each in names)
    return kept and bool(names) and not isinstance(value, ir.Name)
