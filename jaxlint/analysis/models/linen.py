"""Modules of Flax Linen while they run: when parameters are made, and what their random numbers come from.

A layer makes its parameters when it is called for the first time, in `init`. A parameter that is made under a
JAX transform that stages code is a tracer, and outlives the trace. Keys come from a stream of the
module that is not split over the axis that a JAX transform maps, or over the passes that it repeats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.context import Boundary, Context, ModuleCall
from jaxlint.analysis.domain.hazards import Consequence, Hazard, hazard_class
from jaxlint.analysis.domain.signatures import accepted, positional, signature_of, takes
from jaxlint.analysis.domain.state import DictObject, Instance
from jaxlint.analysis.shapes.bound_arguments import shape_of
from jaxlint.ir import nodes as ir
from jaxlint.knowledge.transforms import Transform

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter
    from jaxlint.analysis.models.linen_scope import Given

# Transforms of JAX out of which parameters leak (measured on flax 0.12.8).
_LEAKING = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.checkpoint", "jax.eval_shape", "jax.make_jaxpr", "jax.lax.scan",
    "jax.lax.while_loop", "jax.lax.fori_loop", "jax.lax.cond", "jax.lax.switch", "jax.lax.map",
})  # fmt: skip
# Those of them that hash their function, which a module that runs does not allow.
_HASHING = frozenset({
    "jax.jit", "jax.experimental.pjit.pjit", "jax.checkpoint", "jax.lax.scan", "jax.lax.cond", "jax.lax.switch",
})  # fmt: skip
_COMPILING = frozenset({"jax.jit", "jax.experimental.pjit.pjit", "jax.checkpoint"})
# Layers beside those that give arrays: cells, what calls them, and what draws.
_OTHERS = frozenset(
    f"flax.linen.{name}"
    for name in "LSTMCell OptimizedLSTMCell GRUCell MGUCell SimpleCell ConvLSTMCell RNN Dropout".split()
)
# Functions that take a shape, and no key before it.
_OF_SHAPES = frozenset(f"jax.numpy.{name}" for name in ("ones", "zeros", "empty", "full", "eye"))
_MAKING = frozenset({"param", "variable"})
METHODS = _MAKING | {"make_rng"}
# Methods by which `nn.Module` is prepared.
_PREPARING = frozenset({"__post_init__", "__init__"})
# By which a module does something else in `init`.
_ASKS = frozenset({"is_initializing", "is_mutable_collection", "has_variable"})
_CONDITIONAL = (ir.If, ir.Conditional, ir.Boolean, ir.Try, ir.While, ir.Match)
# Layers whose parameters are random, unless they are told how to begin.
_WITH_KERNEL = frozenset(
    f"flax.linen.{name}"
    for name in "Conv ConvTranspose ConvLocal Dense DenseGeneral Einsum Embed SelfAttention MultiHeadDotProductAttention".split()
)
_MAX_DEPTH = 3  # of modules in one another
_DROPOUT, _BATCH_NORM = "flax.linen.Dropout", "flax.linen.BatchNorm"
# What these layers are told when they are made, or when they are called.
_FLAGS = {_DROPOUT: "deterministic", _BATCH_NORM: "use_running_average"}


@hazard_class(consequence=Consequence.PERSISTENT)
class JaxTransformInLinen(Hazard):
    """The same; operand: what makes parameters."""

    how: str


@hazard_class(of_plain_values=True)
class LinenDefinition(Hazard):
    """A parameter or layer of a Linen module that cannot be made. Site: the call; operand: the initialiser, or the name."""

    # "initialiser": it takes other arguments than it gets; "name": the layers of a loop have one
    # "post_init": `__post_init__`, the site, leaves out that of `nn.Module`; "init": the class has an `__init__` of its own
    how: Literal["initialiser", "name", "post_init", "init"]
    given: int = 0  # how many arguments an initialiser gets, with its key


@hazard_class(consequence=Consequence.SILENT)
class LinenRngShared(Hazard):
    """Random numbers of a Linen module are the same for all that a JAX transform maps or repeats.

    Site: the call of the JAX transform; api; operand: what draws.
    """


@hazard_class(consequence=Consequence.SILENT)
class LinenMembersAlike(Hazard):
    """The members that `nn.vmap` or `nn.scan` makes of a module are alike. Site, operand: its `split_rngs`.

    They have equal parameters and arguments, or drop the same.
    """

    stream: str = "params"  # that is not split


class Linen(Component):
    """Component of the interpreter."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # Site of a class -> whether it asks if it is being initialised.
        self.asks: dict[int, bool] = self.i.per_module({})
        self.ready: set[v.Ident] = self.i.per_module(set())  # layers that are called, on some path, where nothing leaks
        self.claims: dict[v.Ident, int] = self.i.per_module({})  # layer -> where a leak of its parameters was recorded

    # --- running a module ---------------------------------------------------------------------

    def running(self, cls: v.ClassValue, method: v.Value, given: Given | None = None) -> Context:
        """The context in which a method of a bound module runs."""
        context: Context = self.i.context
        call = ModuleCall(v.fresh()[0], self.initialises(cls, method), len(self.i.chain), given)
        return context.but(linen=call, leak=None, haiku=False)

    def within(self, contents: Instance) -> Context:
        """The context in which a module is called by another."""
        context: Context = self.i.context
        if context.linen is None or not context.linen.initialises:
            return context
        if not contents.called and self.initialises(contents.cls, contents.cls.lookup("__call__")):
            return context
        return context.but(linen=ModuleCall(context.linen.serial, False, context.linen.depth, context.linen.given))

    def initialises(self, cls: v.ClassValue, method: v.Value | None) -> bool:
        """Whether `init` makes the parameters by this very method, as it stands."""
        if type(method) is not v.FunctionValue or any(self.asks_for_init(each) for each in cls.mro()):
            return False
        if "compact" in self.i.markers(method.function):
            return True
        members = {name: member for each in cls.mro() for name, member in each.members.items()}
        others = [
            name for name, member in members.items()
            if type(member) in (v.FunctionValue, v.Transformed) and not name.startswith("_") and name != "setup"
        ]  # fmt: skip
        return method.name == "__call__" and not others and cls.lookup("__call__") is method

    def asks_for_init(self, cls: v.ClassValue) -> bool:
        site = cls.definition.site
        if site not in self.asks:
            self.asks[site] = any(
                type(node) is ir.Attribute and node.attr in _ASKS for node in ir.walk([cls.definition])
            )
        return self.asks[site]

    def defined(self, cls: v.ClassValue) -> None:
        """A class is complete: a method that is compiled as a function of `self` cannot be called."""
        prepares = cls.members.get("__post_init__")
        if type(prepares) is v.FunctionValue and not _hands_on(prepares.function):
            if not self.i.expected.is_beside(cls.definition):
                self.i.report(LinenDefinition("post_init"), prepares.function, prepares.function, prepares)
        begins = cls.members.get("__init__")
        if type(begins) is v.FunctionValue and not cls.definition.decorators and _leaves_parent_out(begins.function):
            if not self.i.expected.is_beside(cls.definition):
                node = _first_set(begins.function)
                self.i.report(LinenDefinition("init"), node, node, begins)
        for made in cls.members.values():
            if type(made) is not v.Transformed or made.transform.name not in _COMPILING:
                continue
            function = made.function
            if type(function) is not v.FunctionValue or function.owner is not cls or function.function.is_lambda:
                continue
            first = function.function.parameters[:1]
            statics = signature_of(self.i, function).statics(self.i, made)
            if not first or first[0].name != "self" or statics is None or statics.position(0):
                continue
            if not {"staticmethod", "classmethod"} & self.i.markers(function.function):
                node = self.i.unit.nodes[made.site]
                self.i.report(JaxTransformInLinen("self"), node, first[0], made, api=made.transform.name)

    # --- layers -------------------------------------------------------------------------------

    def made(self, name: str, call: Call) -> v.Value | None:
        """A layer of Linen that is none of those that give an array."""
        if name not in _OTHERS:
            return None
        self.i.call_unknown(v.Api(name), call)
        args: tuple[v.Value, ...] = (v.Const(name),)
        if name == _DROPOUT:
            args += (call.get(0, "rate") or v.UNKNOWN, option(call, 2, "deterministic"))
        args += tuple(self.i.layers.kept(name, call))
        made = v.OpaqueInstance("linen module", args, v.fresh())
        assert made.ident is not None
        self.i.linen_scope.made(name, made.ident, call)
        return made

    def options(self, name: str, call: Call) -> tuple[v.Value, ...]:
        """What is kept of how a layer that gives an array was made."""
        if name == _BATCH_NORM:
            return (v.Const(name), option(call, 0, "use_running_average"))
        return (v.Const(name),)

    def called(self, layer: v.OpaqueInstance, call: Call) -> None:
        name = layer.class_name
        self.i.linen_parameters.called(name, call)
        if name in _WITH_KERNEL:
            self.i.linen_scope.makes(call.node)
        if name.startswith("flax.linen.") and layer.ident is not None:
            self.i.linen_scope.called(layer.ident, f"nn.{name.rpartition('.')[2]}", call)
        flag = _FLAGS.get(name)
        if flag is not None and v.is_none(layer.args[-1]) and v.is_none(option(call, 1, flag)):
            self.i.linen_scope.lacks(flag, call.node)
        if name == _BATCH_NORM:
            self.i.linen_scope.normalises(call.node, _is_true(self.told(layer.args[1], call, "use_running_average")))
        if name == _BATCH_NORM and is_false(self.told(layer.args[1], call, "use_running_average")):
            self.i.linen_scope.writes("batch_stats", call.node)
        elif name == _BATCH_NORM and _is_true(self.told(layer.args[1], call, "use_running_average")):
            self.i.linen_scope.reads("batch_stats", call.node)
        if name == _DROPOUT:
            self.dropped(layer, call)
        elif name.startswith("flax.linen."):
            self.used(call.node, layer.ident)

    def layer_method(self, layer: v.OpaqueInstance, name: str, call: Call) -> v.Value:
        """A method of a layer of a library."""
        kind = layer.class_name
        if kind.startswith("flax.linen."):
            if name == "apply":
                self.i.linen_scope.applied(kind, call)
            if name == "init":
                return self.i.linen_scope.initialised(kind)
        return v.Unknown(v.fresh())

    def used(self, node: ir.Node, layer: v.Ident | None = None) -> None:
        """A layer, or the module itself where it makes parameters, is called here."""
        context: Context = self.i.context
        call = context.linen
        if call is None or (layer is not None and layer[0] <= call.serial):
            return
        if context.leak is None:
            if layer is not None and layer not in self.ready:
                self.ready.add(layer)
                if layer in self.claims:
                    self.i.found.pop((JaxTransformInLinen, self.claims.pop(layer)), None)
            return
        if not call.initialises or layer in self.ready:
            return
        at = self.i.unit.nodes[context.leak[0]]
        sites = (*self.i.chain[call.depth :], at.site, node.site)
        if not all(self.is_unconditional(site) for site in sites):
            return
        fresh = (JaxTransformInLinen, at.site) not in self.i.found
        self.i.report(JaxTransformInLinen("leak"), at, node, v.UNKNOWN, api=context.leak[1], origin=context.origin)
        if fresh and layer is not None:
            self.claims[layer] = at.site

    def is_unconditional(self, site: int) -> bool:
        """Whether code runs each time that its function does."""
        inner: ir.Node = self.i.unit.nodes[site]
        for outer in self.i.unit.ancestors(site):
            if isinstance(outer, _CONDITIONAL):
                return False
            if isinstance(outer, ir.Scope):
                return not any(_may_leave(s) for s in outer.body[: _index(outer.body, inner)])
            inner = outer
        return True

    # --- transforms ---------------------------------------------------------------------------

    def leaks(self, context: Context, transform: Transform) -> bool:
        return context.linen is not None and transform.name in _LEAKING

    def transformed(self, transform: Transform, function: v.Value, site: int) -> None:
        """A module that runs is handed to a transform as if it were a function."""
        context: Context = self.i.context
        if context.linen is None or transform.name not in _HASHING:
            return
        contents = self.i.contents(function)
        ours = (
            type(function) is v.OpaqueInstance and function.ident is not None and function.ident[0] > context.linen.serial
            and function.name in v.LAYERS and function.class_name.startswith("flax.linen.")
        ) or (
            type(contents) is Instance and contents.cls.family == "linen"
            and type(function) is v.Ref and function.location > context.linen.serial
        )  # fmt: skip
        if ours:
            node = self.i.unit.nodes[site]
            self.i.report(JaxTransformInLinen("hash"), node, node, function, api=transform.name)

    def mapped(self, call: Call) -> None:
        """`nn.vmap` makes a module with parameters for each member."""
        axes, split = (self.i.contents(call.get(*each) or v.NONE) for each in ((1, "variable_axes"), (2, "split_rngs")))
        in_axes = call.get(3, "in_axes")
        if type(axes) is not DictObject or type(split) is not DictObject or in_axes is None:
            return
        axis, streams = axes.items.get("params"), split.items
        if (
            type(axis) is not v.Const
            or type(axis.value) is not int
            or "params" not in streams
            or split.rest is not None
        ):
            return
        if not all(map(is_false, streams.values())):
            return  # what another stream gives tells the members apart
        shared = all(v.is_none(each) for each in self.i.leaves([in_axes]))
        node = call.node_of(2, "split_rngs")
        if node is not None and shared and self.has_kernel(call.args[0]):
            self.i.report(LinenMembersAlike(), node, node, v.UNKNOWN)

    def has_kernel(self, cls: v.Value | None, depth: int = 0) -> bool:
        """Whether a module has parameters that are drawn, by the layers that its class names."""
        if type(cls) is v.Api:
            return cls.name in _WITH_KERNEL
        if type(cls) is not v.ClassValue or cls.family != "linen" or depth == _MAX_DEPTH:
            return False
        calls = (node for node in ir.walk([cls.definition]) if type(node) is ir.Call)
        return any(
            self.has_kernel(self.i.named(ir.dotted(node.func) or "", cls.frame), depth + 1)
            for node in calls
            if not any((each.name or "").endswith("_init") for each in node.keywords)
        )

    # --- what a module gives itself -----------------------------------------------------------

    def method(self, name: str, call: Call) -> v.Value:
        """``self.param``, ``self.variable`` and ``self.make_rng``."""
        self.i.keys.given_to_unknown(call)
        self.i.havoc_given(call)
        if name == "make_rng":
            stream = call.get(0, "name") or v.Const("params")
            if type(stream) is v.Const:
                self.i.linen_scope.draws(str(stream.value), call.node)
            return self.make_rng()
        if name == "param":
            self.i.linen_parameters.declared(call)
        made = call.get(1, "init_fn")
        if made is not None and name == "param" and not self.initialises_with_key(made, call):
            node = call.node_of(1, "init_fn") or call.node
            self.i.report(LinenDefinition("initialiser", len(call.args) - 1), call.node, node, made)
        if made is not None and (type(made) is v.Api or name == "param"):
            self.used(call.node)
        if name == "param" and made is not None and _is_initialiser(made):
            shape, is_default = shape_of(self.i, call.get(2)), len(call.args) == 3 and "dtype" not in call.keywords
            if shape is not None:
                return v.Array(v.MAYBE, v.Aval("float32" if is_default else None, shape), None, v.fresh())
        return v.Unknown(v.fresh())

    def initialises_with_key(self, function: v.Value, call: Call) -> bool:
        """Whether an initialiser may be called with a key and the arguments that `param` hands on."""
        if call.star or call.double_star or len(call.args) < 2 or call.keywords.keys() - {"unbox"}:
            return True
        if type(function) is v.Api:
            return function.name not in _OF_SHAPES
        if type(function) is v.Array and not function.presumed:
            return False
        parameters = accepted(self.i, function) if type(function) is v.FunctionValue else None
        if parameters is None:
            return True
        names, given = positional(parameters), len(call.args) - 1
        least = sum(each.required for each in parameters if each.name in names)
        return least <= given and (given <= len(names) or takes(parameters, "star"))

    def repeats_name(self, call: Call) -> None:
        """A layer is made: in a loop it needs a name of its own in each pass."""
        name = call.keywords.get("name")
        if self.i.context.linen is None or type(name) is not v.Const or not isinstance(name.value, str):
            return
        node = call.keyword_nodes.get("name")
        if type(call.node) is ir.Call and type(node) is ir.Constant and self.is_repeated(call.site):
            self.i.report(LinenDefinition("name"), call.node, node, name)

    def is_repeated(self, site: int) -> bool:
        """Whether code runs in each pass of a `for` loop, which has no end but that of what it goes over."""
        if not self.is_unconditional(site):
            return False
        for outer in self.i.unit.ancestors(site):
            if isinstance(outer, ir.Scope):
                return False
            if isinstance(outer, ir.For):
                leaves = any(type(each) in (ir.Break, ir.Continue, ir.Return) for each in ir.walk(outer.body))
                return not (leaves or _is_single(outer.iterable))
        return False

    # --- random numbers -----------------------------------------------------------------------

    def make_rng(self) -> v.Value:
        """A key of the module's own, as old as the call of the module: the same for all that is mapped or repeated in it."""
        call = self.i.context.linen
        if call is None:
            return v.Unknown(v.fresh())
        self.i.touched.append(0)  # each call gives another key
        mode, origin = self.i.result_mode([])
        ident = (call.serial, ("make_rng", v.fresh()[0]))
        return v.Array(mode if mode == v.STAGED else v.MAYBE, v.KEY, origin, ident)

    def is_own_key(self, ident: v.Ident) -> bool:
        return len(ident) > 1 and isinstance(ident[1], tuple) and ident[1][0] == "make_rng"

    def shared(self, boundary: Boundary, node: ir.Node) -> None:
        """What is drawn at ``node`` is the same in each run of what ``boundary`` stands for."""
        at = self.i.unit.nodes[boundary.site]
        self.i.report(LinenRngShared(), at, node, v.UNKNOWN, api=boundary.how)

    def told(self, value: v.Value, call: Call, name: str) -> v.Value:
        """An option of a layer that the call may give as well."""
        given = option(call, 1, name)
        return value if v.is_none(given) else given

    def is_dropping(self, layer: v.OpaqueInstance, call: Call) -> bool:
        """Whether a layer that is applied on its own is a dropout layer that certainly drops."""
        if layer.class_name != _DROPOUT or len(call.args) > 2 or call.star or call.double_star:
            return False
        rate, deterministic = layer.args[1:]
        given = call.keywords.get("deterministic", deterministic)
        return type(rate) is v.Const and bool(rate.value) and is_false(given)

    def dropped(self, layer: v.OpaqueInstance, call: Call) -> None:
        context: Context = self.i.context
        rate, deterministic = layer.args[1:]
        deterministic = self.told(deterministic, call, "deterministic")
        if type(rate) is v.Const and rate.value and is_false(deterministic) and "rng" not in call.keywords:
            self.i.linen_scope.draws("dropout", call.node)
            self.i.lifting.drawn("dropout")
        off = (type(deterministic) is v.Const and deterministic.value is True) or (
            type(rate) is v.Const and not rate.value
        )
        self.i.layer_keys.dropped(call, off)
        if context.linen is None or off or "rng" in call.keywords or len(call.args) > 2 or call.double_star:
            return
        self.i.linen_scope.may_draw("dropout", call.node)
        for boundary in context.boundaries:
            if boundary.serial > context.linen.serial:
                self.shared(boundary, call.node)
                return


def _is_initialiser(value: v.Value) -> bool:
    """Whether a value is an initialiser of a library, which gives an array of the shape that it is told."""
    if type(value) is v.Api:
        return ".initializers." in value.name
    return type(value) is v.OpaqueInstance and value.name == "initializer"


def option(call: Call, position: int, name: str) -> v.Value:
    """What a call gives for a parameter whose default is None."""
    absent = v.UNKNOWN if call.star or call.double_star else v.NONE
    return call.get(position, name) or absent


def _is_true(value: v.Value) -> bool:
    return type(value) is v.Const and value.value is True


def is_false(value: v.Value) -> bool:
    return type(value) is v.Const and value.value is False


def _may_leave(statement: ir.Node) -> bool:
    """Whether a statement may end the function on some condition."""
    return isinstance(statement, _CONDITIONAL) and any(
        type(node) in (ir.Return, ir.Raise) for node in ir.walk([statement])
    )


def _is_single(iterable: ir.Node) -> bool:
    """Whether a loop may be written for one pass alone."""
    if isinstance(iterable, ir.Sequence):
        return len(iterable.elements) < 2
    last = iterable.args[-1] if isinstance(iterable, ir.Call) and iterable.args else None
    return isinstance(last, ir.Constant) and last.value in (0, 1)


def _index(body: list[ir.Statement], statement: ir.Node) -> int:
    return next((number for number, each in enumerate(body) if each is statement), 0)


def _hands_on(function: ir.Function) -> bool:
    """Whether a `__post_init__` may call that of a base class."""
    return any(type(node) is ir.Attribute and node.attr in _PREPARING for node in ir.walk([function]))


def _leaves_parent_out(function: ir.Function) -> bool:
    """Whether an `__init__` cannot be called as Flax calls it to copy a module: with each field, `parent` and `name`."""
    if any(each.kind == "double-star" or each.name == "parent" for each in function.parameters):
        return False
    return not function.decorators and not function.is_lambda


def _first_set(function: ir.Function) -> ir.Node:
    """The first attribute that an `__init__` sets, or else the function."""
    for node in ir.walk(function.body, into_scopes=False):
        if isinstance(node, ir.Assign) and isinstance(node.targets[0], ir.Attribute):
            return node.targets[0]
    return function
