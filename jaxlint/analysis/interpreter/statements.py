"""Statements: flow of control, assignment, definition, import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from mypy_extensions import trait

from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.context import EAGER, Context, Frame
from jaxlint.analysis.domain.hazards import BranchOnTracer, MutatingCallOnArray, WhileOnTracer
from jaxlint.analysis.domain.instances import TRACERS
from jaxlint.analysis.domain.state import DictObject, Guards, Instance, ListObject, State, join_states, same_values
from jaxlint.analysis.interpreter.imports import Imports
from jaxlint.analysis.interpreter.narrowing import asks_for_tracers, assume, guard_key, truth_of
from jaxlint.analysis.interpreter.trip_count import Passes, certain_passes, makes_no_pass
from jaxlint.analysis.interpreter.version_guards import ends_in_raise
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

# A conversion error raised inside `try` and caught by one of these is expected by the author.
_CATCHING = frozenset({
    "builtins.Exception", "builtins.BaseException", "builtins.TypeError", "builtins.ValueError",
    "builtins.IndexError", "builtins.AttributeError", "builtins.RuntimeError",
    "builtins.NotImplementedError", "dataclasses.FrozenInstanceError",
})  # fmt: skip

_MAX_LOOP_PASSES = 4
# How often a loop is entered in one call of its function before what it changes is unknown: more happens in deep nests alone.
_MAX_LOOP_RUNS = 40


@trait
class Statements(Imports):
    """Mixin of the interpreter: one method for each kind of statement."""

    def block(self: Interpreter, body: list[ir.Statement]) -> None:
        dispatch = _DISPATCH
        guards = self.guards
        entered = self.scoped()
        for statement in body:
            state, around = self.state, self.guards
            if state is None:
                break
            self.steps += 1
            if self.steps > 2 * self.step_limit:
                self.give_up()
                break
            try:
                dispatch[type(statement)](self, statement)
            except Exception as error:
                self.contain(statement, entered, state, around, error)
        self.guards = guards

    # --- simple statements --------------------------------------------------------------------

    def on_evaluate(self: Interpreter, node: ir.Evaluate) -> None:
        if type(node.value) is ir.Constant:
            return  # a docstring, or an ellipsis
        if self.unit.module_of(node.site).shows(node):
            self.eval(node.value)
            return
        self.events.expression_started(node)
        value = self.eval(node.value)
        self.events.expression_ended(node, value)
        self.runners.asserted(node.value)

    def on_assign(self: Interpreter, node: ir.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value, node.value)

    def on_annotate(self: Interpreter, node: ir.Annotate) -> None:
        self.annotation(node.annotation)
        if node.value is not None:
            self.assign(node.target, self.eval(node.value), node.value)

    def annotation(self: Interpreter, node: ir.Node | None) -> None:
        """Look up the dotted names in an annotation: only which APIs it names matters."""
        if type(node) is ir.Attribute:
            recorded, self.recorded = self.recorded, None
            self.imports_suspended += 1
            self.eval(node)
            self.imports_suspended -= 1
            self.recorded = recorded
        elif node is not None and type(node) is not ir.Name:
            for child in node.children():
                self.annotation(child)

    def on_augment(self: Interpreter, node: ir.Augment) -> None:
        current = self.eval(node.target)
        operand = self.eval(node.value)
        self.events.augmented(node, current)
        value = self.augmented(node, current, operand)
        self.assign(node.target, value, node.value, node.op)

    def on_return(self: Interpreter, node: ir.Return) -> None:
        value = v.NONE if node.value is None else self.eval(node.value)
        self.returned.append((value, self.state))
        self.state = None

    def on_raise(self: Interpreter, node: ir.Raise) -> None:
        for part in (node.exception, node.cause):
            if part is not None:
                self.in_message(part)
        self.state = None

    def on_assert(self: Interpreter, node: ir.Assert) -> None:
        test = self.eval(node.test)
        self.need_bool(node.test, test, BranchOnTracer("assert"))
        if node.message is not None:
            after = self.state
            assert after is not None
            self.state = after.fork()
            self.in_message(node.message)
            self.state = after
        self.goes_on_where(node.test, test, True)

    def goes_on_where(self: Interpreter, node: ir.Node, test: v.Value, polarity: bool) -> None:
        """What follows is reached only where the condition at ``node`` is as ``polarity`` says."""
        if truth_of(self, node, test) is (not polarity):
            self.state = None
        else:
            assume(self, node, polarity)

    def in_message(self: Interpreter, node: ir.Node) -> None:
        """Evaluate the argument of `raise` or the message of `assert`: formatting there is harmless."""
        context = self.context
        self.context = context.but(guard=context.guard or "message")
        self.eval(node)
        self.context = context

    def on_delete(self: Interpreter, node: ir.Delete) -> None:
        for target in node.targets:
            if type(target) is ir.Name:
                frame = self.owner(target.id)
                if frame is not None:
                    assert self.state is not None
                    self.state.forget(frame.serial, target.id)
            elif type(target) is ir.Subscript:
                base = self.eval(target.value)
                index = self.eval(target.index)
                contents = self.contents(base)
                if type(base) is v.Array:
                    self.report(MutatingCallOnArray(), target, target.value, base, api="del")
                elif isinstance(contents, (ListObject, DictObject)):
                    assert type(base) is v.Ref
                    self.write(base, contents.without(index))
            elif type(target) is ir.Attribute:
                base = self.eval(target.value)
                self.havoc(base)

    def on_pass(self: Interpreter, node: ir.Pass) -> None:
        pass

    def on_break(self: Interpreter, node: ir.Break) -> None:
        self.breaks.append(self.state)
        self.state = None

    def on_continue(self: Interpreter, node: ir.Continue) -> None:
        self.continues.append(self.state)
        self.state = None

    # --- definitions --------------------------------------------------------------------------

    def on_define(self: Interpreter, node: ir.Define) -> None:
        function = node.function
        for parameter in function.parameters:
            self.annotation(parameter.annotation)
        self.annotation(function.returns)
        value: v.Value = self.make_function(function)
        for decorator in reversed(function.decorators):
            value = self.decorate(decorator, value, function)
        module = self.filenames.get(self.frame.scope.site) if self.frame.parent is None else None
        self.bind(function.name, self.project_names.at(module, function.name) or value)
        self.defined(function, value)

    def on_define_class(self: Interpreter, node: ir.DefineClass) -> None:
        self.bind(node.definition.name, self.make_class(node.definition))

    def on_scope_declaration(self: Interpreter, node: ir.Global | ir.Nonlocal) -> None:
        pass  # lowering has read it

    # --- branches -----------------------------------------------------------------------------

    def on_if(self: Interpreter, node: ir.If) -> None:
        test = self.eval(node.test)
        self.need_bool(node.test, test, BranchOnTracer("if"))
        ended = self.fork_on(node.test, test, lambda: self.block(node.body), lambda: self.block(node.orelse))
        if len(ended) == 1 and self.state is not None:  # what follows in the block is behind the other branch
            (behind,) = ended.values()
            self.guards += behind
            if (
                not ends_in_raise(node.body if True in ended else node.orelse)
                and truth_of(self, node.test, test) is None
            ):
                self.condition = self.path_conditions.nested(node.test)

    def fork_on(
        self: Interpreter, node: ir.Node, test: v.Value, then: Callable[[], None], orelse: Callable[[], None]
    ) -> dict[bool, Guards]:
        """Run both branches of a condition from here and join what arrives: the branches (`then` is True) that end,
        with the guards of the other one."""
        truth = truth_of(self, node, test)
        start = self.state
        arrived: State | None = None
        key = self.key_of(node)
        guards, about = self.guards, self.condition
        ways = {polarity: self.guards_of(node, key, polarity) for polarity in (True, False)}
        ended: dict[bool, Guards] = {}
        differing: list[tuple[str, bool]] = []
        for polarity, run in ((True, then), (False, orelse)):
            if truth is (not polarity):
                continue
            assert start is not None
            self.state = start.fork()
            self.guards = guards + ways[polarity]
            said = list(_implied(node, polarity))
            unlikely = any(self.is_unlikely(*each) or (truth is None and self.is_for_values(*each)) for each in said)
            self.condition = about
            if truth is None:
                assume(self, node, polarity)
                self.condition = self.path_conditions.nested(node)
            self.undecided += truth is None
            self.silent += unlikely
            returned = len(self.returned)
            run()
            self.undecided -= truth is None
            self.silent -= unlikely
            after = self.current_state()
            if after is None:
                ended[polarity] = ways[not polarity]
            for state in (after, *(left for _, left in self.returned[returned:])):
                if unlikely and state is not None:  # what is consumed there is not certain either
                    state.start_consumed(start.consumed)
            if key is not None and arrived is not None and after is not None:
                differing = self.correlations.differing(arrived, after)
            arrived = join_states(arrived, after)
        self.guards, self.condition = guards, about
        self.state = arrived
        if differing and key is not None:
            self.correlations.joined(differing, key)
        return ended

    def guards_of(self: Interpreter, node: ir.Node, key: str | None, polarity: bool) -> Guards:
        """What holds in a branch of a condition."""
        implied = self.correlations.implied(_implied(node, polarity))
        return implied if key is None else ((key, polarity), *implied)

    def key_of(self: Interpreter, node: ir.Node) -> str | None:
        """The key of a condition as a guard."""
        if node.site not in self.guard_keys:
            self.guard_keys[node.site] = guard_key(node)
        found: str | None = self.guard_keys[node.site]
        return found

    def is_unlikely(self: Interpreter, node: ir.Node, polarity: bool) -> bool:
        """Whether the branch is for a parameter that is None, where the call at hand, or any, passes something for it.

        It may be None that is passed on; what fails only then is not certain. The same holds of the branch
        that tracers do not take, where nothing but a container could be what is tested.
        """
        if type(node) is ir.Call and not polarity and len(node.args) == 2 and type(node.args[0]) is ir.Name:
            callee, classes = self.last_callee.get(node.site), self.class_names(node.args[1])
            if (
                type(callee) is v.Api
                and callee.name == "builtins.isinstance"
                and classes
                and TRACERS.issuperset(classes)
            ):
                value = self.variables(self.owner(node.args[0].id) or self.frame).get(node.args[0].id)
                return type(value) is v.Undecided or (type(value) is v.Unknown and self.context.stage != EAGER)
        if type(node) is not ir.Compare or len(node.ops) != 1 or (node.ops[0] == "is") is not polarity:
            return False
        if node.ops[0] not in ("is", "is not") or type(node.left) is not ir.Name or not ir.is_none(node.rights[0]):
            return False
        owner = self.owner(node.left.id)
        if owner is None:
            return False
        value = self.variables(owner).get(node.left.id)
        if type(value) is v.Undecided:
            return node.left.id in owner.passed or not _has_default(owner.scope, node.left.id)
        return type(value) is v.Unknown and node.left.id in owner.passed

    def is_for_values(self: Interpreter, node: ir.Node, polarity: bool) -> bool:
        """Whether the branch is for what is not traced, by what the function that was asked tests."""
        asked = self.path_conditions.assigned_to(node.id, node, self.frame) if type(node) is ir.Name else [node]
        return len(asked) == 1 and type(asked[0]) is ir.Call and asks_for_tracers(self, asked[0]) is (not polarity)

    def on_match(self: Interpreter, node: ir.Match) -> None:
        subject = self.eval(node.subject)
        start = self.state
        arrived: State | None = None
        falls_through = True
        guards, about = self.guards, self.condition
        key = guard_key(node.subject)
        behind = self.path_conditions.nested(node.subject)
        for case in node.cases:
            assert start is not None
            self.state = start.fork()
            self.condition = behind
            self.bind_pattern(case.pattern, subject, node.subject)
            # Cases exclude each other, as the branches of an if/elif chain do.
            self.guards = guards + ((f"match {key} #{node.site}", case.site),)
            if case.guard is not None:
                guard = self.eval(case.guard)
                self.need_bool(case.guard, guard, BranchOnTracer("if"))
            self.block(case.body)
            arrived = join_states(arrived, self.current_state())
            if case.guard is None and case.pattern.kind in ("capture", "wildcard") and not case.pattern.children_:
                falls_through = False
        self.guards, self.condition = guards, about
        if falls_through:
            assert start is not None
            arrived = join_states(arrived, start.fork())
        self.state = arrived

    def bind_pattern(self: Interpreter, pattern: ir.Pattern, subject: v.Value, subject_node: ir.Node) -> None:
        if pattern.kind == "value":
            assert pattern.value is not None
            wanted = self.eval(pattern.value)
            if v.is_scalar_const(wanted):
                compared = self.compare(pattern.value, "==", subject, wanted, subject_node, pattern.value)
                self.need_bool(pattern.value, compared, BranchOnTracer("match"))
        elif pattern.kind == "class" and pattern.value is not None:
            self.eval(pattern.value)
        for child in pattern.children_:
            inner = subject if pattern.kind in ("or", "capture") else v.UNKNOWN
            self.bind_pattern(child, inner, subject_node)
        for name in pattern.names:
            whole = pattern.kind == "capture" and not pattern.children_
            self.bind(name, subject if whole else v.Unknown(v.fresh()))

    # --- loops --------------------------------------------------------------------------------

    def on_while(self: Interpreter, node: ir.While) -> None:
        def head() -> bool | None:
            test = self.eval(node.test)
            self.need_bool(node.test, test, WhileOnTracer())
            truth: bool | None = truth_of(self, node.test, test)
            return truth

        self.loop(node, head, lambda: assume(self, node.test, True), forever=_is_true(node.test))
        self.events.loop_ended(node)

    def on_for(self: Interpreter, node: ir.For) -> None:
        iterable = self.iterated(node.iterable, self.eval(node.iterable))
        elements = self.elements(node.iterable, iterable)
        passes = certain_passes(self, iterable)
        around = self.passes_around
        self.passes_around *= passes.count if passes is not None else 1
        entry = self.state.fork() if self.state is not None and makes_no_pass(self, node, iterable) else None
        self.loop(node, lambda: None, lambda: self.assign(node.target, elements(), node.iterable), False, passes)
        self.passes_around = around
        if entry is not None:
            self.state = entry
        self.events.loop_ended(node)
        self.events.loop_over_ended(node, iterable)

    def loop(
        self: Interpreter,
        node: ir.For | ir.While,
        head: Callable[[], bool | None],
        enter: Callable[[], None],
        forever: bool,
        passes: Passes | None = None,
    ) -> None:
        """All passes as they happen, where they are known. Else two, then joined passes until nothing changes.

        The first pass sees exactly what the loop is entered with; the second what the first left,
        which is where a key consumed once a pass shows. Further passes run on joined states and
        stay silent: they only find what holds after the loop. Where the loop as a whole is run in silence, as in such a pass
        of a loop around it, states are joined from the second pass on.
        """
        run = (self.frame.serial, node.site)
        runs = self.loop_runs[run] = self.loop_runs.get(run, 0) + 1
        most = _MAX_LOOP_PASSES if passes is None else passes.count + 1
        if runs > _MAX_LOOP_RUNS:
            self.budget(f"more than {_MAX_LOOP_RUNS} runs of a loop")
            most = 1
        outer_breaks, outer_continues = self.breaks, self.continues
        outer_loop = self.loop_entry
        leaving: State | None = None
        entry = self.state
        assert entry is not None
        before = dict(entry.frames.get(self.frame.serial, ()))
        previous: State | None = None
        apart: list[State | None] = []  # where the first pass ends early, with other keys
        first_joined = 1 if self.silent else 2
        for number in range(most):
            self.breaks, self.continues = [], []
            certain = passes is not None and passes.are_certain()
            joined = number >= first_joined and not certain
            if number == 1:
                self.loop_entry = (node, len(self.chain))
            self.silent += joined
            self.uncertain_loops += not certain
            truth = number < passes.count if passes is not None and certain else head()
            if truth is not True and not (forever and truth is None):
                assert self.state is not None
                leaving = join_states(leaving, self.state.fork())
            if truth is not False:
                enter()
                self.block(node.body)
            else:
                self.state = None
            self.continues += apart
            exact_next = number == first_joined - 2 and number + 1 < most and not certain
            apart = self.continues if exact_next and self.rebinds_keys(self.continues) else []
            for state in self.continues if not apart else ():
                self.state = join_states(self.state, state)
            for state in self.breaks:
                leaving = join_states(leaving, state)
            self.silent -= joined
            self.uncertain_loops -= not certain
            if self.state is None:
                break
            if self.breaks:  # the next pass need not be made
                self.yielded.exact = False
            if number + 1 >= first_joined and not certain:
                # From here on the state at the head is the join of all entries.
                if previous is not None and self.stable(previous, self.state):
                    break
                self.state = join_states(entry.fork(), self.current_state())
                assert self.state is not None
                previous = self.state.fork()
        if self.state is not None and not forever:
            leaving = join_states(leaving, self.current_state())
        self.breaks, self.continues = outer_breaks, outer_continues
        self.loop_entry = outer_loop
        self.state = leaving
        if leaving is not None and runs > _MAX_LOOP_RUNS:
            for name, value in list(leaving.frames.get(self.frame.serial, {}).items()):
                if before.get(name) is not value:
                    leaving.store(self.frame.serial, name, v.Unknown(v.fresh()))
        if node.orelse and self.state is not None:
            self.block(node.orelse)

    def rebinds_keys(self: Interpreter, others: list[State | None]) -> bool:
        """Whether a variable holds a key here, and something else in one of ``others``: joined, it would be no certain key."""
        here = self.state.frames.get(self.frame.serial, {}) if self.state is not None else {}
        keys = [(name, value) for name, value in here.items() if type(value) is v.Array and value.aval.dtype in v.KEYS]
        bound = [state.frames.get(self.frame.serial, {}) for state in others if state is not None]
        return any(names.get(name) is not value for names in bound for name, value in keys)

    def stable(self: Interpreter, before: State, after: State) -> bool:
        return same_values(before, after, self.frame.serial)

    # --- exceptions and with ------------------------------------------------------------------

    def on_try(self: Interpreter, node: ir.Try) -> None:
        assert self.state is not None
        start = self.state.fork()
        context = self.context
        expecting = self.context.guard
        types = [name for handler in node.handlers if not _reraises(handler) for name in self.handled(handler)]
        if any(map(_catches, types)):
            expecting = "all" if expecting == "all" else "errors"
        self.context = context.but(guard=expecting)
        recorded = self.recorded
        watched = self.events.wants_values(node)
        if watched:
            self.recorded = []
        self.block(node.body)
        self.context = context
        if watched:
            assert self.recorded is not None
            self.events.try_body_ended(node, self.recorded)
            if recorded is not None:
                recorded.extend(self.recorded)
            self.recorded = recorded
        left = self.current_state()
        body_end = left.fork() if left is not None else None
        failed = body_end is not None and body_end.failed
        if failed:
            self.state = None
        if self.state is not None:
            self.block(node.orelse)
        arrived = self.state
        # A handler runs with some part of the body done: its variables are those of either end, and
        # what the body consumed did not happen.
        entry = start.fork()
        if body_end is not None:
            consumed = start.consumed
            joined = join_states(entry, body_end)
            assert joined is not None
            entry = joined
            entry.consumed = consumed
            entry._owned.discard("consumed")
        # Whether a handler runs is not known, unless the body fails with certainty: what it says of a
        # value may be said of others than tracers.
        self.context = context if failed else context.but(guard=context.guard or "message")
        for handler in node.handlers:
            self.state = entry.fork()
            if handler.type is not None:
                self.eval(handler.type)
            if handler.name is not None:
                self.bind(handler.name, v.Unknown(v.fresh()))
            self.block(handler.body)
            arrived = join_states(arrived, self.current_state())
        self.context = context
        self.state = arrived
        if node.final:
            if self.state is None:
                self.state = entry.fork()
                self.block(node.final)
                self.state = None
            else:
                self.block(node.final)

    def handled(self: Interpreter, handler: ir.Handler) -> list[str]:
        if handler.type is None:
            return ["builtins.BaseException"]
        value = self.eval(handler.type)
        items = value.items if type(value) is v.Tuple and value.items is not None else (value,)
        return [item.name if type(item) is v.Api else "builtins.Exception" for item in items]

    def on_with(self: Interpreter, node: ir.With) -> None:
        context, managers = self.context, []
        for item in node.items:
            entered = self.eval(item.context)
            managers.append(entered)
            changed = self.entered(item.context, entered)
            if changed is not None:
                self.context = changed
            if item.target is not None:
                self.assign(item.target, self.with_value(item.context, entered), item.context)
        self.block(node.body)
        self.context = context
        if self.state is not None:
            self.events.with_ended(node, managers)

    def entered(self: Interpreter, node: ir.Node, value: v.Value) -> Context | None:
        """The context inside a with block, where the context manager changes it."""
        callee = self.last_callee.get(node.site)
        if type(callee) is v.Api and callee.name == "contextlib.suppress":
            classes = self.last_calls[node.site].args
            names = [each.name if type(each) is v.Api else "builtins.Exception" for each in classes]
            return self.context.but(guard="all") if any(map(_catches, names)) else None
        if self.expected.by(callee, node) or self.expected.replaces(callee, node):
            return self.context.but(guard="all")
        if type(callee) is v.Api and callee.name == "jax.disable_jit":
            given = self.last_calls[node.site].get(0, "disable") or v.TRUE
            return self.context.but(transparent=self.truth(given) is True)  # an unknown flag is one of debugging
        if type(callee) is v.Api and callee.name == "jax.ensure_compile_time_eval":
            # What is computed of constants alone has its value; a tracer is staged as before, whatever traces it.
            region = "constants" if self.context.stage == "staged" else self.context.region
            return self.context.but(stage="eager", region=region, folds=True)
        return None

    def with_value(self: Interpreter, node: ir.Node, value: v.Value) -> v.Value:
        if type(value) is v.Iterator and type(self.last_callee.get(node.site)) is v.FunctionValue:
            return value.element  # what a generator under `contextlib.contextmanager` yields
        contents = self.contents(value)
        enter = contents.cls.lookup("__enter__") if type(contents) is Instance else None
        if type(enter) is v.FunctionValue:
            return self.call_function(enter, self.simple_call(node, [value]))
        return v.Unknown(v.fresh())

    # --- assignment ---------------------------------------------------------------------------

    def bind(self: Interpreter, name: str, value: v.Value) -> None:
        """Bind a name in the scope that owns it."""
        frame: Frame = self.frame
        while frame.comprehension is not None and name not in frame.comprehension:
            frame = frame.parent  # type: ignore[assignment]
        scope = frame.scope
        if name in scope.globals:
            frame = frame.top
            self.touched.append(0)
            self.stores += 1
        elif name in scope.nonlocals:
            owner = self.owner(name)
            frame = owner if owner is not None else frame
            self.touched.append(0)
            self.stores += 1
        assert self.state is not None
        if frame.serial in self.world.frames and frame.serial not in self.state.frames:
            self.state.open_frame(frame.serial, dict(self.world.frames[frame.serial]))
        self.state.store(frame.serial, name, value)

    def assign(self: Interpreter, target: ir.Node, value: v.Value, source: ir.Node, op: str = "") -> None:
        """Store a value; ``op`` is that of an augmented assignment."""
        if type(target) is ir.Name:
            self.events.name_stored(target, value, source, op)
            self.bind(target.id, value)
        elif type(target) is ir.Sequence:
            self.unpack(target, value, source)
        elif type(target) is ir.Starred:
            self.assign(target.value, value, source)
        elif type(target) is ir.Attribute:
            base = self.eval(target.value)
            self.events.attribute_stored(target, base, target.attr, value, source, op)
            self.set_attribute(target, base, target.attr, value)
        elif type(target) is ir.Subscript:
            base = self.eval(target.value)
            index = self.eval_index(target.index)
            self.events.item_stored(target, base, index, value, source, op)
            self.set_item(target, base, index, value)

    def unpack(self: Interpreter, target: ir.Sequence, value: v.Value, source: ir.Node) -> None:
        elements = target.elements
        star = next((i for i, e in enumerate(elements) if type(e) is ir.Starred), None)
        if star is None:
            self.transforms.gradients.unpacked(target, source)
        self.key_arrays.unpacked(target, value, source, star)
        parts = self.unpacked(source, value, len(elements), star)
        for element, part in zip(elements, parts):
            if type(element) is ir.Starred:
                self.assign(element.value, part, source)
            else:
                self.assign(element, part, source)

    def new_list(self: Interpreter, items: tuple[v.Value, ...] | None, element: v.Value = v.UNKNOWN) -> v.Ref:
        return self.new_object(ListObject(items, element))


def _implied(node: ir.Node, polarity: bool) -> Iterator[tuple[ir.Node, bool]]:
    """The conditions that are decided where another is true, or is not, each with its truth."""
    if type(node) is ir.Unary and node.op == "not":
        yield from _implied(node.operand, not polarity)
    elif type(node) is ir.Boolean and (node.op == "and") is polarity:
        yield from _implied(node.left, polarity)
        yield from _implied(node.right, polarity)
    else:
        yield node, polarity


def _has_default(scope: ir.Scope, name: str) -> bool:
    parameters = scope.parameters if isinstance(scope, ir.Function) else ()
    return any(each.name == name and each.default is not None for each in parameters)


def _is_true(node: ir.Node) -> bool:
    return type(node) is ir.Constant and bool(node.value)


def _catches(name: str) -> bool:
    """Whether an exception is what a tracer raises, or a base class of it."""
    return name in _CATCHING or name.startswith(("jax.errors", "jax.core"))


def _reraises(handler: ir.Handler) -> bool:
    """Whether what is caught goes on: `except Exception: log(); raise`."""
    last = handler.body[-1] if handler.body else None
    return isinstance(last, ir.Raise) and last.exception is None


_S = Statements
_DISPATCH: dict[Any, Callable[[Any, Any], None]] = {
    ir.Evaluate: _S.on_evaluate, ir.Assign: _S.on_assign, ir.Annotate: _S.on_annotate,
    ir.Augment: _S.on_augment, ir.Return: _S.on_return, ir.Raise: _S.on_raise, ir.Assert: _S.on_assert,
    ir.Delete: _S.on_delete, ir.Pass: _S.on_pass, ir.Break: _S.on_break, ir.Continue: _S.on_continue,
    ir.Define: _S.on_define, ir.DefineClass: _S.on_define_class, ir.Import: _S.on_import,
    ir.ImportFrom: _S.on_import_from, ir.Global: _S.on_scope_declaration,
    ir.Nonlocal: _S.on_scope_declaration, ir.If: _S.on_if, ir.Match: _S.on_match, ir.While: _S.on_while,
    ir.For: _S.on_for, ir.Try: _S.on_try, ir.With: _S.on_with,
}  # fmt: skip
