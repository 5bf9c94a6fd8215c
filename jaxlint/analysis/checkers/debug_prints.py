"""`jax.debug.print`: whether its template and its arguments fit, and whether the text is still a template.

JAX formats when the compiled code runs, but counts what the template uses while the code is traced.
"""

from __future__ import annotations

import re
import string
from typing import Any, NamedTuple

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.formatting import position
from jaxlint.ir import nodes as ir

_OPTIONS = frozenset({"ordered", "partitioned", "skip_format_check", "_use_logging"})
_BROKEN_SINCE = "0.7.2"  # a brace before the first placeholder
_NUMERIC = re.compile(r".*[bcdeEfFgGnoxX%]\Z")


@hazard_class()
class DebugPrintLeadingBrace(Hazard):
    """A literal brace before the first placeholder of `jax.debug.print` breaks the template.

    Site: the call; operand: the template; api.
    """

    effect: str


@hazard_class(consequence=Consequence.SILENT)
class DebugPrintOfFormattedString(Hazard):
    """`jax.debug.print` is given text into which a tracer has been formatted already. Site: the argument."""

    form: str


@hazard_class()
class DebugPrintArguments(Hazard):
    """Template and arguments of a print do not fit. Site: the call; operand: the template or an argument."""

    reason: str  # "unused", "print style", "missing", "mixed", "malformed", "no text" or "specification"
    what: str = ""  # the placeholder or specification; the parser's words


class Placeholder(NamedTuple):
    """A replacement field: the position or name it asks for, whether it goes further, and its specification."""

    key: Any
    whole: bool
    spec: str


class DebugPrints(Checker):
    """Calls of `jax.debug.print` whose template and arguments do not fit."""

    def subscribe(self, events: Events) -> None:
        events.debug_printed.append(self.call)

    def call(self, name: str, call: Call) -> None:
        template, node = call.get(0, "fmt"), call.node_of(0, "fmt")
        if template is None or node is None:
            return
        if type(template) is v.Text:
            self.i.report(
                DebugPrintOfFormattedString(_formatting(node)),
                node,
                template.node,
                template.traced,
                api="jax.debug.print",
            )
        elif call.star or call.double_star or "fmt" in call.keywords or "skip_format_check" in call.keywords:
            pass
        elif type(template) is v.Const and type(template.value) is str:
            self.template(name, template.value, node, call)
        elif type(template) in (v.Array, v.Host, v.Undecided) or v.python_type(template) in v.NUMERIC_TYPES:
            self.wrong(name, call, node, DebugPrintArguments("no text"))

    def template(self, name: str, text: str, node: ir.Node, call: Call) -> None:
        try:
            found = placeholders(text)
        except ValueError as error:
            self.wrong(name, call, node, DebugPrintArguments("malformed", str(error)))
            return
        if found is None:
            self.wrong(name, call, node, DebugPrintArguments("mixed"))
            return
        given: dict[int | str, tuple[v.Value, ir.Node]] = dict(enumerate(zip(call.args[1:], call.arg_nodes[1:])))
        for word, value in call.keywords.items():
            if word not in _OPTIONS:
                given[word] = value, call.keyword_nodes.get(word, call.node)
        used = {each.key for each in found}
        missing = next((each.key for each in found if each.key not in given), None)
        unused = next((key for key in given if key not in used), None)
        if missing is not None:
            what = f"{{{missing}}}" if isinstance(missing, str) else f"number {missing}"
            self.wrong(name, call, node, DebugPrintArguments("missing", what))
        elif unused is not None:
            self.wrong(name, call, given[unused][1], DebugPrintArguments("unused" if found else "print style"))
        elif found and _leads_with_brace(text) and self.is_broken():
            by_name = any(isinstance(key, str) for key in given)
            self.i.report(
                DebugPrintLeadingBrace("fails" if by_name else "prints"), call.node, node, v.UNKNOWN, api=name
            )
        else:
            self.specifications(name, found, given, call)

    def is_broken(self) -> bool:
        """Whether a release that is aimed at misreads a template that begins with a brace."""
        releases = self.i.target.of("jax")
        return releases is not None and releases.limited(">=", _BROKEN_SINCE) is not None

    def specifications(
        self, name: str, found: list[Placeholder], given: dict[int | str, tuple[v.Value, ir.Node]], call: Call
    ) -> None:
        """A specification for numbers takes a scalar, and `d` an integer."""
        for each in found:
            value, node = given[each.key]
            aval = value.aval if isinstance(value, (v.Array, v.Host)) else v.ANY
            if not each.whole or not _NUMERIC.match(each.spec) or "{" in each.spec:
                continue
            number = aval.shape == () and aval.dtype is not None and aval.dtype.startswith("float")
            if aval.shape or (number and each.spec[-1] in "bcdoxX"):
                self.wrong(name, call, node, DebugPrintArguments("specification", each.spec))
                return

    def wrong(self, name: str, call: Call, operand: ir.Node, hazard: DebugPrintArguments) -> None:
        self.i.report(hazard, call.node, operand, v.UNKNOWN, api=name)


def placeholders(text: str, numbered: list[int] | None = None, depth: int = 2) -> list[Placeholder] | None:
    """The fields of a template; None where some are numbered and others are not.

    Raises ValueError where `str.format` does: also for fields more than ``depth`` deep in one another.
    """
    if not depth:
        raise ValueError("fields are nested too deeply")
    found: list[Placeholder] = []
    counted = numbered if numbered is not None else [0]
    explicit = False
    for _, field, spec, conversion in string.Formatter().parse(text):
        if field is None:
            continue
        key: Any = re.split(r"[.\[]", field, maxsplit=1)[0]
        whole = key == field and not conversion
        if key == "":
            key, counted[0] = counted[0], counted[0] + 1
        elif position(key) is not None:
            key, explicit = position(key), True
        found.append(Placeholder(key, whole, spec or ""))
        inner = placeholders(spec, counted, depth - 1) if spec and "{" in spec else []
        if inner is None:
            return None
        found += inner
    return None if explicit and counted[0] else found


def _leads_with_brace(text: str) -> bool:
    """Whether a brace stands for itself before the first field."""
    for literal, field, _, _ in string.Formatter().parse(text):
        if "{" in literal or "}" in literal:
            return True
        if field is not None:
            return False
    return False


def _formatting(node: ir.Node) -> str:
    if type(node) is ir.Format:
        return "f-string"
    if type(node) is ir.Binary:
        return "percent" if node.op == "%" else "concat"
    return "format"
