"""The arguments of a call, by position, by name and by the parameter they are for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call
    from jaxlint.knowledge.libraries import Behaviour


def in_order(name: str, node: ir.Call) -> ir.Call:
    """The node of a call of a library function with what it cannot do without in its place, as `Call.in_order` has it."""
    named = {keyword.name: keyword for keyword in node.keywords}
    moved = [] if None in named else list(takewhile(named.__contains__, knowledge.leading(name)[len(node.args) :]))
    if not moved or any(type(each) is ir.Starred for each in node.args):
        return node
    left = tuple([keyword for keyword in node.keywords if keyword.name not in moved])
    return ir.Call(node.site, node.func, (*node.args, *(named[each].value for each in moved)), left)


def arguments(call: Call) -> Iterator[tuple[v.Value, ir.Node]]:
    yield from zip(call.args, call.arg_nodes)
    for name, value in call.keywords.items():
        yield value, call.keyword_nodes.get(name, call.node)


def positions(call: Call) -> Iterator[tuple[v.Value, ir.Node, int | str]]:
    """Arguments with their nodes and the position or name under which they are passed."""
    for number, (value, node) in enumerate(zip(call.args, call.arg_nodes)):
        yield value, node, number
    for name, value in call.keywords.items():
        yield value, call.keyword_nodes.get(name, call.node), name


def bound(found: knowledge.Facts | Behaviour, call: Call) -> list[tuple[str, v.Value, ir.Node]]:
    """(parameter, value, node) for each argument of the call."""
    if call.bound is not None and call.bound[0] is found:  # whoever judges a call asks for the same
        known: list[tuple[str, v.Value, ir.Node]] = call.bound[1]
        return known
    made = []
    if call.args and not call.star:
        ordinary, star = _by_position(found)
        for number, (value, node) in enumerate(zip(call.args, call.arg_nodes)):
            if number < len(ordinary):
                made.append((ordinary[number], value, node))
            elif star is not None:
                made.append((star, value, node))
    for name, value in call.keywords.items():
        made.append((name, value, call.keyword_nodes.get(name, call.node)))
    call.bound = found, made
    return made


def _by_position(found: knowledge.Facts | Behaviour) -> tuple[list[str], str | None]:
    """The names of the parameters that are passed by position, and of the one that takes the rest."""
    known = _orders.get(id(found))
    if known is None:
        ordinary = [p.name for p in found.parameters if p.kind in ("positional-only", "ordinary")]
        star = next((p.name for p in found.parameters if p.kind == "star"), None)
        known = _orders[id(found)] = found, ordinary, star
    return known[1:]


_orders: dict[
    int, tuple[knowledge.Facts | Behaviour, list[str], str | None]
] = {}  # by the identity of the facts, which are kept with it


def parts(interpreter: Interpreter, value: v.Value, node: ir.Node, depth: int = 0) -> Iterator[tuple[v.Value, ir.Node]]:
    """A value and what is nested in its tuples and lists, each with its node where it is written out."""
    items = interpreter.items_of(value) if type(value) in (v.Tuple, v.Ref) and depth < v.MAX_NESTING else None
    if not items:
        yield value, node
        return
    nodes = node.elements if type(node) is ir.Sequence and len(node.elements) == len(items) else [node] * len(items)
    for item, item_node in zip(items, nodes):
        yield from parts(interpreter, item, item_node, depth + 1)


def position_of(found: knowledge.Facts | Behaviour, parameter: str) -> int | None:
    for number, p in enumerate(found.parameters):
        if p.kind not in ("positional-only", "ordinary"):
            return None
        if p.name == parameter:
            return number
    return None
