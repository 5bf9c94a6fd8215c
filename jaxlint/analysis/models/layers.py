"""Layers: modules of Flax, Equinox and Haiku, as far as tracing goes.

A layer of a library gives an array for an array; a Linen module of the project is run by ``apply``
with its own fields and the caller's arguments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.component import Component
from jaxlint.analysis.domain import values as v
from jaxlint.analysis.domain.call import Call
from jaxlint.analysis.domain.hazards import TracedStaticParameter
from jaxlint.analysis.domain.state import DictObject, Instance, ListObject, values_in
from jaxlint.analysis.models import lifting
from jaxlint.analysis.models.equinox import WITH_WEIGHT
from jaxlint.analysis.shapes import recurrent
from jaxlint.analysis.shapes.layer_shapes import LAYERS, POOL, option, pooled
from jaxlint.ir import nodes as ir

if TYPE_CHECKING:
    from jaxlint.analysis.analyser import Interpreter

_LINEAR = "Conv ConvTranspose Embed LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm WeightNorm Einsum"
# Classes whose instances return one array when they are called.
_ARRAY_LAYERS = {
    "flax.linen": f"{_LINEAR} Dense DenseGeneral ConvLocal MultiHeadDotProductAttention SelfAttention PReLU",
    "flax.nnx": f"{_LINEAR} Linear LinearGeneral MultiHeadAttention PReLU LoRA LoRALinear",
    "equinox.nn": (
        "Linear Conv Conv1d Conv2d Conv3d ConvTranspose ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding"
        " LayerNorm GroupNorm RMSNorm MLP PReLU MultiheadAttention"
        " MaxPool1d MaxPool2d MaxPool3d AvgPool1d AvgPool2d AvgPool3d"
    ),
    "haiku": (
        "Linear Conv1D Conv2D Conv3D ConvND Conv1DTranspose Conv2DTranspose Conv3DTranspose DepthwiseConv2D Embed"
        " LayerNorm BatchNorm GroupNorm RMSNorm InstanceNorm Bias"
    ),
}
_GIVING_ARRAYS = frozenset(f"{module}.{name}" for module, names in _ARRAY_LAYERS.items() for name in names.split()) | {
    "haiku.nets.MLP"
}
_LAMBDA = "equinox.nn.Lambda"  # a sequence of one function, which is not given the key
# Layers that return their argument, or an array like it.
_HANDING_ON = frozenset({"flax.linen.Dropout", "flax.nnx.Dropout", "equinox.nn.Dropout"})
# Layers that return an array like their argument, and the state of the model after it.
_STATEFUL = frozenset({"equinox.nn.BatchNorm", "equinox.nn.SpectralNorm"})
# Layers that hand on what each of their layers returns to the next one, with the position and name of the layers.
_SEQUENCES: dict[str, tuple[int | None, str]] = {
    "flax.linen.Sequential": (0, "layers"), "flax.nnx.Sequential": (None, "*fns"), "haiku.Sequential": (0, "layers"),
    "equinox.nn.Sequential": (0, "layers"), _LAMBDA: (None, "*fn"),
}  # fmt: skip
_LAYERS = _GIVING_ARRAYS.union(
    _SEQUENCES,
    _HANDING_ON,
    _STATEFUL,
    {"flax.nnx.RNN"},
    (name for name in recurrent.CELLS if not name.startswith("flax.linen.")),
)
_EMBEDDING = frozenset({"flax.linen.Embed", "flax.nnx.Embed"})
_OF_LINEN_ALONE = frozenset({"flax.linen.Dropout"})  # whose options `models.linen` keeps
# Functions that return one array.
_FUNCTIONS = {
    "flax.linen": "avg_pool max_pool min_pool dot_product_attention make_attention_mask make_causal_mask",
    "flax.nnx": "avg_pool max_pool min_pool dot_product_attention make_attention_mask make_causal_mask",
    "haiku": "avg_pool max_pool",
}
FUNCTIONS_GIVING_ARRAYS = frozenset(
    f"{module}.{name}" for module, names in _FUNCTIONS.items() for name in names.split()
) | {"haiku.dropout", "haiku.one_hot"}
# Options that a layer asks in Python `if`s when it is called, with their positions.
_ASKED = {"flax.linen.Dropout": (0, "rate"), "flax.nnx.Dropout": (0, "rate")}
# Families of classes whose `__init__`, or whose declared fields, say which layers a module has.
WITH_INIT = frozenset({"nnx", "equinox", "haiku"})
_MAX_DEPTH = 3  # of modules that are declared in one another
# What Flax re-exports of `jax.nn`: functions, and no layers.
ACTIVATIONS = {
    f"{package}.{name}": f"jax.nn.{name}"
    for package in ("flax.linen", "flax.nnx")
    for name in (
        "celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid log_softmax logsumexp one_hot"
        " relu relu6 selu sigmoid silu soft_sign softmax softplus standardize swish tanh"
    ).split()
}


class Layers(Component):
    """Component of the interpreter: making, calling and applying layers."""

    def __init__(self, interpreter: Interpreter) -> None:
        super().__init__(interpreter)
        # What computed an array: a layer with one feature ("column"), a softmax or sigmoid ("probabilities"), a list of "strings",
        # a choice of indices with -1 for none ("sentinel").
        self.provenance: dict[v.Ident | None, str] = interpreter.per_module({})
        self.unchanged: dict[int, bool] = {}  # whether a list keeps its items, by the site of the call that makes it

    def made(self, name: str, call: Call) -> v.Value | None:
        """A layer of a library, where ``name`` is one that gives an array."""
        if name in FUNCTIONS_GIVING_ARRAYS:
            pools = name.startswith("flax.") and name.endswith("_pool")
            return self.array(call, self.pooled(call) if pools else None)
        if name == "flax.nnx.List" and len(call.args) == 1 and self.i.is_list(call.args[0]):
            items = self.i.items_of(call.args[0]) if self.stays(call.node) else None
            element = self.i.element_of(call.node, call.args[0])
            return v.Iterator(element, tuple(items) if items else None, form="pytree", over=() if items else None)
        if name == "flax.linen.vmap" and call.args:
            self.i.linen.mapped(call)
        if name in lifting.MAPPING and call.args and self.is_class(call.args[0]):
            return self.i.lifting.lifted(name, call)
        if name in lifting.STAGING and call.args and type(call.args[0]) is v.ClassValue:
            return self.i.lifting.staged(name, call.args[0], call)
        if name in _ASKED and (value := call.get(*_ASKED[name])) is not None:
            node = call.node_of(*_ASKED[name]) or call.node
            self.i.api.concrete(TracedStaticParameter(), name, _ASKED[name][1], value, node, call)
        if name not in _LAYERS or name in _OF_LINEN_ALONE:
            return self.i.linen.made(name, call) or self.i.nnx.made(name, call)
        kept = self.kept(name, call)
        self.i.call_unknown(v.Api(name), call)
        made = v.OpaqueInstance("layer", (*self.i.linen.options(name, call), *kept), v.fresh())
        if name.startswith("flax.linen.") and made.ident is not None:
            self.i.linen_scope.made(name, made.ident, call)
        return self.i.nnx.note(made, name, call)

    def is_class(self, value: v.Value) -> bool:
        """Whether a value is a class: one of the project, or a layer of a library."""
        return type(value) is v.ClassValue or (type(value) is v.Api and value.name in _LAYERS)

    def stays(self, node: ir.Node) -> bool:
        """Whether the list that a call makes has the same items later: nothing in the file changes what its name stands for."""
        found = self.unchanged.get(node.site)
        if found is None:
            statement = self.i.unit.parent(node.site)
            targets = statement.targets if type(statement) is ir.Assign else []
            name = ir.last_name(targets[0]) if len(targets) == 1 else ""
            module = self.i.unit.module_of(node.site)
            found = bool(name) and not any(_changes(each, name) for each in ir.walk(module.body))
            self.unchanged[node.site] = found
        return found

    def gives_array(self, name: str) -> bool:
        return name in _GIVING_ARRAYS

    def kept(self, name: str, call: Call) -> list[v.Value]:
        """What is kept of how a layer is made: the options that decide shapes, or the layers of a sequence."""
        if name in _SEQUENCES:
            return [self.sequence(name, call)]
        if name in recurrent.LAYERS:
            return [call.get(0, "cell") or v.UNKNOWN, self.option(call, None, "return_carry")]
        parameters, _ = LAYERS.get(name, ((), None))
        return [self.option(call, *each) for each in parameters]

    def call(self, call: Call, layer: v.OpaqueInstance) -> v.Value:
        self.i.linen.called(layer, call)
        self.i.nnx.called(layer, call)
        name = layer.class_name
        if name in _HANDING_ON:
            return self.handed_on(call)
        if (made := recurrent.called(self.i, layer, call)) is not None:
            return made
        if layer.name == "linen module":
            return self.i.call_unknown(layer, call)
        if name in _STATEFUL:
            if name == "equinox.nn.BatchNorm" and len(layer.args) > 2:
                self.averaged(layer, call)
            return v.Tuple((self.array(call), v.Unknown(v.fresh())))
        if name in _SEQUENCES:
            return self.in_turn(layer, call)
        # An embedding is of floats, unless it is told otherwise.
        floats = name in _EMBEDDING and all(map(v.is_none, layer.args[2:4]))
        given = self.array(call, self.shape(layer, call), "float32" if floats else None)
        return given if self.i.context.tangents is None else self.i.transforms.tangents.layer_called(layer, given)

    def array(self, call: Call, shape: v.Shape | None = None, dtype: str | None = None) -> v.Value:
        """The one array that a layer, or a function like one, returns."""
        self.i.havoc_given(call)
        mode, origin = self.i.result_mode(call.all())
        if mode not in v.TRACED and shape is None:
            return v.Unknown(v.fresh())
        # A layer whose own parameters are traced gives a tracer for what is concrete.
        made = v.Array(mode if mode in v.TRACED else v.MAYBE, v.Aval(dtype, shape, None), origin, v.fresh())
        if shape and shape[-1] == 1:
            self.provenance[made.ident] = "column"
        return made

    def averaged(self, layer: v.OpaqueInstance, call: Call) -> None:
        """A layer that averages over the axis of a name is called, as it is in training."""
        training = [option(layer.args[2]), option(call.keywords.get("inference", v.NONE))]
        if not call.double_star and all(each in (None, False) for each in training):
            self.i.transforms.axis_names.is_unbound(layer.args[1], layer.class_name, call)

    def sequence(self, name: str, call: Call) -> v.Value:
        """The layers of a sequence that is made: a tuple, or unknown."""
        position, parameter = _SEQUENCES[name]
        if position is None:
            return v.UNKNOWN if call.star or not call.args else v.Tuple(tuple(call.args))
        layers = call.get(position, parameter)
        items = self.i.items_of(layers) if layers is not None else None
        return v.Tuple(tuple(items)) if items else v.UNKNOWN

    def in_turn(self, layer: v.OpaqueInstance, call: Call) -> v.Value:
        """Call the layers of a sequence: the first is given all arguments, each of the others what the one before returned."""
        layers = layer.args[-1]
        items = layers.items if type(layers) is v.Tuple else None
        if not items or call.star or call.double_star:
            return self.i.layer_result(call)
        name = getattr(layer.args[0], "value", None)
        keys = {"key": call.keywords["key"]} if name == "equinox.nn.Sequential" and "key" in call.keywords else {}
        value = self.i.call(items[0], call if name != _LAMBDA else self.i.simple_call(call.node, list(call.args)))
        for item in items[1:]:
            if type(value) is not v.Array:
                return self.i.layer_result(call)  # a tuple, say, is spread over the next one's parameters
            inner = self.i.simple_call(call.node, [value])
            inner.keywords.update(keys)
            value = self.i.call(item, inner)
        return value

    def option(self, call: Call, position: int | None, name: str) -> v.Value:
        """What a call gives for an option of a layer: None where that is not passed."""
        value = call.get(position, name)
        if value is None:
            return v.UNKNOWN if call.star or call.double_star else v.NONE
        items = self.i.items_of(value) if self.i.is_list(value) else None
        return value if items is None else v.Tuple(tuple(items))

    def shape(self, layer: v.OpaqueInstance, call: Call) -> v.Shape | None:
        """The shape of what a layer gives, as far as it is known; a shape that it cannot take is recorded."""
        name = layer.class_name
        given = self.i.aval_of(call.args[0]).shape if call.args and type(call.args[0]) in (v.Array, v.Host) else None
        parameters, law = LAYERS.get(name, ((), None))
        if given is None or law is None or len(layer.args) <= len(parameters):
            return None
        options = [option(each) for each in layer.args[1 : len(parameters) + 1]]
        self.i.events.layer_given(call, name, options, given)
        takes, gives = law(options, given)
        if takes is not None:
            self.i.events.layer_misfits(call, takes, given, name)
        return gives

    def pooled(self, call: Call) -> v.Shape | None:
        """The shape of what `nn.max_pool` and its kin give."""
        given = self.i.aval_of(call.args[0]).shape if call.args else None
        return None if given is None else pooled([option(self.option(call, *each)) for each in POOL], given)

    def handed_on(self, call: Call) -> v.Value:
        """The result of a layer that returns its argument, or an array like it."""
        self.i.keys.given_to_unknown(call)
        self.i.havoc_given(call)
        given = call.get(0, "x") or call.get(0, "inputs")
        if given is None or given.cls is None:
            return v.Unknown(v.fresh())
        if type(given) is v.Undecided:
            return given.renewed(v.fresh())
        mode, origin = self.i.result_mode([given])
        return v.Array(mode, self.i.aval_of(given), origin)

    # --- modules of the project ---------------------------------------------------------------

    def fields(self, cls: v.ClassValue, depth: int = 0) -> dict[str, v.Value]:
        """The fields of a module that hold layers or other modules, whatever it is made with."""
        init = cls.lookup("__init__")
        if type(init) is v.FunctionValue:
            return self.set_by(init, cls)
        if init is not None or cls.family != "equinox" or depth == _MAX_DEPTH:
            return {}
        declared = {
            name: self.declared(annotation, cls, depth) for name, annotation in self.i.annotations.declared(cls).items()
        }
        return {name: value for name, value in declared.items() if value is not None}

    def declared(self, annotation: ir.Expression | None, cls: v.ClassValue, depth: int) -> v.Value | None:
        """The module of a field with this annotation; None for any other field."""
        named = self.i.annotations.named(annotation, cls.frame)
        if type(named) is v.Api and named.name in _LAYERS:
            return v.OpaqueInstance("layer", (v.Const(named.name),), v.fresh())
        if type(named) is v.ClassValue and named.family == "equinox":
            return self.i.new_object(Instance(named, self.fields(named, depth + 1)))
        return None

    def set_by(self, init: v.FunctionValue, cls: v.ClassValue) -> dict[str, v.Value]:
        """The layers, modules and arrays that `__init__` sets, run in silence with arguments of which nothing is known."""
        before = self.i.state
        assert before is not None
        state = before.fork()
        self.i.resume(state)
        module = v.Ref(state.allocate(Instance(cls, {})))
        parameters = init.function.parameters
        arguments = {parameter.name: self.i.anything(parameter) for parameter in parameters[1:]}
        around, given = self.i.framework(cls).initial_context(self.i.context), {parameters[0].name: module, **arguments}
        site, name = init.function.site, init.function.qualname
        with self.i.muted():
            self.i.equinox.prepared(module, lambda: self.i.run(init, given, around, site, name, v.fresh()[0]))
        contents = self.i.contents(module) if self.i.state is not None else None
        if type(contents) is not Instance:
            self.i.resume(before)
            return {}
        static = self.i.pytrees.static_fields(cls) or ()
        kept = {name: self.of_any_object(value) for name, value in contents.fields.items() if name not in static}
        return {name: value for name, value in kept.items() if value is not None}

    def of_any_object(self, value: v.Value) -> v.Value | None:
        """What is known of a field whatever the module is made with: a module, or that it is an array."""
        if type(value) is v.Array and value.aval.dtype not in v.KEYS:
            return v.Array(v.MAYBE, v.ANY, None, v.fresh())
        return value if self.is_module(value) or value.ident in self.i.nnx.of_arrays else None

    def attribute(self, base: v.Value, attr: str) -> v.Value | None:
        """An array that a layer of a library, or a Variable of NNX, certainly has as an attribute."""
        assert self.i.state is not None
        if base.ident is None or (base.ident, attr) in self.i.state.fields:
            return None
        if type(base) is v.OpaqueInstance and base.name == "layer":
            if attr == "weight" and base.class_name in WITH_WEIGHT:
                return v.Array(v.MAYBE, v.ANY, None, (*base.ident, ".weight"))
            return self.i.nnx.variable_of(base, attr)
        if attr != "value" or base.ident not in self.i.nnx.of_arrays:
            return None
        return v.Array(v.MAYBE, v.ANY, None, self.i.opaque_attribute(base, attr).ident)

    def is_held(self, base: v.Value, attr: str) -> bool:
        """Whether ``attr`` of a module is what a field holds, and no method: a call of it leaves the module as it is."""
        contents = self.i.contents(base)
        if type(contents) is not Instance or contents.cls.family not in WITH_INIT:
            return False
        return contents.cls.lookup(attr) is None

    def is_module(self, value: v.Value, depth: int = 0) -> bool:
        """Whether a value is a layer or a module, or a container of nothing else."""
        if type(value) is v.OpaqueInstance:
            return value.name in ("layer", "dropout", "haiku layer")
        if type(value) is v.Unknown and value.options:  # one of several, or None
            return not value.open and all(type(option) is v.OpaqueInstance for option in value.options)
        contents = self.i.contents(value)
        if type(contents) is Instance:
            return contents.cls.family in WITH_INIT
        if type(contents) is ListObject and depth < _MAX_DEPTH:
            items = contents.items if contents.items is not None else (contents.element,)
        elif type(contents) is DictObject and depth < _MAX_DEPTH:
            items = tuple(values_in(contents))
        elif isinstance(value, (v.Tuple, v.Iterator)) and depth < _MAX_DEPTH:
            items = value.items if value.items is not None else (value.element,)
        else:
            return False
        return bool(items) and all(self.is_module(item, depth + 1) for item in items)


def _changes(node: ir.Node, name: str) -> bool:
    """Whether a node may change a list of that name: a method that is no `index` and no `count`, an item, or `+=`."""
    if type(node) is ir.Attribute:
        return ir.last_name(node.value) == name and node.attr not in ("index", "count")
    if type(node) is ir.Assign:
        stored = [each.value for each in node.targets if type(each) is ir.Subscript]
        return any(ir.last_name(each) == name for each in stored)
    if type(node) is ir.Augment:
        target = node.target.value if type(node.target) is ir.Subscript else node.target
        return ir.last_name(target) == name
    return type(node) is ir.Delete and any(
        type(each) is ir.Subscript and ir.last_name(each.value) == name for each in node.targets
    )
