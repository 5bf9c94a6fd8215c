"""Static arguments that are another number in each pass of a loop: the function is compiled again for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.arguments import arguments
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.domain.hazards import Hazard, hazard_class
from jaxlint.analysis.domain.signatures import accepted
from jaxlint.analysis.domain.state import Instance, ListObject
from jaxlint.analysis.domain.values import BUILTINS
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.interpreter.hashing import by_identity
from jaxlint.analysis.interpreter.imports import is_arithmetic
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, only_value, resolved, target_names

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.context import Frame

_MANY = 10  # passes from which on compiling in each of them is no choice that anybody makes
_STEPS = 5  # and of a loop that hands the results of the call on to the next one: it stands for a longer one
_CHANGING = frozenset({"+", "-", "*", "/", "**"})  # operators that give another number for another number
_MAKING = frozenset(
    f"{package}.{name}" for package in ("jax.numpy", "numpy") for name in ("full", "zeros", "ones", "empty")
)
_GROWING = frozenset({"append", "extend", "insert"})
# Functions that put arrays together, and those that make one of a list.
_JOINING = frozenset(
    f"{package}.{name}" for package in ("jax.numpy", "numpy") for name in ("append", "concatenate", "hstack", "vstack")
)
_OF_LISTS = frozenset(
    f"{package}.{name}" for package in ("jax.numpy", "numpy") for name in ("array", "asarray", "stack")
)
_COMPILING = frozenset({"jax.jit", "equinox.filter_jit", "flax.nnx.jit"})
_CONDITIONS = (ir.If, ir.Conditional, ir.Boolean, ir.Try, ir.Match)


@hazard_class()
class VaryingStaticArgument(Hazard):
    """A static argument is another number, or object, in each pass of a loop, and the function compiled in each.

    Site: the call; operand: the argument; api, parameter.
    """

    function: v.Value
    loop: int
    made: int | None = None  # site of what makes another object in each pass, which is equal to no other


@hazard_class()
class GrowingArgument(Hazard):
    """A compiled function is given a list or array that is longer in each pass of a loop, or has a length of its own in each.

    Site: the call; operand: the list or array.
    """

    function: v.Value
    loop: int
    grown: int  # site of what makes it longer
    what: str  # "list", "array", "slice"; "collected": what an inner loop appends to, as often as it runs


@hazard_class()
class LongestOfBatchArgument(Hazard):
    """A compiled function is given an array that is as long as the longest of what a pass of a loop goes over.

    Site: the call; operand: the array.
    """

    function: v.Value
    loop: int
    longest: int  # site of what computes the length


class VaryingStatics(Checker):
    """Arguments that differ in each pass of a loop: static ones, and lists, whose length is part of the structure."""

    def subscribe(self, events: Events) -> None:
        events.static_passed.append(self.varies)
        events.compiled_called.append(self.grows)
        events.compiled_called.append(self.filtered)

    def filtered(self, made: v.Transformed, call: Call) -> None:
        """Note a Python number that `filter_jit` takes for static, as all that is no array."""
        if made.transform.name != "equinox.filter_jit" or call.star or call.double_star:
            return
        names = [each.name for each in accepted(self.i, made.function) or ()]
        for number, (value, node) in enumerate(zip(call.args, call.arg_nodes)):
            if v.python_type(value) in ("int", "float"):
                self.varies(made, call, node, names[number] if number < len(names) else "")

    def grows(self, made: v.Transformed, call: Call) -> None:
        """Note a list or array that the loop around the call makes longer in each pass."""
        loop = self.loop_around(call.node.site) if made.transform.name in _COMPILING else None
        if loop is None or self.i.context.origin is not None or self.i.context.stage == STAGED_CODE:
            return
        for value, node in arguments(call):
            longest = self.longest(node, loop)
            if longest is not None:
                padded = LongestOfBatchArgument(made.function, loop.site, longest.site)
                self.i.report(padded, call.node, node, made, api=made.transform.name)
                return
            is_list = type(self.i.contents(value)) is ListObject
            what, grown = self.grown(node, is_list, loop)
            if grown is not None:
                hazard = GrowingArgument(made.function, loop.site, grown.site, what)
                self.i.report(hazard, call.node, node, made, api=made.transform.name)
                return

    def grown(self, node: ir.Node, is_list: bool, loop: ir.For | ir.While) -> tuple[str, ir.Node | None]:
        """What makes an argument longer in each pass of a loop, and what the argument is."""
        inside = list(ir.walk(loop.body, into_scopes=False))
        few = isinstance(loop, ir.For) and (self.passes(loop) or _MANY) < _MANY
        if isinstance(node, ir.Subscript):
            return "slice", self.grown_slice(node, loop) if not few else None
        if isinstance(node, ir.Name):
            binding = [each for each in inside if node.id in bound_by(each)]
            if is_list:
                return "list", next((each for each in loop.body if not binding and _appends(each, node.id)), None)
            assign = binding[0] if len(binding) == 1 and any(each is binding[0] for each in loop.body) else None
            if not few and isinstance(assign, ir.Assign) and self.joins(assign.value, node.id):
                return "array", assign
        made = resolved(self.i.unit, node)
        first = _first(made) if isinstance(made, ir.Call) else None
        if not isinstance(made, ir.Call) or not isinstance(first, ir.Name) or not self.calls(made, _OF_LISTS):
            return "", None
        bound = [each for each in inside if first.id in bound_by(each)]
        empty = bound[0].value if len(bound) == 1 and isinstance(bound[0], ir.Assign) else None
        if not isinstance(empty, ir.Sequence) or empty.kind != "list" or empty.elements or bound[0] not in loop.body:
            return "", None
        inner = (
            each for each in loop.body if isinstance(each, ir.While) or (isinstance(each, ir.For) and _breaks(each))
        )
        return "collected", next((each for one in inner for each in one.body if _appends(each, first.id)), None)

    def grown_slice(self, node: ir.Subscript, loop: ir.For | ir.While) -> ir.Node | None:
        """The end of `x[:i]`, where a `for` counts `i` up to a number that is not known to be small."""
        taken = node.index
        if not isinstance(taken, ir.Slice) or taken.step is not None or not isinstance(loop, ir.For):
            return None
        edge = taken.upper if taken.lower is None or isinstance(taken.lower, ir.Constant) else None
        while isinstance(edge, ir.Binary) and isinstance(edge.right, ir.Constant):  # `i + 1`
            edge = edge.left
        iterable = loop.iterable
        if not isinstance(edge, ir.Name) or not isinstance(loop.target, ir.Name) or edge.id != loop.target.id:
            return None
        if not isinstance(iterable, ir.Call) or not _is_api(self.i.last_callee.get(iterable.site), "builtins.range"):
            return None
        return taken

    def passes(self, loop: ir.For) -> int | None:
        """How often a loop runs, where that is known."""
        iterable = loop.iterable
        if isinstance(iterable, ir.Call) and _is_api(self.i.last_callee.get(iterable.site), "builtins.range"):
            return passes(self.i, iterable)
        return len(iterable.elements) if isinstance(iterable, ir.Sequence) else None

    def joins(self, node: ir.Node, name: str) -> bool:
        """Whether a call puts something behind, or before, the whole of a variable."""
        first = _first(node) if isinstance(node, ir.Call) else None
        if not isinstance(node, ir.Call) or not self.calls(node, _JOINING):
            return False
        parts = first.elements if isinstance(first, ir.Sequence) else node.args[:2]
        return len(parts) > 1 and any(isinstance(each, ir.Name) and each.id == name for each in parts)

    def calls(self, node: ir.Call, names: frozenset[str]) -> bool:
        return self.i.library_name(self.i.last_callee.get(node.site)) in names

    def longest(self, node: ir.Node, loop: ir.For | ir.While) -> ir.Node | None:
        """What computes the length of an array that is padded to the longest of its rows, in each pass of a loop."""
        node = resolved(self.i.unit, node)
        if type(node) is not ir.Call or loop.site not in {each.site for each in self.i.unit.ancestors(node.site)}:
            return None
        callee = self.i.last_callee.get(node.site)
        if type(callee) is v.Api:
            return self.padded(self.i.unit.scope(node.site), self.i.frame, node)
        last = callee.function.body[-1] if type(callee) is v.FunctionValue and callee.function.body else None
        changing = set(target_names(loop.target)) if isinstance(loop, ir.For) else set()
        passed = (*node.args, *(each.value for each in node.keywords))
        given = any(type(each) is ir.Name and each.id in changing for each in passed)
        if type(callee) is not v.FunctionValue or not isinstance(last, ir.Return) or last.value is None or not given:
            return None
        made = only_value(callee.function, last.value.id) if type(last.value) is ir.Name else last.value
        return self.padded(callee.function, callee.frame, made)

    def padded(self, scope: ir.Scope, frame: Frame, made: ir.Node | None) -> ir.Node | None:
        """What computes the length of an array that a call in ``scope`` makes, where that is of the longest of some rows."""
        shape = ir.given(made, 0, "shape") if type(made) is ir.Call else None
        if type(made) is not ir.Call or not isinstance(shape, ir.Sequence):
            return None
        if self.name(made.func, frame) not in _MAKING:
            return None
        for size in shape.elements:
            value = only_value(scope, size.id) if type(size) is ir.Name else size
            if type(value) is not ir.Call or len(value.args) != 1 or self.name(value.func, frame) != "builtins.max":
                continue
            if self.are_lengths(value.args[0], frame):
                return value
        return None

    def are_lengths(self, node: ir.Node, frame: Frame) -> bool:
        """Whether it is `len(x) for x in rows`, or `map(len, rows)`."""
        if type(node) is ir.Call and len(node.args) == 2 and self.name(node.func, frame) == "builtins.map":
            return self.name(node.args[0], frame) == "builtins.len"
        element = node.element if type(node) is ir.Comprehension and len(node.clauses) == 1 else None
        return type(element) is ir.Call and self.name(element.func, frame) == "builtins.len"

    def name(self, node: ir.Node, frame: Frame) -> str | None:
        """The name of the function of a library or of Python that an expression names, as seen from a frame."""
        dotted = ir.dotted(node)
        if dotted in BUILTINS and self.i.owner(dotted, frame) is None:
            return f"builtins.{dotted}"
        return self.i.library_name(self.i.named(dotted, frame)) if dotted else None

    def loop_around(self, site: int) -> ir.For | ir.While | None:
        """The loop that a call stands in, in each pass of which it is made."""
        for around in self.i.unit.ancestors(site):
            if isinstance(around, (ir.For, ir.While)):
                return around
            if isinstance(around, (ir.Scope, ir.Comprehension, *_CONDITIONS)):
                return None
        return None

    def varies(self, made: v.Transformed, call: Call, node: ir.Node, parameter: str) -> None:
        """Note a static argument that changes with the pass of the loop around the call."""
        if (
            made.transform.behaviour not in ("jit", "filter")
            or self.i.context.origin is not None
            or self.i.context.stage == STAGED_CODE
        ):
            return
        handed_on = self.handed_on(call)
        for around in self.i.unit.ancestors(call.node.site):
            if isinstance(around, ir.For):
                names = set(_counting(self.i, around, _STEPS if len(handed_on) > 1 else _MANY))
            elif isinstance(around, ir.While):
                names = set(_loop_counters(around))
            elif isinstance(around, (ir.Scope, ir.Comprehension, *_CONDITIONS)):
                return  # what is made once in a while, or handed on by a loop elsewhere
            else:
                continue
            new = self.new_object(call, node, around) if names else None
            if new is not None or _changes(self.i, node, names) or self.is_measured(node, around, handed_on):
                self.i.report(
                    VaryingStaticArgument(made.function, around.site, new),
                    call.node,
                    node,
                    made,
                    api=made.transform.name,
                    parameter=parameter,
                )
            return

    def handed_on(self, call: Call) -> set[str]:
        """The names that a call is given and that its results are bound to."""
        statement = self.i.unit.statement(call.node.site)
        if not isinstance(statement, ir.Assign) or statement.value is not call.node:
            return set()
        return bound_by(statement) & {node.id for _, node in arguments(call) if type(node) is ir.Name}

    def is_measured(self, node: ir.Node, loop: ir.For | ir.While, state: set[str]) -> bool:
        """Whether an argument is a float that each pass reads of an array which the call replaces, as a step size is."""
        if type(node) is not ir.Name or not state or not isinstance(loop, ir.While):
            return False
        bound = bindings(self.i.unit.scope(node.site), node.id)
        assign = bound[0] if len(bound) == 1 else None
        inside = isinstance(assign, ir.Assign) and any(each is assign for each in loop.body)
        return inside and _measures(self.i, assign.value, state)  # type: ignore[union-attr]

    def new_object(self, call: Call, node: ir.Node, loop: ir.For | ir.While) -> int | None:
        """The site in a loop that makes an argument anew in each pass, where the class has no equality of its own."""
        value = next((value for value, at in arguments(call) if at is node), None)
        contents = self.i.contents(value) if value is not None else None
        if type(value) is not v.Ref or type(contents) is not Instance or value.made is None:
            return None
        site = value.made[0]
        if site not in self.i.unit or not by_identity(contents.cls) or "__new__" in contents.cls.members:
            return None
        for around in self.i.unit.ancestors(site):
            if around is loop:
                return site
            if isinstance(around, (ir.Scope, ir.Comprehension, *_CONDITIONS)):
                return None
        return None


def _first(call: ir.Call) -> ir.Node | None:
    """The first argument of a call, by position or by name."""
    return next((each.value if isinstance(each, ir.Keyword) else each for each in (*call.args, *call.keywords)), None)


def _breaks(loop: ir.For) -> bool:
    return any(type(each) is ir.Break for each in ir.walk(loop.body, into_scopes=False))


def _appends(statement: ir.Node, name: str) -> bool:
    """Whether a statement is `name.append(…)`, or the like."""
    call = statement.value if isinstance(statement, ir.Evaluate) else None
    func = call.func if isinstance(call, ir.Call) else None
    return isinstance(func, ir.Attribute) and func.attr in _GROWING and ir.dotted(func.value) == name


def _measures(i: Interpreter, node: ir.Node, names: set[str]) -> bool:
    """Whether an expression is computed of a float that is read of an array, one of ``names``."""
    if isinstance(node, ir.Binary) and node.op in _CHANGING:
        return _measures(i, node.left, names) or _measures(i, node.right, names)
    if not isinstance(node, ir.Call) or node.keywords:
        return False
    callee = i.last_callee.get(node.site)
    if _is_api(callee, "builtins.min", "builtins.max"):
        return any(_measures(i, each, names) for each in node.args)
    if _is_api(callee, "builtins.float"):
        return any(type(each) is ir.Name and each.id in names for each in ir.walk(node.args))
    body = callee.function.body if type(callee) is v.FunctionValue else ()
    last = body[-1] if body and type(body[-1]) is ir.Return else None
    if type(callee) is not v.FunctionValue or last is None or last.value is None:
        return False
    pairs = zip(callee.function.parameters, node.args)
    given = {each.name for each, value in pairs if type(value) is ir.Name and value.id in names}
    return bool(given) and len(body) == 1 and _measures(i, last.value, given)


def _counting(i: Interpreter, loop: ir.For | ir.Clause, least: int = _MANY) -> Iterator[str]:
    """The names that a `for` binds to another number in each pass, where it has many for certain."""
    iterable = loop.iterable
    callee = i.last_callee.get(iterable.site) if isinstance(iterable, ir.Call) else None
    name = callee.name if type(callee) is v.Api else ""
    target = loop.target
    count: object = None
    if name == "builtins.range":
        count = passes(i, iterable)
    elif name == "itertools.count":
        count = _MANY
    elif name == "builtins.enumerate" and isinstance(target, ir.Sequence) and target.elements:
        target = target.elements[0]
        over = i.last_calls[iterable.site].get(0, "iterable") or v.UNKNOWN
        items, shape = i.items_of(over), i.aval_of(over).shape
        count = len(items) if items is not None else shape[0] if shape else None
    elif isinstance(iterable, ir.Name):
        made = only_value(i.unit.scope(iterable.site), iterable.id)
        clause = made.clauses[0] if isinstance(made, ir.Comprehension) and len(made.clauses) == 1 else None
        if clause is not None and not clause.conditions:
            counted = set(_counting(i, clause))
            count = _MANY if counted and _changes(i, made.element, counted) else None  # type: ignore[union-attr]
    if isinstance(target, ir.Name) and isinstance(count, int) and count >= least:
        yield target.id


def passes(i: Interpreter, iterable: ir.Node) -> int | None:
    """The length of a `range` of constants; None for any other."""
    given = i.last_calls[iterable.site].args
    numbers = [value.value for value in given if type(value) is v.Const and type(value.value) is int]
    if not numbers or len(numbers) < len(given) or (len(numbers) == 3 and not numbers[2]):
        return None
    return len(range(*numbers))


def _loop_counters(loop: ir.While) -> Iterator[str]:
    """The loop counters of a `while` of many passes: names with `step += 1` in its body."""
    test = loop.test
    forever = isinstance(test, ir.Constant) and bool(test.value)
    bound = test.rights[0] if isinstance(test, ir.Compare) and test.ops[0] in ("<", "<=") else None
    most = bound.value if isinstance(bound, ir.Constant) else None
    if not forever and not (isinstance(most, (int, float)) and most >= _MANY):
        return
    for statement in loop.body:
        if isinstance(statement, ir.Augment) and isinstance(statement.target, ir.Name) and statement.op == "+":
            if isinstance(statement.value, ir.Constant) and statement.value.value == 1:
                yield statement.target.id


def _changes(i: Interpreter, node: ir.Node, names: set[str]) -> bool:
    """Whether an expression gives another number for each of the names' values."""
    if isinstance(node, ir.Name):
        return node.id in names
    if isinstance(node, ir.Binary) and node.op in _CHANGING:
        sides = [_changes(i, side, names) for side in (node.left, node.right)]
        return sides.count(True) == 1 and isinstance(
            (node.left, node.right)[sides.index(False)], (ir.Constant, ir.Name)
        )
    if isinstance(node, ir.Call) and not node.keywords:
        callee = i.last_callee.get(node.site)
        computes = type(callee) is v.FunctionValue and is_arithmetic(callee.function)
        if not computes and (len(node.args) != 1 or not _is_api(callee, "builtins.int", "builtins.float")):
            return False
        changing = [_changes(i, each, names) for each in node.args]
        rest = [each for each, does in zip(node.args, changing) if not does]
        return changing.count(True) == 1 and all(isinstance(each, (ir.Constant, ir.Name)) for each in rest)
    return False


def _is_api(callee: v.Value | None, *names: str) -> bool:
    return type(callee) is v.Api and callee.name in names
