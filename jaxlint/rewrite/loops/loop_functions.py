"""Python loops written as loops of `jax.lax`, with functions for their rounds and the variables that these hand on."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, At, Host, Undecided, Unknown, Value, python_type
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import is_assigned, names_of, only_value, targets_of
from jaxlint.rewrite.changes import FIXED_FORM
from jaxlint.rewrite.control_flow.dataflow import flow, is_read_elsewhere, may_be_array, names_read, value_before
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.requirements import expect, is_plain, known, or_none, require
from jaxlint.rewrite.statements import (
    block_span,
    comments_in,
    free_name,
    line_start,
    moved,
    opening,
    stands_on_own_lines,
    with_comments,
)
from jaxlint.source.diagnostic import Applicability, Edit, Fix

_REVERSE_MODE = frozenset({"jax.grad", "jax.value_and_grad", "jax.jacrev", "jax.jacobian", "jax.hessian", "jax.vjp"})
_NEEDS_INT = frozenset({"range", "int", "float", "bool"})
_ORDER = frozenset({"<", "<=", ">", ">=", "==", "!="})


def goes_backwards(file: File, hazard: Hazard, code: Iterable[ir.Node] = ()) -> bool:
    """Whether a loop with a traced end would be differentiated in reverse mode, which JAX cannot, as far as is known.

    Told are the hazard, and the values in ``code``. A value that a gradient has given is not differentiated by it.
    """
    values = [value for node in ir.walk(code) for value in file.values(node.site)]
    origins = [hazard.origin, *(each.origin for each in values if isinstance(each, (Array, Undecided)) and each.origin)]
    running = {above for site in (hazard.site, *hazard.chain) for above in file.unit.ancestors(site)}
    for origin in origins:
        if origin is None:
            return True
        steps = list(origin.steps())
        for taken, step in itertools.pairwise([None, *steps]):
            if step is not None and step.transform in _REVERSE_MODE:
                parameter = file.unit.nodes[taken.site] if taken is not None else None
                if not isinstance(parameter, ir.Parameter) or file.unit.parent(parameter.site) in running:
                    return True
    return False


@or_none
def while_loop(hazard: Hazard, file: File, loop: ir.For | ir.While) -> Fix:
    """The fix that makes a `while_loop` of a `while`, or of a `for` over a range that a `break` ends."""
    each = known(one_round(loop))
    writer = Writer(file, each, known(carried(file, each)))
    require(not goes_backwards(file, hazard, [loop]))
    if isinstance(loop, ir.For):
        return writer.counted()
    require(not writer.needs_python_value(writer.names))
    return writer.whole(writer.names, [], writer.names, writer.names)


@or_none
def fori_loop(hazard: Hazard, file: File, loop: ir.For, known_bounds: bool = False) -> Fix:
    """The fix that makes a `fori_loop` of a `for` over a range; one whose bounds Python knows can be differentiated."""
    writer = Writer(file, *known(plain_round(file, loop)))
    require(known_bounds or not goes_backwards(file, hazard, [loop]))
    return writer.fori(writer.bounds())


@or_none
def counting_to(hazard: Hazard, file: File, loop: ir.For, end: ir.Node) -> Fix:
    """The fix that makes a `for` over something else count from 0 to ``end``."""
    writer = Writer(file, *known(plain_round(file, loop)))
    require(not goes_backwards(file, hazard, [loop]))
    return writer.fori(("0", argument(file, end.site)))


def is_loop_over_range(file: File, loop: ir.Node | None) -> bool:
    """Whether this is `for i in range(…)` with one or two bounds."""
    match loop:
        case ir.For(target=ir.Name(), iterable=ir.Call(args=[_] | [_, _], keywords=()) as call):
            return is_plain(call.args) and file.is_api(call.func.site, "builtins.range")
    return False


class Writer:
    """Writes the functions for the rounds of a loop, and the loop of `jax.lax` that calls them."""

    def __init__(self, file: File, each: Round, names: list[str]) -> None:
        self.file, self.draft = file, Draft(file)
        self.round, self.loop, self.names = each, each.loop, names
        self.indent = file.indentation(each.loop.site)
        self.inner = self.indent + "    "
        first = file.span(each.loop.body[0].site)[0]
        if not file.source.text[line_start(file, first) : first].strip():
            self.inner = file.indentation(each.loop.body[0].site)
        # What is said at the head of the loop, and after what a round does.
        tests = [file.span(test.site) for test in (each.first, each.last, each.test) if test is not None]
        begin, end = block_span(file, each.body or each.loop.body[:1], whole=bool(each.body) and not each.last)
        self.end = block_span(file, each.loop.body, whole=True)[1]
        head = each.test or (each.loop.iterable if isinstance(each.loop, ir.For) else each.loop)
        at = file.span(head.site)[0 if head is each.loop else 1]
        self.said_first = comments_in(file, at, begin, tests)
        self.said_last = comments_in(file, end if each.body else begin, self.end, tests)

    def call(self, name: str, *arguments: str) -> str:
        return f"{self.draft.api(name)}({', '.join(arguments)})"

    # --- the four forms ---------------------------------------------------------------------------

    def fori(self, bounds: tuple[str, str]) -> Fix:
        counter = self.counter().id
        function, names = self.free("body", "loop_body", "one_round"), ", ".join(self.names)
        require(not self.needs_python_value([counter]))
        header, *unpacked = self.header(function, self.names, (counter,))
        called = self.call("jax.lax.fori_loop", *bounds, function, _tuple(self.names))
        lines = [
            *with_comments(header, self.said_first), *unpacked, *self.body(), f"{self.inner}return {names}", "",
            f"{self.indent}{names} = {called}",
        ]  # fmt: skip
        return self.fix(lines, "fori_loop")

    def counted(self) -> Fix:
        """A loop over a range that ends early counts for itself."""
        counter, (lower, upper) = self.counter().id, self.bounds()
        require(not self.needs_python_value([counter, *self.names]))
        index = counter if counter != "_" else self.free("i", "rounds")
        head = []
        if not isinstance(self.range().args[-1], (ir.Name, ir.Constant)):
            end = self.free("end", "last")  # it is computed once
            head, upper = [f"{self.indent}{end} = {upper}", ""], end
        return self.whole(
            [index, *self.names], [f"{index} < {upper}"], [f"{index} + 1", *self.names], ["_", *self.names], lower, head
        )

    def scan(self, output: str, target: str, over: str) -> Fix:
        """A `scan`, whose rounds have an output each."""
        names, counter, function = self.names or ["_"], self.counter().id, self.free("body", "loop_body", "one_round")
        row, whole = counter if counter != "_" or self.names else "__", _tuple(names)
        header, *unpacked = self.header(function, names, last=(row,))
        called = self.call("jax.lax.scan", function, whole if self.names else "None", over)
        lines = [
            *with_comments(header, self.said_first), *unpacked, *(self.body() if self.round.body else ()),
            *with_comments(f"{self.inner}return {whole}, {output}", self.said_last), "",
            f"{self.indent}{whole}, {target} = {called}",
        ]  # fmt: skip
        return self.fix(lines, "scan")

    def counter(self) -> ir.Name:
        """The variable of a `for`, which nothing else reads."""
        target = expect(ir.Name, expect(ir.For, self.loop).target)
        require(not is_read_elsewhere(self.file.unit, self.loop, target.id))
        return target

    def whole(
        self, names: list[str], conditions: list[str], results: list[str], targets: list[str],
        lower: str | None = None, head: Sequence[str] = (),
    ) -> Fix:  # fmt: skip
        """A `while_loop`: names carried, what keeps it going besides its test, what a round gives, names of the results."""
        test, first, last = self.round.test, self.round.first, self.round.last
        parts = [f"({condition})" for condition in conditions]
        if test is not None:
            parts += self.conjuncts(test)
        if first is not None:
            parts.append(self.negated(first))
        start, body = list(names) if lower is None else [lower, *names[1:]], self.body()
        if last is not None:
            stopped = self.free("stopped", "is_done")
            parts.append(f"~{stopped}" if parts else self.call("jax.numpy.logical_not", stopped))
            names, results, targets, start = [*names, stopped], [*results, stopped], [*targets, "_"], [*start, "False"]
            body += with_comments(f"{self.inner}{stopped} = {self.file.code(last.site)}", self.said_last)
        condition = " & ".join(parts)
        if len(parts) == 1:
            condition = self.file.code(test.site) if test is not None and not conditions else condition
            condition = f"({condition})" if "\n" in condition else condition
        goes_on, one = self.free("condition", "keep_going"), self.free("body", "one_round")
        lines = [
            *head,
            *self.header(goes_on, names), *with_comments(f"{self.inner}return {condition}", self.said_first), "",
            *self.header(one, names), *body, f"{self.inner}return {', '.join(results)}", "",
            f"{self.indent}{', '.join(targets)} = {self.call('jax.lax.while_loop', goes_on, one, _tuple(start))}",
        ]  # fmt: skip
        return self.fix(lines, "while_loop")

    def fix(self, lines: list[str], name: str) -> Fix:
        content = self.file.source.newline.join(lines).lstrip()
        start, space = opening(self.file, self.loop)
        if content.startswith(("def ", "#")):
            content = space + content
        else:
            start = self.file.span(self.loop.site)[0]
        # What the body hands on may be anything where nothing is known of it.
        values = handed_on(self.file, self.round, self.names)
        guess = bool(values) and all(type(value) is Unknown for value in values)
        self.draft.edits.append(Edit(start, self.end, content))
        return self.draft.fix(f"Use `{name}`", FIXED_FORM, Applicability.DISPLAY if guess else Applicability.UNSAFE)

    # --- their parts ------------------------------------------------------------------------------

    def header(self, name: str, names: list[str], first: tuple[str, ...] = (), last: tuple[str, ...] = ()) -> list[str]:
        carry, unpacked = names[0], list[str]()
        if len(names) > 1:
            carry = self.free("carry", "state")
            unpacked = [f"{self.inner}{', '.join(names)} = {carry}"]
        return [f"{self.indent}def {name}({', '.join((*first, carry, *last))}):", *unpacked]

    def body(self) -> list[str]:
        return known(moved(self.file, self.round.body, self.inner))

    def bounds(self) -> tuple[str, str]:
        *lower, upper = (argument(self.file, each.site) for each in self.range().args)
        return (lower or ["0"])[0], upper

    def range(self) -> ir.Call:
        require(is_loop_over_range(self.file, self.loop))
        return expect(ir.Call, expect(ir.For, self.loop).iterable)

    def conjuncts(self, test: ir.Node) -> list[str]:
        """What has to hold, as operands of `&`: booleans that may be computed where another is false."""
        if isinstance(test, ir.Boolean) and test.op == "and":
            return [*self.conjuncts(test.left), *self.conjuncts(test.right)]
        return [self.boolean(test)]

    def boolean(self, node: ir.Node) -> str:
        if isinstance(node, ir.Compare) and len(node.ops) == 1 and node.ops[0] in _ORDER:
            return f"({self.file.code(node.site)})"
        if isinstance(node, ir.Unary) and node.op == "not":
            return self.negated(node.operand)
        values = [value for value in self.file.values(node.site) if not isinstance(value, Unknown)]
        alone = node is self.round.test and self.round.last is None and self.round.first is None
        require(not isinstance(node, (ir.Boolean, ir.Conditional)))
        require(alone or (values and all(map(_is_boolean, values))))
        return operand(self.file, node.site)

    def negated(self, node: ir.Node) -> str:
        if isinstance(node, ir.Unary) and node.op == "not":
            return self.boolean(node.operand)
        require(not isinstance(node, (ir.Boolean, ir.Conditional)) and "\n" not in self.file.code(node.site))
        return self.call("jax.numpy.logical_not", argument(self.file, node.site))

    def free(self, *candidates: str) -> str:
        return free_name(self.file, self.loop.site, *candidates)

    def needs_python_value(self, names: Iterable[str]) -> bool:
        """Whether a round uses one of ``names`` where a tracer fails: in slices, and as index of a list or tuple."""
        tests = list(ir.walk([each for each in (self.round.test, self.round.first, self.round.last) if each]))
        asked: list[ir.Node] = []
        for node in [*ir.walk(self.round.body, into_scopes=False), *tests]:
            match node:
                case ir.Slice() | ir.Conditional() | ir.Format():
                    asked.append(node)
                case ir.Boolean() if node not in tests:
                    asked.append(node)
                case ir.If(test=test):
                    asked.append(test)
                case ir.Call(func=ir.Name(id=name)) if name in _NEEDS_INT:
                    asked.append(node)
                case ir.Subscript(value=value, index=index):
                    if any(type(each) not in (Array, At, Undecided, Unknown) for each in self.file.values(value.site)):
                        asked.append(index)
        return not ir.names_below(asked).keys().isdisjoint(names)


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _is_boolean(value: Value) -> bool:
    return value.aval.dtype == "bool" if isinstance(value, (Array, Host)) else python_type(value) == "bool"


_JOINING = frozenset({"jax.numpy.stack", "jax.numpy.array", "jax.numpy.asarray"})

_CHANGES = "shapes and dtypes must stay fixed, the variable is traced"


@or_none
def rolled_loop(hazard: Hazard, file: File) -> Fix:
    loop = expect(ir.For, file.unit.parent(hazard.site))
    require(isinstance(loop.target, ir.Name) and not loop.is_async and stands_on_own_lines(file, loop))
    counts, appended = is_loop_over_range(file, loop), _appended(loop)
    require(counts or _is_array(file, loop.iterable))
    if appended is not None:
        fix = _collecting(file, loop, *appended)
    elif counts:
        fix = known(fori_loop(hazard, file, loop, known_bounds=True))
    else:
        fix = Writer(file, *known(plain_round(file, loop))).scan("None", "_", argument(file, loop.iterable.site))
    require(all(first.end <= second.start for first, second in itertools.pairwise(fix.edits)))
    return replace(fix, applicability=Applicability.DISPLAY, changes=_CHANGES)


def _is_array(file: File, node: ir.Node) -> bool:
    """Whether a loop goes over the rows of an array; a parameter may be anything where no call of its function is seen."""
    kinds = {type(value) for value in file.values(node.site) if not isinstance(value, Unknown)}
    return Array in kinds and kinds <= {Array, Undecided}


def _appended(loop: ir.For) -> tuple[str, ir.Expression] | None:
    """The list, and what the last statement of a loop appends to it."""
    last = loop.body[-1]
    match last.value if isinstance(last, ir.Evaluate) else None:
        case ir.Call(func=ir.Attribute(value=ir.Name(id=name), attr="append"), args=[value], keywords=()):
            return None if isinstance(value, ir.Starred) else (name, value)
    return None


def _collecting(file: File, loop: ir.For, collected: str, output: ir.Expression) -> Fix:
    """A scan whose outputs take the place of a list that is stacked afterwards."""
    scope, each = file.unit.scope(loop.site), known(one_round(loop))
    empty = expect(ir.Sequence, only_value(scope, collected))
    require(each.first is None and empty.kind == "list" and not empty.elements)
    each.body.pop()
    writer = Writer(file, each, known(carried(file, each)) if each.body else [])
    writer.draft.remove(file.unit.statement(empty.site))
    for call in _stacks(file, loop, scope, collected):
        writer.draft.replace(call.site, collected)
    over = argument(file, loop.iterable.site)
    if is_loop_over_range(file, loop):
        over = writer.call("jax.numpy.arange", *(argument(file, bound.site) for bound in writer.range().args))
    return writer.scan(argument(file, output.site), collected, over)


def _stacks(file: File, loop: ir.For, scope: ir.Scope, collected: str) -> list[ir.Call]:
    """The calls that make an array of the list, where it is used for nothing else."""
    inside = {each.site for each in ir.walk([loop])}
    reads = [each for each in names_of(file.unit, scope, collected) if not is_assigned(file.unit, each)]
    require(sum(each.site in inside for each in reads) == 1)
    calls = []
    for node in reads:
        if node.site not in inside:
            call = expect(ir.Call, file.unit.parent(node.site))
            require(list(call.args) == [node] and not call.keywords and file.is_api(call.func.site, *_JOINING))
            calls.append(call)
    require(calls)
    return calls


_GROWING = frozenset(
    f"jax.numpy.{name}"
    for name in "append concatenate concat stack hstack vstack dstack column_stack insert pad".split()
)


@dataclass
class Round:
    """What a loop does in one round: ``body``, between an `if …: break` at its beginning and one at its end."""

    loop: ir.For | ir.While
    body: list[ir.Statement]
    first: ir.Expression | None = None
    last: ir.Expression | None = None

    @property
    def test(self) -> ir.Expression | None:
        """What keeps a `while` going; None for `while True` and for `for`."""
        test = self.loop.test if isinstance(self.loop, ir.While) else None
        return None if isinstance(test, ir.Constant) and test.value else test


@or_none
def one_round(loop: ir.For | ir.While) -> Round:
    """What a loop does in one round, where it ends in ways that rounds can say."""
    require(not loop.orelse)
    each = Round(loop, list(loop.body))
    if len(each.body) > 1 and (last := _break_test(each.body[-1])) is not None:
        each.last = last
        each.body.pop()
    if len(each.body) > 1 and (first := _break_test(each.body[0])) is not None:
        each.first = first
        each.body.pop(0)
    return each


def _break_test(node: ir.Statement) -> ir.Expression | None:
    """The test of `if …: break`; None for another statement."""
    match node:
        case ir.If(test=test, body=[ir.Break()], orelse=[]):
            return test
    return None


@or_none
def carried(file: File, each: Round) -> list[str]:
    """Names a loop needs from its last round or leaves behind, in the order of their assignments.

    Its body must do no more than compute, each name have a value before it, and no value be known to change its type.
    """
    unit, loop = file.unit, each.loop
    scope, done = expect(ir.Function, unit.scope(loop.site)), known(flow(each.body, file))
    own = {loop.target.id} if isinstance(loop, ir.For) and isinstance(loop.target, ir.Name) else set()
    require(not done.may_return and not own & set(done.bound) and all(name in scope.locals for name in done.bound))
    needed = set(done.needed)
    for test in (each.test, each.first):
        needed |= set(names_read(test)) if test is not None else set()
    needed |= {name for name in names_read(each.last) if name not in done.certain} if each.last is not None else set()
    # One that is bound on some paths only and not read otherwise is nobody's business.
    names = [name for name in done.bound if name in needed or is_read_elsewhere(unit, loop, name)]
    require(names and all(_keeps_type(file, each, name, known(value_before(file, loop, name))) for name in names))
    return names


@or_none
def plain_round(file: File, loop: ir.For) -> tuple[Round, list[str]]:
    """What a loop that nothing ends early does in one round, and the names that it carries."""
    each = known(one_round(loop))
    require(each.first is None and each.last is None)
    return each, known(carried(file, each))


def handed_on(file: File, each: Round, names: list[str]) -> list[v.Value]:
    """What the rounds of a loop are known to give to ``names``."""
    return [value for made in _made(each, names) for value in file.values(made.site)]


def _made(each: Round, names: list[str]) -> Iterator[ir.Expression]:
    """What the rounds of a loop assign to ``names``."""
    for node in ir.walk(each.body, into_scopes=False):
        if isinstance(node, (ir.Assign, ir.Annotate)) and node.value is not None:
            if any(isinstance(target, ir.Name) and target.id in names for target in targets_of(node)):
                yield node.value


def _keeps_type(file: File, each: Round, name: str, before: ir.Node) -> bool:
    """Whether nothing says that a name changes its dtype or shape, or is no array at all."""
    first = file.values(before.site) if isinstance(before, ir.Expression) else []
    values = [*first, *handed_on(file, each, [name])]
    if not all(map(may_be_array, values)) or any(_grows(file, made, name) for made in _made(each, [name])):
        return False
    shapes = [_shape(value) for value in values]
    # A Python number takes the dtype of what it meets.
    dtypes = {value.aval.dtype for value in values if isinstance(value, v.Array) and not value.aval.weak}
    sizes = {shape for shape in shapes if shape is not None and None not in shape}
    return max(len(sizes), len({len(shape) for shape in shapes if shape is not None}), len(dtypes - {None})) < 2


def _grows(file: File, made: ir.Expression, name: str) -> bool:
    """Whether a value is ``name`` as a whole with more behind or before it, so that no two rounds have the same shape."""
    if not isinstance(made, ir.Call) or file.api_name(made.func.site) not in _GROWING:
        return False
    parts = [part for arg in made.args[:2] for part in (arg.elements if isinstance(arg, ir.Sequence) else (arg,))]
    return len(parts) > 1 and any(isinstance(part, ir.Name) and part.id == name for part in parts)


def _shape(value: v.Value) -> v.Shape | None:
    if isinstance(value, (v.Array, v.Host)):
        return value.aval.shape
    return () if isinstance(value, v.Const) or isinstance(value, v.Static) and value.type in v.NUMERIC_TYPES else None


def gives_carry_alone(file: File, scan: ir.Call) -> bool:
    """Whether the outputs of a scan go nowhere."""
    match file.unit.parent(scan.site):
        case ir.Assign(targets=[ir.Sequence(elements=[_, ir.Name() as outputs, *_])]):
            return _is_unread(file, outputs)
        case ir.Subscript(index=ir.Constant(value=0)):
            return True
    return False


def _is_unread(file: File, name: ir.Name) -> bool:
    return name.id == "_" or names_of(file.unit, file.unit.scope(name.site), name.id) == [name]
