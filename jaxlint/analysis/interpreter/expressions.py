"""Expressions: one method for each kind, from names to comprehensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mypy_extensions import trait

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import BEHIND, Call
from jaxlint.analysis.domain.context import Frame
from jaxlint.analysis.domain.hazards import BooleanOperatorOnTracer, BranchOnTracer, FormatOfTracer
from jaxlint.analysis.domain.state import DictObject, ListObject, SetObject, join_states
from jaxlint.analysis.domain.symbolic import is_dimension
from jaxlint.analysis.domain.values import BUILTINS
from jaxlint.analysis.interpreter import overloading
from jaxlint.analysis.interpreter.formatting import of_array
from jaxlint.analysis.interpreter.iteration import number_of_keys
from jaxlint.analysis.interpreter.narrowing import assume, truth_of
from jaxlint.analysis.interpreter.operators import Operators, fold_unary
from jaxlint.analysis.interpreter.trip_count import items_in_turn
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

MAX_CLAUSES = 6  # each is run twice for each run of those around it


@trait
class Expressions(Operators):
    """Mixin of the interpreter: evaluation of expressions."""

    def eval(self: Interpreter, node: ir.Node) -> v.Value:
        self.steps += 1
        value = _DISPATCH[type(node)](self, node)
        if value.cls is not None and type(node) in _READS and self.events.refuses_read(value):
            value = v.Unknown(v.fresh())
        if self.callback is not None and self.events.refuses_host_read(node, value):
            value = v.UNKNOWN
        if self.recorded is not None:
            self.record(node, value)
        return value

    def record(self: Interpreter, node: ir.Node, value: v.Value) -> None:
        """Write down what an expression is taken for; what is presumed of it without a tracer is not claimed."""
        presumed = type(value) is v.Array and value.presumed and value.cls is None
        assert self.recorded is not None
        self.recorded.append((node.site, v.UNKNOWN if presumed else value, self.activation))

    # --- names and displays -------------------------------------------------------------------

    def on_constant(self: Interpreter, node: ir.Constant) -> v.Value:
        return v.cache(node.value) if type(node.value) is int else v.Const(node.value)

    def on_name(self: Interpreter, node: ir.Name) -> v.Value:
        name = node.id
        frame: Frame | None = self.frame
        assert self.state is not None
        frames = self.state.frames
        while frame is not None:
            variables = frames.get(frame.serial)
            if variables is None:
                variables = self.world.frames.get(frame.serial)
            if variables is not None and name in variables:
                value = variables[name]
                if name == "_" and frame.parent is None:
                    return v.Unknown(v.fresh())  # a blank to fill in, or the last output of IPython
                if type(value) is v.DonatedArray:
                    return self.transforms.donations.named(node, value)
                if frame.parent is None and type(value) in (v.Array, v.Host):
                    self.events.module_variable_read(node, value)
                return self.look_up(value.place, value.name) if type(value) is v.Imported else value
            frame = frame.parent
        if name in BUILTINS and name not in self.frame.top.scope.locals:
            return _BUILTIN_APIS[name]
        self.events.unbound_name_read(node)
        return v.UNKNOWN

    def owner(self: Interpreter, name: str, start: Frame | None = None) -> Frame | None:
        """The frame in which a name is bound now, as seen from ``start``, else from where the analysis stands."""
        frame: Frame | None = start or self.frame
        while frame is not None:
            if name in self.variables(frame):
                return frame
            frame = frame.parent
        return None

    def on_sequence(self: Interpreter, node: ir.Sequence) -> v.Value:
        items: list[v.Value] | None = []
        element: v.Value | None = None
        for part in node.elements:
            if type(part) is ir.Starred:
                inner = self.eval(part.value)
                known = items_in_turn(self, inner)
                if known is not None and items is not None and len(items) + len(known) <= v.MAX_LENGTH:
                    items.extend(known)
                else:
                    summary = self.element_of(part.value, inner)
                    element = summary if element is None else v.join(element, summary)
                    for item in items or ():
                        element = v.join(element, item)
                    items = None
            else:
                value = self.part_of_tree(part, self.eval(part))
                if items is not None:
                    items.append(value)
                else:
                    element = value if element is None else v.join(element, value)
        if node.kind == "tuple":
            return v.Tuple(tuple(items)) if items is not None else v.Tuple(None, element or v.UNKNOWN)
        if node.kind == "list":
            return self.new_list(tuple(items) if items is not None else None, element or v.UNKNOWN)
        for part, value in zip(node.elements, items or ()):
            self.need_hash(part, part, value, "set")
        return self.new_object(SetObject(v.UNKNOWN))

    def on_run(self: Interpreter, node: ir.Run) -> v.Value:
        element = v.Static(node.kind) if node.kind else v.UNKNOWN
        return v.Tuple((element,) * node.count if node.count <= v.MAX_LENGTH else None, element)

    def on_dict(self: Interpreter, node: ir.Dict) -> v.Value:
        items: dict[Any, v.Value] = {}
        rest: v.Value | None = None
        for key_node, value_node in zip(node.keys, node.values):
            if key_node is None:
                contents = self.mapping(self.eval(value_node))
                items.update(contents.items)
                if contents.rest is not None:
                    rest = contents.rest if rest is None else v.join(rest, contents.rest)
                continue
            key = self.eval(key_node)
            self.need_hash(key_node, key_node, key, "dict")
            value = self.part_of_tree(value_node, self.eval(value_node))
            if type(key) is v.Const and is_hashable(key.value):
                items[key.value] = value
            else:
                rest = value if rest is None else v.join(rest, value)
        return self.new_object(DictObject(items, rest))

    def part_of_tree(self: Interpreter, node: ir.Expression, value: v.Value) -> v.Value:
        """What a display holds: an array that has a name is the same one in each tree that holds it."""
        if type(value) is not v.Array or value.ident is not None or value.cls is not None or type(node) is not ir.Name:
            return value
        assert self.state is not None
        if self.state.frames.get(self.frame.serial, {}).get(node.id) is not value:
            return value
        value = value.renewed(v.fresh())
        self.bind(node.id, value)
        return value

    def on_starred(self: Interpreter, node: ir.Starred) -> v.Value:
        return self.eval(node.value)

    # --- operators ----------------------------------------------------------------------------

    def on_unary(self: Interpreter, node: ir.Unary) -> v.Value:
        operand = self.eval(node.operand)
        if node.op == "not":
            if self.need_bool(node.operand, operand, BooleanOperatorOnTracer("not")):
                return v.UNKNOWN
            truth = truth_of(self, node.operand, operand)
            return v.STATIC_BOOL if truth is None else v.Const(not truth)
        if type(operand) is v.Const:
            return fold_unary(node.op, operand)
        if is_dimension(operand):
            return self.symbolic.unary(node.op, operand)
        if self.typed_keys.unary(node, operand):
            return v.UNKNOWN
        if type(operand) is v.Undecided and operand.maybe_static:
            return operand.renewed(v.fresh())
        if isinstance(operand, (v.Array, v.Undecided)):
            self.events.operands_read(node, (operand,))
            aval = self.aval_of(operand)  # without its span, which the operator changes
            return self.array_result([operand], v.Aval(aval.dtype, aval.shape, aval.weak))
        if type(operand) is v.Host:
            return v.Host(operand.aval)
        defined = overloading.unary(self, node, node.op, operand) if type(operand) is v.Ref else None
        if defined is not None:
            return defined
        if type(operand) in (v.Tuple, v.Ref) and self.events.refuses_operands(
            node, node.op, (operand,), (node.operand,)
        ):
            return v.UNKNOWN
        return operand if type(operand) is v.Static else v.UNKNOWN

    def on_binary(self: Interpreter, node: ir.Binary) -> v.Value:
        spine = []
        first: ir.Expression = node
        while type(first) is ir.Binary:
            spine.append(first)
            first = first.left
        left = self.eval(first)
        for outer in reversed(spine):
            right = self.eval(outer.right)
            left = self.operate(outer, outer.op, left, right)
            if self.recorded is not None and outer is not spine[0]:
                self.record(outer, left)
        return left

    def augmented(self: Interpreter, node: ir.Augment, current: v.Value, operand: v.Value) -> v.Value:
        contents = self.contents(current)
        if type(contents) is ListObject and node.op == "+":
            assert type(current) is v.Ref
            added = self.items_of(operand)
            if contents.items is not None and added is not None and len(contents.items) + len(added) <= v.MAX_LENGTH:
                self.write(current, ListObject(contents.items + tuple(added)))
            else:
                self.write(current, ListObject(None, v.join(contents.summary(), self.element_of(node.value, operand))))
            return current
        if self.events.refuses_augmented(node, current, operand):
            return v.UNKNOWN
        return self.operate(node, node.op, current, operand)

    def on_boolean(self: Interpreter, node: ir.Boolean) -> v.Value:
        left = self.eval(node.left)
        if self.need_bool(node.left, left, BooleanOperatorOnTracer(node.op)):
            left = v.UNKNOWN
        truth = truth_of(self, node.left, left)
        if truth is not None and truth is (node.op == "or"):
            self.right_values[node.site] = left
            return left
        assert self.state is not None
        start = self.state.fork()
        assume(self, node.left, node.op == "and")
        about = self.condition
        if truth is None:
            self.condition = self.path_conditions.nested(node.left)
        right = self.eval(node.right)
        self.condition = about
        self.right_values[node.site] = right
        if truth is not None:
            return right
        self.state = join_states(self.current_state(), start)
        if _is_boolean(left) and _is_boolean(right):
            # Whatever stands on the left, `and False` is false and `or True` is true.
            return right if self.truth(right) is (node.op == "or") else v.STATIC_BOOL
        if node.op == "or" and type(left) is v.Const and not left.value:
            return right
        return v.join(left, right)

    def on_compare(self: Interpreter, node: ir.Compare) -> v.Value:
        left, left_node = self.eval(node.left), node.left
        result: v.Value = v.TRUE
        for number, (op, right_node) in enumerate(zip(node.ops, node.rights)):
            right = self.eval(right_node)
            if number:
                chain = node.left if number == 1 else node.rights[number - 2]
                if self.need_bool(node, result, BooleanOperatorOnTracer("chain"), operand=chain.site):
                    return v.UNKNOWN
            self.events.compared(node, op, left, left_node, right, right_node)
            compared = self.compare(node, op, left, right, left_node, right_node)
            result = compared if not number else self.both(result, compared)
            left, left_node = right, right_node
        return result

    def both(self: Interpreter, first: v.Value, second: v.Value) -> v.Value:
        if type(second) is v.Array:
            return second
        if type(first) is v.Const and type(second) is v.Const:
            return v.Const(bool(first.value and second.value))
        return v.STATIC_BOOL if _is_boolean(first) and _is_boolean(second) else v.UNKNOWN

    def on_conditional(self: Interpreter, node: ir.Conditional) -> v.Value:
        test = self.eval(node.test)
        self.need_bool(node.test, test, BranchOnTracer("ternary"))
        results: list[v.Value] = []
        self.fork_on(
            node.test,
            test,
            lambda: results.append(self.eval(node.body)),
            lambda: results.append(self.eval(node.orelse)),
        )
        if not results:
            return v.UNKNOWN
        if len(results) == 1:
            return results[0]
        # The choice may depend on what is passed: it is the one for the arguments that it gets.
        self.transforms.alternatives |= {value.site for value in results if type(value) is v.Transformed}
        joined = v.join(results[0], results[1])
        self.correlations.chosen(self.key_of(node.test), results[0], results[1], joined)
        return joined

    # --- access -------------------------------------------------------------------------------

    def on_attribute(self: Interpreter, node: ir.Attribute) -> v.Value:
        base = self.eval(node.value)
        if type(base) is v.DonatedArray:
            return self.transforms.donations.held_by(node, base) or self.get_attribute(node, base.value, node.attr)
        found = self.get_attribute(node, base, node.attr)
        return self.transforms.donations.named(node, found) if type(found) is v.DonatedArray else found

    def on_subscript(self: Interpreter, node: ir.Subscript) -> v.Value:
        base = self.eval(node.value)
        index = self.eval_index(node.index)
        if type(base) is v.DonatedArray:
            return self.transforms.donations.held_by(node, base) or self.get_item(node, base.value, index)
        return self.get_item(node, base, index)

    def eval_index(self: Interpreter, node: ir.Node) -> v.Value:
        return self.eval(node)

    def on_slice(self: Interpreter, node: ir.Slice) -> v.Value:
        parts = [v.NONE if part is None else self.eval(part) for part in (node.lower, node.upper, node.step)]
        return v.Slice(*parts)

    # --- calls --------------------------------------------------------------------------------

    def on_call(self: Interpreter, node: ir.Call) -> v.Value:
        func = self.eval(node.func)
        args: list[v.Value] = []
        arg_nodes: list[ir.Node] = []
        star: bool | str = False
        double_star, each = False, None
        for arg in node.args:
            if type(arg) is ir.Starred:
                inner = self.eval(arg.value)
                known = self.items_of(inner)
                if known is None and not star and arg is node.args[-1] and type(func) in _BINDING:
                    star, each = BEHIND, self.element_of(arg.value, inner)
                elif known is None:
                    star = True
                    args.append(self.element_of(arg.value, inner))
                    arg_nodes.append(arg.value)
                else:
                    args.extend(known)
                    arg_nodes.extend([arg.value] * len(known))
            else:
                args.append(self.eval(arg))
                arg_nodes.append(arg)
        keywords: dict[str, v.Value] = {}
        keyword_nodes: dict[str, ir.Node] = {}
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.name is not None:
                keywords[keyword.name] = value
                keyword_nodes[keyword.name] = keyword.value
                continue
            contents = self.mapping(value)
            for name, item in contents.items.items():
                if isinstance(name, str):
                    keywords.setdefault(name, item)
                    keyword_nodes.setdefault(name, keyword.value)
            if contents.rest is not None:
                double_star = True
                each = contents.rest if each is None else v.join(each, contents.rest)
        call = Call(node, args, arg_nodes, keywords, keyword_nodes, star, double_star)
        if each is not None and star is not True:
            call.each = each
        self.last_callee[node.site] = func
        self.last_calls[node.site] = call
        self.events.called(type(func), func, call)
        self.events.name_called(ir.last_name(node.func), func, call)
        library = self.library_name(func)
        if library is not None:
            self.events.library_function_called(library, library, func, call)
        if type(func) is v.Api:
            call = self.last_calls[node.site] = call.in_order(func.name)
        donations = self.transforms.donations
        if donations.any:
            call = donations.passed(func, call)
        if self.callback is not None and self.events.refuses_host_call(func, call):
            return v.UNKNOWN
        donated = len(donations.for_callers)
        result = self.call(func, call)
        if len(donations.for_callers) > donated:
            donations.called(func, call, donated)
        return result

    def on_lambda(self: Interpreter, node: ir.Lambda) -> v.Value:
        value = self.make_function(node.function)
        self.defined(node.function, value)
        return value

    # --- strings ------------------------------------------------------------------------------

    def on_format(self: Interpreter, node: ir.Format) -> v.Value:
        text: list[str] | None = []
        traced: tuple[v.Value, ir.Node] | None = None
        fails = False
        for part in node.parts:
            if isinstance(part, str):
                if text is not None:
                    text.append(part)
                continue
            value = self.eval(part.value)
            spec = self.eval(part.spec) if part.spec is not None else v.Const("")
            has_spec = not (type(spec) is v.Const and spec.value == "")
            if has_spec and not part.conversion and self.hard(value, "float", containers_fail=True):
                self.report(FormatOfTracer("f-string"), part, part.value, value)
                fails = True
            elif has_spec and not part.conversion and of_array(self, part, part.value, value, spec):
                fails = True
            elif traced is None and self.shows_tracer(value):
                traced = (value, part.value)
            if (
                text is not None
                and type(value) is v.Const
                and not has_spec
                and not part.debug
                and isinstance(value.value, (str, int))
            ):
                text.append(str(value.value))
                text = text if v.is_small(text[-1]) else None
            else:
                text = None
        if traced is not None and not fails:
            return v.Text(*traced)
        joined = None if text is None else "".join(text)
        return v.STATIC_STR if joined is None or not v.is_small(joined) else v.Const(joined)

    # --- the rest -----------------------------------------------------------------------------

    def on_comprehension(self: Interpreter, node: ir.Comprehension) -> v.Value:
        frame = Frame(self.frame.scope, self.frame)
        frame.comprehension = node.locals
        frame.cls, frame.receiver = self.frame.cls, self.frame.receiver
        outer, self.frame = self.frame, frame
        assert self.state is not None
        self.state.open_frame(frame.serial, {})
        outer_continues, outer_breaks = self.continues, self.breaks
        found: list[tuple[v.Value, v.Value | None]] = []
        exact = self.run_clauses(node, 0, found)
        self.continues, self.breaks = outer_continues, outer_breaks
        self.frame = outer
        if self.current_state() is not None and not frame.captured:
            self.state.close_frame(frame.serial)
        if self.current_state() is None:
            self.state = self.last_state
        elements = [value for value, _ in found]
        if node.kind == "list" and exact:
            return self.new_list(tuple(elements))
        element: v.Value = v.UNKNOWN
        for number, value in enumerate(elements):
            element = value if not number else v.join(element, value)
        if node.kind == "list":
            return self.new_list(None, element)
        if node.kind == "generator":
            return v.Iterator(element, tuple(elements) if exact else None)
        if node.kind == "set":
            for value in elements:
                self.need_hash(node.element, node.element, value, "set")
            return self.new_object(SetObject(element))
        rest: v.Value | None = None
        items: dict[Any, v.Value] = {}
        for key, item in found:
            assert item is not None
            self.need_hash(node.element, node.element, key, "dict")
            if exact and type(key) is v.Const and is_hashable(key.value):
                items[key.value] = item
            else:
                rest = item if rest is None else v.join(rest, item)
        return self.new_object(DictObject(items, rest))

    def run_clauses(
        self: Interpreter, node: ir.Comprehension, depth: int, found: list[tuple[v.Value, v.Value | None]]
    ) -> bool:
        """Run the clauses of a comprehension; True when ``found`` holds each element exactly."""
        if depth == len(node.clauses):
            element = self.eval(node.element)
            found.append((element, self.eval(node.value) if node.value is not None else None))
            return True
        clause = node.clauses[depth]
        if depth == 0:  # the first iterable belongs to the scope around the comprehension
            inner = self.frame
            assert inner.parent is not None
            self.frame = inner.parent
            iterable = self.eval(clause.iterable)
            self.frame = inner
        else:
            iterable = self.eval(clause.iterable)
        iterable = self.iterated(clause.iterable, iterable)
        items = items_in_turn(self, iterable)
        count = len(items) if items is not None else number_of_keys(self, iterable)
        exact = count is not None and count <= 16 and not clause.conditions
        elements = self.elements(clause.iterable, iterable)
        outer_loop = self.loop_entry
        passes = count if exact and count is not None else 1 if count == 1 else 2
        if self.clauses >= MAX_CLAUSES and passes > 1:
            self.budget(f"more than {MAX_CLAUSES} clauses of comprehensions in one another")
            exact, passes = False, 1
        self.clauses += passes > 1
        for number in range(passes):
            if number == 1:
                self.loop_entry = (node, len(self.chain))
            assert self.state is not None
            start = self.state.fork()
            self.assign(clause.target, items[number] if exact and items is not None else elements(), clause.iterable)
            about, guards = self.condition, self.guards
            if all(self.lets_through(condition) for condition in clause.conditions):
                exact &= self.run_clauses(node, depth + 1, found)
            self.condition, self.guards = about, guards
            if clause.conditions:
                self.state = join_states(self.current_state(), start)
        self.loop_entry = outer_loop
        self.clauses -= passes > 1
        return exact

    def lets_through(self: Interpreter, condition: ir.Expression) -> bool:
        """Whether the condition of a comprehension may hold; the state is that in which it does."""
        test = self.eval(condition)
        self.need_bool(condition, test, BranchOnTracer("comprehension"))
        assume(self, condition, True)
        truth = truth_of(self, condition, test)
        self.guards += self.guards_of(condition, self.key_of(condition), True)
        if truth is None:
            self.condition = self.path_conditions.nested(condition)
        return truth is not False

    def on_await(self: Interpreter, node: ir.Await) -> v.Value:
        return self.eval(node.value)

    def on_yield(self: Interpreter, node: ir.Yield) -> v.Value:
        self.yielded.give([v.NONE if node.value is None else self.eval(node.value)])
        return v.Unknown(v.fresh())

    def on_yield_from(self: Interpreter, node: ir.YieldFrom) -> v.Value:
        value = self.eval(node.value)
        items = items_in_turn(self, value)
        self.yielded.give(items if items is not None else [self.element_of(node.value, value)])
        self.yielded.exact &= items is not None
        return v.Unknown(v.fresh())

    def on_walrus(self: Interpreter, node: ir.Walrus) -> v.Value:
        value = self.eval(node.value)
        frame = self.frame
        while self.frame.comprehension is not None:  # binds in the scope around the comprehension
            assert self.frame.parent is not None
            self.frame = self.frame.parent
        self.assign(node.target, value, node.value)
        self.frame = frame
        return value


def is_hashable(value: object) -> bool:
    return isinstance(value, (str, int, float, bool, bytes, type(None)))


def _is_boolean(value: v.Value) -> bool:
    return (type(value) is v.Const and isinstance(value.value, bool)) or (
        type(value) is v.Static and value.type == "bool"
    )


_BUILTIN_APIS = {name: v.Api(f"builtins.{name}") for name in BUILTINS}
_READS = frozenset({ir.Name, ir.Attribute, ir.Subscript})
_BINDING = frozenset({v.FunctionValue, v.BoundMethod, v.ClassValue, v.Partial})  # what binds arguments to parameters

_E = Expressions
_DISPATCH: dict[Any, Callable[[Any, Any], v.Value]] = {
    ir.Constant: _E.on_constant, ir.Name: _E.on_name, ir.Run: _E.on_run, ir.Sequence: _E.on_sequence, ir.Dict: _E.on_dict,
    ir.Starred: _E.on_starred, ir.Unary: _E.on_unary, ir.Binary: _E.on_binary, ir.Boolean: _E.on_boolean,
    ir.Compare: _E.on_compare, ir.Conditional: _E.on_conditional, ir.Attribute: _E.on_attribute,
    ir.Subscript: _E.on_subscript, ir.Slice: _E.on_slice, ir.Call: _E.on_call, ir.Lambda: _E.on_lambda,
    ir.Format: _E.on_format, ir.Comprehension: _E.on_comprehension, ir.Await: _E.on_await,
    ir.Yield: _E.on_yield, ir.YieldFrom: _E.on_yield_from, ir.Walrus: _E.on_walrus,
}  # fmt: skip
