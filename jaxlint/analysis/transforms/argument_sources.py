"""Backward slices: what makes the argument of a call is followed through loops, functions, generators and objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import STAGED_CODE
from jaxlint.analysis.interpreter.must_execute import CONDITIONAL
from jaxlint.analysis.transforms.changing_numbers import bound_to, is_api, passes
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import (
    assigned_pairs,
    bound_by,
    declared_names,
    defining_scope,
    innermost_loop,
    only_value,
    own_returns,
    parameter_of,
    target_names,
)

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.call import Call
    from jaxlint.analysis.domain.context import Frame

DEPTH = 16  # of steps from an argument to what makes it
STEPS = 400  # of all of them together
LEAST_MADE = 3  # passes of a loop that stand for more
_OF_ARRAYS = frozenset({"T", "shape", "size", "at"})  # attributes that arrays have
GROWING = frozenset({"append", "extend", "insert"})  # methods that make a list longer
COMPILING = frozenset({"jax.jit", "equinox.filter_jit", "flax.nnx.jit"})

Loop = ir.For | ir.While | ir.Comprehension


class View:
    """A scope as it runs for one pass of a loop.

    ``loop`` is the loop whose passes are compared, where it stands in the scope; else the scope is entered in each pass.
    ``given``: what its parameters stand for, and where. ``fixed``: the scope runs once for all passes.
    """

    __slots__ = ("loop", "given", "fixed")

    def __init__(self, loop: ir.Node | None, given: dict[str, Seen], fixed: bool = False) -> None:
        self.loop = loop
        self.given = given
        self.fixed = fixed


Seen = tuple[ir.Node, View]


class Sources:
    """Follows the arguments of one call back to the expressions that make them."""

    def __init__(self, i: Interpreter, loop: Loop | None = None) -> None:
        self.i = i
        self.unit = i.unit
        self.loop = loop
        self.steps = 0
        self.frames: dict[int, Frame] = {}  # by site of a function that calls lead to: in which it was made

    def callee(self, node: ir.Node) -> v.Value | None:
        """What a call calls, also in a function of another module that nothing has run."""
        found = self.i.last_callee.get(node.site)
        if found is not None or type(node) is not ir.Call:
            return found
        scope, dotted = self.unit.scope(node.site), ir.dotted(node.func)
        frame = self.frames.get(scope.site)
        if frame is None or dotted is None or dotted.partition(".")[0] in scope.locals:
            return None
        found = self.i.named(dotted, frame)
        return v.Api(f"builtins.{dotted}") if found is None and dotted in v.BUILTINS else found

    # --- where something comes from ------------------------------------------------------------

    def source(self, node: ir.Node, view: View, depth: int) -> Seen | None:
        """The expression that makes what a name, an attribute or a part stands for; None where that is not followed."""
        for _ in range(DEPTH):
            if not self.is_followed(node):
                return node, view
            found = self.step(node, view, depth)
            if found is None:
                return None
            node, view = found
        return None

    def made_anew(self, node: ir.Node, view: View, depth: int) -> Seen | None:
        """The same, where each pass makes it anew; None where it is made once for all passes, too."""
        made = self.source(node, view, depth)
        return None if made is None or made[1].fixed else made

    def is_followed(self, node: ir.Node) -> bool:
        """Whether what an expression stands for is made by another one."""
        if type(node) is ir.Attribute:
            return node.attr not in _OF_ARRAYS
        return type(node) is ir.Name or (type(node) is ir.Call and self.function_of(node) is not None)

    def step(self, node: ir.Node, view: View, depth: int) -> Seen | None:
        """The expression that a name, an attribute or the call of a function stands for."""
        if type(node) is ir.Name:
            return self.of_name(node, view, depth)
        if type(node) is ir.Attribute:
            return self.of_attribute(node, view, depth)
        assert type(node) is ir.Call
        return self.result(node, view)

    def of_name(self, node: ir.Name, view: View, depth: int) -> Seen | None:
        binder = self.reaching_definition(node, node.id, view)
        if isinstance(binder, ir.Assign):
            return self.part(binder.targets[-1], binder.value, node.id, view, depth)
        if isinstance(binder, ir.Annotate) and binder.value is not None:
            return binder.value, view
        if isinstance(binder, (ir.For, ir.Clause)):
            return next(self.elements(binder, node.id, view, depth), None)
        if isinstance(binder, ir.Function):
            return view.given.get(node.id)
        if binder is None and isinstance(scope := defining_scope(self.unit, node.site, node.id), ir.Module):
            value = only_value(scope, node.id)
            return None if value is None else (value, View(None, {}, fixed=True))
        return None

    def reaching_definition(self, node: ir.Node, name: str, view: View) -> ir.Node | None:
        """The one definition of a name that reaches a node, in the pass at hand; None where several may."""
        inner: ir.Node = node
        for above in self.unit.ancestors(node.site):
            if isinstance(above, ir.Comprehension):
                for clause in reversed(above.clauses):
                    if name in target_names(clause.target) and inner is not clause:
                        return clause
                if above is view.loop:
                    return None
            elif isinstance(above, (ir.For, ir.While, ir.If, ir.With, ir.Try, ir.Scope)) and isinstance(
                inner, ir.Statement
            ):
                for earlier in reversed(before(self.unit, inner)):
                    if name in bound_by(earlier):
                        return earlier
                    if any(name in bound_by(each) for each in ir.walk([earlier], into_scopes=False)):
                        return None  # under a condition, or in a loop
                if isinstance(above, ir.For) and name in bound_by(above) and inner in above.body:
                    return above
                if above is view.loop:
                    return None
            if isinstance(above, ir.Scope):
                return above if parameter_of(above, name) is not None or name in view.given else None
            inner = above
        return None

    def part(self, target: ir.Node, value: ir.Node, name: str, view: View, depth: int) -> Seen | None:
        """What an assignment gives to a name: the value, or the part of it at the place of the name."""
        if type(target) is ir.Name:
            return (value, view) if target.id == name else None
        if not isinstance(target, ir.Sequence) or depth > DEPTH:
            return None
        number = next((n for n, each in enumerate(target.elements) if name in target_names(each)), None)
        if number is None or any(isinstance(each, ir.Starred) for each in target.elements):
            return None
        made = self.source(value, view, depth + 1)
        if made is None:
            return None
        whole, place = made
        if not isinstance(whole, ir.Sequence) or len(whole.elements) != len(target.elements):
            return None
        return self.part(target.elements[number], whole.elements[number], name, place, depth + 1)

    def of_attribute(self, node: ir.Attribute, view: View, depth: int) -> Seen | None:
        """What the initialiser of a class of the project gives an attribute, or the call of a class that has none."""
        made = self.source(node.value, view, depth + 1)
        if made is None or type(made[0]) is not ir.Call:
            return None
        cls = self.callee(made[0])
        if type(cls) is not v.ClassValue:
            return None
        init = cls.lookup("__init__")
        if type(init) is not v.FunctionValue:
            names = declared_names(cls.definition)
            value = ir.given(made[0], names.index(node.attr), node.attr) if node.attr in names else None
            return None if value is None else (value, made[1])
        inside = View(None, self.arguments(init.function, made[0], made[1], made))
        for statement in init.function.body:
            pairs: Iterable[tuple[ir.Node, ir.Node]] = ()
            if isinstance(statement, ir.Annotate) and statement.value is not None:
                pairs = [(statement.target, statement.value)]
            elif isinstance(statement, ir.Assign) and len(statement.targets) == 1:
                pairs = assigned_pairs(statement)
            for part, assigned in pairs:
                if isinstance(part, ir.Attribute) and part.attr == node.attr and ir.dotted(part.value) == "self":
                    return assigned, inside
        return None

    def function_of(self, call: ir.Call) -> ir.Function | None:
        """The function of the project that a call enters."""
        callee = self.callee(call)
        if type(callee) is v.BoundMethod:
            callee = callee.function
        if type(callee) is v.Member:
            return None
        if type(callee) is not v.FunctionValue or self.i.is_in_source(callee.function.site):
            return None
        self.frames[callee.function.site] = callee.frame
        return callee.function if callee.function.body else None

    def arguments(
        self, function: ir.Function, call: ir.Call, view: View, receiver: Seen | None = None
    ) -> dict[str, Seen]:
        """What the parameters of a function stand for in a call."""
        parameters = list(function.parameters)
        given: dict[str, Seen] = {}
        if function.is_method and receiver is not None and parameters:
            given[parameters.pop(0).name] = receiver
        if not any(type(each) is ir.Starred for each in call.args):
            given.update((each.name, (value, view)) for each, value in zip(parameters, call.args))
        given.update((each.name, (each.value, view)) for each in call.keywords if each.name)
        return given

    def entered(self, call: ir.Call, function: ir.Function, view: View) -> View:
        receiver = (call.func.value, view) if isinstance(call.func, ir.Attribute) and function.is_method else None
        return View(None, self.arguments(function, call, view, receiver))

    def result(self, call: ir.Call, view: View) -> Seen | None:
        """What a function of the project returns, where that is written in one place, at its end."""
        function = self.function_of(call)
        assert function is not None
        if function.is_generator:
            return None
        returns = own_returns(function)
        if len(returns) != 1 or returns[0] is not function.body[-1] or returns[0].value is None:
            return None
        return returns[0].value, self.entered(call, function, view)

    # --- what a loop goes over -----------------------------------------------------------------

    def elements(self, loop: ir.For | ir.Clause, name: str, view: View, depth: int) -> Iterator[Seen]:
        """What a loop may bind a name to, as it stands where it is made: another one in each pass."""
        for target, over in bound_to(self.i, loop.target, loop.iterable):
            if type(target) is ir.Name and target.id == name:
                yield from self.items(over, view, depth + 1)
            elif isinstance(target, ir.Sequence) and name in target_names(target):
                for whole, place in self.items(over, view, depth + 1):
                    found = self.part(target, whole, name, place, depth + 1)
                    if found is not None:
                        yield found

    def items(self, over: ir.Node, view: View, depth: int) -> Iterator[Seen]:
        """Each expression that makes an element of what is iterated over, seen in the loop that makes it."""
        self.steps += 1
        if depth > DEPTH or self.steps > STEPS:
            return
        once = View(None, view.given, fixed=True)
        generator = self.generator(over, once, depth)
        if generator is not None:
            function, given = generator
            for each in ir.walk(function.body, into_scopes=False):
                loop = innermost_loop(self.unit, each.site) if isinstance(each, ir.Yield) else None
                if isinstance(each, ir.Yield) and each.value is not None and loop is not None:
                    yield each.value, View(loop, given)
            return
        node, place = over, once
        for _ in range(DEPTH):
            appended = self.filled(node, place) if type(node) is ir.Name else []
            for statement in appended:
                call, loop = statement.value, innermost_loop(self.unit, statement.site)
                if isinstance(call, ir.Call) and len(call.args) == 1 and not call.keywords and loop is not None:
                    yield call.args[0], View(loop, place.given)
            seen = self.step(node, place, depth) if not appended and self.is_followed(node) else None
            if seen is None:
                break
            node, place = seen
        if isinstance(node, ir.Comprehension) and node.kind != "dict" and len(node.clauses) == 1:
            yield node.element, View(node, place.given)

    def generator(self, over: ir.Node, view: View, depth: int) -> tuple[ir.Function, dict[str, Seen]] | None:
        """The generator that is iterated over: a call of one, or an object whose class has one for its iterator."""
        node: ir.Node = over
        function = self.function_of(node) if type(node) is ir.Call else None
        if type(node) is ir.Call and function is not None and function.is_generator:
            return function, self.entered(node, function, view).given
        made = self.source(over, view, depth)
        cls = self.callee(made[0]) if made is not None and type(made[0]) is ir.Call else None
        method = cls.lookup("__iter__") if type(cls) is v.ClassValue else None
        if made is None or type(method) is not v.FunctionValue or not method.function.is_generator:
            return None
        return method.function, {method.function.parameters[0].name: made}

    # --- lists that are filled -----------------------------------------------------------------

    def filled(self, name: ir.Name, view: View) -> list[ir.Evaluate]:
        """The statements that append to a list between the display that begins it and where it is read."""
        binder = self.reaching_definition(name, name.id, view)
        block = self.unit.block(binder.site) if binder is not None else []
        after = block[block.index(binder) + 1 :] if isinstance(binder, ir.Assign) and binder in block else []
        return [
            each
            for each in ir.statements(after, into_scopes=False)
            if isinstance(each, ir.Evaluate) and appends(each, name.id)
        ]


def runs_compiled(i: Interpreter, made: v.Transformed) -> bool:
    """Whether a call of what a transform made looks up compiled code: `jit` is called outside of any trace."""
    context = i.context
    return made.transform.name in COMPILING and context.origin is None and context.stage != STAGED_CODE


def loop_around(unit: ir.Unit, site: int) -> Loop | None:
    """The loop that a call stands in, in each pass of which it is made."""
    inner: ir.Node = unit.nodes[site]
    for around in unit.ancestors(site):
        if isinstance(around, (ir.For, ir.While)):
            if inner in around.body:
                return around
        elif isinstance(around, ir.Comprehension):
            if not isinstance(inner, ir.Clause):
                return around
        elif isinstance(around, (ir.Scope, *CONDITIONAL)):
            return None
        inner = around
    return None


def times(i: Interpreter, loop: Loop) -> int | None:
    """How often a loop runs, where that is known."""
    if isinstance(loop, ir.While):
        return None
    over = loop.clauses[0].iterable if isinstance(loop, ir.Comprehension) else loop.iterable
    if isinstance(over, ir.Call) and is_api(i.last_callee.get(over.site), "builtins.range"):
        return passes(i, over)
    return len(over.elements) if isinstance(over, ir.Sequence) else None


def passes_around(i: Interpreter, call: Call) -> Iterator[tuple[Loop, View]]:
    """The loops in each pass of which a call is made, the nearest first, with the function of the call as it runs in one.

    They are those of its function and of the functions that call it.
    """
    sites: list[int] = []
    for site in (*i.chain, call.site):  # a function that nothing calls is entered by itself
        sites = [*sites, site] if isinstance(i.unit.nodes[site], ir.Call) else []
    sources = Sources(i)
    for number in range(len(sites) - 1, -1, -1):
        site = sites[number]
        while True:
            loop = loop_around(i.unit, site)
            if loop is None:
                break
            view = _view(sources, sites, number, loop)
            if view is None:
                return
            yield loop, view
            site = loop.site
        if any(isinstance(each, CONDITIONAL) for each in around_in_scope(i.unit, site)):
            return


def around_in_scope(unit: ir.Unit, site: int) -> Iterator[ir.Node]:
    for around in unit.ancestors(site):
        if isinstance(around, ir.Scope):
            return
        yield around


def _view(sources: Sources, sites: list[int], number: int, loop: Loop) -> View | None:
    """The function of the last of some calls as it runs for one pass of a loop around one of them."""
    unit, view = sources.unit, View(None, {}, fixed=True)
    for at, site in enumerate(sites):
        scope = unit.scope(site)
        if at:
            outer = unit.nodes[sites[at - 1]]
            if sources.function_of(outer) is not scope or not isinstance(scope, ir.Function):
                return None
            view = sources.entered(outer, scope, view)
        view = View(loop if at == number else None, view.given, fixed=at < number)
    return view


def before(unit: ir.Unit, statement: ir.Statement) -> list[ir.Statement]:
    """The statements of its block that run before a statement."""
    block = unit.block(statement.site)
    for number, each in enumerate(block):
        if each is statement:
            return block[:number]
    return []


def appends(statement: ir.Node, name: str) -> bool:
    """Whether a statement is `name.append(…)`, or the like."""
    call = statement.value if isinstance(statement, ir.Evaluate) else None
    func = call.func if isinstance(call, ir.Call) else None
    return isinstance(func, ir.Attribute) and func.attr in GROWING and ir.dotted(func.value) == name
