"""Formatting of values: which conversion of a template formats which value, and whether a tracer supports it.

A tracer shows itself where it is asked for text (`{x}`, `{x!r:>8}`, `%s`), and fails where it is asked for a number
(`{x:.2f}`, `%f`). The value of what is differentiated is known: `%d` of it works, and nothing else.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.hazards import FormatOfTracer
from jaxlint.analysis.domain.state import DictObject
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call

_PERCENT = re.compile(
    r"%(?:\((?P<name>[^()]*)\))?[-+ #0]*(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+))?[hlL]?(?P<letter>.)", re.DOTALL
)
_WHOLE = "diouxXc"  # conversions that ask for an integer
_NUMBERS = _WHOLE + "eEfFgG"

Failing = tuple[ir.Node, v.Value] | None


def _of_percent(interpreter: Interpreter, template: str, right: v.Value, node: ir.Node) -> Failing:
    """The value, with its node, that a numeric conversion in ``template % right`` fails for."""
    found = list(_PERCENT.finditer(template.replace("%%", "")))
    if any(match["width"] == "*" or match["precision"] == "*" for match in found):
        return None
    contents = interpreter.contents(right)
    for number, match in enumerate(found):
        if match["letter"] not in _NUMBERS:
            continue
        value, at = right, node
        if match["name"] is not None:
            if type(contents) is not DictObject or match["name"] not in contents.items:
                continue
            value = contents.items[match["name"]]
        elif type(right) is v.Tuple:
            if right.items is None or len(right.items) != len(found):
                continue
            value = right.items[number]
            at = node.elements[number] if type(node) is ir.Sequence and len(node.elements) == len(found) else node
        elif len(found) != 1:
            continue
        level = "bool" if match["letter"] in _WHOLE else "float"
        if interpreter.hard(value, level, containers_fail=True):
            return at, value
    return None


def percent(
    interpreter: Interpreter, node: ir.Node, parts: Sequence[ir.Node], left: v.Value, right: v.Value
) -> v.Value:
    """`"…" % value`: numeric conversions need the number, `%s` and `%r` show the tracer."""
    if len(parts) != 2:  # `operator.mod(*parts)`
        return v.STATIC_STR
    template = left.value if type(left) is v.Const else None
    traced = [leaf for leaf in interpreter.leaves([right]) if interpreter.shows_tracer(leaf)]
    if not traced:
        return v.STATIC_STR
    failing = _of_percent(interpreter, template, right, parts[1]) if isinstance(template, str) else None
    if failing is not None:
        interpreter.report(FormatOfTracer("percent"), node, failing[0], failing[1])
        return v.STATIC_STR
    return v.Text(traced[0], parts[1])


def of_format(interpreter: Interpreter, template: str, call: Call) -> Failing:
    """The value, with its node, that a replacement field with a specification fails for in ``template.format(…)``."""
    if call.star or call.double_star:
        return None
    for name, spec, value, node in _fields(template, call):
        # The name alone: what is reached from a value by `{0.shape:…}` is another one.
        if spec and name.isidentifier() | name.isdigit() and interpreter.hard(value, "float", containers_fail=True):
            return node, value
    return None


def _fields(template: str, call: Call) -> Iterator[tuple[str, str, v.Value, ir.Node]]:
    """Replacement fields without a conversion: name or number, specification, value and its node."""
    automatic = 0
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:  # the program raises as well
        return
    for _, name, spec, conversion in parsed:
        if name is None:
            continue
        if name == "":
            name, automatic = str(automatic), automatic + 1
        if spec is None or conversion:
            continue
        number = position(name)
        if number is not None and number < len(call.args):
            yield name, spec, call.args[number], call.arg_nodes[number]
        elif name in call.keywords:
            yield name, spec, call.keywords[name], call.keyword_nodes.get(name, call.node)


def position(name: str) -> int | None:
    """The position that a replacement field names; None where it names anything else. No call has 10**18 arguments."""
    return int(name.lstrip("0")[:18] or "0") if name.isdecimal() else None


def failed(interpreter: Interpreter, node: ir.Node) -> bool:
    """Whether formatting that fails was found in an expression."""
    return any((FormatOfTracer, each.site) in interpreter.found for each in ir.walk([node]))
