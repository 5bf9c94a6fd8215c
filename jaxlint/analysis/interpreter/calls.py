"""Calls of the project's own functions and classes, and what is defined along the way.

A call is interpreted with the caller's values. When the body had no effect outside itself the
result is remembered under the kinds of everything it could see, so that a chain of helpers costs
one run of each helper for each kind of argument, not one for each path.
"""

from __future__ import annotations

import collections
import functools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from mypy_extensions import trait

from jaxlint import knowledge
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import BEHIND, Call
from jaxlint.analysis.domain.context import EAGER, STAGED_CODE, UNKNOWN_CODE, Context, Frame, makes_parameters
from jaxlint.analysis.domain.entry_state import entry as entry_of
from jaxlint.analysis.domain.instances import api_names, classes_in
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.state import DictObject, Instance, State, base as base_of, join_states
from jaxlint.analysis.interpreter import escape_analysis
from jaxlint.analysis.interpreter.generators import Yields
from jaxlint.analysis.interpreter.must_execute import is_narrowed
from jaxlint.analysis.interpreter.summaries import CallSummary, Memory
from jaxlint.analysis.model import Activation
from jaxlint.analysis.models import opaque_objects
from jaxlint.analysis.models.array_types import TYPE_CHECKERS
from jaxlint.analysis.models.dataclass_fields import held, keyword_only
from jaxlint.analysis.models.frameworks import DATACLASS_LIKE, DATACLASSES, FAMILIES, TRANSPARENT, Framework
from jaxlint.analysis.models.functional_update import NAMED_TUPLE
from jaxlint.analysis.models.haiku import SOMEWHERE
from jaxlint.analysis.models.layers import ACTIVATIONS
from jaxlint.ir import nodes as ir
from jaxlint.project.resolver import Place
from jaxlint.source import library_sources

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.interpreter.evaluation_state import Pending

MAX_DEPTH = 24
MAX_WRAPPED = 8  # objects in one another
CHEAP_CONTEXTS = 4  # so many times the limit of contexts holds for a function whose runs take few steps
MAX_RUNS = (
    3  # of a function in each of its contexts, on the average: a call that changes what is older is run every time
)

# Decorators that leave the function as it is, as far as tracing goes.
_TRANSPARENT = frozenset({
    "builtins.property", "builtins.staticmethod", "builtins.classmethod", "functools.cached_property",
    "abc.abstractmethod", "abc.abstractproperty", "typing.overload", "typing.override", "typing.final",
    "typing.no_type_check", "typing_extensions.override", "typing_extensions.final", "functools.lru_cache",
    "functools.cache", "functools.wraps", "contextlib.contextmanager", "jax.named_scope", "jax.profiler.annotate_function",
}) | TYPE_CHECKERS | TRANSPARENT  # fmt: skip

# They are called to give such a decorator.
_CALLED_TRANSPARENT = frozenset(
    {"jax.named_scope", "typing.dataclass_transform", "typing_extensions.dataclass_transform"}
)

_HOLDERS = (v.FunctionValue, v.Transformed, v.Partial, v.BoundMethod)  # functions may hold keys that they draw from
# Settings of JAX that hold while a function with this decorator runs, and change no dtype.
_SETTINGS = frozenset(
    "jax." + name for name in (
        "check_tracer_leaks", "checking_leaks", "debug_nans", "debug_infs", "debug_key_reuse", "default_device",
        "default_matmul_precision", "enable_checks", "log_compiles", "numpy_rank_promotion", "legacy_prng_key", "transfer_guard",
        "threefry_partitionable", "softmax_custom_jvp",
    )
)  # fmt: skip


@trait
class Calls(Memory):
    """Mixin of the interpreter: functions, classes, decorators."""

    # --- dispatch -----------------------------------------------------------------------------

    def call(self: Interpreter, func: v.Value, call: Call) -> v.Value:
        if type(func) is v.Api:
            name = ACTIVATIONS.get(func.name, func.name)
            return self.api.call(name, call.in_order(name))
        if type(func) is v.FunctionValue:
            marks = self.marked.get(func.function.site)
            if marks is None:
                return self.call_function(func, call)
            if self.hashes(func, call):
                return v.UNKNOWN
            if "abstractmethod" in marks:  # what runs is another class's
                return self.call_unknown(func, call)
            return self.events.cached_value(self.call_function(func, call), func, call.node, None)
        if type(func) is v.Member:
            return self.methods.call(func, call)
        if type(func) is v.BoundMethod:
            held = self.contents(func.receiver)
            cls = held.cls if type(held) is Instance else None
            return self.framework(cls).call_method(func.function, func.receiver, call)
        if type(func) is v.Partial:
            return self.call(func.function, call.shifted(func.args, func.keywords))
        if type(func) is v.Transformed:
            return self.transforms.call(func, call)
        if type(func) is v.ClassValue:
            return self.instantiate(func, call)
        if type(func) is v.OpaqueInstance and (given := opaque_objects.called(self, func, call)) is not None:
            return given
        if type(func) is v.Unknown and func.options:
            return self.call_one_of(func.options, call, func.open)
        contents = self.contents(func)
        if type(contents) is Instance:
            assert type(func) is v.Ref
            return self.call_instance(func, contents, call)
        return self.call_unknown(func, call)

    def call_one_of(self: Interpreter, options: Iterable[v.Value], call: Call, is_open: bool = False) -> v.Value:
        """One of some callables is called, or with ``is_open`` something else.

        The body of each fails for whoever chooses it. A function or layer of a library is chosen by what it is given: what goes
        wrong in it need not happen.
        """
        calls = [(option, call) for option in options]
        if is_open:
            calls.append((v.Unknown(v.fresh()), call))
        result: v.Value
        follows = all(type(v.untransformed(option)) not in (v.Api, v.OpaqueInstance) for option, _ in calls)
        if follows and not self.narrows_alternatives(
            call.site, *(each.site for each, _ in calls if type(each) is v.Transformed)
        ):
            self.possible += 1
            result = self.called_each(calls)
            self.possible -= 1
        else:
            activated = set(self.activated)
            with self.muted():
                result = self.called_each(calls)
            self.activated = activated  # who calls them aloud is still to come
        return result

    def narrows_alternatives(self: Interpreter, *sites: int) -> bool:
        """Whether a condition around one of some calls may keep it from an alternative of its callee, or of what it transforms."""
        for site in sites:
            node = self.unit.nodes[site]
            callee = node.args[0] if site != sites[0] and isinstance(node, ir.Call) and node.args else node
            while isinstance(callee, (ir.Call, ir.Attribute)):
                callee = callee.func if isinstance(callee, ir.Call) else callee.value
            if isinstance(callee, ir.Name) and is_narrowed(self.unit, site, callee.id):
                return True
        return False

    def called_each(self: Interpreter, calls: Sequence[tuple[v.Value, Call]]) -> v.Value:
        """Callables, each called from the state at hand: what they give, and what they leave, joined."""
        before, states, results, drawn = self.state, None, [], []
        assert before is not None
        for func, call in calls:
            self.state = before.fork()
            results.append(self.call(func, call))
            after = self.current_state()
            states = join_states(states, after)
            if after is not None and type(func) is not v.Unknown:
                drawn.append(after.consumed)
        self.state = states
        if states is not None and states.consumed is not before.consumed:
            # Keys that one of them holds itself may be those of another object in the next call, and what one of them alone
            # draws from is not drawn from again by a function that another one gives.
            passed = {
                base_of(leaf.ident) for _, call in calls for leaf in self.leaves(call.all()) if leaf.ident is not None
            }
            apart = drawn if any(type(leaf) in _HOLDERS for leaf in self.leaves(results)) else ()
            common = {
                ident: each for ident, each in states.consumed.items()
                if base_of(ident) in passed and all(table.get(ident) != before.consumed.get(ident) for table in apart)
            }  # fmt: skip
            states.start_consumed({**before.consumed, **common})
        return functools.reduce(v.join, results)

    def hashes(self: Interpreter, func: v.FunctionValue, call: Call) -> bool:
        """Whether a function that remembers its results by its arguments is given one that cannot be hashed."""
        if type(call.node) is not ir.Call or {"lru_cache", "cache"}.isdisjoint(self.markers(func.function)):
            return False
        pairs = [
            *zip(call.args, call.arg_nodes),
            *((value, call.keyword_nodes[n]) for n, value in call.keywords.items()),
        ]
        return any(
            self.need_hash(call.node, node, value, "cache")
            for value, node in pairs
            if type(value) in (v.Array, v.Undecided)
        )

    def call_unknown(self: Interpreter, func: v.Value, call: Call) -> v.Value:
        """Something that is not followed: it may change what it is given."""
        self.expected.given(func, call)
        self.keys.given_to_unknown(call)
        self.key_arrays.given_to_unknown(call)
        self.events.unknown_called(func, call)
        self.havoc_given(call)
        if type(call.node) is ir.Call and type(call.node.func) is ir.Attribute:
            base, attr = self.bases.get(call.node.func.site), call.node.func.attr
            if base is not None:
                if type(base) is v.ClassValue and attr == "register":
                    base.is_virtual = True
                if type(func) is v.Unknown:
                    self.events.container_method_called(attr, base, call.node.func.value.site, call)
                if type(base) is v.Undecided and (found := self.methods.tree(base, attr, call)) is not None:
                    return found
                if not self.runners.leaves_alone(base, attr) and not self.layers.is_held(base, attr):
                    self.havoc(base)
                if type(base) is v.OpaqueInstance and base.name in v.LAYERS:
                    return self.linen.layer_method(base, attr, call)
            if attr in ("get", "pop") and len(call.args) == 2 and not call.keywords:
                # What a dict holds, or the default.
                return v.join(v.Unknown(v.fresh()), call.args[1])
        return v.Unknown(v.fresh())

    def call_instance(self: Interpreter, ref: v.Ref, contents: Instance, call: Call) -> v.Value:
        method = contents.cls.lookup("__call__")
        if method is None:
            return self.call_unknown(ref, call)
        return self.framework(contents.cls).call_object(ref, contents, method, call)

    def framework(self: Interpreter, cls: v.ClassValue | None) -> Framework:
        """What decides how objects of a class are made and called."""
        return self.frameworks.get(cls.family, self.no_framework) if cls is not None else self.no_framework

    def layer_result(self: Interpreter, call: Call) -> v.Value:
        """What a layer of a library returns: a pytree of arrays."""
        self.havoc_given(call)
        mode, origin = self.result_mode(call.all())
        return v.Undecided(mode, origin, v.fresh()) if mode in v.TRACED else v.Unknown(v.fresh())

    def simple_call(self: Interpreter, node: ir.Node, args: list[v.Value]) -> Call:
        return Call(node, args, [node] * len(args), {}, {})

    # --- functions ----------------------------------------------------------------------------

    def make_function(self: Interpreter, function: ir.Function) -> v.FunctionValue:
        frame: Frame = self.frame
        owner = frame.cls if type(frame.scope) is ir.ClassDefinition else None
        defaults = {}
        for parameter in function.parameters:
            if parameter.default is not None:
                defaults[parameter.name] = self.eval(parameter.default)
                self.events.default_evaluated(function, parameter, defaults[parameter.name])
        while type(frame.scope) is ir.ClassDefinition and frame.comprehension is None:
            frame = frame.parent  # type: ignore[assignment]
        above: Frame | None = frame
        while above is not None:
            above.captured = True
            above = above.parent
        made = v.FunctionValue(function, frame, defaults, owner)
        if self.state is not None and self.state.fields:
            made.truths = self.state.truths()
        return made

    def call_function(
        self: Interpreter, func: v.FunctionValue, call: Call, context: Context | None = None, label: str = ""
    ) -> v.Value:
        """Interpret a function of the project with these arguments and give what it returns."""
        function = func.function
        assumed = self.state.assume(func.truths) if func.truths and self.state is not None else ()
        if assumed:
            result = self.call_function(func, call, context, label)
            if self.state is not None:
                self.state.doubt(assumed)
            return result
        self.activated.add(function.site)
        again = 0
        if function.site in self.stack:
            self.transforms.recursions.entered(func, call)
            # The wrappers that a decorator makes are one function for each call of it.
            again = sum(frame.scope is function and frame.parent is func.frame for frame in self.running)
        if self.depth >= MAX_DEPTH:
            self.budget(f"more than {MAX_DEPTH} calls in one another")
        # Objects that wrap one another find an attribute by one call of `__getattr__` each.
        most = MAX_WRAPPED if function.name == "__getattr__" else 2
        if self.depth >= MAX_DEPTH or again >= most or self.over_budget():
            self.havoc_given(call)
            return v.Unknown(v.fresh())
        context = context or self.context
        imported = function.site not in self.unit
        if imported and not self.is_worth_following(func, call, context):
            return v.Unknown(v.fresh()) if self.only_computes(func) else self.call_unknown(func, call)
        if call.keywords and _refuses(function, call):
            return self.call_unknown(func, call)  # the call raises before anything of the body runs
        variables = self.bind_arguments(func, call)
        self.events.function_entered(func, variables, call, context.origin)
        key, given = self.memo_key(func, variables, context) or (None, {})
        silent = self.silent > 0 and context.tangents is None
        if key is not None:
            copy = self.find_summary(key, func, given, silent)
            if copy is not None:
                return self.repeat(copy, variables, call.site)
            if (
                key in self.active_summaries
            ):  # it calls itself with the same: what that gives is what is being worked out
                self.havoc_given(call)
                return v.Unknown(v.fresh())
            # What is run in silence is run again aloud, and is not to leave that without contexts.
            place = (function.site, silent)
            kinds = self.contexts.setdefault(place, collections.Counter())
            limit = self.allowed.imported_contexts if imported else self.allowed.contexts
            reached = ""
            if self.context_steps[place] <= limit * self.allowed.steps_per_context:
                limit *= CHEAP_CONTEXTS
            if len(kinds) > limit and key not in kinds:
                reached = f"more than {limit} calling contexts of {function.qualname}"
            elif kinds.total() > MAX_RUNS * limit:
                reached = f"more than {MAX_RUNS * limit} runs of {function.qualname}"
            if reached and not self.decorating:  # a library has many definitions with one decorator, each met once
                self.budget(reached)
                self.key_arrays.given_to_unknown(call)
                self.events.unknown_called(func, call)
                return v.Unknown(v.fresh())
            kinds[key] += not self.decorating
        if imported and not self.enter_imported():
            return self.call_unknown(func, call)
        calls_before, steps_before = len(self.transforms.fresh.log), self.steps
        since, entry = self.marks(), v.fresh()[0]
        before = self.state
        assert before is not None
        self.state = before.fork()
        self.active_summaries.append(key)
        result = self.run(func, variables, context, call.site, label, entry, call)
        self.active_summaries.pop()
        self.context_steps[function.site, silent] += self.steps - steps_before
        made = self.snapshot(result, entry)
        after = self.current_state()
        # A function that is given may be that of a call within, whose variables it reads.
        self.last_captured = (self.last_captured and self.stores != since.stores) or escape_analysis.are_left(
            result, made, entry, before, after
        )
        if self.shows(result, made, entry, since):
            if self.stores == since.stores and not self.last_captured and after is not None:
                after.keep(entry, made, self.serials_of(result, made))
            return result
        effects = self.effects_since(since, entry)
        if key is not None:
            left = (
                escape_analysis.variables_left(after, result, made, entry, before)
                if self.last_captured and after is not None
                else None
            )
            calls = self.transforms.fresh.since(calls_before, entry)
            memo = self.muted_memo if silent else self.memo
            memo[key] = CallSummary.of(result, made, calls, given, func.frame, entry, left, effects)
        if not self.last_captured:
            # All that it leaves is its result, and what it has done to older objects.
            self.state = before
            if after is not None:
                for _, ident in effects:
                    before.renew_as(after, ident)
            for location, contents in made.items():
                before.write(location, contents)
        return result

    def run(
        self: Interpreter,
        func: v.FunctionValue,
        variables: dict[str, v.Value],
        context: Context,
        site: int,
        label: str,
        entry: int,
        call: Call | None = None,
    ) -> v.Value:
        """Interpret the body in a frame of its own. The state is left as the function leaves it."""
        function = func.function
        frame = Frame(function, func.frame)
        frame.call = call
        frame.cls = func.owner
        if function.is_method and function.parameters:
            frame.receiver = variables.get(function.parameters[0].name)
        saved = (
            self.frame, self.context, self.returned, self.yielded, self.breaks, self.continues,
            self.activation, self.chain, self.loop_entry, self.guards, self.condition, self.entry_serial, self.pending,
        )  # fmt: skip
        self.frame, self.context = frame, context
        self.returned, self.breaks, self.continues = [], [], []
        if function.is_generator:
            self.yielded = Yields(self)
        seen = entry_of(self, func, variables) if self.detailed else None
        label = label or f"{function.qualname}, called"
        self.activation = Activation(
            function, label, context.stage, seen, self.synthetic > 0, context.transformed, context.convention
        )
        if context.stage == STAGED_CODE and not self.silent:
            self.presumption.seen_staged(function, variables)
        elif (
            context.stage == EAGER
            and not self.silent
            # A notebook shows all that it does with a module.
            and not (makes_parameters(context) and not self.unit.module.cells)
            and not self.presumption.is_tried_out(function, site)
        ):
            self.presumption.eager.add(function.site)
        self.chain = self.chain + (site,)
        self.entry_serial = entry
        self.pending = []
        self.depth += 1
        leaves_home = function.site not in self.unit and not (self.stack and self.stack[-1] not in self.unit)
        if leaves_home:
            self.imported_since = self.steps
        self.stack.append(function.site)
        self.running.append(frame)
        assert self.state is not None
        self.state.open_frame(frame.serial, variables)
        before = self.state
        self.block(function.body)
        returned = self.returned
        last = self.current_state()
        if last is not None:
            returned.append((v.NONE, last))
        result: v.Value | None = None
        state: State | None = None
        for value, arrived in returned:
            result = value if result is None else self.join_in(result, value)
            state = join_states(state, arrived)
        self.state = state if state is not None else before.fork()
        if result is not None:
            result = self.beliefs.outside(function, result)
        if self.pending and self.context.tangents is None and not self.silent and function.site in self.unit:
            self.leave(result, saved[-1])
        if function.is_generator:
            result = self.yielded.iterator()
        self.last_captured = frame.captured
        if not frame.captured:
            self.state.close_frame(frame.serial)
        (
            self.frame, self.context, self.returned, self.yielded, self.breaks, self.continues,
            self.activation, self.chain, self.loop_entry, self.guards, self.condition, self.entry_serial, self.pending,
        ) = saved  # fmt: skip
        self.depth -= 1
        self.stack.pop()
        self.running.pop()
        if leaves_home:
            self.imported_steps += self.steps - self.imported_since
        self.last_state = self.current_state()
        return result if result is not None else v.Unknown(v.fresh())

    def join_in(self: Interpreter, a: v.Value, b: v.Value) -> v.Value:
        return v.join(a, b)

    def bind_arguments(self: Interpreter, func: v.FunctionValue, call: Call) -> dict[str, v.Value]:
        function = func.function
        variables: dict[str, v.Value] = {}
        position = 0
        keywords = dict(call.keywords)
        unknown_rest = call.star
        for parameter in function.parameters:
            name = parameter.name
            if parameter.kind == "star":
                rest = call.args[position:]
                if unknown_rest:
                    variables[name] = v.Tuple(None, self.another(functools.reduce(v.join, rest, call.each)))
                else:
                    variables[name] = v.Tuple(tuple(rest))
                position = len(call.args)
            elif parameter.kind == "double-star":
                rest_keywords = self.another(call.each) if call.double_star else None
                variables[name] = self.new_object(DictObject(dict(keywords), rest_keywords))
            elif parameter.kind != "keyword-only" and position < len(call.args) and unknown_rest in (False, BEHIND):
                variables[name] = self.handed(call.args[position], parameter, func, call, call.arg_nodes[position])
                position += 1
            elif name in keywords and parameter.kind != "positional-only":
                node = call.keyword_nodes.get(name, call.node)
                variables[name] = self.handed(keywords.pop(name), parameter, func, call, node)
            elif unknown_rest or call.double_star:
                is_passed = not unknown_rest and parameter.default is None
                variables[name] = self.another(call.each) if is_passed else v.Unknown(v.fresh())
            else:
                default = func.defaults.get(name)
                variables[name] = default if default is not None else v.Unknown(v.fresh())
        return variables

    def another(self: Interpreter, value: v.Value) -> v.Value:
        """One of several arguments of which the same is known."""
        return value.renewed(v.fresh()) if isinstance(value, (v.Unknown, v.Undecided)) else value

    def handed(
        self: Interpreter, value: v.Value, parameter: ir.Parameter, func: v.FunctionValue, call: Call, node: ir.Node
    ) -> v.Value:
        """An argument as the parameter sees it: the same value, the step it took, and the fields that are declared of it."""
        if value.origin is None or value.origin.site == parameter.site:
            return value
        function = func.function
        name = "the lambda" if function.is_lambda else f"`{function.name}`"
        if call.entering:
            origin = Origin(f"`{parameter.name}` is a parameter of {name}", parameter.site, value.origin)
        else:
            origin = Origin(f"passed to {name} as `{parameter.name}`", node.site, value.origin)
        if type(value) is v.Array and value.cls is not None and self.annotations.is_mapping(parameter.annotation):
            # Not every key of a dict holds what most of them hold: what is declared of this one decides.
            return v.Undecided(value.mode, origin, value.ident)
        if type(value) is v.Array:
            return v.Array(value.mode, value.aval, origin, value.ident, was=value.was, presumed=value.presumed)
        if type(value) is v.Undecided:
            tree = self.annotations.pytree(parameter.annotation, func.frame, numbers_are_leaves=not value.maybe_static)
            if tree is not None:
                traced = self.transforms.filtered if value.maybe_static else self.transforms.traced
                return traced(tree, value.mode, origin)
            return v.Undecided(value.mode, origin, value.ident, value.maybe_static, value.structure)
        return value

    # --- decorators and generic activations ---------------------------------------------------

    def decorate(self: Interpreter, node: ir.Node, value: v.Value, function: ir.Function) -> v.Value:
        """What a definition gives with a decorator."""
        before, self.decorating = self.decorating, self.decorating or type(self.frame.scope) is not ir.Function
        try:
            return self.decorated(node, value, function)
        finally:
            self.decorating = before

    def decorated(self: Interpreter, node: ir.Node, value: v.Value, function: ir.Function) -> v.Value:
        decorator = self.eval(node)
        name = self.decorator_name(decorator)
        self.runners.decorated(function, node, decorator, value)
        callee = self.last_callee.get(node.site)
        if self.expected.fails(node, name) or (callee is not None and self.expected.replaces(callee, node)):
            self.marked.setdefault(function.site, set()).add("expected-failure")
            return value
        if type(callee) is v.Api and callee.name == "jax.disable_jit":
            self.marked.setdefault(function.site, set()).add("disable_jit")
        if type(callee) is v.Api and callee.name in _SETTINGS:
            self.runners.set_for(function, value)
            return value
        if type(callee) is v.Api and callee.name in _CALLED_TRANSPARENT:
            return value
        if (
            type(decorator) is v.Partial
            and type(decorator.function) is v.Api
            and decorator.function.name in _TRANSPARENT
        ):
            return value
        if self.conventions.transform(name) is not None:
            return self.call(decorator, self.simple_call(node, [value]))
        if name in _TRANSPARENT or name.startswith(("typing.", "abc.")):
            mark = name.rpartition(".")[2]
            self.marked.setdefault(function.site, set()).update(
                (mark, f"{mark} outside") if type(value) is v.Transformed else (mark,)
            )
            return self.wrapping(decorator, value) if name == "functools.wraps" else value
        if type(decorator) is v.Member and type(decorator.receiver) is v.FunctionValue:
            return self.property_with(decorator.receiver, decorator.name, value)
        if type(decorator) is v.Unknown or (type(decorator) is v.Api and not self.api.knows(decorator.name)):
            return v.Unknown(v.fresh())
        result = self.call(decorator, self.simple_call(node, [value]))
        self.runners.decorated_by(function, decorator, value, result)
        return result

    def wrapping(self: Interpreter, decorator: v.Value, value: v.Value) -> v.Value:
        """What `functools.wraps(f)` makes of a callable: the same one, which says that it is `f`."""
        if type(value) is not v.FunctionValue:
            return value
        made = v.FunctionValue(value.function, value.frame, value.defaults, value.owner)
        made.wraps = decorator.args[0] if type(decorator) is v.OpaqueInstance and decorator.args else v.UNKNOWN
        return made

    def property_with(self: Interpreter, old: v.FunctionValue, role: str, value: v.Value) -> v.Value:
        """What `@old.setter` makes: a property, which is told by its getter."""
        if "property" not in self.markers(old.function) or role not in ("setter", "deleter"):
            return v.Unknown(v.fresh())
        made = v.FunctionValue(old.function, old.frame, old.defaults, old.owner)
        made.setter = value if role == "setter" else old.setter
        return made

    def decorator_name(self: Interpreter, decorator: v.Value) -> str:
        if type(decorator) is v.Api:
            return decorator.name
        if type(decorator) is v.OpaqueInstance:  # `@functools.lru_cache(maxsize=None)`
            return decorator.name
        return ""

    def markers(self: Interpreter, function: ir.Function) -> set[str]:
        return self.marked.get(function.site, set())

    def defined(self: Interpreter, function: ir.Function, value: v.Value) -> None:
        """Remember a definition: at the end of the scope it is run once if nothing called it."""
        self.pending.append((function, self.frame, value, self.context))

    def leave(self: Interpreter, result: v.Value | None, around: list[Pending]) -> None:
        """The scope ends: functions that its caller gets wait there, ``around`` it, for who calls them; others are run."""
        given = (
            {leaf.function.site for leaf in self.leaves([result]) if type(leaf) is v.FunctionValue}
            if result is not None
            else set()
        )
        inner, self.pending = self.pending, []
        for item in inner:
            (around if item[0] is not None and item[0].site in given else self.pending).append(item)
        self.run_pending()

    def run_pending(self: Interpreter) -> None:
        """Run what was defined or transformed in the scope that ends, each on a state of its own."""
        outer = self.state
        assert outer is not None
        guards, loop_entry, about = self.guards, self.loop_entry, self.condition
        self.guards, self.loop_entry, self.condition = (), None, None
        position = 0
        called_within = self.called_within()
        # Those that others call come after these: a call that is seen says more than one that is made up.
        called: list[Pending] = []
        transformed: list[Pending] = []  # comes last: the calls that are seen tell what is meant to fail
        while (position < len(self.pending) or called or transformed) and not self.over_budget():
            if position < len(self.pending):
                item = self.pending[position]
                position += 1
                if type(item[2]) is v.Transformed:
                    transformed.append(item)
                    continue
                was_given = type(item[1].scope) is ir.Function and item[1] is not self.frame
                if was_given or (item[0] is not None and item[0].site in called_within):
                    called.append(item)
                    continue
            else:
                item = (called or transformed).pop(0)
            self.run_apart(outer, self.run_waiting, *item)
        # Certain activations come first: a report that one of them gives rests on no convention.
        for item in self.pending:
            if not self.over_budget():
                self.run_apart(outer, self.run_presumed, *item)
        for cls, member in self.receivers.inherited() if self.frame is self.module_frame else ():
            if not self.over_budget():
                self.run_apart(outer, self.run_inherited, cls.definition, self.frame, member, self.context, cls)
        self.pending = []
        self.state = outer
        self.guards, self.loop_entry, self.condition = guards, loop_entry, about

    def run_apart(self: Interpreter, state: State, run: Any, *item: Any) -> None:
        """Run a pending item on a copy of a state; a failure of the analysis in it is noted, and ends there."""
        entered = self.scoped()
        try:
            self.state = state.fork()
            # The same body may have run before: these are other calls, with other keys.
            self.state.start_consumed({})
            run(*item)
        except Exception as error:
            self.restore_scoped(entered)
            self.note_failure(item[0] or self.unit.nodes[item[2].site], error)

    def run_waiting(
        self: Interpreter, function: ir.Function | None, frame: Frame, value: v.Value, context: Context
    ) -> None:
        """Run one function that nothing called, or call what a transform made."""
        if type(value) is v.Transformed:
            # The outer one of two `vmap` calls the inner one, with what only it maps.
            if value.transform.short != "vmap" or not self.transforms.axis_names.is_wrapped(value, "vmap"):
                self.transforms.activate(value, frame, context)
        elif function is not None and function.site not in self.activated:
            self.run_generic(self.raw(function, frame, value), context)

    def run_presumed(
        self: Interpreter, function: ir.Function | None, frame: Frame, value: v.Value, context: Context
    ) -> None:
        """Run one function that a convention covers as it is presumed to run."""
        if type(value) is v.Transformed and self.presumption.covers_transformed(value):
            self.presumption.run_transformed(
                value, context.but(stage=UNKNOWN_CODE, linen=None, level=None, leak=None, axes=None)
            )
        elif function is not None:
            raw = self.raw(function, frame, value)
            covered = self.presumption.covers(raw)
            if covered is not None:
                self.presumption.run(raw, self.generic_context(raw, context), covered)

    def run_inherited(
        self: Interpreter,
        definition: ir.ClassDefinition,
        frame: Frame,
        member: v.Value,
        context: Context,
        cls: v.ClassValue,
    ) -> None:
        """Run a method that a class inherits for an object of the class."""
        self.receivers.standing_for = cls
        try:
            if type(member) is v.Transformed:
                self.transforms.activate(member, frame, context)
            elif type(member) is v.FunctionValue:
                self.run_generic(member, context)
        finally:
            self.receivers.standing_for = None

    def raw(self: Interpreter, function: ir.Function, frame: Frame, value: v.Value) -> v.FunctionValue:
        """The function of a pending definition, without what its decorators made of it."""
        if type(value) is v.FunctionValue and value.function is function:
            return value
        return v.FunctionValue(function, self.lexical(frame), {}, frame.cls)

    def called_within(self: Interpreter) -> set[int]:
        """Sites of the functions that wait, that others of them name, and that nobody outside is to call."""
        waiting = [function for function, _, _, _ in self.pending if function is not None]
        inner = type(self.frame.scope) is ir.Function
        private = [function for function in waiting if inner or function.name.startswith("_")]
        readers = collections.Counter(name for function in waiting for name in function.free) if private else {}
        return {function.site for function in private if readers[function.name] > (function.name in function.free)}

    def lexical(self: Interpreter, frame: Frame) -> Frame:
        while type(frame.scope) is ir.ClassDefinition:
            frame = frame.parent  # type: ignore[assignment]
        return frame

    def run_generic(self: Interpreter, func: v.FunctionValue, context: Context) -> None:
        """Run a function nothing visible calls: its arguments are anything, its caller may be traced."""
        function = func.function
        self.activated.add(function.site)
        context = self.generic_context(func, context)
        if func.owner is not None and self.framework(func.owner).is_entry_point(func):
            self.synthetic += 1
            self.run_method(func, {p.name: self.anything(p) for p in function.parameters[1:]}, context)
            self.synthetic -= 1
            return
        if self.runners.run(func, context):
            return
        variables = {}
        bound = func.owner is not None and "staticmethod" not in self.markers(function)
        for number, parameter in enumerate(function.parameters):
            # A lambda in a class is as often the default of a field, or an argument, as a method.
            if number == 0 and bound and (not function.is_lambda or parameter.name == "self"):
                variables[parameter.name] = self.receivers.of(func)
            else:
                variables[parameter.name] = self.anything(parameter)
        entry = v.fresh()[0]
        assert self.state is not None
        self.state.assume(func.truths)
        self.synthetic += 1
        self.run(func, variables, context, function.site, function.qualname, entry)
        self.synthetic -= 1

    def run_method(self: Interpreter, method: v.FunctionValue, arguments: dict[str, v.Value], context: Context) -> None:
        """Run a method that nothing visible calls, with ``arguments`` beside the object itself."""
        function = method.function
        receiver, context = self.framework(method.owner).receiver(method, context)
        variables = {function.parameters[0].name: receiver, **arguments}
        self.run(method, variables, context, function.site, function.qualname, v.fresh()[0])

    def generic_context(self: Interpreter, func: v.FunctionValue, context: Context) -> Context:
        """The context of a function whose callers are not visible."""
        is_module = func.owner is not None and func.owner.family == "haiku"
        return context.but(
            stage=UNKNOWN_CODE,
            pure=False,
            haiku=SOMEWHERE if context.haiku or is_module else None,
            linen=None,
            level=None,
            leak=None,
            boundaries=(),
            guard=self.intent(func),
            axes=None,
            transparent=context.transparent or "disable_jit" in self.markers(func.function),
        )

    def intent(self: Interpreter, func: v.FunctionValue) -> str:
        """Guard of a test that is expected to fail as a whole."""
        return "all" if "expected-failure" in self.markers(func.function) else ""

    def anything(self: Interpreter, parameter: ir.Parameter) -> v.Value:
        if parameter.kind == "star":
            return v.Tuple(None, v.Unknown(v.fresh()))
        if parameter.kind == "double-star":
            return self.new_object(DictObject({}, v.Unknown(v.fresh())))
        return v.Unknown(v.fresh())

    # --- classes ------------------------------------------------------------------------------

    def make_class(self: Interpreter, definition: ir.ClassDefinition) -> v.Value:
        decorators = [self.eval(d) for d in definition.decorators]
        bases = tuple(self.eval(base.value if type(base) is ir.Starred else base) for base in definition.bases)
        keywords = {keyword.name: self.eval(keyword.value) for keyword in definition.keywords}
        parent = self.lexical(self.frame)
        above: Frame | None = self.frame
        while above is not None:
            above.captured = True
            above = above.parent
        frame = Frame(definition, self.frame)
        cls = v.ClassValue(definition, bases, parent)
        cls.family = self.family(bases, decorators)
        cls.decorators = tuple(decorators)
        cls.metaclass = keywords.get("metaclass")
        frame.cls = cls
        outer, self.frame = self.frame, frame
        assert self.state is not None
        self.state.open_frame(frame.serial, {})
        self.block(definition.body)
        if self.current_state() is None:
            self.state = self.last_state.fork() if self.last_state is not None else State()
        cls.members = dict(self.state.frames.get(frame.serial, {}))
        self.state.close_frame(frame.serial)
        self.frame = outer
        self.transforms.static_self.defined(cls)
        self.pytree_classes.defined(cls)
        self.receivers.classes.append(cls)
        self.framework(cls).defined(cls)
        self.events.class_defined(cls)
        hook = next(
            (each.members["__init_subclass__"] for each in cls.mro()[1:] if "__init_subclass__" in each.members), None
        )
        if type(hook) is v.FunctionValue:
            call = self.simple_call(definition, [cls])
            call.keywords.update((name, value) for name, value in keywords.items() if name not in (None, "metaclass"))
            self.call(hook, call)
        found: v.Value = cls
        for decorator in reversed(decorators):
            if type(decorator) is v.FunctionValue:
                made = self.call(decorator, self.simple_call(definition, [found]))
                found = made if isinstance(made, (v.ClassValue, v.FunctionValue)) else found
        return found

    def family(self: Interpreter, bases: Iterable[v.Value], decorators: list[v.Value]) -> str:
        for decorator in decorators:
            name = self.decorator_name(decorator.function if type(decorator) is v.Partial else decorator)
            if name in DATACLASSES or name.endswith(".dataclass"):
                return "dataclass"
        found = ""
        for base in bases:
            family = base.family if type(base) is v.ClassValue else ""
            if type(base) in (v.Api, v.OpaqueInstance):
                family = FAMILIES.get(base.name, "")  # type: ignore[attr-defined]
            if family and family != "dataclass":  # of which a mixin may be one
                return family
            found = found or family
        return found

    def declared_fields(self: Interpreter, cls: v.ClassValue, passed: bool = False) -> list[str]:
        """The fields of a dataclass-like class or a named tuple, those of its bases first: the annotated names of the class bodies.

        With ``passed``, only those that the constructor takes.
        """
        found: list[str] = []
        for owner in reversed(cls.mro()):
            for base in owner.bases:
                if type(base) is v.OpaqueInstance and base.name == NAMED_TUPLE:
                    found += base.args[0].value  # type: ignore[attr-defined]
            for statement in owner.definition.body:
                if type(statement) is ir.Annotate and type(statement.target) is ir.Name:
                    name = statement.target.id
                    if name not in found and not _is_no_field(statement) and not (passed and _is_set_later(statement)):
                        found.append(name)
        return found

    def instantiate(self: Interpreter, cls: v.ClassValue, call: Call) -> v.Value:
        if cls.family == "enum":
            return v.Static()
        if cls.family == "namedtuple" and cls.lookup("__new__") is None:
            names = self.declared_fields(cls)
            items = []
            for number, name in enumerate(names):
                value = call.get(number, name)
                items.append(value if value is not None else cls.members.get(name, v.Unknown(v.fresh())))
            fields = v.Fields(names)
            fields.cls = cls
            return v.Tuple(tuple(items), fields=fields)
        ref = self.new_object(Instance(cls, {}), (call.site, cls.definition.site))
        framework = self.framework(cls)
        if framework.refuses_object(ref, cls, call):
            return v.Unknown(v.fresh())
        init = cls.lookup("__init__")
        if init is not None:
            framework.initialise(ref, init, call)
        elif cls.family in DATACLASS_LIKE:
            values: dict[str, v.Value] = {}
            by_keyword = keyword_only(cls)
            names = self.declared_fields(cls, passed=True)
            self.events.dataclass_made(cls, names, call)
            places = [name for name in names if name not in by_keyword]
            for name in names:
                value = call.get(None if name in by_keyword else places.index(name), name)
                if value is not None or not (call.star or call.double_star):
                    value = held(self, cls, name, value, call)
                if value is not None:
                    values[name] = value
            assert self.state is not None
            self.state.write(ref.location, Instance(cls, values))
            framework.fields_set(ref, cls, call, values)
        else:
            self.call_unknown(cls, call)
        return ref

    def super_attribute(self: Interpreter, node: ir.Node, base: v.Super, attr: str) -> v.Value:
        for parent in base.owner.bases:
            if type(parent) is v.ClassValue:
                found = parent.lookup(attr)
                if found is not None:
                    is_method = type(found) in (v.FunctionValue, v.Transformed)
                    return self.bound(node, found, base.receiver) if is_method else found
        return v.Api("builtins.object.__new__") if attr == "__new__" else v.Unknown(v.fresh())

    def class_names(self: Interpreter, node: ir.Node) -> list[str] | None:
        """Canonical names of the classes in the second argument of `isinstance`; None if not known."""
        return api_names(classes_in(self.eval(node)))

    def imported(self: Interpreter, dotted: str) -> v.Value:
        """What a dotted name of a library stands for."""
        source = library_sources.source_of(dotted) if self.loader is not None else None
        if source is not None:
            followed: v.Value | None = self.names_of(Place(source[0], None)).get(source[1])
            if followed is not None:
                return followed
        constant = self.api.constant(dotted)
        return constant if constant is not None else _api(dotted)


@functools.cache
def _api(dotted: str) -> v.Api:
    return v.Api(knowledge.canonical(dotted), dotted)


def _is_no_field(statement: ir.Annotate) -> bool:
    """Whether an annotated name of a dataclass is none of its fields: `x: ClassVar[int]`, `x: eqx.AbstractVar[int]`."""
    annotation = statement.annotation
    annotation = annotation.value if type(annotation) is ir.Subscript else annotation
    name = annotation.id if type(annotation) is ir.Name else getattr(annotation, "attr", None)
    return name in ("ClassVar", "AbstractVar", "AbstractClassVar")


def _is_set_later(statement: ir.Annotate) -> bool:
    """Whether a field is none of `__init__`: `x: int = field(init=False)`."""
    keywords = statement.value.keywords if type(statement.value) is ir.Call else []
    return any(k.name == "init" and type(k.value) is ir.Constant and k.value.value is False for k in keywords)


def _refuses(function: ir.Function, call: Call) -> bool:
    """Whether a call names a parameter that a function does not have."""
    if not isinstance(call.node, ir.Call) or any(each.kind == "double-star" for each in function.parameters):
        return False
    written = {each.name for each in call.node.keywords if isinstance(each, ir.Keyword)}
    return not (written & call.keywords.keys()) <= {each.name for each in function.parameters}
