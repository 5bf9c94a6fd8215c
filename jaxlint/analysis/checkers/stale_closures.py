"""What compiled functions read from outside: it is read when they are traced, and a later call finds what was compiled.

A call is stale where the same function was called before with arguments of the same kind, and a number it read then has
changed since.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint import knowledge
from jaxlint.analysis.checkers.stale_attributes import ChangingAttributes
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import runs_as_called
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.state import MODULE, DictObject, Instance, ListObject
from jaxlint.analysis.events import Checker, Events
from jaxlint.analysis.transforms.changing_attributes import METADATA, changing, may_be_of_other_shapes, names_in
from jaxlint.ir import nodes as ir
from jaxlint.ir.bindings import bindings, ends

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Frame

_COMPILED = frozenset({"jax.jit", "jax.pmap", "equinox.filter_jit"})
_THROUGH = frozenset({"jax.grad", "jax.value_and_grad", "jax.vmap", "jax.checkpoint"})
_SAME = frozenset({"block_until_ready", "device_put", "device_get", "copy"})  # that give what they are given
_MAX_CALLS = 8  # that are remembered of one function
_MAX_CALLEES = 8  # that are read with a function
# What calls functions when the program runs, so that they read the variables of then.
_CALLBACKS = frozenset({"callback", "pure_callback", "io_callback", "id_tap"})


@hazard_class(consequence=Consequence.SILENT)
class StaleCapture(Hazard):
    """A compiled function runs with an old value. Site: the call that finds it; operand: what is read."""

    text: str  # what is read
    read: int  # site where it is read
    before: v.Value
    now: v.Value
    first: int  # site of the call that compiled it
    compiled: int  # and of the compiled function, in which it is read, or in what that calls
    rebound: int | None = None  # the statement that changes it in each pass of a loop around that call
    unread: str = ""  # the parameter that it is passed to, which the function does not read


class Earlier(NamedTuple):
    call: Call
    read: dict[str, tuple[v.Value, ir.Node]]


class Captures(Checker):
    """Variables that a compiled function has captured, and that have changed since."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.earlier: dict[Any, tuple[v.Value, list[Earlier]]] = self.i.per_module({})
        self.names: dict[tuple[int, str | None], list[ir.Name]] = {}  # in the body of a function, by its site
        self.names_below: dict[int, dict[str, list[ir.Name]]] = {}  # of a scope, by its site
        self.attributes = ChangingAttributes(interpreter)
        self.clearing: dict[int, bool] = {}  # site of a scope -> whether caches are emptied in it

    def subscribe(self, events: Events) -> None:
        events.compiled_called.append(self.called)
        events.attribute_stored.append(self.stored)

    def stored(self, _target: ir.Node, base: v.Value, attr: str, value: v.Value, _source: ir.Node, _op: str) -> None:
        """A variable of a module is set from outside."""
        if type(base) is v.ModuleValue and self.i.state is not None:
            self.i.state.set_field((MODULE, base.place.file), attr, value)

    def called(self, made: v.Transformed, call: Call) -> None:
        """A compiled function is called."""
        if made.transform.name not in _COMPILED or not runs_as_called(self.i.context):
            return
        self.attributes.of_object(made, call)
        function, receiver = made.function, None
        while type(function) is v.Transformed and function.transform.name in _THROUGH:
            function = function.function
        if type(function) is v.BoundMethod:
            receiver, function = function.receiver, function.function
        if type(function) is not v.FunctionValue or call.star or call.double_star or self.is_cleared(call):
            return
        scope = function.function
        me = scope.parameters[0].name if receiver is not None and scope.parameters else None
        names = list(self.names_read(function, me))
        if receiver is None:
            if scope.site in self.i.unit:
                self.in_loop(made, function, call, names)
            if self.attributes.in_loop(made, function, call, names):
                return
        read = self.read(function, receiver, me, names)
        if not read:
            return
        # A function that is made anew is compiled anew.
        key = (id(function), getattr(receiver, "location", None))
        calls = self.earlier.setdefault(key, (function, []))[1]
        same = next((each for each in calls if self.same(each.call, call)), None)
        if same is None:
            if len(calls) < _MAX_CALLS:
                calls.append(Earlier(call, read))
            return
        for text, (now, node) in read.items():
            before = same.read.get(text, (now, node))[0]
            if self.differs(before, now) or self.is_rebound(node, before, now, same.call, call):
                hazard = StaleCapture(text, node.site, before, now, same.call.site, function.function.site)
                self.i.report(hazard, call.node, node, now, api=made.transform.name)
                return

    def read(
        self, function: v.FunctionValue, receiver: v.Value | None, me: str | None, names: list[tuple[ir.Name, Frame]]
    ) -> dict[str, tuple[v.Value, ir.Node]]:
        """What the body, and what it calls, reads of ``names`` from outside: variables, attributes and items."""
        found: dict[str, tuple[v.Value, ir.Node]] = {}
        assert self.i.state is not None
        for node, frame in names:
            value = receiver if node.id == me and frame is function.frame else self.value(node.id, frame)
            above = self.i.unit.parent(node.site)
            value = self.set_from_outside(node, frame) or value
            if isinstance(value, (v.Const, v.Array, v.Host)):
                found.setdefault(node.id, (value, node))
                continue
            if type(value) is v.Imported:
                value = self.i.look_up(value.place, value.name)
            if type(value) is v.ModuleValue and type(above) is ir.Attribute:
                set_to = self.i.state.fields.get(((MODULE, value.place.file), above.attr))
                held = self.i.look_up(value.place, above.attr) if set_to is None else set_to
                if isinstance(held, (v.Const, v.Array, v.Host)):
                    found.setdefault(f"{node.id}.{above.attr}", (held, above))
                continue
            contents = self.i.contents(value) if value is not None else None
            if type(contents) is Instance and type(above) is ir.Attribute and above.attr in contents.fields:
                found.setdefault(f"{node.id}.{above.attr}", (contents.fields[above.attr], above))
            elif type(contents) is ListObject and type(above) is ir.Subscript and type(above.index) is ir.Constant:
                index = above.index.value
                if type(index) is int and contents.items is not None and 0 <= index < len(contents.items):
                    found.setdefault(f"{node.id}[{index}]", (contents.items[index], above))
            elif type(contents) is DictObject and type(above) is ir.Subscript and type(above.index) is ir.Constant:
                item = contents.items.get(above.index.value) if isinstance(above.index.value, (str, int)) else None
                if item is not None:
                    found.setdefault(f"{node.id}[{above.index.value!r}]", (item, above))
        return found

    def set_from_outside(self, node: ir.Name, frame: Frame) -> v.Value | None:
        """What another module has set a variable to, which a function of its own module reads."""
        fields = self.i.state.fields if self.i.state is not None else {}
        found = fields.get(((MODULE, self.i.model.file(node.site)), node.id)) if fields else None
        owner = self.i.owner(node.id, frame) if found is not None else None
        return found if owner is not None and owner.parent is None else None

    def in_loop(
        self, made: v.Transformed, function: v.FunctionValue, call: Call, names: list[tuple[ir.Name, Frame]]
    ) -> None:
        """Whether a loop of the scope around the function calls it and binds anew, in each pass, what it reads."""
        for name, node, frame in self.captured(names):
            owner = self.i.owner(name, frame)
            if owner is None:
                continue
            outside = owner.scope
            at = next((site for site in (*self.i.chain, call.site) if self.i.unit.scope(site) is outside), None)
            sites = (made.site, function.function.site)
            unread = passed_unread(function.function, call, name) if at == call.site else ""
            rebound = None if at is None else self.rebound(outside, name, at, sites, bool(unread))
            if at is not None and rebound is not None:
                value = self.i.variables(owner)[name]
                hazard = StaleCapture(name, node.site, value, value, at, function.function.site, rebound.site, unread)
                found = self.i.unit.nodes[at]
                self.i.report(hazard, found, node, v.Unknown(v.fresh()), api=made.transform.name)
                return

    def captured(self, names: list[tuple[ir.Name, Frame]]) -> list[tuple[str, ir.Node, Frame]]:
        """The names from outside whose values are read, each with where it is read."""
        found: dict[tuple[str, int], tuple[str, ir.Node, Frame]] = {}
        for node, frame in names:
            above = self.i.unit.parent(node.site)
            if type(above) is not ir.Attribute or not (above.attr in METADATA or self.is_own_function(above)):
                found.setdefault((node.id, frame.serial), (node.id, node, frame))
        return list(found.values())

    def names_read(self, function: v.FunctionValue, me: str | None = None) -> Iterator[tuple[ir.Name, Frame]]:
        """The names from outside, and ``me``, in a function and in those that it calls or hands on, each with where it is looked up."""
        todo, seen = [function], {function.function.site}
        while todo:
            each = todo.pop(0)
            for node in self.free_names(each.function, me if each is function else None):
                yield node, each.frame
                callee = v.untransformed(self.value(node.id, each.frame) or v.UNKNOWN)
                if type(callee) is not v.FunctionValue or len(seen) > _MAX_CALLEES or not self.is_run(node):
                    continue
                if callee.function.site not in seen:
                    seen.add(callee.function.site)
                    todo.append(callee)

    def free_names(self, scope: ir.Function, me: str | None) -> list[ir.Name]:
        """The names in a function, and in functions inside of it, that are looked up outside. What it changes itself it changes
        when it is traced."""
        key = (scope.site, me)
        if key not in self.names:
            free = scope.free - scope.globals - scope.nonlocals
            self.names[key] = [
                node
                for node in ir.walk(scope.body)
                if type(node) is ir.Name and (node.id in free or node.id == me) and self.is_outer(node, scope)
            ]
        return self.names[key]

    def is_outer(self, node: ir.Name, scope: ir.Function) -> bool:
        """Whether no function between a name and ``scope`` binds it, or is called back when the program runs."""
        inner = self.i.unit.scope(node.site)
        while inner is not scope:
            if node.id not in inner.free or not isinstance(inner, ir.Function) or self.is_called_back(inner):
                return False
            inner = self.i.unit.scope(inner.site)
        return True

    def is_called_back(self, function: ir.Function) -> bool:
        """Whether a function inside of another is given to a callback."""
        unit = self.i.unit
        uses = [function.site]
        if function.name:
            around = unit.scope(function.site)
            if around.site not in self.names_below:
                self.names_below[around.site] = ir.names_below(around.body)
            uses += [each.site for each in self.names_below[around.site].get(function.name, ())]
        for use in uses:
            call = unit.parent(use)
            while isinstance(call, (ir.Keyword, ir.Define)):
                call = unit.parent(call.site)
            if type(call) is ir.Call and ir.last_part(call.func) in _CALLBACKS:
                return True
        return False

    def is_run(self, node: ir.Name) -> bool:
        """Whether a function is called where it is named, or given to one that is no callback."""
        call = self.i.unit.parent(node.site)
        if type(call) is ir.Keyword:
            call = self.i.unit.parent(call.site)
        return type(call) is ir.Call and ir.last_part(call.func) not in _CALLBACKS

    def is_own_function(self, attribute: ir.Attribute) -> bool:
        """Whether an object's function is called that arrays do not have: it may be the same in what the name is bound to next."""
        above = self.i.unit.parent(attribute.site)
        return type(above) is ir.Call and above.func is attribute and knowledge.member(attribute.attr, v.STAGED) is None

    def rebound(
        self, scope: ir.Scope, name: str, at: int, made: tuple[int, ...], passed: bool = False
    ) -> ir.Assign | ir.Augment | None:
        """The statement that binds a variable anew in each pass of the loop around a call; None where that is not certain.

        ``passed``: the call passes the variable, to a parameter that is not read.
        """
        unit = self.i.unit
        statement = unit.statement(at)
        inside = {outer.site for site in made for outer in unit.ancestors(site)}
        loops = {each.site for each in unit.ancestors(at) if isinstance(each, (ir.For, ir.While))} - inside
        if ends((*getattr(unit.parent(statement.site), "body", ()), statement)):
            return None
        for each in bindings(scope, name):
            if not isinstance(each, (ir.Assign, ir.Augment)):
                continue
            tests: list[ir.Node] = []
            for loop in unit.ancestors(each.site):
                if isinstance(loop, ir.If) and not ends(loop.body):
                    tests.append(loop.test)
                    continue
                if not isinstance(loop, (ir.For, ir.While, ir.With)) or unit.scope(loop.site) is not scope:
                    break
                if loop.site in loops and not ends(loop.body):
                    if _computes(each, name, loop, tests) and (
                        passed or not may_be_of_other_shapes(unit.nodes[at], loop)
                    ):
                        return each
                    break
        return None

    def value(self, name: str, frame: Frame | None) -> v.Value | None:
        while frame is not None:
            variables = self.i.variables(frame)
            if name in variables:
                found: v.Value = variables[name]
                return found
            frame = frame.parent
        return None

    def same(self, first: Call, second: Call) -> bool:
        """Whether two calls certainly find the same compiled program."""
        if len(first.args) != len(second.args) or first.keywords.keys() != second.keywords.keys():
            return False
        return all(map(_alike, first.all(), second.all()))

    def differs(self, before: v.Value, now: v.Value) -> bool:
        return v.is_scalar_const(before) and v.is_scalar_const(now) and before.value != now.value  # type: ignore[attr-defined]

    def is_rebound(self, node: ir.Node, before: v.Value, now: v.Value, first: Call, second: Call) -> bool:
        """Whether a statement between the two calls gives the variable another array, on the one way from call to call."""
        if type(node) is not ir.Name or before is now or not {type(before), type(now)} <= {v.Array, v.Host}:
            return False
        start, end = self.i.unit.statement(first.site), self.i.unit.statement(second.site)
        block = getattr(self.i.unit.parent(start.site), "body", None)
        if (
            not isinstance(block, (list, tuple))
            or not any(each is start for each in block)
            or not any(each is end for each in block)
        ):
            return False
        sites = [each.site for each in block]
        between = block[sites.index(start.site) + 1 : sites.index(end.site)]
        return any(_gives(each, node.id) for each in between)

    def is_cleared(self, call: Call) -> bool:
        """Whether the caches of compiled functions are emptied somewhere around the call."""
        scope = self.i.unit.scope(call.site)
        if scope.site not in self.clearing:
            inside = ir.walk(scope.body, into_scopes=False)
            self.clearing[scope.site] = any(
                isinstance(n, ir.Attribute) and n.attr in ("clear_cache", "clear_caches") for n in inside
            )
        return self.clearing[scope.site]


def _alike(first: v.Value, second: v.Value) -> bool:
    if first is second:
        return True
    if v.is_scalar_const(first) and v.is_scalar_const(second):
        return first.key == second.key  # it may be static
    if type(first) is type(second) and type(first) in (v.Array, v.Host):
        a, b = first.aval, second.aval  # type: ignore[attr-defined]
        known = a.dtype is not None and a.shape is not None and all(isinstance(size, int) for size in a.shape)
        return known and a.key == b.key and a.weak == b.weak
    return type(first) is v.Unknown and first.ident is not None and first.ident == second.ident


def _computes(
    binding: ir.Assign | ir.Augment, name: str, loop: ir.For | ir.While | ir.With, tests: list[ir.Node]
) -> bool:
    """Whether a statement in a loop gives another value in each pass, or in some: it computes one from what the loop changes."""
    value, changed = binding.value, changing(loop)
    if not all(_is_met_again(test, changed) for test in tests):
        return False
    if type(binding) is ir.Augment:
        return True
    if type(value) is ir.Name:  # every so often the variable is what another one has become
        return bool(tests) and value.id in changed and value.id != name
    func = ir.dotted(value.func) or "" if type(value) is ir.Call else ""
    if type(value) not in (ir.Call, ir.Binary) or func.rpartition(".")[2] in _SAME:
        return False
    return bool({name, *changed} & names_in([value]))


def _is_met_again(test: ir.Node, changed: Collection[str]) -> bool:
    """Whether a condition holds in several passes of a loop: each so many, or where something is larger or smaller."""
    if type(test) is not ir.Compare or not set(changed) & names_in([test]):
        return False
    every = any(type(node) is ir.Binary and node.op == "%" for node in ir.walk([test]))
    return every or all(op in ("<", "<=", ">", ">=") for op in test.ops)


def passed_unread(function: ir.Function, call: Call, name: str) -> str:
    """The parameter that a call passes a variable to and the function never reads: it reads the variable in its place."""
    parameters = [] if call.star or call.double_star else [each.name for each in function.parameters]
    given = [*zip(parameters, call.arg_nodes), *call.keyword_nodes.items()]
    found = (each for each, node in given if type(node) is ir.Name and node.id == name)
    return next((each for each in found if each not in names_in(function.body)), "")


def _gives(statement: ir.Statement, name: str) -> bool:
    if type(statement) is ir.Assign:
        return any(type(target) is ir.Name and target.id == name for target in statement.targets)
    return type(statement) is ir.Augment and type(statement.target) is ir.Name and statement.target.id == name
