"""Transforms: what the function handed to `jit`, `vmap`, `scan` ... is called with, and what comes back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from jaxlint import knowledge
from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import ONLY_TRACE, STAGED_CODE, UNKNOWN_CODE, Boundary, Context, Trace
from jaxlint.analysis.domain.origin import Origin
from jaxlint.analysis.domain.promotion import is_inexact
from jaxlint.analysis.domain.signatures import Signature, signature_of
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, SetObject
from jaxlint.analysis.interpreter.type_tests import type_of
from jaxlint.analysis.models.equinox import IF_ARRAY
from jaxlint.analysis.models.haiku import SOMEWHERE, VERSIONS
from jaxlint.analysis.shapes.laws import dtype_name, shape_of
from jaxlint.analysis.transforms.agreement import Agreement
from jaxlint.analysis.transforms.axis_names import AxisNames
from jaxlint.analysis.transforms.callbacks import Callbacks
from jaxlint.analysis.transforms.carries import Carries
from jaxlint.analysis.transforms.custom_rules import CustomRules
from jaxlint.analysis.transforms.donations import Donations
from jaxlint.analysis.transforms.exports import Exports
from jaxlint.analysis.transforms.gradients import Gradients
from jaxlint.analysis.transforms.not_arrays import NotArrays
from jaxlint.analysis.transforms.recompilation import FreshCallables
from jaxlint.analysis.transforms.recursion import Recursions
from jaxlint.analysis.transforms.replication import Replication
from jaxlint.analysis.transforms.static_self import StaticSelf
from jaxlint.analysis.transforms.tangents import Tangents
from jaxlint.analysis.transforms.tree_maps import TreeMaps
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.domain.context import Frame
    from jaxlint.analysis.domain.state import Contents

PULLBACK = "jax.vjp.pullback"
_WITH_LOSS = frozenset({"flax.nnx.value_and_grad", "equinox.filter_value_and_grad"})
_MAP_TANGENTS = ("jacfwd", "hessian")
WRAPPING = frozenset({  # behaviours of transforms that give a function for a function
    "jit", "pmap", "checkpoint", "traced_call", "passes", "export", "checkify", "pallas_call", "filter",
    "filter_grad", "vmap", "vectorize", "shard_map", "grad", "value_and_grad", "nnx_grad", "custom_rule",
})  # fmt: skip

MAX_PLAIN_DEPTH = 8  # of pytrees that are rebuilt without counting steps
MAX_LAYERS = 16  # transforms and partial applications around a function that is transformed once more


class Transforms(Component):
    """Component of the interpreter: applying and calling transforms."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        self.agreement = Agreement(interpreter)
        self.axis_names = AxisNames(interpreter)
        self.replication = Replication(interpreter)
        self.callbacks = Callbacks(interpreter)
        self.carries = Carries(interpreter)
        self.custom_rules = CustomRules(interpreter)
        self.donations = Donations(interpreter)
        self.exports = Exports(interpreter)
        self.gradients = Gradients(interpreter)
        self.fresh = FreshCallables(interpreter)
        self.recursions = Recursions(interpreter)
        self.static_self = StaticSelf(interpreter)
        self.tangents = Tangents(interpreter)
        self.not_arrays = NotArrays(interpreter)
        self.tree_maps = TreeMaps(interpreter)
        # Where transforms are applied; a call there is one that is made up.
        self.lowers = False  # while a function is traced to be lowered
        self.applied: set[int] = self.i.per_module(set())
        # Site of a transform -> whether its calls were meant to fail, or under disable_jit.
        self.called: dict[int, set[bool]] = self.i.per_module({})
        self._open: list[Contents | v.Tuple] = []  # the trees inside each other of which `rebuilt` makes new ones
        self._carried: dict[v.Ident, v.Ident] = {}  # objects that are handed outside -> what they are called there
        # Sites of transforms whose result is called there and nowhere else.
        self.at_once: set[int] = self.i.per_module(set())
        # Those whose result is one of two that a condition chooses from.
        self.alternatives: set[int] = self.i.per_module(set())

    # --- applying -----------------------------------------------------------------------------

    def apply(self, transform: Transform, call: Call) -> v.Value:
        """A call of the transform itself: `jax.jit(f, …)`, `jax.lax.scan(f, init, xs)`."""
        behaviour = transform.behaviour
        if transform.name in VERSIONS:
            self.i.haiku.outside(call.node, transform.name)
        if behaviour in WRAPPING:
            return self.wrap(transform, call)
        if self.i.context.tangents is not None:
            asked = self.tangents.applied(transform, call)
            if asked is not None:
                return asked
        if self.callbacks.uncallable(transform, call):
            return v.Unknown(v.fresh())
        last = transform.name.rpartition(".")[2]
        facts = knowledge.facts(transform.name if transform.name.startswith("jax.") else f"jax.lax.{last}")
        self.i.api.check(transform.name, facts, call)
        if not self.i.context.transparent:
            self.not_arrays.check_operands(transform, call)
        method: Callable[[Transform, Call], v.Value] = getattr(self, behaviour)
        return method(transform, call)

    def argument(self, transform: Transform, call: Call, name: str) -> v.Value | None:
        return call.get(transform.signature.index(name), name)

    def rest(self, transform: Transform, call: Call) -> tuple[list[v.Value], list[ir.Node]]:
        """Arguments passed on to the function: what stands at `*args` of the transform's signature."""
        start = len(transform.signature) - 1
        return call.args[start:], call.arg_nodes[start:]

    def wrap(self, transform: Transform, call: Call) -> v.Value:
        function = self.argument(transform, call, transform.signature[0])
        options = dict(call.keywords)
        options.update(zip(transform.signature[1:], call.args[1:]))
        options.pop(transform.signature[0], None)
        if function is None and transform.behaviour == "pallas_call":  # which fails: no release takes it later
            return v.Unknown(v.fresh())
        if function is None:  # `@jax.jit(static_argnames=…)`, `@jax.vmap` with keywords only
            return v.Partial(v.Api(transform.name), (), dict(call.keywords))
        if self.callbacks.uncallable(transform, call):
            return v.Unknown(v.fresh())
        if call.double_star:
            options["**"] = v.UNKNOWN
        if layers(function) >= MAX_LAYERS:  # each of them is called as a root, and through those around it
            self.i.budget(f"more than {MAX_LAYERS} transforms around one another")
            self.i.havoc(function)
            return v.Unknown(v.fresh())
        made = v.Transformed(transform, function, options, call.site)
        self.applied.add(call.site)
        self.i.equinox.transformed(made, call)
        self.i.haiku_init.wrapped(made, call)
        self.agreement.options(made, call)
        self.agreement.axes(made, call)
        self.axis_names.sharded(made, call)
        self.fresh.make(made)
        self.i.pending.append((None, self.i.frame, made, self.i.context))
        return made

    # --- calling what a transform returned ----------------------------------------------------

    def lowered(self, made: v.Transformed, call: Call) -> v.Value:
        """Trace what `jit` made without a run: the caller keeps the program, and no later call finds it."""
        outer, self.lowers = self.lowers, True
        result = self.call(made, call)
        self.lowers = outer
        return result

    def call(self, made: v.Transformed, call: Call) -> v.Value:
        context: Context = self.i.context
        transform = made.transform
        behaviour = transform.behaviour
        if getattr(getattr(call.node, "func", None), "site", None) == made.site:
            self.at_once.add(made.site)
        if context.tangents is not None:
            return self.tangents.called(made, call)
        self.called.setdefault(made.site, set()).add(context.transparent or self.i.expected.meant(call))
        if behaviour in ("jit", "filter"):
            if context.transparent:
                return self.i.call(made.function, call)
            if not self.lowers:
                self.fresh.called(made, call)
            self.i.events.compiled_called(made, call)
        if behaviour == "passes":
            return self.i.call(made.function, call)
        if behaviour == "custom_rule":
            return self.call_custom(made, call)
        if type(made.function) is v.Unknown and made.function.options:
            options = (v.Transformed(transform, option, made.options, made.site) for option in made.function.options)
            return self.i.call_one_of(options, call, made.function.open)
        if type(made.function) in (v.Unknown, v.Static):
            self.i.call_unknown(made.function, call)
            return self.opaque_result(made, call)
        if behaviour in ("grad", "value_and_grad", "nnx_grad", "filter_grad"):
            return self.call_grad(made, call)
        if behaviour in ("vmap", "vectorize", "shard_map"):
            return self.call_mapped(made, call)
        return self.call_staged(made, call)

    def filtered_callable(self, function: v.Value, cls: str, origin: Origin) -> v.Value:
        """A callable that is a pytree, of which Equinox traces the arrays: a method with its object, a module."""
        if type(function) is v.BoundMethod:
            if self.i.equinox.is_special(function):
                return function
            return v.BoundMethod(function.function, self.filtered(function.receiver, cls, origin))
        return self.filtered(function, cls, origin) if type(self.i.contents(function)) is Instance else function

    def opaque_result(self, made: v.Transformed, call: Call) -> v.Value:
        """What an unknown function under a transform gives: some pytree of arrays."""
        mode, origin = self.i.result_mode(call.all())
        if mode in v.TRACED and made.transform.behaviour in ("jit", "vmap", "checkpoint", "grad"):
            return v.Undecided(mode, origin, v.fresh())
        return v.Unknown(v.fresh())

    def entered(self, made: v.Transformed, how: str = "is transformed by") -> tuple[Context, Origin]:
        """The context in the body of the transformed function, and the origin of its arguments."""
        context: Context = self.i.context
        name = function_name(made.function)
        self.i.linen.transformed(made.transform, made.function, made.site)
        origin = Origin(f"{name} {how} `{made.transform.short}`", made.site, context.origin, made.transform.name)
        return self.inside(made.transform, self.axis_names.bind(made, context), origin, made.site), origin

    def inside(self, transform: Transform, context: Context, origin: Origin, site: int) -> Context:
        stage, trace = context.stage, context.trace
        name = transform.name.rpartition(".")[2]
        if transform.cls == "staged":
            stage = UNKNOWN_CODE if context.folds else STAGED_CODE  # there, tracers alone give tracers
            trace = Trace(v.fresh()[0], site, name, context.trace, context.pure)
        batched = context.batched or transform.cls == "batched" or name.endswith(_MAP_TANGENTS)
        changed = context.but(stage=stage, pure=False, origin=origin, trace=trace, batched=batched)
        if context.region == "constants" or (transform.cls == "staged" and context.region == "manual"):
            changed = changed.but(region="")  # what is staged in an eager shard_map is staged as elsewhere
        if transform.cls == "differentiated" and self.custom_rules.rules:
            changed = changed.but(derivatives=context.derivatives + 1)
        if context.haiku and transform.cls == "staged" and transform.name.startswith("jax."):
            changed = changed.but(leak=(site, transform.name))
        changed = changed.but(level=self.i.nnx.level(context, transform, site))
        if self.i.linen.leaks(context, transform):
            changed = changed.but(leak=(site, transform.name))
        return changed

    def body(self, context: Context, function: v.Value, call: Call) -> v.Value:
        """Call the transformed function in its own context."""
        outer = self.i.context
        with self.i.within(context):
            if context.level is not None and context.level is not outer.level:
                context.level.entered = v.fresh()[0]
            if context.trace is not None and context.trace is not outer.trace and context.trace.transform in ONLY_TRACE:
                result = self.i.keys.undrawn(lambda: self.i.call(function, call))
            else:
                result = self.i.call(function, call)
            if context.level is not None and context.level is not outer.level:
                self.i.returns.check(context.level, function, call.all(), result)
        return result

    def entering(self, made: v.Transformed, call: Call, args: list[v.Value], keywords: dict[str, v.Value]) -> Call:
        """The call of what is transformed. A default that may stand does so through all transforms around a function."""
        if type(made.function) is v.Transformed:
            args = [old if type(old) is v.MaybeDefault else new for old, new in zip(call.args, args)] + args[
                len(call.args) :
            ]
            keywords = {
                name: call.keywords[name] if type(call.keywords.get(name)) is v.MaybeDefault else new
                for name, new in keywords.items()
            }
        return entering(call, args, keywords)

    def call_staged(self, made: v.Transformed, call: Call) -> v.Value:
        context, origin = self.entered(made)
        signature = signature_of(self.i, made.function)
        if made.transform.name == "flax.nnx.scan":  # it may pass the rows of any argument
            call = entering(call, [v.Unknown(v.fresh()) for _ in call.args], dict.fromkeys(call.keywords, v.UNKNOWN))
        step = None
        if made.transform.behaviour == "pmap":
            boundary = Boundary(v.fresh()[0], "pmap", made.site)
            context = context.but(boundaries=context.boundaries + (boundary,))
            step = boundary.serial
            self.agreement.mapped(made, call)
        args, keywords = self.staged_arguments(made, call, signature, origin, step)
        inner = self.entering(made, call, args, keywords)
        statics = signature.statics(self.i, made) if made.transform.behaviour == "jit" else None
        if statics is not None and not statics.positions and not statics.names:
            inner.each = self.traced(call.each, v.STAGED, origin)
        if made.transform.behaviour == "pallas_call":
            whole = not any(option in made.options for option in ("in_specs", "grid", "grid_spec", "**"))
            avals = [self.i.aval_of(value) if whole else v.ANY for value in call.args]
            avals += [v.ANY] * (len(signature.parameters) - len(avals))
            inner = entering(call, [v.MemoryRef(origin, aval) for aval in avals], {}, [])
            context = context.but(region="kernel")
        if made.transform.behaviour == "checkify":  # the arguments themselves keep their values
            inner = entering(call, list(call.args), dict(call.keywords))
        function = made.function
        if made.transform.name == "equinox.filter_jit":  # the others close over it
            function = self.filtered_callable(function, made.transform.cls, origin)
        result = self.body(context, function, inner)
        self.i.nnx.ended(made, result)
        self.agreement.result(made, call, result)
        if made.transform.behaviour == "jit":
            self.donations.made(made, call, result)
        if made.transform.behaviour == "export":
            return self.exports.exported(made, call, args)
        if made.transform.behaviour in ("traced_call", "pallas_call"):
            return v.Unknown(v.fresh())
        if made.transform.behaviour == "checkify":
            return v.Tuple((v.Unknown(v.fresh()), self.returned(result, call, made)))
        if made.transform.name in _FILTER_AND_MAP or made.transform.name == "jax.pmap":
            return self.stacked(made, self.returned(result, call, made, extra=True))
        return self.returned(result, call, made)

    def staged_arguments(
        self, made: v.Transformed, call: Call, signature: Signature, origin: Origin, step: int | None = None
    ) -> tuple[list[v.Value], dict[str, v.Value]]:
        if made.transform.behaviour == "filter":
            if made.transform.name in _FILTER_AND_MAP:
                return self.filtered_and_mapped(made, call, origin)
            return (
                [self.filtered(value, made.transform.cls, origin) for value in call.args],
                {name: self.filtered(value, made.transform.cls, origin) for name, value in call.keywords.items()},
            )
        exported = made.function if made.transform.behaviour == "export" else None
        statics = signature.statics(self.i, exported if type(exported) is v.Transformed else made)
        if statics is None:
            return [unsure(a) for a in call.args], {n: unsure(a) for n, a in call.keywords.items()}
        axes = (self.mapped_axes(made, call) if step is not None else [None] * len(call.args)) or [0] * len(call.args)
        args = []
        self.static_self.called(made, call, statics)
        hidden = self.agreement.hidden_statics(made, call)
        for number, value in enumerate(call.args):
            static = statics.position(number) or number in hidden
            if static:
                value = self.agreement.static(made, call, value, call.arg_nodes[number], statics.name_of(number))
            axis = axes[number]
            axis = axis if axis is None or isinstance(axis, int) else 0
            args.append(value if static else self.entered_with(value, call.arg_nodes[number], origin, axis, step))
            if not static and not call.star:
                self.not_arrays.check_argument(made, call, signature, number, value, call.arg_nodes[number], origin)
        keywords = {}
        if made.transform.name == "jax.experimental.sparse.sparsify":
            return args, dict(call.keywords)  # keywords are bound before anything is traced
        for name, value in call.keywords.items():
            if statics.name(name):
                value = self.agreement.static(made, call, value, call.keyword_nodes.get(name, call.node), name)
            axis = None if step is None else 0
            keywords[name] = (
                value
                if statics.name(name)
                else self.entered_with(value, call.keyword_nodes.get(name), origin, axis, step)
            )
            if not statics.name(name):
                self.not_arrays.check_argument(made, call, signature, name, value, call.keyword_nodes.get(name), origin)
        return args, keywords

    def entered_with(
        self, value: v.Value, node: ir.Node | None, origin: Origin, axis: int | None, step: int | None
    ) -> v.Value:
        """What a staged function has as an argument that is no static one: a tracer, but for a flag that callers leave out."""
        return omitted_flag(value, node) or self.traced(value, v.STAGED, origin, axis, step)

    def returned(self, result: v.Value, call: Call, made: v.Transformed, extra: object = False) -> v.Value:
        """A result as the caller of the transformed function sees it."""
        mode, cause = self.mode_of_result(call.all())
        origin = None
        if mode in v.TRACED:
            origin = Origin(f"result of {function_name(made.function)}", call.site, cause)
        return self.outside(result, mode, origin, extra, keeps_numbers=made.transform.behaviour == "filter")

    # --- mapped -------------------------------------------------------------------------------

    def call_mapped(self, made: v.Transformed, call: Call) -> v.Value:
        context, origin = self.entered(made, "is mapped by")
        boundary = Boundary(v.fresh()[0], made.transform.short, made.site, v.untransformed(made).key)
        self.agreement.mapped(made, call)
        axes = self.mapped_axes(made, call)
        if made.transform.behaviour != "vectorize" or any(type(axis) is int for axis in axes or ()):
            context = context.but(boundaries=context.boundaries + (boundary,))
        if made.transform.behaviour == "shard_map" and context.stage != STAGED_CODE:
            context = context.but(region="manual")
        args = []
        for number, value in enumerate(call.args):
            axis: object = axes[number] if axes is not None and number < len(axes) else "unknown"
            if axis is None:
                args.append(self.i.pytrees.copied(value))
                self.i.nnx.lend(made, args[-1])
            elif axis == "unknown":
                args.append(self.perhaps_mapped(value, boundary))
            elif made.transform.behaviour == "vectorize" and isinstance(axis, int):
                args.append(self.looped_over(value, axis, origin))
            elif made.transform.behaviour == "shard_map":
                if type(value) is not v.Array and self.axis_names.is_passed_as_is(made, number):
                    args.append(value)
                else:
                    step = None if self.axis_names.is_whole(made, number) else boundary.serial
                    args.append(self.sharded(value, origin, step))
            else:
                args.append(self.mapped(value, axis, origin, boundary))
        for number, value in enumerate(call.args):
            if made.transform.behaviour == "vmap" and axes is not None and isinstance(axes[number], int):
                signature = signature_of(self.i, made.function)
                self.not_arrays.check_argument(made, call, signature, number, value, call.arg_nodes[number], origin)
        # Keyword arguments of a vmapped function are mapped over their first axis.
        keywords = {}
        for name, value in call.keywords.items():
            keywords[name] = (
                self.mapped(value, 0, origin, boundary) if axes is not None else self.perhaps_mapped(value, boundary)
            )
            if made.transform.behaviour == "vmap" and axes is not None:
                signature = signature_of(self.i, made.function)
                self.not_arrays.check_argument(made, call, signature, name, value, call.keyword_nodes.get(name), origin)
        first = len(self.i.haiku_init.asked)
        result = self.body(context, made.function, self.entering(made, call, args, keywords))
        self.i.haiku_init.mapped(made, call, first)
        self.i.nnx.ended(made, result)
        self.agreement.result(made, call, result)
        if made.transform.behaviour == "shard_map":
            self.replication.check(made, call)
            result = self.gathered(result)
        return self.stacked(
            made,
            self.returned(
                result, call, made, extra=self.batch(call, axes) if made.transform.behaviour == "vmap" else False
            ),
        )

    def batch(self, call: Call, axes: list[object] | None) -> object:
        """The size of the mapped axis, True where it is not known."""
        for value, axis in zip(call.args, axes or ()):
            shape = self.i.aval_of(value).shape
            if type(axis) is int and shape and -len(shape) <= axis < len(shape) and type(shape[axis]) is int:
                if self.i.aval_of(value).dtype not in v.KEYS:
                    return shape[axis]
        return True

    def perhaps_mapped(self, value: v.Value, boundary: Boundary) -> v.Value:
        """An argument that is mapped over an unknown axis, or not at all: keys among it may differ."""
        if type(value) is v.Array and value.mode in v.ABSTRACT and value.aval.dtype not in v.KEYS:
            return v.Array(v.BATCHED, v.Aval(value.aval.dtype), value.origin)  # a tracer either way
        found = unsure(value)
        if type(found) is not v.Unknown:
            return found
        assert found.ident is not None
        return v.Unknown(found.ident + (("*", boundary.serial),))

    def stacked(self, made: v.Transformed, value: v.Value) -> v.Value:
        """A mapped result, whose mapped axis stands first, with that axis where the transform puts it."""
        if made.transform.behaviour == "vectorize":
            return self.moved(value, v.UNKNOWN)
        return self.moved(value, made.options.get("out_axes", v.Const(0)))

    def moved(self, value: v.Value, axis: v.Value) -> v.Value:
        """A tree of arrays with their first axis at another place; None drops it, and what is not known could be any."""
        if type(axis) is v.Const and axis.value == 0:
            return value
        if type(value) is v.Array:
            return v.Array(value.mode, value.aval.shaped(_moved(value.aval.shape, axis)), value.origin, value.ident)
        axes = self.i.items_of(axis)
        if axes is not None and type(value) is v.Tuple and value.items is not None and len(axes) == len(value.items):
            return v.Tuple(tuple(map(self.moved, value.items, axes)), fields=value.fields)
        if type(axis) is not v.Const:
            axis = v.UNKNOWN
        return self.rebuilt(value, lambda part: self.moved(part, axis)) if type(value) in (v.Tuple, v.Ref) else value

    def mapped_axes(self, made: v.Transformed, call: Call) -> list[object] | None:
        """For each positional argument: None (not mapped), an axis, a tree of them, or "unknown"."""
        if made.transform.behaviour == "shard_map":
            return [0] * len(call.args)
        if "**" in made.options:
            return None
        if made.transform.behaviour == "vectorize":
            return self.loop_ranks(made, call)
        axes = made.options.get("in_axes", v.Const(0))
        if isinstance(whole := self.axis(axes), int) or v.is_none(axes):
            return [whole] * len(call.args)
        items = self.i.items_of(axes)
        if items is None:
            return None
        found = [self.axis(item) for item in items]
        return found if len(found) == len(call.args) or call.star else None

    def loop_ranks(self, made: v.Transformed, call: Call) -> list[object] | None:
        """For each argument of a vectorized function: rank of its core, None where nothing is mapped."""
        given, left_out = made.options.get("signature"), made.options.get("excluded")
        contents = self.i.contents(left_out) if left_out is not None else None
        items = [contents.element] if type(contents) is SetObject else self.i.items_of(left_out or v.Tuple(()))
        excluded = v.constants(items, int)
        if excluded is None or (given is not None and type(given) is not v.Const):
            return None
        cores = [0] * len(call.args)
        if given is not None and given.value is not None:
            parts = re.findall(r"\(([^)]*)\)", str(given.value).partition("->")[0])
            cores = [len([name for name in part.split(",") if name.strip()]) for part in parts]
        rest = iter(cores)
        found: list[object] = []
        for number, value in enumerate(call.args):
            core = None if number in excluded else next(rest, None)
            if core is None:
                found.append(None if number in excluded else "unknown")
                continue
            aval = self.i.aval_of(value)
            rank = None if aval.dtype == "key" else aval.ndim  # of the older form, a key is two numbers
            found.append("unknown" if rank is None else (core if rank > core else None))
        return found if len(found) == len(call.args) else None

    def looped_over(self, value: v.Value, core: int, origin: Origin) -> v.Value:
        """An argument of a vectorized function inside it: what is left is its core."""
        aval = self.i.aval_of(value)
        assert aval.shape is not None
        return v.Array(v.BATCHED, v.Aval(aval.dtype, aval.shape[len(aval.shape) - core :]), origin)

    def sharded(self, value: v.Value, origin: Origin, step: int | None) -> v.Value:
        """An argument of a function under shard_map: a block of the same rank, another one in each ``step``."""
        inside = self.traced(value, v.BATCHED, origin, step=step)
        if type(inside) is v.Array and inside.aval.shape is not None:
            return v.Array(v.BATCHED, v.Aval(inside.aval.dtype, (None,) * len(inside.aval.shape)), origin, inside.ident)
        return inside

    def gathered(self, value: v.Value) -> v.Value:
        """What the blocks of all devices are put together to: of the same rank, and of sizes that are not known."""
        if type(value) is v.Array and value.aval.shape is not None:
            return v.Array(
                value.mode, v.Aval(value.aval.dtype, (None,) * len(value.aval.shape)), value.origin, value.ident
            )
        return self.rebuilt(value, self.gathered) if type(value) in (v.Tuple, v.Ref) else value

    def axis(self, value: v.Value) -> object:
        if type(value) is v.Const:
            return value.value
        if type(value) is v.OpaqueInstance and value.name == IF_ARRAY and value.args:
            return self.axis(value.args[0])  # what is no array is not mapped in any case
        contents = self.i.contents(value)
        if type(contents) is DictObject and contents.rest is None:
            return {key: self.axis(item) for key, item in contents.items.items()}
        items = self.i.items_of(value) if type(value) is v.Tuple else None
        return "unknown" if items is None else [self.axis(item) for item in items]

    def mapped(self, value: v.Value, axis: object, origin: Origin, boundary: Boundary) -> v.Value:
        """One element of an argument that is mapped over ``axis``."""
        if axis is None:
            return value
        if isinstance(axis, list):
            items = self.i.items_of(value)
            if items is None or len(items) != len(axis):
                return unsure(value)
            fields = value.fields if type(value) is v.Tuple else None
            return v.Tuple(tuple(self.mapped(i, a, origin, boundary) for i, a in zip(items, axis)), fields=fields)
        if isinstance(axis, dict):
            contents = self.i.contents(value)
            if type(contents) is not DictObject or contents.rest is not None or contents.items.keys() != axis.keys():
                return unsure(value)
            made = {key: self.mapped(item, axis[key], origin, boundary) for key, item in contents.items.items()}
            return self.i.new_object(DictObject(made))
        if axis == "unknown":
            return unsure(value)
        return self.traced(value, v.BATCHED, origin, drop=axis if isinstance(axis, int) else 0, step=boundary.serial)

    # --- differentiated -----------------------------------------------------------------------

    def call_grad(self, made: v.Transformed, call: Call) -> v.Value:
        context, origin = self.entered(made, "is differentiated by")
        argnums = self.argnums(made)
        if made.transform.behaviour in ("grad", "value_and_grad"):
            self.agreement.argnums(made, argnums, call)
            self.gradients.inputs(made, call, argnums)
        args = []
        for number, value in enumerate(call.args):
            if made.transform.behaviour == "filter_grad":
                args.append(self.filtered(value, v.DIFFERENTIATED, origin) if number == 0 else value)
            elif made.transform.behaviour == "nnx_grad":
                args.append(self.differentiated_object(value, argnums is None or number in argnums))
            elif argnums is None:
                args.append(unsure(value))
            elif number in argnums or (argnums and number - len(call.args) in argnums):
                args.append(self.traced(value, v.DIFFERENTIATED, origin))
                signature = signature_of(self.i, made.function)
                self.not_arrays.check_argument(made, call, signature, number, value, call.arg_nodes[number], origin)
            else:
                args.append(value)
        with self.tangents.bounds_within() as bounds:
            result = self.body(context, made.function, self.entering(made, call, args, dict(call.keywords)))
        self.tangents.examine(made, call, args, bounds)
        self.i.nnx.ended(made, result)
        if not self.gradients.output(made, call, result):
            return v.Unknown(v.fresh())
        mode, cause = self.mode_of_result(call.all())
        if made.transform.name in _WITH_LOSS and "**" not in made.options:
            loss: v.Value = v.Array(mode, v.Aval(None, ()), cause)
            if "has_aux" in made.options:
                loss = self.outside(result, mode, cause)
            return v.Tuple((loss, v.Unknown(v.fresh())))
        if made.transform.behaviour in ("nnx_grad", "filter_grad") or argnums is None or "allow_int" in made.options:
            return v.Unknown(v.fresh())
        grads: v.Value
        wanted = [call.args[n] for n in argnums if -len(call.args) <= n < len(call.args)]
        if len(wanted) != len(argnums) or call.star:
            grads = v.Unknown(v.fresh())
        else:
            shaped = [self.gradient(value, mode, cause) for value in wanted]
            single = type(made.options.get("argnums", v.Const(0))) is v.Const
            grads = shaped[0] if single else v.Tuple(tuple(shaped))
        if made.transform.name in ("jax.hessian", "jax.jacfwd", "jax.jacrev", "jax.jacobian"):
            of_one = None if "has_aux" in made.options else result
            grads = self.widened(grads, of_one, 2 if made.transform.name == "jax.hessian" else 1)
        aux = made.options.get("has_aux", v.FALSE)
        value = self.outside(result, mode, cause)
        if not (type(aux) is v.Const and isinstance(aux.value, bool)):
            return v.Unknown(v.fresh())
        if made.transform.behaviour == "value_and_grad":
            return v.Tuple((value, grads))
        if aux.value:
            items = self.i.items_of(value) if type(value) is v.Tuple else None
            return v.Tuple((grads, items[1] if items is not None and len(items) == 2 else v.Unknown(v.fresh())))
        return grads

    def differentiated_object(self, value: v.Value, may_vary: bool) -> v.Value:
        """An argument of `nnx.grad`: a copy of an object of NNX, whose Variables alone are tracers; ``may_vary``: with respect to it."""
        contents = self.i.contents(value)
        if type(contents) is Instance and contents.cls.family == "nnx":
            return self.i.pytrees.copied(value)
        given = unsure(value) if may_vary else value
        return self.i.nnx.copied(given) or given

    def gradient(self, value: v.Value, mode: str, origin: Origin | None) -> v.Value:
        """The gradient with respect to an argument: the same tree, all arrays. Of what is weak it may be weak or not."""
        mode = self.mode_of_derivative(mode)
        result = self.outside(value, mode, origin)
        if type(result) is v.Array and result.aval.weak:
            return v.Array(mode, v.Aval(result.aval.dtype, result.aval.shape, None), origin, result.ident)
        return result  # that of None, a tree without leaves, is None

    def widened(self, value: v.Value, result: v.Value | None, times: int) -> v.Value:
        """Derivatives of each element of a result with respect to each of an argument: first come the axes of the result."""
        if type(value) is not v.Array:
            if type(result) is not v.Array or (type(value) is not v.Tuple and self.i.contents(value) is None):
                return v.Unknown(v.fresh())
            if times == 1:
                return self.rebuilt(value, lambda leaf: self.widened(leaf, result, 1))
            return self.rebuilt(value, lambda _: self.widened(value, v.Array(v.MAYBE), 1))  # a tree for each leaf
        axes, of_result = value.aval.shape, result.aval.shape if type(result) is v.Array else None
        shape = None if axes is None or of_result is None else (*of_result, *axes * times)
        return v.Array(value.mode, v.Aval(None, shape), value.origin)

    def argnums(self, made: v.Transformed) -> list[int] | None:
        given = made.options.get("argnums", v.Const(0))
        if "**" in made.options:
            return None
        if type(given) is v.Const and isinstance(given.value, int):
            return [given.value]
        items = self.i.items_of(given)
        if items is None:
            return None
        numbers = [item.value for item in items if type(item) is v.Const and isinstance(item.value, int)]
        return numbers if len(numbers) == len(items) else None

    def jvp(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "fun")
        primals = call.get(1, "primals")
        if function is None or primals is None:
            return self.i.call_unknown(v.UNKNOWN, call)
        made = v.Transformed(transform, function, {}, call.site)
        context, origin = self.entered(made, "is differentiated by")
        items = self.i.items_of(primals)
        if items is None:
            return self.i.call_unknown(function, call)
        args = [self.traced(item, v.DIFFERENTIATED, origin) for item in items]
        tangents = call.get(2, "tangents")
        self.gradients.primals(
            v.Transformed(transform, function, {}, -1), call, items, self.i.items_of(tangents) if tangents else None
        )
        result = self.body(context, function, entering(call, args, {}))
        self.tangents.forward(made, call, args)
        mode, cause = self.mode_of_result(call.all())
        value = self.outside(result, mode, cause)
        tangent = self.outside(result, self.mode_of_derivative(mode), cause)
        return v.Tuple((value, tangent)) if "has_aux" not in call.keywords else v.Unknown(v.fresh())

    def check_grads(self, transform: Transform, call: Call) -> v.Value:
        """Derivatives in both modes, unless one is chosen, held against what arrays nearby give, of either library."""
        function, args = call.get(0, "f"), call.get(1, "args")
        items = self.i.items_of(args) if args is not None else None
        if function is None or items is None or call.get(3, "modes") is not None:
            return self.i.call_unknown(function or v.UNKNOWN, call)
        self.i.call(function, entering(call, [v.Unknown(v.fresh()) for _ in items], {}))
        context, origin = self.entered(v.Transformed(transform, function, {}, call.site), "is differentiated by")
        self.body(
            context, function, entering(call, [self.traced(item, v.DIFFERENTIATED, origin) for item in items], {})
        )
        return v.NONE

    def vjp(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "fun")
        if function is None:
            return v.Unknown(v.fresh())
        made = v.Transformed(transform, function, {}, call.site)
        context, origin = self.entered(made, "is differentiated by")
        # An integer has no tangent, and is left as it is.
        args = [
            unsure(item) if "int" in (self.i.aval_of(item).dtype or "") else self.traced(item, v.DIFFERENTIATED, origin)
            for item in call.args[1:]
        ]
        result = self.body(context, function, entering(call, args, {}, call.arg_nodes[1:]))
        self.tangents.forward(made, call, args)
        mode, cause = self.mode_of_result(call.args[1:])
        value = self.outside(result, mode, cause)
        aux = call.keywords.get("has_aux", v.FALSE)
        pullback: v.Value = v.Unknown(v.fresh())
        if transform.name == "jax.vjp" and not call.star:
            pullback = v.OpaqueInstance(
                PULLBACK, tuple(self.cotangent(item, v.MAYBE) for item in call.args[1:]), v.fresh()
            )
        if type(aux) is not v.Const:
            return v.Unknown(v.fresh())
        return v.Tuple((v.Unknown(v.fresh()), pullback, v.Unknown(v.fresh())) if aux.value else (value, pullback))

    def cotangent(self, value: v.Value, mode: str, origin: Origin | None = None) -> v.Value:
        """What comes back for a primal value: the same tree; an integer has no cotangent but one of dtype float0."""
        dtypes = [self.i.aval_of(leaf).dtype for leaf in self.i.leaves([value])]
        varies = all(dtype is not None and is_inexact(dtype) for dtype in dtypes)
        return self.gradient(value, mode, origin) if varies else v.Unknown(v.fresh())

    def pulled_back(self, pullback: v.OpaqueInstance, call: Call) -> v.Value | None:
        """What the function that `jax.vjp` gives returns: a tuple with a cotangent of each primal value."""
        if len(call.args) != 1 or call.star or call.keywords:
            return None
        mode, cause = self.i.result_mode(call.args)
        mode, cause = (mode, cause) if mode in v.TRACED else (v.MAYBE, None)
        return v.Tuple(tuple(self.cotangent(item, mode, cause) for item in pullback.args))

    def call_custom(self, made: v.Transformed, call: Call) -> v.Value:
        """A function with a rule of its own for derivatives: its body sees primal values, not differentiated ones."""
        context: Context = self.i.context
        if not self.custom_rules.called(made, call):
            return v.Unknown(v.fresh())
        # Staged code stages its body as one of its own, and makes tracers of what it is given.
        staged = context.stage == STAGED_CODE and made.transform.name in ("jax.custom_jvp", "jax.custom_vjp")
        staged = staged and self.custom_rules.nondiff(made) == []
        origin = Origin(f"{function_name(made.function)} is traced for its own rule", call.site, context.origin)
        args = [self.primal(each, staged, origin) for each in call.args]
        keywords = {name: self.primal(each, staged, origin) for name, each in call.keywords.items()}
        result = self.i.call(
            made.function, Call(call.node, args, call.arg_nodes, keywords, call.keyword_nodes, call.star)
        )
        self.custom_rules.pair(made, call, result)
        if context.stage != UNKNOWN_CODE and context.derivatives and context.tangents is None:
            by_rule = f"{function_name(made.function)} is differentiated by its own rule"
            origin = Origin(by_rule, call.site, context.origin)
            # The rules run in place of the function: what draws in them has drawn once.
            self.i.keys.undrawn(lambda: self.custom_rules.differentiated(made, call, args, result, origin))
        if made.transform.name == "jax.custom_gradient":  # what comes second is the rule
            items = self.i.items_of(result)
            result = items[0] if items else v.Unknown(v.fresh())
        outer, cause = self.mode_of_result(call.all())
        mode = self.custom_rules.result(outer)
        # All results of a function with a rule of its own have tangents.
        return self.outside(result, mode, cause, also=v.made_of(mode) & {v.DIFFERENTIATED})

    def primal(self, value: v.Value, staged: bool, origin: Origin) -> v.Value:
        """An argument as the body of a function with its own rule sees it. An outer derivative may be around."""
        context: Context = self.i.context
        if type(value) is v.Array and value.mode == v.DIFFERENTIATED:
            may_be_number = not value.aval.shape and value.aval.weak is not False  # of Python's, which JAX hands on
            is_maybe = may_be_number or context.stage == UNKNOWN_CODE or context.derivatives > 1
            return v.Array(v.MAYBE if is_maybe else v.CONCRETE, value.aval, None, value.ident)
        if type(value) is v.Array and v.has_tangent(value):
            return v.without_tangent(value)
        if staged and (type(value) in (v.Const, v.Host) or (type(value) is v.Array and value.mode == v.CONCRETE)):
            return self.traced(value, v.STAGED, origin)
        if type(value) in (v.Tuple, v.Ref) and any(leaf.cls == v.DIFFERENTIATED for leaf in self.i.leaves([value])):
            return self.rebuilt(value, lambda part: self.primal(part, staged, origin))
        return unsure(value) if type(value) is v.Undecided and value.cls == v.DIFFERENTIATED else value

    # --- values across the boundary -----------------------------------------------------------

    def traced(
        self, value: v.Value, cls: str, origin: Origin, drop: int | None = None, step: int | None = None
    ) -> v.Value:
        """An argument as the body sees it, every leaf a tracer of a class; without the axis ``drop``."""
        kind = type(value)
        if type(value) is v.Array:
            aval = value.aval if drop is None else without(value.aval, drop)
            mode = self.mode_inside(value.mode, cls)
            ident = stepped(value.ident, step)
            if step is not None and drop is None and aval.span is not None:
                aval = aval.spanning(None)  # what a loop carries is the first one in its first pass alone
            return v.Array(mode, aval, origin, ident, presumed=value.presumed)
        if kind in (v.Const, v.Host, v.Static):
            cls = self.mode_inside(v.CONCRETE, cls)
        if type(value) is v.Const:
            if value.value is None or not isinstance(value.value, (bool, int, float, complex)):
                return value
            return v.Array(cls, self.i.aval_of(value), origin, was=type_of(value))
        if type(value) is v.Host:
            aval = value.aval if drop is None else without(value.aval, drop)
            return v.Array(cls, aval, origin, was=type_of(value) if drop is None else "")
        if type(value) is v.Static:
            if value.type in v.NUMERIC_TYPES:
                return v.Array(cls, self.i.aval_of(value), origin, was=type_of(value))
            no_array = value.type in ("str", v.MEMBER)
            return v.Unknown(v.fresh()) if no_array else v.Undecided(cls, origin, value.ident)
        if type(value) is v.Undecided:
            kept = self.mode_inside(value.mode, cls)
            structure = v.structure_of(value) if drop is None else None
            return v.Undecided(kept, origin, stepped(value.ident, step), structure=structure)
        if type(value) is v.OpaqueInstance and value.name == v.SHAPE_STRUCT:
            shape, dtype = value.args
            name = dtype_name(dtype.name) if type(dtype) is v.Api else None
            return v.Array(cls, v.Aval(name, shape_of(self.i, shape)), origin)
        if kind is v.MaybeDefault:
            return v.Unknown(v.fresh())
        if type(value) is v.Unknown and value.compared:  # by objects that a transform takes: numbers and arrays
            return v.Array(cls, v.BOOL, origin)
        if type(value) is v.Unknown and value.options and all(type(option) is v.Ref for option in value.options):
            options = tuple(self.traced(option, cls, origin, drop, step) for option in value.options)
            return v.Unknown(stepped(value.ident, step), options, value.open)
        if kind is v.Unknown:
            ident = stepped(value.ident, step)
            return v.Undecided(
                cls, origin, ident or v.fresh(), structure=v.structure_of(value) if drop is None else None
            )
        return self.rebuilt(value, lambda part: self.traced(part, cls, origin, drop, step))

    def mode_inside(self, mode: str, cls: str) -> str:
        """The mode of an argument that a transform makes a tracer of its class. Differentiating what is abstract leaves it so."""
        if cls == v.DIFFERENTIATED and mode in v.ABSTRACT:
            return mode
        parts = v.made_of(mode)
        if cls == v.BATCHED and (self.i.context.stage == STAGED_CODE or not self.i.context.batched):
            parts |= {v.BATCHED}
        return v.tracer_mode(cls, parts)

    def mode_outside(self, value: v.Value, mode: str, also: frozenset[str]) -> str:
        """The mode of a leaf as the caller of the transformed function gets it, where ``mode`` is that of its operands.

        JAX hands back as a tracer only what was made of one of the caller.
        """
        given = v.made_of(mode)
        if mode in v.TRACED and not given:
            return mode  # in staged code all is staged
        parts = v.made_of(value.mode) if type(value) is v.Array else v.NOTHING
        if v.CLASSES.get(mode) == v.STAGED:
            return v.tracer_mode(v.STAGED, parts & given | also)
        if value.cls is not None and value.cls not in given:
            parts -= {value.cls}  # a tracer of this transform
        parts |= also
        return v.eager_mode(parts) if parts or given else mode

    def mode_of_derivative(self, mode: str) -> str:
        """The mode of a derivative, where ``mode`` is that of the operands. The one of a linear function is made of none of them."""
        return mode if mode not in v.TRACED else v.STAGED if v.CLASSES[mode] == v.STAGED else v.MAYBE

    def first_row(self, xs: v.Value) -> v.Value:
        """What a loop that runs step by step gives its function first: the first row of each array that has one."""
        if (
            type(xs) is v.Array
            and xs.aval.shape
            and type(xs.aval.shape[0]) is int
            and xs.aval.shape[0]
            and xs.aval.dtype not in v.KEYS
        ):
            return self.i.array_result([xs], without(xs.aval, 0))
        if type(xs) is v.Undecided:
            return v.Undecided(xs.mode, xs.origin, v.fresh())
        return self.rebuilt(xs, self.first_row) if type(xs) in (v.Tuple, v.Ref) else unsure(xs)

    def rebuilt(self, value: v.Value, change: Callable[[v.Value], v.Value]) -> v.Value:
        """A pytree with each leaf changed: a new tree, as flattening and unflattening makes."""
        contents: Contents | v.Tuple | None = value if type(value) is v.Tuple else self.i.contents(value)
        if contents is None:
            return self.i.nnx.copied(value) or value
        if any(contents is each for each in self._open):
            return v.Unknown(v.fresh())  # it holds itself
        # What holds one thing twice, again and again, is small and has leaves without end.
        if len(self._open) >= MAX_PLAIN_DEPTH:
            self.i.steps += 1
            if self.i.over_budget():
                return v.Unknown(v.fresh())
        self._open.append(contents)
        try:
            return self._rebuilt(value, contents, change)
        finally:
            self._open.pop()

    def _rebuilt(self, value: v.Value, contents: Contents | v.Tuple, change: Callable[[v.Value], v.Value]) -> v.Value:
        if type(contents) is v.Tuple:
            if contents.items is None:
                return v.Tuple(None, change(contents.element))
            return v.Tuple(tuple(change(item) for item in contents.items), fields=contents.fields)
        if type(contents) is ListObject:
            items = None if contents.items is None else tuple(change(item) for item in contents.items)
            return self.i.new_list(items, change(contents.element))
        if type(contents) is DictObject:
            rest = None if contents.rest is None else change(contents.rest)
            made = DictObject({k: change(item) for k, item in contents.items.items()}, rest)
            return self.i.new_object(made)
        if type(contents) is Instance:
            again = self.i.pytrees.rebuilt(contents, change)  # which may call functions, and leaves another state
            return self.i.new_object(again, value.made if type(value) is v.Ref else None)
        return self.i.nnx.copied(value) or value

    def filtered(
        self, value: v.Value, cls: str, origin: Origin, drop: int | None = None, step: int | None = None
    ) -> v.Value:
        """An argument of an `equinox.filter_…` function: arrays are traced, all else stays as it is."""
        if type(value) in (v.Array, v.Host):
            return self.traced(value, cls, origin, drop, step)
        if type(value) is v.Unknown and not value.options and cls != v.BATCHED and drop is None:
            return v.Undecided(cls, origin, value.ident, maybe_static=True, structure=v.structure_of(value))
        if type(value) in (v.Const, v.Static, v.Unknown):
            return value
        if type(value) is v.Undecided:
            traced = self.traced(value, cls, origin, drop, step)
            mode = traced.mode if type(traced) is v.Undecided else cls
            return v.Undecided(mode, origin, traced.ident, value.maybe_static, v.structure_of(traced))
        made = self.rebuilt(value, lambda part: self.filtered(part, cls, origin, drop, step))
        contents = self.i.contents(made)
        if type(contents) is Instance and contents.cls.family == "equinox" and drop is None:
            for name, field in self.i.annotations.fields(contents.cls, numbers_are_leaves=False).items():
                if name not in contents.fields:
                    contents.fields[name] = self.filtered(field, cls, origin)
        return made

    def filtered_and_mapped(
        self, made: v.Transformed, call: Call, origin: Origin
    ) -> tuple[list[v.Value], dict[str, v.Value]]:
        """Arguments of a function that maps over the first axis of all arrays, where `in_axes` does not say otherwise."""
        step = v.fresh()[0]
        axes = self.mapped_axes(made, call)
        args = []
        for number, value in enumerate(call.args):
            axis: object = axes[number] if axes is not None and number < len(axes) else "unknown"
            if isinstance(axis, int):
                args.append(self.filtered(value, made.transform.cls, origin, axis, step))
            else:
                args.append(value if axis is None else unsure(value))
        keywords = {
            name: self.filtered(value, made.transform.cls, origin, 0, step)
            if "in_axes" not in made.options
            else unsure(value)
            for name, value in call.keywords.items()
        }
        return args, keywords

    def mode_of_result(self, operands: Iterable[v.Value]) -> tuple[str, Origin | None]:
        """Mode and origin of what a function of the program gives back: it may close over tracers from around."""
        mode, cause = self.i.result_mode(operands)
        return (v.MAYBE if mode == v.CONCRETE and not self.i.context.pure else mode), cause

    def outside(
        self,
        value: v.Value,
        mode: str,
        origin: Origin | None,
        extra: object = False,
        keeps_numbers: bool = False,
        also: frozenset[str] = v.NOTHING,
    ) -> v.Value:
        """A value from inside a transformed function as its caller gets it.

        ``extra``: with one more dimension in front, and its size where that is known. ``keeps_numbers``: the transform filters,
        and gives what is not an array back as it is. ``also``: the classes of tracers of which each leaf is made besides.
        """
        kind = type(value)
        is_number = v.is_scalar_const(value) or (type(value) is v.Static and value.type in v.NUMERIC_TYPES)
        if is_number and keeps_numbers:
            return value
        if kind in (v.Array, v.Host) or is_number:
            aval = self.i.aval_of(value)
            if extra:
                size = extra if type(extra) is int else None
                aval = aval.shaped(None if aval.shape is None else (size, *aval.shape))
            ident = value.ident if not extra else v.fresh()
            if extra and value.ident in self.i.layers.provenance:
                self.i.layers.provenance[ident] = self.i.layers.provenance[value.ident]
            if aval.dtype in v.KEYS and ident is None:
                ident = v.fresh()
            seen = self.mode_outside(value, mode, also)
            origin = origin if mode in v.TRACED else value.origin
            return v.Array(seen, aval, origin if seen in v.TRACED else None, ident)
        structure = None if extra else v.structure_of(value)
        if kind in (v.Unknown, v.Static, v.MaybeDefault) and mode in v.TRACED:
            return v.Undecided(mode, origin, v.fresh(), structure=structure)
        if kind in (v.Unknown, v.Static, v.MaybeDefault, v.Undecided):
            ident = self.ident_outside(value, lambda part: self.outside(part, mode, origin, extra, keeps_numbers, also))
            if mode in v.TRACED:
                return v.Undecided(mode, origin, ident, structure=structure)
            return v.Unknown(ident, structure=structure)
        if kind is v.Const:
            return value
        return self.rebuilt(value, lambda part: self.outside(part, mode, origin, extra, keeps_numbers, also))

    def ident_outside(self, value: v.Value, outside: Callable[[v.Value], v.Value]) -> v.Ident:
        """The ident of an object of which nothing is known as the caller gets it, with what the function stored in it."""
        assert self.i.state is not None
        if value.ident is None:
            return v.fresh()
        if value.ident in self._carried:
            return self._carried[value.ident]  # an object that is stored in itself
        depth = len(value.ident)
        stored = [each for each in self.i.state.fields.items() if each[0][0][:depth] == value.ident]
        made = self._carried[value.ident] = v.fresh() if stored else value.ident
        for (ident, name), part in stored:
            self.i.state.set_field(made + ident[depth:], name, outside(part))
        del self._carried[value.ident]
        return made

    # --- haiku --------------------------------------------------------------------------------

    def haiku_transform(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "f")
        if function is None:
            return v.Partial(v.Api(transform.name), (), dict(call.keywords))
        made = v.Transformed(transform, function, dict(call.keywords), call.site)
        self.i.pending.append((None, self.i.frame, made, self.i.context))
        return made

    def haiku_multi(self, transform: Transform, call: Call) -> v.Value:
        function = call.get(0, "f")
        if function is not None:
            made = v.Transformed(transform, function, {}, call.site)
            self.i.haiku.enter(made, entering(call, [], {}, []))
        return v.Unknown(v.fresh())

    def haiku_without_rng(self, transform: Transform, call: Call) -> v.Value:
        inner = call.get(0, "f")
        if type(inner) is v.Transformed:
            options = {**inner.options, "without rng": v.TRUE}
            return v.Transformed(inner.transform, inner.function, options, inner.site)
        return v.Unknown(v.fresh())

    # --- activation without a visible call ----------------------------------------------------

    def activate(self, made: v.Transformed, frame: Frame, context: Context) -> None:
        """Run a transformed function as any caller may: arguments are unknown, defaults may stand."""
        innermost: v.Value = made
        transforms = []
        while type(innermost) is v.Transformed:
            transforms.append(innermost)
            innermost = innermost.function
        signature = signature_of(self.i, innermost)
        if signature.function is None or self.called.get(made.site) == {True} or made.site in self.at_once:
            return
        stage = UNKNOWN_CODE if not context.transparent else context.stage
        # What is transformed where failure is expected is made to fail.
        guard = "all" if context.guard == "all" else ""
        haiku = SOMEWHERE if context.haiku else None
        around = context.but(
            stage=stage, pure=False, guard=guard, linen=None, level=None, leak=None, haiku=haiku, axes=None
        )
        with self.i.within(around, frame):
            call = signature.generic_call(self.i, made, passes_all=made.site in self.alternatives)
            with self.i.synthetic_calls():
                if transforms[-1].transform.behaviour == "haiku_transform":
                    self.i.haiku.enter(transforms[-1], call)
                else:
                    self.call(made, call)
            self.not_arrays.check_annotations(made, signature)
            self.static_self.outdated(made)


_FILTER_AND_MAP = frozenset({"equinox.filter_vmap", "equinox.filter_pmap"})


def stepped(ident: v.Ident | None, step: int | None) -> v.Ident | None:
    """What a value is called in each ``step`` of a body that is run for several."""
    return ident if step is None or ident is None else (*ident, ("*", step))


def omitted_flag(value: v.Value, node: ir.Node | None) -> v.Const | None:
    """The default of a flag that a call may leave out: a tracer in its place has no truth, and no branch would be taken."""
    default = node.default if type(value) is v.MaybeDefault and type(node) is ir.Parameter else None
    return v.Const(default.value) if type(default) is ir.Constant and type(default.value) is bool else None


def unsure(value: v.Value) -> v.Value:
    """The value, with nothing claimed of its tracedness."""
    if type(value) in (v.Array, v.Undecided, v.Unknown, v.Host, v.Const, v.Static):
        if type(value) is v.Const and (value.value is None or isinstance(value.value, str)):
            return value
        return v.Unknown(value.ident or v.fresh(), structure=v.structure_of(value))
    return v.Unknown(v.fresh()) if type(value) in (v.Tuple, v.Ref, v.OpaqueInstance) else value


def without(aval: v.Aval, axis: int) -> v.Aval:
    """An array that is mapped over an axis, as the function sees it."""
    if aval.dtype in v.KEYS:
        return v.mapped_key(aval)
    if not aval.shape or not -len(aval.shape) <= axis < len(aval.shape):
        return aval.shaped(None)
    axis %= len(aval.shape)
    return aval.shaped(aval.shape[:axis] + aval.shape[axis + 1 :]).spanning(aval.span)


def entering(call: Call, args: list[v.Value], keywords: dict[str, v.Value], nodes: list[ir.Node] | None = None) -> Call:
    """The call of a transformed function's body; its parameters are where tracing begins."""
    nodes = call.arg_nodes if nodes is None else nodes
    nodes = list(nodes)[: len(args)] + [call.node] * (len(args) - len(nodes))
    made = Call(call.node, args, nodes, keywords, call.keyword_nodes, call.star, call.double_star)
    made.entering = True
    made.each = unsure(call.each)
    return made


def layers(function: v.Value) -> int:
    """How many transforms and partial applications stand around a function."""
    count = 0
    while isinstance(function, (v.Partial, v.BoundMethod, v.Transformed)):
        count += 1
        function = function.function
    return count


def function_name(value: v.Value) -> str:
    """How to call a function in a sentence."""
    while True:
        if type(value) is v.FunctionValue:
            return "the lambda" if value.function.is_lambda else f"`{value.function.name}`"
        if isinstance(value, (v.Partial, v.BoundMethod, v.Transformed)):
            value = value.function
        elif type(value) is v.Api:
            return f"`{value.name.rpartition('.')[2]}`"
        elif type(value) is v.ClassValue:
            return f"`{value.definition.name}`"
        else:
            return "the function"


def _moved(shape: v.Shape | None, axis: v.Value) -> v.Shape | None:
    """A shape whose first axis stands elsewhere."""
    if not shape or type(axis) is not v.Const:
        return None
    first, rest = shape[0], list(shape[1:])
    if axis.value is None:
        return tuple(rest)
    if type(axis.value) is not int or not -len(shape) <= axis.value < len(shape):
        return None
    rest.insert(axis.value % len(shape), first)
    return tuple(rest)
