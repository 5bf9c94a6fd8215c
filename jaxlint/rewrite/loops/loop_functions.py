"""Python loops written as `jax.lax.while_loop` and `jax.lax.fori_loop`, with functions for their rounds."""

from __future__ import annotations

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, At, Host, Undecided, Unknown, Value, python_type
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.blocks import block_span, moved, opening
from jaxlint.rewrite.changes import FIXED_FORM
from jaxlint.rewrite.comments import comments_in, with_comments
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import Round, carried, handed_on, is_read_elsewhere, one_round, plain_round
from jaxlint.rewrite.operands import argument, operand
from jaxlint.rewrite.statements import free_name
from jaxlint.source.diagnostic import Applicability, Edit, Fix, ImportRequest

_REVERSE_MODE = frozenset({"jax.grad", "jax.value_and_grad", "jax.jacrev", "jax.jacobian", "jax.hessian", "jax.vjp"})
_NEEDS_INT = frozenset({"range", "int", "float", "bool"})
_ORDER = frozenset({"<", "<=", ">", ">=", "==", "!="})


def under_reverse_mode(hazard: Hazard) -> bool:
    """Whether a loop with a traced end would be differentiated in reverse mode, which JAX cannot."""
    return hazard.origin is None or any(step.transform in _REVERSE_MODE for step in hazard.origin.steps())


def goes_backwards(file: File, code: list[ir.Node]) -> bool:
    """Whether a value in the code is differentiated in reverse mode, as far as is known of it."""
    return any(
        step.transform in _REVERSE_MODE
        for node in ir.walk(code)
        for value in file.values(node.site)
        if isinstance(value, (Array, Undecided)) and value.origin is not None
        for step in value.origin.steps()
    )


def while_loop(hazard: Hazard, file: File, loop: ir.For | ir.While) -> Fix | None:
    """The fix that makes a `while_loop` of a `while`, or of a `for` over a range that a `break` ends."""
    each = one_round(loop)
    names = carried(file, each) if each is not None else None
    if each is None or names is None or under_reverse_mode(hazard) or goes_backwards(file, [loop]):
        return None
    writer = _Writer(file, each, names)
    if isinstance(loop, ir.For):
        return writer.counted()
    return None if writer.needs_python_value(set(names)) else writer.whole(names, [], names, names)


def fori_loop(hazard: Hazard, file: File, loop: ir.For, known_bounds: bool = False) -> Fix | None:
    """The fix that makes a `fori_loop` of a `for` over a range; one whose bounds Python knows can be differentiated."""
    rounds = plain_round(file, loop)
    if rounds is None or (not known_bounds and (under_reverse_mode(hazard) or goes_backwards(file, [loop]))):
        return None
    return _Writer(file, *rounds).fori()


def counting_to(hazard: Hazard, file: File, loop: ir.For, end: ir.Node) -> Fix | None:
    """The fix that makes a `for` over something else count from 0 to ``end``."""
    rounds = plain_round(file, loop) if isinstance(loop.target, ir.Name) else None
    if rounds is None or under_reverse_mode(hazard) or goes_backwards(file, [loop]):
        return None
    return _Writer(file, *rounds).fori(("0", argument(file, end.site)))


def is_loop_over_range(file: File, loop: ir.Node | None) -> bool:
    """Whether this is `for i in range(…)` with one or two bounds."""
    if not isinstance(loop, ir.For) or not isinstance(loop.target, ir.Name) or not isinstance(loop.iterable, ir.Call):
        return False
    call = loop.iterable
    if call.keywords or not 1 <= len(call.args) <= 2 or any(isinstance(each, ir.Starred) for each in call.args):
        return False
    return file.is_api(call.func.site, "builtins.range")


class _Writer:
    def __init__(self, file: File, each: Round, names: list[str]) -> None:
        self.file = file
        self.round = each
        self.loop = each.loop
        self.names = names
        self.indent = file.indentation(each.loop.site)
        self.inner = self.indent + "    "
        first, text = file.span(each.loop.body[0].site)[0], file.source.text
        if not text[text.rfind("\n", 0, first) + 1 : first].strip():
            self.inner = file.indentation(each.loop.body[0].site)
        self.imports: frozenset[ImportRequest] = frozenset()
        # What is said at the head of the loop, and after what a round does.
        tests = [file.span(test.site) for test in (each.first, each.last, each.test) if test is not None]
        begin, end = block_span(file, each.body, whole=not each.last)
        self.end = block_span(file, each.loop.body, whole=True)[1]
        head = each.test or (each.loop.iterable if isinstance(each.loop, ir.For) else each.loop)
        at = file.span(head.site)[0 if head is each.loop else 1]
        self.said_first = comments_in(file, at, begin, tests)
        self.said_last = comments_in(file, end, self.end, tests)

    def call(self, name: str, *arguments: str) -> str:
        spelled, more = self.file.api(name)
        self.imports |= more
        return f"{spelled}({', '.join(arguments)})"

    # --- the three forms --------------------------------------------------------------------------

    def fori(self, bounds: tuple[str, str] | None = None) -> Fix | None:
        loop = self.loop
        if bounds is None and not is_loop_over_range(self.file, loop):
            return None
        assert isinstance(loop, ir.For) and isinstance(loop.target, ir.Name)
        if is_read_elsewhere(self.file.unit, loop, loop.target.id):
            return None
        if self.needs_python_value({loop.target.id}):
            return None
        body = self.body()
        if body is None:
            return None
        function = self.free("body", "loop_body", "one_round")
        header, *unpacked = self.header(function, self.names, (loop.target.id,))
        lines = [
            *with_comments(header, self.said_first),
            *unpacked,
            *body,
            f"{self.inner}return {', '.join(self.names)}",
            "",
        ]
        lower, upper = bounds or self.bounds()
        called = self.call("jax.lax.fori_loop", lower, upper, function, _tuple(self.names))
        return self.fix([*lines, f"{self.indent}{', '.join(self.names)} = {called}"], "fori_loop")

    def counted(self) -> Fix | None:
        """A loop over a range that ends early counts for itself."""
        loop = self.loop
        if not is_loop_over_range(self.file, loop):
            return None
        assert isinstance(loop, ir.For) and isinstance(loop.target, ir.Name) and isinstance(loop.iterable, ir.Call)
        if is_read_elsewhere(self.file.unit, loop, loop.target.id):
            return None
        if self.needs_python_value({loop.target.id, *self.names}):
            return None
        index = loop.target.id if loop.target.id != "_" else self.free("i", "rounds")
        lower, upper = self.bounds()
        head = []
        if not isinstance(loop.iterable.args[-1], (ir.Name, ir.Constant)):
            end = self.free("end", "last")  # it is computed once
            head = [f"{self.indent}{end} = {upper}", ""]
            upper = end
        return self.whole(
            [index, *self.names], [f"{index} < {upper}"], [f"{index} + 1", *self.names], ["_", *self.names], lower, head
        )

    def whole(
        self, names: list[str], conditions: list[str], results: list[str], targets: list[str],
        lower: str | None = None, head: list[str] | None = None,
    ) -> Fix | None:  # fmt: skip
        """A `while_loop`: names carried, what keeps it going besides its test, what a round gives, names of the results."""
        test, first, last = self.round.test, self.round.first, self.round.last
        parts: list[str | None] = [f"({condition})" for condition in conditions]
        if test is not None:
            parts += self.conjuncts(test)
        if first is not None:
            parts.append(self.negated(first))
        start = list(names) if lower is None else [lower, *names[1:]]
        if last is not None:
            stopped = self.free("stopped", "is_done")
            parts.append(f"~{stopped}" if parts else self.call("jax.numpy.logical_not", stopped))
            names, results, targets, start = [*names, stopped], [*results, stopped], [*targets, "_"], [*start, "False"]
        body = self.body()
        if body is None or None in parts:
            return None
        if last is not None:
            body += with_comments(f"{self.inner}{names[-1]} = {self.file.code(last.site)}", self.said_last)
        condition = " & ".join(part for part in parts if part is not None)
        if len(parts) == 1:
            condition = self.file.code(test.site) if test is not None and not conditions else condition
            condition = f"({condition})" if "\n" in condition else condition
        goes_on = self.free("condition", "keep_going")
        one = self.free("body", "one_round")
        lines = [
            *(head or []),
            *self.header(goes_on, names), *with_comments(f"{self.inner}return {condition}", self.said_first), "",
            *[self.indent + self.header(one, names)[0].lstrip(), *self.header(one, names)[1:]],
            *body, f"{self.inner}return {', '.join(results)}", "",
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
        level = Applicability.DISPLAY if guess else Applicability.UNSAFE
        edit = Edit(start, self.end, content)
        return Fix(f"Use `{name}`", (edit,), level, self.imports, FIXED_FORM)

    # --- their parts ------------------------------------------------------------------------------

    def header(self, name: str, names: list[str], first: tuple[str, ...] = ()) -> list[str]:
        if len(names) == 1:
            return [f"{self.indent}def {name}({', '.join((*first, *names))}):"]
        carry = self.free("carry", "state")
        return [f"{self.indent}def {name}({', '.join((*first, carry))}):", f"{self.inner}{', '.join(names)} = {carry}"]

    def body(self) -> list[str] | None:
        return moved(self.file, self.round.body, self.inner)

    def bounds(self) -> tuple[str, str]:
        assert isinstance(self.loop, ir.For) and isinstance(self.loop.iterable, ir.Call)
        args = self.loop.iterable.args
        lower, upper = (["0"] if len(args) == 1 else []) + [argument(self.file, each.site) for each in args]
        return lower, upper

    def conjuncts(self, test: ir.Node) -> list[str | None]:
        """What has to hold, as operands of `&`; None for what may be no boolean, or must not be computed where another is false."""
        if isinstance(test, ir.Boolean) and test.op == "and":
            return [*self.conjuncts(test.left), *self.conjuncts(test.right)]
        return [self.boolean(test)]

    def boolean(self, node: ir.Node) -> str | None:
        if isinstance(node, ir.Compare) and len(node.ops) == 1 and node.ops[0] in _ORDER:
            return f"({self.file.code(node.site)})"
        if isinstance(node, ir.Unary) and node.op == "not":
            return self.negated(node.operand)
        known = [value for value in self.file.values(node.site) if not isinstance(value, Unknown)]
        alone = node is self.round.test and self.round.last is None and self.round.first is None
        if isinstance(node, (ir.Boolean, ir.Conditional)):
            return None
        return operand(self.file, node.site) if alone or (known and all(map(_is_boolean, known))) else None

    def negated(self, node: ir.Node) -> str | None:
        code = self.file.code(node.site)
        if isinstance(node, ir.Unary) and node.op == "not":
            return self.boolean(node.operand)
        if isinstance(node, (ir.Boolean, ir.Conditional)) or "\n" in code:
            return None
        return self.call("jax.numpy.logical_not", argument(self.file, node.site))

    def free(self, *candidates: str) -> str:
        return free_name(self.file, self.loop.site, *candidates)

    def needs_python_value(self, names: set[str]) -> bool:
        """Whether a round uses one of ``names`` where a tracer fails: in slices, and as index of a list or tuple."""

        def mentions(node: ir.Node | None) -> bool:
            return node is not None and any(
                isinstance(n, ir.Name) and n.id in names for n in ir.walk([node], into_scopes=False)
            )

        tests = [each for each in (self.round.test, self.round.first, self.round.last) if each is not None]
        for node in ir.walk([*self.round.body, *tests], into_scopes=False):
            match node:
                case ir.Slice() | ir.Conditional() | ir.Format() if mentions(node):
                    return True
                case ir.Boolean() if all(node is not each for each in tests) and not _is_within(node, self.round.test):
                    if mentions(node):
                        return True
                case ir.If(test=test) if mentions(test):
                    return True
                case ir.Call(func=ir.Name(id=name)) if name in _NEEDS_INT and mentions(node):
                    return True
                case ir.Subscript(value=value, index=index) if mentions(index):
                    known = (Array, At, Undecided, Unknown)
                    if any(type(each) not in known for each in self.file.values(value.site)):
                        return True
        return False


def _tuple(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _is_within(node: ir.Node, whole: ir.Node | None) -> bool:
    return whole is not None and any(each is node for each in ir.walk([whole], into_scopes=False))


def _is_boolean(value: Value) -> bool:
    return value.aval.dtype == "bool" if isinstance(value, (Array, Host)) else python_type(value) == "bool"
