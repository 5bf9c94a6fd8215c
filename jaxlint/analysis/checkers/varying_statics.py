"""Static arguments that are another number in each pass of a loop: the function is compiled again for each."""

from __future__ import annotations

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
from jaxlint.analysis.interpreter.must_execute import CONDITIONAL
from jaxlint.analysis.transforms.argument_sources import (
    LEAST_MADE,
    appends,
    loop_around,
    passes_around,
    runs_compiled,
    times,
)
from jaxlint.analysis.transforms.changing_numbers import (
    CHANGING,
    MANY,
    changes,
    counting,
    is_api,
    is_fraction,
    loop_counters,
    passes,
    recurrences,
)
from jaxlint.analysis.transforms.fresh_parts import Parts
from jaxlint.analysis.transforms.varying_lengths import LEAST, Lengths
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, bound_by, only_value, resolved, target_names

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.context import Frame

_STEPS = 5  # passes of a loop that hands the results of the call on to the next one: it stands for a longer one
_MAKING = frozenset(
    f"{package}.{name}" for package in ("jax.numpy", "numpy") for name in ("full", "zeros", "ones", "empty")
)
# Functions that put arrays together, and those that make one of a list.
_JOINING = frozenset(
    f"{package}.{name}" for package in ("jax.numpy", "numpy") for name in ("append", "concatenate", "hstack", "vstack")
)
_COUNTING = ("builtins.range", "builtins.enumerate", "itertools.count")
_OF_LISTS = frozenset(
    f"{package}.{name}" for package in ("jax.numpy", "numpy") for name in ("array", "asarray", "stack")
)


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
    what: str  # "list", "array", "slice"; "collected": what an inner loop appends to, as often as it runs; "varying": of any length


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

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.passed: dict[
            tuple[int, ...], tuple[int | float | None, ...]
        ] = {}  # by the calls that led there: the last static numbers

    def subscribe(self, events: Events) -> None:
        events.static_passed.append(self.varies)
        events.static_passed.append(self.made_anew)
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
        if not runs_compiled(self.i, made):
            return
        loop = loop_around(self.i.unit, call.node.site)
        if loop is None or isinstance(loop, ir.Comprehension):
            self.has_length_of_its_own(made, call)
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
        self.has_length_of_its_own(made, call)

    def has_length_of_its_own(self, made: v.Transformed, call: Call) -> None:
        """Note an argument that has another length in each pass of the loop around the call, or around those of its function."""
        seen = next(passes_around(self.i, call), None)
        if seen is None or not isinstance(call.node, ir.Call):
            return
        loop, view = seen
        count = times(self.i, loop)
        if count is not None and count < LEAST:
            return
        for node in (*call.node.args, *(each.value for each in call.node.keywords)):
            longer = Lengths(self.i, loop).varies(node, view)
            if longer is not None:
                hazard = GrowingArgument(made.function, loop.site, longer.site, "varying")
                self.i.report(hazard, call.node, node, made, api=made.transform.name)
                return

    def grown(self, node: ir.Node, is_list: bool, loop: ir.For | ir.While) -> tuple[str, ir.Node | None]:
        """What makes an argument longer in each pass of a loop, and what the argument is."""
        inside = list(ir.walk(loop.body, into_scopes=False))
        few = isinstance(loop, ir.For) and (self.passes(loop) or MANY) < MANY
        if isinstance(node, ir.Subscript):
            return "slice", self.grown_slice(node, loop) if not few else None
        if isinstance(node, ir.Name):
            binding = [each for each in inside if node.id in bound_by(each)]
            if is_list:
                return "list", next((each for each in loop.body if not binding and appends(each, node.id)), None)
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
        return "collected", next((each for one in inner for each in one.body if appends(each, first.id)), None)

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
        if not isinstance(iterable, ir.Call) or not is_api(self.i.last_callee.get(iterable.site), "builtins.range"):
            return None
        return taken

    def passes(self, loop: ir.For) -> int | None:
        """How often a loop runs, where that is known."""
        iterable = loop.iterable
        if isinstance(iterable, ir.Call) and is_api(self.i.last_callee.get(iterable.site), "builtins.range"):
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
        passed = list(ir.passed_values(node))
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

    def made_anew(self, made: v.Transformed, call: Call, node: ir.Node, parameter: str) -> None:
        """Note a static argument that each pass of a loop makes anew."""
        if not runs_compiled(self.i, made):
            return
        seen = next(passes_around(self.i, call), None) if not self.i.possible else None
        count = times(self.i, seen[0]) if seen is not None else 0
        if seen is None or (count is not None and count < LEAST_MADE):
            return
        found = Parts(self.i, seen[0]).new(node, seen[1])
        if found is not None:
            hazard = VaryingStaticArgument(made.function, seen[0].site, found[0].site)
            self.i.report(hazard, call.node, node, made, api=made.transform.name, parameter=parameter)

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
                is_float = self.is_float(call, node) or is_fraction(self.i, node, around)
                few = self.stands_for_more(made, call, is_float, parameter, handed_on)
                unknown = is_float and bool(handed_on)
                names = set(counting(self.i, around, _STEPS if few else MANY, unknown))
            elif isinstance(around, ir.While):
                names = set(loop_counters(around))
            elif isinstance(around, ir.Scope):
                break  # it may be handed on by a loop elsewhere
            elif isinstance(around, (ir.Comprehension, *CONDITIONAL)):
                return  # what is made once in a while
            else:
                continue
            count = times(self.i, around)
            if count is None or count >= MANY:
                names.update(recurrences(around, self.i.unit.scope(call.node.site)))
            new = self.new_object(call, node, around) if names else None
            if new is not None or changes(self.i, node, names, around) or self.is_measured(node, around, handed_on):
                self.i.report(
                    VaryingStaticArgument(made.function, around.site, new),
                    call.node,
                    node,
                    made,
                    api=made.transform.name,
                    parameter=parameter,
                )
                return
            break
        self.has_changed(made, call, node, parameter)

    def has_changed(self, made: v.Transformed, call: Call, node: ir.Node, parameter: str) -> None:
        """Note a number that was another one in the pass before, of a loop elsewhere: an attribute that counts, for instance."""
        value = next((value for value, at in arguments(call) if at is node), None)
        numbers = self.numbers(value) if value is not None and not self.i.possible else None
        if numbers is None:
            return
        key = *self.i.chain, call.site, node.site
        before = self.passed.get(key)
        self.passed[key] = numbers
        loop, uncertain = self.i.loop_entry, self.i.uncertain_loops
        changed = any(None not in pair and pair[0] != pair[1] for pair in zip(before or (), numbers))
        if not changed or loop is None or not uncertain or isinstance(loop[0], ir.Comprehension):
            return
        over = loop[0].iterable if isinstance(loop[0], ir.For) else None
        if over is not None and not (
            isinstance(over, ir.Call) and is_api(self.i.last_callee.get(over.site), *_COUNTING)
        ):
            return  # it may go over the settings
        count = times(self.i, loop[0])
        if count is None or count >= MANY:
            hazard = VaryingStaticArgument(made.function, loop[0].site)
            self.i.report(hazard, call.node, node, made, api=made.transform.name, parameter=parameter)

    def numbers(self, value: v.Value) -> tuple[int | float | None, ...] | None:
        """A number, or those among the fields of an object that is equal to another one with the same."""
        contents = self.i.contents(value)
        if type(contents) is not Instance:
            known = _number(value)
            return None if known is None else (known,)
        return None if by_identity(contents.cls) else tuple(map(_number, contents.fields.values()))

    def stands_for_more(self, made: v.Transformed, call: Call, is_float: bool, parameter: str, state: set[str]) -> bool:
        """Whether a loop of few passes is a short run of a long one, such as a training, and not one over layers."""
        function = made.function.function if type(made.function) is v.FunctionValue else None
        if not state or is_float:
            return bool(state)
        if function is not None and _chooses(function, parameter):
            return False
        handed = [value for value, at in arguments(call) if ir.dotted(at) in state]
        return len(state) > 1 or (function is not None and any(map(self.holds_parts, handed)))

    def is_float(self, call: Call, node: ir.Node) -> bool:
        """Whether an argument is a number that is no size, and no number of a layer."""
        value = next((value for value, at in arguments(call) if at is node), v.UNKNOWN)
        if type(value) is v.Host:
            dtype = value.aval.dtype
            return value.aval.shape == () and dtype is not None and dtype.startswith("float")
        return v.python_type(value) == "float"

    def holds_parts(self, value: v.Value) -> bool:
        """Whether a value is an object, or a named tuple, of several parts, such as parameters and those of an optimiser."""
        contents = self.i.contents(value)
        if type(contents) is Instance:
            return len(contents.fields) > 1
        return type(value) is v.Tuple and value.items is not None and len(value.items) > 1

    def handed_on(self, call: Call) -> set[str]:
        """The names that a call is given and that its results are bound to."""
        statement = self.i.unit.statement(call.node.site)
        if not isinstance(statement, ir.Assign) or statement.value is not call.node:
            return set()
        bound = {ir.dotted(part) for each in statement.targets for part in ir.walk([each])}
        given = [ir.dotted(node) for _, node in arguments(call)]
        return {name for name in given if name is not None and name in bound}

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
            if isinstance(around, (ir.Scope, ir.Comprehension, *CONDITIONAL)):
                return None
        return None


def _number(value: v.Value) -> int | float | None:
    return value.value if type(value) is v.Const and type(value.value) in (int, float) else None


def _first(call: ir.Call) -> ir.Node | None:
    """The first argument of a call, by position or by name."""
    return next(ir.passed_values(call), None)


def _chooses(function: ir.Function, name: str) -> bool:
    """Whether a parameter is an index, a key or a part of a text: it may be the number of a layer."""
    for node in ir.walk(function.body):
        inside = [node.index] if isinstance(node, ir.Subscript) else [node] if isinstance(node, ir.Format) else []
        if any(type(each) is ir.Name and each.id == name for each in ir.walk(inside)):
            return True
    return False


def _breaks(loop: ir.For) -> bool:
    return any(type(each) is ir.Break for each in ir.walk(loop.body, into_scopes=False))


def _measures(i: Interpreter, node: ir.Node, names: set[str]) -> bool:
    """Whether an expression is computed of a float that is read of an array, one of ``names``."""
    if isinstance(node, ir.Binary) and node.op in CHANGING:
        return _measures(i, node.left, names) or _measures(i, node.right, names)
    if not isinstance(node, ir.Call) or node.keywords:
        return False
    callee = i.last_callee.get(node.site)
    if is_api(callee, "builtins.min", "builtins.max"):
        return any(_measures(i, each, names) for each in node.args)
    if is_api(callee, "builtins.float"):
        return any(type(each) is ir.Name and each.id in names for each in ir.walk(node.args))
    body = callee.function.body if type(callee) is v.FunctionValue else ()
    last = body[-1] if body and type(body[-1]) is ir.Return else None
    if type(callee) is not v.FunctionValue or last is None or last.value is None:
        return False
    pairs = zip(callee.function.parameters, node.args)
    given = {each.name for each, value in pairs if type(value) is ir.Name and value.id in names}
    return bool(given) and len(body) == 1 and _measures(i, last.value, given)
