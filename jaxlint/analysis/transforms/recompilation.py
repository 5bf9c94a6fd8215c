"""Compiled functions that are made and called in each pass of a loop.

`jax.jit` remembers what it has compiled by the function it was given. A lambda, a nested function, a
partial, a bound method or the result of another transform is another object in each pass, though it
says the same: it is traced and compiled each time.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import arguments
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import EAGER, Frame, runs_as_called
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.transforms.argument_sources import LEAST_MADE, times
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import transform as transform_of

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_KEPT = frozenset({"lru_cache", "cache", "cached_property"})
# Functions that take sizes, and need them as Python numbers.
_SIZED = frozenset(
    "range int zeros ones full empty eye arange linspace reshape tile repeat roll split broadcast_to one_hot".split()
)
# Transforms whose result JAX tells apart by their function, and not by identity.
_CACHED = frozenset({"jit", "checkpoint", "pmap"})


# Control flow that compiles its functions where it is called outside of any transform, and finds the same functions again.
FLOWS = frozenset(f"jax.lax.{name}" for name in ("scan", "while_loop", "fori_loop", "cond", "switch"))


Captured = dict[int, dict[str, v.Value]]  # id of a function -> values of its free variables


@hazard_class(consequence=Consequence.SILENT)
class JitOfFreshCallable(Hazard):
    """A new function object is compiled in each pass of a loop. Site: the jit; operand: the same."""

    what: str
    loop: int


class Use(NamedTuple):
    """One call of a compiled function, with what its function closes over at that time."""

    made: v.Transformed  # for control flow: one of the functions that it runs
    captured: Captured
    site: int  # of the call
    turn: int  # how often remembered calls had given the function by then, another one each time


class FreshCallables(Component):
    """Component of the interpreter: which compiled functions each pass of a loop makes anew."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Site of a jit or of control flow, and of the function that it is given -> the last call.
        self.last: dict[tuple[int, int], Use] = self.i.per_module({})
        self.created: dict[int, tuple[v.Transformed, int]] = {}  # by id, with a serial number
        self.given: dict[int, int] = {}  # id of what a remembered call gives -> how often one did
        self.log: list[Use] = []
        interpreter.events.library_function_called.append(self.flows_through, FLOWS)
        self.varying: set[int] = self.i.per_module(set())  # frames that stand for calls with different values

    def make(self, made: v.Transformed) -> None:
        kept = any(_KEPT & self.i.marked.get(site, set()) for site in self.i.stack)
        # Equinox takes a module or a method of one apart, as any tree, and knows it again; a function it does not.
        inner = v.untransformed(made.function)
        compiles = (
            made.transform.behaviour == "jit" or made.transform.behaviour == "filter" and type(inner) is v.FunctionValue
        )
        if compiles and not kept and not self.guarded(made.site):
            self.created[id(made)] = made, v.fresh()[0]

    def guarded(self, site: int) -> bool:
        """Whether it is made under a condition, as what is made once is."""
        for around in self.i.unit.ancestors(site):
            if isinstance(around, (ir.If, ir.Try, ir.Conditional, ir.Boolean)):
                return True
            if isinstance(around, (ir.Function, ir.For, ir.While, ir.Comprehension)) and around.site != site:
                # A decorator stands inside of the function it decorates.
                if not (isinstance(around, ir.Function) and any(site == d.site for d in around.decorators)):
                    return False
        return False

    def called(self, made: v.Transformed, call: Call) -> None:
        if call.site in self.i.transforms.applied or id(made) not in self.created:
            return
        if "out_shardings" in made.options and not call.all():
            return  # it makes an array where it belongs, which no function outside of `jit` does
        captured: Captured = {}
        self.capture(made.function, captured)
        self.use(Use(made, captured, call.site, self.given.get(id(made), 0)))

    def flows_through(self, name: str, _func: v.Value, call: Call) -> None:
        """Control flow runs functions: outside of any transform they are compiled, once for each function object."""
        context = self.i.context
        if context.origin is not None or context.level is not None or context.stage != EAGER or context.transparent:
            return
        transform = transform_of(name)
        assert transform is not None
        for value in call.all():
            for each in (value, *((self.i.items_of(value) or ()) if self.i.is_list(value) else ())):
                if type(each) is v.FunctionValue and each.frame.parent is not None:
                    made = v.Transformed(transform, each, {}, call.site)
                    self.created[id(made)] = made, v.fresh()[0]
                    captured: Captured = {}
                    self.capture(each, captured)
                    if self.use(Use(made, captured, call.site, self.given.get(id(made), 0))):
                        return

    def use(self, use: Use, again: int | None = None) -> bool:
        """Remember a call, and report it if the pass before made the same program of another object."""
        made = use.made
        if not runs_as_called(self.i.context) or self.i.possible:
            return False
        inner = v.untransformed(made.function)
        place = made.site, inner.function.site if type(inner) is v.FunctionValue else -1
        before = self.last.get(place)
        self.last[place] = use
        self.log.append(use)
        what = kind_of(made.function)
        if self.i.loop_entry is None or before is None or what is None:
            return False
        is_alike = before.made is made or _identified_by(before.made) is _identified_by(made)
        if again is None and is_alike and before.turn == use.turn:
            return False
        if not same(before.made.function, made.function, before.captured, use.captured) and not self.is_once(
            before, use
        ):
            return False
        node, loop = self.i.unit.nodes[made.site], self.i.loop_entry[0].site
        at = use.site if again is None else again
        inside = any(around.site == loop for around in self.i.unit.ancestors(made.site))
        if not inside and any(of_any_shape(part) and not self.is_window(part, at) for part in self.parts(use)):
            return False  # a loop elsewhere may well call it for data of another shape each time
        count = times(self.i, self.i.loop_entry[0])
        if not inside and made.transform.name in FLOWS and count is not None and count < LEAST_MADE:
            return False  # which costs little
        self.i.report(JitOfFreshCallable(what, loop), node, node, made.function, api=made.transform.name)
        return True

    def is_window(self, part: v.Value, at: int) -> bool:
        """Whether the loop passes a slice of one length, `path[i : i + n]`, for a part of which no more is known."""
        assert self.i.loop_entry is not None
        loop = self.i.loop_entry[0]
        for site in (*self.i.chain, at):
            call = self.i.last_calls.get(site) if any(each is loop for each in self.i.unit.ancestors(site)) else None
            for value, node in () if call is None else arguments(call):
                if value is part or (value.ident is not None and value.ident == part.ident):
                    return _is_window(node)
        return False

    def is_once(self, before: Use, use: Use) -> bool:
        """Whether each pass compiles a function of another number for one call, where any function of the number would do."""
        loop = self.i.loop_entry
        assert loop is not None
        if use.made.transform.name not in FLOWS and (
            before.site != use.site
            or type(loop[0]) is not ir.For
            or not all(self.around(site) is loop[0] for site in (use.made.site, use.site))
        ):
            return False
        first, second = before.made.function, use.made.function
        if type(first) is v.Partial and type(second) is v.Partial and not second.args:
            inner = second.function
            if type(inner) is not v.FunctionValue or inner is not first.function:
                return False
            return all(self.is_operand(inner.function, name) for name in second.keywords)
        if type(first) is not v.FunctionValue or type(second) is not v.FunctionValue:
            return False
        old, new = before.captured.get(id(first), {}), use.captured.get(id(second), {})
        if first.function is not second.function or old.keys() != new.keys():
            return False
        changed = [name for name in old if not same(old[name], new[name], before.captured, use.captured)]
        return all(
            v.python_type(old[name]) == v.python_type(new[name]) == "float"
            and self.is_operand(second.function, name, True)
            for name in changed
        )

    def around(self, site: int) -> ir.Node | None:
        """The loop or function that a place is in."""
        kinds = (ir.For, ir.While, ir.Comprehension, ir.Scope)
        return next((each for each in self.i.unit.ancestors(site) if isinstance(each, kinds)), None)

    def is_operand(self, function: ir.Function, name: str, handed_on: bool = False) -> bool:
        """Whether a function does no more with a parameter than arithmetic in the arguments of functions of JAX.

        ``handed_on``: it may pass it as it is, as a float, which is no size.
        """
        uses = [node for node in ir.walk(function.body) if type(node) is ir.Name and node.id == name]
        for use in uses:
            part: ir.Node = use
            above = self.i.unit.parent(part.site)
            while isinstance(above, (ir.Binary, ir.Unary, ir.Sequence)) and getattr(above, "op", "") not in (
                "not",
                "@",
            ):
                part, above = above, self.i.unit.parent(above.site)
            if (part is use and not (handed_on and isinstance(above, ir.Call))) or not isinstance(
                above, (ir.Return, ir.Assign, ir.Augment, ir.Call)
            ):
                return False
            if isinstance(above, ir.Call) and ir.last_part(above.func) in _SIZED:
                return False
        return bool(uses)

    def since(self, mark: int, entry: int) -> list[Use]:
        """Calls since ``mark`` of what was made since ``entry``; a call that is remembered makes and calls it again."""
        return [use for use in self.log[mark:] if self.created[id(use.made)][1] > entry]

    def again(self, uses: list[Use], made: Container[int], site: int) -> None:
        """A remembered call, now at ``site``, makes and calls functions once more; ``made``: the objects that it makes anew."""
        for use in uses:
            function = use.made.function
            if type(function) is v.FunctionValue and function.frame.parent is None:
                continue  # a function of a module, which a call does not make
            parts = self.parts(use)
            if all(settled(each) or (type(each) is v.Ref and each.location not in made) for each in parts):
                self.created[id(use.made)] = use.made, v.fresh()[0]
                self.use(use, again=site)

    def not_run_again(self, result: v.Value, given: dict[str, v.Value]) -> None:
        """A remembered call gave functions, which close over what may be another number each time."""
        if any(type(value) in (v.Static, v.MaybeDefault) for value in given.values()):
            for leaf in self.i.leaves([result]):
                if type(leaf) is v.FunctionValue:
                    self.varying.add(leaf.frame.serial)

    def given_again(self, result: v.Value) -> None:
        """A remembered call gives what it gave before, where a call that is run makes it anew."""
        for value in (result.items or ()) if type(result) is v.Tuple else (result,):
            inner = v.untransformed(value)
            if inner is not value and type(inner) is v.FunctionValue and inner.frame.parent is not None:
                self.given[id(value)] = self.given.get(id(value), 0) + 1

    def parts(self, use: Use) -> list[v.Value]:
        """All that decides which program it is."""
        found = [value for variables in use.captured.values() for value in variables.values()]
        value = use.made.function
        while isinstance(value, (v.Partial, v.BoundMethod, v.Transformed)):
            given = value.options if isinstance(value, v.Transformed) else getattr(value, "keywords", {})
            found += [*getattr(value, "args", ()), *given.values()]
            value = value.function
        return found

    def capture(self, value: v.Value, into: Captured) -> None:
        if isinstance(value, v.FunctionValue) and id(value) not in into:
            found = into.setdefault(id(value), {})
            for name in value.function.free:
                frame: Frame | None = value.frame
                while frame is not None:
                    assert self.i.state is not None
                    variables = self.i.state.frames.get(frame.serial, {})
                    if name in variables:
                        if frame.serial in self.varying and type(variables[name]) in (v.Static, v.MaybeDefault):
                            found[name] = v.Unknown(v.fresh())
                            break
                        # A name of the module has the same value in each pass, unless the loop binds it.
                        found[name] = variables[name]
                        if frame.parent is not None:  # what a function of the module reads is of the module
                            self.capture(variables[name], into)
                        break
                    frame = frame.parent
        elif isinstance(value, (v.Partial, v.BoundMethod, v.Transformed)):
            self.capture(value.function, into)


def _is_window(node: ir.Node) -> bool:
    """Whether it is a slice whose end is its start plus something: as long in each pass, but for the last ones."""
    index = node.index if type(node) is ir.Subscript else None
    if type(index) is ir.Sequence and index.elements:
        index = index.elements[0]
    if type(index) is not ir.Slice or index.lower is None or index.step is not None:
        return False
    end = index.upper
    return (
        isinstance(end, ir.Binary)
        and end.op == "+"
        and any(_is_alike(each, index.lower) for each in (end.left, end.right))
    )


def _is_alike(first: ir.Node, second: ir.Node) -> bool:
    """Whether two sums and products of variables and numbers are written alike."""
    if isinstance(first, ir.Binary) and isinstance(second, ir.Binary):
        return first.op == second.op and _is_alike(first.left, second.left) and _is_alike(first.right, second.right)
    if isinstance(first, ir.Constant) and isinstance(second, ir.Constant):
        return bool(first.value == second.value)
    return ir.dotted(first) is not None and ir.dotted(first) == ir.dotted(second)


def settled(value: v.Value) -> bool:
    """Whether a value is data, or the same whenever it is of the same kind."""
    if type(value) is v.Tuple:
        return value.items is not None and all(map(settled, value.items))
    return type(value) in (v.Array, v.Host, v.Undecided, v.Const, v.FunctionValue, v.Api, v.ClassValue)


def of_any_shape(value: v.Value) -> bool:
    """Whether a value is data, or holds data, whose shape is not known."""
    if type(value) is v.Tuple:
        return value.items is None or any(map(of_any_shape, value.items))
    if not isinstance(value, (v.Array, v.Host)):
        return type(value) is v.Undecided
    return value.aval.shape is None or not all(isinstance(size, int) for size in value.aval.shape)


def _identified_by(made: v.Transformed) -> v.Value:
    """The function by which JAX finds again what it has compiled: transforms of Equinox are equal where theirs is the same."""
    return v.untransformed(made.function, "equinox.")


def kind_of(function: v.Value) -> str | None:
    """What is made anew, in words; None for what JAX finds again."""
    function = v.untransformed(function, "equinox.")
    if isinstance(function, v.FunctionValue):
        return "a lambda" if function.function.is_lambda else f"the nested function `{function.function.name}`"
    if isinstance(function, v.Partial):
        return "a partial"
    if isinstance(function, v.BoundMethod):
        return "a bound method" if kind_of(function.function) else None
    if isinstance(function, v.Member) and type(function.receiver) is v.Ref:  # such as `apply` of a module of Flax
        return "a bound method"
    if isinstance(function, v.Transformed) and function.transform.behaviour not in _CACHED:
        return f"the result of `{function.transform.short}`"
    return None


def same(a: v.Value, b: v.Value, first: Captured, second: Captured, depth: int = 0) -> bool:
    """Whether two values, of two passes, make the same program."""
    kind = type(a)
    if a is b and kind is not v.FunctionValue:
        return True
    if kind is not type(b) or depth > 6:
        return kind in (v.Array, v.Host) and type(b) in (v.Array, v.Host)
    if isinstance(a, (v.Array, v.Host)) and isinstance(b, (v.Array, v.Host)):
        return None in (a.aval.shape, b.aval.shape) or a.aval.shape == b.aval.shape
    if kind is v.Undecided:
        return True
    if kind is v.Unknown:
        return a.ident is not None and a.ident == b.ident
    if isinstance(a, v.FunctionValue) and isinstance(b, v.FunctionValue):
        if a.function is not b.function:
            return False
        left, right = first.get(id(a), {}), second.get(id(b), {})
        return left.keys() == right.keys() and all(same(left[n], right[n], first, second, depth + 1) for n in left)
    if isinstance(a, v.Tuple) and isinstance(b, v.Tuple):
        if a.items is None or b.items is None or len(a.items) != len(b.items):
            return False
        return all(same(x, y, first, second, depth + 1) for x, y in zip(a.items, b.items))
    pairs: list[tuple[v.Value, v.Value]]
    if isinstance(a, v.Partial) and isinstance(b, v.Partial):
        pairs = [*zip(a.args, b.args), *((a.keywords[n], b.keywords.get(n, v.UNKNOWN)) for n in a.keywords)]
    elif isinstance(a, v.BoundMethod) and isinstance(b, v.BoundMethod):
        pairs = [(a.receiver, b.receiver)]
    elif isinstance(a, v.Transformed) and isinstance(b, v.Transformed):
        pairs = [(a.options[n], b.options.get(n, v.UNKNOWN)) for n in a.options]
    else:
        return kind not in (v.Static, v.MaybeDefault) and a.key == b.key
    pairs.append((a.function, b.function))
    return all(same(x, y, first, second, depth + 1) for x, y in pairs)
