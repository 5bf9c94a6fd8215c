"""What runs over what it is given: `enumerate`, `zip`, `reversed`, `iter`, `next`, `map`, `filter`, and of itertools `count`, `product`, `repeat`."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.interpreter import predicates
from jaxlint.analysis.interpreter.trip_count import items_in_turn, sources

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_PRODUCTS = 64  # rows of one product


def number_of_keys(interpreter: Interpreter, value: v.Value) -> int | None:
    """How many keys an array has; None where it may be a single key, as a legacy one that `split` did not make, or is no array of keys."""
    if type(value) is not v.Array or value.aval.dtype not in v.KEYS or not value.aval.shape:
        return None
    count, may_be_one = value.aval.shape[0], value.aval.dtype != v.TYPED_KEY and len(value.aval.shape) == 1
    if may_be_one and value.ident not in interpreter.key_arrays.splits:
        return None
    return count if isinstance(count, int) else None


def _form(call: Call) -> str:
    """The form of an iterator over these arguments."""
    return "yields" if any(type(each) is v.Iterator and each.form == "yields" for each in call.args) else "generator"


def key_of(keys: v.Value) -> v.Value:
    """One of an array of keys, which is none of those that were taken before."""
    assert type(keys) is v.Array
    return v.Array(keys.mode, v.first_key(keys.aval), keys.origin, v.fresh())


class Iteration(Component):
    """Base of the builtins."""

    def iterated(self, call: Call) -> Call:
        """The call with what its arguments give where they are iterated over."""
        if call.star:
            return call
        args = [self.i.iterated(node, value) for value, node in zip(call.args, call.arg_nodes)]
        return Call(call.node, args, call.arg_nodes, call.keywords, call.keyword_nodes, call.star, call.double_star)

    def do_enumerate(self, call: Call) -> v.Value:
        if not call.args:
            return v.UNKNOWN
        call = self.iterated(call)
        items = items_in_turn(self.i, call.args[0])
        start = call.get(1, "start")
        if items is not None and (start is None or type(start) is v.Const) and len(items) <= 32:
            first = start.value if type(start) is v.Const and isinstance(start.value, int) else 0
            pairs = tuple(v.Tuple((v.Const(first + n), item)) for n, item in enumerate(items))
            any_pair = v.summary(v.Tuple(pairs)) if pairs else v.Tuple((v.STATIC_INT, v.UNKNOWN))
            return v.Iterator(any_pair, pairs, over=sources(call.args[:1]))
        element = self.i.element_of(call.arg_nodes[0], call.args[0])
        return v.Iterator(v.Tuple((v.Static("int", v.fresh()), element)), form=_form(call))

    def do_zip(self, call: Call) -> v.Value:
        call = self.iterated(call)
        lists = [items_in_turn(self.i, value) for value in call.args]
        known = [len(items) for items in lists if items is not None]
        if known and min(known) <= _PRODUCTS and not call.star:
            for number, (value, items) in enumerate(zip(call.args, lists)):
                count = number_of_keys(self.i, value) if items is None else None
                if count is not None and count >= min(known):
                    lists[number] = [key_of(value) for _ in range(min(known))]
        if lists and not call.star and all(items is not None for items in lists):
            rows = tuple(v.Tuple(tuple(row)) for row in zip(*lists))
            return v.Iterator(v.summary(v.Tuple(rows)), rows, over=sources(call.args))
        elements = tuple(self.i.element_of(node, value) for value, node in zip(call.args, call.arg_nodes))
        return v.Iterator(v.Tuple(None if call.star else elements, v.UNKNOWN), form=_form(call))

    def do_reversed(self, call: Call) -> v.Value:
        if not call.args:
            return v.UNKNOWN
        items = items_in_turn(self.i, call.args[0])
        element = self.i.element_of(call.arg_nodes[0], call.args[0])
        return v.Iterator(element, tuple(reversed(items)) if items is not None else None, over=sources(call.args[:1]))

    def do_iter(self, call: Call) -> v.Value:
        if len(call.args) != 1:
            return v.Unknown(v.fresh())
        call = self.iterated(call)
        return v.Iterator(self.i.element_of(call.arg_nodes[0], call.args[0]))

    def do_next(self, call: Call) -> v.Value:
        if call.args and type(call.args[0]) is v.Iterator:
            element: v.Value = self.i.iterators.next(call, call.args[0])
            return element
        return v.Unknown(v.fresh())

    def do_map(self, call: Call) -> v.Value:
        if len(call.args) < 2:
            return v.Unknown(v.fresh())
        items = self.i.items_of(call.args[1]) if len(call.args) == 2 else None
        if items is not None and len(items) <= 8:
            results = tuple(self.i.call(call.args[0], self.i.simple_call(call.node, [item])) for item in items)
            element = results[0] if results else v.UNKNOWN
            for other in results[1:]:
                element = v.join(element, other)
            return v.Iterator(element, results)
        elements = [self.i.element_of(node, value) for value, node in zip(call.args[1:], call.arg_nodes[1:])]
        return v.Iterator(self.i.call(call.args[0], self.i.simple_call(call.node, elements)))

    def do_filter(self, call: Call) -> v.Value:
        return predicates.filtered(self.i, call)

    def of_itertools(self, last: str, call: Call) -> v.Value | None:
        if last == "count":
            return v.Iterator(v.STATIC_INT)
        if last == "product" and call.args and not (call.star or call.keywords):
            return self.product(call)
        if last == "repeat" and call.args and not call.star:
            return self.repeated(call)
        return None

    def repeated(self, call: Call) -> v.Value:
        times = call.get(1, "times")
        if times is None:
            return v.Iterator(call.args[0])
        number = times.value if type(times) is v.Const and isinstance(times.value, int) else _PRODUCTS + 1
        return v.Iterator(call.args[0], (call.args[0],) * max(number, 0) if number <= _PRODUCTS else None, over=())

    def product(self, call: Call) -> v.Value:
        factors = [items_in_turn(self.i, value) for value in call.args]
        known = [items for items in factors if items is not None]
        if len(known) == len(factors) and math.prod(map(len, known)) <= _PRODUCTS:
            rows = tuple(v.Tuple(row) for row in itertools.product(*known))
            return v.Iterator(v.summary(v.Tuple(rows)), rows, over=())
        return v.Iterator(
            v.Tuple(tuple(self.i.element_of(node, value) for value, node in zip(call.args, call.arg_nodes)))
        )
