"""`assert` and `if …: raise` on traced values, as checks that run with the compiled program.

What the file imports decides how: `equinox.error_if` where it uses Equinox, a host callback where it
has such callbacks already, else `checkify.debug_check`, which checks where `checkify.checkify` is applied.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.domain.hazards import Hazard
from jaxlint.analysis.domain.values import Array, Unknown
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import defining_scope
from jaxlint.rewrite.blocks import opening
from jaxlint.rewrite.changes import IN_CHECKIFY, LATE_ERROR
from jaxlint.rewrite.comments import comments_in, with_comments
from jaxlint.rewrite.file import File
from jaxlint.rewrite.loops.loop_carry import is_read_elsewhere
from jaxlint.rewrite.operands import argument, beside
from jaxlint.rewrite.printing.called_back import traced_names
from jaxlint.rewrite.printing.print_template import template
from jaxlint.rewrite.statements import free_name, is_elif
from jaxlint.source.diagnostic import Edit, Fix, ImportRequest

_CHECKIFY, _EQUINOX, _CALLBACK = "checkify", "equinox", "callback"
_NEGATED = {"==": "!=", "!=": "=="}


def assertion(hazard: Hazard, file: File) -> Fix | None:
    """The fix for an `assert` whose test is the traced value, or joins it to others that Python knows by `and`."""
    test = file.unit.nodes[hazard.operand]
    while isinstance(test, ir.Boolean) and test.op == "and":
        test = test.right  # the last of what is joined is what cannot be told
    statement = file.unit.statement(test.site)
    if not isinstance(statement, ir.Assert):
        return None
    parts = list(_conjuncts(statement.test))
    if all(part is not test for part in parts):
        return None
    others = [argument(file, part.site) for part in parts if part is not test]
    kept = ""
    if others:
        message = f", {argument(file, statement.message.site)}" if statement.message is not None else ""
        kept = f"assert {' and '.join(others)}{message}"
    return _Writer(file, test, statement, statement.message, kept).fix(fails=False)


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
            return None if is_elif(file, statement) else _Writer(file, test, statement, said).fix(fails=True)
    return None


class _Writer:
    """``kept`` is what stays of the statement."""

    def __init__(
        self, file: File, test: ir.Node, statement: ir.Assert | ir.If, message: ir.Node | None, kept: str = ""
    ) -> None:
        self.kept = kept
        self.file = file
        self.statement = statement
        self.message = message
        self.test = test
        self.holds = argument(file, test.site)  # booleans of any shape
        self.imports: frozenset[ImportRequest] = frozenset()

    def fix(self, fails: bool) -> Fix | None:
        """``fails``: whether it is an error when the test holds, or when it does not."""
        way = self.way()
        if way == _EQUINOX:
            return self.error_if(fails) or self.callback(fails)
        if way == _CALLBACK:
            return self.callback(fails)
        return self.debug_check(fails) or self.callback(fails)

    def way(self) -> str:
        used = self.file.once("library_names", self.file.unit.filename, lambda: _names(self.file))
        if any(name.startswith("jax.experimental.checkify") for name in used):
            return _CHECKIFY
        if any(name.split(".")[0] == "equinox" for name in used):
            return _EQUINOX
        callbacks = ("jax.debug.callback", "jax.experimental.io_callback", "jax.pure_callback")
        return _CALLBACK if used.intersection(callbacks) else _CHECKIFY

    def call(self, name: str, *arguments: str) -> str:
        spelled, more = self.file.api(name)
        self.imports |= more
        return f"{spelled}({', '.join(arguments)})"

    def is_bool(self) -> bool:
        values = self.file.values(self.test.site)
        return bool(values) and all(isinstance(value, Array) and value.aval.dtype == "bool" for value in values)

    def negated(self) -> str:
        test = self.test
        if isinstance(test, ir.Compare) and len(test.ops) == 1 and test.ops[0] in _NEGATED:
            # Other comparisons are both false for NaN.
            left, right = beside(self.file, test.left.site), beside(self.file, test.rights[0].site)
            return f"{left} {_NEGATED[test.ops[0]]} {right}"
        if isinstance(test, ir.Call) and len(test.args) == 1:
            if self.file.is_api(test.func.site, "jax.numpy.logical_not"):
                return argument(self.file, test.args[0].site)
        return self.call("jax.numpy.logical_not", self.holds)

    def text(self) -> str | None:
        """The message as a string literal without values in it."""
        if self.message is None:
            code = " ".join(self.file.code(self.test.site).split())
            return repr(code) if set(code) & {'"', "\\"} else f'"{code}"'
        if isinstance(self.message, ir.Constant) and isinstance(self.message.value, str):
            return self.file.code(self.message.site)
        return None

    def debug_check(self, fails: bool) -> Fix | None:
        said, values = self.text(), []
        if said is not None:
            # The message is a template: braces in it are doubled.
            if self.message is not None and ("{" in said or "}" in said):
                return None
            said = said.replace("{", "{{").replace("}", "}}")
        elif self.message is not None:
            made = template(self.file, self.message.site)
            # Only arrays go by name, and a template that starts with `f` keeps static values.
            if made is None or made.positional or {"pred", "msg", "debug"}.intersection(made.named):
                return None
            said, values = made.text, made.arguments
        if said is None:
            return None
        condition = self.negated() if fails else self.holds
        if not self.is_bool():
            condition = self.call("jax.numpy.all", condition)
        code = self.call("jax.experimental.checkify.debug_check", condition, said, *values)
        return self.made(code, f"Check with `{code.partition('(')[0]}`", IN_CHECKIFY)

    def error_if(self, fails: bool) -> Fix | None:
        said, name = self.text(), self.threaded()
        if said is None or name is None:
            return None
        condition = self.holds if fails else self.negated()
        checked = self.call("equinox.error_if", name, condition, said)
        return self.made(f"{name} = {checked}", f"Check with `{checked.partition('(')[0]}`", LATE_ERROR)

    def threaded(self) -> str | None:
        """A name of the test that is an array and is read afterwards: the check runs because it is used."""
        scope = self.file.unit.scope(self.statement.site)
        for node in ir.walk([self.test], into_scopes=False):
            if not isinstance(node, ir.Name) or defining_scope(self.file.unit, node.site, node.id) is not scope:
                continue
            kinds = {type(value) for value in self.file.values(node.site)}
            if kinds and all(kind.__name__ in ("Array", "Undecided", "Unknown") for kind in kinds):
                name: str = node.id
                if is_read_elsewhere(self.file.unit, self.statement, name):
                    return name
        return None

    def callback(self, fails: bool) -> Fix | None:
        said = self.text()
        if said is None:
            assert self.message is not None  # else the test is the text
            said = self.file.code(self.message.site)
        scope = self.file.unit.scope(self.statement.site)
        values = traced_names(self.file, ir.walk([self.message])) if self.message is not None else []
        given = "fails" if fails else "holds"
        if values is None or not self.is_known(scope) or not isinstance(scope, ir.Function):
            return None
        if given in scope.locals | scope.free:
            return None
        parameters = ", ".join((given, *values))
        name = free_name(self.file, self.statement.site, "check", "check_on_host")
        indent, newline = self.file.indentation(self.statement.site), self.file.source.newline
        inner = indent + "    "
        condition = self.holds
        if not self.is_bool():
            condition = self.call("jax.numpy.any" if fails else "jax.numpy.all", condition)
        if fails:
            assert isinstance(self.statement, ir.If)
            raised = self.statement.body[0]
            head = with_comments(f"{inner}if fails:", self.said())
            lines = [f"def {name}({parameters}):", *head, f"{inner}    {self.file.code(raised.site)}"]
        else:
            lines = [f"def {name}({parameters}):", f"{inner}assert holds, {said}"]
        code = newline.join([*lines, "", indent + self.call("jax.debug.callback", name, condition, *values)])
        start, space = opening(self.file, self.statement)
        if self.kept:
            start, space = self.file.span(self.statement.site)[0], f"{self.kept}{newline}{newline}{indent}"
        edit = Edit(start, self.file.span(self.statement.site)[1], space + code)
        return Fix("Check on the host, in a callback", (edit,), imports=self.imports, changes=LATE_ERROR)

    def said(self) -> list[str]:
        """Comments at the head of an `if`."""
        if not isinstance(self.statement, ir.If):
            return []
        return comments_in(self.file, self.file.span(self.test.site)[1], self.file.span(self.statement.body[0].site)[0])

    def is_known(self, scope: ir.Scope) -> bool:
        """Whether of each variable in the message it is known if it holds a tracer, which a callback must be given."""
        names = [
            node for node in ir.walk([self.message] if self.message is not None else []) if isinstance(node, ir.Name)
        ]
        return not any(
            not values or any(isinstance(value, Unknown) for value in values)
            for node in names if node.id in scope.locals
            for values in [self.file.values(node.site)]
        )  # fmt: skip

    def made(self, code: str, title: str, changes: str) -> Fix:
        if self.said():
            code = f"{self.said()[-1]}{self.file.source.newline}{self.file.indentation(self.statement.site)}{code}"
        if self.kept:
            code = f"{self.kept}{self.file.source.newline}{self.file.indentation(self.statement.site)}{code}"
        edit = self.file.replace(self.statement.site, code)
        return Fix(title, (edit,), imports=self.imports, changes=changes)


def _names(file: File) -> set[str]:
    """The functions of libraries that a file names."""
    named = [node for node in file.unit.own if isinstance(node, (ir.Name, ir.Attribute))]
    return set[str]().union(*(file.api_names(node.site) for node in named))
