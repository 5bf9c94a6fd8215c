"""`assert` and `if …: raise` on traced values, as checks that run with the compiled program.

What the file imports decides how: `equinox.error_if` where it uses Equinox, a host callback where it
has such callbacks already, else `checkify.debug_check`, which checks where `checkify.checkify` is applied.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Undecided, Unknown
from jaxlint.ir import nodes as ir
from jaxlint.rewrite.changes import IN_CHECKIFY, LATE_ERROR
from jaxlint.rewrite.control_flow.dataflow import is_read_elsewhere
from jaxlint.rewrite.draft import Draft
from jaxlint.rewrite.effects.called_back import traced_names
from jaxlint.rewrite.file import File
from jaxlint.rewrite.operands import argument, beside
from jaxlint.rewrite.printing.print_template import template
from jaxlint.rewrite.requirements import NoFix, expect, known, or_none, require
from jaxlint.rewrite.statements import comments_in, free_name, is_elif, opening, with_comments
from jaxlint.source.diagnostic import Edit, Fix

_NEGATED = {"==": "!=", "!=": "=="}  # other comparisons are both false for NaN
_CALLBACKS = {"jax.debug.callback", "jax.experimental.io_callback", "jax.pure_callback"}


@or_none
def assertion(hazard: Hazard, file: File) -> Fix | None:
    """The fix for an `assert` whose test is the traced value, or joins it to others that Python knows by `and`."""
    test = file.unit.nodes[hazard.operand]
    while isinstance(test, ir.Boolean) and test.op == "and":
        test = test.right  # the last of what is joined is what cannot be told
    statement = expect(ir.Assert, file.unit.statement(test.site))
    parts = list(_conjuncts(statement.test))
    require(test in parts)
    others = [argument(file, part.site) for part in parts if part is not test]
    message = f", {argument(file, statement.message.site)}" if statement.message is not None else ""
    kept = f"assert {' and '.join(others)}{message}" if others else ""
    return _Writer(file, test, statement, statement.message, kept).written()


def _conjuncts(test: ir.Node) -> Iterator[ir.Node]:
    if isinstance(test, ir.Boolean) and test.op == "and":
        yield from _conjuncts(test.left)
        yield from _conjuncts(test.right)
    else:
        yield test


def refusal(hazard: Hazard, file: File) -> Fix | None:
    """The fix for `if traced: raise Error("…")`."""
    test = file.unit.nodes[hazard.site]
    match file.unit.parent(test.site):
        case ir.If(body=[ir.Raise(exception=ir.Call(args=[said], keywords=()), cause=None)], orelse=[]) as statement:
            return None if is_elif(file, statement) else _Writer(file, test, statement, said).written()
    return None


class _Writer(Draft):
    """Writes the check of a test that must hold, or of an `if` must not; ``kept`` is what stays of the statement."""

    def __init__(
        self, file: File, test: ir.Node, statement: ir.Assert | ir.If, message: ir.Node | None, kept: str = ""
    ) -> None:
        super().__init__(file)
        self.kept = kept
        self.statement = statement
        self.fails = isinstance(statement, ir.If)
        self.message = message
        self.test = test
        self.holds = argument(file, test.site)  # booleans of any shape

    def written(self) -> Fix | None:
        used = self.file.once("library_names", self.file.unit.filename, lambda: _names(self.file))
        made = None
        if any(name.startswith("jax.experimental.checkify") for name in used):
            made = self.debug_check()
        elif any(name.split(".")[0] == "equinox" for name in used):
            made = self.error_if()
        elif used.isdisjoint(_CALLBACKS):
            made = self.debug_check()
        return made or self.callback()

    def is_bool(self) -> bool:
        return self.file.always(self.test.site, lambda value: isinstance(value, Array) and value.aval.dtype == "bool")

    def negated(self) -> str:
        match self.test:
            case ir.Compare(left=left, ops=["==" | "!=" as op], rights=[right]):
                return f"{beside(self.file, left.site)} {_NEGATED[op]} {beside(self.file, right.site)}"
            case ir.Call(func=function, args=[inner]) if self.file.is_api(function.site, "jax.numpy.logical_not"):
                return argument(self.file, inner.site)
        return self.call("jax.numpy.logical_not", self.holds)

    def text(self) -> str | None:
        """The message as a string literal without values in it."""
        if self.message is None:
            code = " ".join(self.file.code(self.test.site).split())
            return repr(code) if set(code) & {'"', "\\"} else f'"{code}"'
        if isinstance(self.message, ir.Constant) and isinstance(self.message.value, str):
            return self.file.code(self.message.site)
        return None

    @or_none
    def debug_check(self) -> Fix:
        said, values = self.text(), []
        if said is None:
            made = known(template(self.file, known(self.message).site))
            # Only arrays go by name, and a template that starts with `f` keeps static values.
            require(not made.positional and {"pred", "msg", "debug"}.isdisjoint(made.named))
            said, values = made.text, made.arguments
        elif self.message is not None:  # a template, in which braces would have to be doubled
            require(not {"{", "}"} & set(said))
        else:
            said = said.replace("{", "{{").replace("}", "}}")
        condition = self.negated() if self.fails else self.holds
        if not self.is_bool():
            condition = self.call("jax.numpy.all", condition)
        code = self.call("jax.experimental.checkify.debug_check", condition, said, *values)
        return self.made(code, code, IN_CHECKIFY)

    @or_none
    def error_if(self) -> Fix:
        name, condition = self.threaded(), self.holds if self.fails else self.negated()
        checked = self.call("equinox.error_if", name, condition, known(self.text()))
        return self.made(f"{name} = {checked}", checked, LATE_ERROR)

    def threaded(self) -> str:
        """A name of the test that is an array and is read afterwards: the check runs because it is used."""
        scope = self.file.unit.scope(self.statement.site)
        for name, nodes in ir.names_below([self.test]).items():
            kinds = {type(value) for node in nodes for value in self.file.values(node.site)}
            if kinds and kinds <= {Array, Undecided, Unknown} and name in scope.locals:
                if is_read_elsewhere(self.file.unit, self.statement, name):
                    return name
        raise NoFix

    @or_none
    def callback(self) -> Fix:
        said = self.text() or self.file.code(known(self.message).site)
        scope = expect(ir.Function, self.file.unit.scope(self.statement.site))
        shown = [self.message] if self.message is not None else []
        values = known(traced_names(self.file, ir.walk(shown)))
        for node in ir.walk(shown):  # of a variable it has to be known if it holds a tracer, which a callback is given
            if isinstance(node, ir.Name) and node.id in scope.locals:
                require(self.file.always(node.site, lambda value: not isinstance(value, Unknown)))
        given = "fails" if self.fails else "holds"
        name = free_name(self.file, self.statement.site, "check", "check_on_host")
        indent, newline = self.file.indentation(self.statement.site), self.file.source.newline
        inner = indent + "    "
        condition = self.holds
        if not self.is_bool():
            condition = self.call("jax.numpy.any" if self.fails else "jax.numpy.all", condition)
        body = [f"{inner}assert holds, {said}"]
        if isinstance(self.statement, ir.If):
            raised = self.file.code(self.statement.body[0].site)
            body = [*with_comments(f"{inner}if fails:", self.said()), f"{inner}    {raised}"]
        called = indent + self.call("jax.debug.callback", name, condition, *values)
        code = newline.join([f"def {name}({', '.join((given, *values))}):", *body, "", called])
        start, space = opening(self.file, self.statement)
        if self.kept:
            start, space = self.file.span(self.statement.site)[0], f"{self.kept}{newline}{newline}{indent}"
        self.edits.append(Edit(start, self.file.span(self.statement.site)[1], space + code))
        return self.fix("Check on the host, in a callback", LATE_ERROR)

    def said(self) -> list[str]:
        """Comments at the head of an `if`."""
        if not isinstance(self.statement, ir.If):
            return []
        return comments_in(self.file, self.file.span(self.test.site)[1], self.file.span(self.statement.body[0].site)[0])

    def made(self, code: str, check: str, changes: str) -> Fix:
        """The statement replaced by a check, below its comment and what is kept of it."""
        above = [each for each in (self.kept, *self.said()[-1:]) if each]
        lines = f"{self.file.source.newline}{self.file.indentation(self.statement.site)}".join([*above, code])
        self.replace(self.statement.site, lines)
        return self.fix(f"Check with `{check.partition('(')[0]}`", changes)


def _names(file: File) -> set[str]:
    """The functions of libraries that a file names."""
    named = [node for node in file.unit.own if isinstance(node, (ir.Name, ir.Attribute))]
    return set[str]().union(*(file.api_names(node.site) for node in named))
