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
from jaxlint.analysis.domain.hazards import FormatOfTracer, NonScalarConversion
from jaxlint.analysis.domain.state import DictObject
from jaxlint.analysis.interpreter.predicates import has_several
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


def _asked(
    interpreter: Interpreter, template: str, right: v.Value, node: ir.Node
) -> Iterator[tuple[ir.Node, v.Value, str]]:
    """The values that numeric conversions in ``template % right`` ask for, with their nodes, and what they need."""
    found = list(_PERCENT.finditer(template.replace("%%", "")))
    if any(match["width"] == "*" or match["precision"] == "*" for match in found):
        return
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
        yield at, value, "bool" if match["letter"] in _WHOLE else "float"


def of_array(interpreter: Interpreter, node: ir.Node, at: ir.Node, value: v.Value, spec: v.Value) -> bool:
    """Whether a specification formats an array that has axes, which takes none; recorded if so."""
    if type(value) is not v.Array or value.presumed or value.aval.dtype in v.KEYS or interpreter.possible:
        return False
    asked = type(spec) is v.Const and isinstance(spec.value, str) and spec.value != ""
    if not asked or not value.aval.shape:
        return False
    interpreter.report(NonScalarConversion(value.aval.shape), node, at, value, api="format")
    return True


def percent(
    interpreter: Interpreter, node: ir.Node, parts: Sequence[ir.Node], left: v.Value, right: v.Value
) -> v.Value:
    """`"…" % value`: numeric conversions need the number, `%s` and `%r` show the tracer."""
    if len(parts) != 2:  # `operator.mod(*parts)`
        return v.STATIC_STR
    template = left.value if type(left) is v.Const else None
    for at, value, level in _asked(interpreter, template, right, parts[1]) if isinstance(template, str) else ():
        if interpreter.hard(value, level, containers_fail=True):
            interpreter.report(FormatOfTracer("percent"), node, at, value)
            return v.STATIC_STR
        if has_several(interpreter, node, at, value, "format"):
            return v.STATIC_STR
    traced = [leaf for leaf in interpreter.leaves([right]) if interpreter.shows_tracer(leaf)]
    return v.Text(traced[0], parts[1]) if traced else v.STATIC_STR


def of_format(interpreter: Interpreter, template: str, call: Call) -> Failing:
    """The traced value, with its node, that a replacement field with a specification fails for in ``template.format(…)``."""
    if call.star or call.double_star:
        return None
    for name, spec, value, node in _fields(template, call):
        # The name alone: what is reached from a value by `{0.shape:…}` is another one.
        if spec and name.isidentifier() | name.isdigit() and interpreter.hard(value, "float", containers_fail=True):
            return node, value
        if name.isidentifier() | name.isdigit() and of_array(interpreter, call.node, node, value, v.Const(spec)):
            return None
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
